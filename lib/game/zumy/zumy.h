/* zumy.h - the Zumy game: reach the goal unseen by exploring patrols. */
#pragma once

#include "game/boards.h"
#include "ghost/patrol.h"
#include "localize/mcl_state.h"
#include "localize/onboard.h"
#include "pb/game.h"
#include "robot/rover.h"

/*
 * Time passes in ticks of 0.1 s, the rate of the published loops. A robot
 * turns, drives one cell, and decides again; half-way it is in the next cell.
 * Every patrol has a camera that reports the player each tick that it sees it;
 * its belief s = 0.9 s + 0.1 (seen) makes it stop and stare above one threshold
 * and wins above another. Every few seconds a ping tells all patrols where it
 * is. The player knows the whole map and all robots' places, wins in the goal's
 * cell, and gives up where a patrol is right before it.
 *
 * A game is a pure function of (board, options, moves, seed, trial); only the
 * patrols' first places are drawn. The state is flat; copying is a snapshot.
 */
#define PB_ZUMY_PATROLS 8
#define PB_ZUMY_HZ      10 /* ticks a second */

/* How the robots move: cell by cell in step, or with bodies. */
enum { PB_ZUMY_GRID, PB_ZUMY_DRIVE };

/*
 * How the measured sizes of a cell become one: fading, the mean, or fading with
 * each axis measured by itself, as published.
 */
enum { PB_ZUMY_FADING, PB_ZUMY_MEAN, PB_ZUMY_AXES };

/* Robots with bodies; cells are the board's. */
struct pb_zumy_bodies {
	struct pb_approach_opts approach; /* published: by `compat` */
	struct pb_rover_opts rover;
	struct pb_mcl_opts
	    mcl;           /* options that have rows here; lengths in cells */
	double size;       /* diameter (m) */
	double cell_noise; /* standard deviation of a measured cell (share) */
	int average;       /* how measured cells are averaged, as above */
	double fade;       /* weight of a new cell in the fading average */
	double odd;        /* outliers differ by more than this (share) */
	double tilt;       /* tilt of robots' tags against the floor (rad) */
	double frame;      /* time between pictures (s) */
	double cell_first; /* initial average (m), 0: the board's size */
};

/*
 * How closely the rules follow the published code: its mistakes corrected, or
 * all of them made as published (the manual lists them).
 */
enum pb_zumy_compat { PB_ZUMY_CORRECTED, PB_ZUMY_PUBLISHED };

struct pb_zumy_opts {
	int patrols;   /* number of patrols, 0..PB_ZUMY_PATROLS */
	int cell_time; /* ticks to drive a cell, >= 1 */
	int turn_time; /* ticks for a quarter turn */
	int ping;      /* ticks between pings */
	double memory; /* share of s that stays from tick to tick */
	double stare;  /* above this s a patrol stops */
	double win;    /* above this s the patrols have won */
	int range;     /* range of the cameras (cells), 0: no limit */
	int near;      /* least distance of patrols from the player at the
	                  start (steps) */
	int limit;     /* ticks after which the game is a draw */
	bool share;    /* patrols share maps and sightings, and surround */
	int compat;    /* enum pb_zumy_compat */
	int nodes;     /* budget of a searching player */
	int motion;    /* PB_ZUMY_GRID or PB_ZUMY_DRIVE */
	struct pb_zumy_bodies bodies;
};

struct pb_zumy_board {
	struct pb_maze maze;
	struct pb_zumy_ground ground;
	double side;                /* side of a cell (m) */
	struct pb_zumy_cell start;  /* start of the player */
	struct pb_cells cells;      /* for distances */
	struct pb_onboard *onboard; /* robots have localizers, owned; or NULL */
};

enum pb_zumy_ending { PB_ZUMY_ON, PB_ZUMY_REACHED, PB_ZUMY_SEEN, PB_ZUMY_DRAW };

struct pb_zumy_body {
	struct pb_zumy_cell at; /* its cell, by the nearest centre */
	struct pb_zumy_cell
	    to;         /* cell that it drives to; equal to `at`: it stands */
	int8_t facing;  /* enum pb_dir */
	int8_t turning; /* direction after the turn */
	bool misread;   /* the player misreads its facing as down */
	bool unread;    /* its cell could not be read */
	int16_t turn,
	    drive; /* ticks left to turn and drive; both 0: it decides */
};

/* Cache of a patrol's plan, with the inputs that it was made from. */
struct pb_zumy_plan {
	bool made;
	bool ends;  /* the program ended as it was made */
	int8_t dir; /* enum pb_dir */
	struct pb_zumy_cell at, last, other[PB_ZUMY_PATROLS];
	uint64_t known; /* the map's rows as numbers, added: it only grows */
};

