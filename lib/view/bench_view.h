/* bench_view.h - what pb-bench tells people: tables, pictures. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "io/tool/bench.h"
#include "view/canvas.h"
#include "view/drawing.h"
#include "view/term.h"

#define PB_CHART_LABEL 320 /* "policy@round map rules constants" */

/* All that there is to tell; nothing is owned. */
struct pb_bench_paper {
	const struct pb_bench_opts *o;
	const struct pb_report *report;
	const struct pb_tally *tally; /* that it is of */
	const struct pb_notes *notes; /* one a player, NULL: none */
	const struct pb_maze *board;  /* of the notes */
};

/*
 * Show what o asks for: tables; the success rates in a file; all of it as one
 * page for a browser; where the first player was on a board of cells. What goes wrong is said, and nothing is left of such a file.
 */
void pb_bench_show(const struct pb_bench_paper *p);

/*
 * Print n cells in whole rows, the first one the headings. Widths count columns
 * of a terminal, not bytes: UTF-8 letters count 1, wide ones 2, combining ones
 * 0; what pb_utf8_shown hides prints as '?'. Where it is too wide, headings and
 * texts go on below, and then columns go into another part, under the same
 * first ones; a column without a heading stays with the one before it.
 *
 * Given    align  a letter for each column: 'l' left, 'r' right, '.' numbers at
 *                 their points. Columns before a '|' say what a row is of;
 *                 without one that is the first
 *          tty    how wide (40 or more; 0: any) and with which lines
 */
void pb_table_print(const char *align, const char *const *cell, size_t n,
    const struct pb_tty *tty, FILE *f);

/*
 * Print tables: a row for each summary, where there are scores their means, who
 * killed, a row for each comparison and test, for each player over several maps
 * and rounds.
 * Columns in which all rows agree (map, round) are said once, above.
 */
void pb_bench_tables(
    const struct pb_bench_paper *p, const struct pb_tty *tty, FILE *f);

/* Name a summary by its player, so many bytes, and by what else differs between
 * them. */
int pb_bench_label(
    char label[PB_CHART_LABEL], const struct pb_report *r, int summary);

/*
 * Read the trajectories of o->traj, compare, and write the record, or the
 * table; then say which bounds are not kept. What goes wrong is said.
 */
void pb_trajectory_show(
    const struct pb_bench_opts *o, char *const *files, int n);
