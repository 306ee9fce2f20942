/* tum.h - trajectories in the format of the TUM RGB-D benchmark. */
#ifndef PB_IO_TUM_H
#define PB_IO_TUM_H

#include "base/geom.h"
#include "io/text.h"

/*
 * A pose a line: t x y z qx qy qz qw, in seconds, metres and a quaternion.
 * Other tools (evo, rpg_trajectory_evaluation) read and write it.
 */
void pb_tum_put(struct pb_text *o, double t, struct pb_pose p);

#endif
