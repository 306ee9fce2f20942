/* follow.c - steer a differential drive along a path. */
#include "robot/follow.h"

#include <math.h>

#include "base/elementary.h"

/* The nearest point is searched this many lookaheads along the path. */
#define REACH 3.0

/* A carrot is never pulled nearer than this (m): it would not pull. */
#define LEAST 0.05

static double
dist2(struct pb_vec a, struct pb_vec b)
{
	double dx = a.x - b.x, dy = a.y - b.y;

	return dx * dx + dy * dy;
}

/*
 * Only forwards, and only some way ahead: where a path comes back beside
 * itself the nearest point of all may lie on the wrong leg.
 */
static void
advance(struct pb_follow *f, double reach, struct pb_vec p,
    const struct pb_vec *path, int n)
{
	double best = dist2(p, path[f->at]);
	double gone = 0;

	for (int i = f->at + 1; i < n && gone <= reach; i++) {
		double d = dist2(p, path[i]);

		gone += pb_dist(path[i - 1], path[i]);
		if (d <= best) {
			best = d;
			f->at = i;
		}
	}
}

static struct pb_vec
between(struct pb_vec a, struct pb_vec b, double part)
{
	return (struct pb_vec){
	    a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

/* The point `ahead` metres along the path from way-point i. */
static struct pb_vec
along(const struct pb_vec *path, int n, int i, double ahead)
{
	for (; i + 1 < n; i++) {
		double d = pb_dist(path[i], path[i + 1]);

		if (d >= ahead && d > 0)
			return between(path[i], path[i + 1], ahead / d);
		ahead -= d;
	}
	return path[n - 1];
}

struct pb_vec
pb_follow_carrot(struct pb_follow *f, const struct pb_follow_opts *o,
    struct pb_vec p, const struct pb_vec *path, int n, pb_clear_fn *clear,
    const void *ctx)
{
	double ahead = o->lookahead;
	struct pb_vec c;

	advance(f, REACH * o->lookahead, p, path, n);
	for (;;) {
		c = along(path, n, f->at, ahead);
		if (!clear || ahead <= LEAST || clear(ctx, p, c))
			return c;
		ahead /= 2;
	}
}

static double
clamp(double x, double limit)
{
	return x > limit ? limit : x < -limit ? -limit : x;
}

/* The fastest turn that can still stop after a (rad). */
static double
turn_rate(double a, const struct pb_limits *l)
{
	double w = sqrt(l->w_acc * fabs(a));

	return clamp(a < 0 ? -w : w, l->w_max);
}

struct pb_twist
pb_follow_twist(struct pb_follow *f, const struct pb_follow_opts *o,
    struct pb_pose p, struct pb_vec carrot, double rest,
    const struct pb_limits *l)
{
	struct pb_vec to = pb_vec_into(p, carrot);
	double a = pb_atan2(to.y, to.x);
	double d = pb_hypot(to.x, to.y);
	double v, w, brake;

	f->turning = fabs(a) > (f->turning ? o->turn_to : o->turn_at);
	if (f->turning || d <= 0)
		return (struct pb_twist){0, d > 0 ? turn_rate(a, l) : 0};
	brake = sqrt(2 * l->v_acc * (rest > 0 ? rest : 0));
	v = fmin(l->v_max, brake) * pb_cos(a);
	/* Arc through the carrot: curvature 2 sin(a) / d. */
	w = 2 * v * pb_sin(a) / d;
	if (fabs(w) > l->w_max) {
		v *= l->w_max / fabs(w);
		w = clamp(w, l->w_max);
	}
	return (struct pb_twist){v, w};
}
