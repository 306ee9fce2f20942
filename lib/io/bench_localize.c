/* bench_localize.c - what pb-bench needs for trials of localizers. */
#include "io/bench_localize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "localize/traj.h"

/* A log being read; true poses find their scans at its end. */
struct reading {
	struct pb_drive *d;
	struct pb_timed *truth; /* owned */
	size_t n, cap;
};

struct pb_bench_localize
pb_bench_localize_defaults(void)
{
	return (struct pb_bench_localize){
	    .rules = {
		.trial = pb_loc_trial_defaults(), .tour = pb_tour_defaults()}};
}

struct pb_opt_group
pb_bench_localize_group(struct pb_bench_localize *b)
{
	struct pb_opt_group g = {.title = "Constants of localize",
	    .base = &b->rules.trial,
	    .given = &b->given};

	g.param = pb_loc_trial_params(&g.n);
	return g;
}

struct pb_opt_group
pb_bench_drive_group(struct pb_bench_localize *b)
{
	struct pb_opt_group g = {.title = "Simulated drives",
	    .base = &b->rules.tour,
	    .given = &b->simulated};

	g.param = pb_tour_params(&g.n);
	return g;
}

bool
pb_bench_localize_fits(
    const struct pb_bench_localize *b, const char *trajectory, bool from)
{
	if (trajectory && strcmp(trajectory, "near") != 0 &&
	    strcmp(trajectory, "near-turn") != 0) {
		pb_msg_usage("--%s: only with --trajectory", trajectory);
		return false;
	}
	if (b->log && b->simulated) {
		pb_msg_usage("--%s: not with --log", b->simulated);
		return false;
	}
	if (!b->log && b->scans != PB_SCANS_ALL && !from) {
		pb_msg_usage("--scans: only with --log");
		return false;
	}
	return true;
}

static bool
add_truth(struct reading *g, double t, const struct pb_rec_pose *p)
{
	if (g->n == g->cap) {
		size_t cap = g->cap ? 2 * g->cap : 256;
		struct pb_timed *more =
		    realloc(g->truth, cap * sizeof(*g->truth));

		if (!more)
			return false;
		g->truth = more;
		g->cap = cap;
	}
	g->truth[g->n++] =
	    (struct pb_timed){t, {p->x, p->y, p->theta}, PB_TRAJ_SILENT};
	return true;
}

static bool
add_scan(struct reading *g, double t, const struct pb_rec_scan *c)
{
	const struct pb_loc_scan z = {.angle_min = c->angle_min,
	    .inc = c->angle_increment,
	    .range_min = isnan(c->range_min) ? 0 : c->range_min,
	    .range_max = isnan(c->range_max) ? INFINITY : c->range_max,
	    .range = c->range,
	    .n = c->n};

	return pb_drive_add_scan(g->d, t, &z) == PB_OK;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_bad *bad)
{
	struct reading *g = f->user;
	const char *id = r->stamp.id;
	struct pb_heard h = {.kind = PB_HEARD_ODOM, .t = r->stamp.t};
	bool ok = true;

	if (*id && strcmp(id, "robot") != 0 &&
	    (r->type != PB_REC_POSE || strcmp(id, "truth") != 0))
		return true;
	if (r->type != PB_REC_ODOM && !isfinite(r->stamp.t))
		return pb_bad_set(bad, "%s.t: expected a number, got nothing",
		    pb_rec_name(r->type));
	if (r->type == PB_REC_SCAN) {
		ok = add_scan(g, r->stamp.t, &r->scan);
	} else if (r->type == PB_REC_ODOM) {
		h.odom = (struct pb_pose){r->odom.x, r->odom.y, r->odom.theta};
		ok = pb_drive_add(g->d, h) == PB_OK;
	} else if (strcmp(r->pose.source, "truth") == 0) {
		ok = add_truth(g, r->stamp.t, &r->pose);
	}
	return ok || pb_bad_nomem(bad, "log");
}

/* The true pose at each scan. */
static bool
join(struct reading *g)
{
	size_t n = g->d->scans;
	struct pb_timed *scan = calloc(n + 1, sizeof(*scan));
	size_t *of = calloc(n + 1, sizeof(*of));
	bool ok = scan && of;

	for (size_t i = 0; ok && i < n; i++)
		scan[i].t = g->d->heard[g->d->at[i]].t;
	if (ok) {
		pb_traj_sort(g->truth, g->n);
		pb_traj_match(
		    g->truth, g->n, scan, n, pb_traj_defaults().max_dt, of);
	}
	for (size_t i = 0; ok && i < n; i++)
		if (of[i] < g->n) {
			struct pb_heard *h = &g->d->heard[g->d->at[i]];

			h->known = true;
			h->truth = g->truth[of[i]].p;
		}
	free(scan);
	free(of);
	return ok;
}

static bool
check(const struct pb_bench_localize *b)
{
	const struct pb_loc_trial_opts *o = &b->rules.trial;

	switch (pb_loc_trial_check(&b->drive, o)) {
	case PB_OK:
		return true;
	case PB_ENOENT:
		pb_msg_refuse((struct pb_place){b->log, 0},
		    "expected a pose with source truth at every scan");
		return false;
	default:
		pb_msg_refuse((struct pb_place){b->log, 0},
		    "expected at least %d scans, got %zu; see --updates",
		    o->updates + (o->protocol == PB_LOC_KIDNAP ? o->warm : 0),
		    b->drive.scans);
		return false;
	}
}

bool
pb_bench_localize_load(
    struct pb_bench_localize *b, const struct pb_opt_common *common)
{
	struct reading g = {.d = &b->drive};
	char *file[] = {(char *)b->log};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_SCAN) |
	                              PB_REC_BIT(PB_REC_ODOM) |
	                              PB_REC_BIT(PB_REC_POSE),
	    .scans = b->scans,
	    .common = common,
	    .take = take,
	    .user = &g};
	bool ok;

	if (!b->log)
		return true;
	ok = pb_filter_run(&f, file, 1);
	pb_filter_clear(&f);
	if (ok && !(ok = join(&g)))
		pb_msg_system("%s: no memory", b->log);
	free(g.truth);
	b->rules.drive = &b->drive;
	b->rules.drive_hash = pb_drive_hash(&b->drive);
	return ok && check(b);
}

void
pb_bench_localize_clear(struct pb_bench_localize *b)
{
	pb_drive_clear(&b->drive);
}
