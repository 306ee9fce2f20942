/* bench_trials.h - play many trials on all cores, results in order. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/opt/opt.h"
#include "io/opt/rules_opts.h"
#include "io/stream/pace.h"
#include "io/tool/bench_experiment.h"
#include "pb/games.h"

/*
 * Every player plays every trial of every round: for each round, for each
 * trial, for each player. Trial i of all players has the same (seed, i), so
 * they meet the same ghost and the same luck. The order of the results and
 * the results themselves do not depend on the threads.
 */
struct pb_trials {
	const struct pb_rules *rules;
	const void *opts;        /* of the rules, checked */
	struct pb_ground ground; /* named */
	const struct pb_opt_players *players;
	const struct pb_numbers *rounds; /* to play */
	uint64_t seed;
	uint64_t trials;       /* 0..trials-1 of every player */
	struct pb_shard shard; /* play those that are i modulo n, n >= 1 */
	int threads;           /* 1..PB_WORK_THREADS */
	const struct pb_bench_agents *agents; /* may be NULL */

	/*
	 * Trials not to play again, or NULL. Where new ones are to join them
	 * in a round, the first of each player is played all the same: see
	 * whether the results are still what they were.
	 */
	const struct pb_tally *known;

	/*
	 * One a player, to which those of all games played are added in the
	 * end; NULL: nobody wants to know, or the rules take no notes.
	 */
	struct pb_notes *notes;

	/* Called in order; fresh: not known before. False ends the run. */
	bool (*take)(void *ctx, const struct pb_trial *r, bool fresh);

	/* Called before that if a program ended the trial: why. */
	void (*failed)(void *ctx, const struct pb_trial *r, const char *why);

	/* Called some ten times a second with how many were taken. */
	bool (*pause)(void *ctx, uint64_t taken);
	void *ctx;
};

struct pb_trials_end {
	enum pb_work_end end;
	enum pb_status status; /* why nothing could be played, else PB_OK */
	struct pb_refusal no;  /* and what keeps the options from the ground */
	uint64_t taken;        /* trials handed over */
	int beyond;            /* pellets that nobody can reach */
};

/* How many trials t asks for, known ones included. */
uint64_t pb_trials_count(const struct pb_trials *t);

/* Play. */
struct pb_trials_end pb_trials_run(const struct pb_trials *t);

/* Sums over games. */
struct pb_notes {
	long games;
	struct pb_heat heat;
};
