/* utf8.h - characters of UTF-8 text and the columns they take. */
#ifndef PB_VIEW_UTF8_H
#define PB_VIEW_UTF8_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The first character of s, n >= 1 bytes; its length in *len. A byte that is
 * no UTF-8 and control characters give '?' and length 1.
 */
uint32_t pb_utf8_first(const char *s, size_t n, size_t *len);

/* Columns of a terminal that u takes: 0 combining, 2 wide, else 1. */
int pb_utf8_columns(uint32_t u);

/* Columns of n bytes of text. */
size_t pb_text_columns(const char *text, size_t n);

/* Write one character, and text with everything odd as '?'. */
void pb_utf8_put(uint32_t u, FILE *f);
void pb_text_print(const char *text, size_t n, FILE *f);

#endif
