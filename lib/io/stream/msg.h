/* msg.h - errors, messages on stderr, the exit status, the end of stdout. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/status.h"

#if defined(__GNUC__)
#define PB_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define PB_PRINTF(f, a)
#endif

/* The kind of an error decides the exit status. */
enum pb_error_kind {
	PB_ERROR_REFUSED, /* the input is wrong */
	PB_ERROR_CUT,     /* the input ended too early */
	PB_ERROR_MISSING, /* there is no such file */
	PB_ERROR_SYSTEM   /* the system failed otherwise */
};

/*
 * Readers and writers print nothing: they fill in an error and return false, or
 * -1. The caller, which may know the place better, prints it with the functions
 * below, as `prog: file:line: field: text`.
 */
struct pb_error {
	char text[320]; /* one line: what was expected and what was found */
	enum pb_error_kind kind;
	char file[256]; /* file at fault; "": the caller knows it */
	long line;      /* in that file, 0 if none */
	char field[64]; /* key at fault; "": none, or in the text */
};

/* Result of asking for the next line, message or bytes. */
enum pb_next {
	PB_NEXT, /* it was read */
	PB_END,  /* no more input */
	PB_BAD,  /* cannot be read, an error says why; the caller may go on */
	PB_HALT  /* the system failed, with a message, or a signal came */
};

/* Fill in e and return false, so that a reader can `return` the call. */
bool pb_error_set(struct pb_error *e, const char *fmt, ...) PB_PRINTF(2, 3);

/* Fill in e with the meaning of st, not PB_OK; what: its subject. PB_ENOMEM
 * ends the program. */
bool pb_error_status(struct pb_error *e, const char *what, enum pb_status st);

/* Errors of a file: these return -1, and e may be NULL. Line 0 and field NULL
 * mean none. */
int pb_error_file(struct pb_error *e, const char *file, long line,
    const char *field, const char *fmt, ...) PB_PRINTF(5, 6);

/* A system call failed: the text ends with errno's. */
int pb_error_errno(struct pb_error *e, const char *file, const char *what);

/* The file cannot be written; counts as a failure of the system even if the
 * name is wrong. */
int pb_error_write(struct pb_error *e, const char *file);

/* Fill in e with the meaning of st, not PB_OK, for a file. PB_ENOMEM ends the
 * program. */
int pb_error_file_status(
    struct pb_error *e, const char *file, enum pb_status st);

/* Set the place of e. Returns -1. */
int pb_error_at(struct pb_error *e, const char *file, long line);

/*
 * Every message on stderr is one line: program, place, what is wrong.
 *
 * pb-score: <stdin>:17: pose.x: expected a number, got a string
 *
 * The exit status is that of the worst message. Functions return; only
 * pb_msg_finish() decides the status, and main returns it. Only the main thread
 * prints messages.
 */
enum pb_exit {
	PB_EXIT_OK = 0,      /* every record read, every byte written */
	PB_EXIT_REFUSED = 1, /* a record or input file was refused */
	PB_EXIT_USAGE = 2,   /* the command line was refused */
	PB_EXIT_SYSTEM = 3,  /* the system failed; output may be short */
	PB_EXIT_EXPECT = 4   /* pb-bench: an --expect was not met */
};

/* Hash of all bytes that the main thread has read, see rec/rec.h. */
struct pb_input {
	bool hashed; /* whether it is needed */
	uint64_t hash;
};
extern struct pb_input pb_input;

/* Add bytes that were read. */
void pb_input_add(const char *s, size_t n);

/* A place in the input. */
struct pb_place {
	const char *file; /* NULL: no place */
	long line;        /* from 1; 0: the file as a whole */
};

/* Set the program's name to the last part of argv0; called first in main. */
void pb_msg_start(const char *argv0);
const char *pb_msg_program(void);

/* Suppress notes and warnings (-q). */
void pb_msg_quiet(bool q);

enum pb_say {
	PB_SAY_WARN,    /* unusual input, still handled; the status stays */
	PB_SAY_NOTE,    /* information for the user; the status stays */
	PB_SAY_REFUSED, /* a record or an input file is refused: status 1 */
	PB_SAY_USAGE,   /* the command line is refused: status 2 */
	PB_SAY_SYSTEM,  /* the system failed: 3; errno's text if it is not 0 */
	PB_SAY_UNMET    /* an expectation is not met (--expect): status 4 */
};

/* Print a message. Returns false, so that a bool function can `return` the
 * call. */
bool pb_msg_say(enum pb_say level, struct pb_place at, const char *fmt, ...)
    PB_PRINTF(3, 4);

/* The arguments are a place and those of printf; from pb_msg_note on, those of
 * printf alone. */
