/* mapgen_log.c - maps grown from the poses and scans of a log. */
#include "io/tool/mapgen_log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "io/file/logfile.h"
#include "io/rec/rec.h"
#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "localize/traj.h"
#include "map/mapping.h"
#include "pb/scan.h"

/* A scan of the log. */
struct log_scan {
	long line;                      /* of the log */
	double t;                       /* NAN if none (s) */
	size_t poses[PB_FROM_ODOM + 1]; /* that came before it, of each kind */
	struct pb_scan scan;            /* its ranges are owned by the log */
	bool placed;                    /* the pose is known */
	struct pb_pose pose;
};

/* A log on its way to a map. */
struct growth {
	const struct pb_mapgen_log_opts *o;
	const struct pb_opt_common *common;
	const char *name; /* for complaints */
	int from; /* the poses that are taken: enum pb_mapgen_poses_from */
	struct pb_track pose[PB_FROM_ODOM + 1]; /* of each kind */
	struct log_scan *scan;                  /* n of them, owned */
	size_t n, room;
	long seen;    /* scans in the stream, those that do not count, too */
	bool untimed; /* stamps tell no time: the pose told last is meant */
	struct pb_mapping mapping;
	struct pb_mapgen_way way; /* by --slam */
};

#define PB_PARAMS_OF struct pb_mapgen_log_opts

static const struct pb_param rows[] = {PB_REAL("gap", gap, "s", 0.5, 0, 1e6,
    "poses farther from a scan in time mean nothing")};

const struct pb_params pb_mapgen_log_params = PB_PARAMS(rows);

struct pb_mapgen_log_opts
pb_mapgen_log_defaults(void)
{
	return (struct pb_mapgen_log_opts){.body = "robot",
	    .gap = 0.5,
	    .ros = {.reader = PB_ROS_READER},
	    .slam = pb_slam_defaults(),
	    .mapping = pb_mapping_defaults()};
}

/* The source of pose records for each of enum pb_mapgen_poses_from. */
static const char *const source[] = {"truth", "estimate", "odom"};

static bool
add_pose(struct pb_track *k, double t, double x, double y, double theta)
{
	struct pb_pose p = {x, y, theta};

	if (pb_track_add(k, t, p) != PB_OK)
		pb_msg_end_memory();
	return true;
}

/* To the precision of sensor_msgs/LaserScan, limits and ranges alike. */
static double
rounded(double range)
{
	return (double)(float)range;
}

/* A scan whose ranges begin in the robot's middle. */
static bool
add_scan(struct growth *g, long line, double t, const struct pb_rec_scan *c)
{
	struct pb_scan s = pb_rec_as_scan(c);
	double *range;

	range = pb_alloc(s.n + 1, sizeof(*range));
	if (!pb_grow(&g->scan, g->n, &g->room, sizeof(*g->scan)))
		pb_msg_end_memory();
	/* What is no return, or failed, stays that. */
	for (size_t i = 0; i < s.n; i++)
		range[i] = rounded(
		    s.range[i] > 0 ? s.range[i] + s.radius : s.range[i]);
	s.range = range;
	s.range_min = rounded(s.range_min + s.radius);
	s.range_max = rounded(s.range_max + s.radius);
	s.radius = 0;
	g->scan[g->n++] = (struct log_scan){.line = line,
	    .t = t,
	    .poses = {g->pose[0].n, g->pose[1].n, g->pose[2].n},
	    .scan = s};
	return true;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct growth *g = f->user;
	double t = r->stamp.t;

	(void)bad;
	if (!pb_filter_is_of(r, g->o->body))
		return true;
	if (r->type == PB_REC_SCAN)
		return add_scan(g, f->line.at.line, t, &r->scan);
	if (r->type == PB_REC_ODOM)
		return add_pose(&g->pose[PB_FROM_ODOM], t, r->odom.x, r->odom.y,
		    r->odom.theta);
	for (int i = 0; i < PB_FROM_ODOM; i++)
		if ((r->pose.source[0] == '\0' ||
			strcmp(r->pose.source, source[i]) == 0) &&
		    !add_pose(
			&g->pose[i], t, r->pose.x, r->pose.y, r->pose.theta))
			return false;
	return true;
}

