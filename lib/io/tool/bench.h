/* bench.h - play on one map after the other and write the results. */
#ifndef PB_IO_TOOL_BENCH_H
#define PB_IO_TOOL_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "io/tool/bench_experiment.h"
#include "io/tool/bench_trials.h"
#include "pb/sequential.h"
#include "pb/tally.h"

/* What to play. */
struct pb_bench {
	const struct pb_experiments *list; /* one after the other */
	uint64_t shard;                    /* play trials that are shard .. */
	uint64_t shards;                   /* .. modulo shards, >= 1 */
	int threads;                       /* 1..PB_WORK_THREADS */

	/* For experiments without maps: boards, or streams with a map record.
	 */
	char *const *file;
	int files; /* 0: the usual board, or standard input */

	struct pb_notes *notes; /* one a player, NULL: none wanted */
	struct pb_maze *board;  /* set to the last one played on, or NULL */
	const struct pb_seq_opts *seq; /* when a round is over early, or NULL */
	bool results;                  /* write result records to stdout */
	const char *resume; /* keep them in this file instead, or NULL */
	const struct pb_opt_common *common;
};

/*
 * Play everything. Results leave in the order of experiments, maps, rounds,
 * trials, players; each is added to the tally too. A signal that pb_msg_catch()
 * looks after ends the run between two results.
 *
 * Returns  whether everything was played (or keep_going); if not, why was
 *          said
 */
bool pb_bench_play(const struct pb_bench *b, struct pb_tally *tally);

#endif
