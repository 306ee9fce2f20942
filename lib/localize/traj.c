/* traj.c - how far an estimated trajectory is from the true one: errors, the
 * offset of two clocks, and statistics of the status without true poses. */
#include "localize/traj.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/pool.h"
#include "pb/localizer.h"
#include "pb/stats.h"

/*
 * Limits of usable stamps. Loggers write several sensors as data arrive, so
 * that a stamp may be slightly late: at most 0.86 s in the log of the Intel
 * lab, for 4 of 910 scans. A step of an hour is no sensor period unless the
 * drive had a break; even then the other steps add up.
 */
#define LATE_MAX   1.0    /* a later stamp is broken (s) */
#define LATE_SHARE 0.05   /* most stamps that may be late (share) */
#define JUMP_MIN   3600.0 /* least impossible step (s) */
#define JUMP_TIMES 10     /* and least multiple of all other steps */

/*
 * A robot does not move at one instant: if this share of the path lies between
 * poses of equal times, the times were rounded. With k poses at each time it is
 * (k - 1) / k; corrections by a scan and a fix of one time are far less.
 */
#define STILL_SHARE 0.4 /* (share of the path) */

/* Records have times rounded to 1e-6 s: nearer times are the same. */
static double
round_time(double t)
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

/* Poses searched on either side, in case stamps are out of order. */
#define SEARCH_RANGE 4096

/* The first pose near index `before` that is not before t, k->n if none. */
static size_t
find_after(const struct pb_timed_list *k, size_t before, double t)
{
	size_t lo = before > SEARCH_RANGE ? before - SEARCH_RANGE : 0;
	size_t hi = k->n - before > SEARCH_RANGE ? before + SEARCH_RANGE : k->n;

	while (before > lo && k->at[before - 1].t >= t)
		before--;
	while (before < hi && !(k->at[before].t >= t))
		before++;
	return before < hi ? before : k->n;
}

bool
pb_timed_find(const struct pb_timed_list *k, size_t before, double t,
    double gap, struct pb_pose *pose)
{
	const struct pb_timed none = {.t = NAN};
	struct pb_timed last = before > 0 ? k->at[before - 1] : none, a, b;
	double da, db;
	size_t i;

	if (before > 0 && (isnan(t) || isnan(last.t) || last.t == t)) {
		*pose = last.p;
		return true;
	}
	i = find_after(k, before, t);
	a = i > 0 ? k->at[i - 1] : none;
	b = i < k->n ? k->at[i] : none;
	da = t >= a.t ? t - a.t : INFINITY;
	db = b.t >= t ? b.t - t : INFINITY;
	if (da + db <= gap && da + db > 0)
		*pose = pb_segment_pose(a.p, b.p, da / (da + db));
	else if (fmin(da, db) <= gap)
		*pose = da <= db ? a.p : b.p;
	else
		return false;
	return true;
}

/* qsort is not stable: equal times are ordered by stream position. */
static int
compare_time(const void *one, const void *other)
{
	const struct pb_timed *a = one, *b = other;
	int c = (a->t > b->t) - (a->t < b->t);

	return c != 0 ? c : (a->before > b->before) - (a->before < b->before);
}

/* Binary search: index of the first of n non-decreasing numbers, each `stride`
 * bytes after the last, that is not below v; n if none. */
static size_t
lower_bound(const double *x, size_t stride, size_t n, double v)
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

/* Sort x[n] by time, equal times by stream position. */
static void
sort_by_time(struct pb_timed *x, size_t n)
{
	if (n > 1)
		qsort(x, n, sizeof(*x), compare_time);
}

/* The index of the first pose of sorted l not before t, l->n if none. */
static size_t
lower_bound_time(const struct pb_timed_list *l, double t)
{
	return lower_bound(&l->at->t, sizeof(*l->at), l->n, t);
}

enum pb_status
pb_stamps_check(const double *t, size_t stride, size_t n, struct pb_stamps *s)
{
	double *k = calloc(n + 1, sizeof(*k)), ahead = 0, last = NAN;
	size_t have = 0;

	if (k == NULL)
		return PB_ENOMEM;
	*s = (struct pb_stamps){.n = n};
	for (size_t i = 0; i < n; i++) {
		double now = *(const double *)((const char *)t + i * stride);
		double step = now - last;

		if (!isfinite(now))
			continue;
		k[have++] = round_time(now);
		last = now;
		s->back += step < 0;
		s->late = fmax(s->late, -step);
		s->jump = fmax(s->jump, step);
		ahead += step > 0 ? step : 0;
	}
	pb_sort(k, have);
	for (size_t i = 1; i < have; i++)
		s->repeated += k[i] == k[i - 1];
	free(k);
	s->missing = n - have;
	if (s->jump <= JUMP_MIN || s->jump == ahead ||
	    s->jump <= JUMP_TIMES * (ahead - s->jump))
		s->jump = 0;
	s->broken = s->missing > 0 || s->repeated > 0 || s->late > LATE_MAX ||
	            (double)s->back > LATE_SHARE * (double)n || s->jump > 0;
	return PB_OK;
}

