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

/* The name that recordings have for it. */
extern const char *const pb_pack_name[];

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
	bool sum;           /* reckon the crc of those that were taken */
	uint32_t crc;
};

/* Of a source that gave n bytes of head already. */
void pb_bytes_source(
    struct pb_bytes *b, struct pb_source *s, const void *head, size_t n);

/* Of memory, which the caller keeps. */
void pb_bytes_memory(struct pb_bytes *b, const void *p, size_t n);

/*
 * What the next n bytes of from unpack to, size of them or PB_BYTES_ANY; from
 * is the caller's.
 */
void pb_bytes_unpack(struct pb_bytes *b, struct pb_bytes *from,
    enum pb_pack pack, uint64_t n, uint64_t size);

void pb_bytes_close(struct pb_bytes *b);

/*
 * Have n <= PB_BYTES_MOST bytes to look at, at pb_bytes_at(), until the next
 * call. END: so many do not come; those that do can be looked at.
 */
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

/* Go on behind n bytes of those that are there. */
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

/*
 * Add a topic, or say what a known one is from now on. False with bad filled
 * in: there are more than PB_BAG_TOPICS, or a name has more than 1,000 bytes.
 */
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
 * Records are read one by one, from the file or from the chunk at hand, which
 * is unpacked as it is read: none is held as a whole.
 */
struct pb_chunked {
	struct pb_bytes *file;
	struct pb_bytes chunk; /* open if it has a from; to be closed */
	uint64_t at, end;      /* of the chunk's record in the file */
	uint64_t size;         /* what it unpacks to */
	uint32_t crc;          /* of that; 0: not given */
	uint64_t pass; /* of the last record, which may still be looked at */
	bool over;     /* the file has ended, or cannot be read any further */
};

/*
 * Begin with the chunk in the record at hand, of `pass` bytes: behind its head
 * are n that unpack to size, by what is called pack.
 *
 * Returns  END: go on; BAD, HALT if that cannot be
 */
enum pb_next pb_chunked_enter(struct pb_chunked *c, struct pb_bag_text pack,
    size_t head, uint64_t n, uint64_t size, struct pb_error *bad);

static inline struct pb_bytes *
pb_chunked_bytes(struct pb_chunked *c)
{
	return c->chunk.from != NULL ? &c->chunk : c->file;
}

/*
 * Go on behind the `pass` bytes of the last record, and have n bytes of the
 * next one.
 *
 * Returns  MESSAGE  they are there
 *          END      there is no record: the chunk ended, and what follows it is
 *                   next, or the file did: then over
 *          BAD      there are none, or not so many; what follows is next
 */
enum pb_next pb_chunked_next(
    struct pb_chunked *c, uint64_t n, struct pb_error *bad);

/* Have n of its bytes, in the same way. */
enum pb_next pb_chunked_need(
    struct pb_chunked *c, uint64_t n, struct pb_error *bad);

/* bad tells of the record at hand. Returns PB_BAD. */
enum pb_next pb_chunked_bad(const struct pb_chunked *c, struct pb_error *bad,
    const char *fmt, ...) PB_PRINTF(3, 4);

/* The file is cut off at byte at. Returns PB_BAD; it is over. */
enum pb_next pb_chunked_cut(
    struct pb_chunked *c, uint64_t at, const char *what, struct pb_error *bad);

/* Put a topic into the list. Returns END; BAD, HALT if that cannot be. */
enum pb_next pb_chunked_put(const struct pb_chunked *c, struct pb_bag_topics *l,
    int64_t id, struct pb_bag_text topic, struct pb_bag_text type,
    struct pb_bag_text encoded, struct pb_error *bad);

/*
 * m, the record at hand, is of topic id, what a number is called there.
 * Returns MESSAGE; BAD if there is none of that number, the next time END.
 */
enum pb_next pb_chunked_topic(struct pb_chunked *c, struct pb_bag_topics *l,
    int64_t id, struct pb_bag_message *m, const char *what,
    struct pb_error *bad);

struct pb_bag_format {
	/*
	 * Begin; path is NULL if only the bytes can be read. NULL: bad says
	 * why, or has no text if that was said.
	 */
	void *(*open)(
	    const char *path, struct pb_bytes *file, struct pb_error *bad);
	/* As pb_bag_next(); file stays unset. */
	enum pb_next (*next)(
	    void *reader, struct pb_bag_message *m, struct pb_error *bad);
	void (*close)(void *reader);
};

extern const struct pb_bag_format pb_bag_mcap;
