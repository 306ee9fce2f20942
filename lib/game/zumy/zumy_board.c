/* zumy_board.c - boards and options of the Zumy game. */
#include "game/zumy/zumy.h"

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
	    .bodies = {.approach = pb_approach_defaults(),
		.rover = {.estimate = {.sd = 0.005, .th_sd = 0.02, .keep = 0.9},
		    .slip = 0.05},
		.size = 0.1,
		.cell_noise = 0.03,
		.fade = 0.05,
		.odd = 0.15,
		.tilt = 0.0349, /* 2 degrees */
		.frame = 1.0 / PB_ZUMY_HZ}};
}

#define PB_PARAMS_OF struct pb_zumy_opts

static const struct pb_param params[] = {
    PB_COUNT("patrols", patrols, "", 0, PB_ZUMY_PATROLS, "that play"),
    PB_COUNT("cell-time", cell_time, "ticks", 1, 1000,
	"to drive a cell, 10 ticks a second"),
    PB_COUNT("turn-time", turn_time, "ticks", 0, 1000, "for a quarter turn"),
    PB_COUNT("ping", ping, "ticks", 1, 1000000,
	"between pings of the player's place"),
    PB_REAL("memory", memory, "share", 0, 1, "of a patrol's belief that stays"),
    PB_REAL("stare", stare, "", 0, 1, "belief above which a patrol stops"),
    PB_REAL("win", win, "", 0, 1, "belief above which the patrols have won"),
    PB_COUNT("range", range, "cells", 0, PB_ZUMY_SIDE,
	"of the cameras, 0: without end"),
    PB_COUNT("start-distance", near, "steps", 1, 1000,
	"patrols begin no nearer to the player"),
    PB_COUNT("draw", limit, "ticks", 1, 1000000, "until the game is a draw"),
    PB_BOOL("share", share, "patrols share what they know, and spread"),
    PB_BOOL("compat", compat, "all slips of the published code that follow"),
    PB_BOOL("start-prices", slip[PB_ZUMY_START_PRICES],
	"slip: A* prices each step as if made from the start"),
    PB_BOOL("wraps", slip[PB_ZUMY_WRAPS],
	"slip: patrols plan and drive around the edge, or end"),
    PB_BOOL("blocking", slip[PB_ZUMY_BLOCKING],
	"slip: a cell off the board or bottom left is waited for"),
    PB_BOOL("overlap", slip[PB_ZUMY_OVERLAP],
	"slip: robots do not avoid each other"),
    PB_BOOL("own-pings", slip[PB_ZUMY_OWN_PINGS],
	"slip: each patrol pings for itself, as it decides"),
    PB_BOOL("late-win", slip[PB_ZUMY_LATE_WIN],
	"slip: who is in the goal wins though he was seen"),
    PB_BOOL("frozen-start", slip[PB_ZUMY_FROZEN_START],
	"slip: a player seen at the start never moves"),
    PB_BOOL("unit-axis", slip[PB_ZUMY_UNIT_AXIS],
	"slip: bodies turn by 1 rad/s, whatever the error"),
    PB_BOOL("latch", slip[PB_ZUMY_LATCH],
	"slip: once aligned, bodies do not turn on the spot"),
    PB_BOOL("unwrapped", slip[PB_ZUMY_UNWRAPPED],
	"slip: bodies right of 0 degrees are read as looking down"),
    PB_COUNT("looks", nodes, "", 1, 1000000,
	"states that the player sneak may look at"),
    PB_CHOICE("motion", motion, "grid|drive",
	"a cell in so many ticks, or bodies that turn and drive"),
    PB_REAL("robot-speed", bodies.approach.v, "m/s", 0.01, 10,
	"of robots, forwards"),
    PB_REAL("aim", bodies.approach.turn_until, "rad", 1e-6, PB_PI,
	"robots drive when their target is so much aside"),
    PB_REAL("correct", bodies.approach.gain, "1/s", 0, 100,
	"turn rate by error of heading on the way"),
    PB_REAL("arrive", bodies.approach.near, "cells", 0.001, 0.5,
	"robots are there when both coordinates are so near"),
    PB_REAL("tilt", bodies.tilt, "rad", 0, 0.5,
	"of robots' tags, which the unit axis is aligned by"),
    PB_REAL("frame", bodies.frame, "s", 0.001, 10,
	"from picture to picture that robots steer by"),
    PB_ROVER_ROWS(bodies.rover, "tick"),
    PB_REAL("cell-noise", bodies.cell_noise, "share", 0, 1,
	"standard deviation of a measured cell"),
    PB_CHOICE("cell-average", bodies.average, "fading|mean|axes",
	"of the measured cells; axes: of width and height apart"),
    PB_REAL("cell-fade", bodies.fade, "share", 0.0001, 1,
	"weight of a new cell in the fading average"),
    PB_REAL("cell-odd", bodies.odd, "share", 0, 1,
	"measured cells that differ by more do not count"),
    PB_REAL("cell-first", bodies.cell_first, "m", 0, 10,
	"size of a cell before it is measured, 0: the board's"),
    PB_REAL("body", bodies.size, "m", 0, 10,
	"diameter of robots, for counting collisions"),
};

const struct pb_param *
pb_zumy_params(size_t *n)
{
	*n = sizeof(params) / sizeof(*params);
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

bool
pb_zumy_goal(const struct pb_maze *z, struct pb_zumy_cell *goal)
{
	for (int c = 0; c < z->cols; c++)
		for (int r = z->rows - 1; r >= 0; r--)
			if (z->cell[r][c] == PB_MAZE_GOAL) {
				*goal =
				    (struct pb_zumy_cell){(int8_t)r, (int8_t)c};
				return true;
			}
	return false;
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
		for (int c = 0; c < z->cols; c++)
			if (pb_maze_open(z, r, c))
				pb_zumy_add(&n.ground.open, r, c);
	pb_zumy_goal(z, &n.ground.goal);
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
