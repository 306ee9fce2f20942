/* omni.h - drives of wheels: omni wheels on a ring, and two on an axle. */
#ifndef PB_ROBOT_OMNI_H
#define PB_ROBOT_OMNI_H

#include <stdbool.h>

#include "robot/drive.h"

/*
 * Wheel speeds from the motion of the body, and back. Body frame: x forwards,
 * y left, angles counter-clockwise from x. Lengths in any one unit (m by the
 * defaults), speeds in that unit and radians a second. Values; nothing shared.
 */
#define PB_OMNI_WHEELS 8

/* Wheels on a ring around the middle, each rolling along the ring. */
struct pb_omni {
	int n;                          /* wheels, 1..PB_OMNI_WHEELS */
	double wheel;                   /* radius of a wheel, > 0 */
	double arm;                     /* from the middle to the wheels, > 0 */
	double bearing[PB_OMNI_WHEELS]; /* where they are (rad) */
	bool reversed[PB_OMNI_WHEELS];  /* its forwards turns the body right */
};

/* Any motion in the plane. */
struct pb_motion {
	double x, y; /* velocity */
	double w;    /* turn rate (rad/s) */
};

/* The published robot: three wheels of 19 mm, 2.6 inches from the middle. */
struct pb_omni pb_omni_defaults(void);

/*
 * Speeds of the wheels for a motion. For wheel i at bearing b,
 *
 *	(-x sin b + y cos b + w arm) / wheel
 *
 * Returns  n speeds (rad/s)
 */
void pb_omni_wheels(const struct pb_omni *o, struct pb_motion u, double *speed);

/*
 * The motion that fits the speeds of the wheels best, by least squares; for
 * three wheels it is exact.
 *
 * Returns  false and u untouched if the wheels do not determine a motion
 */
bool pb_omni_motion(
    const struct pb_omni *o, const double *speed, struct pb_motion *u);

/* Two wheels on an axle through the middle. */
struct pb_axle {
	double wheel; /* radius of a wheel, > 0 */
	double track; /* from wheel to wheel, > 0 */
};

/* Speeds of the wheels (rad/s) for a twist. */
void pb_axle_wheels(
    const struct pb_axle *a, struct pb_twist u, double *left, double *right);

/* The twist by the speeds of the wheels (rad/s). */
struct pb_twist pb_axle_twist(
    const struct pb_axle *a, double left, double right);

#endif
