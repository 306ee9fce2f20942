/* bench_results.h - read the results of a benchmark back. */
#ifndef PB_IO_TOOL_BENCH_RESULTS_H
#define PB_IO_TOOL_BENCH_RESULTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "io/opt/opt.h"
#include "pb/tally.h"

struct pb_results {
	struct pb_tally *tally;             /* where the trials go */
	const struct pb_opt_common *common; /* NULL: defaults */
	unsigned long long read;            /* results read */
	unsigned long long again; /* of them, known with the same result */
	bool strict;              /* a last line that was cut is refused */
	bool torn;                /* there was one */
	bool unended;             /* the last line is whole, but for its end */
	off_t whole;              /* bytes in lines with their ends */
};

/*
 * Read result records from files ("-" and none: standard input) into the
 * tally; other records are skipped. A trial that comes again with another
 * result, or with the same numbers and another hash, is refused; one that
 * comes again alike is counted once, and that is noted. The last line of a file
 * that was cut, as a full disk leaves it, is only warned of unless `strict`.
 *
 * Returns  whether everything was read, but for what was refused and
 *          passed over with --keep-going; what was wrong was said
 */
bool pb_results_read(struct pb_results *p, char *const *files, int n);

#endif
