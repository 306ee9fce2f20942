/* mapgen_log.c - maps grown from the poses and scans of a log. */
#include "io/tool/mapgen_log.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/poselog.h"
#include "io/rec/rec.h"
#include "io/rec/type.h"
#include "io/stream/msg.h"
#include "localize/traj.h"
#include "map/mapping.h"
#include "pb/scan.h"

/* Which records count. */
struct log_opts {
	int scans;          /* enum pb_filter_scans */
	const char *source; /* of poses; those without one count, too */
	const char *body;   /* id; records without one count, too */
};

struct log_scan {
	long line;           /* of the log */
	double t;            /* NAN if none (s) */
	size_t poses, odoms; /* that came before it */
	struct pb_scan scan; /* its ranges are owned by the log */
	bool placed;         /* the pose is known */
	struct pb_pose pose;
};

/* A zeroed log is empty. */
struct log {
	struct pb_track pose, odom;
	struct log_scan *scan; /* n of them, owned */
	size_t n, room;
	long seen;    /* scans in the stream, those that do not count, too */
	bool untimed; /* stamps tell no time: the pose told last is meant */
};

/* A log that is being read. */
struct reading {
	struct log *g;
	const struct log_opts *o;
};

static bool
no_room(void)
{
	errno = ENOMEM;
	return pb_msg_system("cannot keep the log");
}

static bool
add_pose(struct pb_track *k, double t, double x, double y, double theta)
{
	struct pb_pose p = {x, y, theta};

	return pb_track_add(k, t, p) == PB_OK || no_room();
}

/* Make room for one more scan. */
static bool
reserve(struct log *g)
{
	size_t room = g->room > 0 ? 2 * g->room : 256;
	struct log_scan *scan;

	if (g->n < g->room)
		return true;
	scan = realloc(g->scan, room * sizeof(*scan));
	if (scan == NULL)
		return no_room();
	g->scan = scan;
	g->room = room;
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
add_scan(struct reading *r, long line, double t, const struct pb_rec_scan *c)
{
	struct log *g = r->g;
	struct pb_scan s = pb_rec_as_scan(c);
	double *range;

	if (!reserve(g))
		return false;
	range = malloc((s.n + 1) * sizeof(*range));
	if (range == NULL)
		return no_room();
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
	    .poses = g->pose.n,
	    .odoms = g->odom.n,
	    .scan = s};
	return true;
}

/* pb-sim tells where the robot really is as the body "truth". */
static bool
is_of(const struct pb_rec *r, const char *body)
{
	const char *id = r->stamp.id;

	return id[0] == '\0' || strcmp(id, body) == 0 ||
	       (r->type == PB_REC_POSE && strcmp(id, "truth") == 0);
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct reading *to = f->user;
	struct log *g = to->g;
	double t = r->stamp.t;

	(void)bad;
	if (!is_of(r, to->o->body))
		return true;
	if (r->type == PB_REC_SCAN)
		return add_scan(to, f->line.at.line, t, &r->scan);
	if (r->type == PB_REC_ODOM)
		return add_pose(
		    &g->odom, t, r->odom.x, r->odom.y, r->odom.theta);
	if (r->pose.source[0] != '\0' &&
	    strcmp(r->pose.source, to->o->source) != 0)
		return true;
	return add_pose(&g->pose, t, r->pose.x, r->pose.y, r->pose.theta);
}

/*
 * Read a stream of records to its end. What is refused is said.
 *
 * Given    name  operand of the command line
 * Returns  true and a log for clear_log; false if reading ended early:
 *          the log, to be cleared as well, is what came before
 */
static bool
read_log(struct log *g, const char *name, const struct log_opts *o,
    const struct pb_opt_common *common)
{
	struct reading r = {g, o};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_POSE) |
	                              PB_REC_BIT(PB_REC_ODOM) |
	                              PB_REC_BIT(PB_REC_SCAN),
	    .scans = o->scans,
	    .common = common,
	    .take = take,
	    .user = &r};
	char *files[] = {(char *)name};
	bool ok;

	*g = (struct log){.n = 0};
	ok = pb_filter_run(&f, files, 1);
	g->seen = f.scan;
	pb_filter_clear(&f);
	return ok;
}

