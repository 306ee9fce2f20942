/* bag.h - recordings of ROS topics, message by message. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "io/ros/ros_message.h"
#include "io/stream/filekind.h"
#include "io/stream/line.h"

/*
 * MCAP, rosbag2's SQLite files and bags of ROS 1, known by their first bytes; a
 * folder is a recording of rosbag2 in parts: all *.mcap and *.db3 in it, in the
 * order of their names and numbers. Parts are one stream.
 */
struct pb_bag;

/* Bytes at the start of a file that identify its type. */
#define PB_BAG_HEAD ((size_t)16)

/* Whether a file that begins so is one, or packed by zstd. */
static inline bool
pb_bag_is(const void *head, size_t n)
{
	return PB_FILES(pb_filekind_of(head, n)) & PB_FILES_RECORDINGS;
}

/* Whether the name is a folder that may be one. */
static inline bool
pb_bag_is_folder(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && S_ISDIR(st.st_mode);
}

/*
 * Begin with a folder, or with a file whose source is open and gave n bytes of
 * head already. SQLite reads by name: what comes through a pipe or is packed
 * goes into a temporary file. The source stays the caller's.
 *
 * Returns  NULL: bad says why; for pb_bag_close()
 */
struct pb_bag *pb_bag_open(const char *name, struct pb_source *s,
    const char *head, size_t n, struct pb_error *bad);
void pb_bag_close(struct pb_bag *b);

/*
 * The next message: of SQLite in the order of times; of the others as they were
 * recorded, in which times may go back a little, from one topic to another.
 * Memory does not grow with the recording, but for its longest message. Errors
 * after the last whole message are reported at the end, a chunk's wrong CRC
 * after its messages; of a file that is cut off, bad is PB_ERROR_CUT.
 */
enum pb_next pb_bag_next(
    struct pb_bag *b, struct pb_bag_message *m, struct pb_error *bad);
