/* mapgen_log.h - maps grown from the poses and scans of a log. */
#pragma once

#include <stdbool.h>

#include "io/file/filter.h"
#include "io/opt/opt.h"
#include "io/ros/ros_records.h"
#include "localize/slam.h"
#include "map/mapping.h"
#include "pb/map.h"

/* Where the poses of scans come from. */
enum pb_mapgen_poses_from { PB_FROM_TRUTH, PB_FROM_ESTIMATE, PB_FROM_ODOM };

struct pb_mapgen_log_opts {
	bool on;                /* --from-log */
	const char *body;       /* id of the robot */
	int scans;              /* enum pb_filter_scans */
	const char *trajectory; /* file for the poses, NULL: none */
	int from;               /* of poses: enum pb_mapgen_poses_from */
	bool has_from;          /* else estimates, where nothing is true */
	double gap; /* poses farther away in time mean nothing (s) */
	bool finds; /* --slam: find the poses */
	bool align; /* then lay them on those of the log */
	bool force; /* write a map that does not hang together */
	struct pb_ros_opts ros;
	struct pb_slam_opts slam;
	struct pb_mapping_opts mapping;
};

extern const struct pb_params pb_mapgen_log_params;

struct pb_mapgen_log_opts pb_mapgen_log_defaults(void);

#define PB_GROW_POSES "truth|estimate|odom"

/* Rows of a tool's option table; p: struct pb_mapgen_log_opts *. */
#define PB_OPT_GROW(p)                                                         \
	{"from-log", 0, PB_OPT_FLAG, NULL,                                     \
	    "grow a map from the poses and scans of each source", &(p)->on},   \
	    {"poses", 0, PB_OPT_NAME, PB_GROW_POSES,                           \
		"poses of scans in a log", &(p)->from, .words = PB_GROW_POSES, \
		.seen = &(p)->has_from},                                       \
	    {"body", 0, PB_OPT_ID, "id", "whose poses and scans a log has",    \
		&(p)->body},                                                   \
	    {"slam", 0, PB_OPT_FLAG, NULL,                                     \
		"find the poses from odometry and scans alone", &(p)->finds},  \
	    {"align", 0, PB_OPT_FLAG, NULL,                                    \
		"lay what --slam finds on the poses of the log", &(p)->align}, \
	    {"force", 0, PB_OPT_FLAG, NULL,                                    \
		"write what does not hang together, too", &(p)->force},        \
	    {"trajectory", 0, PB_OPT_TEXT, "file",                             \
		"write the poses of scans as records", &(p)->trajectory},      \
	    PB_OPT_ROS(&(p)->ros, .modes = 0), PB_OPT_SCANS(&(p)->scans)

/* The way that --slam found, and where it is to be doubted; zeroed: none. */
struct pb_mapgen_way {
	struct pb_pose *pose; /* of each scan, owned */
	size_t n;
	struct pb_slam_mark *mark; /* owned */
	size_t marks;
};

void pb_mapgen_way_clear(struct pb_mapgen_way *w);

/*
 * Grow a map from the log of that name. What is refused is said.
 *
 * Given    name  operand of the command line
 * Returns  true, a map for pb_map_clear and a way to be cleared; false and
 *          neither touched
 */
bool pb_mapgen_log(const struct pb_mapgen_log_opts *o, const char *name,
    const struct pb_opt_common *common, struct pb_map *m,
    struct pb_mapgen_way *way);
