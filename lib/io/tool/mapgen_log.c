/* mapgen_log.c - maps grown from logs: options, and the way from log to map. */
#include "io/tool/mapgen_log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/log/stamps.h"
#include "io/rec/type.h"
#include "io/stream/msg.h"

/* A log on its way to a map. */
struct growth {
	const struct pb_mapgrow_opts *o;
	const struct pb_opt_common *common;
	const char *name;
	struct pb_maplog log;
	struct pb_mapping mapping;
};

struct pb_mapgrow_opts
pb_mapgrow_defaults(void)
{
	return (struct pb_mapgrow_opts){.body = "robot",
	    .poses = {.gap = 0.5, .slam = pb_slam_defaults()},
	    .mapping = pb_mapping_defaults()};
}

/* Say why scan s could not be entered. */
static void
refuse(const struct growth *g, const struct pb_maplog_scan *s, struct pb_pose p,
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
		const struct pb_maplog_scan *s = &g->log.scan[i];
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
without_pose(const struct pb_maplog *log)
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
	const struct pb_mapslam_opts *o = &g->o->poses;
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
		pb_mapslam_place(&g->log, o);
	else if (!pb_mapslam_find(&g->log, o, g->name))
		return false;
	lost = without_pose(&g->log);
	if (lost == g->log.n)
		pb_msg_refuse(at,
		    "none of %zu scans has a pose of %s (%s) within %g s", lost,
		    g->o->body, pb_mapslam_source(o->from), o->gap);
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
pb_mapgrow(const struct pb_mapgrow_opts *o, const char *name,
    const struct pb_opt_common *common, struct pb_map *m)
{
	struct growth g = {.o = o, .common = common, .name = name};
	struct pb_maplog_opts read = {
	    o->scans, pb_mapslam_source(o->poses.from), o->body};
	struct pb_map got = {0};
	bool ok;

	if (strcmp(name, "-") == 0)
		g.name = "<stdin>";
	if (pb_mapping_init(&g.mapping, &o->mapping) != PB_OK) {
		pb_msg_usage("the constants of maps from logs do not fit");
		return false;
	}
	ok = pb_maplog_read(&g.log, name, &read, common);
	ok = (ok || common->keep_going) && place(&g) && enter_all(&g) &&
	     make_map(&g, &got);
	if (ok && o->trajectory != NULL)
		ok = pb_mapslam_save(&g.log, o->body, o->trajectory);
	if (ok)
		*m = got;
	else
		pb_map_clear(&got);
	pb_maplog_clear(&g.log);
	pb_mapping_clear(&g.mapping);
	return ok;
}
