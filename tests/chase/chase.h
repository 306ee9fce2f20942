/* chase.h - a small fifth rule set: collect all pellets before you are met. */
#pragma once

#include "pb/game.h"
#include "pb/maze.h"
#include "pb/rng.h"

#define PB_CHASERS 3

struct pb_chase_opts {
	int chasers; /* 0..PB_CHASERS */
	int period;  /* they move every so many ticks */
	int limit;   /* ticks */
};

struct pb_chase_world {
	struct pb_cells cells;
	struct pb_maze maze;
};

/* What the player sees: everything. */
struct pb_chase_view {
	const struct pb_chase_world *world;
	struct pb_rng *rng;
	int at;             /* his cell */
	const bool *pellet; /* by cell */
};

extern const struct pb_game pb_game_chase;
extern const struct pb_player *const pb_chase_players[];
