/* mcl_match.c - the best fit of a scan to the map near a pose. */
#include <string.h>

#include "base/elementary.h"
#include "localize/mcl_state.h"

/* The quadratic that the scan looks like about a pose. */
struct normal {
	double a[3][3]; /* curvature */
	double b[3];    /* slope */
	double cost;    /* -log posterior (nat) */
};

/*
 * A beam pulls with the chance that it hit what the map knows, as in
 * expectation maximization; what is far from everything pulls nothing.
 */
static void
add_beam(const struct pb_likelihood *f, double d, const double j[3],
    double temper, struct normal *q)
{
	double s2 = f->sigma * f->sigma;
	double hit = (1 - f->stray) * pb_exp(-0.5 * d * d / s2);
	double w = temper * hit / (hit + f->stray) / s2;

	q->cost -= temper * pb_log(hit + f->stray);
	for (int i = 0; i < 3; i++) {
		q->b[i] += w * d * j[i];
		for (int k = 0; k <= i; k++)
			q->a[i][k] += w * j[i] * j[k];
	}
}

static void
add_prior(double inv[3][3], const struct pb_gauss *g, struct pb_pose p,
    struct normal *q)
{
	double d[3];

	pb_gauss_diff(p, g->mean, d);
	for (int i = 0; i < 3; i++) {
		double s = 0;

		for (int k = 0; k < 3; k++)
			s += inv[i][k] * d[k];
		for (int k = 0; k <= i; k++)
			q->a[i][k] += inv[i][k];
		q->b[i] += s;
		q->cost += 0.5 * d[i] * s;
	}
}

static void
approximate(const struct pb_mcl_known *k, const struct pb_mcl_scan *s,
    const struct pb_gauss *prior, double inv[3][3], struct pb_pose p,
    struct normal *q)
{
	double c = pb_cos(p.th), n = pb_sin(p.th);

	memset(q, 0, sizeof(*q));
	for (int i = 0; i < s->n; i++) {
		double x = c * s->end[i].x - n * s->end[i].y;
		double y = n * s->end[i].x + c * s->end[i].y;
		struct pb_vec g;
		double d = pb_likelihood_dist(&k->field, p.x + x, p.y + y, &g);
		double j[3] = {g.x, g.y, g.y * x - g.x * y};

		add_beam(&k->field, d, j, s->temper, q);
	}
	if (prior != NULL)
		add_prior(inv, prior, p, q);
	for (int i = 0; i < 3; i++)
		for (int l = 0; l < i; l++)
			q->a[l][i] = q->a[i][l];
}

/* One step downhill from p; lambda holds it back. */
static bool
newton(const struct normal *q, double lambda, struct pb_pose p,
    struct pb_pose *out)
{
	/* A metre and a radian: what nothing holds stays where it is. */
	double a[3][3], inv[3][3], d[3] = {0};

	memcpy(a, q->a, sizeof(a));
	for (int i = 0; i < 3; i++)
		a[i][i] += lambda * a[i][i] + 1;
	if (!pb_gauss_invert(a, inv))
		return false;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			d[i] -= inv[i][j] * q->b[j];
	*out = (struct pb_pose){p.x + d[0], p.y + d[1], pb_wrap(p.th + d[2])};
	return true;
}

/*
 * Variance that no scan takes away: an obstacle is known to a cell only, and
 * the scan lines up with it all along.
 */
static bool
settle(const struct pb_mcl_known *k, struct normal *q, struct pb_pose p,
    struct pb_gauss *out)
{
	double cell = k->field.resolution, cov[3][3];

	for (int i = 0; i < 3; i++)
		q->a[i][i] += 1;
	if (!pb_gauss_invert(q->a, cov))
		return false;
	cov[0][0] += cell * cell / 12;
	cov[1][1] += cell * cell / 12;
	cov[2][2] += PB_MCL_TURN_VAR;
	return pb_gauss_init(out, p, cov);
}

bool
pb_mcl_match(const struct pb_mcl_known *k, const struct pb_mcl_scan *s,
    const struct pb_gauss *prior, struct pb_pose from, struct pb_gauss *out)
{
	struct normal q, next;
	struct pb_pose p = from, to;
	double inv[3][3] = {{0}}, lambda = 0.01;

	if (prior != NULL) {
		double cov[3][3];

		memcpy(cov, prior->cov, sizeof(cov));
		if (!pb_gauss_invert(cov, inv))
			return false;
	}
	approximate(k, s, prior, inv, p, &q);
	for (int i = 0; i < 12; i++) {
		double gain;

		if (!newton(&q, lambda, p, &to))
			return false;
		approximate(k, s, prior, inv, to, &next);
		gain = q.cost - next.cost;
		if (gain <= 0) {
			lambda *= 8;
			continue;
		}
		p = to;
		q = next;
		lambda /= 4;
		if (gain < 1e-3)
			break;
	}
	return settle(k, &q, p, out);
}
