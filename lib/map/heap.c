/* heap.c - a binary heap of cells that can be moved up, for the searches. */
#include "map/heap.h"

#include <stdbool.h>

static bool
before(const struct pb_heap_entry *a, const struct pb_heap_entry *b)
{
	if (a->key != b->key)
		return a->key < b->key;
	if (a->tie != b->tie)
		return a->tie < b->tie;
	return a->cell < b->cell;
}

static void
put(struct pb_heap *h, int32_t i, struct pb_heap_entry e)
{
	h->at[i] = e;
	h->pos[e.cell] = i;
}

void
pb_heap_push(struct pb_heap *h, struct pb_heap_entry e)
{
	int32_t i = h->pos[e.cell];

	if (i == PB_HEAP_OUT)
		i = h->n++;
	for (; i > 0 && before(&e, &h->at[(i - 1) / 2]); i = (i - 1) / 2)
		put(h, i, h->at[(i - 1) / 2]);
	put(h, i, e);
}

struct pb_heap_entry
pb_heap_pop(struct pb_heap *h)
{
	struct pb_heap_entry first = h->at[0], last = h->at[--h->n];
	int32_t i = 0, k;

	h->pos[first.cell] = PB_HEAP_OUT;
	if (h->n == 0)
		return first;
	for (; (k = 2 * i + 1) < h->n; i = k) {
		if (k + 1 < h->n && before(&h->at[k + 1], &h->at[k]))
			k++;
		if (!before(&h->at[k], &last))
			break;
		put(h, i, h->at[k]);
	}
	put(h, i, last);
	return first;
}
