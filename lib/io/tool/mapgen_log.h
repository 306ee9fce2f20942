/* mapgen_log.h - maps grown from logs: options, and the way from log to map. */
#ifndef PB_IO_TOOL_MAPGEN_LOG_H
#define PB_IO_TOOL_MAPGEN_LOG_H

#include <stdbool.h>

#include "io/opt/opt.h"
#include "io/tool/maplog.h"
#include "io/tool/mapslam.h"
#include "map/map.h"
#include "map/mapping.h"

struct pb_mapgrow_opts {
	bool on;                /* --from-log */
	const char *body;       /* id of the robot */
	int scans;              /* enum pb_filter_scans */
	const char *trajectory; /* file for the poses, NULL: none */
	struct pb_mapslam_opts poses;
	struct pb_mapping_opts mapping;
};

struct pb_mapgrow_opts pb_mapgrow_defaults(void);

#define PB_GROW_POSES "truth|estimate|odom"

/* Rows of a tool's option table; p: struct pb_mapgrow_opts *. */
#define PB_OPT_GROW(p)                                                       \
	{"from-log", 0, PB_OPT_FLAG, NULL,                                   \
	    "grow a map from the poses and scans of each source", &(p)->on}, \
	    {"poses", 0, PB_OPT_NAME, PB_GROW_POSES,                         \
		"poses of scans in a log", &(p)->poses.from,                 \
		.words = PB_GROW_POSES},                                     \
	    {"body", 0, PB_OPT_ID, "id", "whose poses and scans a log has",  \
		&(p)->body},                                                 \
	    {"gap", 0, PB_OPT_NUM, "s",                                      \
		"poses farther from a scan in time mean nothing",            \
		&(p)->poses.gap, .min = 0, .max = 1e6},                      \
	    {"slam", 0, PB_OPT_FLAG, NULL,                                   \
		"find the poses from odometry and scans alone",              \
		&(p)->poses.on},                                             \
	    {"align", 0, PB_OPT_FLAG, NULL,                                  \
		"lay what --slam finds on the poses of the log",             \
		&(p)->poses.align},                                          \
	    {"trajectory", 0, PB_OPT_TEXT, "file",                           \
		"write the poses of scans as records", &(p)->trajectory},    \
	    PB_OPT_SCANS(&(p)->scans)

/*
 * Grow a map from the log of that name. What is refused is said.
 *
 * Given    name  operand of the command line
 * Returns  true and a map for pb_map_clear; false and m untouched
 */
bool pb_mapgrow(const struct pb_mapgrow_opts *o, const char *name,
    const struct pb_opt_common *common, struct pb_map *m);

#endif
