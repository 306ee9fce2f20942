/* stats.h - rates, intervals, paired comparisons, averages. */
#pragma once

#include <stddef.h>

#include "pb/decls.h"

PB_BEGIN_DECLS

/*
 * Intervals and tests for benchmarks. A rate is k successes in n trials; a
 * confidence is in (0, 1), 0.95 as a rule; every interval is two-sided. A
 * paired comparison is between two players on the same n trials: both won
 * `both`, only the first `first`, only the second `second`, none `none`.
 * Differences are first minus second. Nothing is shared, nothing is owned.
 */
struct pb_interval {
	double lo;
	double hi;
};

/* A number and its interval, NAN to NAN if there is none. */
struct pb_estimate {
	double value;
	struct pb_interval in;
};

struct pb_pairs {
	long both;
	long first;
	long second;
	long none;
};

/*
 * The x with chance p of a standard normal deviate below it, to rounding.
 *
 * Given    p  in (0, 1)
 */
double pb_normal_quantile(double p);

/* The t that Student's deviate of df > 0 is within with chance confidence. */
double pb_t_two_sided(double confidence, double df);

/*
 * The exact interval of a rate (Clopper and Pearson, 1934): each end is right
 * with chance (1 + confidence) / 2 at least, whatever n and the rate are.
 *
 * Given    0 <= k <= n, which need not be whole: n may be the effective
 *          number of trials that depend on each other (Korn and Graubard,
 *          1998)
 * Returns  a range in [0, 1]; all of it for n = 0
 */
struct pb_interval pb_rate_interval(double k, double n, double confidence);

/*
 * Interval of the difference of two rates on the same trials, first less
 * second (Bonett and Price, "Adjusted Wald confidence interval for a difference
 * of binomial proportions based on paired data", 2012: one trial more for each
 * player to win alone), with Student's t of n - 2 for the normal deviate. At 95
 * % it covers 93.2 % or more for n = 5 to 100, all results counted out on a
 * grid of 200 pairs of shares; Newcombe's (1998) covers 86 % where one player
 * wins whenever the other does, and t of n - 1 covers 92.97 % at n = 8.
 *
 * Returns  a range in [-1, 1]; all of it for n < 3
 */
struct pb_interval pb_pairs_interval(struct pb_pairs t, double confidence);

/*
 * Exact two-sided McNemar test: the probability that two equal players split
 * the trials that only one of them won at least this unevenly.
 *
 * Returns  p in [0, 1]; 1 if there is no such trial
 * Note     time grows with first + second
 */
double pb_mcnemar(struct pb_pairs t);

/* Power of the "least" difference: probability that trials show it. */
#define PB_POWER 0.8

/*
 * The least difference (first - second) / n that pb_mcnemar at level 1 -
 * confidence shows with chance power, counted out, if the share of pairs that
 * differ is the one observed (plus one pair each way); where the difference is
 * more than that share, when no pair differs the other way. Of more than 20,000
 * pairs that differ, the normal approximation.
 *
 * Returns  in (0, 1]; NAN: too few pairs to show any
 */
double pb_pairs_least(struct pb_pairs t, double confidence, double power);

/* Sort x[n] upwards, in place; no NaN. */
void pb_sort(double *x, size_t n);

/* Mean of x[n], n > 0, summed in the order given. */
double pb_mean(const double *x, size_t n);

/*
 * The quantile p of sorted x[n], linear between order statistics (Hyndman and
 * Fan's type 7, what R and NumPy do unless told otherwise).
 *
 * Given    n > 0, p in [0, 1]
 */
double pb_quantile(const double *x, size_t n, double p);

/* Fewer values than this have no interval of their mean. */
#define PB_MEAN_LEAST 20

/*
 * Interval of the mean that x[n] are drawn from: Student's, made longer where
 * Hall's interval reaches further, which takes the skewness out of the
 * studentised mean (Hall, "On the removal of skewness by transformation",
 * 1992). Student's alone misses on the long side of skewed values, Hall's
 * alone where rare values of either sign happen to have come with one only.
 *
 * Given    df     degrees of freedom of Student's t: n - 1 as a rule
 *          range  that no value can leave, nor the interval; may be infinite
 * Returns  the interval; NAN to NAN if the values cannot tell, because they
 *          are too few or all alike
 * Note     no chance in it; sums in the order given
 */
struct pb_interval pb_mean_interval(const double *x, size_t n, double df,
    struct pb_interval range, double confidence);

/*
 * Holm's step-down correction of m p-values for being tested together.
 *
 * Returns  adjusted[i] in [p[i], 1]; the arrays must not overlap
 */
void pb_holm(const double *p, size_t m, double *adjusted);

PB_END_DECLS
