/* chunked.h - files of records, some packed into chunks: MCAP, bags of ROS 1.
 */
#pragma once

#include "io/ros/bag_topics.h"
#include "io/ros/bytes.h"

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
 * Returns  END: go on; BAD, FAIL if that cannot be
 */
enum pb_bag_got pb_chunked_enter(struct pb_chunked *c, struct pb_bag_text pack,
    size_t head, uint64_t n, uint64_t size, struct pb_error *bad);

static inline struct pb_bytes *
pb_chunked_bytes(struct pb_chunked *c)
{
	return c->chunk.from != NULL ? &c->chunk : c->file;
}

/* Where in the file we are: at a record, or at the chunk's that holds it. */
static inline uint64_t
pb_chunked_offset(const struct pb_chunked *c)
{
	return c->chunk.from != NULL ? c->at : c->file->offset;
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
enum pb_bag_got pb_chunked_next(
    struct pb_chunked *c, uint64_t n, struct pb_error *bad);

/* Have n of its bytes, in the same way. */
enum pb_bag_got pb_chunked_need(
    struct pb_chunked *c, uint64_t n, struct pb_error *bad);

/* bad tells of the record at hand. Returns PB_BAG_BAD. */
enum pb_bag_got pb_chunked_bad(const struct pb_chunked *c, struct pb_error *bad,
    const char *fmt, ...) PB_PRINTF(3, 4);

/* The file is cut off at byte at. Returns PB_BAG_BAD; it is over. */
enum pb_bag_got pb_chunked_cut(
    struct pb_chunked *c, uint64_t at, const char *what, struct pb_error *bad);

/* Put a topic into the list. Returns END; BAD, FAIL if that cannot be. */
enum pb_bag_got pb_chunked_put(const struct pb_chunked *c,
    struct pb_bag_topics *l, int64_t id, struct pb_bag_text topic,
    struct pb_bag_text type, struct pb_bag_text encoded, struct pb_error *bad);

/*
 * m, the record at hand, is of topic id, what a number is called there.
 * Returns MESSAGE; BAD if there is none of that number, the next time END.
 */
enum pb_bag_got pb_chunked_topic(struct pb_chunked *c, struct pb_bag_topics *l,
    int64_t id, struct pb_bag_message *m, const char *what,
    struct pb_error *bad);
