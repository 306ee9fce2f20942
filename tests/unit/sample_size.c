/* sample_size.c - tests of trials needed: tables, and the power counted out. */
#include "check.h"

#include <math.h>

#include "pb/rng.h"
#include "pb/stats.h"
#include "stats/sample_size.h"

static double
binomial(long n, long k, double p)
{
	return exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
		   lgamma((double)(n - k) + 1) + (double)k * log(p) +
		   (double)(n - k) * log(1 - p));
}

/*
 * Chance that McNemar's exact test rejects: every number of trials that one
 * player only won, every way to split them.
 */
static double
mcnemar_power(long n, double split, double diff, double alpha)
{
	double first = (split + diff) / 2 / split, power = 0;

	for (long m = 1; m <= n; m++) {
		double some = binomial(n, m, split);

		if (some < 1e-12)
			continue;
		for (long b = 0; b <= m; b++)
			if (pb_mcnemar((struct pb_pairs){0, b, m - b, 0}) <=
			    alpha)
				power += some * binomial(m, b, first);
	}
	return power;
}

static void
test_apart(void)
{
	/* Fleiss' table without correction: 0.90 against 0.95 takes 435. */
	check_near(pb_trials_apart(0.9, 0.95, 0.05, 0.8), 435, 0);
	check_near(pb_trials_apart(0.95, 0.9, 0.05, 0.8), 435, 0);
	check_near(pb_trials_apart(0.5, 0.6, 0.05, 0.8), 388, 0);
}

static void
test_paired(void)
{
	static const double ask[][3] = {{0.05, 0.07, 0.8}, {0.1, 0.3, 0.9},
	    {0.28, 0.3, 0.8}, {0.05, 0.14, 0.8}};

	for (size_t i = 0; i < sizeof(ask) / sizeof(*ask); i++) {
		double diff = ask[i][0], split = ask[i][1], power = ask[i][2];
		struct pb_plan n = pb_plan_paired(diff, split, 0.05, power);

		/* Both ways round are counted there: a little more. */
		check_near(
		    n.power, mcnemar_power((long)n.n, split, diff, 0.05), 2e-4);
		check(n.power >= power && n.power < power + 0.02);
		check(
		    pb_power_paired((long)n.n - 1, diff, split, 0.05) < power);
	}
	check_near(pb_plan_paired(-0.05, 0.07, 0.05, 0.8).n,
	    pb_plan_paired(0.05, 0.07, 0.05, 0.8).n, 0);
	check_near(mcnemar_power(218, 0.07, 0, 0.05), 0.03, 0.02);
	check(isnan(pb_plan_paired(0.001, 0.1, 0.05, 0.8).power));
}

/*
 * The least that pairs show: as many differ as here, else all that do go one
 * way, of which it takes 6. By the test itself.
 */
static void
test_least(void)
{
	static const long few[][2] = {{6, 0}, {10, 0}, {20, 0}, {20, 3}};

	for (size_t i = 0; i < sizeof(few) / sizeof(*few); i++) {
		long n = few[i][0], first = few[i][1];
		struct pb_pairs w = {n - first, first, 0, 0};
		double least = pb_pairs_least(w, 0.95, 0.8), power = 0;

		for (long k = 6; k <= n; k++)
			power += binomial(n, k, least);
		check_near(power, 0.8, 1e-5);
	}
	for (long split = 20; split < 100; split *= 2) {
		struct pb_pairs w = {150, split / 2, split - split / 2, 50};
		long n = 200 + split;

		check_near(
		    mcnemar_power(n, (double)(split + 2) / (double)(n + 2),
			pb_pairs_least(w, 0.95, 0.8), 0.05),
		    0.8, 2e-4);
	}
	for (long n = 0; n < 6; n++)
		check(isnan(
		    pb_pairs_least((struct pb_pairs){n, 0, 0, 0}, 0.95, 0.8)));
}

/* The largest power that can be asked for is reached. */
static void
test_large_power(void)
{
	struct pb_plan n = pb_plan_paired(0.05, 0.1, 0.05, 0.999999);

	check(n.n > 1500 && n.n < 2500 && n.power >= 0.999999);
	n = pb_plan_margin(0.1, 0.1, 0.05, 0.999999);
	check(n.n > 100 && n.n < 1000 && n.power >= 0.999999);
}

