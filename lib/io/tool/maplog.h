/* maplog.h - poses, odometry and scans of a stream, gathered in memory. */
#ifndef PB_IO_TOOL_MAPLOG_H
#define PB_IO_TOOL_MAPLOG_H

#include <stdbool.h>
#include <stddef.h>

#include "io/opt/opt.h"
#include "io/stream/filter.h"
#include "map/scan.h"
#include "map/track.h"

/* Which records count. */
struct pb_maplog_opts {
	int scans;          /* enum pb_filter_scans */
	const char *source; /* of poses; those without one count, too */
	const char *body;   /* id; records without one count, too */
};

struct pb_maplog_scan {
	long line;           /* of the log */
	double t;            /* NAN if none (s) */
	size_t poses, odoms; /* that came before it */
	struct pb_scan scan; /* its ranges are owned by the log */
	bool placed;         /* the pose is known (mapslam.h) */
	struct pb_pose pose;
};

/* A zeroed log is empty. */
struct pb_maplog {
	struct pb_track pose, odom;
	struct pb_maplog_scan *scan; /* n of them, owned */
	size_t n, room;
	long seen;    /* scans in the stream, those that do not count, too */
	bool untimed; /* stamps tell no time: the pose told last is meant */
};

/*
 * Read a stream of records to its end. What is refused is said.
 *
 * Given    name  operand of the command line
 * Returns  true and a log for pb_maplog_clear; false if reading ended early:
 *          the log, to be cleared as well, is what came before
 */
bool pb_maplog_read(struct pb_maplog *g, const char *name,
    const struct pb_maplog_opts *o, const struct pb_opt_common *common);

void pb_maplog_clear(struct pb_maplog *g);

#endif
