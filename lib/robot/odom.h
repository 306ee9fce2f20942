/* odom.h - wheel odometry: what the robot believes that it drove. */
#ifndef PB_ROBOT_ODOM_H
#define PB_ROBOT_ODOM_H

#include "base/geom.h"
#include "base/rng.h"
#include "robot/drive.h"

/*
 * Errors grow as a random walk with four alphas, as in the odometry model of
 * Thrun, Burgard and Fox ("Probabilistic Robotics", 2005, section 5.4), but
 * of variances per metre and per radian, so that the sum over a way does not
 * depend on the steps in which it is cut. A robot that stands draws nothing.
 */
struct pb_odom_noise {
	double rot_rot;     /* of heading, per rad turned (rad2/rad) */
	double rot_trans;   /* of heading, per m driven (rad2/m) */
	double trans_trans; /* of distance, per m driven (m2/m) */
	double trans_rot;   /* of distance, per rad turned (m2/rad) */
};

struct pb_odom {
	struct pb_pose pose;   /* in the odometry frame */
	struct pb_twist twist; /* as measured over the last step */
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

#endif
