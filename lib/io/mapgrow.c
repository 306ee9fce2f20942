/* mapgrow.c - maps grown from logs: options, and the way from log to map. */
#include "io/mapgrow.h"

#include <string.h>

#include "io/msg.h"
#include "io/rec.h"

static const char *const sources[] = {"truth", "estimate", "odom"};

/* A log on its way to a map. */
struct growth {
	const struct pb_mapgrow_opts *o;
	const struct pb_opt_common *common;
	const char *name;
	struct pb_maplog log;
	struct pb_mapping mapping;
	size_t lost; /* scans without a pose */
};

struct pb_mapgrow_opts
pb_mapgrow_defaults(void)
{
	return (struct pb_mapgrow_opts){
	    .body = "robot", .gap = 0.5, .mapping = pb_mapping_defaults()};
}

static bool
pose_of(const struct growth *g, const struct pb_maplog_scan *s,
    struct pb_pose *pose)
{
	if (g->o->poses == PB_GROW_ODOM)
		return pb_track_find(
		    &g->log.odom, s->odoms, s->t, g->o->gap, pose);
	return pb_track_find(&g->log.pose, s->poses, s->t, g->o->gap, pose);
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
		struct pb_pose p;
		enum pb_status st;

		if (!pose_of(g, s, &p)) {
			g->lost++;
			continue;
		}
		st = pb_mapping_add(&g->mapping, p, &s->sweep);
		if (st == PB_OK)
			continue;
		refuse(g, s, p, st);
		if (st == PB_ENOMEM || !g->common->keep_going)
			return false;
	}
	return true;
}

/* Whether there is something to make a map of; says what is missing. */
static bool
fit(const struct growth *g)
{
	struct pb_place at = {g->name, 0};

	if (g->log.n == 0)
		pb_msg_refuse(at, g->log.seen == 0
				      ? "expected scan records, got none"
				      : "no scan is left by --scans");
	else if (g->lost == g->log.n)
		pb_msg_refuse(at,
		    "none of %zu scans has a pose of %s (%s) within %g s",
		    g->lost, g->o->body, sources[g->o->poses], g->o->gap);
	else if (g->lost > 0)
		pb_msg_warn(at,
		    "%zu of %zu scans have no pose within %g s and are left "
		    "out",
		    g->lost, g->log.n, g->o->gap);
	return g->lost < g->log.n;
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
	struct pb_maplog_opts read = {o->scans, sources[o->poses], o->body};
	bool ok;

	if (strcmp(name, "-") == 0)
		g.name = "<stdin>";
	if (pb_mapping_init(&g.mapping, &o->mapping) != PB_OK) {
		pb_msg_usage("the constants of maps from logs do not fit");
		return false;
	}
	ok = pb_maplog_read(&g.log, name, &read, common);
	ok = (ok || common->keep_going) && enter_all(&g) && fit(&g) &&
	     make_map(&g, m);
	pb_maplog_clear(&g.log);
	pb_mapping_clear(&g.mapping);
	return ok;
}