static void
clear_log(struct log *g)
{
	for (size_t i = 0; i < g->n; i++)
		free((double *)g->scan[i].scan.range);
	free(g->scan);
	pb_track_clear(&g->pose);
	pb_track_clear(&g->odom);
	*g = (struct log){.n = 0};
}

/* The scans of a log as arrays, those that can be used. */
struct arrays {
	size_t *of; /* its number in the log */
	struct pb_scan *scan;
	struct pb_pose *odom, *found, *truth;
	size_t n;
};

/* The source of pose records for each of these. */
static const char *
source_of(int from)
{
	static const char *const source[] = {"truth", "estimate", "odom"};

	return source[from];
}

static bool
pose_at(const struct log *g, const struct log_scan *s, int from, double gap,
    struct pb_pose *pose)
{
	double t = g->untimed ? NAN : s->t;

	if (from == PB_FROM_ODOM)
		return pb_track_find(&g->odom, s->odoms, t, gap, pose);
	return pb_track_find(&g->pose, s->poses, t, gap, pose);
}

/*
 * Give each scan the pose that the log has for its time; some may stay
 * without.
 */
static void
place_by_log(struct log *g, const struct pb_mapgen_poses_opts *o)
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
fill(struct arrays *a, const struct log *g, double gap)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct log_scan *s = &g->scan[i];

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
compare(
    struct arrays *a, const struct log *g, const struct pb_mapgen_poses_opts *o)
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

/*
 * Give each scan the pose that fits best, from odometry and scans alone; how
 * that went is noted, with its error if the log has poses. Scans without
 * odometry stay without a pose if others have some.
 *
 * Given    name  of the log, for complaints
 * Returns  false if it failed, which was said
 */
static bool
place_by_slam(
    struct log *g, const struct pb_mapgen_poses_opts *o, const char *name)
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

/*
 * Write the poses as records of that body, source "estimate".
 *
 * Returns  false if it failed, which was said
 */
static bool
save_poses(const struct log *g, const char *body, const char *path)
{
	struct pb_text out = {.to = fopen(path, "w")};
	bool ok = out.to != NULL;

	for (size_t i = 0; ok && i < g->n; i++) {
		const struct log_scan *s = &g->scan[i];
		struct pb_rec_pose p = {
		    .x = s->pose.x, .y = s->pose.y, .theta = s->pose.th};

		PB_REC_SET(p.source, "estimate");
		if (s->placed)
			pb_rec_put(
			    &out, PB_REC_POSE, pb_stamp_at(s->t, body), &p);
	}
	ok = ok && !out.failed;
	if (out.to != NULL && fclose(out.to) != 0)
		ok = false;
	pb_text_clear(&out);
	if (!ok)
		pb_msg_system("%s: cannot write", path);
	return ok;
}

/* A log on its way to a map. */
struct growth {
	const struct pb_mapgen_log_opts *o;
	const struct pb_opt_common *common;
	const char *name;
	struct log log;
	struct pb_mapping mapping;
};

struct pb_mapgen_log_opts
pb_mapgen_log_defaults(void)
{
	return (struct pb_mapgen_log_opts){.body = "robot",
	    .poses = {.gap = 0.5, .slam = pb_slam_defaults()},
	    .mapping = pb_mapping_defaults()};
}

/* Say why scan s could not be entered. */
static void
refuse(const struct growth *g, const struct log_scan *s, struct pb_pose p,
    enum pb_status st)
{
	struct pb_place at = {g->name, s->line};

	if (st == PB_ENOMEM)
		pb_msg_system(
		    "no room for a map that holds (%g, %g)", p.x, p.y);
	else if (st == PB_ESIZE)
		pb_msg_refuse(at,
		    "scan: with pose (%g, %g), a side of the map has more than "
		    "%d cells",
		    p.x, p.y, PB_MAP_SIDE);
	else
		pb_msg_refuse(at, "scan: %s", pb_status_text(st));
}

