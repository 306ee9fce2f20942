/* bench_report.h - the report of a benchmark as records or as a table of TSV.
 */
#ifndef PB_IO_TOOL_BENCH_REPORT_H
#define PB_IO_TOOL_BENCH_REPORT_H

#include "io/tool/bench_opts.h"
#include "pb/report.h"

/* Write everything that the report has to stdout, as records. */
void pb_bench_write(const struct pb_bench_opts *o, const struct pb_report *r);

/*
 * Write a line of names and one for each summary to stdout, with tabs between
 * the fields; what is not known is empty. Tabs in names become blanks.
 */
void pb_bench_tsv(const struct pb_bench_opts *o, const struct pb_report *r);

/* Say the first comparison with the baseline that goes beyond the margin. */
void pb_bench_judge(const struct pb_bench_opts *o, const struct pb_report *r);

#endif
