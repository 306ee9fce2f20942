/* rover.c - a robot's body: where it is, and where it believes to be. */
#include "robot/rover.h"

#include <math.h>

bool
pb_estimate_due(const struct pb_estimator *e, const struct pb_estimate_opts *o,
    struct pb_pose odom)
{
	if (!e->ever)
		return true;
	return fabs(odom.x - e->odom.x) >= o->min_d ||
	       fabs(odom.y - e->odom.y) >= o->min_d ||
	       fabs(pb_wrap(odom.th - e->odom.th)) >= o->min_a;
}

/* The first error comes from the stationary distribution. */
static double
next_error(double e, double sd, double keep, bool ever, struct pb_rng *r)
{
	double fresh = sd * pb_rng_normal(r);

	return ever ? keep * e + sqrt(1 - keep * keep) * fresh : fresh;
}

void
pb_estimate_update(struct pb_estimator *e, const struct pb_estimate_opts *o,
    struct pb_pose truth, struct pb_pose odom, struct pb_rng *r)
{
	e->error.x = next_error(e->error.x, o->sd, o->keep, e->ever, r);
	e->error.y = next_error(e->error.y, o->sd, o->keep, e->ever, r);
	e->error.th = next_error(e->error.th, o->th_sd, o->keep, e->ever, r);
	e->pose.x = truth.x + e->error.x;
	e->pose.y = truth.y + e->error.y;
	e->pose.th = pb_wrap(truth.th + e->error.th);
	e->odom = odom;
	e->in_map = pb_pose_compose(e->pose, pb_pose_inverse(odom));
	e->ever = true;
}

struct pb_pose
pb_estimate_now(const struct pb_estimator *e, struct pb_pose odom)
{
	return pb_pose_compose(e->in_map, odom);
}

/* Without noise no draws: they cost more than all the rest. */
static void
look(struct pb_rover *r, const struct pb_rover_opts *o)
{
	if (o->localizer != PB_ROVER_NOISE)
		return;
	if (o->estimate.sd == 0 && o->estimate.th_sd == 0) {
		r->seen = r->pose;
		return;
	}
	pb_estimate_update(
	    &r->error, &o->estimate, r->pose, r->pose, &r->noise);
	r->seen = r->error.pose;
}

void
pb_rover_start(struct pb_rover *r, const struct pb_rover_opts *o,
    struct pb_pose p, uint64_t seed, uint64_t trial, unsigned which)
{
	*r = (struct pb_rover){.pose = p, .seen = p};
	pb_rng_start(&r->noise, seed, trial, PB_FOR_POSE, which);
	pb_rng_start(&r->motion, seed, trial, PB_FOR_MOTION, which);
	look(r, o);
}

void
pb_rover_place(
    struct pb_rover *r, const struct pb_rover_opts *o, struct pb_pose p)
{
	r->pose = r->seen = p;
	r->twist = (struct pb_twist){0, 0};
	look(r, o);
}

/* What the motors make of u after the twist that was. */
static struct pb_twist
motors(const struct pb_rover_opts *o, struct pb_twist was, struct pb_twist u,
    double dt)
{
	const struct pb_limits l = {.v_max = INFINITY,
	    .v_min = -INFINITY,
	    .w_max = INFINITY,
	    .v_acc = o->v_acc > 0 ? o->v_acc : INFINITY,
	    .w_acc = o->w_acc > 0 ? o->w_acc : INFINITY};

	return pb_drive_limit(was, u, &l, dt);
}

void
pb_rover_drive(struct pb_rover *r, const struct pb_rover_opts *o,
    struct pb_twist u, double dt)
{
	if (o->v_acc > 0 || o->w_acc > 0)
		u = motors(o, r->twist, u, dt);
	r->wheels = u;
	if (o->slip > 0) {
		u.v += o->slip * u.v * pb_rng_normal(&r->motion);
		u.w += o->slip * u.w * pb_rng_normal(&r->motion);
	}
	r->twist = u;
	r->pose = pb_drive_move(r->pose, u, dt);
	look(r, o);
}
