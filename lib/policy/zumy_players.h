/* zumy_players.h - parts of a player of the Zumy game. */
#pragma once

#include "game/zumy/zumy.h"

/*
 * Parts of astar: close patrols' cells, and those before each to the first that
 * is closed; plan with these closed, the way in *way if there is one.
 */
void pb_zumy_block_views(
    const struct pb_zumy_view *v, struct pb_zumy_set *open);
enum pb_dir pb_zumy_astar_plan(
    const struct pb_zumy_view *v, struct pb_zumy_path *way);

extern const struct pb_player pb_zumy_astar, pb_zumy_sneak, pb_zumy_oracle;
