/* mapgen.h - what pb-mapgen does with a map: change, check, describe, write;
 * maps made from the poses and scans of a log. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "io/file/filter.h"
#include "io/file/mapsource.h"
#include "localize/slam.h"
#include "map/change.h"
#include "map/mapping.h"

enum pb_mapgen_as { PB_AS_AUTO, PB_AS_MAP, PB_AS_MAZE };

/* What is to be done. A zeroed struct writes records as they are. */
struct pb_mapgen_opts {
	struct pb_mapsource_opts made;
	const char *name;         /* of the map, NULL: its own */
	struct pb_opt_list merge; /* files of maps to add, before the change */
	struct pb_change change;
	bool check;         /* the grid rules */
	bool validate;      /* whether there is room to play */
	bool tell;          /* key: value lines on stdout */
	const char *output; /* file to write, NULL if none */
	int as;             /* enum pb_mapgen_as: the record to write */
};

/* These print on stderr what is wrong, which sets the exit status, and return
 * false then. name is the source's. */

/* Print the findings of pb_lint on stdout: `file:line: code: text`. */
bool pb_mapgen_lint(const char *name);

/*
 * Apply name, resolution, origin, merge and change to p. What is changed in
 * space is a map from then on.
 */
bool pb_mapgen_change(
    const struct pb_mapgen_opts *o, const char *name, struct pb_mapsource *p);

/* Whether o asks for anything but records. */
bool pb_mapgen_given(const struct pb_mapgen_opts *o);

/* Check, describe or write the changed p; by default as a record to out. */
bool pb_mapgen_do(const struct pb_mapgen_opts *o, const char *name,
    struct pb_mapsource *p, struct pb_text *out);

/*
 * Read the stream of an operand to its end and do what o asks for with each
 * map and maze in it; into a file, with the first. If o asks for records, the
 * others are passed on. Refusals are printed.
 */
void pb_mapgen_stream(const struct pb_mapgen_opts *o, char *operand,
    const struct pb_opt_common *common);

struct pb_mapgen_log_opts {
	bool on;                /* --from-log */
	const char *body;       /* id of the robot */
	int scans;              /* enum pb_filter_scans */
	const char *trajectory; /* file for the poses, NULL: none */
	int from;               /* poses of scans: enum pb_pose_kind */
	bool has_from;          /* else estimates, where nothing is true */
	double gap; /* poses farther away in time mean nothing (s) */
	bool finds; /* --slam: find the poses */
	bool align; /* then lay them on those of the log */
	bool force; /* write a map that does not hang together */
	bool drawn; /* the map is not written but drawn: refused ones, too */
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
		"the same; find the poses from odometry and scans alone",      \
		&(p)->finds},                                                  \
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
 * Grow a map from the log of that name. Refusals are printed.
 *
 * Given    name  operand of the command line
 * Returns  true, a map for pb_map_clear and a way to be cleared; false and
 *          neither touched
 */
bool pb_mapgen_log(const struct pb_mapgen_log_opts *o, const char *name,
    const struct pb_opt_common *common, struct pb_map *m,
    struct pb_mapgen_way *way);
