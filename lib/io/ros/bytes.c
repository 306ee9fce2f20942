/* bytes.c - the bytes of a recording one after the other, unpacked. */
#include "io/ros/bytes.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
	ROOM = 65536, /* to begin with */
	PIECE = 4096  /* packed bytes at a time: what was unpacked before those
	                 that are broken in the same piece is lost */
};

bool
pb_bytes_source(
    struct pb_bytes *b, struct pb_source *s, const void *head, size_t n)
{
	*b = (struct pb_bytes){.source = s, .size = PB_BYTES_ANY};
	b->room = n > ROOM ? n : ROOM;
	if ((b->buf = malloc(b->room)) == NULL)
		return false;
	if (n > 0)
		memcpy(b->buf, head, n);
	b->n = n;
	return true;
}

void
pb_bytes_memory(struct pb_bytes *b, const void *p, size_t n)
{
	/* Never written to: there is no room. */
	*b = (struct pb_bytes){.buf = (unsigned char *)p, .n = n};
}

bool
pb_bytes_unpack(struct pb_bytes *b, struct pb_bytes *from, enum pb_pack pack,
    uint64_t n, uint64_t size)
{
	*b = (struct pb_bytes){.from = from,
	    .unpack = pb_unpack_new(pack),
	    .pack = pack,
	    .left = n,
	    .size = size,
	    .whole = true,
	    .buf = malloc(ROOM),
	    .room = ROOM};
	if (b->unpack != NULL && b->buf != NULL)
		return true;
	pb_bytes_close(b);
	return false;
}

void
pb_bytes_close(struct pb_bytes *b)
{
	pb_unpack_free(b->unpack);
	if (b->room > 0)
		free(b->buf);
	*b = (struct pb_bytes){0};
}

static enum pb_source_got
no_memory(void)
{
	pb_msg_nomem("cannot read a recording");
	return PB_SOURCE_FAIL;
}

/* Room for at least one byte behind those that are there. */
static bool
make_room(struct pb_bytes *b)
{
	unsigned char *buf;

	if (b->at > 0) {
		memmove(b->buf, b->buf + b->at, b->n - b->at);
		b->n -= b->at;
		b->at = 0;
	}
	if (b->n < b->room)
		return true;
	if ((buf = realloc(b->buf, 2 * b->room)) == NULL)
		return false;
	b->buf = buf;
	b->room *= 2;
	return true;
}

/*
 * Unpack what is there of the packed bytes, *out of them at most; no byte more
 * than one beyond what was stated, so that we see that there are more.
 */
static enum pb_source_got
step(struct pb_bytes *b, size_t *out, struct pb_error *bad)
{
	size_t n = pb_bytes_there(b->from);
	uint64_t done = b->offset + b->n;
	bool whole = b->whole;
	enum pb_unpacked u;

	n = n > PIECE && b->pack != PB_PACK_NONE ? PIECE : n;
	n = n > b->left ? (size_t)b->left : n;
	if (b->size != PB_BYTES_ANY && *out > b->size + 1 - done)
		*out = (size_t)(b->size + 1 - done);
	u = pb_unpack_step(
	    b->unpack, pb_bytes_at(b->from), &n, b->buf + b->n, out);
	if (u == PB_UNPACKED_NOMEM)
		return no_memory();
	/* Some writers fill up with zeros behind the last frame. */
	if (u == PB_UNPACKED_BROKEN && whole && done == b->size)
		return PB_SOURCE_END;
	if (u == PB_UNPACKED_BROKEN || done + *out > b->size) {
		pb_error_set(bad,
		    u == PB_UNPACKED_BROKEN
			? "broken %s data"
			: "%s data unpack to more than they state",
		    pb_pack_name[b->pack]);
		return PB_SOURCE_BAD;
	}
	if (n > 0 || *out > 0)
		b->whole = u == PB_UNPACKED_WHOLE;
	pb_bytes_take(b->from, n);
	b->left -= b->left == PB_BYTES_ANY ? 0 : n;
	b->n += *out;
	return *out == 0 && n == 0 ? PB_SOURCE_END : PB_SOURCE_BYTES;
}

static enum pb_source_got
unpack_more(struct pb_bytes *b, struct pb_error *bad)
{
	enum pb_source_got got;
	size_t out = 0;

	do {
		got = b->left > 0 ? pb_bytes_need(b->from, 1, bad)
		                  : PB_SOURCE_END;
		out = b->room - b->n;
		/* At the end some may still be held back. */
		if (got == PB_SOURCE_BYTES || got == PB_SOURCE_END)
			got = step(b, &out, bad);
	} while (got == PB_SOURCE_BYTES && out == 0);
	return got;
}

static enum pb_source_got
more(struct pb_bytes *b, struct pb_error *bad)
{
	enum pb_source_got got;
	size_t n = 0;

	if (b->room == 0)
		return PB_SOURCE_END;
	if (!make_room(b))
		return no_memory();
	if (b->from != NULL)
		return unpack_more(b, bad);
	got = pb_source_read(
	    b->source, (char *)b->buf + b->n, b->room - b->n, &n, bad);
	if (got == PB_SOURCE_BYTES)
		b->n += n;
	return got;
}

enum pb_source_got
pb_bytes_need(struct pb_bytes *b, size_t n, struct pb_error *bad)
{
	while (b->n - b->at < n) {
		enum pb_source_got got = more(b, bad);

		if (got != PB_SOURCE_BYTES)
			return got;
	}
	return PB_SOURCE_BYTES;
}

void
pb_bytes_take(struct pb_bytes *b, size_t n)
{
	if (b->sum)
		b->crc = (uint32_t)crc32_z(b->crc, b->buf + b->at, n);
	b->at += n;
	b->offset += n;
}

enum pb_source_got
pb_bytes_skip(struct pb_bytes *b, uint64_t n, struct pb_error *bad)
{
	for (;;) {
		size_t there = pb_bytes_there(b);
		enum pb_source_got got;

		if (there >= n) {
			pb_bytes_take(b, (size_t)n);
			return PB_SOURCE_BYTES;
		}
		pb_bytes_take(b, there);
		n -= there;
		if ((got = pb_bytes_need(b, 1, bad)) != PB_SOURCE_BYTES)
			return got;
	}
}
