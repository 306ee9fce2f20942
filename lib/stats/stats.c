/* stats.c - rates, intervals, paired comparisons, averages. */
#include "pb/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "pb/geom.h"

static double
limit_below(double x, double lo)
{
	return x < lo ? lo : x;
}

static double
limit_above(double x, double hi)
{
	return x > hi ? hi : x;
}

/*
 * The x <= 0 below which a normal deviate lies with probability q: a start
 * within 5e-4 (Abramowitz and Stegun, 26.2.23), then Halley's iteration, which
 * triples the digits.
 */
static double
lower_quantile(double q)
{
	double t = sqrt(-2 * pb_log(q));
	double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
	               (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
	           t;

	for (int i = 0; i < 3; i++) {
		double e = 0.5 * pb_erfc(-x / sqrt(2)) - q;
		double u = e * sqrt(2 * PB_PI) * pb_exp(x * x / 2);

		x -= u / (1 + x * u / 2);
	}
	return x;
}

double
pb_normal_quantile(double p)
{
	assert(p > 0 && p < 1);
	if (p == 0.5)
		return 0;
	return p < 0.5 ? lower_quantile(p) : -lower_quantile(1 - p);
}

/*
 * Logarithm of the gamma function of x > 0; within 1e-12 (relative). By
 * Stirling's series, whose next term is below 1e-12 from 12 on, and the
 * recurrence below that.
 */
static double
log_gamma(double x)
{
	double below = 1, r;

	assert(x > 0);
	for (; x < 12; x++)
		below *= x;
	r = 1 / (x * x);
	return (x - 0.5) * pb_log(x) - x + 0.5 * pb_log(2 * PB_PI) +
	       (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r / 1680))) / x -
	       pb_log(below);
}

/*
 * The continued fraction of the incomplete beta function (Abramowitz and
 * Stegun, 26.5.8), from the front by Lentz's method. Where it is asked for it
 * takes about sqrt(max(a, b)) terms.
 */
static double
beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), f = d;

	for (int m = 1; m < 100000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x /
		             ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / (1 + even * d);
		c = 1 + even / c;
		f *= c * d;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		step = c * d;
		f *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return f;
}

/*
 * Chance that a value of the beta distribution of a, b > 0 is below x: the
 * regularised incomplete beta function. Relative error below 1e-10 for a + b
 * up to 1e5.
 */
static double
beta_below(double x, double a, double b)
{
	double top;

	assert(a > 0 && b > 0);
	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	top = pb_exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) +
		     a * pb_log(x) + b * pb_log(1 - x));
	/* The fraction converges on this side of the mode only. */
	if (x < (a + 1) / (a + b + 2))
		return top * beta_fraction(x, a, b) / a;
	return 1 - top * beta_fraction(1 - x, b, a) / b;
}

/* The quantile p of the beta distribution, by bisection to the last double. */
static double
beta_quantile(double p, double a, double b)
{
	double lo = 0, hi = 1;

	for (;;) {
		double mid = (lo + hi) / 2;

		if (mid <= lo || mid >= hi || hi - lo < 1e-15 * hi)
			return mid;
		if (beta_below(mid, a, b) < p)
			lo = mid;
		else
			hi = mid;
	}
}

/* From the beta distribution of t^2 / (t^2 + df). */
double
pb_t_two_sided(double confidence, double df)
{
	double y = beta_quantile(confidence, 0.5, df / 2);

	assert(confidence > 0 && confidence < 1 && df > 0);
	return sqrt(df * y / (1 - y));
}

struct pb_interval
pb_rate_interval(double k, double n, double confidence)
{
	double tail = (1 - confidence) / 2;
	struct pb_interval r = {0, 1};

	assert(k >= 0 && k <= n);
	if (k > 0)
		r.lo = beta_quantile(tail, k, n - k + 1);
	if (k < n)
		r.hi = beta_quantile(1 - tail, k + 1, n - k);
	return r;
}

struct pb_interval
pb_pairs_interval(struct pb_pairs t, double confidence)
{
	double n = (double)t.both + t.first + t.second + t.none;
	double d = ((double)t.first - t.second) / (n + 2), half;

	if (n < 3)
		return (struct pb_interval){-1, 1};
	half = pb_t_two_sided(confidence, n - 2) *
	       sqrt((((double)t.first + t.second + 2) / (n + 2) - d * d) /
		    (n + 2));
	return (struct pb_interval){
	    limit_below(d - half, -1), limit_above(d + half, 1)};
}

/* 2 * sum C(n, i) / 2^n for i = 0..m, by ratios downwards from the largest
 * term, which is computed by logarithms: 2^-n alone would underflow. */
double
pb_mcnemar(struct pb_pairs t)
{
	long n = t.first + t.second;
	long m = t.first < t.second ? t.first : t.second;
	double log_top = -(double)n * pb_log(2), term = 1, sum = 0;

	if (2 * m >= n)
		return 1;
	for (long i = 1; i <= m; i++)
		log_top += pb_log((double)(n - m + i) / i);
	for (long i = m; i >= 0 && term > 0; i--) {
		sum += term;
		term *= (double)i / (n - i + 1);
	}
	return limit_above(2 * pb_exp(log_top) * sum, 1);
}

/* Above this many pairs that differ the normal approximation is close enough.
 */
#define COUNTED 20000

/* Sums of binomial probabilities stop at this many standard deviations on each
 * side: the rest is 1e-11. */
#define TAIL 7

