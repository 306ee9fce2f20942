/* plan.c - tests of trials needed: tables, and the power counted out. */
#include "check.h"

#include <math.h>

#include "base/plan.h"
#include "base/stats.h"

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
	/* By hand: z = 1.959964, 0.841621; split 0.07, difference 0.05. */
	check_near(pb_trials_paired(0.05, 0.07, 0.05, 0.8), 218, 0);
	check_near(pb_trials_paired(-0.05, 0.07, 0.05, 0.8), 218, 0);
	/* The exact test is a little more careful than the formula. */
	check_near(mcnemar_power(218, 0.07, 0.05, 0.05), 0.8, 0.07);
	check_near(mcnemar_power((long)pb_trials_paired(0.1, 0.3, 0.05, 0.9),
		       0.3, 0.1, 0.05),
	    0.9, 0.03);
	check_near(mcnemar_power(218, 0.07, 0, 0.05), 0.03, 0.02);
}

/* n trials are enough and n - 1 are not, by the intervals themselves. */
static void
test_width(void)
{
	for (double p = 0; p <= 1; p += 0.25)
		for (double half = 0.01; half < 0.2; half += 0.03) {
			long n = (long)pb_trials_width(p, half, 0.95);
			struct pb_interval w;

			n -= n % 4;
			w = pb_wilson((long)(p * (double)n), n, 0.95);
			check(w.hi - w.lo <= 2 * half * (1 + 4.5 / (double)n));
			n -= 4;
			w = pb_wilson((long)(p * (double)n), n, 0.95);
			check(w.hi - w.lo > 2 * half);
		}
	/* The usual poll: 95 %, 3 % each way, 1067 with Wald's interval. */
	check_near(pb_trials_width(0.5, 0.03, 0.95), 1064, 0);
}

/* How often the interval shows it, over all results of equal players. */
static void
test_margin(void)
{
	double margin = 0.05, split = 0.1, shown = 0;
	long n = (long)pb_trials_margin(margin, split, 0.05, 0.8);

	check_near((double)n, 314, 0);
	for (long m = 0; m <= n; m++)
		for (long b = 0; binomial(n, m, split) > 1e-9 && b <= m; b++) {
			long rest = n - m, none = rest / 10;
			struct pb_pairs t = {rest - none, b, m - b, none};

			if (pb_newcombe_paired(t, 0.95).lo > -margin)
				shown +=
				    binomial(n, m, split) * binomial(m, b, 0.5);
		}
	check_near(shown, 0.8, 0.05);
}

int
main(void)
{
	run(test_apart);
	run(test_paired);
	run(test_width);
	run(test_margin);
	return done();
}
