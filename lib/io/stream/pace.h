/* pace.h - the wall clock, waiting, and long work on many threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* The time now, of a clock that nobody sets. */
struct timespec pb_pace_now(void);

/* Seconds since then; those on that clock. */
double pb_pace_since(struct timespec from);
double pb_pace_seconds(void);

/* Work is to end s seconds from now (INFINITY: never); whether it is to end as
 * that time has come, or a signal asked. */
void pb_pace_end_after(double s);
bool pb_pace_over(void);

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

/* --- many independent jobs, results in order --- */

/*
 * Jobs 0..count-1 are done by `threads` workers; the caller's thread hands
 * the results to `emit` in the order of the jobs while the workers go on.
 * At most `window` results exist at a time, so memory is bounded however many
 * jobs there are, and what is emitted does not depend on the threads.
 *
 * Each worker owns a state made by `open` and freed by `close`; everything
 * else that ctx leads to must be read-only while the work runs, except for
 * what only `emit` and `pause` touch: these are called by the caller's thread
 * alone. All signals are blocked in the workers.
 */
struct pb_work {
	uint64_t count; /* jobs */
	int threads;    /* workers, 1..PB_WORK_THREADS */
	size_t window;  /* results held, > 0; 0: 16 per worker */
	size_t size;    /* of a result, > 0 (bytes) */
	void *ctx;      /* given to every function below */

	/* A worker's state, NULL if memory could not be had: the end. */
	void *(*open)(void *ctx);
	void (*close)(void *ctx, void *state);

	/* Do a job; `result` is zeroed. False ends the whole work. */
	bool (*job)(void *ctx, void *state, uint64_t number, void *result);

	/* Take the next result. False ends the work. */
	bool (*emit)(void *ctx, uint64_t number, const void *result);

	/*
	 * Called about ten times a second with the number of jobs emitted, and
	 * asked whether to go on; for progress and signals. May be NULL.
	 */
	bool (*pause)(void *ctx, uint64_t emitted);
};

#define PB_WORK_THREADS 1024

enum pb_work_end {
	PB_WORK_DONE = 0, /* every job was emitted */
	PB_WORK_STOPPED,  /* emit or pause said so */
	PB_WORK_FAILED    /* a job said so; those before it were emitted */
};

/*
 * Run w to its end.
 *
 * Returns  how it ended; *emitted, the number of results handed over, which
 *          are those of jobs 0..*emitted-1
 */
enum pb_work_end pb_work_run(const struct pb_work *w, uint64_t *emitted);

/* Processors online, at least 1 and at most PB_WORK_THREADS. */
int pb_work_processors(void);
