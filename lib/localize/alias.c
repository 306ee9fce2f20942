/* alias.c - draw from a list of weights in constant time. */
#include "localize/alias.h"

size_t
pb_alias_bytes(size_t n)
{
	return n * (sizeof(double) + 2 * sizeof(uint32_t));
}

struct pb_alias
pb_alias_in(void *mem, size_t n)
{
	struct pb_alias a = {.n = n, .keep = mem};

	a.other = (uint32_t *)(void *)(a.keep + n);
	a.work = a.other + n;
	return a;
}

/*
 * work[] holds the columns that are not done: those of less than the mean
 * from the front, those of more from the back. A small one is filled up by a
 * large one, which becomes small itself when it has given too much.
 */
bool
pb_alias_fill(struct pb_alias *a, const double *weight)
{
	size_t small = 0, large = a->n;
	double sum = 0;

	for (size_t i = 0; i < a->n; i++)
		sum += weight[i];
	if (!(sum > 0))
		return false;
	for (size_t i = 0; i < a->n; i++) {
		a->keep[i] = weight[i] * ((double)a->n / sum);
		a->other[i] = (uint32_t)i;
		a->work[a->keep[i] < 1 ? small++ : --large] = (uint32_t)i;
	}
	while (small > 0 && large < a->n) {
		uint32_t s = a->work[--small], l = a->work[large];

		a->other[s] = l;
		a->keep[l] -= 1 - a->keep[s];
		if (a->keep[l] < 1) {
			large++;
			a->work[small++] = l;
		}
	}
	/* What is left is 1 but for rounding. */
	while (small > 0)
		a->keep[a->work[--small]] = 1;
	return true;
}

uint32_t
pb_alias_draw(const struct pb_alias *a, struct pb_rng *r)
{
	uint32_t i = pb_rng_below(r, (uint32_t)a->n);

	return pb_rng_unit(r) < a->keep[i] ? i : a->other[i];
}
