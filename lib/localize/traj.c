/* traj.c - how far an estimated trajectory is from the true one. */
#include "localize/traj.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/stats.h"
#include "localize/localizer.h"

/*
 * Half a metre and 15 degrees are what the published comparisons of global
 * localization call right; 10 ms is evo's default, below the time between two
 * scans of any lidar.
 */
struct pb_traj_opts
pb_traj_defaults(void)
{
	return (struct pb_traj_opts){.max_dt = 0.01,
	    .near = 0.5,
	    .near_turn = PB_PI / 12,
	    .step_s = 1,
	    .step_m = 1};
}

#define PB_PARAMS_OF struct pb_traj_opts

const struct pb_param *
pb_traj_params(size_t *n)
{
	static const struct pb_param list[] = {
	    PB_REAL("max-dt", max_dt, "s", 0, INFINITY,
		"most between a pose and its reference"),
	    PB_REAL("near", near, "m", 0, INFINITY, "right if no further off"),
	    PB_REAL("near-turn", near_turn, "rad", 0, INFINITY,
		"and turned no further away"),
	    PB_REAL("step-time", step_s, "s", 1e-6, INFINITY,
		"of the relative error over time"),
	    PB_REAL("step-way", step_m, "m", 1e-6, INFINITY,
		"of the relative error over the way"),
	};

	*n = sizeof(list) / sizeof(*list);
	return list;
}

bool
pb_traj_number(const struct pb_traj_report *r, const char *name, double *value)
{
	const struct {
		const char *name;
		double v;
	} known[] = {{"ate", r->ate.place.rmse}, {"ate_max", r->ate.place.max},
	    {"ate_turn", r->ate.turn.rmse}, {"aligned", r->ate_best.place.rmse},
	    {"aligned_max", r->ate_best.place.max},
	    {"aligned_turn", r->ate_best.turn.rmse},
	    {"rpe_s", r->rpe_s.place.rmse}, {"rpe_m", r->rpe_m.place.rmse},
	    {"lost", r->lost}, {"ambiguous", r->ambiguous},
	    {"wrong", (double)r->wrong}, {"alone", (double)r->alone},
	    {"pairs", (double)r->pairs}, {"found", r->found}};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(known[i].name, name) == 0) {
			*value = known[i].v;
			return true;
		}
	return false;
}

/* Pairs in the order of time, and room for errors. */
struct pairs {
	size_t n;
	struct pb_timed *est, *ref;
	struct pb_pose *from, *to; /* their poses alone */
	double *place, *turn;
};

static int
order(double a, double b)
{
	return (a > b) - (a < b);
}

/* Equal times are told apart by their places: qsort is not stable. */
static int
by_time(const void *one, const void *other)
{
	const struct pb_timed *a = one, *b = other;
	int c = order(a->t, b->t);

	if (c == 0)
		c = order(a->p.x, b->p.x);
	if (c == 0)
		c = order(a->p.y, b->p.y);
	return c != 0 ? c : order(a->p.th, b->p.th);
}

void
pb_traj_sort(struct pb_timed *x, size_t n)
{
	if (n > 1)
		qsort(x, n, sizeof(*x), by_time);
}

