/* counts.c - how much a program has read, refused and written. */
#include "io/stream/counts.h"

#include "base/hash.h"

struct pb_counts pb_counts = {.input = PB_HASH_START};

void
pb_count_file(const char *s, size_t n)
{
	if (pb_counts.hash)
		pb_counts.input = pb_hash_bytes(pb_counts.input, s, n);
}

void
pb_count_line(const char *s, size_t n)
{
	pb_counts.read++;
	pb_count_file(s, n);
}

void
pb_count_refused(void)
{
	pb_counts.refused++;
}

void
pb_count_written(void)
{
	pb_counts.written++;
}
