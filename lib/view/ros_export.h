/* ros_export.h - records of a game as messages on the topics of ROS, in a file
 * and live. */
#pragma once

#include <stdbool.h>

#include "io/file/mapsource.h"
#include "io/opt/opt.h"

/* A zeroed struct asks for nothing. */
struct pb_ros_export_opts {
	const char *file;        /* recording to write, NULL: none */
	const char *publish;     /* URL of a rosbridge server, NULL: none */
	struct pb_opt_list only; /* tell these, none: all */
};

/* Rows of the option table; p: struct pb_ros_export_opts *. */
#define PB_OPT_ROS_OUT(p)                                                 \
	{"export", 0, PB_OPT_TEXT, "file",                                \
	    "write topics of ROS 2 into an MCAP file", &(p)->file},       \
	    {"only", 0, PB_OPT_LIST, "name",                              \
		"tell no topics but this; again for more", &(p)->only},   \
	{                                                                 \
		"publish", 0, PB_OPT_TEXT, "url",                         \
		    "publish them by a rosbridge server, ws://host:9090", \
		    &(p)->publish                                         \
	}

bool pb_ros_export_asked(const struct pb_ros_export_opts *o);

/* Whether messages go out as time passes. */
bool pb_ros_export_live(const struct pb_ros_export_opts *o);

/* Whether addresses are some; if not, status 2 and why was said. */
bool pb_ros_export_check(const struct pb_ros_export_opts *o);

/*
 * Tell all that the records of files say, or a map or maze alone; live, at
 * `speed` times real time, 0: as they come. What goes wrong is said.
 */
void pb_ros_export_stream(const struct pb_ros_export_opts *o, double speed,
    const struct pb_opt_common *common, char *const *files, int n);
void pb_ros_export_made(
    const struct pb_ros_export_opts *o, struct pb_mapsource *p);
