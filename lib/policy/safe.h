/* safe.h - the Kalman filter of the player `safe` for its pose. */
#pragma once

#include "game/pacmanbot/opts.h"
#include "pb/geom.h"

/*
 * A localizer's error lasts: the next estimate is wrong in much the same way.
 * Odometry is nearly right over a short distance. So the filter's state is the
 * robot's pose *and* the present error of the localizer, which decays by
 * `keep` from one estimate to the next; a measurement is the sum of both and
 * nothing else. How large it is assumed to be, and how good odometry is, are
 * options of the round: estimate.sd and the rest, wheels.rot_rot and the rest.
 * Averaging over many estimates then happens by itself. A Kalman filter (Thrun,
 * Burgard and Fox, "Probabilistic Robotics", 2005, section 3.2) for each of
 * x, y and heading: what an error of the heading does to the place is noise of
 * x and y. A plain value; SI units, map frame.
 */
struct pb_safe_axis {
	double at, error;      /* state */
	double var, cov, evar; /* covariance: of at, of both, of error */
};

struct pb_safe_pose {
	int seen;                    /* estimates up to now */
	struct pb_safe_axis axis[3]; /* x, y, heading */
	struct pb_pose odom;         /* odometry at the last estimate */
};

/*
 * Update the filter by an estimate.
 *
 * Given    odom  odometry at the moment of the estimate
 */
void pb_safe_pose_update(struct pb_safe_pose *f, const struct pb_round_opts *o,
    struct pb_pose estimate, struct pb_pose odom);

/* The pose of the odometry frame in the map, after the first estimate. */
struct pb_pose pb_safe_pose_frame(const struct pb_safe_pose *f);
