/* grow.h - lists that grow by themselves. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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
	void *at;

	if (n < *room)
		return true;
	/* The caller's pointer is of another type than void *. */
	memcpy(&at, list, sizeof(at));
	if ((at = realloc(at, more * size)) == NULL)
		return false;
	memcpy(list, &at, sizeof(at));
	*room = more;
	return true;
}
