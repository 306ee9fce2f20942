/*
 * gen_maze.h - random mazes that keep the grid rules, and random boards for
 * robots.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/status.h"

struct pb_maze;

#define PB_MAZE_RULE_MIN 5 /* least side that has a way inside (cells) */

struct pb_maze_opts {
	int rows, cols; /* PB_MAZE_RULE_MIN..PB_MAZE_SIDE (cells) */
	uint64_t seed;
	double loops;   /* chance of a corridor beyond those needed, 0..1 */
	bool dead_ends; /* leave dead ends; by default there are none */
	bool mirror;    /* the right half mirrors the left, as in the arcade */
	int power;      /* power pellets, 0..PB_MAZE_POWER_MAX */
};

#define PB_MAZE_POWER_MAX 16

/* 31 x 28 cells, seed 1, mirrored, no dead ends, four power pellets. */
struct pb_maze_opts pb_maze_defaults(void);

/* The name of the first option that is wrong, NULL if none is. */
const char *pb_maze_opts_wrong(const struct pb_maze_opts *o);

/*
 * Make a maze of corridors one cell wide. All cells to walk on are connected
 * and pb_maze_rules() holds. Where a board is so small that its corridors
 * form no loop, it has dead ends whatever dead_ends says. Every cell holds a
 * pellet, but the start; the power pellets lie towards the corners. Pac-Man
 * starts low in the middle, the ghosts high in the middle.
 *
 * Returns  PB_OK, or PB_EVALUE and z untouched
 */
enum pb_status pb_gen_maze(const struct pb_maze_opts *o, struct pb_maze *z);

/* Pellets in the cells from (r0, c0) to (r1, c1), both included. */
void pb_maze_dig(struct pb_maze *z, int r0, int c0, int r1, int c1);

#define PB_BOARD_SIDE_MIN 3  /* least side (cells) */
#define PB_BOARD_SIDE_MAX 32 /* longest: what the games on them can hold */

struct pb_board_opts {
	int rows, cols; /* PB_BOARD_SIDE_MIN..PB_BOARD_SIDE_MAX (cells) */
	uint64_t seed;
	double loops;   /* roomba: chance that a wall is left out, 0..1 */
	bool dead_ends; /* roomba: leave dead ends; by default there are none */
	int power;      /* roomba: power pellets, 0..4 */
	double obstacles; /* zumy: share of the cells, 0..0.6 */
};

/* The sizes of the standard boards, seed 1. */
struct pb_board_opts pb_roomba_board_defaults(void);
struct pb_board_opts pb_zumy_board_defaults(void);

/* The name of the first option that is wrong, NULL if none is. */
const char *pb_board_opts_wrong(const struct pb_board_opts *o);

/*
 * A roomba board: every cell can be reached from every other, walls are
 * between cells. A pellet in every cell but where robots begin: Pac-Man low in
 * the middle, four ghosts in four cells about the middle; power pellets and
 * the ghosts' homes in the corners.
 */
enum pb_status pb_gen_roomba(const struct pb_board_opts *o, struct pb_maze *z);

/*
 * A zumy board: obstacles, all other cells connected, a goal that is far from
 * something. As many obstacles as keep it connected, at most the share asked.
 */
enum pb_status pb_gen_zumy(const struct pb_board_opts *o, struct pb_maze *z);
