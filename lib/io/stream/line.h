/* line.h - lines from files and standard input. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"
#include "io/stream/source.h"

/*
 * Reads the operands of a command line one after the other; "-" and an empty
 * list mean standard input. Files and pipes compressed by gzip are inflated.
 * Before a read that would block, stdout is flushed, so that a pipe of tools
 * is both fast and live. One reader belongs to one thread.
 */

/*
 * The longest line, with its end (bytes); the value of --max-line. Maps of 8,000
 * x 8,000 cells as rows fit. A list of short numbers takes 9 times its length
 * of memory when it is read.
 */
#define PB_LINE_MOST (1 << 29) /* a value has 29 bits to count others */
extern int pb_max_line;

struct pb_line {
	char *text;         /* not copied: good until the next call */
	size_t len;         /* without the line end (LF or CR LF) */
	size_t raw;         /* with it; text[raw] is 0 */
	bool part;          /* there may be more of it, which is passed over */
	struct pb_place at; /* file name ("<stdin>") and line number */
};

struct pb_lines;

/*
 * Given    files, n  operands of the command line, kept by the caller;
 *                    n = 0: standard input
 * Returns  a reader for pb_lines_free
 */
struct pb_lines *pb_lines_new(char *const *files, int n);
void pb_lines_free(struct pb_lines *r);

/* The same of the n bytes of s, which are copied, of a file of that name that
 * was read whole (file.h). */
struct pb_lines *pb_lines_text(const char *name, const char *s, size_t n);

/*
 * Have a file refused that holds no lines: what() sees its first bytes and
 * says what is wrong, or NULL.
 */
void pb_lines_refuse(
    struct pb_lines *r, const char *(*what)(const char *head, size_t n));

/*
 * After that, until the next call: the source of the file, for somebody who can
 * read it, and the n bytes of head that it gave already. NULL: no file was.
 */
struct pb_source *pb_lines_source(
    struct pb_lines *r, const char **head, size_t *n);

/*
 * The next line. Empty lines are lines. A line with a NUL byte, a line longer
 * than pb_max_line and a broken gzip file give PB_BAD with l->at set and
 * l->text what there is of it; so does a file that cannot be opened, as line 0
 * without text. The next call goes on behind it.
 */
enum pb_next pb_lines_next(
    struct pb_lines *r, struct pb_line *l, struct pb_error *bad);
