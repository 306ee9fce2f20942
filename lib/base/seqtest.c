/* seqtest.c - tests that look after every trial whether it is enough. */
#include "base/seqtest.h"

#include <assert.h>

#include "base/elementary.h"

struct pb_sprt
pb_sprt_start(double p0, double p1, double alpha, double beta)
{
	assert(p0 > 0 && p0 < p1 && p1 < 1);
	assert(alpha > 0 && alpha < 1 && beta > 0 && beta < 1);
	return (struct pb_sprt){.win = pb_log(p1 / p0),
	    .lose = pb_log((1 - p1) / (1 - p0)),
	    .high = -pb_log(alpha),
	    .low = pb_log(beta)};
}

/* From the counts, so that rounding does not add up. */
static double
log_ratio(const struct pb_sprt *s)
{
	return (double)s->k * s->win + (double)(s->n - s->k) * s->lose;
}

enum pb_decision
pb_sprt_add(struct pb_sprt *s, bool success)
{
	double ratio;

	if (s->decision != PB_OPEN)
		return s->decision;
	s->n++;
	s->k += success;
	ratio = log_ratio(s);
	if (ratio >= s->high)
		s->decision = PB_HIGH;
	else if (ratio <= s->low)
		s->decision = PB_LOW;
	return s->decision;
}

double
pb_sprt_ratio(const struct pb_sprt *s)
{
	return pb_exp(log_ratio(s));
}

struct pb_race
pb_race_start(double alpha)
{
	assert(alpha > 0 && alpha < 1);
	return (struct pb_race){.alpha = alpha, .ratio = 1, .most = 1};
}

/*
 * After b and c the chance that the first wins the next is (b + 1) / (b + c +
 * 2), by Laplace's rule of succession, against 1/2.
 */
enum pb_decision
pb_race_add(struct pb_race *r, bool first, bool second)
{
	long won = first ? r->first : r->second;

	if (r->decision != PB_OPEN)
		return r->decision;
	r->n++;
	if (first == second)
		return PB_OPEN;
	r->ratio *=
	    2.0 * (double)(won + 1) / (double)(r->first + r->second + 2);
	r->first += first;
	r->second += second;
	if (r->ratio > r->most)
		r->most = r->ratio;
	/* Rounded, so that 1/alpha itself counts as reached. */
	if (r->ratio * r->alpha >= 1 - 1e-12)
		r->decision = r->first > r->second ? PB_HIGH : PB_LOW;
	return r->decision;
}

double
pb_race_p(const struct pb_race *r)
{
	return 1 / r->most;
}
