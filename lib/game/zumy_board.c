/* zumy_board.c - boards and options of the Zumy game. */
#include "game/zumy.h"

struct pb_zumy_opts
pb_zumy_defaults(void)
{
	return (struct pb_zumy_opts){.patrols = 2,
	    .cell_time = 28,
	    .turn_time = 10,
	    .ping = 50,
	    .memory = 0.9,
	    .stare = 0.2,
	    .win = 0.8,
	    .near = 4,
	    .limit = 6000,
	    .nodes = 1000};
}

#define O(field) offsetof(struct pb_zumy_opts, field)

static const struct pb_param params[] = {
    {"patrols", "", "that play", NULL, O(patrols), PB_PARAM_COUNT, 0,
	PB_ZUMY_PATROLS},
    {"cell-time", "ticks", "to drive a cell, 10 ticks a second", NULL,
	O(cell_time), PB_PARAM_COUNT, 1, 1000},
    {"turn-time", "ticks", "for a quarter turn", NULL, O(turn_time),
	PB_PARAM_COUNT, 0, 1000},
    {"ping", "ticks", "between pings of the player's place", NULL, O(ping),
	PB_PARAM_COUNT, 1, 1000000},
    {"memory", "share", "of a patrol's belief that stays", NULL, O(memory),
	PB_PARAM_REAL, 0, 1},
    {"stare", "", "belief above which a patrol stops", NULL, O(stare),
	PB_PARAM_REAL, 0, 1},
    {"win", "", "belief above which the patrols have won", NULL, O(win),
	PB_PARAM_REAL, 0, 1},
    {"range", "cells", "of the cameras, 0: without end", NULL, O(range),
	PB_PARAM_COUNT, 0, PB_ZUMY_SIDE},
    {"start-distance", "steps", "patrols begin no nearer to the player", NULL,
	O(near), PB_PARAM_COUNT, 1, 1000},
    {"draw", "ticks", "until the game is a draw", NULL, O(limit),
	PB_PARAM_COUNT, 1, 1000000},
    {"share", "", "patrols share what they know, and spread", NULL, O(share),
	PB_PARAM_BOOL, 0, 0},
    {"wraps", "", "published slip: patrols plan around the edge", NULL,
	O(wraps), PB_PARAM_BOOL, 0, 0},
    {"stuck", "", "published slip: prices by the first step alone", NULL,
	O(stuck), PB_PARAM_BOOL, 0, 0},
    {"looks", "", "states that the player sneak may look at", NULL, O(nodes),
	PB_PARAM_COUNT, 1, 1000000},
};

const struct pb_param *
pb_zumy_params(size_t *n)
{
	*n = sizeof params / sizeof *params;
	return params;
}

const char *
pb_zumy_board_wrong(const struct pb_maze *z)
{
	int goals = 0;

	if (z->rows > PB_ZUMY_SIDE || z->cols > PB_ZUMY_SIDE)
		return "expected at most 32 x 32 cells";
	if (pb_maze_sided(z))
		return "expected no walls between cells";
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			goals += z->cell[r][c] == PB_MAZE_GOAL;
	if (goals != 1)
		return "expected one goal";
	if (pb_maze_open_cells(z) < 2)
		return "expected a cell beside the goal";
	if (z->start.row >= 0 && !pb_maze_open(z, z->start.row, z->start.col))
		return "the player's start is in a wall";
	return NULL;
}

/* The cell that is farthest from the goal and can reach it. */
static struct pb_zumy_cell
farthest(const struct pb_cells *c, struct pb_zumy_cell goal)
{
	int from = pb_cells_at(c, goal.row, goal.col), best = from;

	for (int i = 0; i < c->n; i++) {
		int d = pb_cells_dist(c, from, i);

		if (d != PB_FAR && d > pb_cells_dist(c, from, best))
			best = i;
	}
	return (struct pb_zumy_cell){c->cell[best].row, c->cell[best].col};
}

enum pb_status
pb_zumy_board_init(struct pb_zumy_board *b, const struct pb_maze *z)
{
	struct pb_zumy_board n = {.ground = {.rows = z->rows, .cols = z->cols}};
	enum pb_status st = pb_cells_init(&n.cells, z);

	if (st != PB_OK)
		return st;
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++) {
			if (pb_maze_open(z, r, c))
				pb_zumy_add(&n.ground.open, r, c);
			if (z->cell[r][c] == PB_MAZE_GOAL)
				n.ground.goal =
				    (struct pb_zumy_cell){(int8_t)r, (int8_t)c};
		}
	n.start = z->start.row >= 0
	              ? (struct pb_zumy_cell){(int8_t)z->start.row,
			    (int8_t)z->start.col}
	              : farthest(&n.cells, n.ground.goal);
	*b = n;
	return PB_OK;
}

void
pb_zumy_board_clear(struct pb_zumy_board *b)
{
	pb_cells_clear(&b->cells);
	*b = (struct pb_zumy_board){.start = {0, 0}};
}
