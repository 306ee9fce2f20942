/* estimate.c - the error of a localizer, without the localizer. */
#include "robot/estimate.h"

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
	e->updates++;
}

struct pb_pose
pb_estimate_now(const struct pb_estimator *e, struct pb_pose odom)
{
	return pb_pose_compose(e->in_map, odom);
}