/* n trials are enough and n - 4 are not, by the intervals themselves. */
static void
test_width(void)
{
	for (double p = 0; p <= 1; p += 0.25)
		for (double half = 0.02; half < 0.2; half += 0.03) {
			long n = (long)pb_trials_width(p, half, 0.95);
			struct pb_interval w;

			n -= n % 4;
			w = pb_rate_interval(p * (double)n, (double)n, 0.95);
			check(fmax(p - w.lo, w.hi - p) <=
			      half * (1 + 4.5 / (double)n));
			n -= 4;
			w = pb_rate_interval(p * (double)n, (double)n, 0.95);
			check(fmax(p - w.lo, w.hi - p) > half);
		}
	/* 0 of 72 end at 1 - 0.025^(1/72) = 0.0499. */
	check_near(pb_trials_width(0, 0.05, 0.95), 72, 0);
	/* The usual poll: 1067 with Wald's interval; a unit longer: 1100. */
	check_near(pb_trials_width(0.5, 0.03, 0.95), 1100, 3);
}

/* The slow twin: all four counts, the gate itself. */
static double
margin_slow(long n, double p, double margin, double split)
{
	double power = 0;

	for (long m = 0; m <= n; m++)
		for (long b = 0; b <= m; b++) {
			double some =
			    binomial(n, m, split) * binomial(m, b, 0.5);

			if (some < 1e-12)
				continue;
			for (long a = 0; a <= n - m; a++) {
				struct pb_pairs t = {a, b, m - b, n - m - a};

				if (pb_pairs_interval(t, 0.95).lo > -margin)
					power += some * binomial(n - m, a,
							    (p - split / 2) /
								(1 - split));
			}
		}
	return power;
}

/* The gate as it is, on games drawn: how often it opens. */
static double
gate_opens(long n, double p, double margin, double split, int runs)
{
	int opens = 0;
	struct pb_rng g;

	pb_rng_start(&g, 1, 2, PB_FOR_TRIAL, 3);
	for (int r = 0; r < runs; r++) {
		struct pb_pairs t = {0};

		for (long i = 0; i < n; i++) {
			double u = pb_rng_unit(&g);

			if (u < split / 2)
				t.first++;
			else if (u < split)
				t.second++;
			else if (u < split / 2 + p)
				t.both++;
			else
				t.none++;
		}
		opens += pb_pairs_interval(t, 0.95).lo > -margin;
	}
	return (double)opens / runs;
}

static void
test_margin(void)
{
	static const double ask[][3] = {
	    {0.9, 0.1, 0.05}, {0.995, 0.01, 0.005}, {0.95, 0.05, 0.1}};

	check_near(pb_power_margin(30, 0.2, 0.3, 0.05),
	    margin_slow(30, 0.7, 0.2, 0.3), 1e-4);
	check_near(pb_power_margin(44, 0.1, 0.05, 0.05),
	    margin_slow(44, 0.95, 0.1, 0.05), 1e-4);
	for (size_t i = 0; i < sizeof(ask) / sizeof(*ask); i++) {
		struct pb_plan n =
		    pb_plan_margin(ask[i][1], ask[i][2], 0.05, 0.8);

		check(n.power >= 0.8 && n.power < 0.9);
		/* 2000 games: a standard deviation is 0.009. */
		check_near(gate_opens((long)n.n, ask[i][0], ask[i][1],
			       ask[i][2], 2000),
		    n.power, 0.03);
	}
	/* What the formula said, 40 and 393, opens it less often. */
	check_near(pb_power_margin(40, 0.1, 0.05, 0.05),
	    gate_opens(40, 0.9, 0.1, 0.05, 2000), 0.03);
	check(pb_power_margin(40, 0.1, 0.05, 0.05) < 0.65);
	check_near(pb_power_margin(393, 0.01, 0.005, 0.05),
	    gate_opens(393, 0.995, 0.01, 0.005, 2000), 0.03);
	check(pb_power_margin(393, 0.01, 0.005, 0.05) < 0.65);
}

int
main(void)
{
	run(test_apart);
	run(test_paired);
	run(test_least);
	run(test_large_power);
	run(test_width);
	run(test_margin);
	return done();
}
