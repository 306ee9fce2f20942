/* pool.h - arrays that are cleared together, and arrays in one block. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Owns arrays; a zeroed one is empty. */
struct pb_pool {
	struct pb_pool_array *last;
	bool failed; /* memory was short for one of them */
};

/* An array of n zeroed elements, also of none; NULL if memory is short. */
void *pb_pool_get(struct pb_pool *p, size_t n, size_t size);
void pb_pool_clear(struct pb_pool *p);

/* Free what was got since `to` was the last. */
void pb_pool_back(struct pb_pool *p, const struct pb_pool_array *to);

/*
 * A block in which arrays lie one after the other. With `at` NULL they are only
 * counted: who lays them out twice needs to list them once.
 */
struct pb_block {
	char *at; /* not owned */
	size_t used;
};

void *pb_block_take(struct pb_block *b, size_t n, size_t size);
