/* elementary.c - tests of the elementary functions. */
#include "check.h"

#include <stdint.h>

#include "base/elementary.h"

static struct pb_rng rng;

/* A number of either sign whose size is anything from 2^-most to 2^most. */
static double
any(double most)
{
	double v = exp2(pb_rng_between(&rng, -most, most));

	return pb_rng_below(&rng, 2) ? v : -v;
}

/* How far got is from want, in units of the last place of want. */
static double
ulps(double got, double want)
{
	double next = nextafter(fabs(want), INFINITY);

	return got == want ? 0 : fabs(got - want) / (next - fabs(want));
}

#define CASES 300000

/* The C library is right to less than one unit itself. */
test(like_the_library)
{
	double e = 0, l = 0, a = 0, h = 0, s = 0, c = 0;

	pb_rng_start(&rng, 1, 0, PB_FOR_TRIAL, 0);
	for (int i = 0; i < CASES; i++) {
		double x = any(9), y = any(9), far = any(900);

		e = fmax(e, ulps(pb_exp(x), exp(x)));
		l = fmax(l, ulps(pb_log(fabs(far)), log(fabs(far))));
		l = fmax(l, ulps(pb_log(1 + x / 600), log(1 + x / 600)));
		a = fmax(a, ulps(pb_atan2(y, x), atan2(y, x)));
		a = fmax(a, ulps(pb_atan2(y, far), atan2(y, far)));
		h = fmax(h, ulps(pb_hypot(x, y), hypot(x, y)));
		h = fmax(h, ulps(pb_hypot(far, y), hypot(far, y)));
		s = fmax(s, ulps(pb_sin(x), sin(x)));
		c = fmax(c, ulps(pb_cos(y), cos(y)));
	}
	check(e < 2);
	check(l < 2);
	check(a < 3);
	check(h < 2.5);
	check(s < 2);
	check(c < 2);
}

test(less_exact_ones)
{
	double most = 0;

	pb_rng_start(&rng, 2, 0, PB_FOR_TRIAL, 0);
	for (int i = 0; i < CASES; i++) {
		double x = pb_rng_between(&rng, -26, 26);
		double base = pb_rng_between(&rng, 0.001, 9);
		double up = pb_rng_between(&rng, -20, 20);

		most = fmax(most, fabs(pb_erfc(x) / erfc(x) - 1));
		most = fmax(most, fabs(pb_pow(base, up) / pow(base, up) - 1));
	}
	check(most < 2e-13);
}

static bool
alike(double a, double b)
{
	return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

/* Zeros, infinities, what is no number, the smallest and the largest. */
test(odd_values)
{
	static const double odd[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN,
	    1e308, -1e308, 5e-324, -5e-324};

	for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
		double x = odd[i];

		check(alike(pb_exp(x), exp(x)));
		check(alike(pb_log(x), log(x)) || (x < 0 && isnan(pb_log(x))));
		check(alike(pb_erfc(x), erfc(x)) || fabs(x) == 1);
		check(isfinite(x) || isnan(pb_sin(x)));
		for (size_t k = 0; k < sizeof odd / sizeof odd[0]; k++) {
			double y = odd[k], h = pb_hypot(x, y);

			check(alike(pb_atan2(y, x), atan2(y, x)));
			check(
			    alike(h, hypot(x, y)) || fabs(h - 1.5e308) < 1e308);
		}
	}
	check(pb_exp(710) == INFINITY && pb_exp(-746) == 0);
	check(pb_exp(-745) > 0 && isfinite(pb_exp(709.7)));
	check(pb_erfc(0x1p-29) < 1 && pb_erfc(-0x1p-29) > 1);
	check(pb_pow(0, 0) == 1 && pb_pow(0, 2) == 0 && pb_pow(0, -1) > 1e308);
	check(pb_pow(3, 0) == 1 && pb_pow(1, 1e300) == 1);
}

/* The bits of a million results, so that they are the same on all machines. */
test(bits)
{
	uint64_t hash = 14695981039346656037u;

	pb_rng_start(&rng, 3, 0, PB_FOR_TRIAL, 0);
	for (int i = 0; i < 100000; i++) {
		double x = pb_rng_between(&rng, -30, 30);
		double y = pb_rng_between(&rng, -30, 30), z = fabs(y);
		double v[] = {pb_exp(x), pb_log(z), pb_atan2(y, x),
		    pb_hypot(x, y), pb_erfc(x / 5), pb_pow(z, x / 9), pb_sin(x),
		    pb_cos(y), pb_sin(x * 1e6), pb_cos(y * 1e9)};

		for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
			uint64_t bits;

			memcpy(&bits, &v[k], sizeof bits);
			hash = (hash ^ bits) * 1099511628211u;
		}
	}
	check(hash == UINT64_C(0x9919b229a8a82999));
}
