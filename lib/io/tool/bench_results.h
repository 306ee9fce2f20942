/* bench_results.h - results of files read back, and added to. */
#pragma once

#include <sys/types.h>

#include "io/rec/rec.h"
#include "io/tool/bench_opts.h"

/* Results being read back. */
struct pb_bench_results {
	struct pb_tally *tally;        /* where the trials go */
	const struct pb_bench_opts *o; /* NULL: defaults */
	unsigned long long fresh;      /* of them, not known before */
	unsigned long long again;      /* of them, known with the same result */
	unsigned long long unscored;   /* without the score that they are
	                                  compared by */
	bool strict;                   /* a last line that was cut is refused */
	bool torn;                     /* there was one */
	bool unended; /* the last line is whole, but for its end */
	off_t whole;  /* bytes in lines with their ends */
};

/* Whether a tally took a trial, or knows it; bad says why not. */
bool pb_bench_taken(
    enum pb_tally_add got, const struct pb_trial *t, struct pb_error *bad);

/*
 * Read result records from files ("-" and none: standard input) into the
 * tally; other records are skipped. A trial that comes again with another
 * result, or with the same numbers and another hash, is refused; one that comes
 * again alike is counted once, and that is noted. The last line of a file that
 * was cut, as a full disk leaves it, is only warned of unless bounds hang on
 * it; so is input without a result.
 *
 * Returns  whether everything was read, but for what was refused and
 *          passed over with --keep-going; what was wrong was said
 */
bool pb_bench_read(const struct pb_bench_opts *o, struct pb_tally *tally,
    char *const *files, int n);

/*
 * Warn of results that say they are of several builds, in that file or NULL;
 * under a gate they are refused.
 *
 * Returns  false if they were
 */
bool pb_bench_one_build(const struct pb_tally *t, const char *file, bool gate);

/*
 * The trials in the file need not be played again; new ones are added to its
 * end, whole lines at a time, so that a run that is killed loses nothing but
 * what it was about to write. A line that was cut all the same, as by a power
 * failure, is taken off. One run at a time holds the file. A zeroed struct is
 * no file, and fine.
 */
struct pb_bench_resume {
	struct pb_tally *known; /* what the file held; owned */
	struct pb_text out;     /* lines for its end */
	const char *path;       /* kept by the caller; NULL: no file */
	int fd;
};

/* Read the file at path, made if it is not there, and hold it. */
bool pb_bench_resume_open(struct pb_bench_resume *r, const char *path);

/* Add the lines to the file. False: it failed, which was said, and the file
 * ends with a whole line. */
bool pb_bench_resume_flush(struct pb_bench_resume *r);

/* Close; false if something could not be written, which was said. */
bool pb_bench_resume_close(struct pb_bench_resume *r);
