/* zumy_players.h - the players of the Zumy game. */
#ifndef PB_POLICY_ZUMY_PLAYERS_H
#define PB_POLICY_ZUMY_PLAYERS_H

#include "game/zumy/zumy.h"

/* All of them, in the order of --list, NULL-ended. */
extern const struct pb_player *const pb_zumy_players[];

extern const struct pb_player pb_zumy_random;
extern const struct pb_player pb_zumy_direct;
extern const struct pb_player pb_zumy_astar;
extern const struct pb_player pb_zumy_sneak;

/*
 * Parts of astar: close patrols' cells, and those before each to the first that
 * is closed; plan with these closed, the way in *way if there is one.
 */
void pb_zumy_block_views(
    const struct pb_zumy_view *v, struct pb_zumy_set *open);
enum pb_dir pb_zumy_astar_plan(
    const struct pb_zumy_view *v, struct pb_zumy_path *way);

#endif
