/* mapgrow.h - maps grown from logs: options, and the way from log to map. */
#ifndef PB_IO_MAPGROW_H
#define PB_IO_MAPGROW_H

#include <stdbool.h>

#include "io/maplog.h"
#include "io/opt.h"
#include "map/map.h"
#include "map/mapping.h"

/* Where the poses of scans come from. */
enum pb_grow_poses { PB_GROW_TRUTH, PB_GROW_ESTIMATE, PB_GROW_ODOM };

struct pb_mapgrow_opts {
	bool on;          /* --from-log */
	int poses;        /* enum pb_grow_poses */
	const char *body; /* id of the robot */
	int scans;        /* enum pb_filter_scans */
	double gap;       /* poses farther away in time mean nothing (s) */
	struct pb_mapping_opts mapping;
};

struct pb_mapgrow_opts pb_mapgrow_defaults(void);

/* Rows of a tool's option table; p: struct pb_mapgrow_opts *. */
#define PB_OPT_GROW(p)                                                        \
	{"from-log", 0, PB_OPT_FLAG, NULL,                                    \
	    "grow a map from the poses and scans of each source", &(p)->on},  \
	    {"poses", 0, PB_OPT_NAME, "name", "poses of scans in a log",      \
		&(p)->poses, .words = "truth|estimate|odom"},                 \
	    {"body", 0, PB_OPT_TEXT, "id", "whose poses and scans a log has", \
		&(p)->body},                                                  \
	    {"gap", 0, PB_OPT_NUM, "s",                                       \
		"poses farther from a scan in time mean nothing", &(p)->gap,  \
		.min = 0, .max = 1e6},                                        \
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
