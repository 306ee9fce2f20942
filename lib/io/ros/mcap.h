/* mcap.h - write MCAP files, chunked and indexed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/ros/ros_message.h"
#include "io/stream/msg.h"

struct pb_mcap_write;

/*
 * Begin a file of the profile ros2 with messages in CDR; it appears under its
 * name once complete. Chunks are not compressed, so the bytes do not depend on
 * a library.
 *
 * Returns  NULL with bad filled in; end with pb_mcap_write_free()
 */
struct pb_mcap_write *pb_mcap_write_new(const char *name, struct pb_error *bad);

/* Write a message of n bytes, logged and published at t (ns). Each topic has a
 * channel; topics of the same type share a schema. */
void pb_mcap_write_message(struct pb_mcap_write *w, enum pb_ros_topic topic,
    int64_t t, const void *p, size_t n);

/* Finish the file. False with bad filled in: it could not be written and is
 * removed. */
bool pb_mcap_write_end(struct pb_mcap_write *w, struct pb_error *bad);

/* Free w; an unfinished file is removed. */
void pb_mcap_write_free(struct pb_mcap_write *w);