static bool
is_same_place(struct pb_pose a, struct pb_pose b)
{
	return a.x == b.x && a.y == b.y && a.th == b.th;
}

static bool
is_near_in_time(
    const struct pb_timed *a, const struct pb_timed *b, double max_dt)
{
	return fabs(a->t - b->t) <= max_dt;
}

/*
 * Pair by order if references have equal times: an estimate belongs to the last
 * reference before it in its stream; in another stream of the same length, to
 * the reference of the same number.
 *
 * Returns  false if the lengths differ
 */
static bool
pair_by_order(const struct pb_timed *ref, size_t nr, const struct pb_timed *est,
    size_t ne, double max_dt, size_t *of)
{
	for (size_t i = 0; i < ne; i++) {
		bool apart = est[i].before == PB_TIMED_APART;
		size_t k = apart ? i : est[i].before - 1;

		if (apart && nr != ne)
			return false;
		of[i] = k < nr && is_near_in_time(&ref[k], &est[i], max_dt)
		            ? k
		            : nr;
	}
	return true;
}

/* Pair each estimate with the nearest reference; all times differ. */
static void
pair_by_time(const struct pb_timed_list *sorted, const struct pb_timed *est,
    size_t ne, double max_dt, size_t *of)
{
	const struct pb_timed *at = sorted->at;
	size_t nr = sorted->n;

	for (size_t i = 0; i < ne; i++) {
		double t = round_time(est[i].t);
		size_t k = lower_bound_time(sorted, t);

		if (k > 0 && (k == nr || t - at[k - 1].t < at[k].t - t))
			k--;
		of[i] = k < nr && is_near_in_time(&at[k], &est[i], max_dt)
		            ? at[k].before
		            : nr;
	}
}

/* Keep for each reference the nearest estimate, of equals the last, which was
 * made from more data. */
static void
keep_nearest(const struct pb_timed *ref, size_t nr, const struct pb_timed *est,
    size_t ne, size_t *of, size_t *taken)
{
	for (size_t r = 0; r < nr; r++)
		taken[r] = ne;
	for (size_t e = 0; e < ne; e++) {
		size_t r = of[e], was, less;

		if (r == nr)
			continue;
		was = taken[r];
		less = was < ne && fabs(est[was].t - ref[r].t) <
		                       fabs(est[e].t - ref[r].t)
		           ? e
		           : was;
		if (was < ne)
			of[less] = nr;
		if (less == was)
			taken[r] = e;
	}
}

/* Whether the times of estimates were rounded (STILL_SHARE). */
static bool
find_rounding(
    const struct pb_timed *est, size_t ne, struct pb_pair_ambiguity *d)
{
	double way = 0, still = 0;

	for (size_t i = 1; i < ne; i++) {
		double step = pb_pose_dist(est[i - 1].p, est[i].p);

		way += step;
		/* A scan and a fix of one time come after one reference. */
		if (est[i - 1].t != est[i].t ||
		    (est[i].before != PB_TIMED_APART &&
			est[i - 1].before == est[i].before))
			continue;
		still += step;
		if (d->n++ == 0)
			d->t = est[i].t;
	}
	return still > STILL_SHARE * way;
}

enum pb_status
pb_pair_poses(const struct pb_timed *ref, size_t nr, const struct pb_timed *est,
    size_t ne, double max_dt, size_t *of, struct pb_pair_ambiguity *d)
{
	struct pb_pool pool = {.last = NULL};
	struct pb_timed_list at = {
	    pb_pool_get(&pool, nr, sizeof(*at.at)), nr, nr};
	size_t *taken = pb_pool_get(&pool, nr, sizeof(*taken));
	enum pb_status st = pool.failed ? PB_ENOMEM : PB_OK;
	bool repeated = false;

	*d = (struct pb_pair_ambiguity){.n = 0};
	for (size_t i = 0; st == PB_OK && i < nr; i++)
		at.at[i] = (struct pb_timed){
		    .t = round_time(ref[i].t), .p = ref[i].p, .before = i};
	if (st == PB_OK)
		sort_by_time(at.at, nr);
	for (size_t i = 1; st == PB_OK && i < nr; i++)
		repeated |= at.at[i].t == at.at[i - 1].t &&
		            !is_same_place(at.at[i].p, at.at[i - 1].p);
	if (st == PB_OK && !repeated)
		pair_by_time(&at, est, ne, max_dt, of);
	else if (st == PB_OK && !pair_by_order(ref, nr, est, ne, max_dt, of)) {
		*d = (struct pb_pair_ambiguity){ne, est[0].t};
		st = PB_EVAGUE;
	}
	if (st == PB_OK)
		keep_nearest(ref, nr, est, ne, of, taken);
	if (st == PB_OK && !repeated && find_rounding(est, ne, d))
		st = PB_EVAGUE;
	pb_pool_clear(&pool);
	return st;
}

