/* roomba.h - the Roomba game: a driven Pac-Man, ghosts without a master. */
#pragma once

#include <stdbool.h>

#include "game/boards.h"
#include "localize/mcl_state.h"
#include "localize/onboard.h"
#include "pb/game.h"
#include "pb/maze.h"
#include "pb/rng.h"
#include "robot/rover.h"

/*
 * Every ghost decides for itself, from what the robots publish: their cells,
 * and whether Pac-Man is powered up. A move is one of the four directions,
 * chosen uniformly among those that four constraints leave: walls, collision
 * avoidance, no reversing, and the direction that its state asks for, which is
 * enforced only with a chance of its own (Elston, Dixon and Stachura,
 * "Pac-Man Implementation", 2008). Only the first two may leave none: the
 * ghost waits; each of the others is dropped if it would.
 */
#define PB_ROOMBA_GHOSTS 4
enum { PB_BLINKY, PB_PINKY, PB_INKY, PB_CLYDE };

enum pb_roomba_state {
	PB_ROOMBA_SEARCH, /* drive to its home and about it */
	PB_ROOMBA_TRACK,  /* Pac-Man is near: after it, or away */
	PB_ROOMBA_RUN,    /* it is powered up: away */
	/* In the following states it neither kills nor is eaten. */
	PB_ROOMBA_KILLED, /* eaten: drive to its reset point */
	PB_ROOMBA_LOST    /* it has failed: the body stands, to the end */
};

/* The character of a ghost: how often its state's direction is enforced. */
struct pb_roomba_nature {
	double search; /* probability while searching, 0..1 */
	double track;  /* probability while tracking: its aggressiveness */
	double run;
	bool away; /* while tracking, it drives away from Pac-Man */
};

/* Input of a ghost's decision. Cells are numbers of pb_cells. */
struct pb_roomba_sight {
	int at;     /* its own cell */
	int last;   /* direction of its last move, PB_STAY: none */
	int pacman; /* Pac-Man's cell */
	int home;   /* cell where it searches, -1: anywhere */
	int reset;  /* cell where it drives after it was eaten */
	int other[PB_ROOMBA_GHOSTS - 1]; /* cells of the other ghosts */
	int others;
	enum pb_roomba_state state;
};

/*
 * The state of a ghost that is not killed.
 *
 * Given    afraid  it received the message that Pac-Man is powered up
 *          sense   radius within which it tracks it, through walls (cells)
 */
enum pb_roomba_state pb_roomba_state_of(
    const struct pb_cells *c, int at, int pacman, bool afraid, int sense);

/* Directions that walls and the other ghosts leave: bit d for direction d. */
unsigned pb_roomba_free(
    const struct pb_cells *c, const struct pb_roomba_sight *s);

/*
 * Of the directions `allowed`, those that fit the angle of (right, up): if it
 * lies within pi/8 of an allowed direction, that one; else the two nearest
 * ones, more if they are equally near, none at 3 pi/4 or more. 0 if none fits;
 * all if the vector has no length.
 */
unsigned pb_roomba_fit(unsigned allowed, int right, int up);

/*
 * Choose. A draw is made for the enforcement and one for the choice, whatever
 * the situation is.
 *
 * Returns  a direction, PB_STAY: it waits
 */
enum pb_dir pb_roomba_choose(const struct pb_cells *c,
    const struct pb_roomba_nature *n, const struct pb_roomba_sight *s,
    struct pb_rng *r);

/*
 * The game in lock-step: each tick every robot drives one cell. Pac-Man moves
 * first, the ghosts choose one after the other, each seeing the cells that
 * those before it have claimed; then all drive at once. So no two ghosts ever
 * meet. A pill powers Pac-Man up for a while, which it tells the ghosts, and
 * tells them when it is over. A ghost that touches it while it is not afraid
 * kills it: all stop, it spins, and after a delay everybody is reset. One
 * that is afraid is eaten and drives to its reset point.
 *
 * A game is a pure function of (board, options, moves, seed, trial): every
 * ghost has its own stream of draws. The state is flat; copying it is a
 * snapshot.
 */
#define PB_ROOMBA_SIDE  32 /* longest side of a board (cells) */
#define PB_ROOMBA_WORDS (PB_ROOMBA_SIDE * PB_ROOMBA_SIDE / 64)

enum pb_motion_kind { PB_MOTION_GRID, PB_MOTION_DRIVE };

