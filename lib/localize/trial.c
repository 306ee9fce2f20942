/*
 * trial.c - trials of a localization method on a recorded drive, and its
 * judge.
 */
#include "localize/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/hash.h"
#include "pb/rng.h"
#include "pb/stats.h"

static enum pb_loc_outcome
outcome_of(enum pb_loc_status s, bool right)
{
	if (s == PB_LOC_LOST)
		return PB_LOC_GONE;
	if (s == PB_LOC_AMBIGUOUS)
		return PB_LOC_NOT_YET;
	return right ? PB_LOC_LOCALIZED : PB_LOC_WRONG;
}

static bool
other_cell(const struct pb_loc_judge *j, struct pb_pose a, struct pb_pose b)
{
	const struct pb_vec p = {a.x / j->cell, a.y / j->cell};
	const struct pb_vec q = {b.x / j->cell, b.y / j->cell};
	int row[2], col[2];

	pb_cells_of_xy(p, &row[0], &col[0]);
	pb_cells_of_xy(q, &row[1], &col[1]);
	return row[0] != row[1] || col[0] != col[1];
}

/* The error of the answer, an older one if there is none now. */
static void
measure(struct pb_loc_judge *j, const struct pb_belief *b, struct pb_pose truth)
{
	if (b->n > 0)
		j->answer = b->at[0].pose;
	if (b->n > 0 || j->n > 0)
		j->errors[j->n++] = pb_pose_dist(j->answer, truth);
	if (j->cell > 0)
		j->r.cell += j->n == 0 || other_cell(j, j->answer, truth);
}

void
pb_loc_judge(struct pb_loc_judge *j, const struct pb_belief *b, double t,
    struct pb_pose truth)
{
	struct pb_loc_result *r = &j->r;
	enum pb_loc_status s = b->n > 0 ? b->status : PB_LOC_LOST;
	bool right = false;

	measure(j, b, truth);
	r->error = r->turn = NAN;
	if (b->n > 0) {
		r->error = pb_pose_dist(b->at[0].pose, truth);
		r->turn = fabs(pb_wrap(b->at[0].pose.th - truth.th));
		right = r->error <= j->near && r->turn <= j->near_turn;
	}
	r->outcome = outcome_of(s, right);
	r->updates++;
	r->wrong += r->outcome == PB_LOC_WRONG;
	r->lost += r->outcome == PB_LOC_GONE;
	r->duration = t - j->t0;
	r->way += r->updates > 1 ? pb_pose_dist(j->before, truth) : 0;
	j->before = truth;
	if (r->outcome == PB_LOC_LOCALIZED && r->first == 0) {
		r->first = r->updates;
		r->found_way = r->way;
	}
	if (r->outcome != PB_LOC_LOCALIZED) {
		r->found = -1;
	} else if (r->found <= 0) {
		r->found = r->updates;
		r->time = r->duration;
	}
}

struct pb_loc_result
pb_loc_judged(struct pb_loc_judge *j)
{
	struct pb_loc_result *r = &j->r;
	size_t n = (size_t)j->n;
	double squares = 0;

	if (r->updates == 0)
		r->outcome = PB_LOC_GONE;
	if (r->found <= 0) {
		r->found = -1;
		r->time = r->duration;
	}
	if (r->first == 0)
		r->found_way = NAN;
	if (j->cell <= 0)
		r->cell = -1;
	r->jump = NAN;
	for (size_t i = 0; i < n; i++)
		squares += j->errors[i] * j->errors[i];
	if (n > 0)
		pb_sort(j->errors, n);
	r->mean = n > 0 ? pb_mean(j->errors, n) : NAN;
	r->median = n > 0 ? pb_quantile(j->errors, n, 0.5) : NAN;
	r->rms = n > 0 ? sqrt(squares / (double)n) : NAN;
	return *r;
}

enum pb_status
pb_drive_add(struct pb_drive *d, struct pb_heard h)
{
	if (!pb_grow(&d->heard, d->n, &d->cap, sizeof(*d->heard)))
		return PB_ENOMEM;
	d->heard[d->n++] = h;
	return PB_OK;
}

