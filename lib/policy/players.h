/* players.h - the players of each rule set, and what they have in common. */
#pragma once

#include "game/pacmanbot/arena.h"
#include "game/score.h"
#include "game/zumy/zumy.h"
#include "pb/player.h"
#include "pb/rng.h"

/* All of them, in the order of --list, NULL-ended. */
extern const struct pb_player *const pb_pacmanbot_players[];
extern const struct pb_player *const pb_pacbot_players[];
extern const struct pb_player *const pb_roomba_players[];
extern const struct pb_player *const pb_zumy_players[];

extern const struct pb_player pb_roomba_flee;
extern const struct pb_player pb_bot_dqn;

/* The first direction of a set (bit d: direction d), PB_STAY if it is empty. */
static inline enum pb_dir
pb_lowest_dir(unsigned ways)
{
	int d = 0;

	while (d < PB_STAY && !(ways >> d & 1))
		d++;
	return (enum pb_dir)d;
}

/* A random direction of a set, PB_STAY if it is empty. */
static inline enum pb_dir
pb_random_dir(unsigned ways, struct pb_rng *r)
{
	int d = PB_STAY;

	while (ways != 0 && !(ways >> d & 1))
		d = (int)pb_rng_below(r, 4);
	return (enum pb_dir)d;
}

/*
 * Parts of the player astar: remove the patrols' cells from `open`, and those
 * before each up to the first closed one; plan on the rest, with the path in
 * *way if there is one.
 */
void pb_zumy_block_views(
    const struct pb_zumy_view *v, struct pb_zumy_set *open);
enum pb_dir pb_zumy_astar_plan(
    const struct pb_zumy_view *v, struct pb_zumy_path *way);

extern const struct pb_player pb_zumy_astar, pb_zumy_sneak;

extern const struct pb_player pb_player_seed;
extern const struct pb_player pb_player_nearest;
extern const struct pb_player pb_player_safe;
extern const struct pb_player pb_player_oracle;
