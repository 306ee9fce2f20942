/* base.c - speed of random numbers, cosines and sines. */
#include "bench.h"

#include <math.h>
#include <stddef.h>

#include "base/elementary.h"
#include "pb/rng.h"

enum { N = 10000000 };

/* Where results go, so that no compiler leaves the work out. */
static volatile double sink;

static double
draw_unit(void *arg)
{
	struct pb_rng *r = arg;
	double sum = 0;

	for (int i = 0; i < N; i++)
		sum += pb_rng_unit(r);
	sink = sum;
	return N;
}

static double
draw_normal(void *arg)
{
	struct pb_rng *r = arg;
	double sum = 0;

	for (int i = 0; i < N / 4; i++)
		sum += pb_rng_normal(r);
	sink = sum;
	return N / 4;
}

static double
start_streams(void *arg)
{
	struct pb_rng r;
	double sum = 0;

	(void)arg;
	for (int i = 0; i < N / 10; i++) {
		pb_rng_start(&r, 1, (uint64_t)i, PB_FOR_GHOST, 0);
		sum += pb_rng_unit(&r);
	}
	sink = sum;
	return N / 10;
}

static double
direct(void *arg)
{
	pb_pair sum = {0};

	(void)arg;
	for (int i = 0; i < N; i++)
		sum += pb_direction(i * 6e-7 - 3);
	sink = sum[0] + sum[1];
	return N;
}

/* What directions replace. */
static double
cosine_and_sine(void *arg)
{
	double sum = 0;

	(void)arg;
	for (int i = 0; i < N; i++)
		sum += cos(i * 6e-7 - 3) + sin(i * 6e-7 - 3);
	sink = sum;
	return N;
}

void
bench_base(void)
{
	struct pb_rng r;

	pb_rng_start(&r, 1, 0, PB_FOR_PLAYER, 0);
	bench_row("random numbers, uniform", "draws", draw_unit, &r);
	bench_row("random numbers, normal", "draws", draw_normal, &r);
	bench_row("random streams started", "streams", start_streams, &r);
	bench_row(
	    "cosine and sine, of libm", "headings", cosine_and_sine, NULL);
	bench_row("cosine and sine, in line", "headings", direct, NULL);
}