struct pb_zumy_patrol {
	struct pb_zumy_body body;
	struct pb_patrol_map map;
	struct pb_zumy_plan plan;
	double s;  /* belief that it sees the player, 0..1 */
	bool seen; /* it sees the player in this tick */
	bool stares;
	bool lost;   /* it has failed, and does nothing */
	double next; /* ping of its own is due after this tick */
};

/* Events of a tick: bits; those of patrols are shifted by their number. */
enum {
	PB_ZUMY_PING = 1,
	PB_ZUMY_STARE = 256,    /* 256 << patrol: it stops to stare */
	PB_ZUMY_RESUME = 65536, /* 65536 << patrol: it drives again */
	PB_ZUMY_ASKED = 1 << 24 /* << patrol: it has pinged for itself */
};

struct pb_zumy {
	const struct pb_zumy_board *board; /* not owned */
	const struct pb_zumy_opts *opts;   /* not owned */
	int tick;
	int8_t ending; /* enum pb_zumy_ending */
	int8_t by;     /* the patrol that won, -1 if none */
	unsigned events;
	int moves;   /* cells driven by the player */
	int waits;   /* ticks since the player could have decided */
	bool frozen; /* PB_ZUMY_PUBLISHED: seen at the start, it never moves */
	struct pb_zumy_body player;
	struct pb_zumy_patrol patrol[PB_ZUMY_PATROLS];
};

/* Of robot 0, the player, or of one of the patrols. */
static inline struct pb_zumy_body *
pb_zumy_body(struct pb_zumy *s, int robot)
{
	return robot == 0 ? &s->player : &s->patrol[robot - 1].body;
}

/* Whether the game makes the mistakes of the published code. */
static inline bool
pb_zumy_as_published(const struct pb_zumy_opts *o)
{
	return o->compat == PB_ZUMY_PUBLISHED;
}

/* The table of all options; a row is an option of pb-sim and pb-bench. */
extern const struct pb_params pb_zumy_params;

/* Why z is no board of this game, NULL if it is one. */
const char *pb_zumy_board_wrong(const struct pb_maze *z);

/* The goal, the first from the left and then from the bottom, if any. */
bool pb_zumy_goal(const struct pb_maze *z, struct pb_zumy_cell *goal);

/*
 * Tables of z. Without a start in z the player begins in the cell farthest
 * from the goal, the first one row by row.
 *
 * Returns  PB_OK and b for pb_zumy_board_clear, or PB_ENOMEM
 */
enum pb_status pb_zumy_board_init(
    struct pb_zumy_board *b, const struct pb_maze *z);
void pb_zumy_board_clear(void *board);

/* Cells where o lets patrols begin. */
int pb_zumy_room(const struct pb_zumy_board *b, const struct pb_zumy_opts *o);

/* Begin game `trial` of `seed`; there must be room for all patrols. b and o
 * are kept, not owned. */
void pb_zumy_start(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, uint64_t seed, uint64_t trial);

/* Whether the player decides in the next tick. */
bool pb_zumy_asks(const struct pb_zumy *s);

/* Whether a robot, 0 is the player's, may drive in direction d: no obstacle,
 * no other robot there. */
bool pb_zumy_can_drive(const struct pb_zumy *s, int robot, enum pb_dir d);

/* Robots that decide for themselves: called for each when it is its turn. A
 * move that is not allowed counts as PB_STAY. */
struct pb_zumy_agents {
	enum pb_dir (*decide)(void *ctx, struct pb_zumy *s, int robot);
	void *ctx;
};

/* Callbacks that move robots with bodies. */
struct pb_zumy_motor {
	/* A tick of motion of a body that drives or not; true if it has just
	 * arrived: then it is in the cell and turn and drive are 0. */
	bool (*advance)(void *ctx, int robot, struct pb_zumy_body *b);
	void *ctx;
};

/*
 * Let a tick pass.
 *
 * Given    d       where the player drives if it decides in this tick; with
 *                  PB_STAY, or a direction that is closed, it stays and decides
 *                  again in the next tick
 *          agents  NULL: d decides for the player, the rules for the patrols
 *          m       NULL: robots have no bodies; a cell takes as many ticks as
 *                  the rules say
 * Returns  whether the game goes on
 */
bool pb_zumy_tick(struct pb_zumy *s, enum pb_dir d,
    const struct pb_zumy_agents *agents, const struct pb_zumy_motor *m);

/* The allowed move that patrol i chooses by the rules, from its own map. */
enum pb_dir pb_zumy_choose(struct pb_zumy *s, int i);

/* Patrol i has failed: it stands where it is, to the end. The player, which
 * sees robots from above, assumes that it still looks. */
