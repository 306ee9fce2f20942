/* error.h - why something was refused, to be told by whoever asked for it. */
#pragma once

#include <stdbool.h>

#include "pb/status.h"

#if defined(__GNUC__)
#define PB_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define PB_PRINTF(f, a)
#endif

/* What there is to say of an error beside its text. */
enum pb_error_kind {
	PB_ERROR_REFUSED, /* what was read is wrong */
	PB_ERROR_CUT,     /* the same: it ended too early */
	PB_ERROR_MISSING, /* the same: there is no such file */
	PB_ERROR_MEMORY,  /* no memory; what was read may be good */
	PB_ERROR_SYSTEM   /* the system failed in another way */
};

/*
 * Readers and writers print nothing: they fill an error in and return false,
 * or -1. The caller, who may know the place better, says it by msg.h, as
 * `prog: file:line: field: text`.
 */
struct pb_error {
	char text[320]; /* what was expected and what came, one line */
	enum pb_error_kind kind;
	char file[256]; /* the file at fault: the image, say, not its YAML; ""
	                   if the caller knows */
	long line;      /* in that file, 0 if none */
	char field[64]; /* key at fault, "" if none or part of the text */
};

/* Fill e and return false, so that a reader can end with it. */
bool pb_error_set(struct pb_error *e, const char *fmt, ...) PB_PRINTF(2, 3);

/* The same where memory ran out for what. */
bool pb_error_nomem(struct pb_error *e, const char *what);

/* What st, which is not PB_OK, says of what. */
bool pb_error_status(struct pb_error *e, const char *what, enum pb_status st);

/*
 * Of a file: these return -1, and e may be NULL. Line 0 and field NULL mean
 * none.
 */
int pb_error_file(struct pb_error *e, const char *file, long line,
    const char *field, const char *fmt, ...) PB_PRINTF(5, 6);

/* A system call failed: the text ends with errno's. */
int pb_error_errno(struct pb_error *e, const char *file, const char *what);

/* The file cannot be written, whatever its name says: the system's fault. */
int pb_error_write(struct pb_error *e, const char *file);

/* No memory for the file. */
int pb_error_file_nomem(struct pb_error *e, const char *file);

/* What st, which is not PB_OK, says of file. */
int pb_error_file_status(
    struct pb_error *e, const char *file, enum pb_status st);

/* e is about that line of that file. Returns -1. */
int pb_error_at(struct pb_error *e, const char *file, long line);

/* All that of says, in the text of e, which has a place of its own. Returns
 * false. */
bool pb_error_quote(struct pb_error *e, const struct pb_error *of);
