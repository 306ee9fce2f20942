/* roomba_board.c - boards and options of the Roomba game. */
#include <string.h>

#include "game/roomba/roomba.h"

struct pb_roomba_opts
pb_roomba_defaults(void)
{
	return (struct pb_roomba_opts){.ghosts = 4,
	    .lives = 3,
	    .sense = 3,
	    .power_time = 20,
	    .delay = 5,
	    .limit = 3000,
	    .rollouts = 16,
	    .bodies = {.way = pb_waypoint_defaults(),
		.rover = {.estimate = {.sd = 0.01, .th_sd = 0.01, .keep = 0.9},
		    .slip = 0.05},
		.size = 0.34,
		.touch = 0.5,
		.steps = 20},
	    .nature = {
		[PB_BLINKY] = {0.80, 1.00, 0.90, false},
		[PB_PINKY] = {0.80, 0.80, 0.90, false},
		[PB_INKY] = {0.70, 0.60, 0.85, false},
		[PB_CLYDE] = {0.60, 0.70, 0.85, true},
	    }};
}

#define PB_PARAMS_OF struct pb_roomba_opts
#define NATURE(ghost, i)                                             \
	PB_REAL(ghost "-search", nature[i].search, "chance", 0, 1,   \
	    "that it goes home while it searches"),                  \
	    PB_REAL(ghost "-track", nature[i].track, "chance", 0, 1, \
		"its aggressiveness"),                               \
	    PB_REAL(ghost "-run", nature[i].run, "chance", 0, 1,     \
		"that it runs when it is afraid"),                   \
	    PB_BOOL(                                                 \
		ghost "-away", nature[i].away, "it tracks away from Pac-Man")

static const struct pb_param params[] = {
    PB_COUNT("ghosts", ghosts, "", 0, PB_ROOMBA_GHOSTS, "ghosts that play"),
    PB_COUNT("lives", lives, "", 0, 1000, "of Pac-Man, 0: without end"),
    PB_COUNT("sense", sense, "", 0, PB_ROOMBA_SIDE,
	"cells within which a ghost tracks him"),
    PB_COUNT("power-time", power_time, "", 1, 10000, "ticks that a pill lasts"),
    PB_COUNT("delay", delay, "", 1, 10000, "ticks from a kill to the reset"),
    PB_COUNT("limit", limit, "", 1, 1000000, "ticks until the game ends"),
    PB_COUNT("rollouts", rollouts, "", 1, 100000,
	"thoughts of the player plan about each direction"),
    PB_CHOICE("motion", motion, "grid|drive",
	"a cell a tick, or bodies that turn and drive"),
    PB_REAL(
	"robot-speed", bodies.way.v, "m/s", 0.01, 10, "of robots, forwards"),
    PB_REAL("robot-turn", bodies.way.w, "rad/s", 0, 100,
	"of robots, 0: turning takes no time"),
    PB_REAL("aim", bodies.way.aim, "rad", 1e-6, PB_PI,
	"robots drive when their target is so much aside"),
    PB_REAL("correct", bodies.way.correct, "1/s", 0, 100,
	"turn rate by error of heading on the way"),
    PB_REAL("centre", bodies.way.near, "m", 1e-6, 1,
	"robots are there when so near to a centre"),
    PB_COUNT("steps", bodies.steps, "", 2, 1000,
	"of the controllers, in the time of a cell"),
    PB_ROVER_ROWS(bodies.rover, "step"),
    PB_REAL("touch", bodies.touch, "cells", 0.001, 1,
	"a ghost that is nearer touches Pac-Man"),
    PB_REAL("body", bodies.size, "m", 0, 10,
	"diameter of robots, for counting collisions"),
    NATURE("blinky", PB_BLINKY),
    NATURE("pinky", PB_PINKY),
    NATURE("inky", PB_INKY),
    NATURE("clyde", PB_CLYDE),
};

const struct pb_param *
pb_roomba_params(size_t *n)
{
	*n = sizeof(params) / sizeof(*params);
	return params;
}

/* A place that robots need; it is there, a cell, and no other one's. */
static const char *
place_wrong(const struct pb_maze *z, const struct pb_maze_place *p)
{
	if (!pb_maze_open(z, p->row, p->col))
		return "is in a wall";
	for (int i = 0; i < z->ghosts; i++)
		if (p != &z->ghost[i] && z->ghost[i].row == p->row &&
		    z->ghost[i].col == p->col)
			return "is where another robot is";
	return NULL;
}

