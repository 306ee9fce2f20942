/* rover.h - a robot's body: where it is, and where it believes to be. */
#pragma once

#include <stdbool.h>

#include "pb/geom.h"
#include "pb/param.h"
#include "pb/rng.h"

/*
 * A particle filter publishes a pose after some motion, and its error lasts
 * from one publication to the next. Here the estimate is the truth plus an
 * error that is a first-order autoregressive process, one per coordinate:
 *
 *	e' = keep e + sqrt(1 - keep^2) sd N(0, 1)
 *
 * so that its standard deviation is sd at every update.
 */
struct pb_estimate_opts {
	double sd;    /* of x and of y (m), >= 0 */
	double th_sd; /* of heading (rad), >= 0 */
	double keep;  /* 0..1 */
	double min_d; /* motion along an axis of the odometry (m) or ... */
	double min_a; /* ... turn (rad) before an update, >= 0 */
};

struct pb_estimator {
	bool ever;             /* there was an update */
	struct pb_pose error;  /* present error, map axes */
	struct pb_pose odom;   /* odometry at the last update */
	struct pb_pose pose;   /* estimate at the last update */
	struct pb_pose in_map; /* odometry frame in the map, by it */
};

/*
 * Whether an update is due: the first, and after enough motion. As in AMCL,
 * motion is the change of either coordinate, not the distance.
 */
bool pb_estimate_due(const struct pb_estimator *e,
    const struct pb_estimate_opts *o, struct pb_pose odom);

/*
 * Update: draw the error, set pose and in_map.
 *
 * Given    truth, odom  poses at this moment, in the map and odometry frames
 *          r            the stream for PB_FOR_POSE
 */
void pb_estimate_update(struct pb_estimator *e,
    const struct pb_estimate_opts *o, struct pb_pose truth, struct pb_pose odom,
    struct pb_rng *r);

/* The estimate carried on by odometry: what steering uses in between. */
struct pb_pose pb_estimate_now(
    const struct pb_estimator *e, struct pb_pose odom);

/* Where estimates come from: the error above, or a method that is on board. */
enum pb_rover_localizer { PB_ROVER_NOISE, PB_ROVER_MCL, PB_ROVER_ODOM };

/*
 * A differential drive that does what it is told, as fast as its motors let it,
 * but for a share of its twist, and a localizer whose error lasts for a while.
 * SI units, map frame. The state is flat; copying it is a snapshot.
 */
struct pb_rover_opts {
	struct pb_estimate_opts estimate; /* min_d, min_a: not used */
	double slip;   /* standard deviation of a twist (share of it) */
	double v_acc;  /* gaining and losing speed (m/s2), 0: at once */
	double w_acc;  /* the same of the turn rate (rad/s2) */
	int localizer; /* enum pb_rover_localizer */
};

/*
 * Rows (see param.h) of the rover at a field; how its game calls a step; the
 * usual errors of its place (m) and heading (rad).
 */
#define PB_ROVER_ROWS(rover, step, sd_, th_sd_)                              \
	PB_REAL("pose-noise", rover.estimate.sd, "m", sd_, 0, 10,            \
	    "standard deviation of the estimated x and y",                   \
	    .when = "motion=drive&localizer=noise"),                         \
	    PB_REAL("heading-noise", rover.estimate.th_sd, "rad", th_sd_, 0, \
		3, "standard deviation of the estimated heading",            \
		.when = "motion=drive&localizer=noise"),                     \
	    PB_REAL("pose-keep", rover.estimate.keep, "", 0.9, 0, 0.999,     \
		"share of the error that stays from " step " to " step,      \
		.when = "motion=drive&localizer=noise"),                     \
	    PB_REAL("slip", rover.slip, "share", 0.05, 0, 1,                 \
		"standard deviation of the wheels' speeds",                  \
		.when = "motion=drive"),                                     \
	    PB_REAL("accel", rover.v_acc, "m/s2", 0, 0, 100,                 \
		"acceleration of robots, 0: without limit",                  \
		.when = "motion=drive"),                                     \
	    PB_REAL("turn-accel", rover.w_acc, "rad/s2", 0, 0, 1000,         \
		"the same of their turn rate", .when = "motion=drive")

#define PB_ROVER_LOCALIZERS "noise|mcl|odom"
#define PB_ROVER_LOCALIZER_ROW(rover)                                \
	PB_CHOICE("localizer", rover.localizer, PB_ROVER_LOCALIZERS, \
	    "where robots' estimates are from", .when = "motion=drive")

/*
 * With a method on board (localize/onboard.h) `seen` is what that says; here
 * it is left alone but where somebody puts the robot.
 */
struct pb_rover {
	struct pb_pose pose;    /* the truth */
	struct pb_pose seen;    /* the estimate, which it steers by */
	struct pb_twist twist;  /* as it moved in the last step */
	struct pb_twist wheels; /* as its wheels turned, which may slip */
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
