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
	    .nodes = 2000,
	    .bodies = {.approach = pb_approach_defaults(1),
		.rover = {.estimate = {.sd = 0.005, .th_sd = 0.02, .keep = 0.9},
		    .slip = 0.05},
		.size = 0.1,
		.cell_noise = 0.03,
		.fade = 0.05,
		.odd = 0.15}};
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
    {"corner", "", "published slip: no robot drives to the bottom left", NULL,
	O(corner), PB_PARAM_BOOL, 0, 0},
    {"compat", "", "all published slips", NULL, O(compat), PB_PARAM_BOOL, 0, 0},
    {"looks", "", "states that the player sneak may look at", NULL, O(nodes),
	PB_PARAM_COUNT, 1, 1000000},
    {"motion", "name", "a cell in so many ticks, or bodies that turn and drive",
	"grid|drive", O(motion), PB_PARAM_CHOICE, 0, 1},
    {"robot-speed", "m/s", "of robots, forwards", NULL, O(bodies.approach.v),
	PB_PARAM_REAL, 0.01, 10},
    {"aim", "rad", "robots drive when their target is so much aside", NULL,
	O(bodies.approach.turn_until), PB_PARAM_REAL, 1e-6, PB_PI},
    {"correct", "1/s", "turn rate by error of heading on the way", NULL,
	O(bodies.approach.gain), PB_PARAM_REAL, 0, 100},
    {"arrive", "cells", "robots are there when both coordinates are so near",
	NULL, O(bodies.approach.near), PB_PARAM_REAL, 0.001, 0.5},
    {"pose-noise", "m", "standard deviation of the estimated x and y", NULL,
	O(bodies.rover.estimate.sd), PB_PARAM_REAL, 0, 10},
    {"heading-noise", "rad", "standard deviation of the estimated heading",
	NULL, O(bodies.rover.estimate.th_sd), PB_PARAM_REAL, 0, 3},
    {"pose-keep", "", "share of the error that stays from tick to tick", NULL,
	O(bodies.rover.estimate.keep), PB_PARAM_REAL, 0, 0.999},
    {"slip", "share", "standard deviation of the wheels' speeds", NULL,
	O(bodies.rover.slip), PB_PARAM_REAL, 0, 1},
    {"accel", "m/s2", "acceleration of robots, 0: without limit", NULL,
	O(bodies.rover.v_acc), PB_PARAM_REAL, 0, 100},
    {"turn-accel", "rad/s2", "the same of their turn rate", NULL,
	O(bodies.rover.w_acc), PB_PARAM_REAL, 0, 1000},
    {"cell-noise", "share", "standard deviation of a measured cell", NULL,
	O(bodies.cell_noise), PB_PARAM_REAL, 0, 1},
    {"cell-average", "name", "of the measured cells", "fading|mean",
	O(bodies.average), PB_PARAM_CHOICE, 0, 1},
    {"cell-fade", "share", "weight of a new cell in the fading average", NULL,
	O(bodies.fade), PB_PARAM_REAL, 0.0001, 1},
    {"cell-odd", "share", "measured cells that differ by more do not count",
	NULL, O(bodies.odd), PB_PARAM_REAL, 0, 1},
    {"cell-first", "m", "size of a cell before it is measured, 0: the board's",
	NULL, O(bodies.cell_first), PB_PARAM_REAL, 0, 10},
    {"body", "m", "diameter of robots, for counting collisions", NULL,
	O(bodies.size), PB_PARAM_REAL, 0, 10},
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
	struct pb_zumy_board n = {.ground = {.rows = z->rows, .cols = z->cols},
	    .side = pb_maze_pitch(z)};
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
