/* pace.h - clock and waiting; progress line; work on many threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* The time of a monotonic clock. */
struct timespec pb_pace_now(void);

/* Seconds since `from`, and of the clock itself. */
double pb_pace_since(struct timespec from);
double pb_pace_seconds(void);

/* Set when work is to end, in s seconds (INFINITY: never). pb_pace_over():
 * whether that time has come or a signal asks the program to end. */
void pb_pace_end_after(double s);
bool pb_pace_over(void);

/*
 * When to do the next step of a game that was due at `due`; both times of
 * pb_pace_seconds(). Returns `due`, or now if `due` is more than 0.5 s ago: a
 * game that late does not catch up.
 */
double pb_pace_due(double due, double now);

/*
 * Wait until s seconds after `from`; return at once if that has passed or is
 * more than 30 years off. A signal ends the wait early: callers check
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
	bool on;    /* stderr is a terminal, and -q was not given */
	bool drawn; /* there is a line to erase */
	struct timespec started, shown;
};

void pb_progress_start(
    struct pb_progress *p, const char *what, uint64_t total, bool quiet);

/* Show that `done` of the total are done; updates at most every 0.1 s. */
void pb_progress_show(struct pb_progress *p, uint64_t done);

/* Erase the line; call it before printing anything else to stderr. */
void pb_progress_wipe(struct pb_progress *p);

/*
 * Wait until fd can be read or has ended. Flushes stdout first: two tools that
 * talk through FIFOs would otherwise wait for each other for ever. Signals that
 * end the program are blocked except during the wait itself; otherwise one just
 * before it would go unnoticed.
 *
 * Returns  false: the program is to end
 */
bool pb_wait_for(int fd);

/* Function to call repeatedly, each time for a moment, during all waits; NULL:
 * none. */
void pb_wait_meanwhile(void (*serve)(void *user), void *user);

/* --- independent jobs on threads, results in order --- */

/*
 * Jobs 0..count-1 are done by `threads` workers; the caller's thread passes the
 * results to `emit` in the order of the jobs while the workers go on. At most
 * `window` results exist at a time: memory is bounded for any number of jobs,
 * and the results do not depend on the number of threads.
 *
 * Each worker owns a state made by `open` and freed by `close`. All other data
 * behind ctx must be read-only while the work runs, except what only `emit` and
 * `pause` use: the caller's thread alone calls these. All signals are blocked
 * in the workers.
 */
struct pb_work {
	uint64_t count; /* jobs */
	int threads;    /* workers, 1..PB_WORK_THREADS */
	size_t window;  /* results held, > 0; 0: 16 per worker */
	size_t size;    /* of a result, > 0 (bytes) */
	void *ctx;      /* passed to every function below */

	/* Make a worker's state. NULL, out of memory, ends the work. */
	void *(*open)(void *ctx);
	void (*close)(void *ctx, void *state);

	/* Do a job; `result` is zeroed. False ends the work. */
	bool (*job)(void *ctx, void *state, uint64_t number, void *result);

	/* Receive the next result. False ends the work. */
	bool (*emit)(void *ctx, uint64_t number, const void *result);

	/* Called about ten times a second with the number of results emitted,
	 * for progress and signals. False ends the work. May be NULL. */
	bool (*pause)(void *ctx, uint64_t emitted);
};

#define PB_WORK_THREADS 1024

enum pb_work_end {
	PB_WORK_DONE = 0, /* every job was emitted */
	PB_WORK_STOPPED,  /* emit or pause returned false */
	PB_WORK_FAILED    /* a job returned false; the results before it were
	                     emitted */
};

/*
 * Run w to its end.
 *
 * Returns  how it ended; *emitted: results passed to emit, those of jobs
 *          0..*emitted-1
 */
enum pb_work_end pb_work_run(const struct pb_work *w, uint64_t *emitted);

/* Number of processors online, 1 to PB_WORK_THREADS. */
int pb_work_processors(void);
