/* pacbot.h - the official Pacbot competition game, one tick at a time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/decls.h"
#include "pb/maze.h"

PB_BEGIN_DECLS

/*
 * The rules are those of the competition's game server. Cells are (row, col)
 * from the top left; directions are enum pb_dir. A ghost is a value; the
 * table of exits is made once and shared by threads.
 */
#define PB_ARCADE_OFF    32 /* row and column of what is off the board */
#define PB_ARCADE_SIDE   32 /* boards up to this size (cells) */
#define PB_ARCADE_FRIGHT 40 /* updates that a power pellet lasts */

/* Above the door of the house: where spawning ends. */
#define PB_ARCADE_OUT_ROW 11
#define PB_ARCADE_OUT_COL 13

enum { PB_RED, PB_PINK, PB_CYAN, PB_ORANGE, PB_ARCADE_GHOSTS };

/* A cell and a direction. */
struct pb_at {
	int8_t row, col; /* a cell, or PB_ARCADE_OFF both: off the board */
	uint8_t dir;     /* enum pb_dir */
};

struct pb_arcade {
	struct pb_at loc;  /* visible cell of the ghost */
	struct pb_at next; /* cell after the next update */
	uint8_t trapped;   /* updates left of turning on the spot */
	uint8_t fright;    /* updates left of being edible */
	bool spawning;     /* in the house or on the way out of it */
	bool eaten;        /* eaten since the last update */
};

/* Ways out of each cell: bit d is set if the ghost may step in direction d. */
struct pb_arcade_board {
	uint8_t exits[PB_ARCADE_SIDE][PB_ARCADE_SIDE];
	/* The same for ghosts that spawn: the house is open to them. */
	uint8_t house[PB_ARCADE_SIDE][PB_ARCADE_SIDE];
};

/* Fill b from the maze z, at most PB_ARCADE_SIDE cells each way. */
void pb_arcade_board_init(struct pb_arcade_board *b, const struct pb_maze *z);

/*
 * A callback that turns the first n ghosts in place of the rules.
 *
 * Given    ways   directions that it may turn to, at least one: bit d for d
 *          drawn  if it is frightened, the draw for it, else -1
 * Returns  one of them
 */
struct pb_arcade_agents {
	int (*turn)(void *ctx, int ghost, unsigned ways, int drawn);
	void *ctx;
	int n; /* 0: the rules turn all ghosts */
};

/*
 * Where random turns come from: a number in 0..n-1 for ghost `ghost`.
 * The server draws one for every plan of a frightened ghost that has an exit.
 */
struct pb_arcade_draw {
	int (*pick)(void *ctx, int ghost, int n);
	void *ctx;
	struct pb_arcade_agents agents; /* none, if zeroed */
};

/* Values of `pick`: at random (ctx is the struct pb_rng); always the first
 * direction, for callers that do not know the draws. */
int pb_arcade_any_way(void *ctx, int ghost, int n);
int pb_arcade_first_way(void *ctx, int ghost, int n);

/* What the ghosts' targets depend on. */
struct pb_arcade_view {
	struct pb_at pac; /* may be nowhere */
	struct pb_at red; /* the red ghost's loc; may be nowhere */
	bool chase;       /* the mode, or the last one while paused */
};

/* Put ghost `which` back to its spawn as at the start, after a death or at a
 * new level; `over` if no life is left. Keeps `eaten`, as the server does. */
void pb_arcade_reset(struct pb_arcade *g, int which, bool over);

/* Send a ghost that was eaten back into the house. */
void pb_arcade_respawn(struct pb_arcade *g, int which);

/* Plan the step after the one that the ghost is about to take. */
void pb_arcade_plan(struct pb_arcade *g, int which,
    const struct pb_arcade_board *b, const struct pb_arcade_view *v,
    const struct pb_arcade_draw *draw);

/* Whether p is the cell above the door of the house. */
static inline bool
pb_arcade_out(struct pb_at p)
{
	return p.row == PB_ARCADE_OUT_ROW && p.col == PB_ARCADE_OUT_COL;
}

