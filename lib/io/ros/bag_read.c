/* bag_read.c - bytes, topics and records of recordings of any format. */
#include "io/ros/bag_read.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bzlib.h>
#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/pool.h"
#include "io/stream/msg.h"

/* --- unpacking, piece by piece --- */

struct pb_unpack {
	enum pb_pack kind;
	ZSTD_DCtx *zstd;
	LZ4F_dctx *lz4;
	bz_stream bz2;
	bool bz2_begun; /* inside of a stream */
};

const char *const pb_pack_name[] = {"none", "lz4", "zstd", "bz2"};

/* The kind of that name: -1 for none that we know. */
static int
find_pack(const char *s, size_t n)
{
	/* MCAP has no word for none, bags of ROS 1 have one. */
	if (n == 0)
		return PB_PACK_NONE;
	for (int i = 0; i <= PB_PACK_BZ2; i++)
		if (strlen(pb_pack_name[i]) == n &&
		    memcmp(pb_pack_name[i], s, n) == 0)
			return i;
	return -1;
}

static void
unpack_free(struct pb_unpack *u)
{
	if (u == NULL)
		return;
	ZSTD_freeDCtx(u->zstd);
	LZ4F_freeDecompressionContext(u->lz4);
	if (u->bz2_begun)
		BZ2_bzDecompressEnd(&u->bz2);
	free(u);
}

/* For unpack_free(). */
static struct pb_unpack *
unpack_new(enum pb_pack kind)
{
	struct pb_unpack *u = pb_alloc(1, sizeof(*u));

	u->kind = kind;
	if (kind == PB_PACK_ZSTD && (u->zstd = ZSTD_createDCtx()) == NULL)
		pb_msg_end_memory();
	if (kind == PB_PACK_LZ4 && LZ4F_isError(LZ4F_createDecompressionContext(
				       &u->lz4, LZ4F_VERSION)))
		pb_msg_end_memory();
	return u;
}

enum unpacked {
	UNPACKED,       /* go on */
	UNPACKED_WHOLE, /* a frame has ended: another may follow, or nothing */
	UNPACKED_BROKEN
};

static enum unpacked
step_zstd(struct pb_unpack *u, const unsigned char *in, size_t *n,
    unsigned char *out, size_t *room)
{
	ZSTD_inBuffer from = {in, *n, 0};
	ZSTD_outBuffer to = {out, *room, 0};
	size_t rc = ZSTD_decompressStream(u->zstd, &to, &from);

	*n = from.pos;
	*room = to.pos;
	if (!ZSTD_isError(rc))
		return rc == 0 ? UNPACKED_WHOLE : UNPACKED;
	if (ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation)
		pb_msg_end_memory();
	return UNPACKED_BROKEN;
}

static enum unpacked
step_lz4(struct pb_unpack *u, const unsigned char *in, size_t *n,
    unsigned char *out, size_t *room)
{
	size_t rc = LZ4F_decompress(u->lz4, out, room, in, n, NULL);

	if (!LZ4F_isError(rc))
		return rc == 0 ? UNPACKED_WHOLE : UNPACKED;
	*n = *room = 0; /* they are not set */
	/* Codes are not of the interface, names are. */
	if (strcmp(LZ4F_getErrorName(rc), "ERROR_allocation_failed") == 0)
		pb_msg_end_memory();
	return UNPACKED_BROKEN;
}

static enum unpacked
step_bz2(struct pb_unpack *u, const unsigned char *in, size_t *n,
    unsigned char *out, size_t *room)
{
	bz_stream *z = &u->bz2;
	unsigned had = *n > UINT_MAX / 2 ? UINT_MAX / 2 : (unsigned)*n;
	unsigned space = *room > UINT_MAX / 2 ? UINT_MAX / 2 : (unsigned)*room;
	int rc = BZ_OK;

	if (!u->bz2_begun && had > 0) {
		*z = (bz_stream){0};
		rc = BZ2_bzDecompressInit(z, 0, 0);
		u->bz2_begun = rc == BZ_OK;
	}
	z->next_in = (char *)in; /* which it only reads */
	z->avail_in = had;
	z->next_out = (char *)out;
	z->avail_out = space;
	if (u->bz2_begun)
		rc = BZ2_bzDecompress(z);
	*n = had - z->avail_in;
	*room = space - z->avail_out;
	if (rc == BZ_OK)
		return UNPACKED;
	if (u->bz2_begun)
		BZ2_bzDecompressEnd(z);
	u->bz2_begun = false;
	if (rc == BZ_MEM_ERROR)
		pb_msg_end_memory();
	return rc == BZ_STREAM_END ? UNPACKED_WHOLE : UNPACKED_BROKEN;
}

