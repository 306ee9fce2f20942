/* bench_trajectory.c - true and estimated poses of a stream, what they tell. */
#include "io/tool/bench_trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/filter.h"
#include "io/file/logfile.h"
#include "pb/localizer.h"
#include "pb/version.h"

/* A stream being read. */
struct reading {
	const struct pb_trajectory_opts *o;
	struct pb_timed_list truth, estimate;
	struct pb_timed_list odom;   /* with --relations */
	struct pb_timed_list plain;  /* poses without a source */
	struct pb_timed_list *other; /* where these go */
	struct trial {
		const char *file;
		size_t estimate, plain; /* where it begins in these */
	} * trial;                      /* owned */
	size_t trials;
};

struct pb_trajectory_opts
pb_trajectory_defaults(void)
{
	return (struct pb_trajectory_opts){
	    .id = "robot", .traj = pb_traj_defaults()};
}

/* A file begins, a trial of its own. */
static bool
begin_trial(struct reading *g, const char *file)
{
	struct trial *more;

	if (g->trials > 0 && strcmp(g->trial[g->trials - 1].file, file) == 0)
		return true;
	more = realloc(g->trial, (g->trials + 1) * sizeof(*more));
	if (!more)
		return false;
	g->trial = more;
	more[g->trials++] = (struct trial){file, g->estimate.n, g->plain.n};
	return true;
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

/* Where a record is kept, NULL: nowhere. */
static struct pb_timed_list *
list_for(struct reading *g, const struct pb_rec *r)
{
	if (r->type == PB_REC_ODOM)
		return &g->odom;
	if (strcmp(r->pose.source, "truth") == 0)
		return &g->truth;
	if (strcmp(r->pose.source, "estimate") == 0)
		return &g->estimate;
	return *r->pose.source ? NULL : g->other;
}

/* A pose and what it claims; missing: the heading of one without. */
static void
read_pose(struct pb_timed *x, const struct pb_rec_pose *p, double missing)
{
	x->p = (struct pb_pose){p->x, p->y, p->no_theta ? missing : p->theta};
	x->status = status_of(p);
	for (int i = 0; i < 3; i++)
		x->sigma[i] = p->has_cov ? sqrt(p->cov[i][i]) : NAN;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct reading *g = f->user;
	struct pb_timed_list *l = list_for(g, r);
	struct pb_timed x = {.t = r->stamp.t};

	if (!l || !pb_filter_is_of(r, g->o->id))
		return true;
	if (!begin_trial(g, f->line.at.file))
		return pb_error_nomem(bad, "poses");
	if (!isfinite(x.t) && l != &g->plain)
		return pb_error_set(bad, "%s.t: expected a number, got nothing",
		    pb_rec_name(r->type));
	if (g->o->relations && l != &g->odom && r->pose.no_theta)
		return pb_error_set(
		    bad, "pose.theta: expected a number, got nothing");
	/* Of poses that are compared, a missing heading counts as 0. */
	if (l == &g->odom)
		x.p = (struct pb_pose){r->odom.x, r->odom.y, r->odom.theta};
	else
		read_pose(&x, &r->pose, l == &g->plain ? NAN : 0);
	x.told = g->o->relations   ? l->n
	         : g->o->reference ? PB_TIMED_APART
	                           : g->truth.n;
	return pb_timed_add(l, x) == PB_OK || pb_error_nomem(bad, "poses");
}

static bool
read_stream(struct reading *g, const struct pb_opt_common *common,
    char *const *files, int n)
{
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_POSE),
	    .common = common,
	    .take = take,
	    .user = g};

	if (g->o->relations)
		f.want |= PB_REC_BIT(PB_REC_ODOM);
	return pb_filter_run(&f, files, n);
}

