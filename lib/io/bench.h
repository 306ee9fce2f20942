/* bench.h - play on one map after the other and write the results. */
#ifndef PB_IO_BENCH_H
#define PB_IO_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "game/report.h"
#include "io/notes.h"
#include "io/opt.h"
#include "policy/rules.h"

/* What to play. */
struct pb_bench {
	const struct pb_rules *rules;
	const void *opts;  /* of the rules, checked */
	const int *player; /* numbers of the players */
	int players;
	const int *round; /* the rounds to play */
	int rounds;
	uint64_t trials; /* of each player in each round */
	uint64_t seed;
	uint64_t shard;  /* play trials that are shard .. */
	uint64_t shards; /* .. modulo shards, >= 1 */
	int threads;     /* 1..PB_WORK_THREADS */

	const char *const *map; /* map files */
	int maps;
	int houses;        /* then the random houses of seeds 1..houses */
	char *const *file; /* without either: streams with a map record */
	int files;         /* 0: standard input */

	struct pb_notes *notes; /* one a player, NULL: none wanted */
	struct pb_maze *board;  /* set to the last one played on, or NULL */
	bool results;           /* write result records to stdout */
	const char *resume;     /* keep them in this file instead, or NULL */
	const char *preset;     /* name of the opts for the results, or NULL */
	const struct pb_opt_common *common;
};

/*
 * Play everything. Results leave in the order of maps, rounds, trials,
 * players; each is added to the tally too. A signal that pb_msg_catch() looks
 * after ends the run between two results.
 *
 * Returns  whether everything was played (or keep_going); if not, why was
 *          said
 */
bool pb_bench_play(const struct pb_bench *b, struct pb_tally *tally);

/*
 * Write the summaries and comparisons of r to stdout, as records; preset is
 * the name of their options, NULL or "" if they have none.
 */
void pb_bench_write(
    const struct pb_report *r, double confidence, const char *preset);

#endif
