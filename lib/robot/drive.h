/* drive.h - a differential drive: limits on its twist, and its motion. */
#ifndef PB_ROBOT_DRIVE_H
#define PB_ROBOT_DRIVE_H

#include "base/geom.h"

/* Values; nothing is shared. SI units, angles counter-clockwise. */
struct pb_twist {
	double v; /* forwards (m/s) */
	double w; /* turn rate (rad/s) */
};

struct pb_limits {
	double v_max; /* forwards (m/s), > 0 */
	double v_min; /* backwards (m/s), <= 0 */
	double w_max; /* either way (rad/s), > 0 */
	double v_acc; /* gaining and losing speed (m/s2), > 0 */
	double w_acc; /* the same of the turn rate (rad/s2), > 0 */
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

#endif
