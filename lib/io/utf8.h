/* utf8.h - the characters of UTF-8. */
#ifndef PB_IO_UTF8_H
#define PB_IO_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Length of the character that starts at s[0..n), 0 if the bytes are not
 * UTF-8 (overlong forms, surrogates, beyond U+10FFFF, cut short).
 */
size_t pb_utf8_char(const char *s, size_t n);

/* Write the character c (a valid code point); returns its length, 1..4. */
size_t pb_utf8_put(char out[4], uint32_t c);

/* The longest prefix of s[0..n) that cuts no character: at most max bytes. */
size_t pb_utf8_cut(const char *s, size_t n, size_t max);

#endif