/* Read the log; false if reading ended early: it is what came before. */
static bool
read_log(struct growth *g, const char *name)
{
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_POSE) |
	                              PB_REC_BIT(PB_REC_ODOM) |
	                              PB_REC_BIT(PB_REC_SCAN),
	    .scans = g->o->scans,
	    .common = g->common,
	    .ros = &g->o->ros,
	    .take = take,
	    .user = g};
	char *files[] = {(char *)name};
	bool ok = pb_filter_run(&f, files, 1);

	g->seen = f.scan;
	return ok;
}

/* The pose that the log has for the time of s. */
static bool
pose_at(const struct growth *g, const struct log_scan *s, int from,
    struct pb_pose *pose)
{
	double t = g->untimed ? NAN : s->t, gap = g->o->gap;

	return pb_track_find(&g->pose[from], s->poses[from], t, gap, pose);
}

/* The scans of a log as arrays, those that can be used. */
struct arrays {
	size_t *of; /* its number in the log */
	struct pb_scan *scan;
	struct pb_pose *odom, *found, *truth;
	size_t n;
};

static void
arrays_clear(struct arrays *a)
{
	free(a->of);
	free(a->scan);
	free(a->odom);
	free(a->found);
	free(a->truth);
}

/* Take the scans with odometry; without any in the log, take all. */
static enum pb_status
arrays_init(struct arrays *a, const struct growth *g)
{
	size_t n = g->n + 1;

	*a = (struct arrays){.of = calloc(n, sizeof(*a->of)),
	    .scan = calloc(n, sizeof(*a->scan)),
	    .odom = calloc(n, sizeof(*a->odom)),
	    .found = calloc(n, sizeof(*a->found)),
	    .truth = calloc(n, sizeof(*a->truth))};
	if (!a->of || !a->scan || !a->odom || !a->found || !a->truth)
		return PB_ENOMEM;
	for (size_t i = 0; i < g->n; i++) {
		const struct log_scan *s = &g->scan[i];

		if (g->pose[PB_FROM_ODOM].n > 0 &&
		    !pose_at(g, s, PB_FROM_ODOM, &a->odom[a->n]))
			continue;
		a->of[a->n] = i;
		a->scan[a->n++] = s->scan;
	}
	return PB_OK;
}

/*
 * Compare what was found with the poses of the log, where it has some; a
 * second time after the first two arrays were laid on each other.
 */
