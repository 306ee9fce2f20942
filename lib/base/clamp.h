/* clamp.h - numbers cut to what is allowed. */
#pragma once

#include <limits.h>

/* v, but no less than lo and no more than hi; NAN stays NAN. */
static inline double
pb_clamp(double v, double lo, double hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/* The same without a fraction, and lo where v is NAN. */
static inline int
pb_clamp_int(double v, int lo, int hi)
{
	return v > hi ? hi : v >= lo ? (int)v : lo;
}

/* v without its fraction, at the ends of int where it is beyond them. */
static inline int
pb_to_int(double v)
{
	return pb_clamp_int(v, INT_MIN, INT_MAX);
}
