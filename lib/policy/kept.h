/* kept.h - what took long to learn, as bytes from which it is had again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Numbers, none below 0, in the order in which they were learnt, behind a
 * header that says of what: little endian, so the bytes are the same on every
 * machine. manual: pb-policies(7), The file of --learned.
 */

/* What bytes of before are good for. */
enum pb_kept_fit {
	PB_KEPT_EMPTY, /* there are none */
	PB_KEPT_FITS,
	PB_KEPT_FOREIGN,  /* they are something else */
	PB_KEPT_VERSION,  /* another version learns otherwise */
	PB_KEPT_DAMAGED,  /* cut, or not as they were written */
	PB_KEPT_MAP,      /* learnt of another map */
	PB_KEPT_CONSTANTS /* for other constants */
};

/* Hashes of what was learnt of. */
struct pb_kept_of {
	uint64_t map, constants;
};

/* The caller sets the first three; a zeroed struct keeps nothing. */
struct pb_kept {
	const unsigned char *was; /* bytes of before, not owned; NULL: none */
	size_t size;              /* how many */
	bool keep;                /* make bytes of what is learnt anew */
	enum pb_kept_fit fit;     /* whether what was is used, or why not */
	unsigned char *at; /* what is new, n bytes for free(), else NULL */
	size_t n, room;
	size_t used; /* of `was` */
	bool failed; /* memory was short for the bytes, or they end early or
	                hold what is no such number */
};

/* Whether the bytes are whole and of this version: no more of `fit`. */
enum pb_kept_fit pb_kept_look(const unsigned char *was, size_t size);

/* Learning begins, of this: numbers are read if they fit, else kept. */
void pb_kept_begin(struct pb_kept *k, const struct pb_kept_of *of);

/* Whether numbers are read; then these fill a, else they keep what is in a. */
static inline bool
pb_kept_reads(const struct pb_kept *k)
{
	return k->fit == PB_KEPT_FITS;
}
void pb_kept_floats(struct pb_kept *k, float *a, size_t n);
void pb_kept_doubles(struct pb_kept *k, double *a, size_t n);

/* It is over: false if numbers were read and something is wrong with them. */
bool pb_kept_end(struct pb_kept *k);