static void
compare(struct arrays *a, const struct growth *g)
{
	const struct pb_mapgen_log_opts *o = g->o;
	struct pb_pose shift;
	double d2 = 0, th2 = 0;
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		if (pose_at(g, &g->scan[a->of[i]], g->from, &a->truth[n]))
			a->odom[n++] = a->found[i];
	if (n < 2 || g->from == PB_FROM_ODOM)
		return;
	shift = pb_traj_align(a->odom, a->truth, n);
	for (size_t i = 0; i < n; i++) {
		struct pb_pose p = pb_pose_compose(shift, a->odom[i]);
		double d = pb_pose_dist(p, a->truth[i]);
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

static bool
fail(enum pb_status st, const char *name)
{
	struct pb_place at = {name, 0};

	if (st == PB_ESTOPPED)
		return false;
	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	if (st == PB_EEMPTY)
		return pb_msg_refuse(at, "no scan has odometry of its time");
	if (st == PB_ESIZE)
		return pb_msg_refuse(at,
		    "slam: a step of the odometry would need a search over "
		    "more than %d cells a side",
		    PB_MAP_SIDE);
	return pb_msg_refuse(at, "slam: %s", pb_status_text(st));
}

/* How far to trust what was found. */
static void
tell(const struct pb_slam_report *r, size_t scans)
{
	pb_msg_note("slam: %zu scans, %zu key scans, %zu without a match; "
		    "%zu steps that odometry denies",
	    scans, r->keys, r->lost, r->denied);
	pb_msg_note("slam: %zu pieces; %zu loops, off by %.3f m at most; "
		    "%zu pairs",
	    r->pieces, r->loops, r->loop_off, r->pairs);
	pb_msg_note("slam: %zu of %zu pairs of scans contradict each other",
	    r->contradictions, r->compared);
}

/* Refuse a map that may be wrong. */
static bool
believable(const char *name, const struct pb_slam_report *r)
{
	struct pb_place at = {name, 0};

	if (r->pieces > 1)
		return pb_msg_refuse(at,
		    "slam: falls into %zu pieces, and nothing says how they "
		    "lie; --force writes them as odometry has them",
		    r->pieces);
	if (pb_slam_contradicts(r))
		return pb_msg_refuse(at,
		    "slam: %zu of %zu pairs of scans contradict each other "
		    "where they were put; --force writes them all the same",
		    r->contradictions, r->compared);
	return true;
}

static bool
step(void *ctx, size_t done, size_t all)
{
	(void)all;
	pb_progress_show(ctx, done);
	return !pb_msg_stopped();
}

/*
 * Give each scan the pose that fits best, from odometry and scans alone; how
 * that went is noted, with its error if the log has poses. Scans without
 * odometry stay without a pose if others have some.
 */
static bool
place_by_slam(struct growth *g)
{
	struct arrays a;
	struct pb_slam_report r = {0};
	struct pb_progress progress;
	struct pb_slam_opts o = g->o->slam;
	enum pb_status st = arrays_init(&a, g);

	o.step = step;
	o.ctx = &progress;
	pb_progress_start(&progress, "scans", a.n, g->common->quiet);
	if (st == PB_OK)
		st = pb_slam(&o, (struct pb_pose){0, 0, 0}, a.scan,
		    g->pose[PB_FROM_ODOM].n > 0 ? a.odom : NULL, a.n, a.found,
		    &r);
	pb_progress_wipe(&progress);
	if (st == PB_OK) {
		tell(&r, a.n);
		compare(&a, g);
		for (size_t i = 0; i < a.n; i++) {
			g->scan[a.of[i]].placed = true;
			g->scan[a.of[i]].pose = a.found[i];
		}
		g->way = (struct pb_mapgen_way){a.found, a.n, r.mark, r.marks};
		a.found = NULL;
	}
	arrays_clear(&a);
	if (st != PB_OK)
		return fail(st, g->name);
	return g->o->force || believable(g->name, &r);
}

/* Write the poses as records, source "estimate". */
static bool
save_poses(const struct growth *g, const char *path)
{
	struct pb_file file;
	struct pb_error f;
	struct pb_text out = {0};
	bool ok;

	if (pb_file_create(path, &file, &f) != 0)
		return pb_msg_error(&f);
	out.to = file.out;
	for (size_t i = 0; i < g->n; i++) {
		const struct log_scan *s = &g->scan[i];

		if (s->placed)
			pb_rec_put_pose(&out, pb_stamp_at(s->t, g->o->body),
			    s->pose, "estimate");
	}
	ok = pb_file_finish(&file, &f) == 0 || pb_msg_error(&f);
	pb_file_abandon(&file);
	pb_text_clear(&out);
	return ok;
}

/* Say why scan s could not be entered. */
static void
refuse(const struct growth *g, const struct log_scan *s, enum pb_status st)
{
	struct pb_place at = {g->name, s->line};
	struct pb_pose p = s->pose;

	if (st == PB_ENOMEM)
		pb_msg_system(
		    "no room for a map that holds (%g, %g)", p.x, p.y);
	else if (st == PB_ESIZE)
		pb_msg_refuse(at,
		    "scan: with pose (%g, %g), a side of the map has more than "
		    "%d cells, or all of it more than --max-cells, %d",
		    p.x, p.y, PB_MAP_SIDE, pb_max_cells);
	else
		pb_msg_refuse(at, "scan: %s", pb_status_text(st));
}

static bool
enter_all(struct growth *g)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct log_scan *s = &g->scan[i];
		enum pb_status st;

		if (!s->placed)
			continue;
		st = pb_mapping_add(&g->mapping, s->pose, &s->scan);
		if (st == PB_OK)
			continue;
		refuse(g, s, st);
		if (st == PB_ENOMEM || !g->common->keep_going)
			return false;
	}
	return true;
}

/*
 * Scans whose stamps tell no time have none: their poses are those that the
 * log told last.
 */
static bool
distrust_stamps(struct growth *g)
{
	struct pb_stamps s;
	char text[160];

	if (pb_stamps_judge(&g->scan->t, sizeof(*g->scan), g->n, &s) != PB_OK)
		return pb_msg_system("%s: no memory", g->name);
	/* Scans without any stamp need no word of it. */
	g->untimed = s.broken && s.missing < s.n;
	if (g->untimed)
		pb_msg_warn((struct pb_place){g->name, 0},
		    "%s; each scan has the pose told last before it",
		    pb_stamps_text(&s, text, sizeof(text)));
	return true;
}