/* Robots with bodies; cells are the board's. */
struct pb_roomba_bodies {
	struct pb_waypoint_opts way;
	struct pb_rover_opts rover;
	struct pb_mcl_opts
	    mcl;      /* options that have rows here; lengths in cells */
	double size;  /* diameter (m) */
	double touch; /* distance at which a ghost and Pac-Man touch (cells) */
	int steps;    /* controller steps in the time of a cell */
};

struct pb_roomba_opts {
	int ghosts;     /* number of ghosts, 0..4 */
	int lives;      /* number of lives, 0: no limit */
	int sense;      /* radius of tracking (cells) */
	int power_time; /* ticks that a pill lasts */
	int delay;      /* ticks from a kill to the reset */
	int limit;      /* ticks after which the game ends */
	int rollouts;   /* budget of a player that looks ahead */
	int motion;     /* enum pb_motion_kind */
	struct pb_roomba_bodies bodies; /* PB_MOTION_DRIVE */
	struct pb_roomba_nature nature[PB_ROOMBA_GHOSTS];
};

/* Tables of one board, shared by threads. */
struct pb_roomba_board {
	struct pb_maze maze;
	struct pb_cells cells;
	double side;                 /* side of a cell (m) */
	int start;                   /* Pac-Man's start, a cell number */
	int reset[PB_ROOMBA_GHOSTS]; /* ghosts' starts */
	int home[PB_ROOMBA_GHOSTS];  /* cells where ghosts search, -1: anywhere
	                              */
	int pellets; /* number of pellets, power pellets included */
	uint64_t dot[PB_ROOMBA_WORDS];   /* pellets by number of the cell */
	uint64_t power[PB_ROOMBA_WORDS]; /* power pellets among them */
	struct pb_onboard *onboard;      /* localizers, owned; NULL: none */
};

enum pb_roomba_ending {
	PB_ROOMBA_ON,
	PB_ROOMBA_CLEARED, /* all pellets are collected */
	PB_ROOMBA_CAUGHT,  /* no life is left */
	PB_ROOMBA_CLOCK    /* the time is over */
};

/* Events of a tick: bits; those of ghosts are shifted by their number. */
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
	int16_t at;   /* cell */
	int8_t last;  /* direction of its last move */
	int8_t state; /* enum pb_roomba_state as of its last decision */
	bool afraid;  /* its last message was "powered up" */
};

struct pb_roomba {
	const struct pb_roomba_board *board; /* not owned */
	const struct pb_roomba_opts *opts;   /* not owned */
	int tick;
	int16_t pacman; /* its cell */
	int8_t dir;     /* direction of Pac-Man's last move */
	int8_t
	    pushed; /* direction stored by pushing on the way; PB_STAY: none */
	int8_t ending;   /* enum pb_roomba_ending */
	int16_t power;   /* ticks left of the pill */
	int16_t stopped; /* ticks until the reset, 0: all drive */
	int lives;       /* left; negative without end: minus deaths */
	int16_t combo;   /* ghosts eaten since the last pill */
	int left;        /* pellets left */
	int score;
	int deaths, eaten;             /* so far */
	int kills[PB_ROOMBA_GHOSTS];   /* deaths by each ghost */
	int collisions;                /* collisions of ghosts so far */
	unsigned events;               /* events of the last tick */
	uint64_t dot[PB_ROOMBA_WORDS]; /* pellets that remain */
	struct pb_roomba_ghost ghost[PB_ROOMBA_GHOSTS];
	struct pb_rng rng[PB_ROOMBA_GHOSTS];
};

/* The table of all options; a row is an option of pb-sim and pb-bench. */
extern const struct pb_params pb_roomba_params;

/*
 * Why z is no board of this game: its size; a start, reset point or home that
 * is missing, in a wall, or unreachable; two robots on one cell; an unreachable
 * pellet; no pellet. NULL if nothing does; else a text for people with the cell
 * in *row and *col, -1 if none.
 */
const char *pb_roomba_board_wrong(const struct pb_maze *z, int *row, int *col);

/*
 * Tables of z, which is right by the function above.
 *
 * Returns  PB_OK and b for pb_roomba_board_clear, or PB_ENOMEM
 */
enum pb_status pb_roomba_board_init(
    struct pb_roomba_board *b, const struct pb_maze *z);
void pb_roomba_board_clear(void *board);

/* Whether a pellet is left in cell i. */
bool pb_roomba_dot(const struct pb_roomba *s, int i);

/* Begin game `trial` of `seed`; b and o are kept, not owned. */
void pb_roomba_start(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, uint64_t seed, uint64_t trial);

