/* pool.h - one block of memory for several arrays, and lists that grow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A pool owns its arrays; a zeroed one is empty. */
struct pb_pool {
	struct pb_pool_array *last;
	bool failed; /* memory was short for one of them */
};

/* Allocate n zeroed elements (n may be 0); NULL without memory. */
void *pb_pool_get(struct pb_pool *p, size_t n, size_t size);
void pb_pool_clear(struct pb_pool *p);

/* Free all arrays allocated after `to`. */
void pb_pool_back(struct pb_pool *p, const struct pb_pool_array *to);

/* A block of consecutive arrays. With `at` NULL they are only counted, so that
 * one function both measures and lays out a block. */
struct pb_block {
	char *at; /* not owned */
	size_t used;
};

void *pb_block_take(struct pb_block *b, size_t n, size_t size);

/*
 * Make room for one more entry of a list, doubling it.
 *
 * Given    list  address of the pointer to its entries, which realloc() moves
 *          n     its entries; *room: its capacity, 0 at first
 *          size  of an entry (bytes)
 * Returns  whether there is room; else the list is unchanged
 */
static inline bool
pb_grow(void *list, size_t n, size_t *room, size_t size)
{
	size_t more = *room > 0 ? 2 * *room : 64;
	void *old, *at;

	if (n < *room)
		return true;
	/* The caller's pointer is of another type than void *. */
	memcpy(&old, list, sizeof(old));
	if ((at = realloc(old, more * size)) == NULL)
		return false;
	memcpy(list, &at, sizeof(at));
	*room = more;
	return true;
}

struct pb_named {
	const char *name;
	double value;
};

/* Set *value to that of the entry called `name`; false if there is none. */
static inline bool
pb_named_find(
    const struct pb_named *list, size_t n, const char *name, double *value)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].name, name) == 0) {
			*value = list[i].value;
			return true;
		}
	return false;
}

#define PB_NAMED(list, name, value) \
	pb_named_find(list, sizeof(list) / sizeof(*(list)), name, value)

/* Union-find: the root of i, with path halving. A single element has up[i] ==
 * i; to join two sets, set up[] of one root to the other. */
static inline int
pb_root(int *up, int i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}
