/* zumy_players.h - parts of a player of the Zumy game. */
#ifndef PB_POLICY_ZUMY_PLAYERS_H
#define PB_POLICY_ZUMY_PLAYERS_H

#include "game/zumy/zumy.h"

/*
 * Parts of astar: close patrols' cells, and those before each to the first that
 * is closed; plan with these closed, the way in *way if there is one.
 */
void pb_zumy_block_views(
    const struct pb_zumy_view *v, struct pb_zumy_set *open);
enum pb_dir pb_zumy_astar_plan(
    const struct pb_zumy_view *v, struct pb_zumy_path *way);

/*
 * Parts of players that play on in thought: what a state is worth, lower is
 * better: steps to the goal and what the patrols believe to see; most if he was
 * seen. And its key: states of one key have nearly the same future. They differ
 * by less than `grain` ticks of what is left of moves, and 1/belief of beliefs.
 */
double pb_zumy_worth(const struct pb_zumy *s);
uint64_t pb_zumy_key(const struct pb_zumy *s, int grain, int belief);

extern const struct pb_player pb_zumy_astar, pb_zumy_oracle;

#endif
