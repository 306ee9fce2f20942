/* bag_parts.h - the files of a recording that is a folder. */
#pragma once

#include <stddef.h>

#include "io/stream/error.h"

/* Paths, in their order. A zeroed struct has none. */
struct pb_bag_parts {
	char **at; /* owned */
	int n;
	size_t room;
};

/*
 * Of the folder: those its metadata.yaml names, or else all that look like one.
 *
 * Returns  0, or -1: bad is set
 */
int pb_bag_parts_find(
    struct pb_bag_parts *p, const char *folder, struct pb_error *bad);
void pb_bag_parts_clear(struct pb_bag_parts *p);
