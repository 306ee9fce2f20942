/* zumy_drive.h - the Zumy game with bodies that turn and drive. */
#pragma once

#include "game/boards.h"
#include "game/zumy/zumy.h"
#include "localize/onboard.h"

/*
 * The same game with the published controller (robot/follow.h,
 * pb_approach): a robot that has set off to a cell turns and drives until it
 * believes to be near its centre. Where centres are follows from the size of a
 * cell, which somebody measures all the time between the tags at two corners
 * and publishes as an average; the lower left tag's cell is fixed, so an error
 * grows with the distance from it.
 *
 * In s, a body is in the cell that it believes to be nearer to, and looks
 * where it is heading, to the nearest of four directions. What `turn` and
 * `drive` say of a body under way is a forecast, for players that think ahead
 * in step. SI units; the origin is the lower left corner of the board, x right,
 * y up. The struct is flat.
 */
#define PB_ZUMY_ROBOTS (1 + PB_ZUMY_PATROLS) /* the player is robot 0 */

struct pb_zumy_fleet {
	struct pb_zumy s;
	struct pb_onboard_crew aboard; /* set before steps; not owned */
	struct pb_rover rover[PB_ZUMY_ROBOTS];
	struct pb_leg leg[PB_ZUMY_ROBOTS]; /* of the controllers */
	double due[PB_ZUMY_ROBOTS];        /* to the next picture (s) */
	double lean[PB_ZUMY_ROBOTS]; /* where tags are lowest, from ahead */
	struct pb_vec cell;          /* average size of a cell (m) */
	int samples;                 /* in it */
	struct pb_rng rng;           /* of the measurements */
	unsigned moved;              /* bit i: robot i has moved in this tick */
	struct pb_bumps bumps;       /* of all robots */
	int collisions;              /* times that two came to overlap */
};

/* What keeps robots with bodies from a board, NULL if nothing does. */
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

/* Let a tick pass, see pb_zumy_tick; f->s tells about it. */
bool pb_zumy_fleet_tick(
    struct pb_zumy_fleet *f, enum pb_dir d, const struct pb_zumy_crew *crew);

/* A leg to the next cell, in ticks: the one after which the body looks there
 * for good, that after which it believes to be there for good, that in which it
 * arrives. Who turns back looks aside first, `way` quarters from where he
 * looked, after tick `aside`; 0: he does not. */
struct pb_zumy_leg {
	int16_t facing, in, there, aside, way;
};

/* Legs as they come with the noise that there is. */
#define PB_ZUMY_LEGS 32
struct pb_zumy_pace {
	/* by quarter turns before them; of the last index, the means */
	struct pb_zumy_leg leg[3][PB_ZUMY_LEGS + 1];
	double quiet; /* ticks of a straight leg without noise */
	int ahead;    /* ticks that a body turns on while it looks ahead */
};

/* A robot alone on b drives, whose place has errors as large as `spread` (m).
 */
void pb_zumy_pace_measure(struct pb_zumy_pace *pace,
    const struct pb_zumy_board *b, const struct pb_zumy_opts *o, double spread,
    uint64_t seed);
