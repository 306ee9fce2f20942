/* bag_read.h - bytes, topics and records of recordings of any format. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/ros/ros_message.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"

enum pb_pack {
	PB_PACK_NONE,
	PB_PACK_LZ4, /* its frames, lz4frame.h */
	PB_PACK_ZSTD,
	PB_PACK_BZ2
};

struct pb_unpack;

/*
 * The most that is held at once: the largest map, 20,000 x 20,000 cells, is
 * one message. What a recording claims costs nothing: room grows as bytes come.
 */
#define PB_BYTES_MOST ((size_t)1 << 29)

/* How many come out is not known. */
#define PB_BYTES_ANY UINT64_MAX

/*
 * Bytes of a source, of memory, or those that `left` bytes of other ones unpack
 * to. A zeroed struct has none.
 */
struct pb_bytes {
	struct pb_source *source;
	struct pb_bytes *from;
	struct pb_unpack *unpack;
	enum pb_pack pack;
	uint64_t left; /* packed ones that are to come */
	uint64_t size; /* unpacked ones, all, as was stated */
	bool whole;    /* nothing is wanting where it stands */

	unsigned char *buf; /* owned if room > 0 */
	size_t at, n, room; /* those that can be looked at: buf[at..n) */
	uint64_t offset;    /* of buf[at] */
	bool sum;           /* compute the CRC of the bytes taken */
	uint32_t crc;
};

/* Of a source that gave n bytes of head already. */
void pb_bytes_source(
    struct pb_bytes *b, struct pb_source *s, const void *head, size_t n);

/* Read from memory, owned by the caller. */
void pb_bytes_memory(struct pb_bytes *b, const void *p, size_t n);

/*
 * What the next n bytes of from unpack to, size of them or PB_BYTES_ANY; from
 * is the caller's.
 */
void pb_bytes_unpack(struct pb_bytes *b, struct pb_bytes *from,
    enum pb_pack pack, uint64_t n, uint64_t size);

void pb_bytes_close(struct pb_bytes *b);

/* Buffer n <= PB_BYTES_MOST bytes, for pb_bytes_at(), until the next call. END:
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

/* Skip n of the bytes at hand. */
void pb_bytes_take(struct pb_bytes *b, size_t n);

struct pb_bag_topic {
	int64_t id;
	char *topic, *type; /* pieces of one, owned: the topic's */
	char encoded[24];
};

/* Sorted by number. A zeroed struct is an empty list. */
struct pb_bag_topics {
	struct pb_bag_topic *at;
	int n;
	size_t room;
};

/* Of several publishers, too, each of which a bag of ROS 1 may have apart. */
#define PB_BAG_TOPICS 10000

/* Text in a recording, not ended by anything. */
struct pb_bag_text {
	const char *s;
	size_t n;
};

/* Add a topic, or redefine a known one. False with bad filled in: there are
 * more than PB_BAG_TOPICS, or a name has more than 1,000 bytes. */
bool pb_bag_topics_put(struct pb_bag_topics *l, int64_t id,
    struct pb_bag_text topic, struct pb_bag_text type,
    struct pb_bag_text encoded, struct pb_error *bad);

/* NULL if there is none of that number. */
const struct pb_bag_topic *pb_bag_topics_find(
    const struct pb_bag_topics *l, int64_t id);

void pb_bag_topics_clear(struct pb_bag_topics *l);

/* Whose m is. */
void pb_bag_topic_of(const struct pb_bag_topic *t, struct pb_bag_message *m);

/*
 * A recording in MCAP or a bag of ROS 1. Its records are read one by one, from
 * the file or from the chunk at hand, which is unpacked as it is read: none is
 * held as a whole. A zeroed struct is closed.
 */
struct pb_recording {
	bool mcap;
	struct pb_bytes *file; /* NULL: closed */
	struct pb_bytes chunk; /* open if it has a from; to be closed */
	uint64_t at, end;      /* of the chunk's record in the file */
	uint64_t size;         /* what it unpacks to */
	uint32_t crc;          /* of that; 0: not given */
	uint64_t pass; /* of the last record, which may still be looked at */
	bool over;     /* the file has ended, or cannot be read any further */

	struct pb_bag_topics topics;
	struct pb_bag_topics schemas; /* of MCAP: a type without a topic */
	bool summary;      /* behind the data, where nothing is for us */
	uint64_t index_at; /* where its summary or index begins; 0: none */
	/* Where chunks begin by the index, in their order, if that was read. */
	uint64_t *chunks;       /* n of them, owned */
	size_t n, room, passed; /* of n, those that begin before here */
	bool index;             /* it is one: chunks are what it has for us */
};

/* Begin with a file, of MCAP or of ROS 1, that stays the caller's. False with
 * bad filled in. */
bool pb_recording_open(struct pb_recording *r, bool mcap, struct pb_bytes *file,
    struct pb_error *bad);

/* Read the index at the end of the same file at path, if it has one: after
 * damage, reading continues at the next chunk in the index. */
void pb_recording_index(struct pb_recording *r, const char *path);

/* As pb_bag_next(); file stays unset. */
enum pb_next pb_recording_next(
    struct pb_recording *r, struct pb_bag_message *m, struct pb_error *bad);

void pb_recording_close(struct pb_recording *r);
