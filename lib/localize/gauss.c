/* gauss.c - normal distributions of a pose, in three numbers. */
#include "localize/gauss.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* Cholesky; false if a is not positive definite. */
static bool
factor(double a[3][3], double l[3][3])
{
	for (int i = 0; i < 3; i++)
		for (int j = 0; j <= i; j++) {
			double s = a[i][j];

			for (int k = 0; k < j; k++)
				s -= l[i][k] * l[j][k];
			if (i == j && !(s > 0))
				return false;
			l[i][j] = i == j ? sqrt(s) : s / l[j][j];
		}
	return true;
}

bool
pb_gauss_init(struct pb_gauss *g, struct pb_pose mean, double cov[3][3])
{
	double l[3][3] = {{0}};

	if (!factor(cov, l))
		return false;
	g->mean = mean;
	memcpy(g->cov, cov, sizeof(g->cov));
	memcpy(g->root, l, sizeof(g->root));
	g->log_norm =
	    -1.5 * pb_log(2 * PB_PI) - pb_log(l[0][0] * l[1][1] * l[2][2]);
	return true;
}

bool
pb_gauss_invert(double a[3][3], double out[3][3])
{
	double l[3][3] = {{0}}, m[3][3] = {{0}};

	if (!factor(a, l))
		return false;
	/* m = inverse of l, out = m' m. */
	for (int i = 0; i < 3; i++) {
		m[i][i] = 1 / l[i][i];
		for (int j = 0; j < i; j++)
			for (int k = j; k < i; k++)
				m[i][j] -= l[i][k] * m[k][j] / l[i][i];
	}
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++) {
			out[i][j] = 0;
			for (int k = i > j ? i : j; k < 3; k++)
				out[i][j] += m[k][i] * m[k][j];
		}
	return true;
}

void
pb_gauss_map(double cov[3][3], const double j[3][3])
{
	double t[3][3];

	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++) {
			t[a][b] = 0;
			for (int i = 0; i < 3; i++)
				t[a][b] += j[a][i] * cov[i][b];
		}
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++) {
			cov[a][b] = 0;
			for (int i = 0; i < 3; i++)
				cov[a][b] += t[a][i] * j[b][i];
		}
}

void
pb_gauss_diff(struct pb_pose p, struct pb_pose mean, double d[3])
{
	d[0] = p.x - mean.x;
	d[1] = p.y - mean.y;
	d[2] = pb_wrap(p.th - mean.th);
}

double
pb_gauss_log(const struct pb_gauss *g, struct pb_pose p)
{
	double d[3], q = 0;

	pb_gauss_diff(p, g->mean, d);
	for (int i = 0; i < 3; i++) { /* solve root y = d in place */
		for (int j = 0; j < i; j++)
			d[i] -= g->root[i][j] * d[j];
		d[i] /= g->root[i][i];
		q += d[i] * d[i];
	}
	return g->log_norm - 0.5 * q;
}

/* Multiply independent normal deviates by the Cholesky factor of the
 * covariance. */
struct pb_pose
pb_gauss_draw(const struct pb_gauss *g, struct pb_rng *r)
{
	double z[3], d[3];

	for (int i = 0; i < 3; i++) {
		z[i] = pb_rng_normal(r);
		d[i] = 0;
		for (int j = 0; j <= i; j++)
			d[i] += g->root[i][j] * z[j];
	}
	return (struct pb_pose){
	    g->mean.x + d[0], g->mean.y + d[1], pb_wrap(g->mean.th + d[2])};
}

void
pb_moments_add(struct pb_moments *m, struct pb_pose p, double w)
{
	double d[3];

	if (m->w == 0)
		m->about = p;
	pb_gauss_diff(p, m->about, d);
	m->w += w;
	for (int i = 0; i < 3; i++) {
		m->sum[i] += w * d[i];
		for (int j = 0; j <= i; j++)
			m->prod[i][j] += w * d[i] * d[j];
	}
}

void
pb_moments_get(
    const struct pb_moments *m, struct pb_pose *mean, double cov[3][3])
{
	double d[3];

	for (int i = 0; i < 3; i++)
		d[i] = m->sum[i] / m->w;
	*mean = (struct pb_pose){
	    m->about.x + d[0], m->about.y + d[1], pb_wrap(m->about.th + d[2])};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j <= i; j++) {
			double c = m->prod[i][j] / m->w - d[i] * d[j];

			if (i == j && c < 0)
				c = 0; /* rounding */
			cov[i][j] = cov[j][i] = c;
		}
}
