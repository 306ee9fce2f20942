/* mapstream.h - the maps and mazes of a stream, changed, checked or written. */
#ifndef PB_IO_TOOL_MAPSTREAM_H
#define PB_IO_TOOL_MAPSTREAM_H

#include "io/opt/opt.h"
#include "io/tool/mapgen.h"

/*
 * Read the stream of an operand to its end and do what o asks for with each
 * map and maze in it; into a file, with the first. If o asks for records, the
 * others are passed on. What is refused is said.
 */
void pb_mapstream(const struct pb_mapverb_opts *o, char *operand,
    const struct pb_opt_common *common);

#endif
