/* rosbridge.h - ROS messages in the JSON of rosbridge, as records and maps. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/stream/msg.h"
#include "io/rec/rec.h"
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
 * A line {"op":"publish","topic":..,"msg":{..}} as rosbridge sends it. The
 * fields of msg say what it is:
 *
 *	sensor_msgs/LaserScan                        scan
 *	nav_msgs/Odometry                            odom
 *	geometry_msgs/PoseWithCovarianceStamped,
 *	geometry_msgs/PoseStamped                    pose
 *	nav_msgs/OccupancyGrid                       map
 *
 * The last part of a pose's topic says its source: initialpose "initial", one
 * with "truth" in it "truth", any other "estimate". Times count from the first
 * stamp. Other messages are left out, which is said once.
 */
struct pb_rosbridge {
	bool begun; /* sec and nanosec are set */
	bool said;  /* that something is left out */
	int64_t sec, nanosec;
};

/* Whether the line looks like one. */
bool pb_rosbridge_is(const char *s, size_t n);

/*
 * The record of the line, if it has one. A line that only looks like a message
 * is the same as before: then *same.
 *
 * Returns  false with bad filled in for a message that lacks something
 */
bool pb_rosbridge_convert(struct pb_rosbridge *b, const char *s, size_t n,
    struct pb_rec_few *out, bool *same, struct pb_error *bad);
