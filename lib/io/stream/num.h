/* num.h - numbers as text, the same in every locale and on every machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
