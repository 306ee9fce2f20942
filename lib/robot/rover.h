/* rover.h - a robot's body: where it is, and where it believes to be. */
#ifndef PB_ROBOT_ROVER_H
#define PB_ROBOT_ROVER_H

#include "base/param.h"
#include "robot/drive.h"
#include "robot/estimate.h"

/*
 * A differential drive that does what it is told, as fast as its motors let it,
 * but for a share of its twist, and a localizer whose error lasts for a while.
 * SI units, map frame. The state is flat; copying it is a snapshot.
 */
struct pb_rover_opts {
	struct pb_estimate_opts estimate; /* min_d, min_a: not used */
	double slip;  /* standard deviation of a twist (share of it) */
	double v_acc; /* gaining and losing speed (m/s2), 0: at once */
	double w_acc; /* the same of the turn rate (rad/s2) */
};

/* Rows (see param.h) of the rover at a field; how its game calls a step. */
#define PB_ROVER_ROWS(rover, step)                                       \
	PB_REAL("pose-noise", rover.estimate.sd, "m", 0, 10,             \
	    "standard deviation of the estimated x and y"),              \
	    PB_REAL("heading-noise", rover.estimate.th_sd, "rad", 0, 3,  \
		"standard deviation of the estimated heading"),          \
	    PB_REAL("pose-keep", rover.estimate.keep, "", 0, 0.999,      \
		"share of the error that stays from " step " to " step), \
	    PB_REAL("slip", rover.slip, "share", 0, 1,                   \
		"standard deviation of the wheels' speeds"),             \
	    PB_REAL("accel", rover.v_acc, "m/s2", 0, 100,                \
		"acceleration of robots, 0: without limit"),             \
	    PB_REAL("turn-accel", rover.w_acc, "rad/s2", 0, 1000,        \
		"the same of their turn rate")

struct pb_rover {
	struct pb_pose pose;   /* the truth */
	struct pb_pose seen;   /* the estimate, which it steers by */
	struct pb_twist twist; /* as it moved in the last step */
	struct pb_estimator error;
	struct pb_rng noise, motion;
};

/* Begin robot number `which` of trial `trial` of `seed` at p. */
void pb_rover_start(struct pb_rover *r, const struct pb_rover_opts *o,
    struct pb_pose p, uint64_t seed, uint64_t trial, unsigned which);

/* Somebody puts it at p. */
void pb_rover_place(
    struct pb_rover *r, const struct pb_rover_opts *o, struct pb_pose p);

/* Drive with u for dt (s), then look. */
void pb_rover_drive(struct pb_rover *r, const struct pb_rover_opts *o,
    struct pb_twist u, double dt);

#endif
