/* pairing.c - which pose belongs to which, and what their stamps are worth. */
#include "localize/pairing.h"

#include <math.h>
#include <stdlib.h>

#include "base/pool.h"

/*
 * A logger writes what comes from several sensors as it comes, so that a stamp
 * may be a little late: 0.86 s at most in the log of the Intel lab, 4 scans of
 * 910. An hour is no step of a robot's sensor, unless the drive had a break;
 * even then the others take their part.
 */
#define LATE_MAX   1.0
#define LATE_SHARE 0.05
#define JUMP_MIN   3600.0
#define JUMP_TIMES 10

/*
 * A robot does not move within an instant: where so much of a way lies between
 * poses of one time, the times were rounded. Of k poses to a time it is
 * (k - 1) / k; what scans and fixes of one time correct is far less.
 */
#define STILL_SHARE 0.4

/* Records have times rounded to 1e-6 s: what is so near is one moment. */
static double
moment(double t)
{
	return nearbyint(t * 1e6) / 1e6;
}

enum pb_status
pb_timed_add(struct pb_timed_list *l, struct pb_timed x)
{
	if (!pb_grow(&l->at, l->n, &l->cap, sizeof(*l->at)))
		return PB_ENOMEM;
	l->at[l->n++] = x;
	return PB_OK;
}

void
pb_timed_clear(struct pb_timed_list *l)
{
	free(l->at);
	*l = (struct pb_timed_list){.at = NULL};
}

/* qsort is not stable, so of equals the first told. */
static int
by_time(const void *one, const void *other)
{
	const struct pb_timed *a = one, *b = other;
	int c = (a->t > b->t) - (a->t < b->t);

	return c != 0 ? c : (a->told > b->told) - (a->told < b->told);
}

