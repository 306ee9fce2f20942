/* text.h - UTF-8 characters; parse and print numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Length of the character that starts at s[0..n), 0 if the bytes are not UTF-8
 * (overlong forms, surrogates, beyond U+10FFFF, cut short). */
size_t pb_utf8_char(const char *s, size_t n);

/* The code point of s[0..n), which is one character. */
uint32_t pb_utf8_code(const char *s, size_t n);

/*
 * The first character of s, n >= 1 bytes, safe to show to people; its length in
 * *len. Characters that could control the terminal or disguise a text become
 * '?': control characters (C0, DEL, C1), invisible ones, marks that turn the
 * direction of writing, line separators, and bytes that are no UTF-8, one
 * character each. All text for people goes through here.
 */
uint32_t pb_utf8_shown(const char *s, size_t n, size_t *len);

/* Make the text s safe to show: in place, or printed to f. */
char *pb_utf8_clean(char *s);
void pb_utf8_print(const char *s, FILE *f);

/* Write the character c (a valid code point); returns its length, 1..4. */
size_t pb_utf8_put(char out[4], uint32_t c);

/* Length of the longest prefix of s[0..n) of whole characters and at most max
 * bytes. */
size_t pb_utf8_cut(const char *s, size_t n, size_t max);

/* Room for any number these functions write, with its final NUL. */
#define PB_NUM_MAX 40

/*
 * Write v rounded to a multiple of 1e-6 in its shortest form: no exponent
 * below 1e15, no trailing zeros, never -0; "null" for NaN and infinities.
 *
 * Given    buf  PB_NUM_MAX bytes
 * Returns  the length written, without the final NUL
 * Note     rounds like printf("%.6f"): correctly, from the exact value
 */
size_t pb_num_round(char *buf, double v);

/* The number that pb_num_round() writes, read back; NaN and infinities are
 * returned as they are. */
double pb_num_rounded(double v);

/* Write v in the fewest digits that read back as v (resolution, origin). */
size_t pb_num_exact(char *buf, double v);

/* Write an integer. */
size_t pb_num_int(char *buf, int64_t v);
size_t pb_num_u64(char *buf, uint64_t v);

/*
 * Parse a whole string as a decimal number: sign, digits, point, exponent; no
 * blanks, hexadecimals or names. Out of range is refused.
 *
 * Returns  whether s is a finite number; *v is untouched if not
 */
bool pb_num_parse(const char *s, double *v);

/* Parse integers without point or exponent. */
bool pb_num_parse_int(const char *s, int64_t *v);
bool pb_num_parse_u64(const char *s, uint64_t *v);

/* Read a little-endian number of n bytes at p. */
static inline uint64_t
pb_le_get(const void *p, int n)
{
	const unsigned char *b = p;
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | b[n];
	return v;
}

/* Read a big-endian number of n bytes at p. */
static inline uint64_t
pb_be_get(const void *p, int n)
{
	const unsigned char *b = p;
	uint64_t v = 0;

	for (; n > 0; n--)
		v = v << 8 | *b++;
	return v;
}

/* Write the n lowest bytes of v to p, little-endian. */
static inline void
pb_le_put(void *p, uint64_t v, int n)
{
	unsigned char *b = p;

	for (; n > 0; n--, v >>= 8)
		*b++ = (unsigned char)v;
}
