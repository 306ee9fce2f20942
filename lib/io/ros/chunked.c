/* chunked.c - files of records, some packed into chunks: MCAP, bags of ROS 1.
 */
#include "io/ros/chunked.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum pb_bag_got
pb_chunked_bad(
    const struct pb_chunked *c, struct pb_error *bad, const char *fmt, ...)
{
	char text[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	pb_error_set(bad, "%s byte %" PRIu64 ": %s",
	    c->chunk.from != NULL ? "chunk at" : "at", pb_chunked_offset(c),
	    text);
	return PB_BAG_BAD;
}

enum pb_bag_got
pb_chunked_enter(struct pb_chunked *c, struct pb_bag_text pack, size_t head,
    uint64_t n, uint64_t size, struct pb_error *bad)
{
	int kind = pb_pack_find(pack.s, pack.n);

	if (kind < 0)
		return pb_chunked_bad(c, bad,
		    "chunk compressed by %.*s, which is not known", (int)pack.n,
		    pack.s);
	c->end = c->file->offset + c->pass;
	c->at = c->file->offset;
	c->pass = 0;
	c->size = size;
	pb_bytes_take(c->file, head);
	if (!pb_bytes_unpack(&c->chunk, c->file, (enum pb_pack)kind, n, size)) {
		pb_msg_nomem("cannot read a recording");
		return PB_BAG_FAIL;
	}
	c->chunk.sum = c->crc != 0;
	return PB_BAG_END;
}

enum pb_bag_got
pb_chunked_cut(
    struct pb_chunked *c, uint64_t at, const char *what, struct pb_error *bad)
{
	c->over = true;
	pb_error_set(bad, "cut off: ends at byte %" PRIu64 " %s", at, what);
	bad->kind = PB_ERROR_CUT;
	return PB_BAG_BAD;
}

/* The source failed, or is broken in a way that leaves nothing to go on with.
 */
static enum pb_bag_got
stop(struct pb_chunked *c, enum pb_source_got got, struct pb_error *bad)
{
	char text[200];
	enum pb_error_kind kind = bad->kind;

	c->over = true;
	if (got != PB_SOURCE_BAD)
		return PB_BAG_FAIL;
	snprintf(text, sizeof(text), "%.199s", bad->text);
	pb_chunked_bad(c, bad, "%s", text);
	bad->kind = kind;
	return PB_BAG_BAD;
}

/* Of the file, n bytes are gone; the last ones may not be there. */
static enum pb_bag_got
pass_over(struct pb_chunked *c, uint64_t n, struct pb_error *bad)
{
	struct pb_bytes *b = c->file;
	enum pb_source_got got = pb_bytes_skip(b, n, bad);

	if (got == PB_SOURCE_BYTES)
		return PB_BAG_MESSAGE;
	if (got == PB_SOURCE_END)
		return pb_chunked_cut(c, b->offset, "within a record", bad);
	return stop(c, got, bad);
}

/* Whether the chunk, whose bytes ended, is what it said; else bad is set. */
static bool
is_as_stated(struct pb_chunked *c, bool within, struct pb_error *bad)
{
	struct pb_bytes *b = &c->chunk;
	uint64_t n = b->offset + pb_bytes_there(b);

	if (n != c->size)
		pb_chunked_bad(c, bad,
		    "%s data unpack to %" PRIu64 " bytes, %" PRIu64
		    " are stated",
		    pb_pack_name[b->pack], n, c->size);
	else if (within)
		pb_chunked_bad(c, bad, "ends within a record");
	else if (c->crc != 0 && b->crc != c->crc)
		pb_chunked_bad(c, bad,
		    "the CRC of its records is %08" PRIx32 ", stated is "
		    "%08" PRIx32,
		    b->crc, c->crc);
	else
		return true;
	return false;
}

/*
 * There is no more in the chunk, as got says, within a record or not; what came
 * of it was whole.
 */
static enum pb_bag_got
leave(struct pb_chunked *c, enum pb_source_got got, bool within,
    struct pb_error *bad)
{
	enum pb_bag_got passed;
	bool good = false;

	if (got != PB_SOURCE_BAD && got != PB_SOURCE_END)
		return stop(c, got, bad);
	/* The file may have ended, too, or its own packing be broken. */
	if (got == PB_SOURCE_END && c->chunk.left > 0 &&
	    pb_bytes_there(c->file) == 0) {
		pb_bytes_close(&c->chunk);
		return pb_chunked_cut(
		    c, c->file->offset, "within a chunk", bad);
	}
	if (got == PB_SOURCE_END)
		good = is_as_stated(c, within, bad);
	else
		stop(c, got, bad);
	c->over = false;
	pb_bytes_close(&c->chunk);
	if (!good) {
		struct pb_error later;

		passed = pass_over(c, c->end - c->file->offset, &later);
		return passed == PB_BAG_FAIL ? passed : PB_BAG_BAD;
	}
	passed = pass_over(c, c->end - c->file->offset, bad);
	return passed == PB_BAG_MESSAGE ? PB_BAG_END : passed;
}

enum pb_bag_got
pb_chunked_need(struct pb_chunked *c, uint64_t n, struct pb_error *bad)
{
	struct pb_bytes *b = pb_chunked_bytes(c);
	enum pb_source_got got;

	if (n > PB_BYTES_MOST) {
		c->pass = n;
		return pb_chunked_bad(c, bad,
		    "a record of %" PRIu64 " bytes, %zu are the most", n,
		    PB_BYTES_MOST);
	}
	got = pb_bytes_need(b, (size_t)n, bad);
	if (got == PB_SOURCE_BYTES)
		return PB_BAG_MESSAGE;
	if (b == &c->chunk)
		return leave(c, got, pb_bytes_there(b) > 0, bad);
	if (got != PB_SOURCE_END)
		return stop(c, got, bad);
	c->over = true;
	if (pb_bytes_there(b) == 0)
		return PB_BAG_END;
	return pb_chunked_cut(
	    c, b->offset + pb_bytes_there(b), "within a record", bad);
}

enum pb_bag_got
pb_chunked_next(struct pb_chunked *c, uint64_t n, struct pb_error *bad)
{
	uint64_t pass = c->pass;
	enum pb_source_got got;

	c->pass = 0;
	if (c->chunk.from != NULL) {
		got = pb_bytes_skip(&c->chunk, pass, bad);
		if (got != PB_SOURCE_BYTES)
			return leave(c, got, true, bad);
	} else {
		enum pb_bag_got passed = pass_over(c, pass, bad);

		if (passed != PB_BAG_MESSAGE)
			return passed;
	}
	return pb_chunked_need(c, n, bad);
}

enum pb_bag_got
pb_chunked_put(const struct pb_chunked *c, struct pb_bag_topics *l, int64_t id,
    struct pb_bag_text topic, struct pb_bag_text type,
    struct pb_bag_text encoded, struct pb_error *bad)
{
	struct pb_error why;

	if (pb_bag_topics_put(l, id, topic, type, encoded, &why))
		return PB_BAG_END;
	return why.kind == PB_ERROR_MEMORY
	           ? PB_BAG_FAIL
	           : pb_chunked_bad(c, bad, "%s", why.text);
}

enum pb_bag_got
pb_chunked_topic(struct pb_chunked *c, struct pb_bag_topics *l, int64_t id,
    struct pb_bag_message *m, const char *what, struct pb_error *bad)
{
	const struct pb_bag_topic *t = pb_bag_topics_find(l, id);
	struct pb_bag_text none = {"", 0};
	enum pb_bag_got got;

	if (t == NULL) {
		got = pb_chunked_put(c, l, id, none, none, none, bad);
		return got != PB_BAG_END
		           ? got
		           : pb_chunked_bad(c, bad,
				 "%s %" PRId64 " was not told before", what,
				 id);
	}
	if (t->topic[0] == '\0' && t->encoded[0] == '\0')
		return PB_BAG_END;
	pb_bag_topic_of(t, m);
	m->offset = pb_chunked_offset(c);
	return PB_BAG_MESSAGE;
}
