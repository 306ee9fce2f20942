/* maze_solid.c - the walls of a maze as they stand. */
#include "map/maze_solid.h"

#include <string.h>

/* The square whose lower right corner is the centre of cell (row, col). */
static bool
solid(const struct pb_maze *z, int row, int col)
{
	return !pb_maze_open(z, row, col) && !pb_maze_open(z, row - 1, col) &&
	       !pb_maze_open(z, row, col - 1) &&
	       !pb_maze_open(z, row - 1, col - 1);
}

enum pb_status
pb_maze_solid(const struct pb_maze *z, double cell, struct pb_map *m)
{
	enum pb_status s = pb_map_init(m, z->cols + 1, z->rows + 1, cell,
	    (struct pb_pose){-cell / 2, -cell / 2, 0});

	if (s != PB_OK)
		return s;
	for (int row = 0; row <= z->rows; row++)
		for (int col = 0; col <= z->cols; col++) {
			struct pb_cell c = {col, z->rows - row};

			m->cell[pb_map_index(m, c)] =
			    solid(z, row, col) ? 100 : 0;
		}
	memcpy(m->name, z->name, sizeof(z->name));
	return PB_OK;
}

enum pb_status
pb_maze_walled(const struct pb_maze *z, struct pb_map *m)
{
	struct pb_map in;
	double side = pb_maze_pitch(z) / PB_MAZE_WALLED;
	enum pb_status s = pb_maze_to_map(z, 0, PB_MAZE_WALLED, &in);

	if (s != PB_OK)
		return s;
	s = pb_map_init(m, in.width + 2, in.height + 2, side,
	    (struct pb_pose){-side, -side, 0});
	if (s == PB_OK) {
		memset(m->cell, 100, pb_map_cells(m));
		for (int row = 0; row < in.height; row++)
			for (int col = 0; col < in.width; col++)
				m->cell[pb_map_index(
				    m, (struct pb_cell){col + 1, row + 1})] =
				    pb_map_at(&in, (struct pb_cell){col, row});
		memcpy(m->name, z->name, sizeof(z->name));
	}
	pb_map_clear(&in);
	return s;
}