void pb_zumy_fail_patrol(struct pb_zumy *s, int i);

/*
 * Parts of a tick, in this order: the goal that patrol i plans from its own
 * map, and the path there (see pb_zumy_path for programs that end); process a
 * picture of its camera, returning whether the patrols have won; the patrol
 * right before the player, or -1; the state of the game if patrol `by` has won
 * (-1: none); the state in which the player's program starts.
 */
struct pb_zumy_cell pb_zumy_patrol_plan(
    const struct pb_zumy *s, int i, struct pb_zumy_path *way);
bool pb_zumy_patrol_ends(struct pb_zumy *s, int i);
bool pb_zumy_camera(struct pb_zumy *s, int i, bool seen);
int pb_zumy_right_before(const struct pb_zumy *s);
enum pb_zumy_ending pb_zumy_verdict(const struct pb_zumy *s, int by);
void pb_zumy_start_player(struct pb_zumy *s);

/* The player's view: all robots, and the estimated poses of those with bodies.
 * Patrols' maps follow from their paths. */
struct pb_zumy_view {
	const struct pb_zumy *s;
	struct pb_rng *rng;                /* the player's own draws */
	const struct pb_zumy_fleet *fleet; /* NULL: robots move in step */
};

/* Options: struct pb_zumy_opts. Players see struct pb_zumy_view. */
extern const struct pb_game pb_game_zumy;

/*
 * The same game with the published controller (robot/rover.h, pb_approach): a
 * robot that has set off to a cell turns and drives until it believes to be
 * near its centre. The centres follow from the size of a cell, which the camera
 * measures all the time between the tags at two corners and publishes as an
 * average; the lower left tag's cell is fixed, so an error grows with the
 * distance from it.
 *
 * In s, a body is in the cell that it believes to be nearer to, and looks
 * where it is heading, to the nearest of four directions. `turn` and `drive` of
 * a body under way are a forecast, for players that search ahead in steps. SI
 * units; the origin is the lower left corner of the board, x right, y up. The
 * struct is flat.
 */
#define PB_ZUMY_ROBOTS (1 + PB_ZUMY_PATROLS) /* the player is robot 0 */

struct pb_zumy_fleet {
	struct pb_zumy s;
	struct pb_onboard_robots onboard; /* set before steps; not owned */
	struct pb_rover rover[PB_ZUMY_ROBOTS];
	struct pb_leg leg[PB_ZUMY_ROBOTS]; /* controller states */
	double due[PB_ZUMY_ROBOTS];        /* time to the next picture (s) */
	double lean[PB_ZUMY_ROBOTS]; /* where tags are lowest, from ahead */
	struct pb_vec cell;          /* average size of a cell (m) */
	int samples;                 /* measurements in that average */
	struct pb_rng rng;           /* noise of the measurements */
	unsigned moved;              /* bit i: robot i has moved in this tick */
	struct pb_bumps bumps;       /* contacts of all robots */
	int collisions;              /* collisions so far */
};

/* Why robots with bodies cannot play on a board, NULL if they can. */
const char *pb_zumy_fleet_wrong(
    const struct pb_maze *z, const struct pb_zumy_opts *o);

/* Begin game `trial` of `seed`; there must be room for all patrols. */
void pb_zumy_fleet_start(struct pb_zumy_fleet *f, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, uint64_t seed, uint64_t trial);

/*
 * A cell was measured; it counts, by its weight, unless it differs by more than
 * the share `odd` either way.
 *
 * Returns  whether it does
 */
bool pb_zumy_average(
    struct pb_vec *cell, struct pb_vec measured, double weight, double odd);

/* Let a tick pass, see pb_zumy_tick; f->s has the new state. */
bool pb_zumy_fleet_tick(struct pb_zumy_fleet *f, enum pb_dir d,
    const struct pb_zumy_agents *agents);

/* A leg to the next cell, in ticks: the one after which the body looks there
 * for good, that after which it believes to be there for good, that in which it
 * arrives. */
struct pb_zumy_leg {
	int16_t facing, in, there;
};

/* Legs as they come with the noise that there is. */
#define PB_ZUMY_LEGS 32
struct pb_zumy_pace {
	/* by quarter turns before them; of the last index, the means */
	struct pb_zumy_leg leg[3][PB_ZUMY_LEGS + 1];
	double quiet; /* ticks of a straight leg without noise */
	int ahead;    /* ticks that a body turns on while it looks ahead */
};

/* Measure drives of a single robot on b, with errors of `spread` (m) in its
 * place. */
void pb_zumy_pace_measure(struct pb_zumy_pace *pace,
    const struct pb_zumy_board *b, const struct pb_zumy_opts *o, double spread,
    uint64_t seed);
