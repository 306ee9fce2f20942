/* bag_ros1.c - bags of ROS 1, format 2.0, from their start on. */
#include <stdlib.h>
#include <string.h>

#include "io/ros/bag_read.h"
#include "io/stream/text.h"

static const char first_line[] = "#ROSBAG V2.0\n";

enum {
	FIRST_LINE = 13,
	/* Values of op. */
	MESSAGE = 2,
	FILE_HEADER = 3,
	CHUNK = 5,
	CONNECTION = 7
};

struct ros1 {
	struct pb_chunked c;
	struct pb_bag_topics connections;
	uint64_t index_pos; /* where its data end; 0: it was not closed */
};

/* Fields of a header, or of a connection: lengths, and NAME=VALUE. */
struct fields {
	const unsigned char *p;
	size_t n;
};

/* The value of name; its s is NULL if there is none of n bytes, 0: any. */
static struct pb_bag_text
field(struct fields f, const char *name, size_t n)
{
	size_t k = strlen(name);

	while (f.n >= 4) {
		uint32_t len = (uint32_t)pb_le_get(f.p, 4);
		const unsigned char *s = f.p + 4;

		if (len > f.n - 4)
			break;
		if (len > k && s[k] == '=' && memcmp(s, name, k) == 0 &&
		    (n == 0 || len - k - 1 == n))
			return (struct pb_bag_text){
			    (const char *)s + k + 1, len - k - 1};
		f.p += 4 + len;
		f.n -= 4 + len;
	}
	return (struct pb_bag_text){NULL, 0};
}

/* A number of n bytes in *v; false if there is none. */
static bool
number(struct fields f, const char *name, size_t n, uint64_t *v)
{
	struct pb_bag_text t = field(f, name, n);
	const unsigned char *p = (const unsigned char *)t.s;

	if (p != NULL)
		*v = pb_le_get(p, (int)n);
	return p != NULL;
}

static void *
ros1_open(const char *path, struct pb_bytes *file, struct pb_error *bad)
{
	struct ros1 *r;

	(void)path;
	if (pb_bytes_there(file) < FIRST_LINE ||
	    memcmp(pb_bytes_at(file), first_line, FIRST_LINE) != 0) {
		pb_error_set(bad, "a bag of ROS 1 that is not of version 2.0");
		return NULL;
	}
	if ((r = calloc(1, sizeof(*r))) == NULL) {
		pb_error_nomem(bad, "bag");
		return NULL;
	}
	pb_bytes_take(file, FIRST_LINE);
	r->c.file = file;
	return r;
}

static void
ros1_close(void *reader)
{
	struct ros1 *r = reader;

	pb_bytes_close(&r->c.chunk);
	pb_bag_topics_clear(&r->connections);
	free(r);
}

/* END: go on. */
static enum pb_next
read_connection(
    struct ros1 *r, struct fields h, struct fields f, struct pb_error *bad)
{
	struct pb_bag_text topic = field(h, "topic", 0);
	struct pb_bag_text type = field(f, "type", 0), ros1 = {"ros1", 4};
	uint64_t conn;

	if (!number(h, "conn", 4, &conn) || topic.s == NULL || type.s == NULL)
		return pb_chunked_bad(
		    &r->c, bad, "a connection without conn, topic or type");
	return pb_chunked_put(
	    &r->c, &r->connections, (int64_t)conn, topic, type, ros1, bad);
}

static enum pb_next
read_message(struct ros1 *r, struct fields h, struct fields f,
    struct pb_bag_message *m, struct pb_error *bad)
{
	enum pb_next got;
	uint64_t conn, t;

	if (!number(h, "conn", 4, &conn) || !number(h, "time", 8, &t))
		return pb_chunked_bad(
		    &r->c, bad, "a message without conn or time");
	got = pb_chunked_topic(
	    &r->c, &r->connections, (int64_t)conn, m, "connection", bad);
	if (got != PB_NEXT)
		return got;
	/* Seconds and nanoseconds, each of 4 bytes. */
	m->t = (int64_t)(t & UINT32_MAX) * 1000000000 + (int64_t)(t >> 32);
	m->data = f.p;
	m->size = f.n;
	return PB_NEXT;
}

/* Begin with the chunk of n bytes behind its header, h of head bytes. */
static enum pb_next
read_chunk(struct ros1 *r, struct fields h, size_t head, uint32_t n,
    struct pb_error *bad)
{
	struct pb_bag_text name = field(h, "compression", 0);
	uint64_t size;

	r->c.pass = head + n;
	if (name.s == NULL || !number(h, "size", 4, &size))
		return pb_chunked_bad(
		    &r->c, bad, "a chunk without compression or size");
	name.n = name.n > 64 ? 64 : name.n; /* for complaints */
	return pb_chunked_enter(&r->c, name, head, n, size, bad);
}

/* The record whose header, of n bytes, is there. END: go on. */
static enum pb_next
read_record(
    struct ros1 *r, uint32_t n, struct pb_bag_message *m, struct pb_error *bad)
{
	struct pb_bytes *b = pb_chunked_bytes(&r->c);
	size_t head = 4 + (size_t)n + 4;
	struct fields h = {pb_bytes_at(b) + 4, n}, f;
	uint32_t size = (uint32_t)pb_le_get(pb_bytes_at(b) + head - 4, 4);
	uint64_t op = 0;
	enum pb_next got;

	number(h, "op", 1, &op);
	if (op == CHUNK && r->c.chunk.from == NULL)
		return read_chunk(r, h, head, size, bad);
	if (op == FILE_HEADER)
		number(h, "index_pos", 8, &r->index_pos);
	if (op == MESSAGE || op == CONNECTION) {
		got = pb_chunked_need(&r->c, head + size, bad);
		if (got != PB_NEXT)
			return got;
	}
	r->c.pass = head + size;
	h.p = pb_bytes_at(b) + 4;
	f = (struct fields){h.p + n + 4, size};
	return op == MESSAGE      ? read_message(r, h, f, m, bad)
	       : op == CONNECTION ? read_connection(r, h, f, bad)
	                          : PB_END;
}

/* The file has ended at a record's end. */
static enum pb_next
at_end(struct ros1 *r, struct pb_error *bad)
{
	uint64_t at = r->c.file->offset;

	if (r->index_pos == 0)
		return pb_chunked_cut(&r->c, at, "and was never closed", bad);
	if (at < r->index_pos)
		return pb_chunked_cut(&r->c, at, "before its index", bad);
	return PB_END;
}

static enum pb_next
ros1_next(void *reader, struct pb_bag_message *m, struct pb_error *bad)
{
	struct ros1 *r = reader;
	enum pb_next got = PB_END;

	while (got == PB_END && !r->c.over) {
		uint32_t n;

		got = pb_chunked_next(&r->c, 4, bad);
		if (got == PB_END && r->c.over)
			return at_end(r, bad);
		if (got != PB_NEXT)
			continue;
		n = (uint32_t)pb_le_get(
		    pb_bytes_at(pb_chunked_bytes(&r->c)), 4);
		got = pb_chunked_need(&r->c, 4 + (uint64_t)n + 4, bad);
		if (got == PB_NEXT)
			got = read_record(r, n, m, bad);
	}
	return got;
}

const struct pb_bag_format pb_bag_ros1 = {ros1_open, ros1_next, ros1_close};
