/* plan.c - how many trials a question takes. */
#include "base/plan.h"

#include <assert.h>
#include <math.h>

#include "base/stats.h"

double
pb_trials_apart(double p1, double p2, double alpha, double power)
{
	double mean = (p1 + p2) / 2, d = p1 - p2;
	double a =
	    pb_normal_quantile(1 - alpha / 2) * sqrt(2 * mean * (1 - mean));
	double b =
	    pb_normal_quantile(power) * sqrt(p1 * (1 - p1) + p2 * (1 - p2));

	assert(d != 0);
	return ceil((a + b) * (a + b) / (d * d));
}

double
pb_trials_paired(double diff, double split, double alpha, double power)
{
	double a = pb_normal_quantile(1 - alpha / 2) * sqrt(split);
	double b = pb_normal_quantile(power) * sqrt(split - diff * diff);

	assert(diff != 0 && fabs(diff) <= split && split <= 1);
	return ceil((a + b) * (a + b) / (diff * diff));
}

/* Half of a Wilson interval, also for numbers that are not whole. */
static double
half_width(double p, double n, double z)
{
	return z / (1 + z * z / n) *
	       sqrt(p * (1 - p) / n + z * z / (4 * n * n));
}

/* It shrinks as n grows: double, then halve. */
double
pb_trials_width(double p, double half, double confidence)
{
	double z = pb_normal_quantile((1 + confidence) / 2), lo = 0, hi = 1;

	assert(p >= 0 && p <= 1 && half >= 1e-6);
	while (half_width(p, hi, z) > half) {
		lo = hi;
		hi *= 2;
	}
	while (hi - lo > 1) {
		double mid = floor((lo + hi) / 2);

		if (half_width(p, mid, z) > half)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

double
pb_trials_margin(double margin, double split, double alpha, double power)
{
	double z =
	    pb_normal_quantile(1 - alpha / 2) + pb_normal_quantile(power);

	assert(margin > 0 && split > 0 && split <= 1);
	return ceil(z * z * split / (margin * margin));
}
