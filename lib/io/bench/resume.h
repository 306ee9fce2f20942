/* resume.h - a file of results that grows until a benchmark is complete. */
#ifndef PB_IO_BENCH_RESUME_H
#define PB_IO_BENCH_RESUME_H

#include <stdbool.h>
#include <stdio.h>

#include "game/tally.h"
#include "io/text.h"

/*
 * The trials in the file need not be played again; new ones are added to its
 * end, line by line, so that a run that is killed loses nothing but the line
 * that it was writing. Such a torn line is cut off. A zeroed struct is no
 * file, and fine.
 */
struct pb_resume {
	struct pb_tally *known; /* what the file held; owned */
	struct pb_text out;     /* to its end */
	FILE *file;
};

/*
 * Read the file at path, made if it is not there, and open its end.
 *
 * Returns  whether it worked; if not, why was said
 */
bool pb_resume_open(struct pb_resume *r, const char *path);

/* Bring what was added onto the disk; false if it failed, which was said. */
bool pb_resume_flush(struct pb_resume *r);

/* Close; false if something could not be written, which was said. */
bool pb_resume_close(struct pb_resume *r);

#endif
