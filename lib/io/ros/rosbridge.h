/* rosbridge.h - ROS messages in the JSON of rosbridge, and maps of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/ros/ros_records.h"
#include "io/stream/line.h"
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

/*
 * Lines {"op":"publish","topic":..,"msg":{..}} as rosbridge sends them, and
 * "fragment", a part of such a line. The fields of msg say what it is; other
 * messages are left out, which is said once, and what the server says of
 * itself ("status") is said.
 */
struct pb_rosbridge {
	struct pb_ros_records *records; /* where messages go; not owned */
	struct pb_text whole;           /* parts so far, owned */
	long parts;
	bool said; /* that something is left out */
};

/* The longest message, all parts together (bytes): a map of 5000 x 5000. */
#define PB_ROSBRIDGE_MOST ((size_t)1 << 26)

void pb_rosbridge_clear(struct pb_rosbridge *b);

/* Whether the line looks like one. */
bool pb_rosbridge_is(const char *s, size_t n);

/*
 * Take the message of a line. A line that only looks like a message is the
 * same as before: then *same.
 *
 * Returns  false with bad filled in for a message that lacks something
 */
bool pb_rosbridge_take(struct pb_rosbridge *b, const char *s, size_t n,
    long line, bool *same, struct pb_error *bad);
