/* file.h - whole files: read into memory, replaced as one; the kind of a file
 * by its first bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/stream/msg.h"

/* Bytes of the head of a file, enough to tell its kind. */
#define PB_FILE_HEAD ((size_t)65536)

struct pb_file_limit {
	size_t bytes; /* most bytes of the whole file */
	char of[64];  /* what sets the limit: "the most for ..." */
};

/*
 * How to read a file of any kind. `at` sees its head, the first n <=
 * PB_FILE_HEAD bytes, before anything else is read; it may change the limit
 * *most, or refuse the file by filling in f and returning -1. Without `at`, a
 * file of a format that pb_filekind_of() knows is refused: a text is expected.
 */
struct pb_file_look {
	struct pb_file_limit most;
	int (*at)(void *user, const char *name, const char *head, size_t n,
	    struct pb_file_limit *most, struct pb_error *f); /* or NULL */
	void *user;
};

/* Read the file at path, "-" for standard input, into memory from malloc; a
 * zero byte follows the last one. Returns 0, or -1 with f filled in. */
int pb_file_read(const char *path, const struct pb_file_look *look,
    char **bytes, size_t *n, struct pb_error *f);

/*
 * From now on no file is both read and written, whatever its names are. Files
 * that pb_file_create() would replace, and stdout, cannot be opened; files that
 * were opened, the n operands, and stdin if there are none, cannot be replaced.
 * A violation counts as a wrong command line. Operands that is_word accepts are
 * no files; NULL: all are files. Returns false, with a message, if an operand
 * is stdout.
 */
bool pb_file_operands(char *const *name, int n, bool (*is_word)(const char *));

/* Open path for reading; of a named pipe, wait for a program that writes to it.
 * Returns a file descriptor, or -1 with f filled in. */
int pb_file_open(const char *path, struct pb_error *f);

/* Register that fd appends to path, which may from now on be read once. Returns
 * 0, or -1 with f filled in: the file has another use. */
int pb_file_added(int fd, const char *path, struct pb_error *f);

/* Whether path is a pipe, or a regular file; links are followed. */
bool pb_file_is_pipe(const char *path);
bool pb_file_is_regular(const char *path);

/* Format a name as printf does; free it with free(). */
char *pb_file_name(const char *fmt, ...) PB_PRINTF(1, 2);

/* Whether the name ends in suffix and has something before it. */
bool pb_file_has_suffix(const char *path, const char *suffix);

/* Read the head of a regular file, allocated as by pb_file_read(); nothing of
 * other files, which cannot be read twice. Returns 0, or -1. */
int pb_file_head(const char *path, char **bytes, size_t *n, struct pb_error *f);

/*
 * A file that is replaced as a whole or not at all. Write to out, then call
 * pb_file_sync(); once all files that belong together are synced,
 * pb_file_commit() each. pb_file_abandon() removes a file that was not
 * committed; it may be called after a commit or on a zeroed struct.
 */
struct pb_file {
	FILE *out;
	char *path; /* the final name */
	char *temp; /* temporary name until the commit, in the same folder */
};

int pb_file_create(const char *path, struct pb_file *w, struct pb_error *f);
int pb_file_sync(struct pb_file *w, struct pb_error *f);
int pb_file_commit(struct pb_file *w, struct pb_error *f);
int pb_file_finish(struct pb_file *w, struct pb_error *f); /* sync and commit */
void pb_file_abandon(struct pb_file *w);

/* Create a temporary file in TMPDIR; its name is temp. pb_file_abandon() or the
 * end of the program removes it. Returns 0, or -1 with f filled in. */
int pb_file_scratch(struct pb_file *w, struct pb_error *f);

/*
 * Whether the file at path can be created or replaced; tested before long work
 * whose result it will hold. Leaves nothing behind. Prints a message if not.
 * NULL: no file is wanted, true.
 */
bool pb_file_writable(const char *path);

/*
 * Load functions of a shared library when they are first needed: most runs of
 * a tool draw nothing and connect to nothing, and cairo and libwebsockets bring
 * 20 libraries with them, more than half of pb-sim's start. A library that is
 * not there ends the program with status 3. To be called from one thread.
 *
 * Given    library  its SONAME, "libcairo.so.2"
 *          n, name   names of functions
 * Returned to       pointers to them, each void (*)(void)
 */
void pb_file_functions(
    const char *library, size_t n, const char *const name[], void *to);

enum pb_filekind {
	PB_FILE_UNKNOWN, /* a text, or bytes of an unknown format */
	PB_FILE_MCAP,    /* recordings of ROS topics */
	PB_FILE_ROS1,
	PB_FILE_DB3,
	PB_FILE_ZSTD, /* compressed file of any kind */
	PB_FILE_GZIP,
	PB_FILE_UTF16,
	PB_FILE_XML,
	PB_FILE_MAPYAML,
	PB_FILE_PRETTY, /* one JSON value over several lines */
	PB_FILE_PNM,    /* images that maps are read from: PGM or PPM */
	PB_FILE_PNG,
	PB_FILE_BMP,
	PB_FILE_FOREIGN_IMAGE, /* image format that no tool reads */
	PB_FILE_FOREIGN,       /* format that no tool reads */
	PB_FILE_KINDS
};

/* A set of kinds. */
#define PB_FILES(k) (1u << (k))
#define PB_FILES_IMAGES \
	(PB_FILES(PB_FILE_PNM) | PB_FILES(PB_FILE_PNG) | PB_FILES(PB_FILE_BMP))
#define PB_FILES_RECORDINGS                                \
	(PB_FILES(PB_FILE_MCAP) | PB_FILES(PB_FILE_ROS1) | \
	    PB_FILES(PB_FILE_DB3) | PB_FILES(PB_FILE_ZSTD))

/* The kind of a file whose first n bytes are at head. */
enum pb_filekind pb_filekind_of(const void *head, size_t n);

/*
 * Whether a reader of these kinds (a set) may try a file with that head; the
 * reader itself checks files of unknown kind. If not, bad says what the file
 * is, and what to do with it or which tool reads it.
 */
bool pb_filekind_check(
    unsigned reads, const void *head, size_t n, struct pb_error *bad);
