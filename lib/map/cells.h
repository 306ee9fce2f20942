/* cells.h - the cells to walk on in a maze: numbers, distances, rays. */
#ifndef PB_MAP_CELLS_H
#define PB_MAP_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include "map/maze.h"

/*
 * Everything about a maze that games and localizers look up again and again,
 * worked out once. Read only after pb_cells_init: threads may share it.
 *
 * Cells to walk on are numbered row by row from the top left. Directions are
 * enum pb_dir: up is row - 1, left is col - 1.
 */
#define PB_FAR UINT16_MAX /* no way */

struct pb_cells {
	int n;                                          /* cells to walk on */
	int rows, cols;                                 /* of the maze */
	int16_t at[PB_MAZE_SIDE + 2][PB_MAZE_SIDE + 2]; /* see pb_cells_at */
	struct pb_cell_at {
		int8_t row, col;
		uint8_t exits;   /* bit d: may step in direction d */
		uint8_t wall[4]; /* steps to the first wall in direction d; one
		                    on this side of the cell is one step away */
		int16_t to[4];   /* the neighbour's number, -1 at a wall */
	} * cell;                /* n of them */
	uint16_t *dist;          /* n * n steps, PB_FAR if there is no way */
	uint8_t *first; /* n * n: bit d: a shortest way may begin with d */
	int16_t *near; /* n * n: all cells by distance from each, nearest first;
	                  -1 after the last that can be reached */
};

/*
 * Number the cells of z and fill the tables by a breadth-first search from
 * each: linear in the size of the tables.
 *
 * Returns  PB_OK and c for pb_cells_clear; PB_ENOFREE (all is wall) or
 *          PB_ENOMEM and c untouched
 */
enum pb_status pb_cells_init(struct pb_cells *c, const struct pb_maze *z);

/* Free what c owns and zero it. A zeroed struct is fine. */
void pb_cells_clear(struct pb_cells *c);

/* Number of the cell at (row, col), any values; -1 for walls and outside. */
int pb_cells_at(const struct pb_cells *c, int row, int col);

/* Steps from cell i to cell j along a shortest way, PB_FAR if none. */
static inline int
pb_cells_dist(const struct pb_cells *c, int i, int j)
{
	return c->dist[(size_t)i * (size_t)c->n + (size_t)j];
}

/* Set of directions in which a shortest way from i to j may begin. */
unsigned pb_cells_first(const struct pb_cells *c, int i, int j);

/*
 * The other frame in use for the same grid: x is the row and y the column, in
 * cells, angle 0 along +x and counter-clockwise; centres are at integers. The
 * walls are eroded by half a cell: the face of a wall lies at the coordinate
 * of its centre line, so that from the centre of a cell the face is as many
 * cells away as there are steps to the wall cell.
 */
struct pb_vec pb_cells_xy(int row, int col);

/*
 * Cell whose centre is nearest to v in that frame; halves go up. If v is not
 * finite, or beyond all cells that an int can number, it is outside of any
 * maze.
 */
void pb_cells_of_xy(struct pb_vec v, int *row, int *col);

/*
 * The pose of that frame, in cells of side 1, in the frame of the same maze as
 * a map (pb_maze_to_map): x right, y up, its lower left corner at the origin.
 * Lengths of both are metres once multiplied by the side of a cell.
 */
struct pb_pose pb_maze_frame(int rows);

/*
 * Distance from v to the face of the first wall along direction d, in that
 * frame and unit.
 *
 * Given    v  a point; in a corridor or in the eroded half of its walls
 *          c  of a maze without walls between cells
 * Returns  distance (cells) >= 0; 0 if v is inside a wall
 */
double pb_cells_ray(const struct pb_cells *c, struct pb_vec v, int d);

#endif
