/* table.h - aligned tables for people. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "pb/status.h"
#include "view/term.h"

/*
 * Fill a table cell by cell, then print it once. Widths count columns of a
 * terminal, not bytes: UTF-8 letters count 1, wide ones 2, combining ones 0;
 * what pb_utf8_shown hides prints as '?'. A column of '.' lines its numbers up
 * at the decimal point. Running out of memory is remembered and told by
 * pb_table_print.
 */
struct pb_table;

/*
 * A table with one letter a column, at least one: 'l' left, 'r' right, '.' at
 * the point. Columns before a '|' say what a row is of; without one that is the
 * first. NULL when there is no memory, which may be filled and finished, too.
 */
struct pb_table *pb_table_new(const char *align);
void pb_table_free(struct pb_table *t);

/* Add a cell; a full row begins the next one. Rows begin with a heading. */
void pb_table_put(struct pb_table *t, const char *text);

/* Add cells with a '|' between two; what is not a number is left empty. */
void pb_table_putf(struct pb_table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether a cell is just this text. */
bool pb_table_has(const struct pb_table *t, const char *text);

/*
 * Print with a line under the headings, two spaces between columns, none at
 * the end of lines. Where it is too wide, headings and texts go on below, and
 * then columns go into another part, under the same first ones; a column
 * without a heading stays with the one before it.
 *
 * Given    utf8   whether to draw lines with box characters
 *          width  columns that there are (40 or more); 0: any number
 */
enum pb_status pb_table_print(
    const struct pb_table *t, bool utf8, int width, FILE *f);

/* Print t as wide as the terminal and free it; NULL: PB_ENOMEM. */
enum pb_status pb_table_finish(
    struct pb_table *t, const struct pb_tty *tty, FILE *f);
