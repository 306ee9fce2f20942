/* bot.h - what a player of the Pacbot game sees. */
#ifndef PB_BOT_H
#define PB_BOT_H

#include "pb/decls.h"
#include "pb/maze.h"
#include "pb/pacbot.h"
#include "pb/player.h"
#include "pb/rng.h"

PB_BEGIN_DECLS

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
};

/* Longest delay that a match can hold (ticks). */
#define PB_MATCH_DELAY 240

/* Tables of one board, shared by threads. */
struct pb_match_board {
	struct pb_pacbot_rules rules;
	struct pb_cells cells;
	struct pb_maze maze;
};

/*
 * Pac-Man is on a cell and the game is not paused when he is asked; PB_STAY
 * waits for ticks_per_cell.
 */
struct pb_bot_view {
	const struct pb_pacbot *s; /* as seen: Pac-Man's cell may be old */
	const struct pb_match_board *board;
	const struct pb_match_opts *opts;
	struct pb_rng *rng; /* the player's own draws */
};

PB_END_DECLS

#endif