/* The true poses of the reference; a recording's may be marked as estimates. */
static bool
read_reference(struct reading *g, const struct pb_opt_common *common)
{
	char *file[] = {(char *)g->o->reference};
	struct pb_timed_list none;

	g->other = &g->truth;
	if (!read_stream(g, common, file, 1))
		return false;
	if (g->truth.n == 0 && g->estimate.n > 0) {
		pb_msg_note("%s: no pose has source truth; its estimates are "
			    "the reference",
		    g->o->reference);
		none = g->truth;
		g->truth = g->estimate;
		g->estimate = none;
	}
	for (size_t i = 0; i < g->truth.n; i++)
		g->truth.at[i].t -= g->o->clock;
	g->estimate.n = 0;
	g->other = &g->estimate;
	return g->truth.n > 0 ||
	       pb_msg_refuse((struct pb_place){g->o->reference, 0},
		   "expected a pose of %s, got none", g->o->id);
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
		    "pairing",
		    d->n, g->estimate.n, d->t, g->truth.n);
	else if (st == PB_ESIZE)
		pb_msg_refuse(at,
		    "pairing=order: expected as many estimates as true "
		    "poses, got %zu and %zu",
		    g->estimate.n, g->truth.n);
	else
		pb_msg_refuse(at,
		    "no estimate of %zu is within %g s (max-dt) of a true "
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
	if (what)
		return pb_msg_refuse(at, "%s", what);
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

/* Of each trial, and of the ends of several; what they have of one kind. */
static enum pb_status
scatter(struct reading *g, struct pb_trajectory_found *r)
{
	bool plain = g->estimate.n == 0;
	const struct pb_timed_list *l = plain ? &g->plain : &g->estimate;
	struct pb_timed_list ends = {.at = NULL};
	enum pb_status st = PB_OK;

	r->trial = calloc(g->trials + 1, sizeof(*r->trial));
	if (!r->trial)
		return PB_ENOMEM;
	for (size_t i = 0; st == PB_OK && i < g->trials; i++) {
		const struct trial *a = &g->trial[i], *b = a + 1;
		size_t from = plain ? a->plain : a->estimate;
		size_t to = i + 1 == g->trials ? l->n
		            : plain            ? b->plain
		                               : b->estimate;

		if (from == to)
			continue;
		r->trial[r->trials].file = a->file;
		st = pb_scatter_of(
		    l->at + from, to - from, &r->trial[r->trials++].scatter);
		if (st == PB_OK)
			st = pb_timed_add(&ends, l->at[to - 1]);
	}
	for (size_t i = 0; i < ends.n; i++) {
		ends.at[i].t = NAN; /* each trial has its own clock */
		for (int k = 0; k < 3; k++)
			ends.at[i].sigma[k] = NAN;
	}
	if (st == PB_OK && ends.n > 1)
		st = pb_scatter_of(ends.at, ends.n, &r->ends);
	pb_timed_clear(&ends);
	return st;
}

/*
 * Judge the estimates by known relations; without any, the true poses, which
 * may be those of a log that others corrected.
 */
static bool
relate(struct reading *g, struct pb_place at, struct pb_trajectory_found *r)
{
	const char *name = g->o->relations;
	struct pb_timed_list *l = g->estimate.n > 0 ? &g->estimate : &g->truth;
	struct pb_relation_list known = {.at = NULL};
	enum pb_status st = PB_OK;
	bool ok = pb_relations_read(name, &known);

	for (size_t i = 0; i < known.n; i++) {
		known.at[i].t1 -= g->o->clock;
		known.at[i].t2 -= g->o->clock;
	}
	r->truth = l == &g->truth;
	if (ok && l->n == 0)
		ok = pb_msg_refuse(at, "expected poses, got none");
	if (ok)
		st = pb_relations_judge(
		    known.at, known.n, l, &g->odom, &r->relations);
	if (st == PB_ENOENT)
		ok = pb_msg_refuse((struct pb_place){name, 0},
		    "no relation is of the time of the poses, %g to %g s; see "
		    "--clock",
		    l->at[0].t, l->at[l->n - 1].t);
	else if (st != PB_OK)
		ok = pb_msg_system("no memory for the relations");
	else if (ok && r->relations.far > 0 && g->odom.n == 0)
		pb_msg_warn(at,
		    "%zu of %zu relations have an end farther than %g s from a "
		    "pose, and there is no odometry that leads there; see "
		    "--relations",
		    r->relations.far, known.n, PB_RELATION_NEAR);
	free(known.at);
	return ok;
}

/* Compare with the true poses, or see how those without lie. */
static bool
weigh(struct reading *g, struct pb_place at, struct pb_trajectory_found *r)
{
	r->compared = g->o->reference || g->truth.n > 0 ||
	              g->estimate.n + g->plain.n == 0;
	if (r->compared)
		return compare(g, at, &r->report);
	return scatter(g, r) == PB_OK ||
	       pb_msg_system("no memory for the poses");
}

bool
pb_trajectory_run(const struct pb_trajectory_opts *o,
    const struct pb_opt_common *common, char *const *files, int n,
    struct pb_trajectory_found *r)
{
	struct reading g = {.o = o};
	struct pb_place at = {n > 0 ? files[0] : "<stdin>", 0};
	bool ok;
	size_t truth;

	*r = (struct pb_trajectory_found){.related = o->relations};
	g.other = o->relations ? &g.estimate : &g.plain;
	ok = !o->reference || read_reference(&g, common);
	truth = g.truth.n;
	ok = ok && read_stream(&g, common, files, n);
	if (o->reference && ok)
		g.truth.n = truth; /* what the other stream says is no truth */
	if (ok)
		ok = o->relations ? relate(&g, at, r) : weigh(&g, at, r);
	pb_timed_clear(&g.truth);
	pb_timed_clear(&g.estimate);
	pb_timed_clear(&g.plain);
	pb_timed_clear(&g.odom);
	free(g.trial);
	return ok;
}

void
pb_trajectory_clear(struct pb_trajectory_found *r)
{
	free(r->trial);
	r->trial = NULL;
}

static void
write_spread(struct pb_text *out, const struct pb_trajectory_opts *o,
    const char *of, const char *file, const struct pb_scatter *s)
{
	struct pb_rec_spread y = {.scatter = *s, .version = PB_VERSION};

	PB_REC_SET(y.of, of);
	PB_REC_SET(y.file, file);
	pb_rec_put(out, PB_REC_SPREAD, pb_stamp_at(NAN, o->id), &y);
}

static void
write_relations(struct pb_text *out, const struct pb_trajectory_opts *o,
    const struct pb_trajectory_found *r)
{
	struct pb_rec_relations y = {
	    .report = r->relations, .version = PB_VERSION};

	PB_REC_SET(y.file, o->relations);
	PB_REC_SET(y.of, r->truth ? "truth" : "estimate");
	pb_rec_put(out, PB_REC_RELATIONS, pb_stamp_at(NAN, o->id), &y);
}

void
pb_trajectory_write(
    const struct pb_trajectory_opts *o, const struct pb_trajectory_found *r)
{
	struct pb_text out = {.to = stdout};
	struct pb_rec_trajectory y = {
	    .report = r->report, .opts = o->traj, .version = PB_VERSION};

	if (r->related)
		write_relations(&out, o, r);
	if (r->compared)
		pb_rec_put(
		    &out, PB_REC_TRAJECTORY, pb_stamp_at(NAN, o->id), &y);
	for (size_t i = 0; i < r->trials; i++)
		write_spread(
		    &out, o, "trial", r->trial[i].file, &r->trial[i].scatter);
	if (r->trials > 1)
		write_spread(&out, o, "ends", "", &r->ends);
	pb_text_clear(&out);
}

bool
pb_trajectory_check(
    const struct pb_trajectory_opts *o, const char *bound, struct pb_expect *e)
{
	const struct pb_traj_report none = {.pairs = 0};
	const struct pb_scatter empty = {.n = 0};
	const struct pb_relations_report no = {.n = 0};
	struct pb_error bad;
	double v;

	if (!pb_expect_read(bound, e, &bad))
		return pb_msg_usage("--expect: %s", bad.text);
	if (!*e->player &&
	    (o->relations ? pb_relations_number(&no, e->number, &v)
			  : pb_traj_number(&none, e->number, &v) ||
				pb_scatter_number(&empty, e->number, &v)))
		return true;
	return pb_msg_usage("--expect: \"%.80s\" begins with no number of %s",
	    bound, o->relations ? "relations" : "a trajectory");
}

bool
pb_trajectory_has(const struct pb_expect *e, struct pb_place at,
    const struct pb_trajectory_found *r)
{
	double v;

	if (r->related)
		return true; /* all numbers are there */
	if (r->compared)
		return pb_traj_number(&r->report, e->number, &v) ||
		       pb_msg_refuse(at,
			   "--expect %s: there are true poses; %s is of poses "
			   "without",
			   e->text, e->number);
	return pb_scatter_number(&r->trial[0].scatter, e->number, &v) ||
	       pb_msg_refuse(at,
		   "expected a pose with source truth, got none; --expect %s "
		   "is about that",
		   e->text);
}

/* Say if poses of a file, "" if it has no name, do not keep it. */
static void
judge(const struct pb_expect *e, const char *file, const struct pb_scatter *s,
    const char *what)
{
	double v;

	if (pb_scatter_number(s, e->number, &v) && !pb_expect_holds(e, v))
		pb_msg_unmet("--expect %s: %s%s%s is %.6g (%zu %s)", e->text,
		    file, *file ? ": " : "", e->number, v, s->n, what);
}

void
pb_trajectory_judge(
    const struct pb_expect *e, const struct pb_trajectory_found *r)
{
	double v;

	if (r->related && pb_relations_number(&r->relations, e->number, &v) &&
	    !pb_expect_holds(e, v))
		pb_msg_unmet("--expect %s: %s is %.6g (%zu relations)", e->text,
		    e->number, v, r->relations.n);
	if (r->compared && pb_traj_number(&r->report, e->number, &v) &&
	    !pb_expect_holds(e, v))
		pb_msg_unmet("--expect %s: %s is %.6g (%zu poses)", e->text,
		    e->number, v, r->report.pairs);
	if (r->trials > 1 && strncmp(e->number, "apart", 5) == 0)
		judge(e, "", &r->ends, "ends");
	else
		for (size_t i = 0; i < r->trials; i++)
			judge(
			    e, r->trial[i].file, &r->trial[i].scatter, "poses");
}