#define PB_PARAMS_OF struct pb_traj_opts

/*
 * Half a metre and 15 degrees are what the published comparisons of global
 * localization call right; 10 ms is evo's default, below the time between two
 * scans of any lidar.
 */
/* The row near, which near-turn follows. */
enum { NEAR = 2 };

static const struct pb_param rows[] = {
    PB_REAL("max-dt", max_dt, "s", 0.01, 0, INFINITY,
	"most between a pose and its reference"),
    PB_REAL("max-gap", max_gap, "s", 0.5, 0, INFINITY,
	"or between two that it lies between"),
    PB_REAL("near", near, "m", 0.5, 0, INFINITY, "right if no further off",
	.when = "place!=maze"),
    PB_REAL("near-turn", near_turn, "rad", PB_PI / 12, 0, INFINITY,
	"and turned no further away"),
    PB_REAL("step-time", step_s, "s", 1, 1e-6, INFINITY,
	"of the relative error over time"),
    PB_REAL("step-way", step_m, "m", 1, 1e-6, INFINITY,
	"of the relative error over the way"),
};

const struct pb_params pb_traj_params = PB_PARAMS(rows);
const struct pb_params pb_traj_near_params = {&rows[NEAR], 2, 2};

struct pb_traj_opts
pb_traj_defaults(void)
{
	struct pb_traj_opts o = {0};

	pb_params_defaults(pb_traj_params, &o);
	return o;
}

bool
pb_traj_number(const struct pb_traj_report *r, const char *name, double *value)
{
	const struct pb_named known[] = {{"ate", r->ate.place.rmse},
	    {"ate_max", r->ate.place.max}, {"ate_turn", r->ate.turn.rmse},
	    {"aligned", r->ate_best.place.rmse},
	    {"aligned_max", r->ate_best.place.max},
	    {"aligned_turn", r->ate_best.turn.rmse},
	    {"rpe_s", r->rpe_s.place.rmse}, {"rpe_m", r->rpe_m.place.rmse},
	    {"lost", r->lost}, {"ambiguous", r->ambiguous},
	    {"unmapped", r->unmapped}, {"wrong", (double)r->wrong},
	    {"alone", (double)r->alone}, {"pairs", (double)r->pairs},
	    {"found", r->found}};

	return PB_NAMED(known, name, value);
}

/* Pairs in the order of time, and room for errors. */
struct pairs {
	size_t n;
	struct pb_timed *est, *ref;
	struct pb_pose *from, *to; /* their poses alone */
	double *place, *turn;
	double *gone; /* by pair: distance from the pair before */
};

struct pb_pose
pb_traj_align(const struct pb_pose *a, const struct pb_pose *b, size_t n)
{
	double ax = 0, ay = 0, bx = 0, by = 0, along = 0, across = 0;
	struct pb_pose turn = {0, 0, 0};
	struct pb_vec v;

	for (size_t i = 0; i < n; i++) {
		ax += a[i].x / (double)n;
		ay += a[i].y / (double)n;
		bx += b[i].x / (double)n;
		by += b[i].y / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		double px = a[i].x - ax, py = a[i].y - ay;
		double qx = b[i].x - bx, qy = b[i].y - by;

		along += px * qx + py * qy;
		across += px * qy - py * qx;
	}
	if (along != 0 || across != 0)
		turn.th = pb_atan2(across, along);
	v = pb_vec_from(turn, (struct pb_vec){ax, ay});
	return (struct pb_pose){bx - v.x, by - v.y, turn.th};
}

struct pb_spread
pb_spread_of(double *x, size_t n)
{
	struct pb_spread s = {NAN, NAN, NAN, NAN};
	double sum = 0;

	if (n == 0)
		return s;
	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	s.rmse = sqrt(sum / (double)n);
	pb_sort(x, n);
	s.mean = pb_mean(x, n);
	s.median = pb_quantile(x, n, 0.5);
	s.max = x[n - 1];
	return s;
}

static struct pb_traj_error
summarise_errors(struct pairs *p, size_t n)
{
	return (struct pb_traj_error){
	    n, pb_spread_of(p->place, n), pb_spread_of(p->turn, n)};
}

static struct pb_traj_error
absolute_errors(struct pairs *p, struct pb_pose shift)
{
	for (size_t i = 0; i < p->n; i++) {
		struct pb_pose q = pb_pose_compose(shift, p->from[i]);

		p->place[i] = pb_pose_dist(q, p->to[i]);
		p->turn[i] = fabs(pb_wrap(q.th - p->to[i].th));
	}
	return summarise_errors(p, p->n);
}

/* Store the error of the step from pair i to pair k as number n. */
static void
measure_step(struct pairs *p, size_t i, size_t k, size_t n)
{
	struct pb_pose e = pb_pose_into(pb_pose_into(p->to[i], p->to[k]),
	    pb_pose_into(p->from[i], p->from[k]));

	p->place[n] = sqrt(e.x * e.x + e.y * e.y);
	p->turn[n] = fabs(e.th);
}

