/* heap.h - an indexed binary heap: numbered items, each in it once at most. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Order: by key, then by tie, then by item, smallest first. */
struct pb_heap_entry {
	uint64_t key;
	uint64_t rest; /* tie << 32 | item */
};

/* The owner provides the memory; a zeroed heap is empty. */
struct pb_heap {
	struct pb_heap_entry *at; /* room for all items */
	int32_t *pos;   /* by item: 1 + its place; 0: never inserted, -1:
	                   removed */
	unsigned shift; /* the element of item i is pos[i << shift] */
	int32_t n;      /* entries, including the hole */
	bool hole;      /* at[0] was removed and not replaced yet */
};

/* An integer key that orders like v, which is not NaN. */
static inline uint64_t
pb_heap_key(double v)
{
	const uint64_t sign = UINT64_C(1) << 63;
	uint64_t bits;

	v += 0.0; /* -0 is 0 */
	memcpy(&bits, &v, sizeof(bits));
	return bits & sign ? ~bits : bits | sign;
}

static inline int32_t
pb_heap_item(const struct pb_heap_entry *e)
{
	return (int32_t)(uint32_t)e->rest;
}

/* Branch-free, as half of the branches would be mispredicted. */
static inline bool
pb_heap_before(const struct pb_heap_entry *a, const struct pb_heap_entry *b)
{
	return (a->key < b->key) | ((a->key == b->key) & (a->rest < b->rest));
}

static inline int32_t *
pb_heap_pos(const struct pb_heap *h, int32_t item)
{
	return &h->pos[(size_t)item << h->shift];
}

static inline void
pb_heap_set(struct pb_heap *h, int32_t i, struct pb_heap_entry e)
{
	h->at[i] = e;
	*pb_heap_pos(h, pb_heap_item(&e)) = i + 1;
}

/* Sift e down from place i. */
static inline void
pb_heap_sink(struct pb_heap *h, int32_t i, struct pb_heap_entry e)
{
	for (int32_t k; (k = 2 * i + 1) < h->n; i = k) {
		k += (k + 1 < h->n) & pb_heap_before(&h->at[k + 1], &h->at[k]);
		if (!pb_heap_before(&h->at[k], &e))
			break;
		pb_heap_set(h, i, h->at[k]);
	}
	pb_heap_set(h, i, e);
}

static inline bool
pb_heap_empty(const struct pb_heap *h)
{
	return h->n == h->hole;
}

/* Fill the hole with the last entry. */
static inline void
pb_heap_fill(struct pb_heap *h)
{
	if (h->hole && --h->n > 0)
		pb_heap_sink(h, 0, h->at[h->n]);
	h->hole = false;
}

/* Insert e, or move its item up: e must be before the item's old entry. */
static inline void
pb_heap_push(struct pb_heap *h, struct pb_heap_entry e)
{
	int32_t i = h->n, up, *pos = pb_heap_pos(h, pb_heap_item(&e));

	if (*pos > 0) {
		pb_heap_fill(h);
		i = *pos - 1;
	} else if (h->hole) {
		h->hole = false;
		pb_heap_sink(h, 0, e);
		return;
	} else {
		h->n++;
	}
	for (; i > 0 && pb_heap_before(&e, &h->at[up = (i - 1) / 2]); i = up)
		pb_heap_set(h, i, h->at[up]);
	pb_heap_set(h, i, e);
}

/* Remove and return the first item; there must be one. */
static inline int32_t
pb_heap_pop(struct pb_heap *h)
{
	int32_t first;

	pb_heap_fill(h);
	first = pb_heap_item(&h->at[0]);
	*pb_heap_pos(h, first) = -1;
	h->hole = true;
	return first;
}
