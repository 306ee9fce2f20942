/* sequential.c - tests of sequential tests: their error rates, counted out. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "pb/rng.h"
#include "pb/sequential.h"

#define STEPS 1200

/*
 * Every way of k successes in n trials at once: the chance to be there and
 * undecided is carried on from trial to trial, what is decided is added up.
 */
struct chances {
	double low, high, open;
	double trials; /* expected until the decision */
};

static struct chances
count_sprt(double p, double p0, double p1, double alpha, double beta)
{
	static double at[STEPS + 2], next[STEPS + 2];
	struct chances c = {0, 0, 0, 0};

	memset(at, 0, sizeof(at));
	at[0] = 1;
	for (long n = 1; n <= STEPS; n++) {
		memset(next, 0, sizeof(next));
		for (long k = 0; k <= n; k++) {
			double here = at[k] * (1 - p);
			struct pb_sprt s = pb_sprt_start(p0, p1, alpha, beta);
			enum pb_decision d;

			here += k > 0 ? at[k - 1] * p : 0;
			if (here == 0)
				continue;
			s.n = n - 1;
			s.k = k > 0 ? k - 1 : 0;
			d = pb_sprt_add(&s, k > 0);
			check(s.n == n && s.k == k);
			c.trials += d != PB_OPEN ? here * (double)n : 0;
			c.low += d == PB_LOW ? here : 0;
			c.high += d == PB_HIGH ? here : 0;
			next[k] = d == PB_OPEN ? here : 0;
		}
		memcpy(at, next, sizeof(at));
	}
	c.open = 1 - c.low - c.high;
	return c;
}

/* The stated error rates are kept, without giving much away. */
static void
test_sprt_errors(void)
{
	struct chances null = count_sprt(0.9, 0.9, 0.95, 0.05, 0.1);
	struct chances other = count_sprt(0.95, 0.9, 0.95, 0.05, 0.1);
	struct chances worse = count_sprt(0.8, 0.9, 0.95, 0.05, 0.1);

	check(null.high <= 0.05 && null.high > 0.03);
	check(other.low <= 0.1 && other.low > 0.06);
	check(null.open < 0.01 && other.open < 0.01);
	check(worse.high < 1e-4);
	/* Wald (1945): some half of the 425 trials of a fixed test. */
	check(null.trials < 300 && other.trials < 300 && worse.trials < 100);
}

static void
test_sprt_by_hand(void)
{
	struct pb_sprt s = pb_sprt_start(0.25, 0.5, 0.1, 0.1);

	/* Successes double the ratio, failures take a third of it. */
	for (int i = 0; i < 3; i++)
		check_int(pb_sprt_add(&s, 1), PB_OPEN);
	check_near(pb_sprt_ratio(&s), 8, 1e-12);
	check_int(pb_sprt_add(&s, 0), PB_OPEN);
	check_near(pb_sprt_ratio(&s), 16.0 / 3, 1e-12);
	check_int(pb_sprt_add(&s, 1), PB_HIGH);
	check_int(pb_sprt_add(&s, 0), PB_HIGH);
	check_int(s.n, 5);
	check_int(s.k, 4);
}

/* Equal players: how often any look at all tells them apart. */
static void
test_race_error(void)
{
	static double at[STEPS + 2], next[STEPS + 2];
	double apart = 0, alpha = 0.05;

	memset(at, 0, sizeof(at));
	at[0] = 1;
	for (long n = 1; n <= STEPS; n++) {
		memset(next, 0, sizeof(next));
		for (long k = 0; k <= n; k++) {
			double here = at[k] / 2 + (k > 0 ? at[k - 1] / 2 : 0);
			double log_ratio =
			    (double)n * log(2) - log((double)n + 1) -
			    (lgamma((double)n + 1) - lgamma((double)k + 1) -
				lgamma((double)(n - k) + 1));

			if (here > 0 && log_ratio >= -log(alpha))
				apart += here;
			else
				next[k] = here;
		}
		memcpy(at, next, sizeof(at));
	}
	check(apart <= alpha && apart > 0.01);
}

/* The ratio step by step is that of all odds, 2^n B(b + 1, c + 1). */
static void
test_race_ratio(void)
{
	struct pb_race r = pb_race_start(1e-9);
	struct pb_rng g;
	double most = 1;

	pb_rng_start(&g, 5, 0, PB_FOR_TRIAL, 0);
	for (int i = 0; i < 300; i++) {
		int a = pb_rng_unit(&g) < 0.6, b = pb_rng_unit(&g) < 0.5;
		double n, want;

		pb_race_add(&r, a, b);
		check_int(r.n, i + 1);
		n = (double)(r.first + r.second);
		want = exp(n * log(2) + lgamma((double)r.first + 1) +
			   lgamma((double)r.second + 1) - lgamma(n + 2));
		check_near(r.ratio / want, 1, 1e-9);
		most = fmax(most, want);
		check_near(pb_race_p(&r) * most, 1, 1e-9);
	}
}