static bool
enter_all(struct growth *g)
{
	for (size_t i = 0; i < g->log.n; i++) {
		const struct log_scan *s = &g->log.scan[i];
		enum pb_status st;

		if (!s->placed)
			continue;
		st = pb_mapping_add(&g->mapping, s->pose, &s->scan);
		if (st == PB_OK)
			continue;
		refuse(g, s, s->pose, st);
		if (st == PB_ENOMEM || !g->common->keep_going)
			return false;
	}
	return true;
}

static size_t
without_pose(const struct log *log)
{
	size_t n = 0;

	for (size_t i = 0; i < log->n; i++)
		n += !log->scan[i].placed;
	return n;
}

/*
 * Scans whose stamps tell no time have none: their poses are those that the
 * log told last.
 */
static bool
distrust_stamps(struct growth *g)
{
	double *t = calloc(g->log.n + 1, sizeof(*t));
	struct pb_stamps s = {.n = 0};
	char text[160];
	size_t timed = 0;
	bool ok = t != NULL;

	for (size_t i = 0; ok && i < g->log.n; i++) {
		t[i] = g->log.scan[i].t;
		timed += isfinite(t[i]);
	}
	if (timed > 0)
		ok = pb_stamps_judge(t, g->log.n, &s) == PB_OK;
	free(t);
	if (!ok)
		pb_msg_system("%s: no memory", g->name);
	if (!ok || !s.broken)
		return ok;
	pb_msg_warn((struct pb_place){g->name, 0},
	    "%s; each scan has the pose told last before it",
	    pb_stamps_text(&s, "scans", text, sizeof(text)));
	g->log.untimed = true;
	return true;
}

/* Give scans their poses; says what is missing. */
static bool
place(struct growth *g)
{
	const struct pb_mapgen_poses_opts *o = &g->o->poses;
	struct pb_place at = {g->name, 0};
	size_t lost;

	if (g->log.n == 0 && g->log.seen == 0)
		pb_msg_refuse(at, "expected scan records, got none");
	else if (g->log.n == 0)
		pb_msg_refuse(at,
		    "none of %ld scans is one of %s and taken by --scans",
		    g->log.seen, g->o->body);
	if (g->log.n == 0 || !distrust_stamps(g))
		return false;
	if (!o->on)
		place_by_log(&g->log, o);
	else if (!place_by_slam(&g->log, o, g->name))
		return false;
	lost = without_pose(&g->log);
	if (lost == g->log.n)
		pb_msg_refuse(at,
		    "none of %zu scans has a pose of %s (%s) within %g s", lost,
		    g->o->body, source_of(o->from), o->gap);
	else if (lost > 0)
		pb_msg_warn(at,
		    "%zu of %zu scans have no %s within %g s and are left out",
		    lost, g->log.n, o->on ? "odometry" : "pose", o->gap);
	return lost < g->log.n;
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

	if (st == PB_ENOMEM)
		pb_msg_system("no room for the map");
	else if (st == PB_EEMPTY)
		pb_msg_refuse((struct pb_place){g->name, 0},
		    "no beam of %zu scans says anything", g->log.n);
	else if (st != PB_OK)
		pb_msg_refuse(
		    (struct pb_place){g->name, 0}, "%s", pb_status_text(st));
	if (st == PB_OK && g->name[0] != '<')
		name_map(m, g->name);
	return st == PB_OK;
}

bool
pb_mapgen_log(const struct pb_mapgen_log_opts *o, const char *name,
    const struct pb_opt_common *common, struct pb_map *m)
{
	struct growth g = {.o = o, .common = common, .name = name};
	struct log_opts read = {o->scans, source_of(o->poses.from), o->body};
	struct pb_map got = {0};
	bool ok;

	if (strcmp(name, "-") == 0)
		g.name = "<stdin>";
	if (pb_mapping_init(&g.mapping, &o->mapping) != PB_OK)
		return pb_msg_usage(
		    "the constants of maps from logs do not fit");
	ok = read_log(&g.log, name, &read, common);
	ok = (ok || common->keep_going) && place(&g) && enter_all(&g) &&
	     make_map(&g, &got);
	if (ok && o->trajectory != NULL)
		ok = save_poses(&g.log, o->body, o->trajectory);
	if (ok)
		*m = got;
	else
		pb_map_clear(&got);
	clear_log(&g.log);
	pb_mapping_clear(&g.mapping);
	return ok;
}
