/* opt_list.h - option arguments that are lists, for PB_OPT_CALL. */
#ifndef PB_IO_OPT_OPT_LIST_H
#define PB_IO_OPT_OPT_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "io/stream/msg.h"

/* Whole numbers from 1 on, no two alike: "3", "1-10", "1,3,5-7". */
#define PB_NUMBERS 1000
struct pb_numbers {
	int v[PB_NUMBERS];
	int n;
};

/* A part of a whole: "2/8" is the second of eight. */
struct pb_shard {
	uint64_t i; /* 0..n-1 */
	uint64_t n;
};

/* to: struct pb_numbers *, its numbers at most PB_NUMBERS; replaced. */
bool pb_opt_numbers(void *to, const char *arg, struct pb_error *bad);

/* to: struct pb_shard * */
bool pb_opt_shard(void *to, const char *arg, struct pb_error *bad);

/*
 * The next word of a list separated by commas.
 *
 * Given    at  where to go on; moved
 *          out, size  room for the word and its final NUL
 * Returns  1 and the word; 0 at the end; -1 if it is empty or does not fit
 */
int pb_opt_word(const char **at, char *out, int size);

#endif