/* Consecutive steps, as in evo: each ends at the first pose at least `step` of
 * `gone` after its start. */
static struct pb_traj_error
relative_errors(struct pairs *p, double step)
{
	size_t from = 0, n = 0;
	double sum = 0;

	for (size_t i = 1; i < p->n; i++) {
		sum += p->gone[i];
		if (sum < step)
			continue;
		sum = 0;
		measure_step(p, from, i, n++);
		from = i;
	}
	return summarise_errors(p, n);
}

static void
fill_relative_errors(
    struct pairs *p, const struct pb_traj_opts *o, struct pb_traj_report *r)
{
	for (size_t i = 1; i < p->n; i++)
		p->gone[i] = p->ref[i].t - p->ref[i - 1].t;
	r->rpe_s = relative_errors(p, o->step_s);
	for (size_t i = 1; i < p->n; i++)
		p->gone[i] = pb_pose_dist(p->to[i], p->to[i - 1]);
	r->rpe_m = relative_errors(p, o->step_m);
}

/* Count the statuses of the estimates, and whether they were right. */
static void
count_statuses(const struct pairs *p, const struct pb_traj_opts *o,
    struct pb_traj_report *r)
{
	double share[PB_LOC_STATUSES] = {0};

	r->found = NAN;
	for (size_t i = 0; i < p->n; i++) {
		int status = p->est[i].status;
		bool sure =
		    status == PB_TRAJ_NO_STATUS || status == PB_LOC_TRACKING;
		bool right =
		    pb_pose_dist(p->from[i], p->to[i]) <= o->near &&
		    fabs(pb_wrap(p->from[i].th - p->to[i].th)) <= o->near_turn;
		double dt = i + 1 < p->n ? p->est[i + 1].t - p->est[i].t : 0;

		if (sure && right && isnan(r->found))
			r->found = p->est[i].t - p->est[0].t;
		r->wrong += sure && !right;
		if (status != PB_TRAJ_NO_STATUS)
			share[status] += dt;
		if (i > 0)
			r->length += pb_pose_dist(p->to[i], p->to[i - 1]);
	}
	r->duration = p->est[p->n - 1].t - p->est[0].t;
	for (int k = 0; k < PB_LOC_STATUSES && r->duration > 0; k++)
		share[k] /= r->duration;
	r->lost = share[PB_LOC_LOST];
	r->ambiguous = share[PB_LOC_AMBIGUOUS];
	r->unmapped = share[PB_LOC_UNMAPPED];
}

/*
 * Interpolate references, between two of sorted[nr], for estimates without a
 * near one; of estimates at one time the last counts.
 *
 * Returns  how many; their of[] are above nr, one number per time
 */
static size_t
interpolate_references(const struct pb_timed *sorted, size_t nr,
    const struct pb_timed *est, size_t ne, const struct pb_traj_opts *o,
    size_t *of, struct pb_timed *partner)
{
	size_t n = 0;

	for (size_t i = 0; i < ne; i++) {
		double t = est[i].t;
		size_t k = lower_bound(&sorted->t, sizeof(*sorted), nr, t);
		const struct pb_timed *a = &sorted[k > 0 ? k - 1 : 0];
		const struct pb_timed *b = &sorted[k];

		if (of[i] < nr || k == 0 || k == nr ||
		    b->t - a->t > o->max_gap ||
		    fmin(t - a->t, b->t - t) <= o->max_dt)
			continue;
		partner[i] = (struct pb_timed){.t = t,
		    .p = pb_segment_pose(
			a->p, b->p, (t - a->t) / (b->t - a->t))};
		of[i] = nr + 1 + i;
		n++;
		if (i == 0 || est[i - 1].t != t || of[i - 1] <= nr)
			continue;
		of[i] = of[i - 1];
		of[i - 1] = nr;
		n--;
	}
	return n;
}

/* Find the reference of each estimate, near or interpolated. */
static enum pb_status
find_partners(const struct pb_timed *ref, size_t nr, const struct pb_timed *est,
    size_t ne, const struct pb_traj_opts *o, size_t *of,
    struct pb_timed *partner, size_t *between)
{
	struct pb_timed *sorted;
	struct pb_stamps s;

	if (nr == 0)
		return PB_OK;
	if (pb_stamps_check(&ref->t, sizeof(*ref), nr, &s) != PB_OK)
		return PB_ENOMEM;
	for (size_t i = 0; i < ne; i++)
		if (of[i] < nr)
			partner[i] = ref[of[i]];
	if (s.broken)
		return PB_OK;
	if ((sorted = malloc(nr * sizeof(*sorted))) == NULL)
		return PB_ENOMEM;
	memcpy(sorted, ref, nr * sizeof(*ref));
	sort_by_time(sorted, nr);
	*between = interpolate_references(sorted, nr, est, ne, o, of, partner);
	free(sorted);
	return PB_OK;
}

