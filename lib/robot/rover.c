/* rover.c - a robot's body: where it is, and where it believes to be. */
#include "robot/rover.h"

#include <math.h>

/* Without noise no draws: they cost more than all the rest. */
static void
look(struct pb_rover *r, const struct pb_rover_opts *o)
{
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
	*r = (struct pb_rover){.pose = p};
	pb_rng_start(&r->noise, seed, trial, PB_FOR_POSE, which);
	pb_rng_start(&r->motion, seed, trial, PB_FOR_MOTION, which);
	look(r, o);
}

void
pb_rover_place(
    struct pb_rover *r, const struct pb_rover_opts *o, struct pb_pose p)
{
	r->pose = p;
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
	if (o->slip > 0) {
		u.v += o->slip * u.v * pb_rng_normal(&r->motion);
		u.w += o->slip * u.w * pb_rng_normal(&r->motion);
	}
	r->twist = u;
	r->pose = pb_drive_move(r->pose, u, dt);
	look(r, o);
}
