/* maze.h - a board of cells: storage, the standard grids, the grid rules. */
#ifndef PB_MAP_MAZE_H
#define PB_MAP_MAZE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "map/map.h"

/*
 * A maze is a rectangle of cells, (row, col), row 0 at the top as people draw
 * it and as the competition counts. It is a value: copy it by assignment.
 * Beyond its edge everything is wall.
 */
#define PB_MAZE_SIDE 64 /* the longest side (cells) */

/* What a cell holds at the start of a game. */
enum {
	PB_MAZE_WALL = '#',
	PB_MAZE_PELLET = '.',
	PB_MAZE_POWER = 'o',
	PB_MAZE_EMPTY = ' '
};

/* A side of 3.5 inches: one cell of the competition's arena (m). */
#define PB_MAZE_CELL 0.0889

/* Directions in the order of the competition: up, left, down, right. */
enum pb_dir { PB_UP, PB_LEFT, PB_DOWN, PB_RIGHT, PB_STAY };

struct pb_maze_place {
	int row, col;
	enum pb_dir dir;
};

struct pb_maze {
	char name[32];
	int rows, cols; /* 1..PB_MAZE_SIDE */
	char cell[PB_MAZE_SIDE][PB_MAZE_SIDE];
	struct pb_maze_place start; /* of Pac-Man; row -1 if there is none */
	struct pb_maze_place ghost[4];
	int ghosts; /* how many of ghost[] are set, 0..4 */
};

/* Whether (row, col) is a cell to walk on; false outside. */
bool pb_maze_open(const struct pb_maze *z, int row, int col);

/* Number of cells to walk on. */
int pb_maze_open_cells(const struct pb_maze *z);

/*
 * The standard grid of that name: pacman (the official board, 31 x 28, with
 * its 244 pellets), or one of the 32 x 32 test grids of a competing team:
 * playground, outer, blank, open.
 *
 * Returns  PB_OK, or PB_ENOENT and z untouched
 */
enum pb_status pb_maze_standard(const char *name, struct pb_maze *z);

/* Names of the standard grids, ending with NULL; static storage. */
const char *const *pb_maze_names(void);

/* A broken rule and where: row or col is -1 where the rule names no cell. */
struct pb_maze_fault {
	int rule; /* 1..8 as below */
	int row, col;
};

/*
 * Check the rules that a grid must keep so that four range sensors can tell
 * where a robot is. In this order; the first failure is reported:
 *
 *	1 to 4  the left, right, top and bottom edges are all walls
 *	5       no 2 x 2 square of cells to walk on
 *	6       at least one cell to walk on
 *	7, 8    no inner wall with cells to walk on both above and below, or
 *	        both to the left and right: inner walls are two cells thick
 *
 * Returns  true if z keeps them all; else false and the fault
 */
bool pb_maze_rules(const struct pb_maze *z, struct pb_maze_fault *fault);

/*
 * What rule was broken, without the cell: static storage. Rules 5, 7 and 8
 * end so that " (row, col)" may follow.
 */
const char *pb_maze_rule_text(int rule);

/*
 * z as an occupancy map of `per` x `per` map cells a maze cell: walls are
 * occupied, all else free. The maze's lower left corner is at the origin.
 *
 * Given    size  side of a maze cell (m), > 0
 *          per   map cells along that side, >= 1
 * Returns  PB_OK and a map for pb_map_clear, or a status of pb_map_init
 */
enum pb_status pb_maze_to_map(
    const struct pb_maze *z, double size, int per, struct pb_map *m);

#endif
