/* match.h - one game of Pacbot between a player and the four ghosts. */
#pragma once

#include <stdbool.h>

#include "pb/decls.h"
#include "pb/drive.h"
#include "pb/game.h"
#include "pb/maze.h"
#include "pb/pacbot.h"
#include "pb/param.h"
#include "pb/player.h"
#include "pb/rng.h"
#include "pb/weights.h"

PB_BEGIN_DECLS

enum pb_bot_motion { PB_BOT_GRID, PB_BOT_DRIVE };

/* How the robot differs from a point that jumps from cell to cell. Times are
 * ticks of the game's clock, 24 a second. */
struct pb_match_opts {
	int ticks_per_cell; /* between two moves, 1..1000 */
	int turn_ticks;     /* more, before a move in another direction */
	int camera_delay;   /* age of the robot's cell as the player sees it; on
	                       the grid the mean: each is 0 to twice that old */
	double wrong_cell;  /* chance that it sees a neighbouring cell, 0..1 */
	int ghosts;         /* number of ghosts, 0..4 */
	int lives;          /* number of lives, 1..3 */
	int levels;         /* stop after this many are cleared, 0: play on */
	int nodes;          /* budget of a searching player, per decision */
	int motion;         /* enum pb_bot_motion */
	struct pb_bot_body body;          /* with PB_BOT_DRIVE */
	const struct pb_weights *weights; /* of a player that was trained; not
	                                     owned, NULL: none */
};

/* The table of all options; a row is an option of pb-sim and pb-bench. */
extern const struct pb_params pb_match_params;

/* Longest delay, and longest time of a cell (ticks); length of the history of
 * cells. */
#define PB_MATCH_DELAY 240
#define PB_MATCH_CELL  1000
#define PB_MATCH_SEEN  (2 * PB_MATCH_DELAY + PB_MATCH_CELL)

/* Tables of one board, shared by threads. */
struct pb_pacbot_arena;
struct pb_match_board {
	struct pb_pacbot_rules rules;
	struct pb_cells cells;
	struct pb_maze maze;
	struct pb_pacbot_arena *arena; /* owned; NULL: robots have no bodies */
};

/*
 * Pac-Man is on a cell and the game is not paused when it is asked; PB_STAY
 * waits for ticks_per_cell. A robot that drives is asked in each cell that it
 * believes to be new, with the mean number of ticks that it has needed for a
 * cell.
 */
struct pb_bot_view {
	const struct pb_pacbot
	    *s; /* the game as seen: Pac-Man's cell may be old */
	const struct pb_match_board *board;
	const struct pb_match_opts *opts;
	struct pb_rng *rng; /* the player's own draws */
};

/* How a match ends. The referee presses play as soon as the game pauses. */
enum pb_match_ending {
	PB_MATCH_ON,      /* not ended */
	PB_MATCH_CLEARED, /* the levels asked for are cleared */
	PB_MATCH_DEAD,    /* no life is left */
	PB_MATCH_CLOCK,   /* the game's clock stopped at tick 65535 */
	PB_MATCH_SURVIVED /* the same, with no number of levels asked for */
};

/* "playing", "cleared", "caught", "clock", "survived". */
const char *pb_match_ending_name(enum pb_match_ending e);

struct pb_match_outcome {
	enum pb_match_ending ending;
	int score;
	int pellets; /* pellets eaten, over all levels */
	int cleared; /* levels cleared */
	int deaths;
	int eaten; /* ghosts eaten */
	int ticks; /* ticks of the game's clock */
	int decisions;
	const char *cause; /* of the last death, or NULL: "caught"; "seen-late":
	                      the player decided, or of a robot that drives the
	                      game had it, where it was before; "seen-wrong":
	                      the player was shown a neighbouring cell; "lost":
	                      a robot that drives was half a cell or more off */
};

/* The state of a match. */
struct pb_match {
	struct pb_player_state ps;
	struct pb_pacbot s;
	const struct pb_match_board *board; /* that of ps */
	const struct pb_match_opts *opts;   /* options of ps */
	const struct pb_agents *agents;     /* agents of this step, or NULL */
	struct pb_rng ghosts, sensor;
	struct pb_at seen[PB_MATCH_SEEN]; /* past cells of Pac-Man, a ring */
	int now;                          /* index of this tick in seen[] */
	int wait;           /* ticks until the move or the next decision */
	int move;           /* the move to be made then, PB_STAY: none */
	struct pb_at from;  /* cell of a driving robot's last decision */
	const char *misled; /* what made the last decision wrong, or NULL */
	int cell_time;      /* ticks that the last cell took */
	struct pb_match_outcome out;
	struct pb_cell_motion motion;   /* position of the robot's body */
	struct pb_pacbot reported;      /* its state at the last events() */
	uint8_t shown[PB_PACBOT_FRAME]; /* `reported` as a frame */
	struct pb_match_opts
	    plan; /* options that a driving player plans with */
};

/*
 * Why z is no board of this game: its size, walls between cells, its pellets
 * (at most 255), the fixed places of Pac-Man and the first ghost. NULL: it is
 * one; else a text for people, static storage; *found: number of pellets if
 * there are too many, else 0.
 */
const char *pb_match_board_wrong(const struct pb_maze *z, int *found);

/* Tables of z. Returns PB_OK and b for pb_match_board_clear, or a status of
 * pb_cells_init; PB_ESIZE if z is larger than the official board. */
enum pb_status pb_match_board_init(
    struct pb_match_board *b, const struct pb_maze *z);
void pb_match_board_clear(void *board);

/*
 * Fill k with a game as observers see it, including the cells that ghosts turn
 * to.
 *
 * Given    z  the board with its pellets
 */
void pb_pacbot_observe(struct pb_seen *k, const struct pb_pacbot *s,
    const struct pb_maze *z, const struct pb_pacbot_rules *rules);

/* Names of the ghosts, in the order of their numbers. */
extern const char *const pb_pacbot_ghost[PB_ARCADE_GHOSTS];

/* Options: struct pb_match_opts; states: struct pb_match; worlds: struct
 * pb_match_board. Players see struct pb_bot_view. */
extern const struct pb_game pb_game_pacbot;

PB_END_DECLS