/* Probability of at least k of n successes at rate p. */
static double
binomial_tail(long k, long n, double p)
{
	if (k <= 0 || k > n)
		return k <= 0;
	return beta_below(p, (double)k, (double)(n - k + 1));
}

/*
 * Power: probability of pb_mcnemar() <= alpha in the right direction, when a
 * share `split` of n trials is won by one player only and the rates differ by
 * diff, 0 < |diff| <= split <= 1.
 */
static double
paired_power(long n, double diff, double split, double alpha)
{
	double won = (split + fabs(diff)) / (2 * split), mean = n * split;
	double reach = TAIL * sqrt(mean * (1 - split)) + 6, chance = 1;
	long lo = mean > reach ? (long)(mean - reach) : 0, need;
	long hi = mean + reach < n ? (long)(mean + reach) : n;
	double odds = split < 1 ? split / (1 - split) : 0, power = 0;

	assert(diff != 0 && fabs(diff) <= split && split <= 1);
	if (split == 1)
		lo = hi = n;
	else
		chance = pb_exp(log_gamma(n + 1.0) - log_gamma(lo + 1.0) -
				log_gamma(n - lo + 1.0) + lo * pb_log(split) +
				(n - lo) * pb_log(1 - split));
	need = lo / 2 + 1;
	/* The least wins that reject grow by one or none with m. */
	for (long m = lo; m <= hi; m++) {
		while (need <= m && 2 * binomial_tail(need, m, 0.5) > alpha)
			need++;
		power += chance * binomial_tail(need, m, won);
		chance = chance * (double)(n - m) / (double)(m + 1) * odds;
	}
	return power;
}

/* Bisection steps for the least difference (to 1e-6). */
#define HALVINGS 20

/* From the normal approximation upwards, then by bisection. */
double
pb_pairs_least(struct pb_pairs t, double confidence, double power)
{
	long n = t.both + t.first + t.second + t.none;
	double differ = (double)(t.first + t.second + 2),
	       alpha = 1 - confidence;
	double split = differ / (double)(n + 2), lo = 0, hi;

	hi = (pb_normal_quantile(power) - pb_normal_quantile(alpha / 2)) *
	     sqrt(differ) / (double)(n + 2);
	if (differ > COUNTED)
		return fmin(1, hi);
	for (hi = fmin(1, hi);; lo = hi, hi = fmin(1, 2 * hi)) {
		if (paired_power(n, hi, fmax(split, hi), alpha) >= power)
			break;
		if (hi == 1)
			return NAN;
	}
	for (int i = 0; i < HALVINGS; i++) {
		double mid = (lo + hi) / 2;

		if (paired_power(n, mid, fmax(split, mid), alpha) < power)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void
pb_sort(double *x, size_t n)
{
	if (n > 1)
		qsort(x, n, sizeof(*x), ascending);
}

double
pb_mean(const double *x, size_t n)
{
	double sum = 0;

	assert(n > 0);
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

double
pb_quantile(const double *x, size_t n, double p)
{
	double h = p * (double)(n - 1), f = floor(h);
	size_t i = (size_t)f;

	assert(n > 0 && p >= 0 && p <= 1);
	return i + 1 < n ? x[i] + (h - f) * (x[i + 1] - x[i]) : x[n - 1];
}

/*
 * Quantile of the studentised mean, from the normal or Student's deviate u,
 * with its skewness a = g / sqrt(n) removed: the inverse of Hall's monotone
 * cubic.
 */
static double
unskew(double u, double a)
{
	double v = 1 + a * (u - a / 6);
	double root = v < 0 ? -pb_pow(-v, 1.0 / 3) : pb_pow(v, 1.0 / 3);

	return fabs(a) < 1e-6 ? u : 3 / a * (root - 1);
}

struct pb_interval
pb_mean_interval(const double *x, size_t n, double df, struct pb_interval range,
    double confidence)
{
	const struct pb_interval none = {NAN, NAN};
	double mean, m2 = 0, m3 = 0, t, a, se, lo, hi;

	if (n < PB_MEAN_LEAST || !(df >= 1))
		return none;
	mean = pb_mean(x, n);
	for (size_t i = 0; i < n; i++) {
		double d = x[i] - mean;

		m2 += d * d;
		m3 += d * d * d;
	}
	m2 /= (double)n;
	m3 /= (double)n;
	if (!(m2 > 1e-24 * mean * mean))
		return none;
	a = m3 / (m2 * sqrt(m2)) / sqrt((double)n);
	se = sqrt(m2 / (double)(n - 1));
	t = pb_t_two_sided(confidence, df);
	lo = unskew(t, a);
	hi = -unskew(-t, a);
	return (struct pb_interval){
	    limit_below(mean - se * limit_below(lo, t), range.lo),
	    limit_above(mean + se * limit_below(hi, t), range.hi)};
}

/* From the least p on: p times the number of remaining hypotheses. */
void
pb_holm(const double *p, size_t m, double *adjusted)
{
	double last = -INFINITY, most = 0;
	size_t left = m, same = 0;

	memcpy(adjusted, p, m * sizeof(*p)); /* NaNs stay as they are */
	do {
		double next = INFINITY;

		for (size_t i = 0; i < m; i++)
			if (p[i] > last && p[i] < next)
				next = p[i];
		most = limit_below(most, limit_above(next * (double)left, 1));
		same = 0;
		for (size_t i = 0; i < m; i++)
			if (p[i] == next) {
				adjusted[i] = most;
				same++;
			}
		left -= same;
		last = next;
	} while (left > 0 && same > 0);
}
