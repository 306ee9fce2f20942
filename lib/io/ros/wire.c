/* wire.c - bytes of ROS messages: the CDR of ROS 2 and those of ROS 1. */
#include "io/ros/wire.h"

#include <stdint.h>
#include <string.h>

#include "io/stream/le.h"

#define START ((size_t)4) /* before the fields of CDR (bytes) */

bool
pb_wire_read(struct pb_wire *w, bool ros1, const unsigned char *data, size_t n,
    struct pb_error *bad)
{
	size_t start = ros1 ? 0 : START;

	if (n < start)
		return pb_error_set(
		    bad, "expected CDR, got a message of %zu bytes", n);
	if (!ros1 && (data[0] != 0 || data[1] > 1))
		return pb_error_set(bad,
		    "expected plain CDR (00 00 or 00 01), got encoding "
		    "%02x %02x",
		    data[0], data[1]);
	*w = (struct pb_wire){.ok = true,
	    .aligned = !ros1,
	    .big = !ros1 && data[1] == 0,
	    .in = data + start,
	    .size = n - start,
	    .field = "message",
	    .bad = bad};
	return true;
}

void
pb_wire_write(struct pb_wire *w, bool ros1, struct pb_text *out)
{
	*w = (struct pb_wire){.ok = true, .aligned = !ros1, .out = out};
	if (w->aligned)
		pb_text_put(out, "\0\1\0\0", START);
}

/* The next n bytes, NULL at the end. */
static const unsigned char *
take(struct pb_wire *w, size_t n)
{
	const unsigned char *p = w->in + w->at;

	if (w->ok && n > w->size - w->at)
		w->ok = pb_error_set(w->bad,
		    "%s: expected %zu bytes more, got %zu to the end of the "
		    "message",
		    w->field, n, w->size - w->at);
	if (!w->ok)
		return NULL;
	w->at += n;
	return p;
}

/* A value of n bytes comes next. */
static void
align(struct pb_wire *w, size_t n)
{
	size_t gap = w->aligned ? -w->at & (n - 1) : 0;

	if (w->out) {
		pb_text_put(w->out, "\0\0\0\0\0\0\0", gap);
		w->at += gap;
	} else {
		take(w, gap);
	}
}

void
pb_wire_bytes(struct pb_wire *w, void *bytes, size_t n)
{
	const unsigned char *p;

	if (w->out) {
		pb_text_put(w->out, bytes, n);
		w->at += n;
	} else if ((p = take(w, n)) && n > 0) {
		memcpy(bytes, p, n);
	}
}

static const int size_of[] = {[PB_WIRE_I8] = 1,
    [PB_WIRE_I32] = 4,
    [PB_WIRE_U32] = 4,
    [PB_WIRE_F32] = 4,
    [PB_WIRE_F64] = 8};

static double
value_of(enum pb_wire_num kind, uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	double d;
	float f;

	switch (kind) {
	case PB_WIRE_I8:
		return (int8_t)bits;
	case PB_WIRE_I32:
		return (int32_t)low;
	case PB_WIRE_U32:
		return low;
	case PB_WIRE_F32:
		memcpy(&f, &low, sizeof(f));
		return (double)f;
	default:
		memcpy(&d, &bits, sizeof(d));
		return d;
	}
}

static uint64_t
bits_of(enum pb_wire_num kind, double v)
{
	uint64_t bits;
	uint32_t low;
	float f = (float)v;

	if (kind == PB_WIRE_F64) {
		memcpy(&bits, &v, sizeof(bits));
		return bits;
	}
	if (kind != PB_WIRE_F32)
		return (uint64_t)(int64_t)v;
	memcpy(&low, &f, sizeof(low));
	return low;
}

void
pb_wire_num(struct pb_wire *w, enum pb_wire_num kind, double *v)
{
	int n = size_of[kind];
	unsigned char b[8] = {0};

	align(w, (size_t)n);
	if (w->out && v)
		pb_le_put(b, bits_of(kind, *v), n);
	pb_wire_bytes(w, b, (size_t)n);
	if (!w->out && w->ok && v)
		*v = value_of(kind, w->big ? pb_be_get(b, n) : pb_le_get(b, n));
}

void
pb_wire_count(struct pb_wire *w, size_t least, size_t *n)
{
	double v = (double)*n;

	pb_wire_num(w, PB_WIRE_U32, &v);
	if (w->out || !w->ok)
		return;
	*n = (size_t)v;
	if (*n > (w->size - w->at) / least)
		w->ok = pb_error_set(w->bad,
		    "%s: expected room for %zu items, got %zu bytes to the end "
		    "of the message",
		    w->field, *n, w->size - w->at);
}

void
pb_wire_text(struct pb_wire *w, char *s, size_t size)
{
	size_t n = w->out ? strlen(s) + w->aligned : 0;

	pb_wire_count(w, 1, &n);
	if (w->ok && !w->out && n > size - !w->aligned)
		w->ok = pb_error_set(w->bad,
		    "%s: expected a string of at most %zu bytes, got a longer "
		    "one",
		    w->field, size - 1);
	if (!w->ok)
		return;
	pb_wire_bytes(w, s, n);
	if (!w->out)
		s[n < size ? n : size - 1] = '\0';
}