/*
 * Pac-Man's direction with the stick at d: d if it is open, else the direction
 * pushed to on the way, else that of its last move if it is open, else PB_STAY;
 * PB_STAY stops it.
 */
enum pb_dir pb_roomba_steer(const struct pb_roomba *s, enum pb_dir d);

/*
 * Let a tick pass.
 *
 * Given    stick  where Pac-Man's stick points, see pb_roomba_steer
 *          c      programs that decide for robots; NULL: none
 * Returns  whether the game goes on; s->events says what happened
 */
bool pb_roomba_step(
    struct pb_roomba *s, enum pb_dir stick, const struct pb_agents *c);

/* Robot 0 is Pac-Man. */
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

/*
 * The same game, each robot in its own time. It decides in the centre of a
 * cell by the rules of the grid, seeing the cells that the others drive to;
 * turns and drives to the centre of the next one as robot/rover.h has it;
 * and decides again there. One that decides to wait does so for the time that
 * a cell takes, which is a tick of this game too.
 *
 * In s, `at` and `pacman` are the cells that robots drive to or stand in.
 * SI units; the origin is the lower left corner of the board, x right, y up.
 * A game is a pure function of (board, options, moves, seed, trial), and this
 * struct is flat.
 */
struct pb_roomba_bot {
	struct pb_waypoint way;
	bool rolls; /* it is between two cells */
	int wait;   /* else: steps until it decides */
};

struct pb_roomba_fleet {
	struct pb_roomba s;
	struct pb_onboard_robots onboard; /* set before steps; not owned */
	struct pb_rover rover[PB_ROOMBA_ROBOTS];
	struct pb_roomba_bot bot[PB_ROOMBA_ROBOTS];
	long step;          /* controller steps so far */
	int power, stopped; /* as in s, but in steps */
	unsigned decided;   /* bit i: robot i decided in the last step */
	enum pb_dir move[PB_ROOMBA_ROBOTS]; /* what it decided last */
	struct pb_bumps bumps; /* contacts of ghosts; collisions are in s */
};

/* Why robots with bodies cannot play on a board, NULL if they can. */
const char *pb_roomba_fleet_wrong(
    const struct pb_maze *z, const struct pb_roomba_opts *o);

/* Time between two steps, and since the start (s). */
double pb_roomba_fleet_dt(
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o);
double pb_roomba_fleet_time(const struct pb_roomba_fleet *f);

/* Begin game `trial` of `seed`. */
void pb_roomba_fleet_start(struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o,
    uint64_t seed, uint64_t trial);

/* Whether Pac-Man decides in the next step. */
bool pb_roomba_fleet_asks(const struct pb_roomba_fleet *f);

/* Let a step pass, see pb_roomba_step; the stick counts when it decides. */
bool pb_roomba_fleet_step(
    struct pb_roomba_fleet *f, enum pb_dir stick, const struct pb_agents *c);

/*
 * Ghost number `ghost` has failed, with a body or in step: it stands where it
 * is, an obstacle for the others, and neither kills nor is eaten. A reset puts
 * it back to its start, as if people carried it.
 */
void pb_roomba_fleet_fail_ghost(struct pb_roomba_fleet *f, int ghost);

/*
 * The same motion without small steps, for rollouts: a robot turns towards the
 * next centre at its turn rate until it is within its aim, drives straight at
 * its speed until it is near enough, and decides. Between decisions nothing has
 * to be stepped through. Controllers are exact and nothing is noisy, so times
 * are those of the game but for its steps and its noise. A robot decides with
 * the draws of s. The struct is flat.
 */
struct pb_roomba_leg {
	struct pb_vec from, to; /* it drives on the line between them */
	double off,
	    there; /* times when it has turned, and when it decides (s) */
	double th; /* heading on the line (rad) */
};

struct pb_roomba_course {
	struct pb_roomba s;
	double now;   /* time since the start (s) */
	double power; /* end of the pill (s) */
	struct pb_roomba_leg leg[PB_ROOMBA_ROBOTS];
};

/* Begin as f is; s->tick counts on from there. */
void pb_roomba_course_begin(
    struct pb_roomba_course *c, const struct pb_roomba_fleet *f);

/*
 * Let Pac-Man decide, and all drive until it decides again or is killed, or the
 * game ends.
 *
 * Given    stick  its direction, see pb_roomba_steer
 * Returns  whether it decides again
 */
bool pb_roomba_course_on(struct pb_roomba_course *c, enum pb_dir stick);
