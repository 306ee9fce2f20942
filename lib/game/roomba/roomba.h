/* roomba.h - the Roomba game: a driven Pac-Man, ghosts without a master. */
#pragma once

#include "ghost/roomba_ghosts.h"
#include "localize/mcl.h"
#include "pb/game.h"
#include "robot/follow.h"
#include "robot/rover.h"

/*
 * The game in lock-step: each tick every robot drives one cell. Pac-Man moves
 * first, the ghosts choose one after the other, each seeing the cells that
 * those before it have claimed; then all drive at once. So no two ghosts ever
 * meet. A pill powers Pac-Man up for a while, which he tells the ghosts, and
 * tells them when it is over. A ghost that touches him while it is not afraid
 * kills him: all stop, he spins, and after a delay everybody is reset. One
 * that is afraid is eaten and drives to its reset point.
 *
 * A game is a pure function of (board, options, moves, seed, trial): every
 * ghost has its own stream of draws. The state is flat; copying it is a
 * snapshot.
 */
#define PB_ROOMBA_SIDE  32 /* longest side of a board (cells) */
#define PB_ROOMBA_WORDS (PB_ROOMBA_SIDE * PB_ROOMBA_SIDE / 64)

enum pb_motion_kind { PB_MOTION_GRID, PB_MOTION_DRIVE };

/* Robots with bodies, see roomba_drive.h; cells are the board's. */
struct pb_roomba_bodies {
	struct pb_waypoint_opts way;
	struct pb_rover_opts rover;
	struct pb_mcl_opts mcl; /* those that are rows; lengths in cells */
	double size;            /* diameter (m) */
	double touch; /* a ghost and Pac-Man touch when nearer (cells) */
	int steps;    /* of the controller, in the time that a cell takes */
	double apart; /* ghosts keep so many standard deviations of what their
	                 estimates may be off, beside their bodies; 0: cells
	                 alone keep them apart */
};

struct pb_roomba_opts {
	int ghosts;     /* 0..4, the first of them */
	int lives;      /* 0: without end */
	int sense;      /* radius of tracking (cells) */
	int power_time; /* that Pac-Man is powered up by a pill (ticks) */
	int delay;      /* from a kill to the reset (ticks) */
	int limit;      /* the game ends after so many ticks */
	int rollouts;   /* budget of a player that looks ahead */
	int motion;     /* enum pb_motion_kind */
	struct pb_roomba_bodies bodies; /* PB_MOTION_DRIVE */
	struct pb_roomba_nature nature[PB_ROOMBA_GHOSTS];
};

/* Tables of one board, shared by threads. */
struct pb_roomba_board {
	struct pb_maze maze;
	struct pb_cells cells;
	double side;                     /* of a cell (m) */
	int start;                       /* of Pac-Man; cells by number */
	int reset[PB_ROOMBA_GHOSTS];     /* where ghosts begin */
	int home[PB_ROOMBA_GHOSTS];      /* where they search, -1: anywhere */
	int pellets;                     /* power pellets included */
	uint64_t dot[PB_ROOMBA_WORDS];   /* pellets by number of the cell */
	uint64_t power[PB_ROOMBA_WORDS]; /* power pellets among them */
	struct pb_onboard *aboard; /* robots have localizers, owned; or NULL */
};

enum pb_roomba_ending {
	PB_ROOMBA_ON,
	PB_ROOMBA_CLEARED, /* all pellets are collected */
	PB_ROOMBA_CAUGHT,  /* no life is left */
	PB_ROOMBA_CLOCK    /* the time is over */
};

/* What happened in a tick: bits; those of ghosts are shifted by its number. */
enum {
	PB_ROOMBA_PELLET = 1,
	PB_ROOMBA_POWER_ON = 2,
	PB_ROOMBA_POWER_OFF = 4,
	PB_ROOMBA_RESET = 8,
	PB_ROOMBA_EATEN = 16,  /* 16 << ghost */
	PB_ROOMBA_KILLS = 256, /* 256 << ghost */
	PB_ROOMBA_BACK = 4096  /* 4096 << ghost: it is at its reset point */
};

struct pb_roomba_ghost {
	int16_t at;     /* cell */
	int8_t last;    /* direction of its last move */
	int8_t state;   /* enum pb_roomba_state as of its last decision */
	bool afraid;    /* it was told of a pill and nothing since */
	uint8_t barred; /* ways that are closed to its next decision */
};

