/* work.h - many independent jobs on several threads, results in order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

	/* A worker's state, NULL if memory could not be had. */
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
	PB_WORK_FAILED,   /* a job said so; those before it were emitted */
	PB_WORK_NOMEM     /* no memory or no thread; nothing was emitted */
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
