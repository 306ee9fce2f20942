/* sense_lidar.c - what a lidar measures on a map. */
#include "robot/sense_lidar.h"

#include <math.h>

struct pb_sense_lidar_opts
pb_sense_lidar_defaults(void)
{
	return (struct pb_sense_lidar_opts){.beams = 360,
	    .first = -PB_PI,
	    .span = 2 * PB_PI,
	    .min = 0.15,
	    .max = 12,
	    .noise = 0.01};
}

static double
measure(const struct pb_sense_lidar_opts *o, double d, struct pb_rng *rng)
{
	if (d >= o->max || d < o->min)
		return NAN;
	if (o->drop > 0 && pb_rng_unit(rng) < o->drop)
		return NAN;
	if (o->noise > 0)
		d += o->noise * pb_rng_normal(rng);
	return d <= o->max && d >= o->min && d > 0 ? d : NAN;
}

void
pb_sense_lidar(const struct pb_sense_lidar_opts *o, const struct pb_rays *w,
    struct pb_pose p, struct pb_rng *rng, double *out)
{
	pb_ray_scan(
	    w, p, o->first, o->span / o->beams, (size_t)o->beams, o->max, out);
	for (int i = 0; i < o->beams; i++)
		out[i] = measure(o, out[i], rng);
}
