/* cbor.c - CBOR (RFC 8949), as rosbridge sends it, as the JSON that it means.
 */
#include "io/ros/cbor.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "io/stream/le.h"

/* Items in items; messages of ROS have fewer. */
#define DEPTH 64

/* Major types, and those of typed arrays: tags 0b010fsell of RFC 8746. */
enum { UINT, NINT, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE };
enum { TYPED = 64, TYPED_END = 88, FLOATS = 16, SIGNED = 8, LITTLE = 4 };

struct cbor {
	const unsigned char *s;
	size_t at, n;
	int depth;
	struct pb_text *o;
	struct pb_text word; /* scratch, owned */
	struct pb_error *bad;
};

static bool
fail(struct cbor *c, const char *what)
{
	pb_error_set(c->bad, "CBOR, byte %zu: %s", c->at, what);
	return false;
}

/* A float of 2, 4 or 8 bytes. */
static double
float_of(uint64_t bits, int size)
{
	uint32_t low = (uint32_t)bits;
	int e = (int)(low >> 10 & 31);
	double d;
	float f;

	if (size == 8) {
		memcpy(&d, &bits, sizeof(d));
		return d;
	}
	if (size == 4) {
		memcpy(&f, &low, sizeof(f));
		return (double)f;
	}
	d = low & 1023;
	d = e == 0 ? ldexp(d, -24) : e == 31 ? NAN : ldexp(d + 1024, e - 25);
	return low >> 15 & 1 ? -d : d;
}

static void
put_int(struct cbor *c, bool negative, uint64_t v)
{
	if (v > INT64_MAX)
		pb_text_exact(c->o, negative ? -1 - (double)v : (double)v);
	else
		pb_text_int(c->o, negative ? -1 - (int64_t)v : (int64_t)v);
}

/* An element of a typed array. */
static void
put_element(struct cbor *c, unsigned tag, int size, const unsigned char *p)
{
	uint64_t v = tag & LITTLE ? pb_le_get(p, size) : pb_be_get(p, size);
	bool negative = tag & SIGNED && v >> (8 * size - 1);

	if (tag & FLOATS)
		pb_text_exact(c->o, float_of(v, size));
	else if (negative)
		put_int(c, true, ~v & UINT64_MAX >> (64 - 8 * size));
	else
		put_int(c, false, v);
}

/* n bytes as an array of numbers. */
static bool
put_array(struct cbor *c, unsigned tag, size_t n)
{
	int size = 1 << ((tag & 3) + (tag & FLOATS ? 1 : 0));
	const unsigned char *p = c->s + c->at;

	if (size > 8)
		return fail(c, "floats of 128 bits are not read");
	if (n % (size_t)size != 0)
		return fail(c, "an array that ends within a number");
	pb_text_put(c->o, "[", 1);
	for (size_t i = 0; i < n; i += (size_t)size) {
		pb_text_put(c->o, ",", i > 0);
		put_element(c, tag, size, p + i);
	}
	pb_text_put(c->o, "]", 1);
	c->at += n;
	return true;
}

static bool
put_text(struct cbor *c, size_t n)
{
	const char *s = (const char *)c->s + c->at;

	if (memchr(s, 0, n))
		return fail(c, "a NUL in a text");
	c->word.len = 0;
	pb_text_put(&c->word, s, n);
	pb_text_put(&c->word, "", 1);
	if (c->word.failed)
		return pb_error_nomem(c->bad, "message");
	pb_text_string(c->o, c->word.s);
	c->at += n;
	return true;
}

/* The head of an item: its major type, and its argument. */
static bool
get_head(struct cbor *c, int *major, int *minor, uint64_t *arg)
{
	int size = 0;

	if (c->at == c->n)
		return fail(c, "it ends too early");
	*major = c->s[c->at] >> 5;
	*minor = c->s[c->at] & 31;
	if (*minor > 27)
		return fail(c, "a length that is not stated is not read");
	if (*minor >= 24)
		size = 1 << (*minor - 24);
	if (c->n - c->at - 1 < (size_t)size)
		return fail(c, "it ends too early");
	*arg = size ? pb_be_get(c->s + c->at + 1, size) : (uint64_t)*minor;
	/* Each item, each byte of a string, is a byte at least. */
	if (*major >= BYTES && *major <= MAP &&
	    *arg > c->n - c->at - 1 - (size_t)size)
		return fail(c, "a length beyond its end");
	c->at += 1 + (size_t)size;
	return true;
}

static bool put_item(struct cbor *c);

static bool
put_items(struct cbor *c, bool map, uint64_t n)
{
	bool ok = true;

	if (++c->depth > DEPTH)
		return fail(c, "too deep");
	pb_text_put(c->o, map ? "{" : "[", 1);
	for (uint64_t i = 0; ok && i < n; i++) {
		pb_text_put(c->o, ",", i > 0);
		if (map && c->at < c->n && c->s[c->at] >> 5 != TEXT)
			return fail(c, "a key that is no text");
		ok = !map || put_item(c);
		pb_text_put(c->o, ":", map);
		ok = ok && put_item(c);
	}
	pb_text_put(c->o, map ? "}" : "]", 1);
	c->depth--;
	return ok;
}

static bool
put_tagged(struct cbor *c, uint64_t tag)
{
	int major, minor;
	uint64_t n;
	bool ok;

	if (tag >= TYPED && tag < TYPED_END)
		return get_head(c, &major, &minor, &n) &&
		       (major == BYTES ||
			   fail(c, "a typed array of no bytes")) &&
		       put_array(c, (unsigned)tag, (size_t)n);
	if (++c->depth > DEPTH)
		return fail(c, "too deep");
	ok = put_item(c);
	c->depth--;
	return ok;
}

static bool
put_item(struct cbor *c)
{
	int major, minor;
	uint64_t n;

	if (!get_head(c, &major, &minor, &n))
		return false;
	if (major <= NINT)
		put_int(c, major == NINT, n);
	else if (major == BYTES)
		return put_array(c, TYPED, (size_t)n);
	else if (major == TEXT)
		return put_text(c, (size_t)n);
	else if (major <= MAP)
		return put_items(c, major == MAP, n);
	else if (major == TAG)
		return put_tagged(c, n);
	else if (minor >= 25)
		pb_text_exact(c->o, float_of(n, 1 << (minor - 24)));
	else
		pb_text_puts(c->o, n == 20   ? "false"
				   : n == 21 ? "true"
					     : "null");
	return true;
}

bool
pb_cbor_put(
    struct pb_text *o, const unsigned char *s, size_t n, struct pb_error *bad)
{
	struct cbor c = {.s = s, .n = n, .o = o, .bad = bad};
	bool ok = put_item(&c) &&
	          (c.at == n || fail(&c, "there is more behind its end"));

	pb_text_clear(&c.word);
	return ok && (!o->failed || pb_error_nomem(bad, "message"));
}