/* Order the pairs: by time, or by stream position if stamps are unusable. */
static enum pb_status
order_pairs(struct pairs *p, size_t nr, const struct pb_timed *est, size_t ne,
    const size_t *of, const struct pb_timed *partner, bool *numbered)
{
	struct pb_stamps s;
	size_t last = nr, stamps = 0;

	for (size_t i = 0; i < ne; i++) {
		if (of[i] == nr)
			continue;
		p->est[p->n] = est[i];
		p->est[p->n++].before = i;
		/* Several estimates of one reference may have the same time. */
		if (of[i] != last)
			p->place[stamps++] = est[i].t;
		last = of[i];
	}
	if (pb_stamps_check(p->place, sizeof(*p->place), stamps, &s) != PB_OK)
		return PB_ENOMEM;
	*numbered = s.broken;
	if (!s.broken)
		sort_by_time(p->est, p->n);
	for (size_t i = 0; i < p->n; i++) {
		p->ref[i] = partner[p->est[i].before];
		if (s.broken)
			p->est[i].t = p->ref[i].t = (double)i;
		p->from[i] = p->est[i].p;
		p->to[i] = p->ref[i].p;
	}
	return p->n > 0 ? PB_OK : PB_ENOENT;
}

enum pb_status
pb_traj_compare(const struct pb_timed *ref, size_t nr,
    const struct pb_timed *est, size_t ne, const struct pb_traj_opts *o,
    struct pb_traj_report *r, struct pb_pair_ambiguity *d)
{
	const struct pb_pose as_is = {0, 0, 0};
	struct pb_pool pool = {.last = NULL};
	size_t between = 0, *of = pb_pool_get(&pool, ne, sizeof(*of));
	struct pb_timed *partner = pb_pool_get(&pool, ne, sizeof(*partner));
	struct pairs p = {.est = pb_pool_get(&pool, ne, sizeof(*p.est)),
	    .ref = pb_pool_get(&pool, ne, sizeof(*p.ref)),
	    .from = pb_pool_get(&pool, ne, sizeof(*p.from)),
	    .to = pb_pool_get(&pool, ne, sizeof(*p.to)),
	    .place = pb_pool_get(&pool, ne, sizeof(*p.place)),
	    .turn = pb_pool_get(&pool, ne, sizeof(*p.turn)),
	    .gone = pb_pool_get(&pool, ne, sizeof(*p.gone))};
	bool numbered = false;
	enum pb_status st = PB_ENOMEM;

	if (!pool.failed)
		st = pb_pair_poses(ref, nr, est, ne, o->max_dt, of, d);
	if (st == PB_OK)
		st = find_partners(ref, nr, est, ne, o, of, partner, &between);
	if (st == PB_OK)
		st = order_pairs(&p, nr, est, ne, of, partner, &numbered);
	if (st == PB_OK) {
		*r = (struct pb_traj_report){.pairs = p.n,
		    .alone = ne - p.n,
		    .between = between,
		    .reference = nr,
		    .numbered = numbered};
		count_statuses(&p, o, r);
		r->shift = pb_traj_align(p.from, p.to, p.n);
		r->ate = absolute_errors(&p, as_is);
		r->ate_best = absolute_errors(&p, r->shift);
		fill_relative_errors(&p, o, r);
	}
	pb_pool_clear(&pool);
	return st;
}

bool
pb_scatter_number(const struct pb_scatter *s, const char *name, double *value)
{
	const struct pb_named known[] = {{"radial_mean", s->radial_mean},
	    {"radial_max", s->radial_max}, {"apart_mean", s->apart_mean},
	    {"apart_max", s->apart_max}, {"turn_max", s->turn_max},
	    {"sd_x", s->sd[0]}, {"sd_y", s->sd[1]}, {"sd_theta", s->sd[2]},
	    {"step_max", s->step.max}, {"duration", s->duration}};

	return PB_NAMED(known, name, value);
}

struct pb_span
pb_span_of(const double *x, size_t stride, size_t n)
{
	const char *at = (const char *)x;
	struct pb_span s = {NAN, NAN, NAN, NAN};
	double sum = 0, square = 0, lo = INFINITY, hi = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		double v = *(const double *)(const void *)(at + i * stride);

		sum += v;
		lo = fmin(lo, v);
		hi = fmax(hi, v);
	}
	if (n == 0 || !isfinite(sum))
		return s;
	s.mean = sum / (double)n;
	for (size_t i = 0; i < n; i++) {
		double v = *(const double *)(const void *)(at + i * stride);

		square += (v - s.mean) * (v - s.mean);
	}
	s.sd = sqrt(square / (double)n);
	s.min = lo;
	s.max = hi;
	return s;
}

