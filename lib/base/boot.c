/* boot.c - bootstrap over several tasks at once. */
#include "base/boot.h"

#include <assert.h>
#include <string.h>

#include "base/rng.h"

/*
 * A resample is how often each value came, by rank, so that its interquartile
 * mean takes one walk instead of sorting it.
 */
struct boot {
	const struct pb_strata *s;
	size_t all;
	double *sorted; /* all values */
	double *draw;   /* the statistic of each draw */
	uint32_t *rank; /* of each x in sorted; equal values have the lowest */
	uint32_t *came;
};

static size_t
count_all(const struct pb_strata *s)
{
	size_t all = 0;

	for (size_t i = 0; i < s->strata; i++)
		all += s->n[i];
	return all;
}

size_t
pb_boot_work(const struct pb_strata *s, size_t times)
{
	size_t all = count_all(s);

	return (all + times) * sizeof(double) + 2 * all * sizeof(uint32_t);
}

/* Place of the first value that is not below v. */
static uint32_t
rank_of(const double *sorted, size_t n, double v)
{
	size_t lo = 0, hi = n - 1;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (sorted[mid] < v)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (uint32_t)lo;
}

static void
prepare(struct boot *b, size_t times, void *work)
{
	b->all = count_all(b->s);
	b->sorted = work;
	b->draw = b->sorted + b->all;
	b->rank = (uint32_t *)(b->draw + times);
	b->came = b->rank + b->all;
	assert(b->all > 0 && b->all <= UINT32_MAX);
	memcpy(b->sorted, b->s->x, b->all * sizeof(double));
	pb_sort(b->sorted, b->all);
	for (size_t i = 0; i < b->all; i++)
		b->rank[i] = rank_of(b->sorted, b->all, b->s->x[i]);
}

/* Interquartile mean of the values as often as they came. */
static double
iqm_of_draw(const struct boot *b)
{
	double lo = (double)b->all / 4, hi = 3 * lo, sum = 0, at = 0;

	for (size_t i = 0; i < b->all && at < hi; i++) {
		double end = at + b->came[i];
		double from = at > lo ? at : lo, to = end < hi ? end : hi;

		if (to > from)
			sum += (to - from) * b->sorted[i];
		at = end;
	}
	return sum / (hi - lo);
}

static double
draw_iqm(const struct boot *b, struct pb_rng *r)
{
	const uint32_t *rank = b->rank;

	memset(b->came, 0, b->all * sizeof(*b->came));
	for (size_t i = 0; i < b->s->strata; rank += b->s->n[i++])
		for (size_t k = 0; k < b->s->n[i]; k++)
			b->came[rank[pb_rng_below(r, (uint32_t)b->s->n[i])]]++;
	return iqm_of_draw(b);
}

/* The mean of the means; r NULL: of the values themselves. */
static double
draw_mean(const struct boot *b, struct pb_rng *r)
{
	const double *x = b->s->x;
	double sum = 0;

	for (size_t i = 0; i < b->s->strata; x += b->s->n[i++]) {
		double part = 0;

		for (size_t k = 0; k < b->s->n[i]; k++)
			part +=
			    x[r ? pb_rng_below(r, (uint32_t)b->s->n[i]) : k];
		sum += part / (double)b->s->n[i];
	}
	return sum / (double)b->s->strata;
}

struct pb_estimate
pb_boot_strata(const struct pb_strata *s, enum pb_boot_of of, double confidence,
    size_t times, uint64_t seed, void *work)
{
	double tail = (1 - confidence) / 2;
	struct boot b = {.s = s};
	struct pb_estimate e;
	struct pb_rng r;

	prepare(&b, times, work);
	pb_rng_start(&r, seed, 0, PB_FOR_BOOT, 1);
	for (size_t i = 0; i < times; i++)
		b.draw[i] =
		    of == PB_BOOT_IQM ? draw_iqm(&b, &r) : draw_mean(&b, &r);
	pb_sort(b.draw, times);
	e.in.lo = pb_quantile(b.draw, times, tail);
	e.in.hi = pb_quantile(b.draw, times, 1 - tail);
	e.value =
	    of == PB_BOOT_IQM ? pb_iqm(b.sorted, b.all) : draw_mean(&b, NULL);
	return e;
}