enum pb_status
pb_drive_add_scan(struct pb_drive *d, double t, const struct pb_scan *z)
{
	double *range = malloc((z->n > 0 ? z->n : 1) * sizeof(*range));
	const struct pb_heard h = {
	    .kind = PB_HEARD_SCAN, .t = t, .scan = d->scans};

	if (range == NULL ||
	    !pb_grow(&d->scan, d->scans, &d->scan_cap, sizeof(*d->scan)) ||
	    !pb_grow(&d->at, d->scans, &d->at_cap, sizeof(*d->at)) ||
	    pb_drive_add(d, h) != PB_OK) {
		free(range);
		return PB_ENOMEM;
	}
	if (z->n > 0)
		memcpy(range, z->range, z->n * sizeof(*range));
	d->scan[d->scans] = *z;
	d->scan[d->scans].range = range;
	d->at[d->scans++] = d->n - 1;
	return PB_OK;
}

void
pb_drive_clear(struct pb_drive *d)
{
	for (size_t i = 0; i < d->scans; i++)
		free((void *)d->scan[i].range);
	free(d->heard);
	free(d->scan);
	free(d->at);
	*d = (struct pb_drive){.n = 0};
}

/* Of a number that may be NAN, whose bits differ from machine to machine. */
static uint64_t
hash_known(uint64_t h, double v)
{
	return pb_hash_double(h, v == v ? v : -2);
}

uint64_t
pb_drive_hash(const struct pb_drive *d)
{
	uint64_t h = PB_HASH_START;

	for (size_t i = 0; i < d->n; i++) {
		const struct pb_heard *e = &d->heard[i];

		h = pb_hash_u64(h, (uint64_t)e->kind);
		h = hash_known(h, e->t);
		h = pb_hash_pose(
		    h, e->kind == PB_HEARD_SCAN ? e->truth : e->odom);
	}
	for (size_t i = 0; i < d->scans; i++) {
		const struct pb_scan *z = &d->scan[i];

		h = pb_hash_double(h, z->angle_min);
		h = pb_hash_double(h, z->inc);
		h = pb_hash_double(h, z->range_min);
		h = pb_hash_double(h, z->range_max);
		h = pb_hash_double(h, z->radius);
		/* What is new says nothing where it is 0. */
		if (z->mount.x != 0 || z->mount.y != 0 || z->mount.th != 0)
			h = pb_hash_pose(h, z->mount);
		h = pb_hash_u64(h, z->n);
		for (size_t k = 0; k < z->n; k++)
			h = hash_known(h, z->range[k]);
	}
	return h;
}

#define PB_PARAMS_OF struct pb_loc_trial_opts

static const struct pb_param protocol[] = {
    PB_CHOICE(
	"protocol", protocol, "global|track|kidnap", "how a trial begins"),
};

const struct pb_params pb_loc_protocol_params = PB_PARAMS(protocol);

/*
 * 60 updates, half a metre and 15 degrees are what the published comparison of
 * global localization takes. A kidnapped robot has had 20 updates to be sure
 * of itself, and is put more than a room's width away.
 */
static const struct pb_param rows[] = {
    PB_COUNT("updates", updates, "scans", 60, 1, 1e6,
	"that a trial lasts, after a cut"),
    PB_COUNT("warm-up", warm, "scans", 20, 1, 1e6, "before a cut, with kidnap"),
    PB_REAL(
	"jump", jump, "m", 4, 0, INFINITY, "over a cut, at least, with kidnap"),
    PB_REAL("start-var", var, "m2", 0.25, 0, INFINITY,
	"of x and y at a start near the truth"),
    PB_REAL("start-var-turn", var_turn, "rad2", PB_PI / 12 * (PB_PI / 12), 0,
	INFINITY, "and of the heading"),
};

const struct pb_params pb_loc_trial_params = PB_PARAMS(rows);

