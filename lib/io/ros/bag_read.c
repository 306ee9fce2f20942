/* bag_read.c - read bytes, topics and records of MCAP and ROS 1 recordings. */
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
#include "io/stream/text.h"

/* --- decompression, piece by piece --- */

struct pb_unpack {
	enum pb_pack kind;
	ZSTD_DCtx *zstd;
	LZ4F_dctx *lz4;
	bz_stream bz2;
	bool bz2_begun; /* inside of a bz2 stream */
};

/* Names of compressions in recordings. */
static const char *const pack_name[] = {"none", "lz4", "zstd", "bz2"};

/* The compression with that name, -1: unknown. */
static int
find_compression(const char *s, size_t n)
{
	/* MCAP has an empty name for none, ROS 1 "none". */
	if (n == 0)
		return PB_PACK_NONE;
	for (int i = 0; i <= PB_PACK_BZ2; i++)
		if (strlen(pack_name[i]) == n &&
		    memcmp(pack_name[i], s, n) == 0)
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

/* Allocate a decompressor for unpack_free(). */
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
	UNPACKED,       /* more may follow */
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
	*n = *room = 0; /* lz4 sets neither on errors */
	/* Error codes of lz4 may change, names are part of its interface. */
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
	z->next_in = (char *)in; /* bz2 only reads it */
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

/* Decompress some of the *n bytes at in (0: only flush) into out, which has
 * *room > 0 bytes; *n and *room become the bytes read and written. */
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

/* --- input bytes --- */

enum {
	ROOM = 65536, /* bytes of the buffer at first */
	PIECE = 4096 /* compressed bytes read at a time: data before an error in
	                the same piece is lost */
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
	/* The buffer is never written to: it has no room. */
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

/* Make room for at least one more byte. */
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

/* Decompress bytes, *out at most; up to one byte more than stated, to notice a
 * wrong size. */
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
	/* Some writers pad with zeros behind the last frame. */
	if (u == UNPACKED_BROKEN && whole && done == b->size)
		return PB_END;
	if (u == UNPACKED_BROKEN || done + *out > b->size) {
		pb_error_set(bad,
		    u == UNPACKED_BROKEN
			? "broken %s data"
			: "%s data unpack to more than they state",
		    pack_name[b->pack]);
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
		/* At the end, the decompressor may still hold bytes. */
		if (got == PB_NEXT || got == PB_END)
			got = unpack_some(b, &out, bad);
	} while (got == PB_NEXT && out == 0);
	return got;
}

static enum pb_next
read_more(struct pb_bytes *b, struct pb_error *bad)
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
		enum pb_next got = read_more(b, bad);

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

/* Skip any number of bytes. */
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

/* --- topics by number --- */

enum { LONGEST = 1000 }; /* bytes of a name; ROS allows 255 for a topic */

/* Index of id in the sorted list, or where it would be. */
static int
find_place(const struct pb_bag_topics *l, int64_t id)
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
	int i = find_place(l, id);

	return i < l->n && l->at[i].id == id ? &l->at[i] : NULL;
}

/* The topic with that id, added as zeroed if new. */
static struct pb_bag_topic *
add_id(struct pb_bag_topics *l, int64_t id)
{
	int i = find_place(l, id);

	if (i < l->n && l->at[i].id == id)
		return &l->at[i];
	if (!pb_grow(&l->at, (size_t)l->n, &l->room, sizeof(*l->at)))
		pb_msg_end_memory();
	memmove(
	    &l->at[i + 1], &l->at[i], (size_t)(l->n++ - i) * sizeof(*l->at));
	l->at[i] = (struct pb_bag_topic){.id = id};
	return &l->at[i];
}

/* Store both names in one allocation. The type loses the "msg/" of ROS 2, which
 * ROS 1 does not have. */
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
	t = add_id(l, id);
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

/* --- records of a file, some in chunks --- */

static struct pb_bytes *
current_bytes(struct pb_recording *r)
{
	return r->chunk.from != NULL ? &r->chunk : r->file;
}

/* Offset in the file of the current record, or of the chunk that holds it. */
static uint64_t
find_offset(const struct pb_recording *r)
{
	return r->chunk.from != NULL ? r->at : r->file->offset;
}

