/*
 * board.h - boards as texts that a person can draw; random mazes that keep the
 * grid rules, and random boards for robots.
 */
#pragma once

#include <stddef.h>

#include "pb/maze.h"

/*
 * A drawing shows walls between cells:
 *
 *	+---+---+---+
 *	| P   . | # |      P Pac-Man, . pellet, o power pellet, # no cell,
 *	+   +---+---+      G goal, B k i C where the first to fourth ghost
 *	| o   .   B |      begins (B before k before i before C)
 *	+---+---+---+
 *	name hall          lines after it, all optional
 *	cell 0.43          side of a cell (m)
 *	start 0,0,right    row,col of Pac-Man and where it looks, in place of P
 *	ghosts 1,2 0,1     the same of the ghosts, in place of B k i C
 *	homes 0,1 1,0      the same of each ghost's home
 *
 * Letters stand in empty cells and look nowhere. What lies outside is wall,
 * drawn or not; blanks at the end of a line may be missing. A grid of numbers
 * is the other form, one line a row, the first line the *bottom* row: 0 free,
 * 9 goal, any other an obstacle, mostly 1; blanks between, # begins a comment,
 * as numpy's loadtxt reads it. Its cells have a side of 0.14 m.
 */
struct pb_board_fault {
	long line;        /* 1.. */
	long column;      /* 1.., 0: the line as a whole */
	const char *text; /* what was expected, after "expected"; static */
};

/*
 * Read a drawing.
 *
 * Returns  PB_OK and z; PB_EVALUE or PB_ESIZE with f filled in and z
 *          untouched
 */
enum pb_status pb_board_parse(
    const char *p, size_t n, struct pb_maze *z, struct pb_board_fault *f);

/* The same for a grid of integers. */
enum pb_status pb_board_parse_grid(
    const char *p, size_t n, struct pb_maze *z, struct pb_board_fault *f);

/* Whether the text at p begins like a drawing. */
bool pb_board_is(const char *p, size_t n);

/* Whether the text at p is a grid: of the numbers 0, 1 and 9 alone. */
bool pb_board_is_grid(const char *p, size_t n);

/* Letters of the ghosts, first to fourth. */
#define PB_BOARD_GHOSTS "BkiC"

/* Longest line of a drawing with its NUL, and how many are of cells. */
#define PB_BOARD_LINE     (4 * PB_MAZE_SIDE + 2)
#define PB_BOARD_LINES(z) (2 * (z)->rows + 1)

/* A copy of z with only the places that letters can show: where a letter would
 * hide a cell's content, the start or all ghosts are left out. */
struct pb_maze pb_board_drawn(const struct pb_maze *z);

/* Names of an enum pb_dir. */
extern const char *const pb_board_dir[5];

/* Line i, 0..PB_BOARD_LINES(z) - 1, of the drawing of z, without its end. */
void pb_board_line(const struct pb_maze *z, int i, char out[PB_BOARD_LINE]);

/*
 * Take line i of a drawing; lines come in order, from 0 on. The first of n
 * bytes sets z->cols, so z is zeroed before. See pb_board_end.
 */
enum pb_status pb_board_add_line(struct pb_maze *z, long i, const char *s,
    size_t n, struct pb_board_fault *f);

/* After the last line of the cells: check that all is there. */
enum pb_status pb_board_end(struct pb_maze *z, struct pb_board_fault *f);

/*
 * Random boards. A maze has corridors one cell wide; all cells to walk on are
 * connected and pb_maze_rules() holds. Where it is so small that its corridors
 * form no loop, it has dead ends whatever dead_ends says. Every cell holds a
 * pellet, but the start; the power pellets lie towards the corners. Pac-Man
 * starts low in the middle, the ghosts high in the middle.
 *
 * On a roomba board every cell can be reached from every other, walls are
 * between cells. A pellet in every cell but where robots begin: Pac-Man low in
 * the middle, four ghosts in four cells about the middle; power pellets and
 * the ghosts' homes in the corners.
 *
 * A zumy board has obstacles, all other cells connected, a goal that is far
 * from something. As many obstacles as keep it connected, at most the share
 * asked.
 */
enum pb_board_kind {
	PB_BOARD_MAZE,
	PB_BOARD_ROOMBA,
	PB_BOARD_ZUMY,
	PB_BOARD_KINDS
};

#define PB_MAZE_RULE_MIN  5  /* least side of a maze with an open cell */
#define PB_BOARD_SIDE_MIN 3  /* the same of other boards (cells) */
#define PB_BOARD_SIDE_MAX 32 /* longest: what the games on them can hold */
#define PB_MAZE_POWER_MAX 16

struct pb_board_opts {
	enum pb_board_kind kind;
	/* PB_MAZE_RULE_MIN..PB_MAZE_SIDE of a maze, of other boards
	 * PB_BOARD_SIDE_MIN..PB_BOARD_SIDE_MAX (cells) */
	int rows, cols;
	uint64_t seed;
	double loops;     /* probability of a passage beyond those needed */
	bool dead_ends;   /* leave dead ends; by default there are none */
	bool mirror;      /* maze: the right half mirrors the left */
	int power;        /* power pellets, 0..PB_MAZE_POWER_MAX; of a roomba
	                     board 0..4 */
	double obstacles; /* zumy: share of the cells, 0..0.6 */
};

/* The size of a standard board of that kind, seed 1, four power pellets, no
 * dead ends. */
struct pb_board_opts pb_board_defaults(enum pb_board_kind kind);

/* The name of the first option that is wrong, NULL if none is. */
const char *pb_board_opts_wrong(const struct pb_board_opts *o);

/*
 * Make a random board.
 *
 * Returns  PB_OK, or PB_EVALUE and z untouched
 */
enum pb_status pb_gen_board(const struct pb_board_opts *o, struct pb_maze *z);
