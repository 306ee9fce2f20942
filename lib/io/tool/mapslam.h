/* mapslam.h - the poses of a log's scans: as it tells them, or found. */
#ifndef PB_IO_TOOL_MAPSLAM_H
#define PB_IO_TOOL_MAPSLAM_H

#include <stdbool.h>

#include "io/tool/maplog.h"
#include "localize/slam.h"

/* Where the poses of scans come from. */
enum pb_mapslam_from { PB_FROM_TRUTH, PB_FROM_ESTIMATE, PB_FROM_ODOM };

/* The source of pose records for each of these. */
const char *pb_mapslam_source(int from);

struct pb_mapslam_opts {
	bool on;    /* find the poses */
	bool align; /* then lay them on those of the log */
	int from;   /* enum pb_mapslam_from */
	double gap; /* poses farther away in time mean nothing (s) */
	struct pb_slam_opts slam;
};

/*
 * Give each scan the pose that the log has for its time; some may stay
 * without.
 */
void pb_mapslam_place(struct pb_maplog *g, const struct pb_mapslam_opts *o);

/*
 * Give each scan the pose that fits best, from odometry and scans alone; how
 * that went is noted, with its error if the log has poses. Scans without
 * odometry stay without a pose if others have some.
 *
 * Given    name  of the log, for complaints
 * Returns  false if it failed, which was said
 */
bool pb_mapslam_find(
    struct pb_maplog *g, const struct pb_mapslam_opts *o, const char *name);

/*
 * Write the poses as records of that body, source "estimate".
 *
 * Returns  false if it failed, which was said
 */
bool pb_mapslam_save(
    const struct pb_maplog *g, const char *body, const char *path);

#endif
