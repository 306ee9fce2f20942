/* fault.h - why a file was refused, to be told by whoever asked for it. */
#ifndef PB_IO_STREAM_FAULT_H
#define PB_IO_STREAM_FAULT_H

#include <stdbool.h>

#include "io/stream/msg.h"
#include "pb/status.h"

/*
 * Readers and writers of files print nothing: they return 0, or -1 with a
 * fault filled in. The tool prints `prog: file:line: field: text`.
 */
struct pb_fault {
	char file[256]; /* the file at fault: the image, say, not its YAML */
	long line;      /* in that file, 0 if none */
	char field[64]; /* key at fault, "" if none */
	char text[256]; /* what was expected and what came, one line */
	bool missing;   /* there is no such file */
	bool system;    /* the system failed; the file may be good */
	bool memory;    /* there was no memory for it */
};

/* Fill in f, which may be NULL; line 0 and field NULL mean none. Returns -1. */
int pb_fault_set(struct pb_fault *f, const char *file, long line,
    const char *field, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The same for a failed system call: the text ends with errno's. */
int pb_fault_sys(struct pb_fault *f, const char *file, const char *what);

/* No memory for the file. Returns -1. */
int pb_fault_nomem(struct pb_fault *f, const char *file);

/* What st, which is not PB_OK, says of field (NULL: all) of file. Returns -1.
 */
int pb_fault_status(
    struct pb_fault *f, const char *file, const char *field, enum pb_status st);

/*
 * Say f on stderr in the form of all complaints: status 1, or 3 if the system
 * failed.
 */
void pb_fault_say(const struct pb_fault *f);

/* Let whoever reads commands say it, in one line. Returns false. */
bool pb_bad_fault(struct pb_bad *bad, const struct pb_fault *f);

#endif
