/* named.h - numbers that are asked for by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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