struct pb_loc_trial_opts
pb_loc_trial_defaults(void)
{
	struct pb_loc_trial_opts o = {0};

	pb_params_defaults(pb_loc_trial_params, &o);
	o.near = 0.5;
	o.near_turn = PB_PI / 12;
	return o;
}

/* A trial under way. */
struct course {
	struct pb_loc_taught a;
	const struct pb_drive *d;
	const struct pb_loc_trial_opts *o;
	struct pb_pose moved; /* the odometry's frame since a cut, in the
	                         first's */
	struct pb_pose odom;  /* the last, as the method heard it */
	bool has_odom;
	struct pb_loc_judge j;
};

static const struct pb_heard *
scan_at(const struct pb_drive *d, size_t scan)
{
	return &d->heard[d->at[scan]];
}

/* The odometry at a scan: the last before it, or the first after. */
static bool
odom_at(const struct pb_drive *d, size_t scan, struct pb_pose *p)
{
	for (size_t i = d->at[scan]; i-- > 0;)
		if (d->heard[i].kind == PB_HEARD_ODOM) {
			*p = d->heard[i].odom;
			return true;
		}
	for (size_t i = d->at[scan]; i < d->n; i++)
		if (d->heard[i].kind == PB_HEARD_ODOM) {
			*p = d->heard[i].odom;
			return true;
		}
	return false;
}

/* Begin to hear the drive at a scan, as if it went on from where we were. */
static void
go_on_at(struct course *c, size_t scan)
{
	struct pb_pose p;

	if (!odom_at(c->d, scan, &p))
		return;
	if (c->has_odom)
		c->moved = pb_pose_compose(c->odom, pb_pose_inverse(p));
	c->odom = pb_pose_compose(c->moved, p);
	c->has_odom = true;
	c->a.m->predict(c->a.mem, c->a.known, c->odom);
}

static void
hear(struct course *c, const struct pb_heard *h)
{
	const struct pb_loc_fix fix = {{h->odom.x, h->odom.y}};

	if (h->kind == PB_HEARD_ODOM) {
		c->odom = pb_pose_compose(c->moved, h->odom);
		c->has_odom = true;
		c->a.m->predict(c->a.mem, c->a.known, c->odom);
	} else if (h->kind == PB_HEARD_SCAN && c->a.m->scan != NULL) {
		c->a.m->scan(c->a.mem, c->a.known, &c->d->scan[h->scan]);
	} else if (h->kind == PB_HEARD_FIX && c->a.m->fix != NULL) {
		c->a.m->fix(c->a.mem, c->a.known, &fix);
	}
}

static void
judge(struct course *c, const struct pb_heard *h)
{
	struct pb_belief b;

	c->a.m->estimate(c->a.mem, c->a.known, &b);
	pb_loc_judge(&c->j, &b, h->t, h->truth);
}

/* Hear `updates` scans from number `scan` on, all that comes between. */
static void
run(struct course *c, size_t scan, int updates, bool counts)
{
	size_t last = c->d->at[scan + (size_t)updates - 1];

	go_on_at(c, scan);
	c->j.t0 = scan_at(c->d, scan)->t;
	for (size_t i = c->d->at[scan]; i <= last; i++) {
		const struct pb_heard *h = &c->d->heard[i];

		hear(c, h);
		if (counts && h->kind == PB_HEARD_SCAN && h->known)
			judge(c, h);
	}
}

static int
scans_needed(const struct pb_loc_trial_opts *o)
{
	return o->updates + (o->protocol == PB_LOC_KIDNAP ? o->warm : 0);
}

/* From one scan to another, where the robot really was (m). */
static double
way_between(const struct pb_drive *d, size_t a, size_t b)
{
	return pb_pose_dist(scan_at(d, a)->truth, scan_at(d, b)->truth);
}

