/* bag_mcap.c - MCAP, from its start on: what Foxglove and ROS 2 record. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/ros/bag_formats.h"
#include "io/ros/bag_topics.h"
#include "io/ros/chunked.h"
#include "io/stream/le.h"

static const char magic[] = "\x89MCAP0\r\n";

enum {
	MAGIC = 8,
	HEAD = 9, /* opcode and length */
	/* Opcodes. */
	FOOTER = 2,
	SCHEMA = 3,
	CHANNEL = 4,
	MESSAGE = 5,
	CHUNK = 6,
	DATA_END = 15
};

struct mcap {
	struct pb_chunked c;
	struct pb_bag_topics schemas; /* a type without a topic */
	struct pb_bag_topics channels;
	bool summary;        /* behind the data, where nothing is for us */
	uint64_t summary_at; /* where it begins */
};

/* The content of a record, eaten up from its start. */
struct content {
	const unsigned char *p;
	uint64_t n;
	bool shorter; /* it should have been longer */
};

static const unsigned char *
eat(struct content *c, uint64_t n)
{
	static const unsigned char zero[8];
	const unsigned char *p = c->p;

	if (n > c->n) {
		c->shorter = true;
		return zero;
	}
	c->p += n;
	c->n -= n;
	return p;
}

static struct pb_bag_text
eat_text(struct content *c)
{
	uint32_t n = (uint32_t)pb_le_get(eat(c, 4), 4);
	const char *s = (const char *)eat(c, n);

	return (struct pb_bag_text){s, c->shorter ? 0 : n};
}

static void *
mcap_open(const char *path, struct pb_bytes *file, struct pb_error *bad)
{
	struct mcap *r;

	(void)path;
	if (pb_bytes_there(file) < MAGIC ||
	    memcmp(pb_bytes_at(file), magic, MAGIC) != 0) {
		pb_error_set(bad, "MCAP of a version that is not known");
		return NULL;
	}
	if ((r = calloc(1, sizeof(*r))) == NULL) {
		pb_error_nomem(bad, "MCAP");
		return NULL;
	}
	file->sum = true;
	pb_bytes_take(file, MAGIC);
	r->c.file = file;
	return r;
}

static void
mcap_close(void *reader)
{
	struct mcap *r = reader;

	pb_bytes_close(&r->c.chunk);
	pb_bag_topics_clear(&r->schemas);
	pb_bag_topics_clear(&r->channels);
	free(r);
}

/* END: go on. */
static enum pb_bag_got
read_schema(struct mcap *r, struct content c, struct pb_error *bad)
{
	uint32_t id = (uint32_t)pb_le_get(eat(&c, 2), 2);
	struct pb_bag_text name = eat_text(&c), encoded = eat_text(&c);
	struct pb_bag_text none = {"", 0};

	if (c.shorter)
		return pb_chunked_bad(&r->c, bad, "a schema is cut short");
	return pb_chunked_put(&r->c, &r->schemas, id, none, name, encoded, bad);
}

static enum pb_bag_got
read_channel(struct mcap *r, struct content c, struct pb_error *bad)
{
	uint32_t id = (uint32_t)pb_le_get(eat(&c, 2), 2);
	uint32_t schema = (uint32_t)pb_le_get(eat(&c, 2), 2);
	struct pb_bag_text topic = eat_text(&c), encoded = eat_text(&c);
	const struct pb_bag_topic *s =
	    pb_bag_topics_find(&r->schemas, (int64_t)schema);
	struct pb_bag_text type = {s ? s->type : "", s ? strlen(s->type) : 0};

	if (c.shorter)
		return pb_chunked_bad(&r->c, bad, "a channel is cut short");
	if (s == NULL && schema != 0)
		return pb_chunked_bad(&r->c, bad,
		    "%.*s: schema %" PRIu32 " was not told before",
		    (int)(topic.n < 100 ? topic.n : 100), topic.s, schema);
	return pb_chunked_put(
	    &r->c, &r->channels, id, topic, type, encoded, bad);
}

static enum pb_bag_got
read_message(struct mcap *r, struct content c, struct pb_bag_message *m,
    struct pb_error *bad)
{
	int64_t id = (int64_t)pb_le_get(eat(&c, 2), 2);
	enum pb_bag_got got;

	eat(&c, 4); /* sequence */
	m->t = (int64_t)pb_le_get(eat(&c, 8), 8);
	eat(&c, 8); /* when it was published */
	if (c.shorter)
		return pb_chunked_bad(&r->c, bad, "a message is cut short");
	got = pb_chunked_topic(&r->c, &r->channels, id, m, "channel", bad);
	if (got != PB_BAG_MESSAGE)
		return got;
	m->data = c.p;
	m->size = (size_t)c.n;
	return PB_BAG_MESSAGE;
}

/* Begin with the chunk whose record has n bytes behind its head. */
static enum pb_bag_got
read_chunk(struct mcap *r, uint64_t n, struct pb_error *bad)
{
	uint64_t size, left, have = n < 128 ? n : 128;
	enum pb_bag_got got = pb_chunked_need(&r->c, HEAD + have, bad);
	struct content c = {pb_bytes_at(r->c.file) + HEAD, have, false};
	struct pb_bag_text name;

	if (got != PB_BAG_MESSAGE)
		return got;
	r->c.pass = HEAD + n;
	eat(&c, 16); /* first and last time */
	size = pb_le_get(eat(&c, 8), 8);
	r->c.crc = (uint32_t)pb_le_get(eat(&c, 4), 4);
	name = eat_text(&c);
	left = pb_le_get(eat(&c, 8), 8);
	if (c.shorter || left > n - (have - c.n))
		return pb_chunked_bad(&r->c, bad, "a chunk is cut short");
	return pb_chunked_enter(
	    &r->c, name, (size_t)(HEAD + have - c.n), left, size, bad);
}