/*
 * Take some of the *n bytes at in, which may be none, and put some, at most
 * *room > 0, to out: *n and *room become how many.
 */
static enum unpacked
unpack_step(struct pb_unpack *u, const unsigned char *in, size_t *n,
    unsigned char *out, size_t *room)
{
	switch (u->kind) {
	case PB_PACK_ZSTD:
		return step_zstd(u, in, n, out, room);
	case PB_PACK_LZ4:
		return step_lz4(u, in, n, out, room);
	case PB_PACK_BZ2:
		return step_bz2(u, in, n, out, room);
	case PB_PACK_NONE:
		break;
	}
	*n = *room = *n < *room ? *n : *room;
	memcpy(out, in, *n);
	return UNPACKED_WHOLE;
}

/* --- bytes one after the other --- */

enum {
	ROOM = 65536, /* to begin with */
	PIECE = 4096  /* packed bytes at a time: what was unpacked before those
	                 that are broken in the same piece is lost */
};

void
pb_bytes_source(
    struct pb_bytes *b, struct pb_source *s, const void *head, size_t n)
{
	*b = (struct pb_bytes){.source = s, .size = PB_BYTES_ANY};
	b->room = n > ROOM ? n : ROOM;
	b->buf = pb_resize(NULL, b->room);
	if (n > 0)
		memcpy(b->buf, head, n);
	b->n = n;
}

void
pb_bytes_memory(struct pb_bytes *b, const void *p, size_t n)
{
	/* Never written to: there is no room. */
	*b = (struct pb_bytes){.buf = (unsigned char *)p, .n = n};
}

void
pb_bytes_unpack(struct pb_bytes *b, struct pb_bytes *from, enum pb_pack pack,
    uint64_t n, uint64_t size)
{
	*b = (struct pb_bytes){.from = from,
	    .unpack = unpack_new(pack),
	    .pack = pack,
	    .left = n,
	    .size = size,
	    .whole = true,
	    .buf = pb_resize(NULL, ROOM),
	    .room = ROOM};
}

void
pb_bytes_close(struct pb_bytes *b)
{
	unpack_free(b->unpack);
	if (b->room > 0)
		free(b->buf);
	*b = (struct pb_bytes){0};
}

/* Room for at least one byte behind those that are there. */
static void
make_room(struct pb_bytes *b)
{
	if (b->at > 0) {
		memmove(b->buf, b->buf + b->at, b->n - b->at);
		b->n -= b->at;
		b->at = 0;
	}
	if (b->n == b->room)
		b->buf = pb_resize(b->buf, b->room *= 2);
}

/*
 * Unpack what is there of the packed bytes, *out of them at most; no byte more
 * than one beyond what was stated, so that we see that there are more.
 */
static enum pb_next
unpack_some(struct pb_bytes *b, size_t *out, struct pb_error *bad)
{
	size_t n = pb_bytes_there(b->from);
	uint64_t done = b->offset + b->n;
	bool whole = b->whole;
	enum unpacked u;

	n = n > PIECE && b->pack != PB_PACK_NONE ? PIECE : n;
	n = n > b->left ? (size_t)b->left : n;
	if (b->size != PB_BYTES_ANY && *out > b->size + 1 - done)
		*out = (size_t)(b->size + 1 - done);
	u = unpack_step(
	    b->unpack, pb_bytes_at(b->from), &n, b->buf + b->n, out);
	/* Some writers fill up with zeros behind the last frame. */
	if (u == UNPACKED_BROKEN && whole && done == b->size)
		return PB_END;
	if (u == UNPACKED_BROKEN || done + *out > b->size) {
		pb_error_set(bad,
		    u == UNPACKED_BROKEN
			? "broken %s data"
			: "%s data unpack to more than they state",
		    pb_pack_name[b->pack]);
		return PB_BAD;
	}
	if (n > 0 || *out > 0)
		b->whole = u == UNPACKED_WHOLE;
	pb_bytes_take(b->from, n);
	b->left -= b->left == PB_BYTES_ANY ? 0 : n;
	b->n += *out;
	return *out == 0 && n == 0 ? PB_END : PB_NEXT;
}

