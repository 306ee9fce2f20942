/* mapgen.h - pb-mapgen: change, check, describe and write maps; make maps from
 * the poses and scans of a log. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "io/file/filter.h"
#include "io/file/mapsource.h"
#include "localize/slam.h"
#include "map/change.h"
#include "map/mapping.h"

enum pb_mapgen_as { PB_AS_AUTO, PB_AS_MAP, PB_AS_MAZE };

/* What to do. A zeroed struct writes records unchanged. */
struct pb_mapgen_opts {
	struct pb_mapsource_opts made;
	const char *name;         /* new name of the map, NULL: keep it */
	struct pb_opt_list merge; /* maps to add before the change */
	struct pb_change change;
	bool check;         /* check the rules of grids */
	bool validate;      /* check that there is a free cell */
	bool tell;          /* print key: value lines to stdout */
	const char *output; /* file to write, NULL if none */
	int as;             /* record to write: enum pb_mapgen_as */
};

/* These functions print errors, which set the exit status, and then return
 * false. name: the source's. */

/* Print the problems found by pb_lint() to stdout: `file:line: code: text`. */
bool pb_mapgen_lint(const char *name);

/* Apply name, resolution, origin, merge and change to p. A maze becomes a map
 * if its geometry changes. */
bool pb_mapgen_change(
    const struct pb_mapgen_opts *o, const char *name, struct pb_mapsource *p);

/* Whether o requests anything but records. */
bool pb_mapgen_given(const struct pb_mapgen_opts *o);

/* Check, describe or write the changed p; by default as a record to out. */
bool pb_mapgen_do(const struct pb_mapgen_opts *o, const char *name,
    struct pb_mapsource *p, struct pb_text *out);

/*
 * Read the stream of an operand to its end and handle each map and maze in it;
 * only the first is written to a file. If o requests records, the others are
 * passed on. Refusals are printed.
 */
void pb_mapgen_stream(const struct pb_mapgen_opts *o, char *operand,
    const struct pb_opt_common *common);

struct pb_mapgen_log_opts {
	bool on;                /* --from-log */
	const char *body;       /* id of the robot */
	int scans;              /* enum pb_filter_scans */
	const char *trajectory; /* file for the poses, NULL: none */
	int from;               /* which poses of scans: enum pb_pose_kind */
	bool has_from;          /* else estimates if none are true */
	double gap; /* greatest distance in time between scan and pose (s) */
	bool finds; /* --slam: find the poses by SLAM */
	bool align; /* then align them with the log's poses */
	bool force; /* write the map even if SLAM refuses it */
	bool drawn; /* the map is drawn, not written: even a refused one */
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
	    "make a map from the poses and scans of each source", &(p)->on},   \
	    {"poses", 0, PB_OPT_NAME, PB_GROW_POSES,                           \
		"poses of scans in a log", &(p)->from, .words = PB_GROW_POSES, \
		.seen = &(p)->has_from},                                       \
	    {"body", 0, PB_OPT_ID, "id", "whose poses and scans a log has",    \
		&(p)->body},                                                   \
	    {"slam", 0, PB_OPT_FLAG, NULL,                                     \
		"make a map from odometry and scans alone (SLAM)",             \
		&(p)->finds},                                                  \
	    {"align", 0, PB_OPT_FLAG, NULL,                                    \
		"lay what --slam finds on the poses of the log", &(p)->align}, \
	    {"force", 0, PB_OPT_FLAG, NULL,                                    \
		"write what does not hang together, too", &(p)->force},        \
	    {"trajectory", 0, PB_OPT_TEXT, "file",                             \
		"write the poses of scans as records", &(p)->trajectory},      \
	    PB_OPT_ROS(&(p)->ros, .modes = 0), PB_OPT_SCANS(&(p)->scans)

/* The poses that --slam found, and marks where they are doubtful; zeroed:
 * none. */
struct pb_mapgen_way {
	struct pb_pose *pose; /* of each scan, owned */
	size_t n;
	struct pb_slam_mark *mark; /* owned */
	size_t marks;
};

void pb_mapgen_way_clear(struct pb_mapgen_way *w);

/*
 * Make a map from the log of that name. Refusals are printed.
 *
 * Given    name  operand of the command line
 *
 * Returns  true, with a map for pb_map_clear() and a way for
 *          pb_mapgen_way_clear(); false: neither was touched
 */
bool pb_mapgen_log(const struct pb_mapgen_log_opts *o, const char *name,
    const struct pb_opt_common *common, struct pb_map *m,
    struct pb_mapgen_way *way);
