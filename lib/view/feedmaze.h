/* feedmaze.h - the records of grid games for a scene. */
#ifndef PB_VIEW_FEEDMAZE_H
#define PB_VIEW_FEEDMAZE_H

#include "view/feed.h"

/* The board: walls as a map, pellets, where bodies begin. */
bool pb_feed_maze(
    struct pb_feed *f, const struct pb_maze *z, struct pb_bad *bad);

/* The state after a step: bodies, and the pellet that the player is on. */
void pb_feed_tick(struct pb_feed *f, const struct pb_rec_tick *k);

#endif