/* Fill s from the headings relative to their mean direction. */
static void
fill_turn_scatter(
    const struct pb_timed *x, size_t n, double *v, struct pb_scatter *s)
{
	struct pb_span a;
	double c = 0, d = 0, about;

	for (size_t i = 0; i < n; i++) {
		c += isfinite(x[i].p.th) ? pb_cos(x[i].p.th) : NAN;
		d += isfinite(x[i].p.th) ? pb_sin(x[i].p.th) : NAN;
	}
	about = isfinite(c) && (c != 0 || d != 0) ? pb_atan2(d, c) : NAN;
	for (size_t i = 0; i < n; i++)
		v[i] = isfinite(about) ? pb_wrap(x[i].p.th - about) : NAN;
	a = pb_span_of(v, sizeof(*v), n);
	s->mean.th = isfinite(a.mean) ? pb_wrap(about + a.mean) : NAN;
	s->sd[2] = a.sd;
	s->turn_max =
	    isfinite(a.mean) ? fmax(a.max - a.mean, a.mean - a.min) : NAN;
}

static void
fill_step_statistics(
    const struct pb_timed *x, size_t n, double *v, struct pb_scatter *s)
{
	for (size_t i = 1; i < n; i++)
		v[i - 1] = x[i].t - x[i - 1].t;
	s->dt = pb_span_of(v, sizeof(*v), n - 1);
	s->duration = x[n - 1].t - x[0].t;
	for (size_t i = 1; i < n; i++)
		v[i - 1] = pb_pose_dist(x[i].p, x[i - 1].p);
	s->step = pb_span_of(v, sizeof(*v), n - 1);
	for (size_t i = 1; i < n; i++) {
		double turn = x[i].p.th - x[i - 1].p.th;

		v[i - 1] = isfinite(turn) ? fabs(pb_wrap(turn)) : NAN;
	}
	s->turn = pb_span_of(v, sizeof(*v), n - 1);
}

static void
fill_distances(const struct pb_timed *x, size_t n, struct pb_scatter *s)
{
	size_t pairs = n * (n - 1) / 2;
	double sum = 0, most = 0;

	s->apart_mean = s->apart_max = NAN;
	if (n < 2 || n > PB_SCATTER_APART)
		return;
	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < i; k++) {
			double d = pb_pose_dist(x[i].p, x[k].p);

			sum += d;
			most = fmax(most, d);
		}
	s->apart_mean = sum / (double)pairs;
	s->apart_max = most;
}

enum pb_status
pb_scatter_of(const struct pb_timed *x, size_t n, struct pb_scatter *s)
{
	double *v = calloc(n + 1, sizeof(*v));
	struct pb_span a;

	if (v == NULL)
		return PB_ENOMEM;
	*s = (struct pb_scatter){.n = n, .end = x[n - 1].p};
	a = pb_span_of(&x->p.x, sizeof(*x), n);
	s->mean.x = a.mean;
	s->sd[0] = a.sd;
	a = pb_span_of(&x->p.y, sizeof(*x), n);
	s->mean.y = a.mean;
	s->sd[1] = a.sd;
	for (size_t i = 0; i < n; i++)
		v[i] = pb_pose_dist(x[i].p, s->mean);
	a = pb_span_of(v, sizeof(*v), n);
	s->radial_mean = a.mean;
	s->radial_max = a.max;
	fill_turn_scatter(x, n, v, s);
	fill_step_statistics(x, n, v, s);
	fill_distances(x, n, s);
	for (int k = 0; k < 3; k++)
		s->sigma[k] = pb_span_of(&x->sigma[k], sizeof(*x), n).mean;
	free(v);
	return PB_OK;
}

/* The trajectory and its odometry, by time. */
struct tracks {
	const struct pb_timed_list *pose, *odom;
};

bool
pb_relations_number(
    const struct pb_relations_report *r, const char *name, double *value)
{
	const struct pb_named known[] = {{"nearest", r->nearest.m.mean},
	    {"nearest_turn", r->nearest.turn.mean}, {"far", (double)r->far},
	    {"repeated", (double)r->repeated}};

	return PB_NAMED(known, name, value);
}

/* Index of the first pose of l nearest to t. */
static size_t
find_nearest(const struct pb_timed_list *l, double t)
{
	size_t k = lower_bound_time(l, t);

	if (k == l->n || (k > 0 && t - l->at[k - 1].t <= l->at[k].t - t))
		k = lower_bound_time(l, l->at[k - 1].t);
	return k;
}

/* Whether another pose at a different place has the nearest stamp. */
static bool
is_repeated(const struct pb_timed_list *l, double t)
{
	size_t k = find_nearest(l, t);

	for (size_t i = k + 1; i < l->n && l->at[i].t == l->at[k].t; i++)
		if (pb_pose_dist(l->at[i].p, l->at[k].p) > 0 ||
		    l->at[i].p.th != l->at[k].p.th)
			return true;
	return false;
}

static double
time_gap(const struct tracks *x, double t)
{
	return fabs(x->pose->at[find_nearest(x->pose, t)].t - t);
}

static struct pb_pose
odometry_at(const struct tracks *x, double t)
{
	return x->odom->at[find_nearest(x->odom, t)].p;
}

