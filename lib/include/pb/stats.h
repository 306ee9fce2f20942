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
 * The quantile p of the standard normal distribution, to rounding.
 *
 * Given    p  in (0, 1)
 */
double pb_normal_quantile(double p);

/* The t that Student's deviate of df > 0 is within with probability
 * `confidence`. */
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
 * Interval of the difference of two rates on the same trials, first minus
 * second (Bonett and Price, "Adjusted Wald confidence interval for a difference
 * of binomial proportions based on paired data", 2012: one trial more for each
 * player to win alone), with the quantile of Student's t of n - 2 in place of
 * the normal one. At 95 % it covers 93.2 % or more for n = 5 to 100, computed
 * from all results on a grid of 200 pairs of shares. Newcombe's (1998) covers
 * 86 % where one player wins whenever the other does; t of n - 1 covers 92.97 %
 * at n = 8.
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

/* Power for the least detectable difference. */
#define PB_POWER 0.8

/*
 * The least detectable difference (first - second) / n: pb_mcnemar at level 1 -
 * confidence shows it with probability `power`, computed exactly, if the share
 * of pairs that differ is the observed one (plus one pair each way); for a
 * larger difference no pair differs the other way. For more than 20,000
 * differing pairs by the normal approximation.
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

/* Least number of values for an interval of their mean. */
#define PB_MEAN_LEAST 20

/*
 * Interval of the mean of the distribution of x[n]: Student's, extended where
 * Hall's interval, which removes the skewness of the studentised mean, is
 * longer (Hall, "On the removal of skewness by transformation", 1992).
 * Student's alone is too short on the long side of skewed values, Hall's alone
 * where rare values of both signs exist and only one sign was drawn.
 *
 * Given    df     degrees of freedom of Student's t: usually n - 1
 *          range  of the values, and of the interval; may be infinite
 * Returns  the interval; NAN to NAN if the values are too few or all equal
 * Note     deterministic; sums in the order given
 */
struct pb_interval pb_mean_interval(const double *x, size_t n, double df,
    struct pb_interval range, double confidence);

/*
 * Holm's step-down correction of m p-values tested together.
 *
 * Returns  adjusted[i] in [p[i], 1]; the arrays must not overlap
 */
void pb_holm(const double *p, size_t m, double *adjusted);

PB_END_DECLS
