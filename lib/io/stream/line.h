/* line.h - bytes and lines that are read, lines that are written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "io/stream/msg.h"

/* --- bytes of a file or standard input, inflated if need be --- */

/*
 * A zeroed struct is a closed source. Compressed input is known by its first
 * two bytes, 0x1f 0x8b, with which no text begins.
 */
struct pb_source {
	bool open;
	bool own;     /* close fd at the end */
	bool started; /* the first byte was seen */
	bool ended;   /* so was the end: a terminal is not asked again */
	int fd;
	struct pb_inflate *gz;             /* NULL: plain; owned */
	const struct pb_source_feed *feed; /* NULL: of a file */
};

/*
 * Bytes under a name that no file has, from now on: read() is as
 * pb_source_read(), and flushes stdout before it waits, too. NULL: none any
 * more. Kept by the caller.
 */
struct pb_source_feed {
	const char *name;
	bool (*ready)(void *user); /* whether read() would not wait */
	enum pb_next (*read)(void *user, char *buf, size_t room, size_t *n,
	    struct pb_error *bad);
	void *user;
};
void pb_source_feed(const struct pb_source_feed *f);

/*
 * Open name, "-" for standard input; a terminal is told to the user, who may
 * wonder what the tool waits for. False: bad says why.
 */
bool pb_source_open(
    struct pb_source *s, const char *name, struct pb_error *bad);
void pb_source_close(struct pb_source *s);

/*
 * Up to room bytes into buf, *n > 0 of them. Flushes stdout before it would
 * wait.
 */
enum pb_next pb_source_read(struct pb_source *s, char *buf, size_t room,
    size_t *n, struct pb_error *bad);

/* --- lines of them --- */

/*
 * Reads the operands of a command line one after the other; "-" and an empty
 * list mean standard input. Files and pipes compressed by gzip are inflated.
 * Before a read that would block, stdout is flushed, so that a pipe of tools
 * is both fast and live. One reader belongs to one thread.
 */

/*
 * The longest line, with its end (bytes); the value of --max-line. Maps of
 * 8,000 x 8,000 cells as rows fit. A list of short numbers takes 9 times its
 * length of memory when it is read.
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
 * After a file was refused whose first bytes are those of a format without
 * lines (filekind.h), until the next call: its source, for somebody who can
 * read it, and the n bytes of head that it gave already. NULL: none was.
 */
struct pb_source *pb_lines_source(
    struct pb_lines *r, const char **head, size_t *n);

/*
 * The next line. Empty lines are lines. A line with a NUL byte, a line longer
 * than pb_max_line and a broken gzip file give PB_BAD with l->at set and
 * l->text what there is of it; so does a file that cannot be opened, as line 0
 * without text. The next call goes on behind it; where the rest of a line is
 * as long again, it is refused as a line of the same number.
 */
enum pb_next pb_lines_next(
    struct pb_lines *r, struct pb_line *l, struct pb_error *bad);

/*
 * How many lines that hold the word, and where they hold `if_any` hold `then`,
 * too, have come and are next, of about a megabyte at most. Does not wait; the
 * text of the last line is gone.
 */
long pb_lines_ahead(
    struct pb_lines *r, const char *word, const char *if_any, const char *then);

/* Complain of the line, which is no record: of the first of a file bad goes on
 * to say what is read at all. */
void pb_line_is_none(const struct pb_line *l, struct pb_error *bad);

/* --- lines on their way out --- */

/*
 * Records are put together here and leave as whole lines. With `to` set,
 * pb_text_line() writes the line there and empties the text; without, lines
 * gather (a worker thread writes into its own text). Where memory runs out the
 * program ends.
 * A zeroed struct is an empty text. It belongs to one thread.
 */
struct pb_text {
	char *s;    /* not terminated, owned */
	size_t len; /* bytes in use */
	size_t cap; /* bytes had */
	FILE *to;   /* where finished lines go; NULL: they stay */
	bool exact; /* numbers in full, none rounded */
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
 * text it is NA, and the text NA stands in quotes; what spreadsheets take for a
 * formula, = + - or @ first in what is no number, gets an apostrophe before it;
 * what cannot be seen becomes what pb_utf8_shown says.
 */
void pb_text_field(struct pb_text *o, const char *s);

/* End the line and send it on its way. */
void pb_text_line(struct pb_text *o);
