/* trajectory.h - the errors of a trajectory as a table for people. */
#ifndef PB_VIEW_TRAJECTORY_H
#define PB_VIEW_TRAJECTORY_H

#include <stdbool.h>
#include <stdio.h>

#include "localize/traj.h"

/* Returns  PB_OK or PB_ENOMEM; a write that failed shows in ferror(f) */
enum pb_status pb_trajectory_print(const struct pb_traj_report *r,
    const struct pb_traj_opts *o, bool utf8, FILE *f);

#endif
