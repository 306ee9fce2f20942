/* rulesrun.h - a trial of a rule set on its own board, and a pinned hash. */
#pragma once

#include "base/hash.h"
#include "check.h"
#include "pb/games.h"

/* Trial `trial` of seed 1 by `player` on the board called like the rules. */
static inline struct pb_trial
play_rules(
    const char *name, const void *opts, const char *player, uint64_t trial)
{
	const struct pb_rules *rules = pb_rules_find(name);
	int p = pb_rules_player(rules, player);
	struct pb_trial r = {.seed = 1, .trial = trial};
	struct pb_maze z;
	const struct pb_ground g = {.maze = &z};
	void *world, *state;
	struct pb_refusal no;

	pb_maze_standard(name, &z);
	check_int(pb_game_prepare(rules->game, &g, opts, &world, &no), PB_OK);
	check_int(pb_game_open(
		      rules->game, &state, world, opts, rules->player[p], NULL),
	    PB_OK);
	pb_game_play(rules->game, state, &r, NULL);
	pb_game_close(rules->game, state);
	pb_game_discard(rules->game, world);
	return r;
}

/* The same bytes from every compiler: the hash of trials 0 to n - 1 of all
   players is pinned. */
static inline void
check_games(const char *name, const void *opts, uint64_t n, uint64_t pinned)
{
	const struct pb_rules *rules = pb_rules_find(name);
	uint64_t h = PB_HASH_START;

	for (uint64_t t = 0; t < n; t++)
		for (int i = 0; rules->player[i]; i++)
			h = pb_hash_u64(
			    h, play_rules(name, opts, rules->player[i]->name, t)
				   .hash);
	if (h != pinned)
		printf("# hash 0x%016llx\n", (unsigned long long)h);
	check(h == pinned);
}