/* The first pellet, reset point or home that cannot be reached. */
static const char *
unreached(const struct pb_maze *z, int *row, int *col)
{
	bool seen[PB_MAZE_SIDE][PB_MAZE_SIDE] = {{false}};
	short order[PB_MAZE_SIDE * PB_MAZE_SIDE];

	pb_maze_reach(z, z->start.row, z->start.col, seen, order);
	for (int i = 0; i < z->ghosts + z->homes; i++) {
		const struct pb_maze_place *p =
		    i < z->ghosts ? &z->ghost[i] : &z->home[i - z->ghosts];

		*row = p->row;
		*col = p->col;
		if (!seen[p->row][p->col])
			return i < z->ghosts ? "ghost cannot reach Pac-Man"
			                     : "home cannot be reached";
	}
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++) {
			*row = r;
			*col = c;
			if (!seen[r][c] && (z->cell[r][c] == PB_MAZE_PELLET ||
					       z->cell[r][c] == PB_MAZE_POWER))
				return "pellet cannot be reached";
		}
	*row = *col = -1;
	return NULL;
}

static int
pellets_of(const struct pb_maze *z)
{
	int n = 0;

	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			n += z->cell[r][c] == PB_MAZE_PELLET ||
			     z->cell[r][c] == PB_MAZE_POWER;
	return n;
}

const char *
pb_roomba_board_wrong(const struct pb_maze *z, int *row, int *col)
{
	const char *why;

	*row = *col = -1;
	if (z->rows > PB_ROOMBA_SIDE || z->cols > PB_ROOMBA_SIDE)
		return "expected at most 32 x 32 cells";
	if (z->start.row < 0)
		return "expected a start of Pac-Man";
	if (pellets_of(z) == 0)
		return "expected a pellet";
	for (int i = -1; i < z->ghosts; i++) {
		const struct pb_maze_place *p =
		    i < 0 ? &z->start : &z->ghost[i];

		why = place_wrong(z, p);
		*row = p->row;
		*col = p->col;
		if (why)
			return why;
	}
	for (int i = 0; i < z->homes; i++) {
		*row = z->home[i].row;
		*col = z->home[i].col;
		if (!pb_maze_open(z, *row, *col))
			return "home is in a wall";
	}
	return unreached(z, row, col);
}

enum pb_status
pb_roomba_board_init(struct pb_roomba_board *b, const struct pb_maze *z)
{
	struct pb_roomba_board n = {
	    .ghosts = z->ghosts, .side = pb_maze_pitch(z)};
	enum pb_status st = pb_cells_init(&n.cells, z);

	if (st != PB_OK)
		return st;
	n.start = pb_cells_at(&n.cells, z->start.row, z->start.col);
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++) {
		n.reset[i] = i < z->ghosts
		                 ? pb_cells_at(&n.cells, z->ghost[i].row,
				       z->ghost[i].col)
		                 : -1;
		n.home[i] = i < z->homes ? pb_cells_at(&n.cells, z->home[i].row,
					       z->home[i].col)
		                         : -1;
	}
	for (int i = 0; i < n.cells.n; i++) {
		char c = z->cell[n.cells.cell[i].row][n.cells.cell[i].col];
		bool power = c == PB_MAZE_POWER;

		if (c != PB_MAZE_PELLET && !power)
			continue;
		n.dot[i / 64] |= UINT64_C(1) << i % 64;
		n.power[i / 64] |= (uint64_t)power << i % 64;
		n.pellets++;
	}
	*b = n;
	return PB_OK;
}

/* A count of cells that is on the board. */
static int
within(double cells, int n)
{
	return cells < 0 ? 0 : cells >= n ? n - 1 : (int)cells;
}

void
pb_roomba_heat(const struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_pose *p, bool tick, struct pb_heat *h)
{
	int row = b->cells.cell[s->pacman].row;
	int col = b->cells.cell[s->pacman].col, rows = b->cells.rows;
	bool died = s->events / PB_ROOMBA_KILLS % 16 != 0;

	if (p != NULL) {
		row = rows - 1 - within(p->y / b->side, rows);
		col = within(p->x / b->side, b->cells.cols);
	}
	h->here[row][col] += tick && s->stopped == 0;
	h->died[row][col] += died;
}

void
pb_roomba_board_clear(struct pb_roomba_board *b)
{
	pb_cells_clear(&b->cells);
	*b = (struct pb_roomba_board){.pellets = 0};
}
