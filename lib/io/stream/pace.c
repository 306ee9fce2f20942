/* pace.c - clock and waiting; progress line; work on many threads. */
#include "io/stream/pace.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include "io/stream/msg.h"

struct timespec
pb_pace_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t;
}

double
pb_pace_since(struct timespec from)
{
	struct timespec t = pb_pace_now();

	return (double)(t.tv_sec - from.tv_sec) +
	       1e-9 * (double)(t.tv_nsec - from.tv_nsec);
}

double
pb_pace_seconds(void)
{
	return pb_pace_since((struct timespec){0, 0});
}

static double over_at = INFINITY; /* on the clock of pb_pace_seconds() */

void
pb_pace_end_after(double s)
{
	over_at = pb_pace_seconds() + s;
}

bool
pb_pace_over(void)
{
	return pb_msg_stopped() ||
	       (over_at < INFINITY && pb_pace_seconds() >= over_at);
}

/* A game that is later than this does not catch up (s). */
#define BEHIND 0.5

double
pb_pace_due(double due, double now)
{
	return now > due + BEHIND ? now : due;
}

void
pb_pace_wait(struct timespec from, double s)
{
	double whole = floor(s);

	if (!(s >= 0) || s > 1e9)
		return;
	from.tv_sec += (time_t)whole;
	from.tv_nsec += (long)((s - whole) * 1e9);
	if (from.tv_nsec >= 1000000000) {
		from.tv_nsec -= 1000000000;
		from.tv_sec++;
	}
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &from, NULL);
}

void
pb_progress_start(
    struct pb_progress *p, const char *what, uint64_t total, bool quiet)
{
	*p = (struct pb_progress){.what = what, .total = total};
	p->on = !quiet && isatty(STDERR_FILENO);
	p->started = pb_pace_now();
}

/* Print a duration for people: "8 s", "3 min", "2.5 h". */
static void
print_duration(double s)
{
	if (s < 100)
		fprintf(stderr, "%.0f s", s);
	else if (s < 6000)
		fprintf(stderr, "%.0f min", s / 60);
	else
		fprintf(stderr, "%.1f h", s / 3600);
}

/* Least time between two updates of the line (s). */
#define OFTEN 0.1

void
pb_progress_show(struct pb_progress *p, uint64_t done)
{
	double spent = pb_pace_since(p->started);
	double rate = spent > 0 ? (double)done / spent : 0;

	if (!p->on || p->total == 0 ||
	    (p->drawn && pb_pace_since(p->shown) < OFTEN))
		return;
	/* Without automatic wrap: a narrow terminal cuts the line. */
	fputs("\033[?7l\r", stderr);
	fprintf(stderr, "%" PRIu64 "/%" PRIu64 " %s, %.0f %%, %.3g/s", done,
	    p->total, p->what, 100.0 * (double)done / (double)p->total, rate);
	if (rate > 0) {
		fputs(", ", stderr);
		print_duration((double)(p->total - done) / rate);
		fputs(" left", stderr);
	}
	fputs("\033[K\033[?7h", stderr);
	p->drawn = true;
	p->shown = pb_pace_now();
}

void
pb_progress_wipe(struct pb_progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	p->drawn = false;
}

static struct {
	void (*serve)(void *user);
	void *user;
} meanwhile;

void
pb_wait_meanwhile(void (*serve)(void *user), void *user)
{
	meanwhile.serve = serve;
	meanwhile.user = user;
}

bool
pb_wait_for(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	sigset_t old;
	fd_set set;

	if (poll(&p, 1, 0) != 0)
		return true;
	fflush(stdout);
	while (meanwhile.serve && !pb_msg_stopped() && poll(&p, 1, 0) == 0)
		meanwhile.serve(meanwhile.user);
	if (fd >= FD_SETSIZE)
		return true;
	pb_msg_hold(NULL, &old);
	do {
		FD_ZERO(&set);
		FD_SET(fd, &set);
	} while (!pb_msg_stopped() &&
		 pselect(fd + 1, &set, NULL, NULL, NULL, &old) < 0 &&
		 errno == EINTR);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return !pb_msg_stopped();
}

/* --- many independent jobs --- */

enum { EMPTY, READY, FAILED };

/* Time between two calls of pause: fast enough for a progress line (s). */
#define PAUSE_EVERY 0.1

/* What the threads share; `lock` guards all members below it. */
struct run {
	const struct pb_work *w;
	size_t window;
	char *slot; /* results, job i in slot i % window */
	pthread_mutex_t lock;
	pthread_cond_t ready; /* the next result to emit is ready */
	pthread_cond_t room;  /* a slot was emptied, or the work is over */
	unsigned char *mark;  /* of each slot: EMPTY, READY, FAILED */
	uint64_t next;        /* job to hand out next */
	uint64_t emitted;     /* results emitted */
	bool over;            /* hand out no more */
};

struct worker {
	struct run *r;
	void *state;
	pthread_t thread;
};

/* Reserve the next job, waiting for a free slot. False: the work is over. */
static bool
reserve_job(struct run *r, uint64_t *job)
{
	bool got;

	pthread_mutex_lock(&r->lock);
	while (!r->over && r->next < r->w->count &&
	       r->next - r->emitted >= r->window)
		pthread_cond_wait(&r->room, &r->lock);
	got = !r->over && r->next < r->w->count;
	if (got)
		*job = r->next++;
	pthread_mutex_unlock(&r->lock);
	return got;
}

