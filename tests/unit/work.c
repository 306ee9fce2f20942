/* work.c - tests of ordered work on several threads. */
#include "check.h"

#include <stdatomic.h>
#include <time.h>

#include "base/hash.h"
#include "io/stream/pace.h"

/* A pretended benchmark: a trial is a chain of draws of uneven length. */
struct ctx {
	uint64_t seen;    /* results emitted */
	uint64_t hash;    /* of them, in order */
	uint64_t fail_at; /* job that fails; none if 0 */
	uint64_t stop_at; /* result that emit refuses; none if 0 */
	bool slow;
	atomic_int open; /* states alive */
	atomic_int jobs;
	bool in_order;
	bool impatient; /* pause says stop */
};

static void *
ctx_open(void *arg)
{
	struct ctx *c = arg;

	c->open++;
	return calloc(1, sizeof(struct pb_rng));
}

static void
ctx_close(void *arg, void *state)
{
	((struct ctx *)arg)->open--;
	free(state);
}

static void
nap(long ns)
{
	struct timespec t = {0, ns};

	nanosleep(&t, NULL);
}

static bool
ctx_job(void *arg, void *state, uint64_t i, void *result)
{
	struct ctx *c = arg;
	uint64_t *sum = result, turns;

	c->jobs++;
	pb_rng_start(state, 5, i, PB_FOR_TRIAL, 0);
	turns = 1 + pb_rng_below(state, i % 7 == 0 ? 20000 : 100);
	while (turns-- > 0)
		*sum += pb_rng_u64(state) % 1000;
	if (c->slow)
		nap(2000000);
	return c->fail_at == 0 || i != c->fail_at;
}

static bool
ctx_emit(void *arg, uint64_t i, const void *result)
{
	struct ctx *c = arg;

	if (c->stop_at && i == c->stop_at)
		return false;
	c->in_order &= i == c->seen;
	c->seen++;
	c->hash = pb_hash_u64(c->hash, *(const uint64_t *)result);
	return true;
}

static bool
ctx_pause(void *arg, uint64_t emitted)
{
	struct ctx *c = arg;

	return emitted == c->seen && !c->impatient;
}

static enum pb_work_end
play(struct ctx *c, uint64_t n, int threads, size_t window)
{
	struct pb_work w = {.count = n,
	    .threads = threads,
	    .window = window,
	    .size = sizeof(uint64_t),
	    .ctx = c,
	    .open = ctx_open,
	    .close = ctx_close,
	    .job = ctx_job,
	    .emit = ctx_emit,
	    .pause = ctx_pause};
	uint64_t emitted;
	enum pb_work_end end;

	c->hash = PB_HASH_START;
	c->in_order = true;
	end = pb_work_run(&w, &emitted);
	check(emitted == c->seen);
	check(c->in_order);
	check_int(c->open, 0);
	return end;
}

test(same_for_any_threads)
{
	struct ctx one = {0};
	const int threads[] = {2, 3, 8, 64};
	const size_t window[] = {0, 1, 3, 1000};

	check_int(play(&one, 700, 1, 1), PB_WORK_DONE);
	check_int((long long)one.seen, 700);
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 4; k++) {
			struct ctx c = {0};

			check_int(
			    play(&c, 700, threads[i], window[k]), PB_WORK_DONE);
			check(c.hash == one.hash && c.seen == one.seen);
		}
}

test(no_jobs)
{
	struct ctx c = {0};

	check_int(play(&c, 0, 4, 0), PB_WORK_DONE);
	check_int((long long)c.seen, 0);
}

/* A stop in the middle emits what comes before and starts little more. */
test(emit_stops)
{
	struct ctx c = {.stop_at = 40};

	check_int(play(&c, 100000, 3, 10), PB_WORK_STOPPED);
	check_int((long long)c.seen, 40);
	check(c.jobs <= 40 + 10);
}

test(pause_stops)
{
	struct ctx c = {.slow = true, .impatient = true};

	check_int(play(&c, 100000, 3, 0), PB_WORK_STOPPED);
	check(c.seen > 0 && c.seen < 10000);
}

test(job_fails)
{
	for (int threads = 1; threads < 9; threads++) {
		struct ctx c = {.fail_at = 33};

		check_int(play(&c, 1000, threads, 0), PB_WORK_FAILED);
		check_int((long long)c.seen, 33);
	}
}

test(processors)
{
	check(pb_work_processors() >= 1);
	check(pb_work_processors() <= PB_WORK_THREADS);
}
