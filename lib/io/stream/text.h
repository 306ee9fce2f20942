/* text.h - a growing piece of text, and lines of it on their way out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Records are put together here and leave as whole lines. With `to` set,
 * pb_text_line() writes the line there and empties the text; without, lines
 * gather (a worker thread writes into its own text). Failure is sticky:
 * nothing is lost silently, the owner asks once at the end.
 * A zeroed struct is an empty text. It belongs to one thread.
 */
struct pb_text {
	char *s;     /* not terminated, owned */
	size_t len;  /* bytes in use */
	size_t cap;  /* bytes had */
	FILE *to;    /* where finished lines go; NULL: they stay */
	bool exact;  /* numbers in full, none rounded */
	bool failed; /* memory ran out or `to` failed; text may be short */
};

void pb_text_clear(struct pb_text *o);

/* Room for n more bytes, NULL if there is none; then add to len by hand. */
char *pb_text_room(struct pb_text *o, size_t n);

void pb_text_put(struct pb_text *o, const char *s, size_t n);
void pb_text_puts(struct pb_text *o, const char *s);

/*
 * A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD, and
 * what pb_utf8_shown hides is escaped: records are looked at, too.
 */
void pb_text_string(struct pb_text *o, const char *s);

/* Numbers: see num.h. */
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
