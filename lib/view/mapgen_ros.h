/* mapgen_ros.h - what pb-mapgen tells users of ROS: a recording. */
#pragma once

#include <stdbool.h>

#include "io/file/mapsource.h"
#include "io/opt/opt.h"

/* A zeroed struct asks for nothing. */
struct pb_mapgen_ros_opts {
	const char *file; /* recording to write, NULL: none */
};

/* Rows of the option table; p: struct pb_mapgen_ros_opts *. */
#define PB_OPT_ROS_OUT(p)                                                     \
	{                                                                     \
		"export", 0, PB_OPT_TEXT, "file",                             \
		    "write topics of ROS 2 into an MCAP file, or file/ with " \
		    "metadata.yaml",                                          \
		    &(p)->file                                                \
	}

bool pb_mapgen_ros_asked(const struct pb_mapgen_ros_opts *o);

/* Tell all that the records of files say, or a map or maze alone. What goes
 * wrong is said. */
void pb_mapgen_ros_stream(const struct pb_mapgen_ros_opts *o,
    const struct pb_opt_common *common, char *const *files, int n);
void pb_mapgen_ros_made(
    const struct pb_mapgen_ros_opts *o, struct pb_mapsource *p);
