/* bench_results.h - results of a benchmark in files: read back, added to. */
#ifndef PB_IO_TOOL_BENCH_RESULTS_H
#define PB_IO_TOOL_BENCH_RESULTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "io/opt/opt.h"
#include "io/stream/text.h"
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

/*
 * The trials in the file need not be played again; new ones are added to its
 * end, whole lines at a time, so that a run that is killed loses nothing but
 * what it was about to write. A line that was cut all the same, as by a power
 * failure, is taken off. One run at a time holds the file. A zeroed struct is
 * no file, and fine.
 */
struct pb_resume {
	struct pb_tally *known; /* what the file held; owned */
	struct pb_text out;     /* lines for its end */
	const char *path;       /* kept by the caller; NULL: no file */
	int fd;
};

/*
 * Read the file at path, made if it is not there, and hold it.
 *
 * Returns  whether it worked; if not, why was said
 */
bool pb_resume_open(struct pb_resume *r, const char *path);

/*
 * Add the lines to the file. False: it failed, which was said, and the file
 * ends with a whole line.
 */
bool pb_resume_flush(struct pb_resume *r);

/* Close; false if something could not be written, which was said. */
bool pb_resume_close(struct pb_resume *r);

#endif
