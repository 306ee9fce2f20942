/* rosbridge_subscribe.h - what a robot's ROS tells by a rosbridge server. */
#pragma once

#include <stdbool.h>

#include "io/opt/opt.h"

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

/* Returns  NULL if there is no memory, which was said */
struct pb_rosbridge_in *pb_rosbridge_in_open(
    const struct pb_rosbridge_in_opts *o);
void pb_rosbridge_in_close(struct pb_rosbridge_in *r);
