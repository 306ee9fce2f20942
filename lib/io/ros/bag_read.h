/* bag_read.h - read bytes, topics and records of recordings of any format. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/ros/ros_message.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"

enum pb_pack {
	PB_PACK_NONE,
	PB_PACK_LZ4, /* frames of lz4frame.h */
	PB_PACK_ZSTD,
	PB_PACK_BZ2
};

struct pb_unpack;

/*
 * Most bytes held at once: the largest map, 20,000 x 20,000 cells, is one
 * message. The buffer grows only as bytes arrive, whatever size a file states.
 */
#define PB_BYTES_MOST ((size_t)1 << 29)

/* The unpacked size is unknown. */
#define PB_BYTES_ANY UINT64_MAX

/* Input bytes: of a source, of memory, or decompressed from `left` bytes of
 * another input. A zeroed struct has none. */
struct pb_bytes {
	struct pb_source *source;
	struct pb_bytes *from;
	struct pb_unpack *unpack;
	enum pb_pack pack;
	uint64_t left; /* compressed bytes still to read */
	uint64_t size; /* stated unpacked size */
	bool whole;    /* input may end here: nothing is incomplete */

	unsigned char *buf; /* owned if room > 0 */
	size_t at, n, room; /* buffered bytes: buf[at..n) */
	uint64_t offset;    /* of buf[at] */
	bool sum;           /* compute the CRC of the bytes skipped */
	uint32_t crc;
};

/* Read from a source that has already given n bytes of head. */
void pb_bytes_source(
    struct pb_bytes *b, struct pb_source *s, const void *head, size_t n);

/* Read from memory, owned by the caller. */
void pb_bytes_memory(struct pb_bytes *b, const void *p, size_t n);

/* Decompress the next n bytes of `from`, to size bytes or PB_BYTES_ANY; the
 * caller keeps `from`. */
void pb_bytes_unpack(struct pb_bytes *b, struct pb_bytes *from,
    enum pb_pack pack, uint64_t n, uint64_t size);

void pb_bytes_close(struct pb_bytes *b);

/* Buffer n <= PB_BYTES_MOST bytes, at pb_bytes_at() until the next call. END:
 * the input has fewer; those are buffered. */
enum pb_next pb_bytes_need(struct pb_bytes *b, size_t n, struct pb_error *bad);

static inline const unsigned char *
pb_bytes_at(const struct pb_bytes *b)
{
	return b->buf + b->at;
}

static inline size_t
pb_bytes_there(const struct pb_bytes *b)
{
	return b->n - b->at;
}

/* Skip n buffered bytes. */
void pb_bytes_take(struct pb_bytes *b, size_t n);

struct pb_bag_topic {
	int64_t id;
	char *topic, *type; /* one allocation, owned through topic */
	char encoded[24];
};

/* Topics sorted by number. A zeroed struct is empty. */
struct pb_bag_topics {
	struct pb_bag_topic *at;
	int n;
	size_t room;
};

/* Most topics; a bag of ROS 1 lists each publisher of a topic. */
#define PB_BAG_TOPICS 10000

/* Text in a recording, without a final NUL. */
struct pb_bag_text {
	const char *s;
	size_t n;
};

/* Add a topic, or redefine a known one. False with bad filled in: more than
 * PB_BAG_TOPICS, or a name of more than 1,000 bytes. */
bool pb_bag_topics_put(struct pb_bag_topics *l, int64_t id,
    struct pb_bag_text topic, struct pb_bag_text type,
    struct pb_bag_text encoded, struct pb_error *bad);

/* The topic with that number, NULL: none. */
const struct pb_bag_topic *pb_bag_topics_find(
    const struct pb_bag_topics *l, int64_t id);

void pb_bag_topics_clear(struct pb_bag_topics *l);

/* Set m's topic, type and encoding to those of t. */
void pb_bag_topic_of(const struct pb_bag_topic *t, struct pb_bag_message *m);

/*
 * A recording in MCAP or a bag of ROS 1. Records are read one by one, from the
 * file or from the current chunk, which is decompressed while it is read: no
 * chunk is held as a whole. A zeroed struct is closed.
 */
struct pb_recording {
	bool mcap;
	struct pb_bytes *file; /* NULL: closed */
	struct pb_bytes chunk; /* current chunk; open if it has a from */
	uint64_t at, end;      /* offsets of the chunk's record in the file */
	uint64_t size;         /* stated unpacked size of the chunk */
	uint32_t crc;          /* stated CRC of the chunk; 0: none */
	uint64_t pass;         /* bytes of the last record, still buffered */
	bool over; /* the file has ended, or cannot be read further */

	struct pb_bag_topics topics;
	struct pb_bag_topics schemas; /* of MCAP: type without topic */
	bool summary;      /* behind the data: nothing more is needed */
	uint64_t index_at; /* offset of its summary or index; 0: none */
	/* Offsets of chunks from the index, ascending, if it was read. */
	uint64_t *chunks; /* n of them, owned */
	size_t n, room,
	    passed; /* passed: number of those before the current offset */
	bool index; /* reading the index: only chunks are noted */
};

/* Open a file of MCAP or ROS 1; the caller keeps `file`. False with bad filled
 * in. */
bool pb_recording_open(struct pb_recording *r, bool mcap, struct pb_bytes *file,
    struct pb_error *bad);

/* Read the index at the end of the file at path, if any: after damage, reading
 * then continues at the next chunk. */
void pb_recording_index(struct pb_recording *r, const char *path);

/* Read the next message, like pb_bag_next(); m->file stays unset. */
enum pb_next pb_recording_next(
    struct pb_recording *r, struct pb_bag_message *m, struct pb_error *bad);

void pb_recording_close(struct pb_recording *r);
