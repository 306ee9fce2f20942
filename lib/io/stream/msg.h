/* msg.h - errors, complaints on stderr, the exit status, the end of stdout. */
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

/* What there is to say of an error beside its text. */
enum pb_error_kind {
	PB_ERROR_REFUSED, /* what was read is wrong */
	PB_ERROR_CUT,     /* the same: it ended too early */
	PB_ERROR_MISSING, /* the same: there is no such file */
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

/* What came of asking for the next line, message, bytes. */
enum pb_next {
	PB_NEXT, /* there it is */
	PB_END,  /* no more */
	PB_BAD,  /* it cannot be read, an error says why; go on or not */
	PB_HALT  /* the system failed, which was said, or a signal stops us */
};

/* Fill e and return false, so that a reader can end with it. */
bool pb_error_set(struct pb_error *e, const char *fmt, ...) PB_PRINTF(2, 3);

/* What st, which is not PB_OK, says of what; out of memory is the end. */
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

/* What st, which is not PB_OK, says of file; out of memory is the end. */
int pb_error_file_status(
    struct pb_error *e, const char *file, enum pb_status st);

/* e is about that line of that file. Returns -1. */
int pb_error_at(struct pb_error *e, const char *file, long line);

/*
 * Every line on stderr has one form: program, place, what is wrong.
 *
 *	pb-score: <stdin>:17: pose.x: expected a number, got a string
 *
 * The exit status is the worst thing that was said. Functions return; only
 * pb_msg_finish() decides the status and main returns it. Messages belong to
 * the main thread.
 */
enum pb_exit {
	PB_EXIT_OK = 0,      /* every record read, every byte written */
	PB_EXIT_REFUSED = 1, /* a record or input file was refused */
	PB_EXIT_USAGE = 2,   /* the command line was refused */
	PB_EXIT_SYSTEM = 3,  /* the system failed; output may be short */
	PB_EXIT_EXPECT = 4   /* pb-bench: an --expect was not met */
};

/* The hash of all bytes that the program has read in its main thread, for
 * rec/rec.h. */
struct pb_input {
	bool hashed; /* it is wanted */
	uint64_t hash;
};
extern struct pb_input pb_input;

/* These bytes were read. */
void pb_input_add(const char *s, size_t n);

/* Where something was read. */
struct pb_place {
	const char *file; /* NULL: nowhere in particular */
	long line;        /* from 1; 0: the file as a whole */
};

/* Name the program (the last part of argv0); once, first thing in main. */
void pb_msg_start(const char *argv0);
const char *pb_msg_program(void);

/* With q, notes and warnings are not said (-q). */
void pb_msg_quiet(bool q);

enum pb_say {
	PB_SAY_WARN,    /* odd, but dealt with; the status stays */
	PB_SAY_NOTE,    /* what a user wants to know; the status stays */
	PB_SAY_REFUSED, /* a record or an input file is refused: status 1 */
	PB_SAY_USAGE,   /* the command line is refused: status 2 */
	PB_SAY_SYSTEM,  /* the system failed: 3; errno's text if it is not 0 */
	PB_SAY_UNMET /* what was asked for was not met (--expect): status 4 */
};

/* Print a message. Returns false, as `return pb_msg_say(...);` in a bool
 * function needs it. */
bool pb_msg_say(enum pb_say level, struct pb_place at, const char *fmt, ...)
    PB_PRINTF(3, 4);

/* The arguments are a place and those of printf, or the latter alone. */
#define pb_msg_warn(...)   pb_msg_say(PB_SAY_WARN, __VA_ARGS__)
#define pb_msg_refuse(...) pb_msg_say(PB_SAY_REFUSED, __VA_ARGS__)
#define pb_msg_note(...)   PB_MSG_NOWHERE(PB_SAY_NOTE, __VA_ARGS__)
#define pb_msg_usage(...)  PB_MSG_NOWHERE(PB_SAY_USAGE, __VA_ARGS__)
#define pb_msg_system(...) PB_MSG_NOWHERE(PB_SAY_SYSTEM, __VA_ARGS__)
#define pb_msg_unmet(...)  PB_MSG_NOWHERE(PB_SAY_UNMET, __VA_ARGS__)
#define PB_MSG_NOWHERE(level, ...) \
	pb_msg_say(level, (struct pb_place){NULL, 0}, __VA_ARGS__)

/*
 * The same, with what a reader filled in, at its own place if it has one;
 * status 3 if the system failed. An empty text was said.
 */
bool pb_msg_error(const struct pb_error *e);
bool pb_msg_error_at(struct pb_place at, const struct pb_error *e);

/*
 * The system has no more memory, threads or processes: what is whole on stdout
 * is written, files that are not are removed, one line says why, and the
 * program ends with status 3.
 */
_Noreturn void pb_msg_end(const char *why);
#define PB_NO_PROCESS "cannot start a process: no memory or too many of them"
_Noreturn void pb_msg_end_memory(void);

/* From malloc: n zeroed items, another size of p, a copy of s. Where memory
 * runs out the program ends so; they never return NULL. */
void *pb_alloc(size_t n, size_t size);
void *pb_resize(void *p, size_t size);
char *pb_copy(const char *s);

/*
 * Raise the status to s without a word, unless something worse happened:
 * a system failure is worst, then a command line, a record, an expectation.
 */
void pb_msg_status(enum pb_exit s);

/* The worst status so far. */
enum pb_exit pb_msg_worst(void);

/*
 * From now on SIGINT, SIGTERM and SIGHUP ask the program to end after the
 * record at hand, so that nobody reads half a line; a second one kills. A
 * signal that was ignored, or has a handler, stays so. pb_msg_finish() dies of
 * the signal.
 */
void pb_msg_catch(void);

/*
 * Until pb_msg_at_once(false), a signal ends the program at once, for work
 * that nothing can interrupt. Standard output is flushed first: whole records
 * only are to be in it.
 */
void pb_msg_at_once(bool on);

/* After pb_msg_catch(), call f, which makes only calls that a handler may make,
 * before the program ends by exit() or a signal. Once, or for the same f. */
void pb_msg_at_end(void (*f)(void));

/*
 * Hold these signals back, and those in `more`, which 0 ends (NULL: none); *old
 * is the mask before. Whoever waits for input looks at pb_msg_stopped() and
 * then waits under the old mask.
 */
void pb_msg_hold(const int *more, sigset_t *old);

/* Whether such a signal came. */
bool pb_msg_stopped(void);

/*
 * Whether stdout still takes bytes. On the first failed write says so
 * (status 3); a reader who went away (EPIPE) is not worth a word. Long loops
 * ask once per record.
 */
bool pb_msg_out_ok(void);

/* Have the last records written by that, if output is whole. */
void pb_msg_at_finish(void (*write)(void));

/*
 * Write the last records that were asked for, flush and close
 * stdout, say what went wrong, return the exit status.
 */
int pb_msg_finish(void);

/*
 * Of the words that were right, the one nearest to what was typed: fewest
 * letters put in, left out, changed or swapped; the first of equals. More than
 * a third of the letters, or two, is too far.
 */
struct pb_suggest {
	const char *typed;
	const char *best; /* NULL: none is near */
	size_t n;         /* its length */
	size_t distance;
	char text[120]; /* see pb_suggest_text() */
};

struct pb_suggest pb_suggest_for(const char *typed);

/* Try a word, or every word of a list with any of "|, " between. */
void pb_suggest_try(struct pb_suggest *near, const char *words);

/* The end of a message: "; did you mean \"safe\"?", "" if nothing is near. */
const char *pb_suggest_text(struct pb_suggest *near);

/* --- what this build of a tool is, and whether it computes right --- */

/* The commit, as git describes it, or "unknown"; the compiler. */
extern const char pb_build_commit[];
extern const char pb_build_compiler[];

/*
 * The digest of pb/version.h, worked out once. It tells results that can
 * be compared from those of a build that computes something else.
 */
uint64_t pb_build_digest(void);

/* Print these on stdout, after the line with the version. */
void pb_build_print(void);

/* Warn if the digest is not the one that it should be. */
void pb_build_check(void);
