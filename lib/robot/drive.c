/* drive.c - a differential drive: limits on its twist, and its motion. */
#include "robot/drive.h"

#include <math.h>

#include "base/elementary.h"

/* Below this turn (rad) the chord's sine series is exact to rounding. */
#define STRAIGHT 1e-4

static double
clamp(double x, double lo, double hi)
{
	return x < lo ? lo : x > hi ? hi : x;
}

struct pb_twist
pb_drive_limit(struct pb_twist now, struct pb_twist want,
    const struct pb_limits *l, double dt)
{
	double v = clamp(want.v, l->v_min, l->v_max);
	double w = clamp(want.w, -l->w_max, l->w_max);

	return (struct pb_twist){
	    clamp(v, now.v - l->v_acc * dt, now.v + l->v_acc * dt),
	    clamp(w, now.w - l->w_acc * dt, now.w + l->w_acc * dt),
	};
}

struct pb_pose
pb_drive_move(struct pb_pose p, struct pb_twist u, double dt)
{
	double a = u.w * dt;
	double half = a / 2;
	/* Chord of an arc: 2 r sin(a/2) = d sinc(a/2). */
	double s =
	    fabs(half) < STRAIGHT ? 1 - half * half / 6 : pb_sin(half) / half;
	double chord = u.v * dt * s;

	return (struct pb_pose){
	    p.x + chord * pb_cos(p.th + half),
	    p.y + chord * pb_sin(p.th + half),
	    pb_wrap(p.th + a),
	};
}
