/* pace.h - keep a game at the pace of the wall clock. */
#ifndef PB_IO_STREAM_PACE_H
#define PB_IO_STREAM_PACE_H

#include <time.h>

/* The time now, of a clock that nobody sets. */
struct timespec pb_pace_now(void);

/* Seconds since then. */
double pb_pace_since(struct timespec from);

/*
 * Wait until s seconds after `from`; not at all if that has passed or is more
 * than 30 years off. A signal ends the wait early: callers look at
 * pb_msg_stopped().
 */
void pb_pace_wait(struct timespec from, double s);

#endif
