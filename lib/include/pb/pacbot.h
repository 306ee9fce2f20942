/* pacbot.h - the official Pacbot competition game, one tick at a time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/arcade.h"
#include "pb/decls.h"
#include "pb/maze.h"

PB_BEGIN_DECLS

/*
 * The rules are those of the competition's game server, to the bit: see
 * pb-pacbot(7) for them in words. The state is flat: assigning it is a
 * snapshot. The rules (board and bits) are made once and shared by threads.
 * Nothing here allocates, and nothing is random but the draws that the caller
 * supplies.
 *
 * One iteration of the server is
 *
 *	pb_pacbot_begin     the update block, if this tick has one
 *	pb_pacbot_frame     what is sent to the players
 *	pb_pacbot_command   any number of commands
 *	pb_pacbot_end       the clock moves on, unless the game is paused
 */
#define PB_PACBOT_ROWS   31
#define PB_PACBOT_COLS   28
#define PB_PACBOT_FRAME  159 /* bytes on the wire */
#define PB_PACBOT_FPS    24  /* ticks a second */
#define PB_PACBOT_DOTS   244 /* pellets of the official board */
#define PB_PACBOT_LIVES  3   /* at the start of a game */
#define PB_PACBOT_PERIOD 12  /* ticks of a ghost for a cell at first */

enum pb_pacbot_mode { PB_PAUSED, PB_SCATTER, PB_CHASE };

enum {
	PB_SCATTER_STEPS = 60, /* updates that the mode lasts */
	PB_CHASE_STEPS = 180,
	PB_FRUIT_STEPS = 30, /* updates that a fruit lies there, */
	PB_FRUIT_ROW = 17,   /* on this cell */
	PB_FRUIT_COL = 13
};

#define PB_NOWHERE ((struct pb_at){PB_ARCADE_OFF, PB_ARCADE_OFF, PB_STAY})

struct pb_pacbot {
	uint32_t pellets[PB_PACBOT_ROWS]; /* bit c: a pellet at column c */
	struct pb_arcade ghost[PB_ARCADE_GHOSTS];
	struct pb_at pac;     /* nowhere between death and respawn */
	uint16_t tick;        /* stays at 65535 */
	uint16_t level_steps; /* updates to the next speed-up */
	uint16_t score;       /* stays at 65535 */
	uint8_t period;       /* ticks between updates */
	uint8_t mode;         /* scatter or chase, also while paused */
	uint8_t mode_steps;   /* updates left of the mode */
	uint8_t fruit_steps;  /* updates left of the fruit, 0: none */
	uint8_t level, lives;
	uint8_t combo;  /* ghosts eaten since the last power pellet */
	uint8_t left;   /* pellets left */
	uint8_t active; /* ghosts that play, 0..4 */
	bool paused;
	bool pause_on_update; /* pause at the next update */
	bool ticked;          /* the clock moved since the last begin */
};

struct pb_pacbot_rules {
	struct pb_arcade_board board;
	uint32_t pellets[PB_PACBOT_ROWS];
	uint32_t power[PB_PACBOT_ROWS];
	uint8_t dots;
};

/*
 * Tables of the official board, or of another one of at most 31 x 28 cells
 * and 255 pellets whose ghosts' house is where the official one is.
 */
void pb_pacbot_rules_init(struct pb_pacbot_rules *k, const struct pb_maze *z);

/* A new game, paused at tick 0; `active` ghosts play, 0..4. */
void pb_pacbot_init(
    struct pb_pacbot *s, const struct pb_pacbot_rules *k, int active);

/* Whether this tick has an update block that has not run yet. */
bool pb_pacbot_due(const struct pb_pacbot *s);

/* Run the update block if it is due; whether it was. */
bool pb_pacbot_begin(struct pb_pacbot *s, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw);

/*
 * The two parts of the update block, for who wants the second only of some
 * states: everybody arrives, with all that comes of it; the ghosts plan.
 */
void pb_pacbot_arrive(struct pb_pacbot *s);
void pb_pacbot_plan(struct pb_pacbot *s, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw);

/*
 * Carry out one command of a player or of the referee: 'w' 'a' 's' 'd' move,
 * 'p' pause, 'P' play, 'r' 'R' new game, 'x' with two more bytes: place
 * Pac-Man at row, col. Others are ignored, as by the server.
 *
 * Given    cmd, n  the message, n bytes
 */
void pb_pacbot_command(struct pb_pacbot *s, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw, const uint8_t *cmd, int n);

/* Move Pac-Man one cell in direction d, or only turn him at a wall. */
void pb_pacbot_move(
    struct pb_pacbot *s, const struct pb_pacbot_rules *k, int d);

/*
 * The 'x' command: walk to (row, col) along the server's shortest way, eating
 * as he goes, or jump if that is longer than 11 cells. Nothing happens while
 * paused, or if it is a wall or where he is.
 */
void pb_pacbot_place(
    struct pb_pacbot *s, const struct pb_pacbot_rules *k, int row, int col);

/* Let the clock move on, unless the game is paused. */
void pb_pacbot_end(struct pb_pacbot *s);

/*
 * Skip the ticks on which nothing can happen: move the clock to the next
 * update, run it and leave the game before the commands of that tick.
 *
 * Given    s  not paused, after pb_pacbot_begin
 * Returns  ticks that passed, at least 1; 0 if the clock has stopped for
 *          good or the game is paused
 */
int pb_pacbot_skip(struct pb_pacbot *s, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw);

/* Whether only a new game can go on: no life is left. */
bool pb_pacbot_over(const struct pb_pacbot *s);

/* Write the server's frame of s: PB_PACBOT_FRAME bytes. */
void pb_pacbot_frame(const struct pb_pacbot *s, uint8_t *frame);

/*
 * The game that a frame shows. What frames do not tell stays open: where the
 * ghosts will turn (next is nowhere), and whether the next update pauses.
 *
 * Returns  -1; or the first byte that no server would send, and s is what the
 *          others say
 */
int pb_pacbot_unframe(struct pb_pacbot *s, const uint8_t *frame);

PB_END_DECLS
