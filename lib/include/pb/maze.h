/*
 * maze.h - boards of cells: storage, standard boards, rules, distances,
 * rays.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/decls.h"
#include "pb/map.h"
#include "pb/status.h"

PB_BEGIN_DECLS

/*
 * A maze is a rectangle of cells, (row, col), row 0 at the top as people draw
 * it and as the competition counts. It is a value: copy it by assignment.
 * Beyond its edge everything is wall. What stops a robot is a wall cell, or a
 * wall on the side between two cells; either board may have both.
 */
#define PB_MAZE_SIDE 64 /* the longest side (cells) */

/* What a cell holds at the start of a game. */
enum {
	PB_MAZE_WALL = '#',
	PB_MAZE_PELLET = '.',
	PB_MAZE_POWER = 'o',
	PB_MAZE_EMPTY = ' ',
	PB_MAZE_GOAL = 'G' /* that the player of zumy wants to reach */
};

/* A side of 3.5 inches: one cell of the competition's arena (m). */
#define PB_MAZE_CELL 0.0889

/* Directions in the order of the competition: up, left, down, right. */
enum pb_dir { PB_UP, PB_LEFT, PB_DOWN, PB_RIGHT, PB_STAY };

/* Rows and columns that a step in a direction adds; PB_STAY adds none. */
extern const signed char pb_dir_row[5];
extern const signed char pb_dir_col[5];

struct pb_maze_place {
	int row, col;
	enum pb_dir dir;
};

struct pb_maze {
	char name[32];
	int rows, cols; /* 1..PB_MAZE_SIDE */
	double pitch;   /* side of a cell (m), 0: PB_MAZE_CELL */
	char cell[PB_MAZE_SIDE][PB_MAZE_SIDE];
	/* Bit d: a wall on that side, between two cells to walk on; so has
	   the neighbour. See pb_maze_side */
	unsigned char side[PB_MAZE_SIDE][PB_MAZE_SIDE];
	struct pb_maze_place start;    /* Pac-Man's start; row -1: none */
	struct pb_maze_place ghost[4]; /* where ghosts begin */
	int ghosts;                    /* how many of ghost[] are set, 0..4 */
	struct pb_maze_place home[4]; /* where ghosts wander when they search */
	int homes;                    /* how many of home[] are set, 0..4 */
};

/* Whether (row, col) is a cell to walk on; false outside. */
bool pb_maze_open(const struct pb_maze *z, int row, int col);

/*
 * Whether a robot at (row, col) may step in direction d: both are cells to
 * walk on and no wall is between.
 */
bool pb_maze_pass(const struct pb_maze *z, int row, int col, enum pb_dir d);

/* Set or remove the wall on side d of the cell at (row, col), which is inside,
 * and that of its neighbour. Call pb_maze_tidy once all cells are set. */
void pb_maze_side(
    struct pb_maze *z, int row, int col, enum pb_dir d, bool wall);

/* Forget walls that are not between two cells to walk on. */
void pb_maze_tidy(struct pb_maze *z);

/*
 * Cells that can be reached from (row, col), which is one to walk on, breadth
 * first: row * PB_MAZE_SIDE + col of each, (row, col) itself first.
 *
 * Given    seen  cells not to go to again; those reached are marked
 * Returns  how many there are
 */
int pb_maze_reach(const struct pb_maze *z, int row, int col,
    bool seen[PB_MAZE_SIDE][PB_MAZE_SIDE],
    short order[PB_MAZE_SIDE * PB_MAZE_SIDE]);

/* Whether any two cells to walk on have a wall between. */
bool pb_maze_sided(const struct pb_maze *z);

/* Side of a cell of z (m). */
double pb_maze_pitch(const struct pb_maze *z);

/* The centre of a cell (m), looking in direction d, or, if that is PB_STAY, as
 * th says (rad). */
struct pb_pose pb_maze_pose(
    const struct pb_maze *z, int row, int col, enum pb_dir d, double th);

