/* omni.c - drives of wheels: omni wheels on a ring, and two on an axle. */
#include "robot/omni.h"

#include <math.h>

#include "base/elementary.h"

/* Wheels whose speeds fix a motion no better than this fix none. */
#define FLAT 1e-9

struct pb_omni
pb_omni_defaults(void)
{
	return (struct pb_omni){
	    .n = 3,
	    .wheel = 0.019,
	    .arm = 0.06604,
	    .bearing = {0, 2 * PB_PI / 3, 4 * PB_PI / 3},
	};
}

/* How much of each part of a motion wheel i rolls, at its rim. */
static void
row_of(const struct pb_omni *o, int i, double row[3])
{
	double c = o->reversed[i] ? -1 : 1;

	row[0] = -c * pb_sin(o->bearing[i]);
	row[1] = c * pb_cos(o->bearing[i]);
	row[2] = c * o->arm;
}

void
pb_omni_wheels(const struct pb_omni *o, struct pb_motion u, double *speed)
{
	for (int i = 0; i < o->n; i++) {
		double row[3];

		row_of(o, i, row);
		speed[i] =
		    (row[0] * u.x + row[1] * u.y + row[2] * u.w) / o->wheel;
	}
}

static double
det(const double a[3], const double b[3], const double c[3])
{
	return a[0] * (b[1] * c[2] - b[2] * c[1]) -
	       a[1] * (b[0] * c[2] - b[2] * c[0]) +
	       a[2] * (b[0] * c[1] - b[1] * c[0]);
}

bool
pb_omni_motion(
    const struct pb_omni *o, const double *speed, struct pb_motion *u)
{
	double m[3][3] = {{0}}, b[3] = {0}, d;

	for (int i = 0; i < o->n; i++) {
		double row[3];

		row_of(o, i, row);
		for (int j = 0; j < 3; j++) {
			b[j] += row[j] * speed[i] * o->wheel;
			for (int k = 0; k < 3; k++)
				m[j][k] += row[j] * row[k];
		}
	}
	/* Cramer's rule; m is symmetric, so its rows are its columns. */
	d = det(m[0], m[1], m[2]);
	if (!(fabs(d) > FLAT * o->arm * o->arm))
		return false;
	*u = (struct pb_motion){det(b, m[1], m[2]) / d, det(m[0], b, m[2]) / d,
	    det(m[0], m[1], b) / d};
	return true;
}

void
pb_axle_wheels(
    const struct pb_axle *a, struct pb_twist u, double *left, double *right)
{
	*left = (u.v - u.w * a->track / 2) / a->wheel;
	*right = (u.v + u.w * a->track / 2) / a->wheel;
}

struct pb_twist
pb_axle_twist(const struct pb_axle *a, double left, double right)
{
	return (struct pb_twist){(left + right) / 2 * a->wheel,
	    (right - left) * a->wheel / a->track};
}
