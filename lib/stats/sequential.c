/* sequential.c - tests that look after every trial whether it is enough. */
#include "pb/sequential.h"

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

/* Logarithm of the ratio of all rates to p after k of n. */
static double
log_all_to(double p, double k, double n)
{
	double r =
	    pb_log_gamma(k + 1) + pb_log_gamma(n - k + 1) - pb_log_gamma(n + 2);

	if (k > 0)
		r -= k * pb_log(p);
	return k < n ? r - (n - k) * pb_log(1 - p) : r;
}

/* Where the ratio reaches `bound` between the rate itself and `end`. */
static double
end_towards(double end, double k, double n, double bound)
{
	double in = k / n, out = end;

	if (in == end)
		return end;
	for (int i = 0; i < 60; i++) {
		double mid = (in + out) / 2;

		if (log_all_to(mid, k, n) < bound)
			in = mid;
		else
			out = mid;
	}
	return out;
}

struct pb_interval
pb_rate_anytime(long k, long n, double confidence)
{
	double bound = -pb_log(1 - confidence);

	assert(k >= 0 && k <= n && confidence > 0 && confidence < 1);
	if (n == 0)
		return (struct pb_interval){0, 1};
	return (struct pb_interval){end_towards(0, (double)k, (double)n, bound),
	    end_towards(1, (double)k, (double)n, bound)};
}

/* The least and the most that some * (2 first - 1) can be. */
struct pb_interval
pb_pairs_anytime(struct pb_pairs t, double confidence)
{
	double each = (1 + confidence) / 2;
	long split = t.first + t.second;
	struct pb_interval some =
	    pb_rate_anytime(split, split + t.both + t.none, each);
	struct pb_interval first = pb_rate_anytime(t.first, split, each);
	double lo = 2 * first.lo - 1, hi = 2 * first.hi - 1;

	return (struct pb_interval){lo * (lo < 0 ? some.hi : some.lo),
	    hi * (hi < 0 ? some.lo : some.hi)};
}

double
pb_race_p(const struct pb_race *r)
{
	return 1 / r->most;
}

static int
pair_of(int i, int j)
{
	return i * (i - 1) / 2 + j;
}

void
pb_seq_start(struct pb_seq *s, const struct pb_seq_opts *o, int players)
{
	int pairs = pair_of(players, 0);

	assert(players > 0 && players <= PB_SEQ_PLAYERS);
	s->o = *o;
	s->players = players;
	for (int i = 0; o->sprt && i < players; i++)
		s->sprt[i] =
		    pb_sprt_start(o->p0, o->p1, o->alpha, 1 - o->power);
	for (int i = 0; o->race && i < pairs; i++)
		s->race[i] = pb_race_start(o->alpha / pairs);
}

bool
pb_seq_add(struct pb_seq *s, const struct pb_merit *of)
{
	bool over = s->o.sprt || (s->o.race && s->players > 1);

	for (int i = 0; s->o.sprt && i < s->players; i++)
		over &= pb_sprt_add(&s->sprt[i], of[i].won) != PB_OPEN;
	for (int i = 0; s->o.race && i < s->players; i++)
		for (int j = 0; j < i; j++) {
			int c = pb_merit_compare(&of[i], &of[j]);

			over &= pb_race_add(&s->race[pair_of(i, j)], c > 0,
				    c < 0) != PB_OPEN;
		}
	return over;
}

const struct pb_race *
pb_seq_race(const struct pb_seq *s, int i, int j)
{
	assert(j >= 0 && j < i && i < s->players);
	return &s->race[pair_of(i, j)];
}
