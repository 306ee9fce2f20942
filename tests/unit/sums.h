/* sums.h - what the tests of sensors share. */
#pragma once

#include "check.h"

/* Numbers that are finite: how many, mean, standard deviation. */
struct sums {
	double n, mean, sd;
};

static inline struct sums
sums_of(const double *v, int n)
{
	struct sums s = {0};
	double sum = 0, sum2 = 0;

	for (int i = 0; i < n; i++)
		if (isfinite(v[i])) {
			s.n++;
			sum += v[i];
			sum2 += v[i] * v[i];
		}
	s.mean = sum / s.n;
	s.sd = sqrt(fmax(0, sum2 / s.n - s.mean * s.mean));
	return s;
}

static inline struct pb_rng
stream(unsigned which)
{
	struct pb_rng g;

	pb_rng_start(&g, 1, 0, PB_FOR_SENSOR, which);
	return g;
}
