/* columns.h - the columns that text takes on a terminal. */
#ifndef PB_VIEW_COLUMNS_H
#define PB_VIEW_COLUMNS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The first character of s, n >= 1 bytes; its length in *len. A byte that is
 * no UTF-8 and control characters give '?' and length 1.
 */
uint32_t pb_columns_first(const char *s, size_t n, size_t *len);

/* Columns of a terminal that u takes: 0 combining, 2 wide, else 1. */
int pb_columns_of(uint32_t u);

/* Columns of n bytes of text. */
size_t pb_text_columns(const char *text, size_t n);

/* Write one character, and text with everything odd as '?'. */
void pb_columns_put(uint32_t u, FILE *f);
void pb_text_print(const char *text, size_t n, FILE *f);

#endif
