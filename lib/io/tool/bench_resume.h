/* bench_resume.h - a file of results that grows until a benchmark is complete. */
#ifndef PB_IO_TOOL_BENCH_RESUME_H
#define PB_IO_TOOL_BENCH_RESUME_H

#include <stdbool.h>

#include "io/stream/text.h"
#include "pb/tally.h"

/*
 * The trials in the file need not be played again; new ones are added to its
 * end, whole lines at a time, so that a run that is killed loses nothing but
 * what it was about to write. A line that was cut all the same, as by a power
 * failure, is taken off. One run at a time holds the file. A zeroed struct is
 * no file, and fine.
 */
struct pb_resume {
	struct pb_tally *known; /* what the file held; owned */
	struct pb_text out;     /* lines for its end */
	const char *path;       /* kept by the caller; NULL: no file */
	int fd;
};

/*
 * Read the file at path, made if it is not there, and hold it.
 *
 * Returns  whether it worked; if not, why was said
 */
bool pb_resume_open(struct pb_resume *r, const char *path);

/*
 * Add the lines to the file. False: it failed, which was said, and the file
 * ends with a whole line.
 */
bool pb_resume_flush(struct pb_resume *r);

/* Close; false if something could not be written, which was said. */
bool pb_resume_close(struct pb_resume *r);

#endif
