/* bench_view.h - output of pb-bench for people: tables, pictures, a page. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "io/tool/bench.h"
#include "view/canvas.h"
#include "view/drawing.h"
#include "view/term.h"

#define PB_BENCH_LABEL 320 /* "player name=value ..." */

/*
 * Show what the options request: tables; success rates in a file; an HTML page
 * with everything; a heat map of the first player on a board. Errors are
 * printed; an incomplete file is removed.
 */
void pb_bench_show(const struct pb_bench *p);

/*
 * Print tables: a sentence with the verdict, a caption with what all rows
 * share, and a row for each summary. Columns in which all rows agree (map,
 * round) are in the caption only. If the table is wider than tty->width (at
 * least 40; 0: unlimited), further columns are in another part below, behind
 * the same key columns.
 */
void pb_bench_tables(
    const struct pb_bench *p, const struct pb_tty *tty, FILE *f);

/* List what differs between summaries of a rule set (NULL: of all): "rules",
 * "map", constants, "round". */
void pb_bench_varied(
    const struct pb_report *r, const char *rules, struct pb_opt_names *names);

/* The value of such a name as text, maybe in room. */
const char *pb_bench_value(
    const struct pb_trial *key, const char *name, char room[16]);

/* Label a summary with its player and what differs from others. */
void pb_bench_label(
    char label[PB_BENCH_LABEL], const struct pb_report *r, int summary);

/* Read the trajectories of o->traj, compare them, and write the record or
 * table; then report violated bounds. Errors are printed. */
void pb_trajectory_show(
    const struct pb_bench_opts *o, char *const *files, int n);