/* The CRC of all that was taken since the file or the summary began. */
static enum pb_bag_got
compare_crc(struct mcap *r, uint32_t crc, uint32_t stated, const char *of,
    struct pb_error *bad)
{
	if (stated == 0 || stated == crc)
		return PB_BAG_END;
	return pb_chunked_bad(&r->c, bad,
	    "the CRC of the %s is %08" PRIx32 ", stated is %08" PRIx32, of, crc,
	    stated);
}

static enum pb_bag_got
read_data_end(struct mcap *r, struct content c, struct pb_error *bad)
{
	uint32_t crc = r->c.file->crc;

	pb_bytes_take(r->c.file, (size_t)r->c.pass);
	r->c.pass = 0;
	r->c.file->crc = 0;
	r->summary = true;
	r->summary_at = r->c.file->offset;
	return compare_crc(
	    r, crc, (uint32_t)pb_le_get(eat(&c, 4), 4), "data", bad);
}

/* The last record; behind it is the magic again, and nothing. */
static enum pb_bag_got
read_footer(struct mcap *r, struct content c, struct pb_error *bad)
{
	struct pb_bytes *b = r->c.file;
	uint64_t summary_at;
	uint32_t crc, stated;
	enum pb_bag_got got;

	if (c.n < 20)
		return pb_chunked_bad(&r->c, bad, "the footer is cut short");
	crc = (uint32_t)crc32_z(b->crc, c.p - HEAD, HEAD + 16);
	summary_at = pb_le_get(eat(&c, 16), 8);
	stated = (uint32_t)pb_le_get(eat(&c, 4), 4);
	got = pb_chunked_next(&r->c, MAGIC, bad);
	if (got == PB_BAG_END) /* the file ends right here */
		return pb_chunked_cut(&r->c, b->offset, "in its end", bad);
	if (got != PB_BAG_MESSAGE)
		return got;
	r->c.over = true;
	if (memcmp(pb_bytes_at(b), magic, MAGIC) != 0)
		return pb_chunked_bad(&r->c, bad, "does not end as MCAP does");
	if (pb_bytes_need(b, MAGIC + 1, bad) != PB_SOURCE_END)
		return pb_chunked_bad(&r->c, bad, "goes on behind its end");
	if (summary_at == 0 || summary_at != r->summary_at)
		return PB_BAG_END;
	return compare_crc(r, crc, stated, "summary", bad);
}

/* A record of n bytes behind its head, all there. END: go on. */
static enum pb_bag_got
read_record(struct mcap *r, int op, struct content c, struct pb_bag_message *m,
    struct pb_error *bad)
{
	bool chunk = r->c.chunk.from != NULL;

	switch (op) {
	case SCHEMA:
		return read_schema(r, c, bad);
	case CHANNEL:
		return read_channel(r, c, bad);
	case MESSAGE:
		return read_message(r, c, m, bad);
	case DATA_END:
		return chunk ? PB_BAG_END : read_data_end(r, c, bad);
	case FOOTER:
		return chunk ? PB_BAG_END : read_footer(r, c, bad);
	default:
		return PB_BAG_END;
	}
}

/* The record at hand, whose head is there; END: go on, if it is not over. */
static enum pb_bag_got
read_next(struct mcap *r, struct pb_bag_message *m, struct pb_error *bad)
{
	struct pb_bytes *b = pb_chunked_bytes(&r->c);
	int op = pb_bytes_at(b)[0];
	uint64_t n = pb_le_get(pb_bytes_at(b) + 1, 8);
	bool known = r->summary
	                 ? op == FOOTER
	                 : op == SCHEMA || op == CHANNEL || op == MESSAGE ||
	                       op == DATA_END || op == FOOTER;
	enum pb_bag_got got;

	if (n > INT64_MAX)
		n = INT64_MAX; /* which is cut off as well */
	if (op == CHUNK && !r->summary && r->c.chunk.from == NULL)
		return read_chunk(r, n, bad);
	if (known) {
		got = pb_chunked_need(&r->c, HEAD + n, bad);
		if (got != PB_BAG_MESSAGE)
			return got;
	}
	r->c.pass = HEAD + n;
	if (!known)
		return PB_BAG_END;
	return read_record(
	    r, op, (struct content){pb_bytes_at(b) + HEAD, n, false}, m, bad);
}

static enum pb_bag_got
mcap_next(void *reader, struct pb_bag_message *m, struct pb_error *bad)
{
	struct mcap *r = reader;
	enum pb_bag_got got = PB_BAG_END;

	while (got == PB_BAG_END && !r->c.over) {
		got = pb_chunked_next(&r->c, HEAD, bad);
		if (got == PB_BAG_END && r->c.over)
			return pb_chunked_cut(&r->c, r->c.file->offset,
			    "without the end that MCAP has", bad);
		if (got == PB_BAG_MESSAGE)
			got = read_next(r, m, bad);
	}
	return got;
}

const struct pb_bag_format pb_bag_mcap = {mcap_open, mcap_next, mcap_close};
