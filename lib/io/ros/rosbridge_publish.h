/* rosbridge_publish.h - topics to the ROS of others, by a rosbridge server. */
#pragma once

#include "io/ros/ros_topics.h"

struct pb_rosbridge_out;

/*
 * Connect; a connection that is lost is made again, and what is sent meanwhile
 * is lost, but for latched topics.
 *
 * Given    url  checked; outlives this
 * Returns  NULL if the server is not to be reached for ten seconds, which was
 *          said (status 3)
 */
struct pb_rosbridge_out *pb_rosbridge_out_open(const char *url);

/* Where its messages go: each topic is advertised before its first. */
struct pb_ros_sink pb_rosbridge_out_sink(struct pb_rosbridge_out *r);

/* Keep up the connection for so long (s); false: it is lost for good, which
 * was said. A signal ends it early. */
bool pb_rosbridge_out_serve(struct pb_rosbridge_out *r, double s);

/* Wait until what is under way has left, at most a second, and disconnect. */
void pb_rosbridge_out_close(struct pb_rosbridge_out *r);
