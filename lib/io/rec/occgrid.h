/* occgrid.h - a nav_msgs/OccupancyGrid as rosbridge writes it. */
#ifndef PB_IO_REC_OCCGRID_H
#define PB_IO_REC_OCCGRID_H

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"
#include "pb/map.h"

/* Whether the bytes look like one: an object with info and without a type. */
bool pb_occgrid_is(const char *s, size_t n);

/*
 * Read the message {"info":{...},"data":[...]}, bare or as the "msg" of a
 * rosbridge envelope.
 *
 * Given    s, n  one JSON object; s[n] must be readable
 * Returns  true and a map for pb_map_clear, its yaw that of the orientation;
 *          false with bad filled in and m untouched
 */
bool pb_occgrid_read(
    const char *s, size_t n, struct pb_map *m, struct pb_error *bad);

#endif
