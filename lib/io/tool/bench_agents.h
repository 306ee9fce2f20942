/* bench_agents.h - outside programs among the players of a benchmark. */
#pragma once

#include <stdbool.h>

#include "io/opt/opt.h"
#include "io/opt/rules_opts.h"
#include "io/play/agent.h"
#include "pb/games.h"

#define PB_BENCH_AGENTS 32
#define PB_BENCH_NAMES  512 /* bytes of players' names with commas */

/*
 * A rule set whose players are its own and programs, which have the name that
 * they were given; other bodies may be programs, too, whoever plays.
 */
struct pb_bench_cast {
	struct pb_rules rules; /* its game is NULL: not made yet */
	const struct pb_player *row[PB_OPT_PLAYERS + PB_BENCH_AGENTS + 1];
	struct pb_player own[PB_BENCH_AGENTS];
	struct pb_outside outside[PB_BENCH_AGENTS];
	struct pb_outside others; /* without anybody who plays */
	bool has_others;
	int n; /* that play */
};

struct pb_bench_agents {
	struct pb_opt_list given;
	double patience; /* for an answer (s) */
	char name[PB_BENCH_AGENTS][PB_TRIAL_NAME];
	struct pb_bench_cast cast[PB_RULES];
};

/*
 * Rule set number `number` with the programs; without any, as it is.
 *
 * Returns  NULL and bad: what was given does not fit it
 */
const struct pb_rules *pb_bench_agents_rules(
    struct pb_bench_agents *a, int number, struct pb_error *bad);

/* The programs of a game of those rules that p plays; NULL: none. */
const struct pb_outside *pb_bench_agents_of(const struct pb_bench_agents *a,
    const struct pb_rules *rules, const struct pb_player *p);

/*
 * Put names (NULL: none) and the programs that are not among them into list,
 * with commas between.
 *
 * Returns  NULL and bad: there is no room
 */
const char *pb_bench_agents_join(const struct pb_bench_agents *a,
    const char *names, char *list, size_t size, struct pb_error *bad);
