/* text.h - a growing piece of text: characters, numbers, lines on their way. */
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

/*
 * Records are put together here and leave as whole lines. With `to` set,
 * pb_text_line() writes the line there and empties the text; without, lines
 * gather (a worker thread writes into its own text). Where memory runs out the
 * program ends.
 * A zeroed struct is an empty text. It belongs to one thread.
 */
struct pb_text {
	char *s;     /* not terminated, owned */
	size_t len;  /* bytes in use */
	size_t cap;  /* bytes had */
	FILE *to;    /* where finished lines go; NULL: they stay */
	bool exact;  /* numbers in full, none rounded */
	bool failed; /* a write to `to` did */
};

void pb_text_clear(struct pb_text *o);

/* Room for n more bytes; then add to len by hand. */
char *pb_text_room(struct pb_text *o, size_t n);

void pb_text_put(struct pb_text *o, const char *s, size_t n);
void pb_text_puts(struct pb_text *o, const char *s);

/*
 * A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD, and
 * what pb_utf8_shown hides is escaped: records are looked at, too.
 */
void pb_text_string(struct pb_text *o, const char *s);

/* Numbers: see above. */
void pb_text_num(struct pb_text *o, double v);
void pb_text_exact(struct pb_text *o, double v);
void pb_text_int(struct pb_text *o, int64_t v);

/* As a string beyond 63 bits: most readers of JSON keep no more of a number. */
void pb_text_u64(struct pb_text *o, uint64_t v);

/*
 * A field of CSV and its comma, in quotes where RFC 4180 asks for them. Without
 * text it is NA; what cannot be seen becomes what pb_utf8_shown says.
 */
void pb_text_field(struct pb_text *o, const char *s);

/*
 * Read the next word of [*at, end), what is between blanks and tabs, cut to
 * size bytes; false if there is none.
 */
bool pb_text_word(const char **at, const char *end, char *word, size_t size);

/* End the line and send it on its way. */
void pb_text_line(struct pb_text *o);
