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
pb_approach_defaults(void)
{
	return (struct pb_approach_opts){
	    .turn_until = 0.03 * PB_PI, .v = 0.05, .gain = 1.4, .near = 0.16};
}

struct pb_twist3
pb_approach(const struct pb_approach_opts *o, struct pb_leg *leg,
    struct pb_pose p, const struct pb_tag *tag, struct pb_vec to,
    struct pb_vec cell, bool *there)
{
	struct pb_vec d = pb_vec_into(p, to);
	struct pb_twist3 u = {.w = {0, 0, pb_atan2(d.y, d.x)}};

	u.v[0] = pb_hypot(d.x, d.y);
	if (o->unit_axis && !pb_tag_screw(tag, to, &u))
		u = leg->last;
	leg->last = u;
	leg->aligned =
	    fabs(u.w[2]) < o->turn_until || (o->latch && leg->aligned);
	*there = fabs(to.x - p.x) < o->near * cell.x &&
	         fabs(to.y - p.y) < o->near * cell.y;
	if (*there)
		return (struct pb_twist3){.v = {0}};
	if (!leg->aligned)
		u.v[0] = u.v[1] = u.v[2] = 0;
	u.v[0] = copysign(fmin(fabs(u.v[0]), o->v), u.v[0]);
	u.w[2] *= leg->aligned ? o->gain : 1;
	return u;
}
