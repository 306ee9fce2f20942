/* stats.c - tests of rates, intervals, paired comparisons, averages. */
#include "check.h"

#include "pb/stats.h"

static void
check_range(struct pb_interval r, double lo, double hi, double tol)
{
	check_near(r.lo, lo, tol);
	check_near(r.hi, hi, tol);
}

test(normal_quantile)
{
	/* Tabulated to 15 digits in many places. */
	check_near(pb_normal_quantile(0.975), 1.959963984540054, 1e-14);
	check_near(pb_normal_quantile(0.95), 1.644853626951473, 1e-14);
	check_near(pb_normal_quantile(0.995), 2.575829303548901, 1e-14);
	check_near(pb_normal_quantile(0.8), 0.841621233572914, 1e-14);
	check_near(pb_normal_quantile(0.5), 0, 0);
	check_near(pb_normal_quantile(1e-9), -5.997807015007687, 1e-12);
	for (double p = 0.001; p < 1; p += 0.0017)
		check_near(
		    0.5 * erfc(-pb_normal_quantile(p) / sqrt(2)), p, 1e-15);
}

/* Worked by hand: 14, 3 and 52 in (b + 1, c + 1, n + 2), t(48) = 2.010635. */
test(pairs_interval)
{
	struct pb_pairs t = {35, 13, 2, 0}, swapped = {35, 2, 13, 0};
	double d = 11 / 52.0,
	       half = 2.01063476 * sqrt((17 / 52.0 - d * d) / 52);
	struct pb_interval r = pb_pairs_interval(t, 0.95), s;

	check_range(r, d - half, d + half, 1e-8);
	s = pb_pairs_interval(swapped, 0.95);
	check_range(s, -r.hi, -r.lo, 1e-14);
	check_range(pb_pairs_interval((struct pb_pairs){0}, 0.95), -1, 1, 0);
	check_range(
	    pb_pairs_interval((struct pb_pairs){1, 1, 0, 0}, 0.95), -1, 1, 0);
}

/* All that n trials can be, the interval of each, and its number of ways. */
enum { MOST = 36 };
static struct pb_interval told[MOST + 1][MOST + 1];
static double ways[MOST + 1][MOST + 1];

static void
pairs_all(int n)
{
	for (int b = 0; b <= n; b++)
		for (int c = 0; b + c <= n; c++) {
			struct pb_pairs t = {n - b - c, b, c, 0};

			told[b][c] = pb_pairs_interval(t, 0.95);
			ways[b][c] = exp(lgamma(n + 1) - lgamma(b + 1) -
					 lgamma(c + 1) - lgamma(n - b - c + 1));
		}
}

/* How often the interval holds p - q, over all of them. */
static double
pairs_coverage(int n, double p, double q)
{
	double sum = 0;

	for (int b = 0; b <= n; b++)
		for (int c = 0; b + c <= n; c++)
			if (told[b][c].lo <= p - q && p - q <= told[b][c].hi)
				sum += ways[b][c] * pow(p, b) * pow(q, c) *
				       pow(1 - p - q, n - b - c);
	return sum;
}

test(pairs_cover)
{
	static const double share[] = {
	    0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};

	for (int n = 5; n <= MOST; n += n < 12 ? 1 : 12) {
		pairs_all(n);
		for (int i = 1; i < 13; i++)
			for (int k = 0; k <= i; k++)
				if (share[i] + share[k] <= 1)
					check(pairs_coverage(n, share[i],
						  share[k]) >= 0.93);
	}
}

/* The slow twin: add Pascal's row. */
static double
mcnemar_slow(long b, long c)
{
	long n = b + c, m = b < c ? b : c;
	double row[64] = {1}, sum = 0;

	for (long i = 1; i <= n; i++)
		for (long k = i; k > 0; k--)
			row[k] += row[k - 1];
	for (long i = 0; i <= m; i++)
		sum += row[i];
	sum *= 2 / pow(2, (double)n);
	return sum > 1 ? 1 : sum;
}

test(mcnemar_exact)
{
	for (long b = 0; b < 30; b++)
		for (long c = 0; c < 30; c++) {
			struct pb_pairs t = {5, b, c, 9};

			check_near(pb_mcnemar(t), mcnemar_slow(b, c), 1e-13);
		}
	check_near(pb_mcnemar((struct pb_pairs){0, 5, 0, 0}), 0.0625, 1e-16);
	check_near(pb_mcnemar((struct pb_pairs){8, 0, 0, 2}), 1, 0);
}

test(mcnemar_large)
{
	struct pb_pairs even = {0, 500000, 500000, 0};
	struct pb_pairs lean = {0, 50500, 49500, 0};

	check_near(pb_mcnemar(even), 1, 0);
	/* z = 999 / sqrt(100000) with continuity correction. */
	check_near(pb_mcnemar(lean), erfc(999 / sqrt(1e5) / sqrt(2)), 1e-5);
	check(pb_mcnemar((struct pb_pairs){0, 5000, 0, 0}) == 0);
}

test(sort)
{
	for (size_t n = 0; n < 70; n++) {
		double x[70], sum = 0, after = 0;
		struct pb_rng r = draws(n, PB_FOR_TRIAL);

		for (size_t i = 0; i < n; i++)
			sum += x[i] = (double)pb_rng_below(&r, 20);
		pb_sort(x, n);
		for (size_t i = 0; i < n; i++) {
			after += x[i];
			check(i == 0 || x[i - 1] <= x[i]);
		}
		check_near(after, sum, 0);
	}
}