#define pb_msg_warn(...)   pb_msg_say(PB_SAY_WARN, __VA_ARGS__)
#define pb_msg_refuse(...) pb_msg_say(PB_SAY_REFUSED, __VA_ARGS__)
#define pb_msg_note(...)   PB_MSG_NOWHERE(PB_SAY_NOTE, __VA_ARGS__)
#define pb_msg_usage(...)  PB_MSG_NOWHERE(PB_SAY_USAGE, __VA_ARGS__)
#define pb_msg_system(...) PB_MSG_NOWHERE(PB_SAY_SYSTEM, __VA_ARGS__)
#define pb_msg_unmet(...)  PB_MSG_NOWHERE(PB_SAY_UNMET, __VA_ARGS__)
#define PB_MSG_NOWHERE(level, ...) \
	pb_msg_say(level, (struct pb_place){NULL, 0}, __VA_ARGS__)

/* Print the error of a reader, at its own place if it has one; status 3 if the
 * system failed. An empty text was already printed. */
bool pb_msg_error(const struct pb_error *e);
bool pb_msg_error_at(struct pb_place at, const struct pb_error *e);

/* The system has no more memory, threads or processes: flush whole records to
 * stdout, remove unfinished files, print why, and exit with status 3. */
_Noreturn void pb_msg_end(const char *why);
#define PB_NO_PROCESS "cannot start a process: no memory or too many of them"
_Noreturn void pb_msg_end_memory(void);

/* malloc n zeroed items, resize p, copy s. They never return NULL: without
 * memory they call pb_msg_end_memory(). */
void *pb_alloc(size_t n, size_t size);
void *pb_resize(void *p, size_t size);
char *pb_copy(const char *s);

/*
 * Raise the status to s without a message, unless it is already worse. From
 * worst: system failure, wrong command line, refused record, unmet expectation.
 */
void pb_msg_status(enum pb_exit s);

/* The worst status so far. */
enum pb_exit pb_msg_worst(void);

/*
 * From now on SIGINT, SIGTERM and SIGHUP ask the program to end after the
 * current record, so that no half lines are written; a second signal kills.
 * Signals that were ignored or have a handler are left alone. pb_msg_finish()
 * then ends the program by that signal.
 */
void pb_msg_catch(void);

/*
 * Until pb_msg_at_once(false), a signal ends the program at once: for work that
 * cannot be interrupted. stdout is flushed first, so it must hold whole records
 * only.
 */
void pb_msg_at_once(bool on);

/* After pb_msg_catch(): call f before the program ends by exit() or a signal. f
 * may call only async-signal-safe functions. Only one f at a time. */
void pb_msg_at_end(void (*f)(void));

/*
 * Block these signals and those in `more`, which ends with 0 (NULL: none); *old
 * is the mask before. Code that waits for input checks pb_msg_stopped() and
 * then waits under the old mask.
 */
void pb_msg_hold(const int *more, sigset_t *old);

/* Whether a signal asks the program to end. */
bool pb_msg_stopped(void);

/*
 * Whether stdout still takes bytes. Reports the first failed write (status 3),
 * silently if the reader of a pipe has gone (EPIPE). Long loops call it once
 * per record.
 */
bool pb_msg_out_ok(void);

/* Call write() in pb_msg_finish(), for the last records, if all output so far
 * is whole. */
void pb_msg_at_finish(void (*write)(void));

/* Write the last records (pb_msg_at_finish), flush and close stdout, report
 * failures, return the exit status. */
int pb_msg_finish(void);

/*
 * Finds the valid word nearest to what was typed: fewest letters inserted,
 * omitted, changed or swapped; the first of equals. A distance of more than a
 * third of the letters, or of two in short words, is too far.
 */
struct pb_suggest {
	const char *typed;
	const char *best; /* NULL: none is near */
	size_t n;         /* its length */
	size_t distance;
	char text[120]; /* see pb_suggest_text() */
};

struct pb_suggest pb_suggest_for(const char *typed);

/* Try a word, or every word of a list separated by any of "|, ". */
void pb_suggest_try(struct pb_suggest *near, const char *words);

/* The end of a message: "; did you mean \"safe\"?", "" if nothing is near. */
const char *pb_suggest_text(struct pb_suggest *near);

/* --- the build of a tool --- */

/* Commit as git describes it, or "unknown"; compiler. */
extern const char pb_build_commit[];
extern const char pb_build_compiler[];

/* The digest of pb/version.h, computed once. Results of builds with different
 * digests cannot be compared. */
uint64_t pb_build_digest(void);

/* Print these to stdout, below the version. */
void pb_build_print(void);

/* Warn if the digest is not the one that pb/version.h expects (PB_SELFTEST). */
void pb_build_check(void);