/* One update: the ghost arrives where it planned to go. */
static inline void
pb_arcade_update(struct pb_arcade *g)
{
	if (pb_arcade_out(g->loc) && g->loc.dir != PB_DOWN)
		g->spawning = false;
	if (g->eaten) {
		g->eaten = false;
		g->fright = 0;
	}
	if (g->fright > 0)
		g->fright--;
	g->loc = g->next;
}

/* The cell that one step in direction d leads to. */
static inline struct pb_at
pb_arcade_step(struct pb_at p, int d)
{
	p.row = (int8_t)(p.row + pb_dir_row[d]);
	p.col = (int8_t)(p.col + pb_dir_col[d]);
	return p;
}

/* The direction opposite to d; PB_STAY for PB_STAY. */
static inline int
pb_arcade_back(int d)
{
	return d == PB_STAY ? PB_STAY : (d + 2) & 3;
}

/*
 * The rules are those of the competition's game server, to the bit: see
 * pb-pacbot(7) for them in words. The state is flat: assigning it is a
 * snapshot. The rules (a board as bit sets) are made once and shared by
 *threads. Nothing here allocates, and nothing is random except the draws that
 *the caller supplies.
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
	PB_FRUIT_STEPS = 30, /* updates that a fruit stays on the board */
	PB_FRUIT_ROW = 17,   /* the fruit's cell */
	PB_FRUIT_COL = 13
};

#define PB_NOWHERE ((struct pb_at){PB_ARCADE_OFF, PB_ARCADE_OFF, PB_STAY})

struct pb_pacbot {
	uint32_t pellets[PB_PACBOT_ROWS]; /* bit c: a pellet at column c */
	struct pb_arcade ghost[PB_ARCADE_GHOSTS];
	struct pb_at pac;     /* off the board between death and respawn */
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

/* Run the update block if it is due; whether it was. */
bool pb_pacbot_begin(struct pb_pacbot *s, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw);

/*
 * The two parts of the update block, for callers that need the second for some
 * states only: all move to their next cells, with deaths and eating; the ghosts
 * plan.
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

/* Move Pac-Man one cell in direction d, or only turn it at a wall. */
void pb_pacbot_move(
    struct pb_pacbot *s, const struct pb_pacbot_rules *k, int d);

/*
 * The 'x' command: walk to (row, col) along the server's shortest path, eating
 * as it goes, or jump if that is longer than 11 cells. Nothing happens while
 * paused, or if it is a wall or where it is.
 */
void pb_pacbot_place(
    struct pb_pacbot *s, const struct pb_pacbot_rules *k, int row, int col);

/* Let the clock move on, unless the game is paused. */
void pb_pacbot_end(struct pb_pacbot *s);

/* Write the server's frame of s: PB_PACBOT_FRAME bytes. */
void pb_pacbot_frame(const struct pb_pacbot *s, uint8_t *frame);

/*
 * The game that a frame shows. Frames do not contain where the ghosts will turn
 * (next is off the board), nor whether the next update pauses.
 *
 * Returns  -1; or the first byte that no server would send, and s is what the
 *          others say
 */
int pb_pacbot_unframe(struct pb_pacbot *s, const uint8_t *frame);

/* Oldest estimate that may steer (ticks). */
#define PB_MATCH_LATE 48

/* A robot that drives by what it senses. */
struct pb_bot_body {
	int localizer;   /* index of the option's word; 0: the camera's cell */
	bool ahead;      /* the motor controllers have feed-forward */
	double speed;    /* speed to drive with (cells/s) */
	double stick;    /* friction with walls: 0 slides along them */
	double fast;     /* motors turn too fast by 0 to this share */
	double response; /* time constant of the motors (s) */
	double slip;     /* standard deviation of each wheel's slip (share) */
	double drift;    /* standard deviation of the heading's drift (rad/s) */
	double noise;    /* standard deviation of the heading (rad) */
	int sensors;     /* 0: four ranges, 1: eight short ones */
	double ranges;   /* uniform error of a range, either way (share) */
	int camera_every; /* ticks between pictures */
	int late;         /* age of the estimate that steers (ticks) */
	int particles;    /* number of particles of the method `particle` */
};

PB_END_DECLS
