/* file.h - whole files: read into memory, replaced as one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/stream/msg.h"

/* The first bytes of a file, enough to tell what it is. */
#define PB_FILE_HEAD ((size_t)65536)

struct pb_file_limit {
	size_t bytes; /* of the whole file */
	char of[64];  /* whose limit it is: "the most for ..." */
};

/*
 * How to read a file that may be anything: `at` sees its head, the first n <=
 * PB_FILE_HEAD bytes, and what the limit is; it may change that, or refuse the
 * file by filling in f and returning -1. Nothing else was read by then. Without
 * `at` what filekind.h knows is refused: no text that is read is of a format.
 */
struct pb_file_look {
	struct pb_file_limit most;
	int (*at)(void *user, const char *name, const char *head, size_t n,
	    struct pb_file_limit *most, struct pb_error *f); /* or NULL */
	void *user;
};

/*
 * Read the file at path, "-" for standard input, into memory from malloc; a
 * zero byte follows the last one. Returns 0, or -1 with f filled in.
 */
int pb_file_read(const char *path, const struct pb_file_look *look,
    char **bytes, size_t *n, struct pb_error *f);

/*
 * From now on no file is both read and written, whatever its names are: what
 * pb_file_create would replace, or stdout, cannot be opened, and what was
 * opened, is one of n operands or stdin without any, cannot be replaced. The
 * status is that of a command line then. Operands that is_word knows are no
 * files; NULL: all are. Returns false, said, if stdout is one.
 */
bool pb_file_operands(char *const *name, int n, bool (*is_word)(const char *));

/*
 * Open path for reading; a program that writes to a named pipe is waited for.
 * Returns a file descriptor, or -1 with f filled in.
 */
int pb_file_open(const char *path, struct pb_error *f);

/* Note that fd is open to add to path, which may be read once from now on.
 * Returns 0, or -1 with f filled in: the file has another use. */
int pb_file_added(int fd, const char *path, struct pb_error *f);

/* Whether path leads to a pipe, or to a regular file. */
bool pb_file_is_pipe(const char *path);
bool pb_file_is_regular(const char *path);

/* A name put together as by printf, for free(). */
char *pb_file_name(const char *fmt, ...) PB_PRINTF(1, 2);

/* Whether the name ends in suffix, and has more: .gz asks for compression. */
bool pb_file_has_suffix(const char *path, const char *suffix);

/*
 * The head of a regular file, in the same way; of other files, which cannot be
 * read twice, nothing. Returns 0, or -1.
 */
int pb_file_head(const char *path, char **bytes, size_t *n, struct pb_error *f);

/*
 * A file that appears under its name whole or not at all. Write to out, then
 * pb_file_sync it; when everything that belongs together is synced,
 * pb_file_commit each; pb_file_abandon removes what was not committed and is
 * fine after a commit or on a zeroed struct.
 */
struct pb_file {
	FILE *out;
	char *path; /* the final name */
	char *temp; /* the name until the commit, in the same directory */
};

int pb_file_create(const char *path, struct pb_file *w, struct pb_error *f);
int pb_file_sync(struct pb_file *w, struct pb_error *f);
int pb_file_commit(struct pb_file *w, struct pb_error *f);
int pb_file_finish(struct pb_file *w, struct pb_error *f); /* both */
void pb_file_abandon(struct pb_file *w);

/* A file for the time being, in TMPDIR: its name is temp, and pb_file_abandon
 * or the program's end removes it. Returns 0, or -1 with f filled in. */
int pb_file_scratch(struct pb_file *w, struct pb_error *f);

/*
 * Whether the file at path can be created or replaced, asked before the work
 * whose result it is for; if not, why was said. Nothing is left behind. NULL
 * is no file, and fine.
 */
bool pb_file_writable(const char *path);

/*
 * Load functions of a shared library when they are first needed: most runs of
 * a tool draw nothing and connect to nothing, and cairo and libwebsockets bring
 * 20 libraries with them, more than half of pb-sim's start. A library that is
 * not there ends the program with status 3. To be called from one thread.
 *
 * Given    library  its SONAME, "libcairo.so.2"
 *          n, name  of functions
 * Returned to       pointers to them, each void (*)(void)
 */
void pb_file_functions(
    const char *library, size_t n, const char *const name[], void *to);
