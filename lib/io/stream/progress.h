/* progress.h - how far a long job is, for somebody who watches. */
#ifndef PB_IO_STREAM_PROGRESS_H
#define PB_IO_STREAM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * One line on stderr, rewritten in place, only if stderr is a terminal:
 *
 *	412/2000 trials, 20 %, 203/s, 8 s left
 */
struct pb_progress {
	const char *what; /* "trials" */
	uint64_t total;
	bool on;        /* stderr is a terminal and nobody said -q */
	bool drawn;     /* there is a line to wipe */
	double started; /* on a clock of its own (s) */
};

void pb_progress_start(
    struct pb_progress *p, const char *what, uint64_t total, bool quiet);

/* Show that `done` of the total are done. */
void pb_progress_show(struct pb_progress *p, uint64_t done);

/* Wipe the line; before anything else is written to stderr. */
void pb_progress_wipe(struct pb_progress *p);

#endif
