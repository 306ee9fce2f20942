/* bench_view.h - what pb-bench tells people: tables, pictures. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "io/tool/bench.h"
#include "view/canvas.h"
#include "view/drawing.h"
#include "view/term.h"

#define PB_BENCH_LABEL 320 /* "player name=value ..." */

/*
 * Show what its options ask for: tables; the success rates in a file; all of it
 * as one page for a browser; where the first player was on a board of cells.
 * Errors are printed, and nothing is left of such a file.
 */
void pb_bench_show(const struct pb_bench *p);

/*
 * Print tables: a sentence that says what the comparisons come to, a caption
 * with what all rows share, and a row for each summary.
 * Columns in which all rows agree (map, round) are said once, above. Where it
 * is too wide (tty->width, 40 at least; 0: never), columns go into another part
 * below, under the same first ones.
 */
void pb_bench_tables(
    const struct pb_bench *p, const struct pb_tty *tty, FILE *f);

/* Names of what differs between summaries of some rules, NULL: of all: "rules",
 * "map", constants, "round". */
void pb_bench_varied(
    const struct pb_report *r, const char *rules, struct pb_opt_names *names);

/* The value of one of them, as a text, that may be in room. */
const char *pb_bench_value(
    const struct pb_trial *key, const char *name, char room[16]);

/* Name a summary by its player, and by what else differs between them. */
void pb_bench_label(
    char label[PB_BENCH_LABEL], const struct pb_report *r, int summary);

/*
 * Read the trajectories of o->traj, compare, and write the record, or the
 * table; then say which bounds are not kept. Errors are printed.
 */
void pb_trajectory_show(
    const struct pb_bench_opts *o, char *const *files, int n);
