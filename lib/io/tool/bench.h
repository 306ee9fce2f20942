/* bench.h - play on one map after the other and write the results; results of
 * files. */
#pragma once

#include "io/tool/bench_opts.h"
#include "io/tool/bench_trials.h"

/* A run; nothing is owned. */
struct pb_bench {
	const struct pb_bench_opts *o;

	/* For experiments without maps: boards, or streams with a map record;
	 * none: the usual board, or standard input. */
	char *const *file;
	int files;

	struct pb_tally *tally; /* gets the results */
	struct pb_notes *notes; /* one a player, NULL: none wanted */
	struct pb_maze *board;  /* set to the last one played on, or NULL */
};

/*
 * Play everything. Results leave in the order of experiments, maps, rounds,
 * trials, players; each is added to the tally too. A signal that pb_msg_catch()
 * looks after ends the run between two results.
 *
 * Returns  whether everything was played (or keep_going); if not, why was
 *          said
 */
bool pb_bench_play(const struct pb_bench *b);

/* Read what is to be read before playing. False: why was said. */
bool pb_bench_load(struct pb_bench_opts *o);

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
