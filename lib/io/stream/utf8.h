/* utf8.h - the characters of UTF-8. */
#pragma once

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
