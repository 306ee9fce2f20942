/* alias.h - draw from a list of weights in constant time. */
#ifndef PB_LOCALIZE_ALIAS_H
#define PB_LOCALIZE_ALIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

/*
 * Walker's alias table, built in linear time (Vose, "A linear algorithm for
 * generating random numbers with a given distribution", 1991).
 */
struct pb_alias {
	size_t n;
	double *keep;    /* n: chance that column i gives i */
	uint32_t *other; /* n: what it gives otherwise */
	uint32_t *work;  /* n: while it is built */
};

/* Bytes that a table of n weights takes; a multiple of 8. */
size_t pb_alias_bytes(size_t n);

/* A table in memory of so many bytes, aligned for double. */
struct pb_alias pb_alias_in(void *mem, size_t n);

/*
 * Fill the table.
 *
 * Given    weight  n, >= 0, finite
 * Returns  false if all are 0
 */
bool pb_alias_fill(struct pb_alias *a, const double *weight);

/* Draw i with the chance of weight i. */
uint32_t pb_alias_draw(const struct pb_alias *a, struct pb_rng *r);

#endif
