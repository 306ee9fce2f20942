/* pace.h - the wall clock: a game at its pace, how far a long job is. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The time now, of a clock that nobody sets. */
struct timespec pb_pace_now(void);

/* Seconds since then; those on that clock. */
double pb_pace_since(struct timespec from);
double pb_pace_seconds(void);

/*
 * When the next step of a game is due that was due at `due`, both times of
 * pb_pace_seconds(): then; or now, if that was more than half a second ago:
 * what is behind by more does not catch up.
 */
double pb_pace_due(double due, double now);

/*
 * Wait until s seconds after `from`; not at all if that has passed or is more
 * than 30 years off. A signal ends the wait early: callers look at
 * pb_msg_stopped().
 */
void pb_pace_wait(struct timespec from, double s);

/*
 * One line on stderr, rewritten in place, only if stderr is a terminal:
 *
 *	412/2000 trials, 20 %, 203/s, 8 s left
 */
struct pb_progress {
	const char *what; /* "trials" */
	uint64_t total;
	bool on;    /* stderr is a terminal and nobody said -q */
	bool drawn; /* there is a line to wipe */
	struct timespec started, shown;
};

void pb_progress_start(
    struct pb_progress *p, const char *what, uint64_t total, bool quiet);

/* Show that `done` of the total are done, now and then. */
void pb_progress_show(struct pb_progress *p, uint64_t done);

/* Wipe it; before anything else is written to stderr. */
void pb_progress_wipe(struct pb_progress *p);
