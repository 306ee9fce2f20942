/* beam.c - the best states of a layer of a beam search. */
#include "base/beam.h"

#include <math.h>
#include <string.h>

size_t
pb_beam_size(int width)
{
	size_t w = (size_t)width;
	size_t n = w * (sizeof(struct pb_heap_entry) + sizeof(double) +
			   sizeof(uint64_t) + sizeof(int32_t)) +
	           (w + 1) * sizeof(uint16_t);

	return (n + 7) / 8 * 8;
}

void
pb_beam_place(struct pb_beam *b, void *mem, int width)
{
	b->worst = (struct pb_heap){.at = mem};
	b->value = (double *)(b->worst.at + width);
	b->key = (uint64_t *)(b->value + width);
	b->worst.pos = (int32_t *)(b->key + width);
	b->slot = (uint16_t *)(b->worst.pos + width);
	for (int i = 0; i <= width; i++)
		b->slot[i] = (uint16_t)i;
	pb_beam_empty(b, width);
}

void
pb_beam_empty(struct pb_beam *b, int width)
{
	b->n = b->worst.n = 0;
	b->worst.hole = false;
	b->width = width;
	memset(b->worst.pos, 0, (size_t)width * sizeof(*b->worst.pos));
	memset(b->hint, 0, sizeof(b->hint));
}

static unsigned
hint_slot(uint64_t key)
{
	return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 54) %
	       PB_BEAM_HINTS;
}

/* Index of the entry with that key, n if there is none. */
static int
find_state(const struct pb_beam *b, uint64_t key)
{
	int i = b->hint[hint_slot(key)] - 1;

	if (i < 0)
		return b->n;
	if (b->key[i] == key)
		return i;
	/* The hint is of another key with the same hash: search. */
	for (i = 0; i < b->n && b->key[i] != key; i++)
		;
	return i;
}

double
pb_beam_floor(const struct pb_beam *b, uint64_t key, int *at)
{
	*at = find_state(b, key);
	if (*at == b->width)
		*at = pb_heap_item(&b->worst.at[0]);
	return *at < b->n ? b->value[*at] : -INFINITY;
}

void
pb_beam_keep(struct pb_beam *b, int at, uint64_t key, double value)
{
	const struct pb_heap_entry e = {pb_heap_key(value), (uint64_t)at};
	uint16_t spare = b->slot[b->n];

	b->hint[hint_slot(key)] = (uint16_t)(at + 1);
	b->slot[b->n] = b->slot[at];
	b->slot[at] = spare;
	b->key[at] = key;
	b->value[at] = value;
	if (at < b->n)
		pb_heap_sink(&b->worst, b->worst.pos[at] - 1, e);
	else
		pb_heap_push(&b->worst, e);
	b->n = b->worst.n;
}
