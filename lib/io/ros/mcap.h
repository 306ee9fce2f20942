/* mcap.h - MCAP files, written chunked and indexed, as all readers want. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "io/ros/ros_message.h"
#include "io/stream/msg.h"

/* Text is kept by the caller until the end. */
struct pb_mcap_channel {
	const char *topic;
	const char *qos;    /* offered_qos_profiles, "" */
	const char *type;   /* "sensor_msgs/msg/LaserScan" */
	const char *schema; /* its definition, as ros2msg has it */
};

struct pb_mcap_write;

/*
 * Begin a file of the profile ros2 with messages in CDR. Chunks are not packed,
 * so it has the same bytes everywhere.
 *
 * Returns  NULL without memory; for pb_mcap_write_free()
 */
struct pb_mcap_write *pb_mcap_write_new(FILE *out);

/*
 * Add a channel; those with the same type share a schema.
 *
 * Returns  its number, or -1 without memory; at most 65,535
 */
int pb_mcap_write_channel(
    struct pb_mcap_write *w, const struct pb_mcap_channel *c);

/* A message, logged and published at t (ns). */
void pb_mcap_write_message(
    struct pb_mcap_write *w, int channel, int64_t t, const void *p, size_t n);

/*
 * Write the end, to be flushed by the caller.
 *
 * Returns  false if memory ran out or out failed at any time
 */
bool pb_mcap_write_end(struct pb_mcap_write *w);

void pb_mcap_write_free(struct pb_mcap_write *w);

struct pb_bag_write;

/*
 * Begin an MCAP file, which appears under that name when it is whole.
 *
 * Returns  NULL with bad filled in; for pb_bag_write_free()
 */
struct pb_bag_write *pb_bag_write_new(const char *name, struct pb_error *bad);

/* Where its messages go. */
struct pb_ros_sink pb_bag_write_sink(struct pb_bag_write *w);

/* It is whole. False with bad filled in: it is not, and leaves nothing. */
bool pb_bag_write_end(struct pb_bag_write *w, struct pb_error *bad);

/* Before the end: nothing is left. */
void pb_bag_write_free(struct pb_bag_write *w);