static void
mark_job(struct run *r, uint64_t job, bool ok)
{
	pthread_mutex_lock(&r->lock);
	r->mark[job % r->window] = ok ? READY : FAILED;
	if (!ok)
		r->over = true;
	if (job == r->emitted || !ok)
		pthread_cond_signal(&r->ready);
	pthread_mutex_unlock(&r->lock);
}

static void *
worker_main(void *arg)
{
	struct worker *k = arg;
	const struct pb_work *w = k->r->w;
	uint64_t i;

	while (reserve_job(k->r, &i)) {
		char *result = k->r->slot + i % k->r->window * w->size;

		memset(result, 0, w->size);
		mark_job(k->r, i, w->job(w->ctx, k->state, i, result));
	}
	return NULL;
}

/* Wait until job r->emitted has a mark or `until` has come. A job that was
 * never handed out because the work is over counts as failed. */
static int
wait_for_mark(struct run *r, double until)
{
	struct timespec t = {(time_t)until, (long)(fmod(until, 1) * 1e9)};
	unsigned char *mark = &r->mark[r->emitted % r->window];
	int found, err = 0;

	pthread_mutex_lock(&r->lock);
	while (
	    *mark == EMPTY && err == 0 && !(r->over && r->emitted >= r->next))
		err = pthread_cond_timedwait(&r->ready, &r->lock, &t);
	found = *mark;
	if (found == EMPTY && r->over && r->emitted >= r->next)
		found = FAILED;
	pthread_mutex_unlock(&r->lock);
	return found;
}

static void
free_slot(struct run *r)
{
	pthread_mutex_lock(&r->lock);
	r->mark[r->emitted % r->window] = EMPTY;
	r->emitted++;
	pthread_cond_signal(&r->room);
	pthread_mutex_unlock(&r->lock);
}

static enum pb_work_end
emit_all(struct run *r)
{
	const struct pb_work *w = r->w;
	double due = pb_pace_seconds() + PAUSE_EVERY;

	while (r->emitted < w->count) {
		int mark = wait_for_mark(r, due);
		uint64_t i = r->emitted;

		if (pb_pace_seconds() >= due) {
			if (w->pause && !w->pause(w->ctx, i))
				return PB_WORK_STOPPED;
			due = pb_pace_seconds() + PAUSE_EVERY;
		}
		if (mark == FAILED)
			return PB_WORK_FAILED;
		if (mark == EMPTY)
			continue;
		if (!w->emit(w->ctx, i, r->slot + i % r->window * w->size))
			return PB_WORK_STOPPED;
		free_slot(r);
	}
	return PB_WORK_DONE;
}

/* Start the workers with all signals blocked. Returns how many could be
 * started. */
static int
start_workers(struct worker *k, int n)
{
	sigset_t all, before;
	int i;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (i = 0; i < n; i++)
		if (pthread_create(&k[i].thread, NULL, worker_main, &k[i]))
			break;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return i;
}

static void
end_workers(struct run *r, struct worker *k, int n)
{
	pthread_mutex_lock(&r->lock);
	r->over = true;
	pthread_cond_broadcast(&r->room);
	pthread_mutex_unlock(&r->lock);
	for (int i = 0; i < n; i++)
		pthread_join(k[i].thread, NULL);
}

static void
init_run(struct run *r, const struct pb_work *w)
{
	pthread_condattr_t a;

	*r = (struct run){.w = w};
	r->window = w->window ? w->window : 16 * (size_t)w->threads;
	r->slot = pb_alloc(r->window, w->size);
	r->mark = pb_alloc(r->window, 1);
	pthread_mutex_init(&r->lock, NULL);
	pthread_condattr_init(&a);
	pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
	pthread_cond_init(&r->ready, &a);
	pthread_cond_init(&r->room, NULL);
	pthread_condattr_destroy(&a);
}

static void
clear_run(struct run *r)
{
	pthread_cond_destroy(&r->room);
	pthread_cond_destroy(&r->ready);
	pthread_mutex_destroy(&r->lock);
	free(r->mark);
	free(r->slot);
}

enum pb_work_end
pb_work_run(const struct pb_work *w, uint64_t *emitted)
{
	enum pb_work_end end;
	struct worker *k = pb_alloc((size_t)w->threads, sizeof(*k));
	struct run r;
	int started;

	assert(w->threads > 0 && w->threads <= PB_WORK_THREADS && w->size);
	init_run(&r, w);
	for (int i = 0; i < w->threads; i++) {
		k[i].r = &r;
		k[i].state = w->open(w->ctx);
		if (!k[i].state)
			pb_msg_end_memory();
	}
	/* With fewer threads than asked for, the same work takes longer. */
	started = start_workers(k, w->threads);
	if (started == 0)
		pb_msg_end("cannot start a thread: no memory or too many of "
			   "them");
	end = emit_all(&r);
	end_workers(&r, k, started);
	for (int i = 0; i < w->threads; i++)
		w->close(w->ctx, k[i].state);
	*emitted = r.emitted;
	clear_run(&r);
	free(k);
	return end;
}

int
pb_work_processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (n < 1)
		return 1;
	return n > PB_WORK_THREADS ? PB_WORK_THREADS : (int)n;
}
