/* source.h - bytes from a file or standard input, inflated if need be. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"

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
	enum pb_next (*read)(void *user, char *buf, size_t room, size_t *n,
	    struct pb_error *bad);
	void *user;
};
void pb_source_feed(const struct pb_source_feed *f);

/*
 * How long to wait for a program that writes to a named pipe (s); 0, as before
 * this is called: for ever, as streams of robots must.
 */
void pb_source_patience(int s);

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
