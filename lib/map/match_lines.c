/* match_lines.c - a guess improved by distances from points to lines. */
#include "map/match.h"

#include <math.h>

#define SOFT  0.05 /* distances beyond count less and less (m) */
#define FACES 0.7  /* cosine of how far surfaces may differ in direction */
#define LEAST 10   /* points without which there is no fit */
#define STILL 1e-5 /* a step that is none (m, rad) */

/* The normal equations of one step. */
struct equations {
	double h[3][3]; /* weighted */
	double b[3];
	double h1[3][3]; /* without weights */
	double sum2;     /* of squared distances */
	size_t n;
	size_t near; /* points near the target, with a line or without */
};

/* The point of t nearest to v, NULL if none is near. */
static const struct pb_point *
nearest(const struct pb_target *t, struct pb_vec v, double near)
{
	double x = (v.x - t->lo.x) / t->cell, y = (v.y - t->lo.y) / t->cell;
	const struct pb_point *p;
	int32_t i;

	if (!(x >= 0 && y >= 0 && x < t->width && y < t->height))
		return NULL;
	i = t->near[(size_t)y * (size_t)t->width + (size_t)x];
	if (i < 0)
		return NULL;
	p = &t->point[i];
	return pb_dist(p->at, v) <= near ? p : NULL;
}

/* One point: its distance from the line through `at`, with derivatives. */
static void
add(struct equations *e, struct pb_pose f, struct pb_vec v, struct pb_vec at,
    struct pb_vec normal)
{
	double d = normal.x * (v.x - at.x) + normal.y * (v.y - at.y);
	double w = 1 / (1 + d * d / (SOFT * SOFT));
	double j[3] = {normal.x, normal.y,
	    normal.y * (v.x - f.x) - normal.x * (v.y - f.y)};

	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			e->h[r][c] += w * j[r] * j[c];
			e->h1[r][c] += j[r] * j[c];
		}
		e->b[r] += w * j[r] * d;
	}
	e->sum2 += d * d;
	e->n++;
}

/*
 * The normal of a point's neighbour, or its own if that has none; false if
 * the surfaces of the two face differently.
 */
static bool
face(struct pb_vec own, struct pb_vec other, struct pb_vec *normal)
{
	bool has_own = own.x != 0 || own.y != 0;
	bool has_other = other.x != 0 || other.y != 0;

	*normal = has_other ? other : own;
	return !has_own || !has_other ||
	       own.x * other.x + own.y * other.y > FACES;
}

static struct equations
gather(const struct pb_target *t, const struct pb_point *p, size_t n,
    struct pb_pose f, double near)
{
	struct equations e = {.n = 0};

	for (size_t i = 0; i < n; i++) {
		struct pb_point v = pb_point_from(f, p[i]);
		const struct pb_point *q = nearest(t, v.at, near);
		struct pb_vec normal;

		if (q == NULL || !face(v.normal, q->normal, &normal))
			continue;
		e.near++;
		if (normal.x != 0 || normal.y != 0)
			add(&e, f, v.at, q->at, normal);
	}
	return e;
}

/*
 * Solve h x = b by elimination.
 *
 * Returns  false if h is not positive definite
 */
static bool
solve3(const double h[3][3], const double b[3], double x[3])
{
	double a[3][4];

	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++)
			a[r][c] = h[r][c];
		a[r][3] = b[r];
	}
	for (int k = 0; k < 3; k++) {
		if (!(a[k][k] > 0))
			return false;
		for (int r = k + 1; r < 3; r++)
			for (int c = 3; c >= k; c--)
				a[r][c] -= a[r][k] / a[k][k] * a[k][c];
	}
	for (int k = 2; k >= 0; k--) {
		x[k] = a[k][3];
		for (int c = k + 1; c < 3; c++)
			x[k] -= a[k][c] * x[c];
		x[k] /= a[k][k];
	}
	return true;
}

/*
 * Where all lines are parallel the points slide along them: this much of a
 * pull towards the pose before the step (1, m2) keeps them.
 */
#define HOLD 0.5

static double
step(const struct equations *e, struct pb_pose *f)
{
	double h[3][3], d[3];

	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			h[r][c] = e->h[r][c] + (r == c ? HOLD : 0);
	if (!solve3(h, e->b, d))
		return 0;
	f->x -= d[0];
	f->y -= d[1];
	f->th = pb_wrap(f->th - d[2]);
	return fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
}

struct pb_fit
pb_match_lines(const struct pb_target *t, const struct pb_point *p, size_t n,
    struct pb_pose guess, double near, int times)
{
	struct pb_fit fit = {.pose = guess};
	struct equations e = gather(t, p, n, guess, near);

	for (int k = 0; k < times && e.n >= LEAST; k++) {
		double moved = step(&e, &fit.pose);

		e = gather(t, p, n, fit.pose, near);
		if (moved < STILL)
			break;
	}
	if (e.n < LEAST)
		return fit;
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			fit.precision[r][c] = e.h1[r][c];
	fit.n = e.n;
	fit.share = (double)e.near / (double)n;
	fit.rms = sqrt(e.sum2 / (double)e.n);
	return fit;
}
