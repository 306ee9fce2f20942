/* sense_odom.c - where wheels and a heading sensor say that a robot is. */
#include "robot/sense_odom.h"

#include <math.h>

struct pb_sense_wheels_opts
pb_sense_wheels_defaults(void)
{
	return (struct pb_sense_wheels_opts){.bias = 0.04,
	    .spread = 0.04,
	    .rot_rot = 1e-4,
	    .rot_trans = 1e-4,
	    .trans_trans = 1e-4,
	    .trans_rot = 1e-5};
}

struct pb_sense_imu_opts
pb_sense_imu_defaults(void)
{
	return (struct pb_sense_imu_opts){0};
}

/* Zero variance draws nothing. */
static double
normal(struct pb_rng *rng, double variance)
{
	return variance > 0 ? sqrt(variance) * pb_rng_normal(rng) : 0;
}

/* The step d, in the robot's frame, as measured. */
static struct pb_pose
measure(
    const struct pb_sense_wheels_opts *o, struct pb_pose d, struct pb_rng *rng)
{
	double way = sqrt(d.x * d.x + d.y * d.y), turn = fabs(d.th);
	double factor = 1 + o->bias, off;

	if (o->spread > 0)
		factor += pb_rng_between(rng, -o->spread, o->spread);
	off = normal(rng, o->trans_trans * way + o->trans_rot * turn);
	d.th = d.th * (1 + o->turn_bias) +
	       normal(rng, o->rot_rot * turn + o->rot_trans * way);
	if (way == 0)
		d.x = off;
	else {
		d.x *= factor + off / way;
		d.y *= factor + off / way;
	}
	return d;
}

void
pb_sense_odom_move(struct pb_sense_odom *d,
    const struct pb_sense_wheels_opts *o, struct pb_pose from,
    struct pb_pose to, double dt, struct pb_rng *rng)
{
	struct pb_pose step = pb_pose_compose(pb_pose_inverse(from), to);

	if (from.x == to.x && from.y == to.y && from.th == to.th) {
		d->v = d->w = 0;
		return;
	}
	step = measure(o, step, rng);
	d->pose = pb_pose_compose(d->pose, step);
	d->v = step.x / dt;
	d->w = step.th / dt;
}

void
pb_sense_imu_start(struct pb_sense_imu *m, const struct pb_sense_imu_opts *o,
    struct pb_rng *rng)
{
	*m = (struct pb_sense_imu){.drift = normal(rng, o->drift * o->drift)};
}

double
pb_sense_imu_step(struct pb_sense_imu *m, const struct pb_sense_imu_opts *o,
    double th, double dt, struct pb_rng *rng)
{
	m->error += m->drift * dt + normal(rng, o->walk * o->walk * dt);
	return pb_wrap(th + m->error + normal(rng, o->noise * o->noise));
}