static enum pb_next
unpack_more(struct pb_bytes *b, struct pb_error *bad)
{
	enum pb_next got;
	size_t out = 0;

	do {
		got = b->left > 0 ? pb_bytes_need(b->from, 1, bad) : PB_END;
		out = b->room - b->n;
		/* At the end some may still be held back. */
		if (got == PB_NEXT || got == PB_END)
			got = unpack_some(b, &out, bad);
	} while (got == PB_NEXT && out == 0);
	return got;
}

static enum pb_next
more(struct pb_bytes *b, struct pb_error *bad)
{
	enum pb_next got;
	size_t n = 0;

	if (b->room == 0)
		return PB_END;
	make_room(b);
	if (b->from != NULL)
		return unpack_more(b, bad);
	got = pb_source_read(
	    b->source, (char *)b->buf + b->n, b->room - b->n, &n, bad);
	if (got == PB_NEXT)
		b->n += n;
	return got;
}

enum pb_next
pb_bytes_need(struct pb_bytes *b, size_t n, struct pb_error *bad)
{
	while (b->n - b->at < n) {
		enum pb_next got = more(b, bad);

		if (got != PB_NEXT)
			return got;
	}
	return PB_NEXT;
}

void
pb_bytes_take(struct pb_bytes *b, size_t n)
{
	if (b->sum)
		b->crc = (uint32_t)crc32_z(b->crc, b->buf + b->at, n);
	b->at += n;
	b->offset += n;
}

/* Go on behind any n bytes. */
static enum pb_next
skip_bytes(struct pb_bytes *b, uint64_t n, struct pb_error *bad)
{
	for (;;) {
		size_t there = pb_bytes_there(b);
		enum pb_next got;

		if (there >= n) {
			pb_bytes_take(b, (size_t)n);
			return PB_NEXT;
		}
		pb_bytes_take(b, there);
		n -= there;
		if ((got = pb_bytes_need(b, 1, bad)) != PB_NEXT)
			return got;
	}
}

/* --- topics by their numbers --- */

enum { LONGEST = 1000 }; /* name; ROS has 255 bytes of a topic */

