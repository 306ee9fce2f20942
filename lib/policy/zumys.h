/* zumys.h - the players of the Zumy game, by name. */
#ifndef PB_POLICY_ZUMYS_H
#define PB_POLICY_ZUMYS_H

#include "game/zumy/zumy.h"

extern const struct pb_zumy_player pb_zumy_random;
extern const struct pb_zumy_player pb_zumy_direct;
extern const struct pb_zumy_player pb_zumy_astar;
extern const struct pb_zumy_player pb_zumy_sneak;

/* Player i (0..), NULL past the last; the one called name, NULL if none. */
const struct pb_zumy_player *pb_zumy_player_at(int i);
const struct pb_zumy_player *pb_zumy_player_find(const char *name);

/*
 * Parts of astar: close patrols' cells, and those before each to the first that
 * is closed; plan with these closed, the way in *way if there is one.
 */
void pb_zumy_block_views(
    const struct pb_zumy_view *v, struct pb_zumy_set *open);
enum pb_dir pb_zumy_astar_plan(
    const struct pb_zumy_view *v, struct pb_zumy_path *way);

/* A block of so many bytes is enough for any of them. */
size_t pb_zumy_player_memory(void);

#endif
