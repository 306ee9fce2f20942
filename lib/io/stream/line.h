/* line.h - read bytes and lines of files; compose lines of output. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "io/stream/msg.h"

/* --- bytes of a file or standard input, inflated if need be --- */

/* A source of bytes; a zeroed struct is closed. Input compressed by gzip is
 * recognised by its first two bytes, 0x1f 0x8b, which begin no text. */
struct pb_source {
	bool open;
	bool own;     /* close fd at the end */
	bool started; /* the first byte was read */
	bool ended;   /* the end was read: do not read again */
	int fd;
	struct pb_inflate *gz;             /* NULL: not compressed; owned */
	const struct pb_source_feed *feed; /* NULL: a file */
};

/*
 * From now on, opening f->name reads from f->read() instead of a file; f NULL:
 * no longer. read() works as pb_source_read() does, and must flush stdout
 * before it waits. The caller keeps the struct.
 */
struct pb_source_feed {
	const char *name;
	bool (*ready)(void *user); /* whether read() would return at once */
	enum pb_next (*read)(void *user, char *buf, size_t room, size_t *n,
	    struct pb_error *bad);
	void *user;
};
void pb_source_feed(const struct pb_source_feed *f);

/* Open name, "-" for standard input. If that is a terminal, print a note that
 * the tool waits for it. False: bad says why. */
bool pb_source_open(
    struct pb_source *s, const char *name, struct pb_error *bad);
void pb_source_close(struct pb_source *s);

/* Read up to room bytes into buf, *n > 0 of them. Flushes stdout before it
 * waits. */
enum pb_next pb_source_read(struct pb_source *s, char *buf, size_t room,
    size_t *n, struct pb_error *bad);

/* --- lines of bytes --- */

/*
 * Reads the lines of all operands of a command line, one file after the other;
 * "-" and an empty list mean standard input. Files and pipes compressed by gzip
 * are inflated. Before a read that would block, stdout is flushed: the next
 * tool of a pipe gets each record at once. One reader belongs to one thread.
 */

/*
 * The longest line, with its end (bytes), set by --max-line. The default fits
 * maps of 8,000 x 8,000 cells as rows. A list of short numbers takes 9 times
 * its length of memory when it is parsed.
 */
#define PB_LINE_MOST (1 << 29) /* pb_json_value.span has 29 bits */
extern int pb_max_line;

struct pb_line {
	char *text; /* valid until the next call */
	size_t len; /* without line end (LF or CR LF) */
	size_t raw; /* with line end; text[raw] is 0 */
	bool part;  /* only the beginning of a line; the rest is skipped */
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

/* A reader of the n bytes of s, which are copied: the contents of a file of
 * that name. */
struct pb_lines *pb_lines_text(const char *name, const char *s, size_t n);

/*
 * After pb_lines_next() refused a file because its format has no lines
 * (pb_filekind_of), and until its next call: the file's source, for a reader of
 * that format, and the n bytes of head that were already read. NULL: no file
 * was refused.
 */
struct pb_source *pb_lines_source(
    struct pb_lines *r, const char **head, size_t *n);

/*
 * Read the next line; it may be empty. A line with a NUL byte, a line longer
 * than pb_max_line and a broken gzip file give PB_BAD with l->at set and
 * l->text as far as it was read; a file that cannot be opened gives PB_BAD as
 * line 0 without text. The next call continues behind it. If the rest of a long
 * line exceeds pb_max_line again, it is refused again with the same line
 * number.
 */
enum pb_next pb_lines_next(
    struct pb_lines *r, struct pb_line *l, struct pb_error *bad);

/*
 * Count lines that have already arrived and hold `word`; of those that hold
 * `if_any`, only those that hold `then`, too. Reads ahead about a megabyte at
 * most, and does not wait. The text of the last line is no longer valid.
 */
long pb_lines_ahead(
    struct pb_lines *r, const char *word, const char *if_any, const char *then);

/* After the line was refused as a record: if it is the first of its file, add
 * to bad which formats are read. */
void pb_line_is_none(const struct pb_line *l, struct pb_error *bad);

/* --- lines of output --- */

/*
 * A text composed of records. If `to` is set, pb_text_line() writes the line
 * there and empties the text; otherwise lines accumulate, as in worker threads.
 * Running out of memory ends the program. A zeroed struct is an empty text. It
 * belongs to one thread.
 */
struct pb_text {
	char *s;    /* not terminated, owned */
	size_t len; /* bytes in use */
	size_t cap; /* bytes allocated */
	FILE *to;   /* where finished lines are written; NULL: nowhere */
	bool exact; /* numbers are not rounded */
};

void pb_text_clear(struct pb_text *o);

/* Reserve n more bytes; the caller then adds to len. */
char *pb_text_room(struct pb_text *o, size_t n);

void pb_text_put(struct pb_text *o, const char *s, size_t n);
void pb_text_puts(struct pb_text *o, const char *s);

/*
 * Add a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
 * Characters that pb_utf8_shown() hides are escaped, as users look at records,
 * too.
 */
void pb_text_string(struct pb_text *o, const char *s);

/* Add a number, see text.h. */
void pb_text_num(struct pb_text *o, double v);
void pb_text_exact(struct pb_text *o, double v);
void pb_text_int(struct pb_text *o, int64_t v);

/* Add a number; beyond 63 bits as a string, as most readers of JSON store no
 * larger numbers. */
void pb_text_u64(struct pb_text *o, uint64_t v);

/*
 * Add a field of CSV and its comma, in quotes where RFC 4180 asks for them.
 * NULL becomes NA, and the text NA is quoted. A text that a spreadsheet would
 * run as a formula (= + - or @ first, and no number) gets an apostrophe before
 * it. Invisible characters are replaced as pb_utf8_shown() does.
 */
void pb_text_field(struct pb_text *o, const char *s);

/* End the line, and write it if `to` is set. */
void pb_text_line(struct pb_text *o);
