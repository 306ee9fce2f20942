/* mazelot.h - mazes of many kinds. */
#pragma once

#include "map/board.h"
#include "pb/maze.h"

/* Maze i of a mixed lot: the standard grids, then random ones. */
static inline void
lot(int i, struct pb_maze *z)
{
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_MAZE);

	if (i < 5) {
		pb_maze_standard(pb_maze_names()[i], z);
		return;
	}
	o.seed = (uint64_t)i;
	o.rows = 9 + i * 5 % 23;
	o.cols = 9 + i * 7 % 23;
	o.dead_ends = i % 2;
	pb_gen_board(&o, z);
}