static void
test_race_by_hand(void)
{
	struct pb_race r = pb_race_start(0.05), even = r;

	/* 2^n / (n + 1) is 16 after 7 and 28.4 after 8 in a row. */
	for (int i = 0; i < 7; i++) {
		check_int(pb_race_add(&r, 0, 1), PB_OPEN);
		check_int(pb_race_add(&r, 1, 1), PB_OPEN);
		check_int(pb_race_add(&r, 0, 0), PB_OPEN);
	}
	check_near(r.ratio, 16, 1e-12);
	check_int(pb_race_add(&r, 0, 1), PB_LOW);
	check_near(pb_race_p(&r), 9.0 / 256, 1e-12);
	check_int(pb_race_add(&r, 1, 0), PB_LOW);
	check_int(r.n, 22);
	for (int i = 0; i < 5000; i++)
		check_int(pb_race_add(&even, i % 2, !(i % 2)), PB_OPEN);
	check(even.ratio > 0 && even.ratio < 0.1);
}

/*
 * Who stops as soon as the interval leaves the truth out, or at the 400th
 * trial, finds it out in 5 % of all runs at most; with exact intervals in far
 * more.
 */
static void
test_anytime_coverage(void)
{
	enum { RUNS = 140, MOST = 400 };

	for (int which = 0; which < 3; which++) {
		double p = which == 0 ? 0.5 : which == 1 ? 0.9 : 0.99;
		int out = 0, fixed = 0, apart = 0;

		for (uint64_t run = 0; run < RUNS; run++) {
			struct pb_pairs t = {0};
			struct pb_rng g;
			bool a = false, b = false, c = false;

			pb_rng_start(&g, run, (uint64_t)which, PB_FOR_TRIAL, 0);
			for (int n = 1; n <= MOST; n++) {
				bool x = pb_rng_unit(&g) < p;
				bool y = pb_rng_unit(&g) < p;
				struct pb_interval in;
				long k;

				t.both += x && y;
				t.first += x && !y;
				t.second += y && !x;
				t.none += !x && !y;
				if (n % 10)
					continue;
				k = t.both + t.first;
				in = pb_rate_anytime(k, n, 0.95);
				a |= p < in.lo || p > in.hi;
				in = pb_rate_interval((double)k, n, 0.95);
				b |= p < in.lo || p > in.hi;
				in = pb_pairs_anytime(t, 0.95);
				c |= in.lo > 0 || in.hi < 0;
			}
			out += a;
			fixed += b;
			apart += c;
		}
		check(out <= RUNS * 5 / 100);
		check(apart <= RUNS * 5 / 100);
		check(p > 0.95 || fixed > RUNS * 10 / 100);
	}
}

/* By hand: after 10 of 10, 11 p^10 = 20 at p = (1 / 220)^(1/10). */
static void
test_anytime_by_hand(void)
{
	struct pb_interval in = pb_rate_anytime(10, 10, 0.95), back;
	struct pb_pairs t = {0, 10, 0, 0};

	check_near(in.lo, pow(1 / 220.0, 0.1), 1e-12);
	check_near(in.hi, 1, 0);
	back = pb_rate_anytime(0, 10, 0.95);
	check_near(back.hi, 1 - in.lo, 1e-12);
	check_near(back.lo, 0, 0);
	in = pb_rate_anytime(3, 17, 0.9);
	for (int i = 0; i < 2; i++) {
		double p = i ? in.hi : in.lo;
		double all = exp(lgamma(4) + lgamma(15) - lgamma(19));

		check_near(all / (pow(p, 3) * pow(1 - p, 14)), 10, 1e-9);
	}
	/* All of 10 trials won by the first: some and first are 10 of 10. */
	in = pb_rate_anytime(10, 10, 0.975);
	check_near(
	    pb_pairs_anytime(t, 0.95).lo, in.lo * (2 * in.lo - 1), 1e-12);
	check_near(pb_pairs_anytime(t, 0.95).hi, 1, 0);
	t = (struct pb_pairs){0};
	check_near(pb_pairs_anytime(t, 0.95).lo, -1, 0);
	check_near(pb_rate_anytime(0, 0, 0.95).hi, 1, 0);
}

int
main(void)
{
	run(test_sprt_errors);
	run(test_sprt_by_hand);
	run(test_race_error);
	run(test_race_ratio);
	run(test_race_by_hand);
	run(test_anytime_coverage);
	run(test_anytime_by_hand);
	return done();
}