/* Give scans their poses; says what is missing. */
static bool
place(struct growth *g)
{
	const struct pb_mapgen_log_opts *o = g->o;
	struct pb_place at = {g->name, 0};
	size_t lost = 0;

	if (g->n == 0 && g->seen == 0)
		return pb_msg_refuse(at, "expected scan records, got none");
	if (g->n == 0)
		return pb_msg_refuse(at,
		    "none of %ld scans is one of %s and taken by --scans",
		    g->seen, g->o->body);
	if (!distrust_stamps(g))
		return false;
	if (!o->has_from && g->pose[o->from].n == 0 &&
	    g->pose[PB_FROM_ESTIMATE].n > 0) {
		g->from = PB_FROM_ESTIMATE;
		pb_msg_note("no pose is true: scans have those that were "
			    "estimated, see --poses");
	}
	if (o->finds && !place_by_slam(g))
		return false;
	for (size_t i = 0; i < g->n; i++) {
		struct log_scan *s = &g->scan[i];

		if (!o->finds)
			s->placed = pose_at(g, s, g->from, &s->pose);
		lost += !s->placed;
	}
	if (lost == g->n)
		return pb_msg_refuse(at,
		    "none of %zu scans has a pose of %s (%s) within %g s", lost,
		    g->o->body, source[g->from], o->gap);
	if (lost > 0)
		pb_msg_warn(at,
		    "%zu of %zu scans have no %s within %g s and are left out",
		    lost, g->n, o->finds ? "odometry" : "pose", o->gap);
	return true;
}

/* The file's name without folder and suffixes. */
static void
name_map(struct pb_map *m, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dot;

	PB_REC_SET(m->name, slash != NULL ? slash + 1 : path);
	dot = strchr(m->name, '.');
	if (dot != NULL && dot > m->name)
		*dot = '\0';
}

static bool
make_map(struct growth *g, struct pb_map *m)
{
	enum pb_status st = pb_mapping_map(&g->mapping, m);
	struct pb_place at = {g->name, 0};

	if (st == PB_ENOMEM)
		return pb_msg_system("no room for the map");
	if (st == PB_EEMPTY)
		return pb_msg_refuse(
		    at, "no beam of %zu scans says anything", g->n);
	if (st == PB_ESIZE)
		return pb_msg_refuse(at,
		    "with its margin, a side of the map has more than %d "
		    "cells, or all of it more than --max-cells, %d",
		    PB_MAP_SIDE, pb_max_cells);
	if (st != PB_OK)
		return pb_msg_refuse(at, "%s", pb_status_text(st));
	if (g->name[0] != '<')
		name_map(m, g->name);
	return true;
}

void
pb_mapgen_way_clear(struct pb_mapgen_way *w)
{
	free(w->pose);
	free(w->mark);
	*w = (struct pb_mapgen_way){.n = 0};
}

bool
pb_mapgen_log(const struct pb_mapgen_log_opts *o, const char *name,
    const struct pb_opt_common *common, struct pb_map *m,
    struct pb_mapgen_way *way)
{
	struct growth g = {.o = o,
	    .from = o->from,
	    .common = common,
	    .name = strcmp(name, "-") == 0 ? "<stdin>" : name};
	struct pb_mapping_opts mapping = o->mapping;
	struct pb_map got = {0};
	bool ok;

	mapping.most = (size_t)pb_max_cells;
	if (pb_mapping_init(&g.mapping, &mapping) != PB_OK)
		return pb_msg_usage(
		    "the constants of maps from logs do not fit");
	ok = (read_log(&g, name) || common->keep_going) && place(&g) &&
	     enter_all(&g) && make_map(&g, &got) &&
	     (o->trajectory == NULL || save_poses(&g, o->trajectory));
	if (ok) {
		*m = got;
		*way = g.way;
	} else {
		pb_map_clear(&got);
		pb_mapgen_way_clear(&g.way);
	}
	for (size_t i = 0; i < g.n; i++)
		free((double *)g.scan[i].scan.range);
	free(g.scan);
	for (int i = 0; i <= PB_FROM_ODOM; i++)
		pb_track_clear(&g.pose[i]);
	pb_mapping_clear(&g.mapping);
	return ok;
}
