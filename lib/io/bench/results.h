/* results.h - read the results of a benchmark back. */
#ifndef PB_IO_BENCH_RESULTS_H
#define PB_IO_BENCH_RESULTS_H

#include <stdbool.h>

#include "game/tally.h"
#include "io/opt/opt.h"

struct pb_results {
	struct pb_tally *tally;             /* where the trials go */
	const struct pb_opt_common *common; /* NULL: defaults */
	unsigned long long read;            /* results read */
	unsigned long long again; /* of them, known with the same result */
};

/*
 * Read result records from files ("-" and none: standard input) into the
 * tally; other records are skipped. A trial that comes again with another
 * result is refused; a last line that was cut, as a killed run leaves it, is
 * only warned of.
 *
 * Returns  whether everything was read, but for what was refused and
 *          passed over with --keep-going; what was wrong was said
 */
bool pb_results_read(struct pb_results *p, char *const *files, int n);

#endif