test(averages)
{
	const double x[] = {1, 2, 3, 4, 5, 6, 7, 100}, one[] = {3};

	check_near(pb_mean(x, 8), 16, 0);
	check_near(pb_quantile(x, 8, 0), 1, 0);
	check_near(pb_quantile(x, 8, 0.5), 4.5, 1e-15);
	check_near(pb_quantile(x, 8, 0.25), 2.75, 1e-15);
	check_near(pb_quantile(x, 8, 1), 100, 0);
	check_near(pb_quantile(one, 1, 0.3), 3, 0);
}

/* Tables. */
test(student)
{
	check_near(pb_t_two_sided(0.95, 1), 12.7062047364, 1e-8);
	check_near(pb_t_two_sided(0.95, 9), 2.2621571628, 1e-9);
	check_near(pb_t_two_sided(0.99, 30), 2.7499956536, 1e-9);
	check_near(pb_t_two_sided(0.95, 1e6), 1.9599663, 1e-6);
}

/* Clopper and Pearson's limits: the tail sums, by the sums themselves. */
test(rate_interval)
{
	check_range(pb_rate_interval(8, 10, 0.95), 0.443905, 0.974789, 1e-6);
	check_range(pb_rate_interval(10, 10, 0.95), pow(0.025, 0.1), 1, 1e-12);
	check_range(pb_rate_interval(0, 0, 0.95), 0, 1, 0);
	/* So many are as good as normal, and both sides are alike. */
	check_range(pb_rate_interval(50000, 100000, 0.95),
	    0.5 - 1.959964 * 0.5 / sqrt(1e5), 0.5 + 1.959964 * 0.5 / sqrt(1e5),
	    1e-5);
	for (int n = 1; n <= 40; n += 3)
		for (int k = 0; k <= n; k++) {
			struct pb_interval in = pb_rate_interval(k, n, 0.9);
			double above = 0, below = 0;

			for (int i = 0; i <= n; i++) {
				double c = exp(lgamma(n + 1.) - lgamma(i + 1.) -
					       lgamma(n - i + 1.));

				if (i >= k)
					above += c * pow(in.lo, i) *
					         pow(1 - in.lo, n - i);
				if (i <= k)
					below += c * pow(in.hi, i) *
					         pow(1 - in.hi, n - i);
			}
			if (k > 0)
				check_near(above, 0.05, 1e-10);
			if (k < n)
				check_near(below, 0.05, 1e-10);
		}
}

/*
 * Symmetric values: Student's. Rare ones: about Poisson's exact limits, which
 * for 10 in 10,000 are 4.795 and 18.391.
 */
test(mean_interval)
{
	const struct pb_interval any = {-INFINITY, INFINITY}, up = {0, 1};
	static double x[10000];
	struct pb_interval r;

	for (int i = 0; i < 21; i++)
		x[i] = i;
	r = pb_mean_interval(x, 21, 20, any, 0.95);
	check_range(r, 10 - 2.0859634473 * sqrt(38.5 / 21),
	    10 + 2.0859634473 * sqrt(38.5 / 21), 1e-9);
	r = pb_mean_interval(x, 19, 18, any, 0.95);
	check(isnan(r.lo) && isnan(r.hi)); /* too few */
	for (int i = 0; i < 10000; i++)
		x[i] = i < 10;
	r = pb_mean_interval(x, 10000, 9999, any, 0.95);
	check_near(1e4 * r.hi, 18.391, 0.3);
	check_near(1e4 * r.lo, 10 - 1.9602 * sqrt(10 * 0.999), 1e-3);
	for (int i = 0; i < 10000; i++)
		x[i] = -x[i]; /* and mirrored */
	check_range(
	    pb_mean_interval(x, 10000, 9999, any, 0.95), -r.hi, -r.lo, 1e-12);
	r = pb_mean_interval(x + 10, 9990, 9989, any, 0.95);
	check(isnan(r.lo)); /* all alike */
	for (int i = 0; i < 30; i++)
		x[i] = i == 0;
	check(pb_mean_interval(x, 30, 29, up, 0.95).lo == 0);
}

test(holm)
{
	const double p[] = {0.01, 0.04, 0.03, 0.005};
	const double tied[] = {0.02, 0.02, 0.9};
	double a[4];

	pb_holm(p, 4, a);
	check_near(a[0], 0.03, 1e-15);
	check_near(a[1], 0.06, 1e-15); /* pulled up by its forerunner */
	check_near(a[2], 0.06, 1e-15);
	check_near(a[3], 0.02, 1e-15);
	pb_holm(tied, 3, a);
	check_near(a[0], 0.06, 1e-15);
	check_near(a[1], 0.06, 1e-15);
	check_near(a[2], 0.9, 1e-15);
}

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

/*
 * The least that pairs show: as many differ as here, else all that do go one
 * way, of which it takes 6. By the test itself.
 */
test(least)
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
	/* Of many the formula: quantiles of 0.8 and 0.975. */
	check_near(pb_pairs_least((struct pb_pairs){50000, 15000, 15000, 20000},
		       0.95, 0.8),
	    (0.841621233573 + 1.959963984540) * sqrt(30002) / 100002, 1e-9);
	for (long n = 0; n < 6; n++)
		check(isnan(
		    pb_pairs_least((struct pb_pairs){n, 0, 0, 0}, 0.95, 0.8)));
}