/* Whether some trial's cut can be long enough. */
static bool
can_jump(const struct pb_drive *d, const struct pb_loc_trial_opts *o)
{
	size_t last = d->scans - (size_t)o->updates;

	for (size_t from = (size_t)o->warm - 1; from < d->scans; from++)
		for (size_t to = 0; to <= last; to++)
			if (way_between(d, from, to) >= o->jump)
				return true;
	return false;
}

enum pb_status
pb_loc_trial_check(const struct pb_drive *d, const struct pb_loc_trial_opts *o)
{
	for (size_t i = 0; i < d->scans; i++)
		if (!scan_at(d, i)->known)
			return PB_ENOENT;
	if (d->scans < (size_t)scans_needed(o))
		return PB_ESIZE;
	return o->protocol != PB_LOC_KIDNAP || can_jump(d, o) ? PB_OK
	                                                      : PB_EVALUE;
}

uint64_t
pb_loc_stretches(size_t scans, const struct pb_loc_trial_opts *o)
{
	uint64_t after, before;

	if (scans < (size_t)scans_needed(o))
		return 0;
	after = scans - (size_t)o->updates + 1;
	before = scans - (size_t)o->warm + 1;
	return o->protocol == PB_LOC_KIDNAP ? before * after : after;
}

static size_t
draw_scan(struct pb_rng *r, const struct pb_drive *d, int updates)
{
	return pb_rng_below(r, (uint32_t)(d->scans - (size_t)updates + 1));
}

/* Take scan k if it is farther from where the robot is than the best. */
static void
try_jump(
    const struct pb_drive *d, size_t from, size_t k, size_t *best, double *far)
{
	double way = way_between(d, from, k);

	if (way > *far) {
		*far = way;
		*best = k;
	}
}

/*
 * A scan at least `jump` from where the robot is, and how far that is (m).
 * Where a hundred draws meet none, one is searched for, and where there is
 * none it is the farthest.
 */
static size_t
draw_jump(struct pb_rng *r, const struct course *c, size_t from, double *far)
{
	const struct pb_loc_trial_opts *o = c->o;
	size_t best = from, all = c->d->scans - (size_t)o->updates + 1;

	*far = -1;
	for (int i = 0; i < 100 && *far < o->jump; i++)
		try_jump(
		    c->d, from, draw_scan(r, c->d, o->updates), &best, far);
	for (size_t k = 0; k < all && *far < o->jump; k++)
		try_jump(c->d, from, k, &best, far);
	return best;
}

struct pb_loc_result
pb_loc_trial(struct pb_loc_taught a, const struct pb_drive *d,
    const struct pb_loc_trial_opts *o, uint64_t seed, uint64_t trial,
    double *work)
{
	struct course c = {.a = a,
	    .d = d,
	    .o = o,
	    .j = {.near = o->near, .near_turn = o->near_turn, .errors = work}};
	struct pb_loc_start s = {.kind = PB_LOC_NEAR,
	    .cov = {{o->var, 0, 0}, {0, o->var, 0}, {0, 0, o->var_turn}},
	    .seed = seed,
	    .trial = trial};
	int before = o->protocol == PB_LOC_KIDNAP ? o->warm : o->updates;
	struct pb_loc_result result;
	double far = NAN;
	struct pb_rng r;
	size_t scan, first;

	pb_rng_start(&r, seed, trial, PB_FOR_TRIAL, 0);
	scan = first = draw_scan(&r, d, before);
	s.pose = scan_at(d, scan)->truth;
	if (o->protocol == PB_LOC_GLOBAL)
		s.kind = PB_LOC_ANYWHERE;
	a.m->reset(a.mem, a.known, &s);
	run(&c, scan, before, o->protocol != PB_LOC_KIDNAP);
	if (o->protocol == PB_LOC_KIDNAP) {
		scan = draw_jump(&r, &c, scan + (size_t)before - 1, &far);
		run(&c, scan, o->updates, true);
	}
	result = pb_loc_judged(&c.j);
	result.jump = far;
	result.stretch = pb_hash_u64(pb_hash_u64(PB_HASH_START, first), scan);
	return result;
}
