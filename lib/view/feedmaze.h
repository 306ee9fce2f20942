/* feedmaze.h - the records of grid games for a scene. */
#ifndef PB_VIEW_FEEDMAZE_H
#define PB_VIEW_FEEDMAZE_H

#include "view/scene_builder.h"

/* The board: walls as a map, pellets, where bodies begin. */
bool pb_scene_build_maze(
    struct pb_scene_builder *f, const struct pb_maze *z, struct pb_bad *bad);

/* The state after a step: bodies, and the pellet that the player is on. */
void pb_scene_build_tick(
    struct pb_scene_builder *f, const struct pb_seen *k);

#endif
