/* drive.h - drives: limits and motion, wheels, motors and odometry. */
#pragma once

#include <stdbool.h>

#include "pb/decls.h"
#include "pb/geom.h"
#include "pb/rng.h"

PB_BEGIN_DECLS

/* Values; nothing is shared. SI units, angles counter-clockwise. */
struct pb_limits {
	double v_max; /* forward speed (m/s), > 0 */
	double v_min; /* backward speed (m/s), <= 0 */
	double w_max; /* turn rate, either way (rad/s), > 0 */
	double v_acc; /* acceleration and braking (m/s2), > 0 */
	double w_acc; /* acceleration of the turn rate (rad/s2), > 0 */
};

/*
 * The twist that follows `now` when `want` is asked for: first the limits of
 * speed, then those of acceleration, each axis by itself, as a velocity
 * smoother without feedback has it.
 *
 * Given    dt  time until the next twist (s), > 0
 */
struct pb_twist pb_drive_limit(struct pb_twist now, struct pb_twist want,
    const struct pb_limits *l, double dt);

/* The pose after driving with u for dt (s): an exact arc. */
struct pb_pose pb_drive_move(struct pb_pose p, struct pb_twist u, double dt);

/*
 * Position of a robot's body in a game that knows cells only: it starts to
 * drive when the game has the robot in the next cell, and arrives at constant
 * speed. Values; nothing is shared.
 */
struct pb_cell_motion {
	struct pb_vec from, to; /* middles of cells (cells) */
	struct pb_vec at;       /* the body, between them (cells) */
	int k;                  /* steps since `from` */
	bool placed;            /* the other members are valid */
};

/*
 * Make a step; the game has the robot in the cell with middle `to`.
 *
 * Given    h      zeroed: the robot has no position yet
 *          steps  number of steps for one cell, >= 1
 * Returns  whether the robot was set to `to` without driving: it had no
 * position, or `to` is farther than the next cell
 */
bool pb_cell_motion_step(struct pb_cell_motion *h, struct pb_vec to, int steps);

/* Any motion in the plane. Body frame: x forwards, y left. */
struct pb_motion {
	double x, y; /* velocity (m/s) */
	double w;    /* turn rate (rad/s) */
};

/*
 * The published robot with three wheels on a ring around its middle, each
 * rolling along the ring. Speeds of its wheels for a motion: of that at
 * bearing b
 *
 *	(-x sin b + y cos b + w arm) / wheel
 *
 * Returns  speeds (rad/s)
 */
#define PB_OMNI_WHEELS 3
void pb_omni_wheels(struct pb_motion u, double speed[PB_OMNI_WHEELS]);

/* The motion for the wheels' speeds. */
struct pb_motion pb_omni_motion(const double speed[PB_OMNI_WHEELS]);

/*
 * The published PI controller of a wheel's speed, with a feed-forward term.
 * Its gains are per step of the loop: its period is not in them. A duty is
 * positive forwards.
 */
#define PB_MOTOR_TOP   32768.0 /* duty that is always on */
#define PB_MOTOR_SPEED 60.0    /* of the simulated motor then (rad/s) */

struct pb_motor {
	double sum; /* integral term (duty) */
};

/*
 * The duty for the next period. A speed of 0 gives no duty, and resets the
 * integral.
 *
 * Given    ahead      feed-forward (duty per rad/s), 0: none
 *          want, got  wanted and measured speed (rad/s)
 */
double pb_motor_duty(struct pb_motor *m, double ahead, double want, double got);

/* The duties of the two pins of a bridge: forwards and backwards. */
void pb_motor_pins(double duty, double pin[2]);

/*
 * The speed of the simulated motor: 60 rad/s at full duty, and always too fast
 * by 0 to `fast`, evenly (0.08 as published).
 *
 * Given    r  the stream for PB_FOR_MOTION
 */
double pb_motor_speed(const double pin[2], double fast, struct pb_rng *r);

/*
 * Errors grow as a random walk with four alphas, as in the odometry model of
 * Thrun, Burgard and Fox ("Probabilistic Robotics", 2005, section 5.4), but
 * of variances per metre and per radian, so that the sum over a path does not
 * depend on the steps into which it is cut. A robot that stands draws nothing.
 */
struct pb_odom_noise {
	double rot_rot;     /* variance of heading, per rad turned (rad2/rad) */
	double rot_trans;   /* variance of heading, per m driven (rad2/m) */
	double trans_trans; /* variance of distance, per m driven (m2/m) */
	double trans_rot;   /* variance of distance, per rad turned (m2/rad) */
};

struct pb_odom {
	struct pb_pose pose;   /* pose in the odometry frame */
	struct pb_twist twist; /* measured twist of the last step */
};

/*
 * The robot drove with u for dt > 0 (s): measure it.
 *
 * Given    o  the odometry so far; a zeroed one starts at its origin
 *          n  variances, >= 0
 *          r  the stream for PB_FOR_ODOM
 */
void pb_odom_move(struct pb_odom *o, struct pb_twist u, double dt,
    const struct pb_odom_noise *n, struct pb_rng *r);

PB_END_DECLS
