/* json_nonfinite.h - the four things that jansson cannot take. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * A copy of s[0..n) in which every NaN, Infinity and -Infinity outside of
 * strings is null, which rosbridge writes although JSON has none of them, and
 * every \u0000 in a key is \ufdd0, which is no character: nobody reads a key
 * of that name.
 *
 * Returns  *m bytes for free(), *nan whether a word became null; NULL if there
 *          is nothing to mend, or no memory to do it
 * Note     text that is not JSON stays so: a word is never split off from
 *          letters or digits around it
 */
char *pb_json_nonfinite(const char *s, size_t n, size_t *m, bool *nan);

/* What stands for an array that was lifted out. */
#define PB_JSON_LIFTED "\001"

/* A line without its cells. */
struct pb_lift {
	char *rest; /* PB_JSON_LIFTED, as a string, for the array; for free() */
	size_t len;
	size_t at;         /* where the string begins in the rest */
	signed char *cell; /* the array; for free() */
	size_t cells;
};

/*
 * Take the cells of a map out of s[0..n): the first array under a key "data",
 * if it holds nothing but whole numbers from -1 to 100. The 16 million cells
 * of a map of 200 m at 5 cm would be 600 MB as a tree, and 16 MB as cells.
 *
 * Returns  false, with l zeroed, if there is no such array, or a backslash
 *          anywhere: without one no string of the line can be PB_JSON_LIFTED,
 *          and no quote can be inside a string. Then a tree is built after
 *          all: the same is read, with more memory
 * Note     the rest is JSON if and only if the line is
 */
bool pb_json_lift(const char *s, size_t n, struct pb_lift *l);

/* Bytes of the first number in s[0..n) that has more than max; 0: none has. */
size_t pb_json_number_over(const char *s, size_t n, size_t max);
