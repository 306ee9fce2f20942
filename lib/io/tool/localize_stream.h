/* localize_stream.h - where a robot is, told in a stream of records. */
#ifndef PB_IO_TOOL_LOCALIZE_STREAM_H
#define PB_IO_TOOL_LOCALIZE_STREAM_H

#include <stdbool.h>

#include "io/opt/opt.h"
#include "io/tool/localize.h"

struct pb_localize_stream_opts {
	struct pb_localize_opts loc;
	const char *map; /* file of the map or maze, NULL: in the stream */
	int scans;       /* enum pb_filter_scans: those that count */
	bool wait;       /* no method: hold the stream until a pose comes */
	bool convert;    /* no method: only read and write */
	const char *tum; /* file for the poses as well, NULL: none */
};

/*
 * Read the streams named by operands to their ends and pass them on to stdout,
 * with the poses of the robot in place of earlier estimates. What is refused
 * is said. The file of o->tum appears whole, or not at all.
 */
void pb_localize_stream(const struct pb_localize_stream_opts *o,
    const struct pb_opt_common *common, char **files, int n);

#endif
