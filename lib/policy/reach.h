/* reach.h - where Pac-Man can go before the ghosts do, on a board of cells. */
#ifndef PB_POLICY_REACH_H
#define PB_POLICY_REACH_H

#include "pb/bot.h"

#define PB_REACH_CELLS 1024 /* cells of the largest board */

/*
 * Times are ticks from now, in straight shortest ways; PB_FAR: never. A
 * frightened ghost is harmless until it thaws, a ghost in its house until it
 * can be out. A way is safe if Pac-Man is at each of its cells before any
 * ghost could be.
 */
struct pb_reach {
	int from;                       /* Pac-Man's cell; -1: none */
	uint16_t ghost[PB_REACH_CELLS]; /* when a ghost can be there */
	uint16_t pac[PB_REACH_CELLS];   /* when Pac-Man can, safely */
	uint8_t first[PB_REACH_CELLS];  /* direction that such a way begins */
	int16_t order[PB_REACH_CELLS];  /* the cells he can reach, by time */
	int n;                          /* how many */
};

/*
 * Fill r for what v shows.
 *
 * Given    margin  ticks by which Pac-Man must be earlier, >= 0
 */
void pb_reach(struct pb_reach *r, const struct pb_bot_view *v, int margin);

/* Whether a pellet lies on cell i of the board. */
bool pb_reach_pellet(const struct pb_bot_view *v, int i);

/*
 * The direction to the reachable cell that keeps the longest lead over the
 * ghosts, PB_STAY if that is where he is.
 */
int pb_reach_flee(const struct pb_reach *r);

#endif
