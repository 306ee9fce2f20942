/* clock.c - the offset between two clocks, from a robot's motion by both. */
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "localize/traj.h"

#define CELL     0.2   /* time cell of speeds, longer in long logs (s) */
#define CELLS    16384 /* most cells */
#define BREAK    10.0  /* longest time between poses for a speed (s) */
#define FASTEST  3.0   /* higher speeds are jumps (m/s, rad/s) */
#define LEAST    25    /* least number of overlapping cells */
#define ALIKE    0.5   /* least correlation at the right offset */
#define DISTINCT 0.9   /* most correlation elsewhere, share of that */
#define APART    10    /* cells between distinct offsets */
#define FINE     200   /* steps of the offset in a cell */
#define MEET     4096  /* references compared with an estimate */
#define COMMON   0.8   /* share of the shorter list with equal stamps */

/* Speed and turn rate in each time cell; NAN: unknown. */
struct speeds {
	double from, cell; /* begin, and length of a time cell (s) */
	size_t n;
	double *v,
	    *w; /* speeds and turn rates over their deviations; one block */
};

/* Divide v by its standard deviation; center: subtract the mean first. */
static void
normalize(double *v, size_t n, bool center)
{
	double sum = 0, square = 0, mean;
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (isfinite(v[i])) {
			sum += v[i];
			k++;
		}
	mean = center && k > 0 ? sum / (double)k : 0;
	for (size_t i = 0; i < n; i++)
		if (isfinite(v[i]))
			square += (v[i] - mean) * (v[i] - mean);
	for (size_t i = 0; i < n; i++)
		v[i] = square > 0 ? (v[i] - mean) / sqrt(square / (double)k)
		                  : v[i] * 0;
}

static bool
compute_speeds(
    const struct pb_timed *x, size_t n, double cell, struct speeds *s)
{
	const struct pb_span span = pb_span_of(&x->t, sizeof(*x), n);

	s->from = span.min;
	s->cell = cell;
	s->n = (size_t)((span.max - span.min) / cell);
	s->v = calloc(2 * s->n + 2, sizeof(*s->v));
	if (s->v == NULL)
		return false;
	s->w = s->v + s->n;
	for (size_t i = 0; i < 2 * s->n; i++)
		s->v[i] = NAN;
	for (size_t i = 1; i < n; i++) {
		double dt = x[i].t - x[i - 1].t, at = x[i - 1].t - s->from;
		double v = pb_pose_dist(x[i].p, x[i - 1].p) / dt;
		double w = pb_wrap(x[i].p.th - x[i - 1].p.th) / dt;

		if (!(dt > 0) || dt > BREAK || v > FASTEST || fabs(w) > FASTEST)
			continue;
		for (size_t k = (size_t)ceil(at / cell - 0.5);
		     k < s->n && ((double)k + 0.5) * cell < at + dt; k++) {
			s->v[k] = v;
			s->w[k] = w;
		}
	}
	normalize(s->v, s->n, true);
	normalize(s->w, s->n, false);
	return true;
}

/* Correlation if cell i of b is cell i + d of a; 0 if fewer than `least` cells
 * overlap. */