/* The pose nearest to t, moved to time t by odometry if it is far. */
static struct pb_pose
pose_at(const struct tracks *x, double t)
{
	const struct pb_timed *p = &x->pose->at[find_nearest(x->pose, t)];

	if (fabs(p->t - t) <= PB_RELATION_NEAR || x->odom->n == 0)
		return p->p;
	return pb_pose_compose(
	    p->p, pb_pose_into(odometry_at(x, p->t), odometry_at(x, t)));
}

struct error {
	double m, m2;       /* position error and its square (m, m^2) */
	double turn, turn2; /* heading error and its square (rad, rad^2) */
};

static struct pb_relation_errors
summarise(const struct error *e, size_t n)
{
	return (struct pb_relation_errors){pb_span_of(&e->m, sizeof(*e), n),
	    pb_span_of(&e->m2, sizeof(*e), n),
	    pb_span_of(&e->turn, sizeof(*e), n),
	    pb_span_of(&e->turn2, sizeof(*e), n)};
}

/* Whether both ends of r lie within the time of the poses. */
static bool
is_within_time(const struct pb_timed_list *l, const struct pb_relation *r)
{
	return fmin(r->t1, r->t2) >= l->at[0].t &&
	       fmax(r->t1, r->t2) <= l->at[l->n - 1].t;
}

/* Compute the differences between measured and given relations. */
static void
measure_relations(const struct tracks *x, const struct pb_relation *r, size_t n,
    struct error *e, struct pb_relations_report *out)
{
	for (size_t i = 0; i < n; i++) {
		struct pb_pose d =
		    pb_pose_into(pose_at(x, r[i].t1), pose_at(x, r[i].t2));
		double gap = fmax(time_gap(x, r[i].t1), time_gap(x, r[i].t2));
		bool far = gap > PB_RELATION_NEAR;
		const struct pb_timed_list *l =
		    far && x->odom->n > 0 ? x->odom : x->pose;

		out->far += far;
		out->gap = fmax(out->gap, gap);
		out->repeated +=
		    is_repeated(l, r[i].t1) || is_repeated(l, r[i].t2);
		d = (struct pb_pose){
		    d.x - r[i].d.x, d.y - r[i].d.y, pb_wrap(d.th - r[i].d.th)};
		e[i].m2 = d.x * d.x + d.y * d.y;
		e[i].m = sqrt(e[i].m2);
		e[i].turn = fabs(d.th);
		e[i].turn2 = d.th * d.th;
	}
	out->nearest = summarise(e, n);
}

static void
sort_list(struct pb_timed_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		l->at[i].before = i;
	sort_by_time(l->at, l->n);
}

enum pb_status
pb_relations_compare(const struct pb_relation *r, size_t n,
    struct pb_timed_list *pose, struct pb_timed_list *odom,
    struct pb_relations_report *out)
{
	const struct tracks x = {pose, odom};
	struct error *e;
	size_t inside = 0;

	sort_list(pose);
	sort_list(odom);
	for (size_t i = 0; i < n; i++)
		inside += is_within_time(pose, &r[i]);
	if (inside == 0)
		return PB_ENOENT;
	if ((e = calloc(n, sizeof(*e))) == NULL)
		return PB_ENOMEM;
	*out = (struct pb_relations_report){
	    .n = n, .poses = pose->n, .odometry = odom->n};
	measure_relations(&x, r, n, e, out);
	free(e);
	return PB_OK;
}

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

/* Odometry is not interpolated over longer gaps (s). */
#define ODOM_GAP 1.0

/* Sums over estimates. */
struct sums {
	struct pb_claims *c;
	const struct pb_timed *odom; /* `no` odometry poses in their order */
	size_t no, at;               /* at: index of the pose at or before */
	bool has_jump;               /* estimates have the member `jump` */
	double near;                 /* least distance of a jump (m) */
	bool knew;                   /* tracking was not lost since `last` */
	struct pb_timed last;        /* the last tracking estimate */
	const struct pb_timed *was;  /* the previous estimate, or NULL */
	bool failed;                 /* memory was short */
	double poses[PB_LOC_STATUSES];
};

/* Odometry at time t, which must not fall from call to call. */
static bool
interpolate_odometry(struct sums *s, double t, struct pb_pose *p)
{
	const struct pb_timed *a, *b;

	while (s->at + 1 < s->no && !(s->odom[s->at + 1].t > t))
		s->at++;
	if (s->no == 0 || !(fabs(s->odom[s->at].t - t) <= ODOM_GAP))
		return false;
	a = b = &s->odom[s->at];
	if (s->at + 1 < s->no && a->t <= t)
		b++;
	*p = b->t > a->t && b->t - a->t <= ODOM_GAP
	         ? pb_segment_pose(a->p, b->p, (t - a->t) / (b->t - a->t))
	         : a->p;
	return true;
}

/*
 * Distance driven from estimate a to b, and in *jump how far b deviates from
 * odometry. Without odometry it is the straight line, unless that was a jump.
 */
