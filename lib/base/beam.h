/* beam.h - the best states of a layer of a beam search. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"

/*
 * A beam keeps the `width` states of highest value, one for each key. The
 * caller holds states in width + 1 slots; the spare slot is where the next
 * state is made. A beam belongs to one search and lives in memory that the
 * caller provides.
 */
#define PB_BEAM_WIDEST 512
#define PB_BEAM_HINTS  1024

struct pb_beam {
	double *value;  /* by entry: value of the state */
	uint64_t *key;  /* by entry: key of the state */
	uint16_t *slot; /* by entry: slot of the state; then the spare slot */
	struct pb_heap worst; /* heap of the entries, worst first */
	int n;                /* number of entries */
	int width;            /* 1..PB_BEAM_WIDEST */
	/* By hash of the key: 1 + the entry of the latest key with that hash;
	 * 0: none since the beam was emptied. */
	uint16_t hint[PB_BEAM_HINTS];
};

/* Bytes of memory that a beam of `width` takes; a multiple of 8. */
size_t pb_beam_size(int width);

/* Lay b out in mem: pb_beam_size bytes, aligned for a double; not owned. */
void pb_beam_place(struct pb_beam *b, void *mem, int width);

/* Make b empty; it keeps `width` states, not more than it has room for. */
void pb_beam_empty(struct pb_beam *b, int width);

/* The slot in which the next state is to be made. */
static inline int
pb_beam_spare(const struct pb_beam *b)
{
	return b->slot[b->n];
}

/*
 * The value that a state with that key must exceed to be kept.
 *
 * Returns  that value; *at is for pb_beam_keep
 */
double pb_beam_floor(const struct pb_beam *b, uint64_t key, int *at);

/*
 * Keep the state in the spare slot as entry `at`.
 *
 * Given    value  above pb_beam_floor; that must have been the last call
 */
void pb_beam_keep(struct pb_beam *b, int at, uint64_t key, double value);