static double
correlation(
    const struct speeds *a, const struct speeds *b, long d, size_t least)
{
	double ab = 0, aa = 0, bb = 0;
	size_t k = 0;
	long lo = d < 0 ? -d : 0, hi = (long)a->n - d;

	hi = hi < (long)b->n ? hi : (long)b->n;
	for (long i = lo; i < hi; i++) {
		double av = a->v[i + d], aw = a->w[i + d];
		double bv = b->v[i], bw = b->w[i];

		if (isnan(av) || isnan(bv))
			continue;
		ab += av * bv + aw * bw;
		aa += av * av + aw * aw;
		bb += bv * bv + bw * bw;
		k++;
	}
	return k >= least && aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* Find the shift of highest correlation; false unless it is unique. */
static bool
find_shift(const struct speeds *a, const struct speeds *b, long *shift)
{
	size_t fewer = a->n < b->n ? a->n : b->n;
	size_t least = fewer / 2 > LEAST ? fewer / 2 : LEAST;
	long from = -(long)b->n, n = (long)(a->n + b->n);
	double *r = calloc((size_t)n + 1, sizeof(*r)), best = 0, second = 0;

	if (r == NULL)
		return false;
	for (long i = 0; i < n; i++) {
		r[i] = correlation(a, b, from + i, least);
		if (r[i] > best) {
			best = r[i];
			*shift = from + i;
		}
	}
	for (long i = 0; i < n; i++)
		if (labs(from + i - *shift) > APART)
			second = fmax(second, r[i]);
	free(r);
	return best >= ALIKE && second <= DISTINCT * best;
}

/* Mean squared difference (m2) between the steps of the estimates and those of
 * the references at this clock offset. */
static double
mean_square_misfit(const struct pb_timed_list *ref, const struct pb_timed *est,
    size_t ne, double clock)
{
	double sum = 0;
	size_t n = 0, before = 0;
	struct pb_pose p = {0, 0, 0}, q;
	bool had = false, has;

	for (size_t i = 0; i < ne; i++, had = has, p = q) {
		double t = est[i].t + clock;
		struct pb_pose e;

		while (before < ref->n && ref->at[before].t <= t)
			before++;
		q = p;
		has = pb_timed_find(ref, before, t, BREAK, &q);
		if (!had || !has || est[i].t - est[i - 1].t > BREAK)
			continue;
		e = pb_pose_into(
		    pb_pose_into(p, q), pb_pose_into(est[i - 1].p, est[i].p));
		sum += fmin(e.x * e.x + e.y * e.y + e.th * e.th, 1);
		n++;
	}
	return n > 0 ? sum / (double)n : INFINITY;
}

/*
 * If estimates and references are of the same scans, nearly all share one
 * difference of stamps: find it.
 *
 * Returns  the step of the offset, FINE + 1 if there is none or several
 */
static int
common_step(const struct pb_timed_list *ref, const struct pb_timed *est,
    size_t ne, double about, double step)
{
	size_t n[2 * FINE + 1] = {0}, lo = 0;
	double fewer = fmin((double)ne, (double)ref->n);
	int found = FINE + 1;

	for (size_t i = 0; i < ne; i++) {
		double t = est[i].t + about;

		while (lo < ref->n && ref->at[lo].t < t - FINE * step)
			lo++;
		for (size_t k = lo; k < ref->n && k - lo < MEET; k++) {
			double d = nearbyint((ref->at[k].t - t) / step);

			if (d > FINE)
				break;
			if (d >= -FINE)
				n[(int)d + FINE]++;
		}
	}
	for (int d = -FINE; d <= FINE; d++)
		if ((double)n[d + FINE] >= COMMON * fewer) {
			if (found <= FINE)
				return FINE + 1;
			found = d;
		}
	return found;
}

enum pb_status
pb_traj_clock(const struct pb_timed *ref, size_t nr, const struct pb_timed *est,
    size_t ne, double *clock)
{
	const struct pb_timed_list l = {(struct pb_timed *)ref, nr, 0};
	const struct pb_span r = pb_span_of(&ref->t, sizeof(*ref), nr);
	const struct pb_span e = pb_span_of(&est->t, sizeof(*est), ne);
	double longer = fmax(r.max - r.min, e.max - e.min);
	double cell = fmax(CELL, longer / CELLS), best = INFINITY, about;
	struct speeds a = {.v = NULL}, b = {.v = NULL};
	enum pb_status st = PB_ENOENT;
	long shift = 0;
	int step;

	if (!(longer > 0) || !isfinite(longer) || isnan(r.min) || isnan(e.min))
		return PB_ENOENT;
	if (!compute_speeds(ref, nr, cell, &a) ||
	    !compute_speeds(est, ne, cell, &b))
		st = PB_ENOMEM;
	else if (find_shift(&a, &b, &shift))
		st = PB_OK;
	about = a.from - b.from + (double)shift * cell;
	step = st == PB_OK ? common_step(&l, est, ne, about, cell / FINE) : 0;
	for (int i = -FINE; st == PB_OK && i <= FINE; i++) {
		double c = about + i * cell / FINE;
		double m = i == step ? -1
		           : step > FINE && i % 5 == 0
		               ? mean_square_misfit(&l, est, ne, c)
		               : INFINITY;

		if (m < best) {
			best = m;
			*clock = c;
		}
	}
	free(a.v);
	free(b.v);
	return st;
}
