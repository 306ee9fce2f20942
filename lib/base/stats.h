/* stats.h - rates, intervals, paired comparisons, averages. */
#ifndef PB_BASE_STATS_H
#define PB_BASE_STATS_H

#include <stddef.h>
#include <stdint.h>

/*
 * What a benchmark says about its numbers. A rate is k successes in n trials;
 * a confidence is in (0, 1), 0.95 as a rule; every interval is two-sided.
 * A paired comparison is between two players who met the same n trials: both
 * won `both`, only the first `first`, only the second `second`, none `none`.
 * Differences are first minus second. Nothing is shared, nothing is owned.
 */
struct pb_interval {
	double lo;
	double hi;
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

/*
 * The score interval of a rate (Wilson, 1927), without continuity correction.
 *
 * Given    0 <= k <= n
 * Returns  a range in [0, 1]; all of it for n = 0
 */
struct pb_interval pb_wilson(long k, long n, double confidence);

/*
 * Interval of the difference k1/n1 - k2/n2 of independent rates (Newcombe,
 * 1998, method 10: from the two Wilson intervals).
 *
 * Returns  a range in [-1, 1]
 */
struct pb_interval pb_newcombe(
    long k1, long n1, long k2, long n2, double confidence);

/* The same for paired trials (Newcombe, 1998, paired data, method 10). */
struct pb_interval pb_newcombe_paired(struct pb_pairs t, double confidence);

/*
 * Exact two-sided McNemar test: the chance that players of equal strength
 * split the trials that only one of them won at least as unevenly.
 *
 * Returns  p in [0, 1]; 1 if there is no such trial
 * Note     time grows with first + second
 */
double pb_mcnemar(struct pb_pairs t);

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

/*
 * Interquartile mean of sorted x[n]: the mean of the middle half, the values
 * at its edges counted by the fraction that lies within. n > 0.
 */
double pb_iqm(const double *x, size_t n);

/*
 * Percentile bootstrap interval of the mean of d[n]. With d[i] the
 * difference of two players in trial i this is the paired bootstrap.
 *
 * Given    n > 0, times > 0, seed
 *          work  times doubles of scratch
 * Returns  the interval; the same seed gives the same one
 */
struct pb_interval pb_bootstrap(const double *d, size_t n, double confidence,
    size_t times, uint64_t seed, double *work);

/*
 * Holm's step-down correction of m p-values for being tested together.
 *
 * Returns  adjusted[i] in [p[i], 1]; the arrays must not overlap
 */
void pb_holm(const double *p, size_t m, double *adjusted);

#endif
