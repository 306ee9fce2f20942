/* trajectory.c - true and estimated poses of a stream, what they tell. */
#include "io/log/trajectory.h"

#include <math.h>
#include <string.h>

#include "io/bench/expect.h"
#include "io/filter.h"
#include "localize/localizer.h"

/* A stream being read. */
struct reading {
	const struct pb_trajectory_opts *o;
	struct pb_timed_list truth, estimate;
	struct pb_timed_list *other; /* where poses without a source go, or
	                                NULL */
};

struct pb_trajectory_opts
pb_trajectory_defaults(void)
{
	return (struct pb_trajectory_opts){
	    .id = "robot", .traj = pb_traj_defaults()};
}

static int
status_of(const struct pb_rec_pose *p)
{
	for (int s = PB_LOC_LOST; s <= PB_LOC_TRACKING; s++)
		if (strcmp(p->status,
			pb_loc_status_text((enum pb_loc_status)s)) == 0)
			return s;
	return PB_TRAJ_SILENT;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_bad *bad)
{
	struct reading *g = f->user;
	const char *id = r->stamp.id, *source = r->pose.source;
	struct pb_timed_list *l = NULL;
	struct pb_timed x = {.t = r->stamp.t,
	    .p = {r->pose.x, r->pose.y, r->pose.theta},
	    .status = status_of(&r->pose),
	    .told = g->o->reference ? PB_TIMED_APART : g->truth.n};

	if (*id && strcmp(id, g->o->id) != 0 && strcmp(id, "truth") != 0)
		return true;
	if (strcmp(source, "truth") == 0)
		l = &g->truth;
	else if (strcmp(source, "estimate") == 0)
		l = &g->estimate;
	else if (!*source)
		l = g->other;
	if (!l)
		return true;
	if (!isfinite(r->stamp.t))
		return pb_bad_set(
		    bad, "pose.t: expected a number, got nothing");
	return pb_timed_add(l, x) == PB_OK || pb_bad_nomem(bad, "poses");
}

static bool
read_stream(struct reading *g, const struct pb_opt_common *common,
    char *const *files, int n)
{
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_POSE),
	    .common = common,
	    .take = take,
	    .user = g};
	bool ok = pb_filter_run(&f, files, n);

	pb_filter_clear(&f);
	return ok;
}

/* The true poses of the reference: the estimates there are none. */
static bool
read_reference(struct reading *g, const struct pb_opt_common *common)
{
	char *file[] = {(char *)g->o->reference};

	g->other = &g->truth;
	if (!read_stream(g, common, file, 1))
		return false;
	g->estimate.n = 0;
	g->other = &g->estimate;
	return true;
}

/* Say why the poses could not be compared. */
static void
refuse(const struct reading *g, struct pb_place at, enum pb_status st,
    const struct pb_pair_doubt *d)
{
	const struct pb_traj_opts *o = &g->o->traj;

	if (st == PB_ENOMEM)
		pb_msg_system("no memory for the poses");
	else if (st == PB_EVAGUE)
		pb_msg_refuse(at,
		    "%zu of %zu estimates, the first at %g s, have a time that "
		    "leaves open which of %zu true poses is theirs; see "
		    "--pairing",
		    d->n, g->estimate.n, d->t, g->truth.n);
	else if (st == PB_ESIZE)
		pb_msg_refuse(at,
		    "--pairing order: expected as many estimates as true "
		    "poses, got %zu and %zu",
		    g->estimate.n, g->truth.n);
	else
		pb_msg_refuse(at,
		    "no estimate of %zu is within %g s (--max-dt) of a true "
		    "pose",
		    g->estimate.n, o->max_dt);
}

static bool
compare(struct reading *g, struct pb_place at, struct pb_traj_report *r)
{
	const char *what = NULL;
	struct pb_pair_doubt doubt = {.n = 0};
	enum pb_status st;

	if (g->truth.n == 0)
		what = "expected a pose with source truth, got none";
	else if (g->estimate.n == 0)
		what = "expected a pose with source estimate, got none";
	if (what) {
		pb_msg_refuse(at, "%s", what);
		return false;
	}
	st = pb_traj_compare(g->truth.at, g->truth.n, g->estimate.at,
	    g->estimate.n, &g->o->traj, r, &doubt);
	if (st != PB_OK)
		refuse(g, at, st, &doubt);
	else if (r->numbered)
		pb_msg_warn(at,
		    "the times of poses repeat, go back or jump: %zu pairs "
		    "are taken in their order, as if one a second",
		    r->pairs);
	return st == PB_OK;
}

bool
pb_trajectory_run(const struct pb_trajectory_opts *o,
    const struct pb_opt_common *common, char *const *files, int n,
    struct pb_traj_report *r)
{
	struct reading g = {.o = o};
	struct pb_place at = {n > 0 ? files[0] : "<stdin>", 0};
	bool ok = !o->reference || read_reference(&g, common);
	size_t truth;

	truth = g.truth.n;
	ok = ok && read_stream(&g, common, files, n);
	if (o->reference && ok)
		g.truth.n = truth; /* what the other stream says is no truth */
	ok = ok && compare(&g, at, r);
	pb_timed_clear(&g.truth);
	pb_timed_clear(&g.estimate);
	return ok;
}

void
pb_trajectory_write(
    const struct pb_trajectory_opts *o, const struct pb_traj_report *r)
{
	struct pb_text out = {.to = stdout};
	struct pb_rec_trajectory y = {
	    .report = *r, .opts = o->traj, .version = PB_VERSION};

	pb_put_trajectory(&out, pb_stamp_at(NAN, o->id), &y);
	pb_text_clear(&out);
}

bool
pb_trajectory_check(const char *bound)
{
	const struct pb_traj_report none = {.pairs = 0};
	struct pb_expect e;
	struct pb_bad bad;
	double v;

	if (!pb_expect_read(bound, &e, &bad)) {
		pb_msg_usage("--expect: %s", bad.text);
		return false;
	}
	if (*e.player || !pb_traj_number(&none, e.number, &v)) {
		pb_msg_usage("--expect: \"%.80s\" begins with no number of a "
			     "trajectory",
		    bound);
		return false;
	}
	return true;
}

void
pb_trajectory_judge(const char *bound, const struct pb_traj_report *r)
{
	struct pb_expect e;
	struct pb_bad bad;
	double v;

	if (pb_expect_read(bound, &e, &bad) &&
	    pb_traj_number(r, e.number, &v) && !pb_expect_holds(&e, v))
		pb_msg_unmet("--expect %s: %s is %.6g (%zu poses)", bound,
		    e.number, v, r->pairs);
}
