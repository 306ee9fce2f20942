/* benchcheck.h - whether the options of pb-bench go together. */
#ifndef PB_IO_TOOL_BENCHCHECK_H
#define PB_IO_TOOL_BENCHCHECK_H

#include "io/tool/bench_opts.h"

/*
 * Check what no single option can tell, and make the list of experiments.
 *
 * Given    files, n  the operands
 * Returns  whether all is well; if not, why was said
 */
bool pb_bench_opts_check(struct pb_bench_opts *o, char *const *files, int n);

#endif
