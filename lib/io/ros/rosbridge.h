/* rosbridge.h - clients of a rosbridge server: read a robot, or publish a
 * game. */
#pragma once

#include <stdbool.h>

#include "io/opt/opt.h"
#include "io/ros/ros_message.h"

/*
 * A client that asks for the server's topics and subscribes to those that are
 * used. A zeroed struct is none. Its messages are lines of the input whose name
 * is the URL.
 */
struct pb_rosbridge_in_opts {
	const char *url;  /* NULL: no client */
	double patience;  /* give up after this long without the server (s) */
	double end_after; /* end of the input, INFINITY: never (s) */
	bool maps;        /* whether to request a map */
	const struct pb_opt_list *topic; /* topics to be preferred */
};

struct pb_rosbridge_in;

/* Returns NULL, with a message: the client cannot be started. */
struct pb_rosbridge_in *pb_rosbridge_in_open(
    const struct pb_rosbridge_in_opts *o);
void pb_rosbridge_in_close(struct pb_rosbridge_in *r);

struct pb_rosbridge_out;

/*
 * Connect. A lost connection is made again; messages sent meanwhile are lost,
 * except those of latched topics.
 *
 * Given    url  checked; outlives this
 *
 * Returns  NULL, with a message (status 3): the server cannot be reached for 10
 *          s
 */
struct pb_rosbridge_out *pb_rosbridge_out_open(const char *url);

/* Send m, which does not change; a topic is advertised before its first
 * message. */
void pb_rosbridge_out_send(struct pb_rosbridge_out *r, enum pb_ros_topic which,
    struct pb_ros_message *m);

/* Handle the connection for s seconds; false, with a message: given up. A
 * signal ends it early. */
bool pb_rosbridge_out_serve(struct pb_rosbridge_out *r, double s);

/* Send queued data, for at most a second, and disconnect. */
void pb_rosbridge_out_close(struct pb_rosbridge_out *r);
