/* patrol.h - a patrol of the Zumy game: camera, map, goal, path. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/maze.h"

/*
 * A patrol starts with an empty map and learns the cells around it as it
 * drives. It drives to the player's last known place, from a ping or its own
 * camera; while it does not know that cell, it explores on the way. Cells are
 * (row, col), row 0 on top; facts are from Andrus, Fan, Ma and Politzer, "Zumy
 * Patrol" (2016).
 */
#define PB_ZUMY_SIDE 32 /* longest side of a board (cells) */

struct pb_zumy_cell {
	int8_t row, col;
};

static inline bool
pb_zumy_same(struct pb_zumy_cell a, struct pb_zumy_cell b)
{
	return a.row == b.row && a.col == b.col;
}

static inline struct pb_zumy_cell
pb_zumy_beside(struct pb_zumy_cell c, enum pb_dir d)
{
	return (struct pb_zumy_cell){
	    (int8_t)(c.row + pb_dir_row[d]), (int8_t)(c.col + pb_dir_col[d])};
}

/* A set of cells: bit col of a row. */
struct pb_zumy_set {
	uint32_t row[PB_ZUMY_SIDE];
};

static inline bool
pb_zumy_has(const struct pb_zumy_set *s, int row, int col)
{
	return row >= 0 && row < PB_ZUMY_SIDE && col >= 0 &&
	       col < PB_ZUMY_SIDE && s->row[row] >> col & 1;
}

/* The board, common to all robots. */
struct pb_zumy_ground {
	int rows, cols;
	struct pb_zumy_set open;  /* cells to drive on, the goal among them */
	struct pb_zumy_cell goal; /* of the player */
};

/* The map of one patrol. */
struct pb_patrol_map {
	struct pb_zumy_set known; /* cells that it has seen */
	struct pb_zumy_cell last; /* known place of the player */
};

/* Set the player's last known place. */
void pb_patrol_set_player(struct pb_patrol_map *m, struct pb_zumy_cell player);

/*
 * The cell of a board of rows x cols that contains the point (x, y), given in
 * cells from the centre of the bottom left one; halves round away from 0.
 *
 * Returns  whether the published code accepts it: on the board, and not the
 *          bottom left
 */
bool pb_zumy_cell_read(
    double x, double y, int rows, int cols, struct pb_zumy_cell *c);

/*
 * The direction nearest to heading th (rad). unwrapped: as published, where
 * headings do not wrap: 0 and 360 degrees differ, and from 225 degrees on all
 * is down.
 */
enum pb_dir pb_zumy_facing(double th, bool unwrapped);

/* Whether a ping is due at time `now`; if so, the next is due after `every`. */
bool pb_patrol_due(double *next, double now, double every);

void pb_zumy_add(struct pb_zumy_set *s, int row, int col);
int pb_zumy_manhattan(struct pb_zumy_cell a, struct pb_zumy_cell b);

/* Learn the 3 x 3 cells about c, through walls. */
void pb_patrol_reveal(struct pb_patrol_map *m, const struct pb_zumy_ground *g,
    struct pb_zumy_cell c);

/*
 * Whether `what` lies straight ahead of a robot at c that looks to d, with no
 * obstacle between.
 *
 * Given    range  how far it sees (cells), 0: without end
 */
bool pb_patrol_sees(const struct pb_zumy_ground *g, struct pb_zumy_cell c,
    enum pb_dir d, struct pb_zumy_cell what, int range);

/*
 * The goal of the patrol at `at`: the player's last known place if it knows
 * that cell to be free; else the known free cell, neither its own nor one of
 * the n others', with the least distance to that place minus a tenth for each
 * unknown cell around it; of equals the first from the left, then from the
 * bottom; its own cell if there is none.
 */
struct pb_zumy_cell pb_patrol_goal(const struct pb_patrol_map *m,
    const struct pb_zumy_ground *g, struct pb_zumy_cell at,
    const struct pb_zumy_cell *other, int n);

/*
 * A* over the cells of `open` with the Manhattan distance as heuristic, in the
 * order of the published code: up, down, right, left; a cell is taken up again
 * only with a lower estimate, and equal estimates leave in the order in which
 * they came.
 */
struct pb_zumy_search {
	const struct pb_zumy_ground *ground;
	const struct pb_zumy_set *open;
	const struct pb_zumy_cell *near; /* patrols that cost, NULL: none */
	int n; /* how many; a step costs 1 + 1/(10 d) for each of them, or
	          1 without near */
	bool start_prices; /* as published: each step is priced as if it were
	                      made from the start, and infinite if that step
	                      is blocked there */
	bool wraps; /* another: cells left of and below the board are those of
	               its other side, and beyond these the program ends */
};

/* Most cells of a path, the copies of `wraps` included. */
#define PB_ZUMY_WAY (4 * PB_ZUMY_SIDE * PB_ZUMY_SIDE)

struct pb_zumy_path {
	int n;      /* cells, the start and the end among them; 0: no way */
	bool ended; /* the program has: it looked too far beyond the edge */
	struct pb_zumy_cell cell[PB_ZUMY_WAY];
};

/* The path's cost g plus a step in direction d. */
double pb_zumy_price(const struct pb_zumy_search *s, struct pb_zumy_cell from,
    struct pb_zumy_cell at, enum pb_dir d, double g);

/* Find the path; p->cell may be off the board with `wraps`. No path without
 * memory. */
void pb_zumy_find(const struct pb_zumy_search *s, struct pb_zumy_cell from,
    struct pb_zumy_cell to, struct pb_zumy_path *p);

/* The direction of the first step of p; PB_STAY if it has none. */
enum pb_dir pb_zumy_first(const struct pb_zumy_path *p);

/*
 * The first step of the path from `from` to `to`, priced as intended.
 *
 * Returns  a direction; PB_STAY if they are equal or there is no path
 */
enum pb_dir pb_zumy_way(const struct pb_zumy_search *s,
    struct pb_zumy_cell from, struct pb_zumy_cell to);
