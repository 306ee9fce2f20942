/* bytes.h - the bytes of a recording one after the other, unpacked. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/ros/unpack.h"
#include "io/stream/source.h"

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

/* Of a source that gave n bytes of head already. False: no memory. */
bool pb_bytes_source(
    struct pb_bytes *b, struct pb_source *s, const void *head, size_t n);

/* Of memory, which the caller keeps. */
void pb_bytes_memory(struct pb_bytes *b, const void *p, size_t n);

/*
 * What the next n bytes of from unpack to, size of them or PB_BYTES_ANY; from
 * is the caller's. False: no memory.
 */
bool pb_bytes_unpack(struct pb_bytes *b, struct pb_bytes *from,
    enum pb_pack pack, uint64_t n, uint64_t size);

void pb_bytes_close(struct pb_bytes *b);

/*
 * Have n <= PB_BYTES_MOST bytes to look at, at pb_bytes_at(), until the next
 * call. END: so many do not come; those that do can be looked at.
 */
enum pb_source_got pb_bytes_need(
    struct pb_bytes *b, size_t n, struct pb_error *bad);

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

/* Go on behind n bytes of those that are there, or behind any n. */
void pb_bytes_take(struct pb_bytes *b, size_t n);
enum pb_source_got pb_bytes_skip(
    struct pb_bytes *b, uint64_t n, struct pb_error *bad);
