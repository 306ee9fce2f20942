/* odom.c - wheel odometry: what the robot believes that it drove. */
#include "robot/odom.h"

#include <math.h>

/* Zero variance draws nothing: a noise-free odometry is the plain motion. */
static double
noise(struct pb_rng *r, double variance)
{
	return variance > 0 ? sqrt(variance) * pb_rng_normal(r) : 0;
}

void
pb_odom_move(struct pb_odom *o, struct pb_twist u, double dt,
    const struct pb_odom_noise *n, struct pb_rng *r)
{
	double d = fabs(u.v * dt);
	double a = fabs(u.w * dt);

	u.v += noise(r, n->trans_trans * d + n->trans_rot * a) / dt;
	u.w += noise(r, n->rot_rot * a + n->rot_trans * d) / dt;
	o->pose = pb_drive_move(o->pose, u, dt);
	o->twist = u;
}
