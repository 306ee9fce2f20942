/* roomba_drive.h - the Roomba game with bodies that turn and drive. */
#ifndef PB_GAME_ROOMBA_DRIVE_H
#define PB_GAME_ROOMBA_DRIVE_H

#include "game/roomba/roomba.h"
#include "robot/follow.h"
#include "robot/rover.h"

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
#define PB_ROOMBA_ROBOTS (1 + PB_ROOMBA_GHOSTS) /* Pac-Man is robot 0 */

struct pb_roomba_bot {
	struct pb_rover rover;
	struct pb_waypoint way;
	bool rolls; /* it is between two */
	int wait;   /* steps until it decides, if not */
};

struct pb_roomba_fleet {
	struct pb_roomba s;
	struct pb_roomba_bot bot[PB_ROOMBA_ROBOTS];
	long step;          /* of the controller, so far */
	int power, stopped; /* as in s, in steps */
	unsigned decided;   /* bit i: robot i decided in the last step */
	enum pb_dir move[PB_ROOMBA_ROBOTS]; /* what it decided last */
	unsigned close; /* pairs of ghosts that overlap now: a collision in s
	                     when that begins */
	double nearest; /* of two ghosts' centres so far (m) */
};

/* What keeps robots with bodies from a board, NULL if nothing does. */
const char *pb_roomba_fleet_wrong(
    const struct pb_maze *z, const struct pb_roomba_opts *o);

/* Time between two steps (s). */
double pb_roomba_fleet_dt(
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o);

/* Time since the start (s). */
double pb_roomba_fleet_time(const struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o);

/* The centre of cell i (m). */
struct pb_vec pb_roomba_centre(const struct pb_roomba_board *b, int i);

/* Begin game `trial` of `seed`. */
void pb_roomba_fleet_start(struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o,
    uint64_t seed, uint64_t trial);

/*
 * What the robots publish of f: they are where they believe to be; without
 * their draws and the error of a pose to come.
 */
struct pb_roomba_fleet pb_roomba_fleet_seen(const struct pb_roomba_fleet *f);

/* Whether Pac-Man decides in the next step. */
bool pb_roomba_fleet_asks(const struct pb_roomba_fleet *f);

/*
 * Let a step pass.
 *
 * Given    stick  where Pac-Man's stick points, see pb_roomba_steer; counts
 *                 when he decides
 * Returns  whether the game goes on; f->s.events says what happened
 */
bool pb_roomba_fleet_step(struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o,
    enum pb_dir stick);

/*
 * Robots that decide for themselves: called for robot -1, Pac-Man, or ghost 0
 * and up, when it is its turn; answers where it drives, an open way or PB_STAY.
 */
struct pb_roomba_crew {
	enum pb_dir (*decide)(void *ctx, struct pb_roomba_fleet *f, int robot);
	void *ctx;
};

/* The same step with a crew. */
bool pb_roomba_fleet_crew(struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o,
    const struct pb_roomba_crew *crew);

/* What a ghost decides by the rules, from its own draws. */
enum pb_dir pb_roomba_fleet_choose(struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o, int ghost);

/* A ghost has failed, see pb_roomba_lose: it stops where it is. */
void pb_roomba_fleet_lose(struct pb_roomba_fleet *f, int ghost);

#endif
