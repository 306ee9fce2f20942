/* elementary.h - elementary functions with the same bits everywhere. */
#pragma once

#include "base/direction.h"

/*
 * What a C library makes of exp(), log() and others differs in its last bits
 * from one library to the next and from one processor to the next, and games
 * grow apart from there. These are sums, products, quotients and square roots
 * in a fixed order, which IEEE 754 defines to the bit; the library uses no
 * others (scripts/purity.sh). Infinities and NaN are dealt with as in C unless
 * it says otherwise. ulp: a unit in the last place of the result.
 */

/* Less than 0.9 ulp off up to 1024 rad, see direction.h; NaN for infinities. */
static inline double
pb_cos(double a)
{
	return pb_direction(a)[0];
}

static inline double
pb_sin(double a)
{
	return pb_direction(a)[1];
}

/* Angle of (x, y), in [-pi, pi] (rad), as atan2(); less than 2 ulp off. */
double pb_atan2(double y, double x);

/* e to the x; less than 1 ulp off unless the result is subnormal. */
double pb_exp(double x);

/* Natural logarithm; less than 1 ulp off. */
double pb_log(double x);

/*
 * x to the y.
 *
 * Given    x  >= 0, y finite
 * Note     off by as many more ulp as y log x is large
 */
double pb_pow(double x, double y);

/* sqrt(x^2 + y^2) without needless overflow; less than 1.5 ulp off. */
double pb_hypot(double x, double y);

/* 1 - erf(x); relative error below 1e-13 where it is above 1e-300. */
double pb_erfc(double x);
