/* maplog.c - poses, odometry and scans of a stream, gathered in memory. */
#include "io/tool/maplog.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec.h"

/* A log that is being read. */
struct reading {
	struct pb_maplog *g;
	const struct pb_maplog_opts *o;
};

static bool
no_room(void)
{
	errno = ENOMEM;
	pb_msg_system("cannot keep the log");
	return false;
}

static bool
add_pose(struct pb_track *k, double t, double x, double y, double theta)
{
	struct pb_pose p = {x, y, theta};

	return pb_track_add(k, t, p) == PB_OK || no_room();
}

/* Make room for one more scan. */
static bool
reserve(struct pb_maplog *g)
{
	size_t room = g->room > 0 ? 2 * g->room : 256;
	struct pb_maplog_scan *scan;

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
	struct pb_maplog *g = r->g;
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
	g->scan[g->n++] = (struct pb_maplog_scan){.line = line,
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
take(struct pb_filter *f, struct pb_rec *r, struct pb_bad *bad)
{
	struct reading *to = f->user;
	struct pb_maplog *g = to->g;
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

bool
pb_maplog_read(struct pb_maplog *g, const char *name,
    const struct pb_maplog_opts *o, const struct pb_opt_common *common)
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

	*g = (struct pb_maplog){.n = 0};
	ok = pb_filter_run(&f, files, 1);
	g->seen = f.scan;
	pb_filter_clear(&f);
	return ok;
}

void
pb_maplog_clear(struct pb_maplog *g)
{
	for (size_t i = 0; i < g->n; i++)
		free((double *)g->scan[i].scan.range);
	free(g->scan);
	pb_track_clear(&g->pose);
	pb_track_clear(&g->odom);
	*g = (struct pb_maplog){.n = 0};
}