/* Set bad, with the place of the current record. Returns PB_BAD. */
static enum pb_next set_failure(const struct pb_recording *r,
    struct pb_error *bad, const char *fmt, ...) PB_PRINTF(3, 4);

static enum pb_next
set_failure(
    const struct pb_recording *r, struct pb_error *bad, const char *fmt, ...)
{
	char text[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	pb_error_set(bad, "%s byte %" PRIu64 ": %s",
	    r->chunk.from != NULL ? "chunk at" : "at", find_offset(r), text);
	return PB_BAD;
}

/* Offset of the next chunk in the index; UINT64_MAX: unknown. */
static uint64_t
find_next_chunk(struct pb_recording *r)
{
	while (r->passed < r->n && r->chunks[r->passed] <= r->file->offset)
		r->passed++;
	return r->passed < r->n ? r->chunks[r->passed] : UINT64_MAX;
}

/* Whether the current record, if of n bytes, would extend into the next
 * chunk. */
static bool
overlaps(struct pb_recording *r, uint64_t n)
{
	return r->chunk.from == NULL &&
	       n > find_next_chunk(r) - r->file->offset;
}

/* The current record is damaged: continue at the next chunk. */
static enum pb_next
skip_damage(struct pb_recording *r, struct pb_error *bad)
{
	uint64_t at = find_next_chunk(r);

	set_failure(r, bad, "damaged; -k continues at byte %" PRIu64, at);
	r->pass = at - r->file->offset;
	return PB_BAD;
}

/*
 * Enter the chunk in the current record of `pass` bytes: n bytes behind its
 * head decompress to `size` bytes by the method named `pack`.
 *
 * Returns  PB_END: entered; PB_BAD, PB_HALT: failed
 */
static enum pb_next
enter_chunk(struct pb_recording *r, struct pb_bag_text pack, size_t head,
    uint64_t n, uint64_t size, struct pb_error *bad)
{
	int kind = find_compression(pack.s, pack.n);

	if (kind < 0)
		return set_failure(r, bad,
		    "chunk compressed by %.*s, which is not supported",
		    (int)pack.n, pack.s);
	r->end = r->file->offset + r->pass;
	r->at = r->file->offset;
	r->pass = 0;
	r->size = size;
	pb_bytes_take(r->file, head);
	pb_bytes_unpack(&r->chunk, r->file, (enum pb_pack)kind, n, size);
	r->chunk.sum = r->crc != 0;
	return PB_END;
}

/* Report that the file is cut off at byte `at`. Returns PB_BAD; reading is
 * over. */
static enum pb_next
refuse_cut(
    struct pb_recording *r, uint64_t at, const char *what, struct pb_error *bad)
{
	r->over = true;
	pb_error_set(bad, "cut off: ends at byte %" PRIu64 " %s", at, what);
	bad->kind = PB_ERROR_CUT;
	return PB_BAD;
}

/* The source has failed, or cannot be read further. */
static enum pb_next
stop_reading(struct pb_recording *r, enum pb_next got, struct pb_error *bad)
{
	char text[200];
	enum pb_error_kind kind = bad->kind;

	r->over = true;
	if (got != PB_BAD)
		return PB_HALT;
	snprintf(text, sizeof(text), "%.199s", bad->text);
	set_failure(r, bad, "%s", text);
	bad->kind = kind;
	return PB_BAD;
}

/* Skip n bytes of the file; if it ends before, report it as cut off. */
static enum pb_next
skip_in_file(struct pb_recording *r, uint64_t n, struct pb_error *bad)
{
	struct pb_bytes *b = r->file;
	enum pb_next got = skip_bytes(b, n, bad);

	if (got == PB_NEXT)
		return PB_NEXT;
	if (got == PB_END)
		return refuse_cut(r, b->offset, "within a record", bad);
	return stop_reading(r, got, bad);
}

/* Check the size and CRC of the finished chunk; false: bad is set. */
static bool
check_chunk(struct pb_recording *r, bool within, struct pb_error *bad)
{
	struct pb_bytes *b = &r->chunk;
	uint64_t n = b->offset + pb_bytes_there(b);

	if (n != r->size)
		set_failure(r, bad,
		    "%s data unpack to %" PRIu64 " bytes, %" PRIu64
		    " are stated",
		    pack_name[b->pack], n, r->size);
	else if (within)
		set_failure(r, bad, "ends within a record");
	else if (r->crc != 0 && b->crc != r->crc)
		set_failure(r, bad,
		    "the CRC of its records is %08" PRIx32 ", stated is "
		    "%08" PRIx32,
		    b->crc, r->crc);
	else
		return true;
	return false;
}

/*
 * Leave the current chunk, whose reading returned `got`, and skip to its end in
 * the file. All records up to here were complete.
 *
 * Given    within  the chunk ends inside a record
 */
static enum pb_next
leave_chunk(
    struct pb_recording *r, enum pb_next got, bool within, struct pb_error *bad)
{
	enum pb_next passed;
	struct pb_error later;
	bool good;

	if (got == PB_HALT)
		return stop_reading(r, got, bad);
	/* Maybe the file has ended, or its own compression is damaged. */
	if (got == PB_END && r->chunk.left > 0 &&
	    pb_bytes_there(r->file) == 0) {
		pb_bytes_close(&r->chunk);
		return refuse_cut(r, r->file->offset, "within a chunk", bad);
	}
	good = got == PB_END && check_chunk(r, within, bad);
	if (got == PB_BAD)
		stop_reading(r, got, bad);
	r->over = false;
	pb_bytes_close(&r->chunk);
	passed = skip_in_file(r, r->end - r->file->offset, good ? bad : &later);
	if (passed == PB_NEXT && !good)
		strncat(bad->text, "; -k goes on behind it",
		    sizeof(bad->text) - strlen(bad->text) - 1);
	if (passed != PB_HALT && !good)
		return PB_BAD;
	return passed == PB_NEXT ? PB_END : passed;
}

/* Buffer n bytes of the current record; returns as next_record() does. */
static enum pb_next
buffer_bytes(struct pb_recording *r, uint64_t n, struct pb_error *bad)
{
	struct pb_bytes *b = current_bytes(r);
	enum pb_next got;

	if (n > PB_BYTES_MOST) {
		r->pass = n;
		return set_failure(r, bad,
		    "a record of %" PRIu64 " bytes, %zu are the most", n,
		    PB_BYTES_MOST);
	}
	got = pb_bytes_need(b, (size_t)n, bad);
	if (got == PB_NEXT)
		return PB_NEXT;
	if (b == &r->chunk)
		return leave_chunk(r, got, pb_bytes_there(b) > 0, bad);
	if (got != PB_END)
		return stop_reading(r, got, bad);
	r->over = true;
	if (pb_bytes_there(b) == 0)
		return PB_END;
	return refuse_cut(
	    r, b->offset + pb_bytes_there(b), "within a record", bad);
}

/*
 * Skip the `pass` bytes of the last record, and buffer n bytes of the next.
 *
 * Returns  PB_NEXT: buffered. PB_END: no record: a chunk ended, and the next
 *          call continues behind it; or the file ended, then `over` is set.
 *          PB_BAD: damaged or too long; the next call continues behind it
 */
static enum pb_next
next_record(struct pb_recording *r, uint64_t n, struct pb_error *bad)
{
	bool chunk = r->chunk.from != NULL;
	uint64_t pass = r->pass;
	enum pb_next got;

	r->pass = 0;
	got = chunk ? skip_bytes(&r->chunk, pass, bad)
	            : skip_in_file(r, pass, bad);
	if (got != PB_NEXT)
		return chunk ? leave_chunk(r, got, true, bad) : got;
	return buffer_bytes(r, n, bad);
}

/* Add a topic to the list. Returns PB_END; PB_BAD, PB_HALT: failed. */
static enum pb_next
add_topic(const struct pb_recording *r, struct pb_bag_topics *l, int64_t id,
    struct pb_bag_text topic, struct pb_bag_text type,
    struct pb_bag_text encoded, struct pb_error *bad)
{
	struct pb_error why;

	return pb_bag_topics_put(l, id, topic, type, encoded, &why)
	           ? PB_END
	           : set_failure(r, bad, "%s", why.text);
}

/* Fill in m, the current record, of topic id; what: the id's name. Returns
 * PB_NEXT; PB_BAD if the id is unknown, PB_END at its later messages. */
static enum pb_next
find_topic(struct pb_recording *r, struct pb_bag_topics *l, int64_t id,
    struct pb_bag_message *m, const char *what, struct pb_error *bad)
{
	const struct pb_bag_topic *t = pb_bag_topics_find(l, id);
	struct pb_bag_text none = {"", 0};
	enum pb_next got;

	if (t == NULL) {
		got = add_topic(r, l, id, none, none, none, bad);
		return got != PB_END
		           ? got
		           : set_failure(r, bad,
				 "%s %" PRId64 " was not defined before", what,
				 id);
	}
	if (t->topic[0] == '\0' && t->encoded[0] == '\0')
		return PB_END;
	pb_bag_topic_of(t, m);
	m->offset = find_offset(r);
	return PB_NEXT;
}

/* Add a chunk of the index. */
static void
add_chunk(struct pb_recording *r, uint64_t at)
{
	if (!pb_grow(&r->chunks, r->n, &r->room, sizeof(*r->chunks)))
		pb_msg_end_memory();
	r->chunks[r->n++] = at;
}

/* --- bags of ROS 1, format 2.0 --- */

static const char ros1_magic[] = "#ROSBAG V2.0\n";

enum {
	ROS1_HEAD = 4, /* bytes of a header's length */
	/* Values of the field op. */
	ROS1_MESSAGE = 2,
	ROS1_FILE_HEADER = 3,
	ROS1_INDEX = 4, /* index of a connection in a chunk */
	ROS1_CHUNK = 5,
	ROS1_CHUNK_INFO = 6,
	ROS1_CONNECTION = 7
};

/* Fields of a header or connection: each a length and NAME=VALUE. */
struct fields {
	const unsigned char *p;
	size_t n;
};

/* The value of the field called name; s is NULL if there is none of n bytes (0:
 * of any length). */
static struct pb_bag_text
find_field(struct fields f, const char *name, size_t n)
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

/* Read a number of n bytes into *v; false: there is none. */
static bool
read_number(struct fields f, const char *name, size_t n, uint64_t *v)
{
	struct pb_bag_text t = find_field(f, name, n);
	const unsigned char *p = (const unsigned char *)t.s;

	if (p != NULL)
		*v = pb_le_get(p, (int)n);
	return p != NULL;
}

/* Returns PB_END if it was read. */
static enum pb_next
read_ros1_connection(struct pb_recording *r, struct fields h, struct fields f,
    struct pb_error *bad)
{
	struct pb_bag_text topic = find_field(h, "topic", 0);
	struct pb_bag_text type = find_field(f, "type", 0), ros1 = {"ros1", 4};
	uint64_t conn;

	if (!read_number(h, "conn", 4, &conn) || topic.s == NULL ||
	    type.s == NULL)
		return set_failure(
		    r, bad, "a connection without conn, topic or type");
	return add_topic(r, &r->topics, (int64_t)conn, topic, type, ros1, bad);
}

static enum pb_next
read_ros1_message(struct pb_recording *r, struct fields h, struct fields f,
    struct pb_bag_message *m, struct pb_error *bad)
{
	enum pb_next got;
	uint64_t conn, t;

	if (!read_number(h, "conn", 4, &conn) || !read_number(h, "time", 8, &t))
		return set_failure(r, bad, "a message without conn or time");
	got = find_topic(r, &r->topics, (int64_t)conn, m, "connection", bad);
	if (got != PB_NEXT)
		return got;
	/* Seconds and nanoseconds, 4 bytes each. */
	m->t = (int64_t)(t & UINT32_MAX) * 1000000000 + (int64_t)(t >> 32);
	m->data = f.p;
	m->size = f.n;
	return PB_NEXT;
}

/* Enter the chunk of n bytes behind its header h of head bytes. */
static enum pb_next
read_ros1_chunk(struct pb_recording *r, struct fields h, size_t head,
    uint32_t n, struct pb_error *bad)
{
	struct pb_bag_text name = find_field(h, "compression", 0);
	uint64_t size;

	r->pass = head + n;
	if (name.s == NULL || !read_number(h, "size", 4, &size))
		return set_failure(
		    r, bad, "a chunk without compression or size");
	name.n = name.n > 64 ? 64 : name.n; /* cut for messages */
	return enter_chunk(r, name, head, n, size, bad);
}

/* Whether n bytes at p may begin a record: a header and its first field. */
static bool
is_ros1(const unsigned char *p, size_t n)
{
	uint64_t head = n < 8 ? 0 : pb_le_get(p, 4);
	uint64_t field = n < 8 ? 0 : pb_le_get(p + 4, 4);

	return field >= 2 && field + 4 <= head && n >= 8 + field &&
	       memchr(p + 8, '=', (size_t)field) != NULL;
}

/*
 * Length of the data of an index behind head bytes; `size` is stated. Bags of
 * 2010 state too much: then the number of entries, of 12 bytes each, counts, if
 * a record or the end follows.
 */
static uint32_t
find_index_size(struct pb_bytes *b, size_t head, struct fields h, uint32_t size)
{
	enum { EACH = 12, NEXT = 1200 };
	struct pb_error bad;
	uint64_t count, n;

	if (!read_number(h, "count", 4, &count) || size == EACH * count ||
	    count > PB_BYTES_MOST / EACH - NEXT)
		return size;
	n = head + EACH * count;
	pb_bytes_need(b, (size_t)n + NEXT, &bad);
	if (pb_bytes_there(b) < n ||
	    (pb_bytes_there(b) > n &&
		!is_ros1(pb_bytes_at(b) + n, pb_bytes_there(b) - (size_t)n)))
		return size;
	return (uint32_t)(EACH * count);
}

/* Read the record whose header's length is buffered. Returns PB_END: it is no
 * message. */
static enum pb_next
read_ros1_record(
    struct pb_recording *r, struct pb_bag_message *m, struct pb_error *bad)
{
	struct pb_bytes *b = current_bytes(r);
	size_t n = (size_t)pb_le_get(pb_bytes_at(b), 4), head = 4 + n + 4;
	enum pb_next got;
	struct fields h, f;
	uint32_t size;
	uint64_t op = 0, at;

	if (overlaps(r, head))
		return skip_damage(r, bad);
	if ((got = buffer_bytes(r, head, bad)) != PB_NEXT)
		return got;
	h = (struct fields){pb_bytes_at(b) + 4, n};
	size = (uint32_t)pb_le_get(h.p + n, 4);
	read_number(h, "op", 1, &op);
	if (op == ROS1_INDEX)
		size = find_index_size(b, head, h, size);
	h.p = pb_bytes_at(b) + 4;
	if (overlaps(r, op == 0 ? UINT64_MAX : head + size))
		return skip_damage(r, bad);
	if (op == ROS1_CHUNK && r->chunk.from == NULL)
		return read_ros1_chunk(r, h, head, size, bad);
	if (op == ROS1_FILE_HEADER)
		read_number(h, "index_pos", 8, &r->index_at);
	if (r->index && op == ROS1_CHUNK_INFO &&
	    read_number(h, "chunk_pos", 8, &at))
		add_chunk(r, at);
	if (op == ROS1_MESSAGE || op == ROS1_CONNECTION) {
		got = buffer_bytes(r, head + size, bad);
		if (got != PB_NEXT)
			return got;
	}
	r->pass = head + size;
	h.p = pb_bytes_at(b) + 4;
	f = (struct fields){h.p + n + 4, size};
	return op == ROS1_MESSAGE      ? read_ros1_message(r, h, f, m, bad)
	       : op == ROS1_CONNECTION ? read_ros1_connection(r, h, f, bad)
	                               : PB_END;
}

/* --- MCAP --- */

static const char mcap_magic[] = "\x89MCAP0\r\n";

enum {
	MCAP_MAGIC = 8,
	MCAP_HEAD = 9, /* bytes of opcode and length */
	/* Opcodes. */
	MCAP_FOOTER = 2,
	MCAP_SCHEMA,
	MCAP_CHANNEL,
	MCAP_MESSAGE,
	MCAP_CHUNK,
	MCAP_CHUNK_INDEX = 8,
	MCAP_DATA_END = 15
};

/* Rest of a record while it is parsed. */
struct content {
	const unsigned char *p;
	uint64_t n;
	bool shorter; /* it ended too early */
};

static const unsigned char *
take_bytes(struct content *c, uint64_t n)
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
take_text(struct content *c)
{
	uint32_t n = (uint32_t)pb_le_get(take_bytes(c, 4), 4);
	const char *s = (const char *)take_bytes(c, n);

	return (struct pb_bag_text){s, c->shorter ? 0 : n};
}

/* Returns PB_END if it was read. */
static enum pb_next
read_mcap_schema(struct pb_recording *r, struct content c, struct pb_error *bad)
{
	uint32_t id = (uint32_t)pb_le_get(take_bytes(&c, 2), 2);
	struct pb_bag_text name = take_text(&c), encoded = take_text(&c);
	struct pb_bag_text none = {"", 0};

	if (c.shorter)
		return set_failure(r, bad, "a schema is cut short");
	return add_topic(r, &r->schemas, id, none, name, encoded, bad);
}

static enum pb_next
read_mcap_channel(
    struct pb_recording *r, struct content c, struct pb_error *bad)
{
	uint32_t id = (uint32_t)pb_le_get(take_bytes(&c, 2), 2);
	uint32_t schema = (uint32_t)pb_le_get(take_bytes(&c, 2), 2);
	struct pb_bag_text topic = take_text(&c), encoded = take_text(&c);
	const struct pb_bag_topic *s =
	    pb_bag_topics_find(&r->schemas, (int64_t)schema);
	struct pb_bag_text type = {s ? s->type : "", s ? strlen(s->type) : 0};

	if (c.shorter)
		return set_failure(r, bad, "a channel is cut short");
	if (s == NULL && schema != 0)
		return set_failure(r, bad,
		    "%.*s: schema %" PRIu32 " was not defined before",
		    (int)(topic.n < 100 ? topic.n : 100), topic.s, schema);
	return add_topic(r, &r->topics, id, topic, type, encoded, bad);
}

static enum pb_next
read_mcap_message(struct pb_recording *r, struct content c,
    struct pb_bag_message *m, struct pb_error *bad)
{
	int64_t id = (int64_t)pb_le_get(take_bytes(&c, 2), 2);
	enum pb_next got;

	take_bytes(&c, 4); /* sequence */
	m->t = (int64_t)pb_le_get(take_bytes(&c, 8), 8);
	take_bytes(&c, 8); /* when it was published */
	if (c.shorter)
		return set_failure(r, bad, "a message is cut short");
	got = find_topic(r, &r->topics, id, m, "channel", bad);
	if (got != PB_NEXT)
		return got;
	m->data = c.p;
	m->size = (size_t)c.n;
	return PB_NEXT;
}

/* Enter the chunk in a record of n bytes. */
static enum pb_next
read_mcap_chunk(struct pb_recording *r, uint64_t n, struct pb_error *bad)
{
	uint64_t size, left, seen = n < 128 ? n : 128;
	enum pb_next got = buffer_bytes(r, MCAP_HEAD + seen, bad);
	struct content c = {pb_bytes_at(r->file) + MCAP_HEAD, seen, false};
	struct pb_bag_text name;

	if (got != PB_NEXT)
		return got;
	r->pass = MCAP_HEAD + n;
	take_bytes(&c, 16); /* first and last time */
	size = pb_le_get(take_bytes(&c, 8), 8);
	r->crc = (uint32_t)pb_le_get(take_bytes(&c, 4), 4);
	name = take_text(&c);
	left = pb_le_get(take_bytes(&c, 8), 8);
	if (c.shorter || left > n - (seen - c.n))
		return set_failure(r, bad, "a chunk is cut short");
	return enter_chunk(
	    r, name, (size_t)(MCAP_HEAD + seen - c.n), left, size, bad);
}

static enum pb_next
read_mcap_chunk_index(struct pb_recording *r, struct content c)
{
	take_bytes(&c, 16); /* first and last time */
	add_chunk(r, pb_le_get(take_bytes(&c, 8), 8));
	return PB_END;
}

/* Read the last record; only the magic bytes may follow. */
static enum pb_next
read_mcap_footer(struct pb_recording *r, struct pb_error *bad)
{
	struct pb_bytes *b = r->file;
	enum pb_next got = next_record(r, MCAP_MAGIC, bad);

	if (got == PB_END) /* the file ends behind the footer */
		return refuse_cut(r, b->offset, "in its footer", bad);
	if (got != PB_NEXT)
		return got;
	r->over = true;
	if (memcmp(pb_bytes_at(b), mcap_magic, MCAP_MAGIC) != 0)
		return set_failure(r, bad,
		    "does not end with MCAP's magic "
		    "bytes");
	if (pb_bytes_need(b, MCAP_MAGIC + 1, bad) != PB_END)
		return set_failure(r, bad, "has data behind its end");
	return PB_END;
}

/* Read the current record, whose head is buffered. PB_END: no message. */
static enum pb_next
read_mcap_record(
    struct pb_recording *r, struct pb_bag_message *m, struct pb_error *bad)
{
	struct pb_bytes *b = current_bytes(r);
	bool chunk = r->chunk.from != NULL;
	int op = pb_bytes_at(b)[0];
	uint64_t n = pb_le_get(pb_bytes_at(b) + 1, 8);
	bool known = op == MCAP_FOOTER ||
	             (r->index && op == MCAP_CHUNK_INDEX) ||
	             (!r->summary && (op == MCAP_SCHEMA || op == MCAP_CHANNEL ||
					 op == MCAP_MESSAGE));
	struct content c;
	enum pb_next got;

	if (n > INT64_MAX)
		n = INT64_MAX; /* refused as cut off */
	if (overlaps(r, MCAP_HEAD + n))
		return skip_damage(r, bad);
	if (op == MCAP_CHUNK && !r->summary && !chunk)
		return read_mcap_chunk(r, n, bad);
	if (known && (got = buffer_bytes(r, MCAP_HEAD + n, bad)) != PB_NEXT)
		return got;
	r->pass = MCAP_HEAD + n;
	c = (struct content){pb_bytes_at(b) + MCAP_HEAD, n, false};
	r->summary |= !chunk && op == MCAP_DATA_END;
	if (!known || (chunk && op == MCAP_FOOTER))
		return PB_END;
	return op == MCAP_SCHEMA        ? read_mcap_schema(r, c, bad)
	       : op == MCAP_CHANNEL     ? read_mcap_channel(r, c, bad)
	       : op == MCAP_MESSAGE     ? read_mcap_message(r, c, m, bad)
	       : op == MCAP_CHUNK_INDEX ? read_mcap_chunk_index(r, c)
	                                : read_mcap_footer(r, bad);
}

/* --- both formats --- */

bool
pb_recording_open(struct pb_recording *r, bool mcap, struct pb_bytes *file,
    struct pb_error *bad)
{
	const char *magic = mcap ? mcap_magic : ros1_magic;
	size_t n = strlen(magic);

	if (pb_bytes_there(file) < n ||
	    memcmp(pb_bytes_at(file), magic, n) != 0)
		return pb_error_set(
		    bad, mcap ? "MCAP of an unknown version"
			      : "a bag of ROS 1 of another version than 2.0");
	pb_bytes_take(file, n);
	*r = (struct pb_recording){.mcap = mcap, .file = file};
	return true;
}

void
pb_recording_close(struct pb_recording *r)
{
	pb_bytes_close(&r->chunk);
	pb_bag_topics_clear(&r->topics);
	pb_bag_topics_clear(&r->schemas);
	free(r->chunks);
	*r = (struct pb_recording){0};
}

/* The file has ended behind a complete record. */
static enum pb_next
end_recording(struct pb_recording *r, struct pb_error *bad)
{
	uint64_t at = r->file->offset;

	if (r->mcap)
		return refuse_cut(r, at, "without MCAP's footer", bad);
	if (r->index_at == 0)
		return refuse_cut(r, at, "and was never closed", bad);
	if (at < r->index_at)
		return refuse_cut(r, at, "before its index", bad);
	return PB_END;
}

enum pb_next
pb_recording_next(
    struct pb_recording *r, struct pb_bag_message *m, struct pb_error *bad)
{
	enum pb_next got = PB_END;

	while (got == PB_END && !r->over) {
		got = next_record(r, r->mcap ? MCAP_HEAD : ROS1_HEAD, bad);
		if (got == PB_END && r->over)
			return end_recording(r, bad);
		if (got == PB_NEXT)
			got = r->mcap ? read_mcap_record(r, m, bad)
			              : read_ros1_record(r, m, bad);
	}
	return got;
}

/* --- index at the end of a file, to continue after damage --- */

#define INDEX_MOST ((uint64_t)64 << 20) /* bytes, enough for 400,000 chunks */

/* Read n bytes of f from `at` on; fewer at its end. */
static size_t
read_at(FILE *f, uint64_t at, void *p, size_t n)
{
	return at <= INT64_MAX && fseeko(f, (off_t)at, SEEK_SET) == 0
	           ? fread(p, 1, n, f)
	           : 0;
}

/* Read a number of size bytes from the header of the ROS 1 record at `at`; 0:
 * it has none. */
static uint64_t
read_number_at(FILE *f, uint64_t at, const char *name, size_t size)
{
	unsigned char p[256] = {0};
	uint64_t n, v = 0;

	read_at(f, at, p, sizeof(p));
	n = pb_le_get(p, 4);
	if (n <= sizeof(p) - 4)
		read_number((struct fields){p + 4, (size_t)n}, name, size, &v);
	return v;
}

/* Offset of the index, by the file. */
static uint64_t
find_index(FILE *f, bool mcap, uint64_t size)
{
	enum { MCAP_FOOT = 20 };
	unsigned char p[8] = {0};

	if (!mcap)
		return read_number_at(
		    f, sizeof(ros1_magic) - 1, "index_pos", 8);
	read_at(f, size - MCAP_MAGIC - MCAP_FOOT, p, 8);
	return pb_le_get(p, 8);
}

static bool
is_chunk(FILE *f, bool mcap, uint64_t at)
{
	unsigned char op = 0;

	if (!mcap)
		return read_number_at(f, at, "op", 1) == ROS1_CHUNK;
	return read_at(f, at, &op, 1) == 1 && op == MCAP_CHUNK;
}

static int
compare_places(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Parse the records in the n bytes of an index at p. */
static void
read_index(struct pb_recording *r, FILE *f, const void *p, size_t n)
{
	struct pb_bytes bytes;
	struct pb_recording x = {
	    .mcap = r->mcap, .file = &bytes, .index = true};
	struct pb_bag_message m;
	struct pb_error bad;

	pb_bytes_memory(&bytes, p, n);
	while (!x.over && pb_recording_next(&x, &m, &bad) != PB_HALT)
		continue;
	if (x.n > 0)
		qsort(x.chunks, x.n, sizeof(*x.chunks), compare_places);
	for (size_t i = 0; i < x.n; i++)
		if (is_chunk(f, r->mcap, x.chunks[i]))
			add_chunk(r, x.chunks[i]);
	r->topics = x.topics;
	r->schemas = x.schemas;
	x.topics = x.schemas = (struct pb_bag_topics){NULL, 0, 0};
	pb_recording_close(&x);
}

void
pb_recording_index(struct pb_recording *r, const char *path)
{
	FILE *f = fopen(path, "rb");
	uint64_t size, at;
	void *p;

	if (f == NULL || fseeko(f, 0, SEEK_END) != 0 || ftello(f) < 0) {
		if (f != NULL)
			fclose(f);
		return;
	}
	size = (uint64_t)ftello(f);
	at = find_index(f, r->mcap, size);
	if (at > 0 && at < size && size - at <= INDEX_MOST) {
		p = pb_alloc((size_t)(size - at), 1);
		read_index(r, f, p, read_at(f, at, p, (size_t)(size - at)));
		free(p);
	}
	fclose(f);
}
