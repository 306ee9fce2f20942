/* pace.c - keep a game at the pace of the wall clock. */
#include "io/stream/pace.h"

#include <math.h>

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
