/* bench_tables.h - the summaries of a benchmark as tables for people. */
#ifndef PB_VIEW_BENCH_TABLES_H
#define PB_VIEW_BENCH_TABLES_H

#include <stdbool.h>
#include <stdio.h>

#include "pb/report.h"

/* What there is to show, in the order to show it. */
struct pb_bench_view {
	const struct pb_summary *summary;
	int summaries;
	const struct pb_comparison *comparison; /* by number of summary */
	int comparisons;
	const struct pb_report *report; /* they are of; more is shown of it */
	double confidence;              /* of every interval */
	bool utf8;                      /* draw lines with box characters */
	int width;                      /* of tables, 0: any */
};

/*
 * Print tables: a row for each summary, where there are scores their means, who
 * killed, the pellets collected as a histogram (up to 16 of them), a row for
 * each comparison and test, for each player over several maps and rounds.
 * Columns in which all rows agree (map, round) are said once, above.
 *
 * Returns  PB_OK or PB_ENOMEM; a write that failed shows in ferror(f)
 */
enum pb_status pb_bench_print(const struct pb_bench_view *v, FILE *f);

/* Room for "policy@round map rules constants". */
#define PB_BENCH_LABEL 320

/* Name a summary by its player, and by what else differs between them. */
void pb_bench_label(char label[PB_BENCH_LABEL], const struct pb_bench_view *v,
    const struct pb_summary *s);

/* Whether the summaries are of more than one map. */
bool pb_bench_several_maps(const struct pb_bench_view *v);

#endif
