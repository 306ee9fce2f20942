/* kept.c - what took long to learn, as bytes from which it is had again. */
#include "policy/kept.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "pb/version.h"

/* Raise it when the same map and constants come to other numbers. */
#define LEARNT 2

/* The header: magic, then numbers of eight bytes. */
static const unsigned char magic[8] = "pb-safe\n";
enum {
	AT_VERSION = 8,
	AT_MAP = 16,
	AT_CONSTANTS = 24,
	AT_SUM = 32,
	HEADER = 40
};

static void
put(unsigned char *at, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		at[i] = (unsigned char)(v >> 8 * i);
}

static uint64_t
get(const unsigned char *at, int bytes)
{
	uint64_t v = 0;

	for (int i = 0; i < bytes; i++)
		v |= (uint64_t)at[i] << 8 * i;
	return v;
}

static uint64_t
version(void)
{
	const char *v = PB_VERSION;

	return pb_hash_u64(pb_hash_bytes(PB_HASH_START, v, strlen(v)), LEARNT);
}

/* Of all but itself. */
static uint64_t
sum_of(const unsigned char *at, size_t n)
{
	return pb_hash_bytes(
	    pb_hash_bytes(PB_HASH_START, at, AT_SUM), at + HEADER, n - HEADER);
}

enum pb_kept_fit
pb_kept_look(const unsigned char *was, size_t size)
{
	size_t head = size < sizeof(magic) ? size : sizeof(magic);

	if (size == 0)
		return PB_KEPT_EMPTY;
	if (memcmp(was, magic, head) != 0)
		return PB_KEPT_FOREIGN;
	if (size < HEADER)
		return PB_KEPT_DAMAGED;
	if (get(was + AT_VERSION, 8) != version())
		return PB_KEPT_VERSION;
	return get(was + AT_SUM, 8) == sum_of(was, size) ? PB_KEPT_FITS
	                                                 : PB_KEPT_DAMAGED;
}

/* Room for so many more bytes. Returns where, NULL if there is none. */
static unsigned char *
grow(struct pb_kept *k, size_t more)
{
	size_t room = k->room;
	unsigned char *at = k->at;

	if (more > SIZE_MAX / 4 - k->n)
		k->failed = true;
	while (room < k->n + more && !k->failed)
		room = room * 2 < k->n + more ? k->n + more : room * 2;
	if (!k->failed && room > k->room) {
		at = realloc(k->at, room);
		k->failed = at == NULL;
	}
	if (k->failed)
		return NULL;
	k->at = at;
	k->room = room;
	k->n += more;
	return at + k->n - more;
}

void
pb_kept_begin(struct pb_kept *k, const struct pb_kept_of *of)
{
	unsigned char *at;

	/* Whoever gave bytes has looked at them. */
	k->fit = k->size == 0 ? PB_KEPT_EMPTY : PB_KEPT_FITS;
	if (k->size > 0 && get(k->was + AT_MAP, 8) != of->map)
		k->fit = PB_KEPT_MAP;
	else if (k->size > 0 && get(k->was + AT_CONSTANTS, 8) != of->constants)
		k->fit = PB_KEPT_CONSTANTS;
	k->used = HEADER;
	if (pb_kept_reads(k) || !k->keep || (at = grow(k, HEADER)) == NULL)
		return;
	memcpy(at, magic, sizeof(magic));
	put(at + AT_VERSION, version(), 8);
	put(at + AT_MAP, of->map, 8);
	put(at + AT_CONSTANTS, of->constants, 8);
}

/* The next n numbers of so many bytes, to read or to fill; NULL: neither. */
static unsigned char *
next(struct pb_kept *k, size_t n, size_t bytes)
{
	if (k->failed || (!pb_kept_reads(k) && !k->keep))
		return NULL;
	if (!pb_kept_reads(k))
		return grow(k, n * bytes);
	k->failed = n > (k->size - k->used) / bytes;
	if (k->failed)
		return NULL;
	k->used += n * bytes;
	return (unsigned char *)k->was + k->used - n * bytes;
}

void
pb_kept_floats(struct pb_kept *k, float *a, size_t n)
{
	unsigned char *at = next(k, n, 4);
	bool reads = pb_kept_reads(k);

	for (size_t i = 0; at != NULL && i < n; i++) {
		uint32_t v;

		memcpy(&v, &a[i], 4);
		if (!reads) {
			put(at + 4 * i, v, 4);
			continue;
		}
		v = (uint32_t)get(at + 4 * i, 4);
		memcpy(&a[i], &v, 4);
		k->failed |= !(a[i] >= 0 && a[i] < INFINITY);
	}
}

void
pb_kept_doubles(struct pb_kept *k, double *a, size_t n)
{
	unsigned char *at = next(k, n, 8);
	bool reads = pb_kept_reads(k);

	for (size_t i = 0; at != NULL && i < n; i++) {
		uint64_t v;

		memcpy(&v, &a[i], 8);
		if (!reads) {
			put(at + 8 * i, v, 8);
			continue;
		}
		v = get(at + 8 * i, 8);
		memcpy(&a[i], &v, 8);
		k->failed |= !(a[i] >= 0 && a[i] < INFINITY);
	}
}

bool
pb_kept_end(struct pb_kept *k)
{
	if (pb_kept_reads(k))
		return !k->failed && k->used == k->size;
	if (k->failed) {
		free(k->at);
		k->at = NULL;
		k->n = 0;
	}
	if (k->at != NULL)
		put(k->at + AT_SUM, sum_of(k->at, k->n), 8);
	return true;
}