/* Where id is, or would be. */
static int
place(const struct pb_bag_topics *l, int64_t id)
{
	int lo = 0, hi = l->n;

	while (lo < hi) {
		int mid = (lo + hi) / 2;

		if (l->at[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct pb_bag_topic *
pb_bag_topics_find(const struct pb_bag_topics *l, int64_t id)
{
	int i = place(l, id);

	return i < l->n && l->at[i].id == id ? &l->at[i] : NULL;
}

/* A place for id, zeroed if it is new. */
static struct pb_bag_topic *
place_for(struct pb_bag_topics *l, int64_t id)
{
	int i = place(l, id);

	if (i < l->n && l->at[i].id == id)
		return &l->at[i];
	if (!pb_grow(&l->at, (size_t)l->n, &l->room, sizeof(*l->at)))
		pb_msg_end_memory();
	memmove(
	    &l->at[i + 1], &l->at[i], (size_t)(l->n++ - i) * sizeof(*l->at));
	l->at[i] = (struct pb_bag_topic){.id = id};
	return &l->at[i];
}

/* Both names in one piece; ROS 2 has a msg/ in the type that ROS 1 has not. */
static void
set_names(
    struct pb_bag_topic *t, struct pb_bag_text topic, struct pb_bag_text type)
{
	char *s = pb_resize(NULL, topic.n + type.n + 2), *msg;

	memcpy(s, topic.s, topic.n);
	s[topic.n] = '\0';
	free(t->topic);
	t->topic = s;
	t->type = s + topic.n + 1;
	memcpy(t->type, type.s, type.n);
	t->type[type.n] = '\0';
	if ((msg = strstr(t->type, "/msg/")) != NULL)
		memmove(msg, msg + 4, strlen(msg + 4) + 1);
}

bool
pb_bag_topics_put(struct pb_bag_topics *l, int64_t id, struct pb_bag_text topic,
    struct pb_bag_text type, struct pb_bag_text encoded, struct pb_error *bad)
{
	struct pb_bag_topic *t;

	if (l->n == PB_BAG_TOPICS && pb_bag_topics_find(l, id) == NULL)
		return pb_error_set(
		    bad, "more than %d topics or types", PB_BAG_TOPICS);
	if (topic.n > LONGEST || type.n > LONGEST)
		return pb_error_set(
		    bad, "the name of a topic or type is too long");
	t = place_for(l, id);
	set_names(t, topic, type);
	if (encoded.n >= sizeof(t->encoded))
		encoded.n = sizeof(t->encoded) - 1;
	memcpy(t->encoded, encoded.s, encoded.n);
	t->encoded[encoded.n] = '\0';
	return true;
}

void
pb_bag_topics_clear(struct pb_bag_topics *l)
{
	for (int i = 0; i < l->n; i++)
		free(l->at[i].topic);
	free(l->at);
	*l = (struct pb_bag_topics){0};
}

void
pb_bag_topic_of(const struct pb_bag_topic *t, struct pb_bag_message *m)
{
	const char *s = t->encoded;

	m->topic = t->topic;
	m->type = t->type;
	m->encoded = s;
	m->encoding = strcmp(s, "cdr") == 0    ? PB_BAG_CDR
	              : strcmp(s, "ros1") == 0 ? PB_BAG_ROS1
	              : strcmp(s, "json") == 0 ? PB_BAG_JSON
	                                       : PB_BAG_OTHER;
}

/* --- files of records, some in chunks --- */

/* Where in the file we are: at a record, or at the chunk's that holds it. */
static uint64_t
offset_of(const struct pb_chunked *c)
{
	return c->chunk.from != NULL ? c->at : c->file->offset;
}

enum pb_next
pb_chunked_bad(
    const struct pb_chunked *c, struct pb_error *bad, const char *fmt, ...)
{
	char text[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	pb_error_set(bad, "%s byte %" PRIu64 ": %s",
	    c->chunk.from != NULL ? "chunk at" : "at", offset_of(c), text);
	return PB_BAD;
}

enum pb_next
pb_chunked_enter(struct pb_chunked *c, struct pb_bag_text pack, size_t head,
    uint64_t n, uint64_t size, struct pb_error *bad)
{
	int kind = find_pack(pack.s, pack.n);

	if (kind < 0)
		return pb_chunked_bad(c, bad,
		    "chunk compressed by %.*s, which is not known", (int)pack.n,
		    pack.s);
	c->end = c->file->offset + c->pass;
	c->at = c->file->offset;
	c->pass = 0;
	c->size = size;
	pb_bytes_take(c->file, head);
	pb_bytes_unpack(&c->chunk, c->file, (enum pb_pack)kind, n, size);
	c->chunk.sum = c->crc != 0;
	return PB_END;
}

enum pb_next
pb_chunked_cut(
    struct pb_chunked *c, uint64_t at, const char *what, struct pb_error *bad)
{
	c->over = true;
	pb_error_set(bad, "cut off: ends at byte %" PRIu64 " %s", at, what);
	bad->kind = PB_ERROR_CUT;
	return PB_BAD;
}

/* The source failed, or is broken in a way that leaves nothing to go on with.
 */
static enum pb_next
stop(struct pb_chunked *c, enum pb_next got, struct pb_error *bad)
{
	char text[200];
	enum pb_error_kind kind = bad->kind;

	c->over = true;
	if (got != PB_BAD)
		return PB_HALT;
	snprintf(text, sizeof(text), "%.199s", bad->text);
	pb_chunked_bad(c, bad, "%s", text);
	bad->kind = kind;
	return PB_BAD;
}

/* Of the file, n bytes are gone; the last ones may not be there. */
static enum pb_next
pass_over(struct pb_chunked *c, uint64_t n, struct pb_error *bad)
{
	struct pb_bytes *b = c->file;
	enum pb_next got = skip_bytes(b, n, bad);

	if (got == PB_NEXT)
		return PB_NEXT;
	if (got == PB_END)
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
static enum pb_next
leave(struct pb_chunked *c, enum pb_next got, bool within, struct pb_error *bad)
{
	enum pb_next passed;
	struct pb_error later;
	bool good;

	if (got == PB_HALT)
		return stop(c, got, bad);
	/* The file may have ended, too, or its own packing be broken. */
	if (got == PB_END && c->chunk.left > 0 &&
	    pb_bytes_there(c->file) == 0) {
		pb_bytes_close(&c->chunk);
		return pb_chunked_cut(
		    c, c->file->offset, "within a chunk", bad);
	}
	good = got == PB_END && is_as_stated(c, within, bad);
	if (got == PB_BAD)
		stop(c, got, bad);
	c->over = false;
	pb_bytes_close(&c->chunk);
	passed = pass_over(c, c->end - c->file->offset, good ? bad : &later);
	if (passed != PB_HALT && !good)
		return PB_BAD;
	return passed == PB_NEXT ? PB_END : passed;
}

enum pb_next
pb_chunked_need(struct pb_chunked *c, uint64_t n, struct pb_error *bad)
{
	struct pb_bytes *b = pb_chunked_bytes(c);
	enum pb_next got;

	if (n > PB_BYTES_MOST) {
		c->pass = n;
		return pb_chunked_bad(c, bad,
		    "a record of %" PRIu64 " bytes, %zu are the most", n,
		    PB_BYTES_MOST);
	}
	got = pb_bytes_need(b, (size_t)n, bad);
	if (got == PB_NEXT)
		return PB_NEXT;
	if (b == &c->chunk)
		return leave(c, got, pb_bytes_there(b) > 0, bad);
	if (got != PB_END)
		return stop(c, got, bad);
	c->over = true;
	if (pb_bytes_there(b) == 0)
		return PB_END;
	return pb_chunked_cut(
	    c, b->offset + pb_bytes_there(b), "within a record", bad);
}

enum pb_next
pb_chunked_next(struct pb_chunked *c, uint64_t n, struct pb_error *bad)
{
	bool chunk = c->chunk.from != NULL;
	uint64_t pass = c->pass;
	enum pb_next got;

	c->pass = 0;
	got =
	    chunk ? skip_bytes(&c->chunk, pass, bad) : pass_over(c, pass, bad);
	if (got != PB_NEXT)
		return chunk ? leave(c, got, true, bad) : got;
	return pb_chunked_need(c, n, bad);
}

enum pb_next
pb_chunked_put(const struct pb_chunked *c, struct pb_bag_topics *l, int64_t id,
    struct pb_bag_text topic, struct pb_bag_text type,
    struct pb_bag_text encoded, struct pb_error *bad)
{
	struct pb_error why;

	return pb_bag_topics_put(l, id, topic, type, encoded, &why)
	           ? PB_END
	           : pb_chunked_bad(c, bad, "%s", why.text);
}

enum pb_next
pb_chunked_topic(struct pb_chunked *c, struct pb_bag_topics *l, int64_t id,
    struct pb_bag_message *m, const char *what, struct pb_error *bad)
{
	const struct pb_bag_topic *t = pb_bag_topics_find(l, id);
	struct pb_bag_text none = {"", 0};
	enum pb_next got;

	if (t == NULL) {
		got = pb_chunked_put(c, l, id, none, none, none, bad);
		return got != PB_END ? got
		                     : pb_chunked_bad(c, bad,
					   "%s %" PRId64 " was not told before",
					   what, id);
	}
	if (t->topic[0] == '\0' && t->encoded[0] == '\0')
		return PB_END;
	pb_bag_topic_of(t, m);
	m->offset = offset_of(c);
	return PB_NEXT;
}
