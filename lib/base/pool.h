/* pool.h - one block of memory for several arrays, and lists that grow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Owns arrays; a zeroed one is empty. */
struct pb_pool {
	struct pb_pool_array *last;
	bool failed; /* memory was short for one of them */
};

/* An array of n zeroed elements, also of none; NULL if memory is short. */
void *pb_pool_get(struct pb_pool *p, size_t n, size_t size);
void pb_pool_clear(struct pb_pool *p);

/* Free all arrays allocated after `to`. */
void pb_pool_back(struct pb_pool *p, const struct pb_pool_array *to);

/*
 * A block in which arrays lie one after the other. With `at` NULL they are only
 * counted, so that one function serves to measure the block and to lay it out.
 */
struct pb_block {
	char *at; /* not owned */
	size_t used;
};

void *pb_block_take(struct pb_block *b, size_t n, size_t size);

/*
 * Make sure that a list has room for one entry more; it doubles.
 *
 * Given    list  address of the pointer to its entries, which realloc() moves
 *          n     entries that it has; *room: that it can hold, 0 at first
 *          size  of an entry (bytes)
 * Returns  whether it has; else it is as it was
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

/* The value of the one of n that is called so; false, and *value as it was:
 * none is. */
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

/*
 * The thing that stands for all that i is joined with: up[] leads there, and
 * the way is halved on it. Alone i has up[i] == i; two are joined by the
 * up[] of one's root.
 */
static inline int
pb_root(int *up, int i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}