size_t
pb_not_below(const double *x, size_t stride, size_t n, double v)
{
	size_t lo = 0;

	while (n > lo) {
		size_t mid = (lo + n) / 2;
		const char *at = (const char *)x + mid * stride;

		if (*(const double *)(const void *)at < v)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

void
pb_timed_sort(struct pb_timed *x, size_t n)
{
	if (n > 1)
		qsort(x, n, sizeof(*x), by_time);
}

/* A place in an array by a key; equal keys are in the order of the array. */
struct keyed {
	double key;
	size_t i;
};

static int
by_key(const void *one, const void *other)
{
	const struct keyed *a = one, *b = other;
	int c = (a->key > b->key) - (a->key < b->key);

	return c != 0 ? c : (a->i > b->i) - (a->i < b->i);
}

static void
sort(struct keyed *k, size_t n)
{
	if (n > 1)
		qsort(k, n, sizeof(*k), by_key);
}

/* Where the run of equal keys that begins at `from` ends. */
static size_t
run_end(const struct keyed *k, size_t n, size_t from)
{
	size_t to = from;

	while (to < n && k[to].key == k[from].key)
		to++;
	return to;
}

enum pb_status
pb_stamps_judge(const double *t, size_t stride, size_t n, struct pb_stamps *s)
{
	struct keyed *k = calloc(n + 1, sizeof(*k));
	double ahead = 0, last = NAN;
	size_t have = 0;

	if (k == NULL)
		return PB_ENOMEM;
	*s = (struct pb_stamps){.n = n};
	for (size_t i = 0; i < n; i++) {
		double now = *(const double *)((const char *)t + i * stride);
		double step = now - last;

		if (!isfinite(now))
			continue;
		k[have] = (struct keyed){moment(now), have};
		have++;
		last = now;
		s->back += step < 0;
		s->late = fmax(s->late, -step);
		s->jump = fmax(s->jump, step);
		ahead += step > 0 ? step : 0;
	}
	sort(k, have);
	for (size_t i = 1; i < have; i++)
		s->repeated += k[i].key == k[i - 1].key;
	free(k);
	s->missing = n - have;
	if (s->jump <= JUMP_MIN || s->jump == ahead ||
	    s->jump <= JUMP_TIMES * (ahead - s->jump))
		s->jump = 0;
	s->broken = s->missing > 0 || s->repeated > 0 || s->late > LATE_MAX ||
	            (double)s->back > LATE_SHARE * (double)n || s->jump > 0;
	return PB_OK;
}

/* A pairing under way. */
struct pairing {
	const struct pb_timed *ref, *est;
	size_t nr, ne;
	enum pb_pairing how;
	size_t *of;
	struct pb_pair_doubt *d;
	struct keyed *ref_at; /* references by time */
	struct keyed *est_at; /* estimates by the run of references that they
	                         are nearest to: its first place in ref_at */
	size_t found;         /* in est_at */
	size_t *taken;        /* of a reference: its estimate, ne if none */
};

/* The first reference in time that is not before t. */
static size_t
not_before(const struct pairing *p, double t)
{
	return pb_not_below(&p->ref_at->key, sizeof(*p->ref_at), p->nr, t);
}

/* Find the run of references that each estimate is nearest to. */
static void
approach(struct pairing *p, double max_dt)
{
	for (size_t i = 0; i < p->ne; i++) {
		double t = moment(p->est[i].t);
		size_t k = not_before(p, t);

		if (k == p->nr ||
		    (k > 0 && t - p->ref_at[k - 1].key < p->ref_at[k].key - t))
			k = k > 0 ? not_before(p, p->ref_at[k - 1].key) : 0;
		p->of[i] = p->nr;
		if (k < p->nr &&
		    fabs(p->ref[p->ref_at[k].i].t - p->est[i].t) <= max_dt)
			p->est_at[p->found++] = (struct keyed){(double)k, i};
	}
	sort(p->est_at, p->found);
}

static bool
same_place(struct pb_pose a, struct pb_pose b)
{
	return a.x == b.x && a.y == b.y && a.th == b.th;
}

static void
doubt(struct pairing *p, size_t est)
{
	if (p->d->n++ == 0)
		p->d->t = p->est[est].t;
}

/* In one stream: of r[nr] the last that was told before each of e[ne]. */
static void
pair_by_told(struct pairing *p, const struct keyed *r, size_t nr,
    const struct keyed *e, size_t ne)
{
	size_t k = 0;

	for (size_t i = 0, before = nr; i < ne; before = k, i++) {
		size_t told = p->est[e[i].i].told;

		while (k + 1 < nr && r[k + 1].i < told)
			k++;
		if (told == PB_TIMED_APART ||
		    (before == k && p->how == PB_PAIR_ONCE))
			doubt(p, e[i].i);
		p->of[e[i].i] = r[k].i;
	}
}

/* Estimates e[ne] are all nearest to the references r[nr] of one time. */
static void
pair_run(struct pairing *p, const struct keyed *r, size_t nr,
    const struct keyed *e, size_t ne)
{
	bool same = true;

	for (size_t i = 1; i < nr; i++)
		same &= same_place(p->ref[r[0].i].p, p->ref[r[i].i].p);
	if (nr == ne || same)
		for (size_t i = 0; i < ne; i++)
			p->of[e[i].i] = r[i < nr ? i : nr - 1].i;
	else
		pair_by_told(p, r, nr, e, ne);
}

static void
pair_runs(struct pairing *p)
{
	size_t to;

	for (size_t at = 0; at < p->found; at = to) {
		size_t k = (size_t)p->est_at[at].key;

		to = run_end(p->est_at, p->found, at);
		pair_run(p, p->ref_at + k, run_end(p->ref_at, p->nr, k) - k,
		    p->est_at + at, to - at);
	}
}

/*
 * Each reference keeps the nearest of its estimates, of equals the last: who
 * was told more knows more. In one stream, other references between two of one
 * time say that it was rounded.
 */
static void
keep_one(struct pairing *p)
{
	for (size_t r = 0; r < p->nr; r++)
		p->taken[r] = p->ne;
	for (size_t e = 0; e < p->ne; e++) {
		size_t r = p->of[e], was;
		const struct pb_timed *a, *b = &p->est[e];

		if (r == p->nr)
			continue;
		was = p->taken[r];
		p->taken[r] = e;
		if (was == p->ne)
			continue;
		a = &p->est[was];
		if (a->t == b->t && a->told != b->told &&
		    !same_place(a->p, b->p))
			doubt(p, e);
		if (fabs(a->t - p->ref[r].t) < fabs(b->t - p->ref[r].t)) {
			p->taken[r] = was;
			was = e;
		}
		p->of[was] = p->nr;
	}
}

/* Of an estimate of another stream: whether its times were rounded. */
static void
mistrust(struct pairing *p)
{
	double way = 0, still = 0;
	size_t first = p->ne, n = 0;

	for (size_t i = 1; i < p->ne; i++) {
		const struct pb_timed *a = &p->est[i - 1], *b = &p->est[i];
		double step = pb_pose_dist(a->p, b->p);

		way += step;
		if (a->t != b->t || b->told != PB_TIMED_APART)
			continue;
		still += step;
		first = n++ == 0 ? i : first;
	}
	if (still > STILL_SHARE * way) {
		p->d->n = n;
		p->d->t = p->est[first].t;
	}
}

static void
pair_by_time(struct pairing *p, double max_dt)
{
	bool several = false;
	size_t to;

	for (size_t i = 0; i < p->nr; i++)
		p->ref_at[i] = (struct keyed){moment(p->ref[i].t), i};
	sort(p->ref_at, p->nr);
	approach(p, max_dt);
	pair_runs(p);
	if (p->how == PB_PAIR_NEAREST)
		return;
	for (size_t at = 0; at < p->found; at = to) {
		size_t k = (size_t)p->est_at[at].key;

		to = run_end(p->est_at, p->found, at);
		several |= to - at > run_end(p->ref_at, p->nr, k) - k;
	}
	keep_one(p);
	if (several && p->d->n == 0)
		mistrust(p);
}

enum pb_status
pb_pair_poses(const struct pb_timed *ref, size_t nr, const struct pb_timed *est,
    size_t ne, enum pb_pairing how, double max_dt, size_t *of,
    struct pb_pair_doubt *d)
{
	struct pairing p = {.ref = ref,
	    .est = est,
	    .nr = nr,
	    .ne = ne,
	    .how = how,
	    .of = of,
	    .d = d,
	    .ref_at = calloc(nr + 1, sizeof(*p.ref_at)),
	    .est_at = calloc(ne + 1, sizeof(*p.est_at)),
	    .taken = calloc(nr + 1, sizeof(*p.taken))};
	enum pb_status st = PB_OK;

	*d = (struct pb_pair_doubt){.n = 0};
	if (p.ref_at == NULL || p.est_at == NULL || p.taken == NULL)
		st = PB_ENOMEM;
	else if (how == PB_PAIR_ORDER && nr != ne)
		st = PB_ESIZE;
	else if (how == PB_PAIR_ORDER)
		for (size_t i = 0; i < ne; i++)
			of[i] = i;
	else
		pair_by_time(&p, max_dt);
	free(p.ref_at);
	free(p.est_at);
	free(p.taken);
	return st == PB_OK && d->n > 0 ? PB_EVAGUE : st;
}
