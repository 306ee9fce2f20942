/* waypoint.h - drive from cell to cell: turn, then go. */
#ifndef PB_ROBOT_WAYPOINT_H
#define PB_ROBOT_WAYPOINT_H

#include <stdbool.h>

#include "robot/drive.h"
#include "robot/tag.h"

/*
 * Two published ways in which a robot with a differential drive goes to the
 * centre of the next cell. SI units, one frame for poses and points.
 *
 * Turn until the target is ahead within an angle, then drive with small
 * corrections until it is near; then what was desired becomes the target. The
 * desired cell may change at any time, the target does not.
 */
struct pb_waypoint_opts {
	double aim;     /* it drives when the target is so much aside (rad) */
	double near;    /* it is there when so near to the centre (m) */
	double v;       /* forwards (m/s) */
	double w;       /* turning on the spot (rad/s) */
	double correct; /* turn rate per error of heading while driving (1/s) */
};

struct pb_waypoint {
	struct pb_vec target, desired;
	bool driving; /* it has turned */
};

/* The aim is published; the rest is ours, for cells of some 0.4 m. */
struct pb_waypoint_opts pb_waypoint_defaults(void);

/* Stand at `at`: it is target and desired. */
struct pb_waypoint pb_waypoint_begin(struct pb_vec at);

/*
 * The twist for the next dt (s).
 *
 * Returns  *there: the target was reached, and the desired one is target now
 * Note     While it drives it does not stop to turn again unless the target is
 *          behind it.
 */
struct pb_twist pb_waypoint_step(struct pb_waypoint *s,
    const struct pb_waypoint_opts *o, struct pb_pose p, double dt, bool *there);

/*
 * The other way: the twist that would bring the robot there in one second,
 * turning first, then cut to a speed. The published code makes two slips: its
 * twist has a unit axis (see robot/tag.h), and who was aligned once does not
 * turn on the spot again until he is there.
 */
struct pb_approach_opts {
	double turn_until; /* on the spot while the turn rate is more (rad/s) */
	double v;          /* forwards at most (m/s) */
	double gain;       /* of the turn rate while it drives */
	double near;       /* there if both coordinates are so near (cells) */
	bool unit_axis;    /* as published */
	bool latch;        /* as published */
};

struct pb_approach_opts pb_approach_defaults(void);

/* What the controller keeps on its way to one point; zero it to begin. */
struct pb_leg {
	bool aligned;
	struct pb_twist3 last; /* what it was about to turn by */
	struct pb_twist3 told; /* for who drives by it: the latest twist */
};

/*
 * The twist to a point; zero, and *there, if it is reached.
 *
 * Given    p     where the robot believes to be
 *          tag   its tag at p, for the unit axis; NULL without
 *          cell  size of a cell (m)
 * Note     Where no axis is defined, it is that of the step before.
 */
struct pb_twist3 pb_approach(const struct pb_approach_opts *o,
    struct pb_leg *leg, struct pb_pose p, const struct pb_tag *tag,
    struct pb_vec to, struct pb_vec cell, bool *there);

#endif
