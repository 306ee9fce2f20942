/* estimate.h - the error of a localizer, without the localizer. */
#ifndef PB_ROBOT_ESTIMATE_H
#define PB_ROBOT_ESTIMATE_H

#include <stdbool.h>

#include "base/geom.h"
#include "base/rng.h"

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
	unsigned updates;      /* how many */
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

#endif
