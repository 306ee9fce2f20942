/* columns.h - the columns that text takes on a terminal. */
#ifndef PB_VIEW_COLUMNS_H
#define PB_VIEW_COLUMNS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Columns of a terminal that u takes: 0 combining, 2 wide, else 1. */
int pb_columns_of(uint32_t u);

/* Columns of n bytes of text. */
size_t pb_text_columns(const char *text, size_t n);

/*
 * The first line of text in at most max columns: as many words as fit, or as
 * much of one word as does.
 *
 * Returns  bytes, 0 only for an empty text; *rest: where the next line begins
 */
size_t pb_columns_line(const char *text, size_t max, const char **rest);

/* Write the text in lines of at most width columns, as people may see it. */
void pb_columns_wrap(const char *text, size_t width, FILE *f);

/* Write one character. */
void pb_columns_put(uint32_t u, FILE *f);

#endif
