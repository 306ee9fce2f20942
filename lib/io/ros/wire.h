/* wire.h - bytes of ROS messages: the CDR of ROS 2 and those of ROS 1. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/error.h"
#include "io/stream/text.h"

/*
 * One cursor for both and for both directions: a message is walked by the same
 * code whether it is read or written. CDR (XCDR1) begins with four bytes, from
 * behind which a value lies at a multiple of its size; ROS 1 has neither these
 * nor gaps, and its strings have no NUL. Numbers are double in memory: none of
 * those that we take has more than 53 bits.
 *
 * After the first failure the cursor is bad, and nothing moves any more.
 */
struct pb_wire {
	bool aligned; /* CDR */
	bool big;     /* most significant byte first, as PowerPC had it */
	bool ok;
	struct pb_text *out;     /* written to; NULL: in is read */
	const unsigned char *in; /* behind the first four */
	size_t size, at;         /* of in */
	const char *field;       /* being read, for complaints */
	struct pb_error *bad;
};

enum pb_wire_num {
	PB_WIRE_I8,
	PB_WIRE_I32,
	PB_WIRE_U32,
	PB_WIRE_F32,
	PB_WIRE_F64
};

/* Begin with a message of n bytes; false: bad says why it cannot be read. */
bool pb_wire_read(struct pb_wire *w, bool ros1, const unsigned char *data,
    size_t n, struct pb_error *bad);

/* Begin to write one, little-endian, behind what out has. */
void pb_wire_write(struct pb_wire *w, bool ros1, struct pb_text *out);

/* One number; without a place it is passed over, or 0. */
void pb_wire_num(struct pb_wire *w, enum pb_wire_num kind, double *v);

/* A string in size bytes, NUL included; longer ones are refused. */
void pb_wire_text(struct pb_wire *w, char *s, size_t size);

/*
 * How many items follow, each of at least `least` bytes: what the message
 * cannot hold is refused before there is memory for it.
 */
void pb_wire_count(struct pb_wire *w, size_t least, size_t *n);

/* n bytes as they are. */
void pb_wire_bytes(struct pb_wire *w, void *bytes, size_t n);
