/* follow.h - steer a differential drive along a path. */
#ifndef PB_ROBOT_FOLLOW_H
#define PB_ROBOT_FOLLOW_H

#include <stdbool.h>

#include "base/geom.h"
#include "robot/drive.h"

/*
 * Pure pursuit (Coulter, "Implementation of the pure pursuit path tracking
 * algorithm", 1992): aim at a point of the path some way ahead, the carrot,
 * and drive the arc that leads there. A robot that looks the wrong way turns
 * on the spot first. The path belongs to the caller.
 */
struct pb_follow_opts {
	double lookahead; /* from the nearest point to the carrot (m), > 0 */
	double turn_at;   /* misaligned by more than this: turn (rad) */
	double turn_to;   /* ... until it is less than this (rad) */
};

struct pb_follow {
	int at;       /* way-point that was nearest last time */
	bool turning; /* on the spot */
};

/* Whether the straight way from a to b can be driven. */
typedef bool pb_clear_fn(const void *ctx, struct pb_vec a, struct pb_vec b);

/*
 * The carrot: the point at most `lookahead` along the path from its nearest
 * point, pulled back until the straight way there is clear.
 *
 * Given    f     moves on; start a path with a zeroed one
 *          p     place of the robot
 *          path  n >= 1 points, a few centimetres to metres apart
 *          clear NULL: everything is
 */
struct pb_vec pb_follow_carrot(struct pb_follow *f,
    const struct pb_follow_opts *o, struct pb_vec p, const struct pb_vec *path,
    int n, pb_clear_fn *clear, const void *ctx);

/*
 * The twist that leads to the carrot.
 *
 * Given    p       pose of the robot, same frame as the carrot
 *          carrot  where to aim
 *          rest    way still to go (m): it brakes to stop there
 *          l       limits; the twist respects those of speed, and slows down
 *                  in time for those of acceleration
 */
struct pb_twist pb_follow_twist(struct pb_follow *f,
    const struct pb_follow_opts *o, struct pb_pose p, struct pb_vec carrot,
    double rest, const struct pb_limits *l);

#endif
