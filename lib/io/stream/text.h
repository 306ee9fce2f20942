/* text.h - characters, and numbers in text and in bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Length of the character that starts at s[0..n), 0 if the bytes are not
 * UTF-8 (overlong forms, surrogates, beyond U+10FFFF, cut short).
 */
size_t pb_utf8_char(const char *s, size_t n);

/* The code point of s[0..n), which is one character. */
uint32_t pb_utf8_code(const char *s, size_t n);

/*
 * The first character of s, n >= 1 bytes, as people may be shown it; its length
 * in *len. Whatever could speak to the terminal or make text read as another
 * gives '?': control characters (C0, DEL, C1), marks that turn the direction of
 * writing or cannot be seen, separators of lines, and bytes that are no UTF-8,
 * of which each is a character. All that a person reads goes through here.
 */
uint32_t pb_utf8_shown(const char *s, size_t n, size_t *len);

/* The text s as people may be shown it: in its own place, or written to f. */
char *pb_utf8_clean(char *s);
void pb_utf8_print(const char *s, FILE *f);

/* Write the character c (a valid code point); returns its length, 1..4. */
size_t pb_utf8_put(char out[4], uint32_t c);

/* The longest prefix of s[0..n) that cuts no character: at most max bytes. */
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

/* What the number reads as that pb_num_round() writes; NaN and so on as such.
 */
double pb_num_rounded(double v);

/* Write v in the fewest digits that read back as v (resolution, origin). */
size_t pb_num_exact(char *buf, double v);

/* Write an integer. */
size_t pb_num_int(char *buf, int64_t v);
size_t pb_num_u64(char *buf, uint64_t v);

/*
 * Read a whole string as a decimal number: sign, digits, point, exponent; no
 * blanks, hexadecimals, names, nothing after it. Out of range is refused.
 *
 * Returns  whether s is a finite number; *v is untouched if not
 */
bool pb_num_parse(const char *s, double *v);

/* The same for integers without point or exponent. */
bool pb_num_parse_int(const char *s, int64_t *v);
bool pb_num_parse_u64(const char *s, uint64_t *v);

/* The number of the n bytes at p, the lowest first. */
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
