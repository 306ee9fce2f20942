/* board_stage.h - a game on a board of cells for the console. */
#ifndef PB_IO_CONSOLE_BOARD_STAGE_H
#define PB_IO_CONSOLE_BOARD_STAGE_H

#include "io/console/stage.h"

/*
 * Begin a game.
 *
 * Given    o  kept
 * Returns  whether it worked, else it was said; stage is for pb_grid_free in
 *          either case
 */
bool pb_grid_new(const struct pb_stage_opts *o, struct pb_stage *stage);
void pb_grid_free(struct pb_stage *stage);

#endif
