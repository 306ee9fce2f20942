/* pool.c - arrays that are cleared together, and arrays in one block. */
#include "base/pool.h"

#include <stdint.h>
#include <stdlib.h>

struct pb_pool_array {
	struct pb_pool_array *before;
	max_align_t data[];
};

void *
pb_pool_get(struct pb_pool *p, size_t n, size_t size)
{
	struct pb_pool_array *a = NULL;

	if (n <= (SIZE_MAX - sizeof(*a)) / size)
		a = calloc(1, sizeof(*a) + n * size);
	if (a == NULL) {
		p->failed = true;
		return NULL;
	}
	a->before = p->last;
	p->last = a;
	return a->data;
}

void
pb_pool_clear(struct pb_pool *p)
{
	pb_pool_back(p, NULL);
}

void
pb_pool_back(struct pb_pool *p, const struct pb_pool_array *to)
{
	while (p->last != to) {
		struct pb_pool_array *a = p->last;

		p->last = a->before;
		free(a);
	}
}

void *
pb_block_take(struct pb_block *b, size_t n, size_t size)
{
	void *p = b->at == NULL ? NULL : b->at + b->used;

	b->used += (n * size + 15) / 16 * 16;
	return p;
}