struct pb_roomba {
	const struct pb_roomba_board *board; /* not owned */
	const struct pb_roomba_opts *opts;   /* not owned */
	int tick;
	int16_t pacman;  /* his cell */
	int8_t dir;      /* of his last move */
	int8_t pushed;   /* way out of his cell that he was last pushed to on
	                    the way there; PB_STAY: none */
	int8_t ending;   /* enum pb_roomba_ending */
	int16_t power;   /* ticks that he is powered up still */
	int16_t stopped; /* ticks until the reset, 0: all drive */
	int lives;       /* left; negative without end: minus deaths */
	int16_t combo;   /* ghosts eaten since the last pill */
	int left;        /* pellets */
	int score;
	int deaths, eaten;             /* so far */
	int kills[PB_ROOMBA_GHOSTS];   /* deaths by each ghost */
	int collisions;                /* of two ghosts so far */
	unsigned events;               /* of the last tick, see above */
	uint64_t dot[PB_ROOMBA_WORDS]; /* pellets that remain */
	struct pb_roomba_ghost ghost[PB_ROOMBA_GHOSTS];
	struct pb_rng rng[PB_ROOMBA_GHOSTS];
};

/* The table of all options; a row is an option of pb-sim and pb-bench. */
extern const struct pb_params pb_roomba_params;

/*
 * What keeps z from being a board of this game: its size, a start, a reset
 * point or home that is missing, in a wall, or not to be reached, two robots
 * on one cell, a pellet that cannot be reached, none at all. NULL if nothing
 * does; else a text for people with the cell in *row and *col, -1 if none.
 */
const char *pb_roomba_board_wrong(const struct pb_maze *z, int *row, int *col);

/*
 * Tables of z, which is right by the function above.
 *
 * Returns  PB_OK and b for pb_roomba_board_clear, or PB_ENOMEM
 */
enum pb_status pb_roomba_board_init(
    struct pb_roomba_board *b, const struct pb_maze *z);
void pb_roomba_board_clear(struct pb_roomba_board *b);

/* Whether a pellet is left in cell i. */
bool pb_roomba_dot(const struct pb_roomba *s, int i);

/* Begin game `trial` of `seed`; b and o are kept, not owned. */
void pb_roomba_start(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, uint64_t seed, uint64_t trial);

/*
 * A body's stick points to d while it is under way. What it asks for counts
 * from the cell that it drives to: an open way is kept, until the next, for
 * when it is there; what is none is ignored; PB_STAY forgets it.
 */
void pb_roomba_push(struct pb_roomba *s, enum pb_dir d);

/*
 * What Pac-Man does when his stick points to d: that direction if it is open,
 * else the one that was pushed to on the way, else the one of his last move if
 * it is open, else PB_STAY; PB_STAY stops him.
 */
enum pb_dir pb_roomba_steer(const struct pb_roomba *s, enum pb_dir d);

/*
 * Let a tick pass.
 *
 * Given    stick  where Pac-Man's stick points, see pb_roomba_steer
 *          c      who decides robots elsewhere, NULL: nobody
 * Returns  whether the game goes on; s->events says what happened
 */
bool pb_roomba_step(
    struct pb_roomba *s, enum pb_dir stick, const struct pb_crew *c);

/*
 * Ghost number `ghost` has failed: it stands where it is, an obstacle for the
 * others, and neither kills nor is eaten. A reset puts it where it began, as
 * people do who carry robots.
 */
void pb_roomba_lose(struct pb_roomba *s, int ghost);

/*
 * The parts of a step, for robots that run on their own: each changes s and
 * notes what it does. Robot 0 is Pac-Man.
 */
#define PB_ROOMBA_ROBOTS (1 + PB_ROOMBA_GHOSTS)

static inline int
pb_roomba_robots(const struct pb_roomba *s)
{
	return 1 + s->opts->ghosts;
}

static inline int16_t
pb_roomba_cell(const struct pb_roomba *s, int robot)
{
	return robot == 0 ? s->pacman : s->ghost[robot - 1].at;
}

/* Everybody to where he began. */
void pb_roomba_reset(struct pb_roomba *s);

/*
 * A robot claims the cell that it decides to drive to, in view of those that
 * the others drive to or stand in.
 *
 * Returns  the way there, PB_STAY: it waits
 */
enum pb_dir pb_roomba_claim(
    struct pb_roomba *s, int robot, enum pb_dir stick, const struct pb_crew *c);

/* Pac-Man takes what is in his cell. */
void pb_roomba_collect(struct pb_roomba *s);

/* The pill is over. */
void pb_roomba_power_over(struct pb_roomba *s);

/* Ghost i and Pac-Man are where they touch, if it touches anybody. */
void pb_roomba_touch(struct pb_roomba *s, int i);

/* Ghost i is in its cell: if it was eaten, that may be its reset point. */
void pb_roomba_arrive(struct pb_roomba *s, int i);

/* Whether the game goes on; sets its ending. */
bool pb_roomba_goes_on(struct pb_roomba *s);

/*
 * A player sees what the robots publish: cells, states, pellets, and, if they
 * have bodies, where each believes to be; not what they draw, which is zeroed
 * in its copy of the game.
 */
struct pb_roomba_view {
	const struct pb_roomba *s;
	struct pb_rng *rng;                  /* the player's own draws */
	const struct pb_roomba_fleet *fleet; /* NULL: robots without bodies */
};

/* Options: struct pb_roomba_opts. Players see struct pb_roomba_view. */
extern const struct pb_game pb_game_roomba;
