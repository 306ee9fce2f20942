/* boot.c - tests of the bootstrap over several tasks. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "base/boot.h"
#include "base/rng.h"

#define MOST 600

static double x[MOST], work[4 * MOST + 8000];

static struct pb_estimate
estimate(const struct pb_strata *s, enum pb_boot_of of, size_t times)
{
	check(pb_boot_work(s, times) <= sizeof(work));
	return pb_boot_strata(s, of, 0.95, times, 7, work);
}

/* The twin draws the same numbers and sorts. */
static struct pb_interval
slow_iqm(const struct pb_strata *s, size_t times)
{
	static double draw[2000];
	struct pb_rng r;

	pb_rng_start(&r, 7, 0, PB_FOR_BOOT, 1);
	for (size_t t = 0; t < times; t++) {
		double got[MOST];
		size_t all = 0, from = 0;

		for (size_t i = 0; i < s->strata; from += s->n[i++])
			for (size_t k = 0; k < s->n[i]; k++)
				got[all++] =
				    s->x[from +
					 pb_rng_below(&r, (uint32_t)s->n[i])];
		pb_sort(got, all);
		draw[t] = pb_iqm(got, all);
	}
	pb_sort(draw, times);
	return (struct pb_interval){
	    pb_quantile(draw, times, 0.025), pb_quantile(draw, times, 0.975)};
}

static void
test_iqm_against_sorting(void)
{
	const size_t n[] = {5, 1, 40, 13};
	const struct pb_strata s = {x, n, 4};
	struct pb_rng g;
	double all[59];
	struct pb_interval want;
	struct pb_estimate e;

	pb_rng_start(&g, 2, 0, PB_FOR_TRIAL, 0);
	for (size_t i = 0; i < 59; i++)
		x[i] = (double)pb_rng_below(&g, 12); /* many are equal */
	memcpy(all, x, sizeof(all));
	pb_sort(all, 59);
	e = estimate(&s, PB_BOOT_IQM, 500);
	want = slow_iqm(&s, 500);
	check_near(e.value, pb_iqm(all, 59), 1e-12);
	check_near(e.in.lo, want.lo, 1e-12);
	check_near(e.in.hi, want.hi, 1e-12);
}

/* Tasks that differ, with nothing to chance within them: no width at all. */
static void
test_strata_are_kept_apart(void)
{
	const size_t n[] = {10, 30}, one[] = {40};
	const struct pb_strata two = {x, n, 2}, all = {x, one, 1};
	struct pb_estimate e;

	for (size_t i = 0; i < 40; i++)
		x[i] = i < 10 ? 0 : 1;
	e = estimate(&two, PB_BOOT_MEAN, 300);
	check_near(e.value, 0.5, 1e-15); /* each task counts once */
	check_near(e.in.lo, 0.5, 1e-15);
	check_near(e.in.hi, 0.5, 1e-15);
	e = estimate(&all, PB_BOOT_MEAN, 300);
	check_near(e.value, 0.75, 1e-15);
	check(e.in.lo < 0.7 && e.in.hi > 0.8);
}

/* All 27 resamples of 3 values: the draws' quantiles are those of the law. */
static void
test_all_resamples(void)
{
	const size_t n[] = {3};
	const struct pb_strata s = {x, n, 1};
	double law[27];
	struct pb_estimate e;
	size_t k = 0;

	x[0] = 0, x[1] = 1, x[2] = 10;
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			for (int c = 0; c < 3; c++)
				law[k++] = (x[a] + x[b] + x[c]) / 3;
	pb_sort(law, 27);
	e = estimate(&s, PB_BOOT_MEAN, 5000);
	/* 1/27 of the resamples are 0 0 0, and 1/27 are 10 10 10. */
	check_near(e.in.lo, law[0], 1e-12);
	check_near(e.in.hi, law[26], 1e-12);
	e = pb_boot_strata(&s, PB_BOOT_MEAN, 0.5, 5000, 7, work);
	check_near(e.in.lo, law[6], 1e-12);
	check_near(e.in.hi, law[20], 1e-12);
}

/* How often the interval holds the truth: 400 made-up experiments. */
static void
test_coverage(void)
{
	const size_t n[] = {30, 30, 30};
	const struct pb_strata s = {x, n, 3};
	int mean = 0, iqm = 0;

	for (uint64_t t = 0; t < 400; t++) {
		struct pb_estimate e;
		struct pb_rng g;

		pb_rng_start(&g, 11, t, PB_FOR_TRIAL, 0);
		for (size_t i = 0; i < 90; i++)
			x[i] = (double)(i / 30) + pb_rng_normal(&g);
		e = estimate(&s, PB_BOOT_MEAN, 300);
		mean += e.in.lo <= 1 && 1 <= e.in.hi;
		e = estimate(&s, PB_BOOT_IQM, 300);
		iqm += e.in.lo <= 1 && 1 <= e.in.hi;
	}
	/* 95 % less what so few values cost; three standard errors are 13. */
	check(mean > 360 && mean < 393);
	check(iqm > 360 && iqm < 400);
}

int
main(void)
{
	run(test_iqm_against_sorting);
	run(test_strata_are_kept_apart);
	run(test_all_resamples);
	run(test_coverage);
	return done();
}
