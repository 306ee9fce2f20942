/* posegraph.c - poses that fit best what was measured between them. */
#include "localize/posegraph.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "localize/blocks.h"

#define DAMP_FIRST 1e-4
#define DAMP_MOST  1e6
#define DONE       1e-9 /* share of the sum that a last step gains */

struct problem {
	int n;
	const struct pb_edge *edge;
	size_t m;
	struct pb_blocks *a; /* of nodes 1..n - 1 */
	double *b;           /* 3 (n - 1) */
	struct pb_pose *try; /* n */
};

/* Residual: place and heading of b in the frame of a, less the measured. */
static void
residual(const struct pb_edge *e, const struct pb_pose *pose, double r[3])
{
	struct pb_pose d =
	    pb_pose_compose(pb_pose_inverse(pose[e->a]), pose[e->b]);

	r[0] = d.x - e->z.x;
	r[1] = d.y - e->z.y;
	r[2] = pb_wrap(d.th - e->z.th);
}

double
pb_edge_error(const struct pb_edge *e, const struct pb_pose *pose)
{
	double r[3], s = 0;

	residual(e, pose, r);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			s += r[i] * e->precision[i][j] * r[j];
	return s;
}

static double
total(const struct problem *p, const struct pb_pose *pose)
{
	double sum = 0;

	for (size_t k = 0; k < p->m; k++) {
		const struct pb_edge *e = &p->edge[k];
		double s = pb_edge_error(e, pose), c2 = e->soft * e->soft;

		sum += isfinite(c2) ? c2 * pb_log(1 + s / c2) : s;
	}
	return sum;
}

/* Derivatives of the residual by the poses of a and b. */
static void
derive(const struct pb_edge *e, const struct pb_pose *pose, double ja[3][3],
    double jb[3][3])
{
	double c = pb_cos(pose[e->a].th), s = pb_sin(pose[e->a].th);
	double x = pose[e->b].x - pose[e->a].x;
	double y = pose[e->b].y - pose[e->a].y;
	const double a[3][3] = {
	    {-c, -s, -s * x + c * y}, {s, -c, -c * x - s * y}, {0, 0, -1}};
	const double b[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};

	memcpy(ja, a, sizeof(a));
	memcpy(jb, b, sizeof(b));
}

/* out = w j' p k. */
static void
product(const double j[3][3], const double p[3][3], const double k[3][3],
    double w, double out[3][3])
{
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++) {
			double s = 0;

			for (int i = 0; i < 3; i++)
				for (int l = 0; l < 3; l++)
					s += j[i][r] * p[i][l] * k[l][c];
			out[r][c] = w * s;
		}
}

/* b -= w j' p r, for one node. */
static void
pull(const struct problem *p, int node, const struct pb_edge *e,
    const double j[3][3], const double r[3], double w)
{
	for (int c = 0; node > 0 && c < 3; c++)
		for (int i = 0; i < 3; i++)
			for (int l = 0; l < 3; l++)
				p->b[3 * (node - 1) + c] -=
				    w * j[i][c] * e->precision[i][l] * r[l];
}

static void
enter(const struct problem *p, const struct pb_edge *e,
    const struct pb_pose *pose)
{
	double ja[3][3], jb[3][3], h[3][3], r[3];
	double w = 1 / (1 + pb_edge_error(e, pose) / (e->soft * e->soft));

	residual(e, pose, r);
	derive(e, pose, ja, jb);
	pull(p, e->a, e, ja, r, w);
	pull(p, e->b, e, jb, r, w);
	if (e->a > 0) {
		product(ja, e->precision, ja, w, h);
		pb_blocks_add(p->a, e->a - 1, e->a - 1, h);
	}
	if (e->b > 0) {
		product(jb, e->precision, jb, w, h);
		pb_blocks_add(p->a, e->b - 1, e->b - 1, h);
	}
	if (e->a > 0 && e->b > 0) {
		product(ja, e->precision, jb, w, h);
		pb_blocks_add(p->a, e->a - 1, e->b - 1, h);
	}
}

/* The step from pose with that much damping, into p->try. */
static bool
step(const struct problem *p, const struct pb_pose *pose, double damp)
{
	const double d[3][3] = {{damp, 0, 0}, {0, damp, 0}, {0, 0, damp}};

	pb_blocks_zero(p->a);
	memset(p->b, 0, 3 * (size_t)(p->n - 1) * sizeof(*p->b));
	for (size_t k = 0; k < p->m; k++)
		enter(p, &p->edge[k], pose);
	for (int i = 0; i < p->n - 1; i++)
		pb_blocks_add(p->a, i, i, d);
	if (!pb_blocks_solve(p->a, p->b))
		return false;
	p->try[0] = pose[0];
	for (int i = 1; i < p->n; i++) {
		const double *x = &p->b[3 * (i - 1)];

		p->try[i] = (struct pb_pose){pose[i].x + x[0], pose[i].y + x[1],
		    pb_wrap(pose[i].th + x[2])};
	}
	return true;
}

static void
minimise(const struct problem *p, struct pb_pose *pose, int times, double *sum)
{
	double damp = DAMP_FIRST, now = total(p, pose), then;

	for (int k = 0; k < times && damp < DAMP_MOST; k++) {
		if (!step(p, pose, damp) ||
		    !((then = total(p, p->try)) < now)) {
			damp = damp * 10 + 1e-6;
			continue;
		}
		memcpy(pose, p->try, (size_t)p->n * sizeof(*pose));
		damp /= 10;
		if (now - then <= DONE * now) {
			now = then;
			break;
		}
		now = then;
	}
	if (sum != NULL)
		*sum = now;
}

static enum pb_status
make_system(struct problem *p)
{
	struct pb_blocks_pair *pair = malloc((p->m + 1) * sizeof(*pair));
	enum pb_status st;
	size_t n = 0;

	if (pair == NULL)
		return PB_ENOMEM;
	for (size_t k = 0; k < p->m; k++)
		if (p->edge[k].a > 0 && p->edge[k].b > 0)
			pair[n++] = (struct pb_blocks_pair){
			    p->edge[k].a - 1, p->edge[k].b - 1};
	st = pb_blocks_new(p->n - 1, pair, n, &p->a);
	free(pair);
	return st;
}

enum pb_status
pb_posegraph_solve(struct pb_pose *pose, int n, const struct pb_edge *edge,
    size_t m, int times, double *sum)
{
	struct problem p = {.n = n, .edge = edge, .m = m};
	enum pb_status st = make_system(&p);

	p.b = malloc(3 * (size_t)n * sizeof(*p.b));
	p.try = malloc((size_t)n * sizeof(*p.try));
	if (st == PB_OK && (p.b == NULL || p.try == NULL))
		st = PB_ENOMEM;
	if (st == PB_OK)
		minimise(&p, pose, times, sum);
	pb_blocks_free(p.a);
	free(p.b);
	free(p.try);
	return st;
}
