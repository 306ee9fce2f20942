/* bench.h - play on one map after the other and write the results. */
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
