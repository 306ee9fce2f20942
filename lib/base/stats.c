/* stats.c - rates, intervals, paired comparisons, averages. */
#include "base/stats.h"

#include <assert.h>
#include <math.h>

#include "base/elementary.h"
#include "base/geom.h"
#include "base/rng.h"

static double
at_least(double x, double lo)
{
	return x < lo ? lo : x;
}

static double
at_most(double x, double hi)
{
	return x > hi ? hi : x;
}

/*
 * Chance of a deviate below x <= 0 is q: a start within 5e-4 (Abramowitz and
 * Stegun, 26.2.23), then Halley's iteration, which triples the digits.
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

/* Half of what is left outside goes to each side. */
static double
two_sided(double confidence)
{
	assert(confidence > 0 && confidence < 1);
	return -pb_normal_quantile((1 - confidence) / 2);
}

struct pb_interval
pb_wilson(long k, long n, double confidence)
{
	double z = two_sided(confidence), z2 = z * z, p, mid, half;
	struct pb_interval r = {0, 1};

	assert(k >= 0 && k <= n);
	if (n == 0)
		return r;
	p = (double)k / n;
	mid = (p + z2 / (2.0 * n)) / (1 + z2 / n);
	half = z / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4.0 * n * n));
	/* Exact at the ends, where rounding would leave a trace. */
	r.lo = k == 0 ? 0 : at_least(mid - half, 0);
	r.hi = k == n ? 1 : at_most(mid + half, 1);
	return r;
}

/* How far the Wilson interval reaches below and above the rate itself. */
static struct pb_interval
wilson_reach(long k, long n, double confidence)
{
	struct pb_interval w = pb_wilson(k, n, confidence);
	double p = n ? (double)k / n : 0;

	return (struct pb_interval){p - w.lo, w.hi - p};
}

/* Newcombe's combination of two reaches whose rates correlate by phi. */
static struct pb_interval
join_reach(double d, struct pb_interval a, struct pb_interval b, double phi)
{
	double lo = a.lo * a.lo - 2 * phi * a.lo * b.hi + b.hi * b.hi;
	double hi = a.hi * a.hi - 2 * phi * a.hi * b.lo + b.lo * b.lo;

	return (struct pb_interval){at_least(d - sqrt(at_least(lo, 0)), -1),
	    at_most(d + sqrt(at_least(hi, 0)), 1)};
}

struct pb_interval
pb_newcombe(long k1, long n1, long k2, long n2, double confidence)
{
	double d;

	if (n1 == 0 || n2 == 0)
		return (struct pb_interval){-1, 1};
	d = (double)k1 / n1 - (double)k2 / n2;
	return join_reach(d, wilson_reach(k1, n1, confidence),
	    wilson_reach(k2, n2, confidence), 0);
}

/* Correlation of the two columns, with Newcombe's continuity correction. */
static double
pairs_phi(struct pb_pairs t)
{
	double n = (double)t.both + t.first + t.second + t.none;
	double a = t.both, b = t.first, c = t.second, d = t.none;
	double scale = (a + b) * (c + d) * (a + c) * (b + d);
	double det = a * d - b * c;

	if (scale == 0)
		return 0;
	if (det > 0)
		det = at_least(det - n / 2, 0);
	return det / sqrt(scale);
}

struct pb_interval
pb_newcombe_paired(struct pb_pairs t, double confidence)
{
	long n = t.both + t.first + t.second + t.none;

	if (n == 0)
		return (struct pb_interval){-1, 1};
	return join_reach((double)(t.first - t.second) / n,
	    wilson_reach(t.both + t.first, n, confidence),
	    wilson_reach(t.both + t.second, n, confidence), pairs_phi(t));
}

/*
 * 2 * sum C(n, i) / 2^n for i = 0..m, by ratios downwards from the largest
 * term, which is had through logarithms: 2^-n alone would underflow.
 */
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
	return at_most(2 * pb_exp(log_top) * sum, 1);
}

/* Let x[i] sink to its place in the heap x[n], largest on top. */
static void
sink(double *x, size_t i, size_t n)
{
	double v = x[i];

	for (size_t c = 2 * i + 1; c < n; c = 2 * i + 1) {
		if (c + 1 < n && x[c + 1] > x[c])
			c++;
		if (x[c] <= v)
			break;
		x[i] = x[c];
		i = c;
	}
	x[i] = v;
}

/* Heapsort: no stack, no allocation, no bad case. */
void
pb_sort(double *x, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sink(x, i, n);
	for (size_t i = n; i-- > 1;) {
		double top = x[0];

		x[0] = x[i];
		x[i] = top;
		sink(x, 0, i);
	}
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

/* Each value covers one unit of [0, n]; those in [n/4, 3n/4] count. */
double
pb_iqm(const double *x, size_t n)
{
	double lo = (double)n / 4, hi = 3 * lo, sum = 0;

	assert(n > 0);
	for (size_t i = 0; i < n; i++) {
		double a = at_least((double)i, lo);
		double b = at_most((double)i + 1, hi);

		if (b > a)
			sum += (b - a) * x[i];
	}
	return sum / (hi - lo);
}

static double
resampled_mean(const double *d, size_t n, struct pb_rng *r)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += d[pb_rng_below(r, (uint32_t)n)];
	return sum / (double)n;
}

struct pb_interval
pb_bootstrap(const double *d, size_t n, double confidence, size_t times,
    uint64_t seed, double *work)
{
	double tail = (1 - confidence) / 2;
	struct pb_rng r;

	assert(n > 0 && n <= UINT32_MAX && times > 0);
	pb_rng_start(&r, seed, 0, PB_FOR_BOOT, 0);
	for (size_t i = 0; i < times; i++)
		work[i] = resampled_mean(d, n, &r);
	pb_sort(work, times);
	return (struct pb_interval){
	    pb_quantile(work, times, tail), pb_quantile(work, times, 1 - tail)};
}

/* p[i] times the number of hypotheses not rejected before its turn. */
static double
holm_step(const double *p, size_t m, size_t i)
{
	size_t left = m;

	for (size_t k = 0; k < m; k++)
		left -= p[k] < p[i];
	return at_most(p[i] * (double)left, 1);
}

void
pb_holm(const double *p, size_t m, double *adjusted)
{
	for (size_t i = 0; i < m; i++) {
		adjusted[i] = p[i];
		for (size_t j = 0; j < m; j++)
			if (p[j] <= p[i])
				adjusted[i] =
				    at_least(adjusted[i], holm_step(p, m, j));
	}
}