/* The first of x[n] that is not before t. */
static size_t
not_before(const struct pb_timed *x, size_t n, double t)
{
	size_t lo = 0;

	while (n > lo) {
		size_t mid = (lo + n) / 2;

		if (x[mid].t < t)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

size_t
pb_traj_match(const struct pb_timed *ref, size_t nr, const struct pb_timed *est,
    size_t ne, double max_dt, size_t *of)
{
	size_t found = 0;

	for (size_t i = 0; i < ne; i++) {
		size_t k = not_before(ref, nr, est[i].t);

		if (k == nr ||
		    (k > 0 && est[i].t - ref[k - 1].t < ref[k].t - est[i].t))
			k -= k > 0;
		of[i] = nr;
		if (k < nr && fabs(ref[k].t - est[i].t) <= max_dt) {
			of[i] = k;
			found++;
		}
	}
	return found;
}

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

static struct pb_spread
spread_of(double *x, size_t n)
{
	struct pb_spread s = {NAN, NAN, NAN, NAN};
	double sum = 0;

	if (n == 0)
		return s;
	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	s.rmse = sqrt(sum / (double)n);
	s.mean = pb_mean(x, n);
	pb_sort(x, n);
	s.median = pb_quantile(x, n, 0.5);
	s.max = x[n - 1];
	return s;
}

static struct pb_traj_error
error_of(struct pairs *p, size_t n)
{
	return (struct pb_traj_error){
	    n, spread_of(p->place, n), spread_of(p->turn, n)};
}

static double
distance(struct pb_pose a, struct pb_pose b)
{
	return pb_dist(pb_pose_vec(a), pb_pose_vec(b));
}

static struct pb_traj_error
absolute(struct pairs *p, struct pb_pose shift)
{
	for (size_t i = 0; i < p->n; i++) {
		struct pb_pose q = pb_pose_compose(shift, p->from[i]);

		p->place[i] = distance(q, p->to[i]);
		p->turn[i] = fabs(pb_wrap(q.th - p->to[i].th));
	}
	return error_of(p, p->n);
}

/* The motion from a to b, in a's frame. */
static struct pb_pose
motion(struct pb_pose a, struct pb_pose b)
{
	return pb_pose_compose(pb_pose_inverse(a), b);
}

/*
 * Steps one behind the other: each ends at the first pose that is at least
 * `step` of time or way from where it began. The first step begins where such
 * a stretch from the first pose ends, as evo has it.
 */
static struct pb_traj_error
relative(struct pairs *p, double step, bool of_time)
{
	size_t from = p->n, n = 0;
	double gone = 0;

	for (size_t i = 0; i < p->n; i++) {
		struct pb_pose e;

		if (i > 0)
			gone += of_time ? p->ref[i].t - p->ref[i - 1].t
			                : distance(p->to[i], p->to[i - 1]);
		if (gone < step)
			continue;
		gone = 0;
		if (from < p->n) {
			e = motion(motion(p->to[from], p->to[i]),
			    motion(p->from[from], p->from[i]));
			p->place[n] = sqrt(e.x * e.x + e.y * e.y);
			p->turn[n++] = fabs(e.th);
		}
		from = i;
	}
	return error_of(p, n);
}

/* What the estimates said of themselves, and whether it was so. */
static void
judge(const struct pairs *p, const struct pb_traj_opts *o,
    struct pb_traj_report *r)
{
	double lost = 0, ambiguous = 0;

	r->found = NAN;
	for (size_t i = 0; i < p->n; i++) {
		int status = p->est[i].status;
		bool sure =
		    status == PB_TRAJ_SILENT || status == PB_LOC_TRACKING;
		bool right =
		    distance(p->from[i], p->to[i]) <= o->near &&
		    fabs(pb_wrap(p->from[i].th - p->to[i].th)) <= o->near_turn;
		double dt = i + 1 < p->n ? p->est[i + 1].t - p->est[i].t : 0;

		if (sure && right && isnan(r->found))
			r->found = p->est[i].t - p->est[0].t;
		r->wrong += sure && !right;
		lost += status == PB_LOC_LOST ? dt : 0;
		ambiguous += status == PB_LOC_AMBIGUOUS ? dt : 0;
		if (i > 0)
			r->length += distance(p->to[i], p->to[i - 1]);
	}
	r->duration = p->est[p->n - 1].t - p->est[0].t;
	r->lost = r->duration > 0 ? lost / r->duration : 0;
	r->ambiguous = r->duration > 0 ? ambiguous / r->duration : 0;
}

static bool
make_room(struct pairs *p, size_t n)
{
	*p = (struct pairs){.n = 0};
	p->est = calloc(n, sizeof(*p->est));
	p->ref = calloc(n, sizeof(*p->ref));
	p->from = calloc(n, sizeof(*p->from));
	p->to = calloc(n, sizeof(*p->to));
	p->place = calloc(n, sizeof(*p->place));
	p->turn = calloc(n, sizeof(*p->turn));
	return p->est && p->ref && p->from && p->to && p->place && p->turn;
}

static void
clear_room(struct pairs *p)
{
	free(p->est);
	free(p->ref);
	free(p->from);
	free(p->to);
	free(p->place);
	free(p->turn);
}

static void
pair_up(struct pairs *p, const struct pb_timed *ref, size_t nr,
    const struct pb_timed *est, size_t ne, const size_t *of)
{
	for (size_t i = 0; i < ne; i++) {
		if (of[i] == nr)
			continue;
		p->est[p->n] = est[i];
		p->ref[p->n] = ref[of[i]];
		p->from[p->n] = est[i].p;
		p->to[p->n++] = ref[of[i]].p;
	}
}

enum pb_status
pb_traj_compare(struct pb_timed *ref, size_t nr, struct pb_timed *est,
    size_t ne, const struct pb_traj_opts *o, struct pb_traj_report *r)
{
	const struct pb_pose as_is = {0, 0, 0};
	size_t *of = calloc(ne + 1, sizeof(*of));
	struct pairs p;
	enum pb_status st = PB_OK;

	if (!make_room(&p, ne + 1) || of == NULL) {
		st = PB_ENOMEM;
		goto out;
	}
	pb_traj_sort(ref, nr);
	pb_traj_sort(est, ne);
	if (pb_traj_match(ref, nr, est, ne, o->max_dt, of) == 0) {
		st = PB_ENOENT;
		goto out;
	}
	pair_up(&p, ref, nr, est, ne, of);
	*r = (struct pb_traj_report){
	    .pairs = p.n, .alone = ne - p.n, .reference = nr};
	judge(&p, o, r);
	r->shift = pb_traj_align(p.from, p.to, p.n);
	r->ate = absolute(&p, as_is);
	r->ate_best = absolute(&p, r->shift);
	r->rpe_s = relative(&p, o->step_s, true);
	r->rpe_m = relative(&p, o->step_m, false);
out:
	clear_room(&p);
	free(of);
	return st;
}
