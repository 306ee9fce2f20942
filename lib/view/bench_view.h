/* bench_view.h - what pb-bench tells people: tables, charts, pictures. */
#ifndef PB_VIEW_BENCH_VIEW_H
#define PB_VIEW_BENCH_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "io/tool/bench_trajectory.h"
#include "io/tool/bench_trials.h"
#include "pb/games.h"

/* How to show the values. */
enum pb_value_view { PB_AS_PROFILE, PB_AS_HISTOGRAM };

/* All that there is to tell; nothing is owned. */
struct pb_bench_paper {
	const struct pb_report *report;
	const struct pb_tally *tally; /* that it is of */
	enum pb_value_of values;      /* draw these, too, */
	enum pb_value_view as;        /* like this */
	double confidence;            /* of every interval */
	const struct pb_rules *rules;
	const int *player; /* numbers of the players */
	int players;
	const struct pb_notes *notes; /* one a player, NULL: none */
	bool time;                    /* tell how long decisions took */
	bool wide;                    /* tables as wide as they come */
	const struct pb_maze *board;  /* of the notes */
};

/* Write tables, charts or both to f. What goes wrong is said. */
void pb_bench_people(
    const struct pb_bench_paper *p, bool table, bool chart, FILE *f);

/* Draw the values, else the success rates, into a file. What goes wrong is
 * said. */
void pb_bench_draw_rates(const struct pb_bench_paper *p, const char *path);

/* Draw where the first player was into a file. The same. */
void pb_bench_draw_heat(const struct pb_bench_paper *p, const char *path);

/*
 * Read, compare, and write the record, or the table if `table`, to stdout, of
 * any width if `wide`; then say which bounds of `expect` are not kept. What
 * goes wrong is said.
 */
void pb_trajectory_show(const struct pb_trajectory_opts *o,
    const struct pb_opt_common *common, const struct pb_opt_list *expect,
    bool table, bool wide, char *const *files, int n);

#endif
