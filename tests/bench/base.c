/* base.c - speed of random numbers and hashes. */
#include "bench.h"

#include "base/hash.h"
#include "base/rng.h"

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

void
bench_base(void)
{
	struct pb_rng r;

	pb_rng_start(&r, 1, 0, PB_FOR_PLAYER, 0);
	bench_row("random numbers, uniform", "draws", "", draw_unit, &r);
	bench_row("random numbers, normal", "draws", "", draw_normal, &r);
	bench_row("random streams started", "streams", "", start_streams, &r);
}
