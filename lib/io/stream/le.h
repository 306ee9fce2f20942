/* le.h - numbers in bytes, the lowest first, or last. */
#pragma once

#include <stdint.h>

/* The number of n bytes at p. */
static inline uint64_t
pb_le_get(const void *p, int n)
{
	const unsigned char *b = p;
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | b[n];
	return v;
}

/* The same where the lowest byte is the last. */
static inline uint64_t
pb_be_get(const void *p, int n)
{
	const unsigned char *b = p;
	uint64_t v = 0;

	for (; n > 0; n--)
		v = v << 8 | *b++;
	return v;
}

/* The n lowest bytes of v to p. */
static inline void
pb_le_put(void *p, uint64_t v, int n)
{
	unsigned char *b = p;

	for (; n > 0; n--, v >>= 8)
		*b++ = (unsigned char)v;
}
