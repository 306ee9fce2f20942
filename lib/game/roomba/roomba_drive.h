/* roomba_drive.h - the Roomba game with bodies that turn and drive. */
#pragma once

#include "game/boards.h"
#include "game/roomba/roomba.h"
#include "localize/onboard.h"

/*
 * The same game, each robot in its own time. It decides in the centre of a
 * cell by the rules of the grid, seeing the cells that the others drive to;
 * turns and drives to the centre of the next one as robot/follow.h has it;
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
	bool rolls;     /* it is between two */
	int wait;       /* steps until it decides, if not */
	int16_t waited; /* ticks in a row */
};

struct pb_roomba_fleet {
	struct pb_roomba s;
	struct pb_onboard_crew aboard; /* set before steps; not owned */
	struct pb_rover rover[PB_ROOMBA_ROBOTS];
	struct pb_roomba_bot bot[PB_ROOMBA_ROBOTS];
	long step;          /* of the controller, so far */
	int power, stopped; /* as in s, in steps */
	unsigned decided;   /* bit i: robot i decided in the last step */
	enum pb_dir move[PB_ROOMBA_ROBOTS]; /* what it decided last */
	double unsure[PB_ROOMBA_ROBOTS];    /* standard deviation of a robot's
	                                       place along a line, told (m) */
	struct pb_bumps bumps;              /* of ghosts; collisions in s */
};

/* What keeps robots with bodies from a board, NULL if nothing does. */
const char *pb_roomba_fleet_wrong(
    const struct pb_maze *z, const struct pb_roomba_opts *o);

/* Time between two steps, and since the start (s). */
double pb_roomba_fleet_dt(
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o);
double pb_roomba_fleet_time(const struct pb_roomba_fleet *f);

/* The centre of cell i (m). */
struct pb_vec pb_roomba_centre(const struct pb_roomba_board *b, int i);

/* Begin game `trial` of `seed`. */
void pb_roomba_fleet_start(struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o,
    uint64_t seed, uint64_t trial);

/* Whether Pac-Man decides in the next step. */
bool pb_roomba_fleet_asks(const struct pb_roomba_fleet *f);

/* Let a step pass, see pb_roomba_step; the stick counts when he decides. */
bool pb_roomba_fleet_step(
    struct pb_roomba_fleet *f, enum pb_dir stick, const struct pb_crew *c);

/* A ghost has failed, see pb_roomba_lose: it stops where it is. */
void pb_roomba_fleet_lose(struct pb_roomba_fleet *f, int ghost);

/*
 * What is played above in small steps, for players that play on in thought: a
 * robot turns towards the next centre at its turn rate until it is within its
 * aim, drives straight at its speed until it is near enough, and decides.
 * Between decisions nothing has to be stepped through. Controllers are exact
 * and nothing is noisy, so times are those of the game but for its steps and
 * its noise. A robot decides with the draws of s. The struct is flat.
 */
struct pb_roomba_leg {
	struct pb_vec from, to; /* it drives on the line between them */
	double off, there; /* when it has turned, and when it decides (s) */
	double th;         /* heading on the line (rad) */
};

struct pb_roomba_course {
	struct pb_roomba s;
	double now;   /* time since it was begun (s) */
	double power; /* when the pill is over (s) */
	struct pb_roomba_leg leg[PB_ROOMBA_ROBOTS];
	double unsure[PB_ROOMBA_ROBOTS]; /* as of the fleet */
};

/* Begin as f is; s->tick counts on from there. */
void pb_roomba_course_begin(
    struct pb_roomba_course *c, const struct pb_roomba_fleet *f);

/*
 * Pac-Man decides, and all drive until he decides again, is killed, or the
 * game ends.
 *
 * Given    stick  where it points, see pb_roomba_steer
 * Returns  whether he decides again
 */
bool pb_roomba_course_on(struct pb_roomba_course *c, enum pb_dir stick);
