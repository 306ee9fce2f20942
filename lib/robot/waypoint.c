/* waypoint.c - drive from cell to cell: turn, then go. */
#include "robot/waypoint.h"

#include <math.h>

#include "base/elementary.h"

struct pb_waypoint_opts
pb_waypoint_defaults(void)
{
	return (struct pb_waypoint_opts){
	    .aim = PB_PI / 18, .near = 0.05, .v = 0.3, .w = 1.5, .correct = 2};
}

struct pb_waypoint
pb_waypoint_begin(struct pb_vec at)
{
	return (struct pb_waypoint){.target = at, .desired = at};
}

static bool
reached(
    struct pb_waypoint *s, const struct pb_waypoint_opts *o, struct pb_pose p)
{
	if (pb_dist(pb_pose_vec(p), s->target) > o->near)
		return false;
	s->target = s->desired;
	s->driving = false;
	return true;
}

/* To one side at most so fast, and no further than a in dt. */
static double
turn(double a, double most, double dt)
{
	double w = a / dt;

	return w > most ? most : w < -most ? -most : w;
}

struct pb_twist
pb_waypoint_step(struct pb_waypoint *s, const struct pb_waypoint_opts *o,
    struct pb_pose p, double dt, bool *there)
{
	struct pb_vec to;
	double a, d, v;

	*there = reached(s, o, p);
	to = pb_vec_into(p, s->target);
	a = pb_atan2(to.y, to.x);
	d = pb_hypot(to.x, to.y);
	if (d <= o->near)
		return (struct pb_twist){0, 0};
	s->driving = fabs(a) <= (s->driving ? PB_PI / 2 : o->aim);
	if (!s->driving)
		return (struct pb_twist){0, turn(a, o->w, dt)};
	v = fmin(o->v, d * pb_cos(a) / dt);
	return (struct pb_twist){v, turn(o->correct * a * dt, o->w, dt)};
}

struct pb_approach_opts
pb_approach_defaults(double cell)
{
	return (struct pb_approach_opts){.turn_until = 0.03 * PB_PI,
	    .v = 0.05,
	    .gain = 1.4,
	    .near = 0.16 * cell};
}

struct pb_twist
pb_approach(const struct pb_approach_opts *o, struct pb_pose p,
    struct pb_vec to, bool *there)
{
	struct pb_vec d = pb_vec_into(p, to);
	double w = pb_atan2(d.y, d.x);

	*there = fabs(to.x - p.x) < o->near && fabs(to.y - p.y) < o->near;
	if (*there)
		return (struct pb_twist){0, 0};
	if (fabs(w) >= o->turn_until)
		return (struct pb_twist){0, w};
	return (struct pb_twist){fmin(pb_hypot(d.x, d.y), o->v), o->gain * w};
}
