/* pace.c - the wall clock and waiting: games, long jobs, input. */
#include "io/stream/pace.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
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

/* Time that a game may be behind the clock before it gives up catching up
 * (s). */
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

/* "8 s", "3 min", "2.5 h": what a person wants to know. */
static void
put_span(double s)
{
	if (s < 100)
		fprintf(stderr, "%.0f s", s);
	else if (s < 6000)
		fprintf(stderr, "%.0f min", s / 60);
	else
		fprintf(stderr, "%.1f h", s / 3600);
}

/* Between two looks of the line (s). */
#define OFTEN 0.1

void
pb_progress_show(struct pb_progress *p, uint64_t done)
{
	double spent = pb_pace_since(p->started);
	double rate = spent > 0 ? (double)done / spent : 0;

	if (!p->on || p->total == 0 ||
	    (p->drawn && pb_pace_since(p->shown) < OFTEN))
		return;
	/* What a narrow terminal has no room for is not to go on below. */
	fputs("\033[?7l\r", stderr);
	fprintf(stderr, "%" PRIu64 "/%" PRIu64 " %s, %.0f %%, %.3g/s", done,
	    p->total, p->what, 100.0 * (double)done / (double)p->total, rate);
	if (rate > 0) {
		fputs(", ", stderr);
		put_span((double)(p->total - done) / rate);
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
