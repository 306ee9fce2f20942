/* bag_formats.h - the formats of recordings that bag.c knows. */
#pragma once

#include "io/ros/bag_message.h"
#include "io/ros/bytes.h"

struct pb_bag_format {
	/*
	 * Begin; path is NULL if only the bytes can be read. NULL: bad says
	 * why, or has no text if that was said.
	 */
	void *(*open)(
	    const char *path, struct pb_bytes *file, struct pb_error *bad);
	/* As pb_bag_next(); file stays unset. */
	enum pb_bag_got (*next)(
	    void *reader, struct pb_bag_message *m, struct pb_error *bad);
	void (*close)(void *reader);
};

extern const struct pb_bag_format pb_bag_mcap;
extern const struct pb_bag_format pb_bag_ros1;
extern const struct pb_bag_format pb_bag_db3;