/*
 * 64-bit hash of everything that decides a game on z: size, cells, walls,
 * places; not the name. The same on every machine.
 */
uint64_t pb_maze_hash(const struct pb_maze *z);

/* Number of cells to walk on. */
int pb_maze_open_cells(const struct pb_maze *z);

/*
 * The standard board of that name: pacman (the official board, 31 x 28, with
 * its 244 pellets), one of the 32 x 32 test grids of a competing team
 * (playground, outer, blank, open), roomba (11 x 10 with walls between cells)
 * or zumy (7 x 10 with a goal).
 *
 * Returns  PB_OK, or PB_ENOENT and z untouched
 */
enum pb_status pb_maze_standard(const char *name, struct pb_maze *z);

/* Names of the standard boards, ending with NULL; static storage. */
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

/* Map cells along a cell of a board with walls between cells, by default. */
#define PB_MAZE_PER 8

/*
 * z as an occupancy map of `per` x `per` map cells a maze cell: walls are
 * occupied, all else free. The maze's lower left corner is at the origin. A
 * wall between cells takes the outermost map cells on both its sides.
 *
 * Given    size  side of a maze cell (m); 0: as z says
 *          per   map cells along that side, >= 3 if there are walls between
 *                cells, else >= 1; 0: PB_MAZE_PER or 1
 * Returns  PB_OK and a map for pb_map_clear, or a status of pb_map_init
 */
enum pb_status pb_maze_to_map(
    const struct pb_maze *z, double size, int per, struct pb_map *m);

/*
 * The walls of an arena are eroded by half a cell: there is wall in the square
 * between four centres of cells if all four cells are walls, and only there.
 * This makes an occupancy map of those squares, in the frame of
 * pb_maze_to_map(): x right, y up, the lower left corner of the board at the
 * origin. Its outer squares stand out of the board by half a cell.
 *
 * Given    cell  side of a cell (m), > 0
 * Returns  PB_OK and a map for pb_map_clear, one square a cell of it, walls
 *          occupied and all else free, named after z; or a status of
 *          pb_map_init
 * Note     walls one cell thick have no squares: no ray meets them
 */
enum pb_status pb_maze_solid(
    const struct pb_maze *z, double cell, struct pb_map *m);

/*
 * Map cells along a cell of pb_maze_walled(): of corridors of 0.43 m remain
 * 0.376 m, so that a body of 0.34 m, as wide as a Roomba, is not in the walls.
 */
#define PB_MAZE_WALLED 16

/*
 * A board whose robots are smaller than its cells, as roomba's and zumy's: the
 * map that pb_maze_to_map() makes with cells of z's own size and
 * PB_MAZE_WALLED, in the same frame, and about it a wall one map cell thick.
 * Walls between cells are an eighth of a cell thick.
 *
 * Returns  PB_OK and a map for pb_map_clear, or a status of pb_map_init
 */
enum pb_status pb_maze_walled(const struct pb_maze *z, struct pb_map *m);

/*
 * Tables of a maze for games and localizers. Read-only after pb_cells_init:
 * threads may share them.
 *
 * Open cells are numbered row by row from the top left. Directions are enum
 * pb_dir: up is row - 1, left is col - 1.
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
	uint8_t *first; /* n * n: bit d: a shortest path may begin with d */
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
static inline int
pb_cells_at(const struct pb_cells *c, int row, int col)
{
	if ((unsigned)row >= (unsigned)c->rows ||
	    (unsigned)col >= (unsigned)c->cols)
		return -1;
	return c->at[row + 1][col + 1];
}

/* Steps from cell i to cell j on a shortest path, PB_FAR if none. */
static inline int
pb_cells_dist(const struct pb_cells *c, int i, int j)
{
	return c->dist[(size_t)i * (size_t)c->n + (size_t)j];
}

/* Set of directions in which a shortest path from i to j may begin. */
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

PB_END_DECLS
