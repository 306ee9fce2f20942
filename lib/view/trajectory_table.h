/* trajectory_table.h - the errors of a trajectory as a table for people. */
#ifndef PB_VIEW_TRAJECTORY_TABLE_H
#define PB_VIEW_TRAJECTORY_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "io/tool/bench_trajectory.h"
#include "view/render.h"

/* Returns  PB_OK or PB_ENOMEM; a write that failed shows in ferror(f) */
enum pb_status pb_trajectory_print(const struct pb_traj_report *r,
    const struct pb_traj_opts *o, const struct pb_tty *tty, FILE *f);

/*
 * Read, compare, and write the record, or the table if `table`, to stdout, of
 * any width if `wide`; then say which bounds of `expect` are not kept. What
 * goes wrong is said.
 */
void pb_trajectory_show(const struct pb_trajectory_opts *o,
    const struct pb_opt_common *common, const struct pb_opt_list *expect,
    bool table, bool wide, char *const *files, int n);

#endif
