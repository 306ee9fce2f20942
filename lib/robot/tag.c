/* tag.c - flat tags that a camera sees, and the published twist to a point. */
#include "robot/tag.h"

#include <math.h>

#include "base/elementary.h"

static void
turn(double a[3][3], double b[3][3], double out[3][3])
{
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			out[i][k] = a[i][0] * b[0][k] + a[i][1] * b[1][k] +
			            a[i][2] * b[2][k];
}

struct pb_tag
pb_tag_at(struct pb_pose p, double z, double pitch, double roll)
{
	double c = pb_cos(p.th), s = pb_sin(p.th);
	double yaw[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
	double cp = pb_cos(pitch), sp = pb_sin(pitch);
	double cr = pb_cos(roll), sr = pb_sin(roll);
	double tilt[3][3] = {
	    {cp, sp * sr, sp * cr}, {0, cr, -sr}, {-sp, cp * sr, cp * cr}};
	struct pb_tag t = {.p = {p.x, p.y, z}};

	turn(yaw, tilt, t.r);
	return t;
}

struct pb_tag
pb_tag_inverse(const struct pb_tag *t)
{
	struct pb_tag n;

	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++)
			n.r[i][k] = t->r[k][i];
		n.p[i] = -(t->r[0][i] * t->p[0] + t->r[1][i] * t->p[1] +
			   t->r[2][i] * t->p[2]);
	}
	return n;
}

static void
cross(const double a[3], const double b[3], double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] -
		         a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* What a rotation by less turns about is noise. */
#define NO_ROTATION 1e-9

bool
pb_tag_screw(const struct pb_tag *t, struct pb_vec to, struct pb_twist3 *out)
{
	struct pb_tag so = pb_tag_inverse(t);
	double b = pb_atan2(to.y - t->p[1], to.x - t->p[0]);
	double c = pb_cos(b), s = pb_sin(b);
	double aim[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
	double r[3][3], p[3], wp[3], wwp[3], cosine, sine, theta;

	turn(so.r, aim, r);
	for (int i = 0; i < 3; i++)
		p[i] = so.r[i][0] * to.x + so.r[i][1] * to.y + so.p[i];
	cosine = (r[0][0] + r[1][1] + r[2][2] - 1) / 2;
	sine = sqrt(fmax((1 - cosine) * (1 + cosine), 0));
	if (!(sine > NO_ROTATION))
		return false;
	theta = pb_atan2(sine, cosine);
	for (int i = 0; i < 3; i++)
		out->w[i] = (r[(i + 2) % 3][(i + 1) % 3] -
				r[(i + 1) % 3][(i + 2) % 3]) /
		            (2 * sine);
	cross(out->w, p, wp);
	cross(out->w, wp, wwp);
	for (int i = 0; i < 3; i++)
		out->v[i] = p[i] / theta - wp[i] / 2 +
		            (1 / theta - (1 + cosine) / sine / 2) * wwp[i];
	return true;
}
