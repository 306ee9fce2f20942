/* rosbridge.h - clients of a rosbridge server: one reads a robot, one publishes
 * a game. */
#pragma once

#include <stdbool.h>

#include "io/opt/opt.h"
#include "io/ros/ros_message.h"

/*
 * A client that asks which topics there are and subscribes to those that are
 * read. A zeroed struct is none. Its messages come as lines of the input
 * whose name is the URL.
 */
struct pb_rosbridge_in_opts {
	const char *url;  /* NULL: no client */
	double patience;  /* how long the server may be away (s) */
	double end_after; /* the input ends then, INFINITY: never (s) */
	bool maps;        /* a map is asked for */
	const struct pb_opt_list *topic; /* to be taken before others */
};

struct pb_rosbridge_in;

/* Returns  NULL if the client cannot be had, with a message */
struct pb_rosbridge_in *pb_rosbridge_in_open(
    const struct pb_rosbridge_in_opts *o);
void pb_rosbridge_in_close(struct pb_rosbridge_in *r);

struct pb_rosbridge_out;

/*
 * Connect. A lost connection is made again; messages sent meanwhile are lost,
 * except those of latched topics.
 *
 * Given    url  checked; outlives this
 * Returns  NULL if the server is not to be reached for ten seconds, which was
 *          said (status 3)
 */
struct pb_rosbridge_out *pb_rosbridge_out_open(const char *url);

/* Send m, which stays as it is: each topic is advertised before its first. */
void pb_rosbridge_out_send(struct pb_rosbridge_out *r, enum pb_ros_topic which,
    struct pb_ros_message *m);

/* Keep up the connection for this long (s); false: it is lost for good, which
 * was said. A signal ends it early. */
bool pb_rosbridge_out_serve(struct pb_rosbridge_out *r, double s);

/* Wait until data under way has been sent, at most a second, and disconnect. */
void pb_rosbridge_out_close(struct pb_rosbridge_out *r);
