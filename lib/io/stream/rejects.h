/* rejects.h - the file of the lines that were refused (--rejects). */
#ifndef PB_IO_STREAM_REJECTS_H
#define PB_IO_STREAM_REJECTS_H

#include <stdbool.h>
#include <stdio.h>

#include "io/stream/line.h"

/*
 * Lines are kept as they came; a line end that is missing is supplied. A name
 * in .gz is compressed. A zeroed struct keeps nothing and is fine.
 */
struct pb_rejects {
	const char *name; /* kept by the caller, NULL: no file */
	FILE *out;        /* of a plain file */
	void *gz;         /* of a compressed one */
	bool failed;
};

/* Create the file; false if that failed, which was said. NULL: no file. */
bool pb_rejects_open(struct pb_rejects *r, const char *name);

void pb_rejects_put(struct pb_rejects *r, const struct pb_line *l);

/* Close it; a full disk does not pass unnoticed. */
void pb_rejects_close(struct pb_rejects *r);

#endif
