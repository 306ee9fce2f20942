/* rulesrun.h - a trial of a rule set on its own board, and a pinned hash. */
#ifndef PB_TESTS_RULESRUN_H
#define PB_TESTS_RULESRUN_H

#include "base/hash.h"
#include "check.h"
#include "policy/rules.h"

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
	void *world, *seat;
	const char *why;

	pb_maze_standard(name, &z);
	check_int(rules->world(&world, &g, opts, &why), PB_OK);
	check_int(rules->seat(&seat, world, opts, p, 1, NULL), PB_OK);
	rules->play(seat, &r);
	rules->seat_free(seat);
	rules->world_free(world);
	return r;
}

/* The same bytes from every compiler: the hash of trials 0 to n - 1 of all
   players is pinned. */
static inline void
check_games(const char *name, const void *opts, uint64_t n, uint64_t pinned)
{
	const struct pb_rules *rules = pb_rules_find(name);
	const char *player, *about;
	uint64_t h = PB_HASH_START;

	for (uint64_t t = 0; t < n; t++)
		for (int i = 0; (player = rules->player(i, &about)); i++)
			h = pb_hash_u64(
			    h, play_rules(name, opts, player, t).hash);
	if (h != pinned)
		printf("# hash 0x%016llx\n", (unsigned long long)h);
	check(h == pinned);
}

#endif
