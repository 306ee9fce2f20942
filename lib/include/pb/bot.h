/* bot.h - what a player of the Pacbot game sees. */
#pragma once

#include <stdbool.h>

#include "pb/decls.h"
#include "pb/maze.h"
#include "pb/pacbot.h"
#include "pb/param.h"
#include "pb/player.h"
#include "pb/rng.h"
#include "pb/weights.h"

PB_BEGIN_DECLS

enum pb_bot_motion { PB_BOT_GRID, PB_BOT_DRIVE };
enum pb_bot_controller { PB_BOT_PURSUIT, PB_BOT_POINTS };

/* A robot that drives by what it senses. */
struct pb_bot_body {
	int localizer;    /* place in the row's words; 0: the camera's cell */
	int controller;   /* enum pb_bot_controller */
	bool ahead;       /* the motors' controllers have feed-forward */
	double speed;     /* that it is to drive with (cells/s) */
	double stick;     /* friction with walls: 0 slides along them */
	double fast;      /* motors turn by 0 to this part too fast */
	double response;  /* time constant of the motors (s) */
	double slip;      /* of each wheel, standard deviation (part) */
	double drift;     /* of the heading, standard deviation (rad/s) */
	double noise;     /* of the heading, standard deviation (rad) */
	int sensors;      /* 0: four ranges, 1: eight short ones */
	double ranges;    /* a range is off by up to this part */
	int camera_every; /* from picture to picture (ticks) */
	int late;         /* age of the estimate that steers (ticks) */
	int particles;    /* of the particle filter */
};

/*
 * How the robot differs from a point that jumps from cell to cell. Times are
 * ticks of the game's clock, 24 a second.
 */
struct pb_match_opts {
	int ticks_per_cell; /* between two moves, 1..1000 */
	int turn_ticks;     /* more, before a move in another direction */
	int camera_delay;   /* age of the robot's cell as the player sees it */
	double wrong_cell;  /* chance that it sees a neighbouring cell, 0..1 */
	int ghosts;         /* 0..4 */
	int lives;          /* 1..3 */
	int levels;         /* stop after so many are cleared, 0: play on */
	int nodes;          /* budget of a searching player, per decision */
	int motion;         /* enum pb_bot_motion */
	struct pb_bot_body body;          /* with PB_BOT_DRIVE */
	const struct pb_weights *weights; /* of a player that was trained; not
	                                     owned, NULL: none */
};

/* The table of all options; a row is an option of pb-sim and pb-bench. */
extern const struct pb_params pb_match_params;

/* Longest delay that a match can hold (ticks). */
#define PB_MATCH_DELAY 240

/* Oldest estimate that may steer (ticks). */
#define PB_MATCH_LATE 48

/* Tables of one board, shared by threads. */
struct pb_pacbot_arena;
struct pb_match_board {
	struct pb_pacbot_rules rules;
	struct pb_cells cells;
	struct pb_maze maze;
	struct pb_pacbot_arena *arena; /* owned; NULL: robots have no bodies */
};

/*
 * Pac-Man is on a cell and the game is not paused when he is asked; PB_STAY
 * waits for ticks_per_cell. A robot that drives is asked in each cell that it
 * believes to be new, with the ticks that it has needed for a cell so far.
 */
struct pb_bot_view {
	const struct pb_pacbot *s; /* as seen: Pac-Man's cell may be old */
	const struct pb_match_board *board;
	const struct pb_match_opts *opts;
	struct pb_rng *rng; /* the player's own draws */
};

PB_END_DECLS
