/* safe_kill.h - the chance that the judge sees the robot caught. */
#ifndef PB_POLICY_SAFE_KILL_H
#define PB_POLICY_SAFE_KILL_H

#include "base/geom.h"

/*
 * Whether Clyde is within the death radius is decided by a pose that differs
 * from where the robot means to be: a circular normal error in the plane.
 * The chance is a function of the distance alone, kept as a table over its
 * square, so that no root is taken. A value.
 */
#define PB_SAFE_KILL_STEPS 256

struct pb_safe_kill {
	double reach;  /* beyond it the chance is 0 (m) */
	double reach2; /* its square (m2) */
	double scale;  /* table steps per square metre (1/m2) */
	float chance[PB_SAFE_KILL_STEPS + 1];
};

/*
 * Given    radius  caught within it (m), > 0
 *          sd      of the error, of each coordinate (m), >= 0
 *          least   chances below it count as 0, > 0
 */
struct pb_safe_kill pb_safe_kill_make(double radius, double sd, double least);

/* Chance between a and b: the nearest entry, monotone falling. */
static inline float
pb_safe_kill_at(const struct pb_safe_kill *k, struct pb_vec a, struct pb_vec b)
{
	double x = a.x - b.x, y = a.y - b.y, d2 = x * x + y * y;

	return d2 < k->reach2 ? k->chance[(int)(d2 * k->scale + 0.5)] : 0;
}

#endif
