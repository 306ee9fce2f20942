/* safe_pose.c - the filter by which the player `safe` knows its pose. */
#include "policy/safe_pose.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* What rounding, not a localizer, adds to a measurement (m2, rad2). */
#define TINY 1e-8

/* All of the first estimate's deviation is its error. */
static void
begin(struct pb_safe_pose *f, const struct pb_round_opts *o, struct pb_pose z)
{
	double var[3] = {o->pose_sd * o->pose_sd, o->pose_sd * o->pose_sd,
	    o->pose_th_sd * o->pose_th_sd};

	memset(f->p, 0, sizeof(f->p));
	f->s[0] = z.x;
	f->s[1] = z.y;
	f->s[2] = z.th;
	for (int i = 0; i < 3; i++) {
		f->s[i + 3] = 0;
		f->p[i][i] = f->p[i + 3][i + 3] = var[i];
		f->p[i][i + 3] = f->p[i + 3][i] = -var[i];
	}
}

/* p = a p a' for the Jacobian a of a move. */
static void
spread(double p[6][6], double a[6][6])
{
	double q[6][6];

	for (int i = 0; i < 6; i++) {
		for (int j = 0; j < 6; j++) {
			q[i][j] = 0;
			for (int k = 0; k < 6; k++)
				q[i][j] += a[i][k] * p[k][j];
		}
	}
	for (int i = 0; i < 6; i++) {
		for (int j = 0; j < 6; j++) {
			p[i][j] = 0;
			for (int k = 0; k < 6; k++)
				p[i][j] += q[i][k] * a[j][k];
		}
	}
}

/* The pose moves by odometry, the error decays and is stirred. */
static void
predict(
    struct pb_safe_pose *f, const struct pb_round_opts *o, struct pb_pose odom)
{
	struct pb_pose step = pb_pose_into(f->odom, odom);
	double d = pb_hypot(step.x, step.y), turn = fabs(step.th);
	double c = pb_cos(f->s[2]), s = pb_sin(f->s[2]);
	double along = o->odom_trans_trans * d + o->odom_trans_rot * turn;
	double fresh = 1 - o->pose_keep * o->pose_keep;
	double a[6][6] = {{0}};

	for (int i = 0; i < 6; i++)
		a[i][i] = i < 3 ? 1 : o->pose_keep;
	a[0][2] = -s * step.x - c * step.y;
	a[1][2] = c * step.x - s * step.y;
	spread(f->p, a);
	f->s[0] += c * step.x - s * step.y;
	f->s[1] += s * step.x + c * step.y;
	f->s[2] = pb_wrap(f->s[2] + step.th);
	for (int i = 3; i < 6; i++)
		f->s[i] *= o->pose_keep;
	f->p[0][0] += along;
	f->p[1][1] += along;
	f->p[2][2] += o->odom_rot_rot * turn + o->odom_rot_trans * d;
	f->p[3][3] += fresh * o->pose_sd * o->pose_sd;
	f->p[4][4] += fresh * o->pose_sd * o->pose_sd;
	f->p[5][5] += fresh * o->pose_th_sd * o->pose_th_sd;
}

/* Coordinate i of the estimate is s[i] + s[i + 3], as good as exactly. */
static void
correct(struct pb_safe_pose *f, int i, double residual)
{
	double g[6], v;

	for (int j = 0; j < 6; j++)
		g[j] = f->p[j][i] + f->p[j][i + 3];
	v = g[i] + g[i + 3] + TINY;
	for (int j = 0; j < 6; j++)
		f->s[j] += g[j] / v * residual;
	for (int j = 0; j < 6; j++)
		for (int k = 0; k < 6; k++)
			f->p[j][k] -= g[j] * g[k] / v;
}

void
pb_safe_pose_see(struct pb_safe_pose *f, const struct pb_round_opts *o,
    struct pb_pose z, struct pb_pose odom)
{
	if (f->seen++ == 0) {
		begin(f, o, z);
		f->odom = odom;
		return;
	}
	predict(f, o, odom);
	f->odom = odom;
	correct(f, 0, z.x - f->s[0] - f->s[3]);
	correct(f, 1, z.y - f->s[1] - f->s[4]);
	correct(f, 2, pb_wrap(z.th - f->s[2] - f->s[5]));
	f->s[2] = pb_wrap(f->s[2]);
}

struct pb_pose
pb_safe_pose_frame(const struct pb_safe_pose *f)
{
	struct pb_pose p = {f->s[0], f->s[1], f->s[2]};

	return pb_pose_compose(p, pb_pose_inverse(f->odom));
}

struct pb_pose
pb_safe_pose_now(const struct pb_safe_pose *f, struct pb_pose odom)
{
	return pb_pose_compose(pb_safe_pose_frame(f), odom);
}
