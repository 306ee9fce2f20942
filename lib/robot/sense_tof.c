/* sense_tof.c - what a ring of time-of-flight sensors measures. */
#include "robot/sense_tof.h"

#include <math.h>

#include "base/elementary.h"

struct pb_sense_tof_opts
pb_sense_tof_defaults(void)
{
	return (struct pb_sense_tof_opts){.radius = 0.06604,
	    .max = 1.5,
	    .cone = 1e-4,
	    .rays = 2,
	    .noise = 0.01,
	    .unit = 0.001};
}

/* The nearest hit of the rays of the sensor at p; o->max: none. */
static double
nearest(const struct pb_sense_tof_opts *o, const struct pb_rays *w,
    struct pb_pose p)
{
	double d[PB_SENSE_TOF_RAYS], inc = 0, first = 0, best = o->max;

	if (o->rays > 1) {
		inc = o->cone / (o->rays - 1);
		first = -o->cone / 2;
	}
	pb_ray_scan(w, p, first, inc, (size_t)o->rays, o->max, d);
	for (int i = 0; i < o->rays; i++)
		best = fmin(best, d[i]);
	return best;
}

static double
measure(const struct pb_sense_tof_opts *o, double d, struct pb_rng *rng)
{
	if (o->fail > 0 && pb_rng_unit(rng) < o->fail)
		return -1;
	if (d >= o->max)
		return NAN;
	if (o->noise > 0)
		d *= 1 + pb_rng_between(rng, -o->noise, o->noise);
	/* A wall at the rim is no missing wall, which 0 would be. */
	if (o->unit > 0)
		d = fmax(1, floor(d / o->unit + 0.5)) * o->unit;
	return d <= o->max ? d : NAN;
}

void
pb_sense_tof(const struct pb_sense_tof_opts *o, const struct pb_rays *w, int n,
    struct pb_pose p, struct pb_rng *rng, double *out)
{
	for (int i = 0; i < n; i++) {
		double th = p.th + i * (2 * PB_PI / n);
		struct pb_pose rim = {p.x + o->radius * pb_cos(th),
		    p.y + o->radius * pb_sin(th), th};

		out[i] = measure(o, nearest(o, w, rim), rng);
	}
}
