/* bench_report.h - the report of a benchmark as records or as a table of TSV.
 */
#ifndef PB_IO_TOOL_BENCH_REPORT_H
#define PB_IO_TOOL_BENCH_REPORT_H

#include "pb/report.h"

struct pb_bench_say {
	const struct pb_report *report;
	const struct pb_report_opts *asked;
	double margin; /* of non-inferiority to the baseline; NAN: none */
};

/* Write everything that the report has to stdout, as records. */
void pb_bench_write(const struct pb_bench_say *s);

/*
 * Write a line of names and one for each summary to stdout, with tabs between
 * the fields; what is not known is empty. Tabs in names become blanks.
 */
void pb_bench_tsv(const struct pb_bench_say *s);

/* Say the first comparison with the baseline that goes beyond the margin. */
void pb_bench_judge(const struct pb_bench_say *s, const char *baseline);

#endif