static double
distance_and_jump(struct sums *s, const struct pb_timed *a,
    const struct pb_timed *b, double *jump)
{
	struct pb_pose p, q;

	*jump = s->has_jump ? b->jump : 0;
	if (!interpolate_odometry(s, a->t, &p) ||
	    !interpolate_odometry(s, b->t, &q))
		return *jump > 0 || s->no > 0 ? 0 : pb_pose_dist(a->p, b->p);
	s->c->wheels = true;
	if (!s->has_jump)
		*jump = pb_pose_dist(
		    pb_pose_compose(a->p, pb_pose_into(p, q)), b->p);
	if (!s->has_jump && *jump <= s->near)
		*jump = 0;
	return pb_pose_dist(p, q);
}

/* Record the end or begin of a status. */
static void
record_transition(struct sums *s, const struct pb_timed *x)
{
	struct pb_claims *c = s->c;

	if (x->status == PB_LOC_TRACKING) {
		s->knew = true;
		s->last = *x;
		if (isnan(c->known_s)) {
			c->known_s = c->duration;
			c->known_m = c->way;
		}
	} else if (s->knew && x->status == PB_LOC_LOST) {
		s->knew = false;
		s->failed |= pb_timed_add(&c->lost, s->last) != PB_OK;
	} else if (x->status == PB_LOC_UNMAPPED &&
		   (s->was == NULL || s->was->status != PB_LOC_UNMAPPED)) {
		s->failed |= pb_timed_add(&c->unmapped,
				 s->was != NULL ? *s->was : *x) != PB_OK;
	}
	s->was = x;
}

static void
add_claims(struct sums *s, const struct pb_timed *x, size_t n)
{
	struct pb_claims *c = s->c;

	for (size_t i = 0; i < n; i++) {
		const struct pb_timed *next = &x[i + 1 < n ? i + 1 : i];
		double dt = next->t - x[i].t, jump = 0;
		double way =
		    i + 1 < n ? distance_and_jump(s, &x[i], next, &jump) : 0;

		if (x[i].status != PB_TRAJ_NO_STATUS) {
			record_transition(s, &x[i]);
			dt = isfinite(dt) ? fmax(dt, 0) : 0;
			c->n++;
			s->poses[x[i].status]++;
			c->time[x[i].status] += dt;
			c->gone[x[i].status] += way;
			c->duration += dt;
			c->way += way;
		}
		if (jump > 0) {
			struct pb_timed to = *next;

			to.jump = jump;
			s->failed |= pb_timed_add(&c->jump, to) != PB_OK;
		}
	}
}

enum pb_status
pb_claims_of(const struct pb_timed *x, size_t n, const struct pb_timed *odom,
    size_t no, double near, struct pb_claims *c)
{
	struct sums s = {.c = c, .odom = odom, .no = no, .near = near};
	double *fit = calloc(n + 1, sizeof(*fit));
	size_t k = 0;

	s.failed = fit == NULL;
	*c = (struct pb_claims){.known_s = NAN, .known_m = NAN};
	for (size_t i = 0; fit != NULL && i < n; i++) {
		if (isfinite(x[i].fit))
			fit[k++] = x[i].fit;
		s.has_jump |= isfinite(x[i].fit) || x[i].jump > 0;
	}
	c->fit = pb_spread_of(fit, k).median;
	free(fit);
	add_claims(&s, x, n);
	for (int i = 0; i < PB_LOC_STATUSES; i++) {
		c->time[i] = c->duration > 0 ? c->time[i] / c->duration
		                             : s.poses[i] / (double)c->n;
		c->gone[i] /= c->way;
	}
	if (s.failed || c->n == 0)
		pb_claims_clear(c);
	return s.failed ? PB_ENOMEM : PB_OK;
}

void
pb_claims_clear(struct pb_claims *c)
{
	pb_timed_clear(&c->jump);
	pb_timed_clear(&c->lost);
	pb_timed_clear(&c->unmapped);
	*c = (struct pb_claims){.n = 0};
}

bool
pb_claims_number(const struct pb_claims *c, const char *name, double *value)
{
	const struct pb_named known[] = {{"tracking", c->time[PB_LOC_TRACKING]},
	    {"ambiguous", c->time[PB_LOC_AMBIGUOUS]},
	    {"unmapped", c->time[PB_LOC_UNMAPPED]},
	    {"lost", c->time[PB_LOC_LOST]},
	    {"tracking_way", c->gone[PB_LOC_TRACKING]},
	    {"ambiguous_way", c->gone[PB_LOC_AMBIGUOUS]},
	    {"unmapped_way", c->gone[PB_LOC_UNMAPPED]},
	    {"lost_way", c->gone[PB_LOC_LOST]}, {"known_s", c->known_s},
	    {"known_m", c->known_m}, {"way", c->way}, {"fit", c->fit},
	    {"jumps", (double)c->jump.n}};

	return PB_NAMED(known, name, value);
}
