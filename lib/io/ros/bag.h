/* bag.h - read recordings of ROS topics, message by message, and write MCAP. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "io/ros/ros_message.h"
#include "io/stream/file.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"

/*
 * A recording: MCAP, a SQLite file of rosbag2 or a bag of ROS 1, detected by
 * its first bytes; or a folder of rosbag2, whose *.mcap and *.db3 are read as
 * one stream in the order of their names and numbers.
 */
struct pb_bag;

/* Bytes at the start of a file that identify its type. */
#define PB_BAG_HEAD ((size_t)16)

/* Whether a file with that head is a recording, or compressed by zstd. */
static inline bool
pb_bag_is(const void *head, size_t n)
{
	return PB_FILES(pb_filekind_of(head, n)) & PB_FILES_RECORDINGS;
}

/* Whether the name is a folder that may hold a recording. */
static inline bool
pb_bag_is_folder(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && S_ISDIR(st.st_mode);
}

/*
 * Open a folder, or a file whose source s is open and has given n bytes of
 * head. SQLite reads files by name: data from a pipe, or compressed data, is
 * copied to a temporary file. The caller keeps the source.
 *
 * Returns  a recording for pb_bag_close(); NULL with bad filled in
 */
struct pb_bag *pb_bag_open(const char *name, struct pb_source *s,
    const char *head, size_t n, struct pb_error *bad);
void pb_bag_close(struct pb_bag *b);

/*
 * Read the next message: of SQLite in the order of times, of others in the
 * recorded order, in which times of different topics may go back a little.
 * Memory holds little more than the longest message. Errors behind the last
 * complete message are reported at the end, a wrong CRC of a chunk behind its
 * messages; if the file is cut off, bad is PB_ERROR_CUT.
 */
enum pb_next pb_bag_next(
    struct pb_bag *b, struct pb_bag_message *m, struct pb_error *bad);

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
