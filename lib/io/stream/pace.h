/* pace.h - the wall clock and waiting: games, long jobs, input. */
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

/*
 * Wait until fd can be read or has ended. What was written must be seen before
 * we wait for more, or two tools that talk through FIFOs wait for each other
 * for ever: stdout is flushed. A signal that asks us to end is held back but
 * for the wait itself: one that comes just before it would not be noticed
 * otherwise.
 *
 * Returns  false: we are to end
 */
bool pb_wait_for(int fd);

/* What to do again and again while we wait, each time for a moment; NULL:
 * nothing. */
void pb_wait_meanwhile(void (*serve)(void *user), void *user);
