/* mcap_write.h - MCAP files, chunked and indexed, as all their readers want. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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
