/* mcap.h - MCAP files, written chunked and indexed, as all readers want. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/ros/ros_message.h"
#include "io/stream/msg.h"

struct pb_mcap_write;

/*
 * Begin a file of the profile ros2 with messages in CDR, which appears under
 * its name when it is whole. Chunks are not packed, so it has the same bytes
 * everywhere.
 *
 * Returns  NULL with bad filled in; for pb_mcap_write_free()
 */
struct pb_mcap_write *pb_mcap_write_new(const char *name, struct pb_error *bad);

/*
 * A message of n bytes, logged and published at t (ns). Each topic has its
 * channel; those with the same type share a schema.
 */
void pb_mcap_write_message(struct pb_mcap_write *w, enum pb_ros_topic topic,
    int64_t t, const void *p, size_t n);

/* Finish the file. False with bad filled in: it could not be written and is
 * removed. */
bool pb_mcap_write_end(struct pb_mcap_write *w, struct pb_error *bad);

/* Before the end: nothing is left. */
void pb_mcap_write_free(struct pb_mcap_write *w);
