/* mapslam.c - the poses of a log's scans: as it tells them, or found. */
#include "io/tool/mapslam.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "io/rec/body.h"
#include "localize/traj.h"

/* The scans of a log as arrays, those that can be used. */
struct arrays {
	size_t *of; /* its number in the log */
	struct pb_scan *scan;
	struct pb_pose *odom, *found, *truth;
	size_t n;
};

const char *
pb_mapslam_source(int from)
{
	static const char *const source[] = {"truth", "estimate", "odom"};

	return source[from];
}

static bool
pose_at(const struct pb_maplog *g, const struct pb_maplog_scan *s, int from,
    double gap, struct pb_pose *pose)
{
	double t = g->untimed ? NAN : s->t;

	if (from == PB_FROM_ODOM)
		return pb_track_find(&g->odom, s->odoms, t, gap, pose);
	return pb_track_find(&g->pose, s->poses, t, gap, pose);
}

void
pb_mapslam_place(struct pb_maplog *g, const struct pb_mapslam_opts *o)
{
	for (size_t i = 0; i < g->n; i++)
		g->scan[i].placed =
		    pose_at(g, &g->scan[i], o->from, o->gap, &g->scan[i].pose);
}

static void
arrays_clear(struct arrays *a)
{
	free(a->of);
	free(a->scan);
	free(a->odom);
	free(a->found);
	free(a->truth);
}

static bool
arrays_init(struct arrays *a, size_t n)
{
	*a = (struct arrays){.of = calloc(n + 1, sizeof(*a->of)),
	    .scan = calloc(n + 1, sizeof(*a->scan)),
	    .odom = calloc(n + 1, sizeof(*a->odom)),
	    .found = calloc(n + 1, sizeof(*a->found)),
	    .truth = calloc(n + 1, sizeof(*a->truth))};
	return a->of != NULL && a->scan != NULL && a->odom != NULL &&
	       a->found != NULL && a->truth != NULL;
}

/* Take the scans with odometry; without any in the log, take all. */
static void
fill(struct arrays *a, const struct pb_maplog *g, double gap)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct pb_maplog_scan *s = &g->scan[i];

		if (g->odom.n > 0 &&
		    !pose_at(g, s, PB_FROM_ODOM, gap, &a->odom[a->n]))
			continue;
		a->of[a->n] = i;
		a->scan[a->n++] = s->scan;
	}
}

/*
 * Compare what was found with the poses of the log, where it has some; a
 * second time after the first two arrays were laid on each other.
 */
static void
compare(struct arrays *a, const struct pb_maplog *g,
    const struct pb_mapslam_opts *o)
{
	struct pb_pose shift;
	double d2 = 0, th2 = 0;
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		if (pose_at(
			g, &g->scan[a->of[i]], o->from, o->gap, &a->truth[n]))
			a->odom[n++] = a->found[i];
	if (n < 2 || o->from == PB_FROM_ODOM)
		return;
	shift = pb_traj_align(a->odom, a->truth, n);
	for (size_t i = 0; i < n; i++) {
		struct pb_pose p = pb_pose_compose(shift, a->odom[i]);
		double d = pb_dist(pb_pose_vec(p), pb_pose_vec(a->truth[i]));
		double th = pb_wrap(p.th - a->truth[i].th);

		d2 += d * d;
		th2 += th * th;
	}
	pb_msg_note("slam: aligned with %zu poses of the log, off by %.3f m "
		    "and %.2f deg (root mean square)",
	    n, sqrt(d2 / (double)n), sqrt(th2 / (double)n) * 180 / PB_PI);
	for (size_t i = 0; o->align && i < a->n; i++)
		a->found[i] = pb_pose_compose(shift, a->found[i]);
}

static void
report(const struct arrays *a, const struct pb_slam_report *r)
{
	pb_msg_note("slam: %zu scans, %zu key scans, %zu of them without a "
		    "match; %zu loops, %zu pairs",
	    a->n, r->keys, r->lost, r->loops, r->pairs);
}

static bool
fail(enum pb_status st, const char *name)
{
	struct pb_place at = {name, 0};

	if (st == PB_ENOMEM) {
		errno = ENOMEM;
		pb_msg_system("cannot find the poses of the log");
	} else if (st == PB_EEMPTY) {
		pb_msg_refuse(at, "no scan has odometry of its time");
	} else if (st == PB_ESIZE) {
		pb_msg_refuse(at,
		    "slam: a step of the odometry would need a search over "
		    "more than %d cells a side",
		    PB_MAP_SIDE);
	} else {
		pb_msg_refuse(at, "slam: %s", pb_status_text(st));
	}
	return false;
}

bool
pb_mapslam_find(
    struct pb_maplog *g, const struct pb_mapslam_opts *o, const char *name)
{
	struct arrays a;
	struct pb_slam_report r = {0};
	enum pb_status st = arrays_init(&a, g->n) ? PB_OK : PB_ENOMEM;

	if (st == PB_OK) {
		fill(&a, g, o->gap);
		st = pb_slam(&o->slam, (struct pb_pose){0, 0, 0}, a.scan,
		    g->odom.n > 0 ? a.odom : NULL, a.n, a.found, &r);
	}
	if (st == PB_OK) {
		report(&a, &r);
		compare(&a, g, o);
		for (size_t i = 0; i < a.n; i++) {
			g->scan[a.of[i]].placed = true;
			g->scan[a.of[i]].pose = a.found[i];
		}
	}
	arrays_clear(&a);
	return st == PB_OK || fail(st, name);
}

bool
pb_mapslam_save(const struct pb_maplog *g, const char *body, const char *path)
{
	struct pb_text out = {.to = fopen(path, "w")};
	bool ok = out.to != NULL;

	for (size_t i = 0; ok && i < g->n; i++) {
		const struct pb_maplog_scan *s = &g->scan[i];
		struct pb_rec_pose p = {
		    .x = s->pose.x, .y = s->pose.y, .theta = s->pose.th};

		PB_REC_SET(p.source, "estimate");
		if (s->placed)
			pb_put_pose(&out, pb_stamp_at(s->t, body), &p);
	}
	ok = ok && !out.failed;
	if (out.to != NULL && fclose(out.to) != 0)
		ok = false;
	pb_text_clear(&out);
	if (!ok)
		pb_msg_system("%s: cannot write", path);
	return ok;
}
