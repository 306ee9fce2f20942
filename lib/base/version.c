/* version.c - version of the library, and a self-test of its arithmetic. */
#include "pb/version.h"

#include <math.h>

#include "base/elementary.h"
#include "base/hash.h"
#include "pb/geom.h"
#include "pb/rng.h"

enum { N = 64 };

/* Hide a value from the compiler, which would fold constants. */
static double
hide_value(double v)
{
	volatile double at = v;

	return at;
}

static uint64_t
hash_functions(uint64_t h, double a, double b)
{
	h = pb_hash_double(h, pb_cos(a));
	h = pb_hash_double(h, pb_sin(a));
	h = pb_hash_double(h, pb_atan2(a, b));
	h = pb_hash_double(h, pb_exp(a));
	h = pb_hash_double(h, pb_log(fabs(b)));
	h = pb_hash_double(h, pb_pow(fabs(a), b));
	h = pb_hash_double(h, pb_hypot(a, b));
	h = pb_hash_double(h, pb_erfc(a));
	h = pb_hash_double(h, sqrt(fabs(a)));
	return pb_hash_double(h, fmod(a, b));
}

static uint64_t
hash_frames(uint64_t h, struct pb_pose f, struct pb_pose p)
{
	struct pb_pose both = pb_pose_compose(f, p), back = pb_pose_inverse(f);
	struct pb_vec into = pb_vec_into(f, pb_pose_vec(p));

	h = pb_hash_pose(h, both);
	h = pb_hash_vec(h, pb_pose_vec(back));
	h = pb_hash_vec(h, into);
	return pb_hash_double(h, pb_dist(pb_pose_vec(f), pb_pose_vec(both)));
}

/*
 * Loops that compilers vectorize: turned points, whose products and sums some
 * fuse; sums, which some reorder; quotients by one number, which some replace
 * by products.
 */
static uint64_t
hash_loops(uint64_t h, const double *x, const double *y)
{
	double u[N], v[N], q[N], c = y[0], s = x[0], dot = 0, turn = 0;
	float small = 0;

	for (int i = 0; i < N; i++) {
		u[i] = c * x[i] + s * y[i];
		v[i] = c * y[i] - s * x[i];
		q[i] = (x[i] + y[i]) / s;
	}
	for (int i = 0; i < N; i++) {
		dot += x[i] * y[i];
		turn += x[i] * v[i] - y[i] * u[i];
		small += (float)x[i] * 0.1f;
	}
	for (int i = 0; i < N; i++) {
		h = pb_hash_double(h, u[i]);
		h = pb_hash_double(h, v[i]);
		h = pb_hash_double(h, q[i]);
	}
	h = pb_hash_double(h, dot);
	h = pb_hash_double(h, turn);
	return pb_hash_double(h, (double)small);
}

/* Cases that compiler options and the processor's state change. */
static uint64_t
hash_corners(uint64_t h)
{
	double least = hide_value(0x1p-1040), one = hide_value(1),
	       big = hide_value(0x1p1023);
	double minus = -hide_value(0), none = minus / minus,
	       third = one / hide_value(3);

	h = pb_hash_double(h, least * 0.75); /* subnormals are not flushed */
	h = pb_hash_double(h, least * 0x1p1000 * 0x1p40);
	h = pb_hash_double(h, one + 0x1p-53); /* rounds to even */
	h = pb_hash_double(h, -one - 0x1.8p-53);
	h = pb_hash_double(h, nearbyint(one * 2.5));
	h = pb_hash_double(h, third * 3 - one); /* no extended precision */
	h = pb_hash_double(h, third * third - 1 / 9.0);
	h = pb_hash_double(h, (one + big) - big);
	h = pb_hash_u64(h, isinf(big * 4 / 8) != 0);
	h = pb_hash_u64(h, signbit(minus + minus) != 0);
	h = pb_hash_u64(h, signbit(0 - minus) != 0);
	h = pb_hash_u64(h, none == none);
	return pb_hash_u64(h, isnan(none) != 0);
}

uint64_t
pb_selftest(void)
{
	double x[N], y[N];
	uint64_t h = PB_HASH_START;
	struct pb_rng r;

	pb_rng_start(&r, 1, 2, PB_FOR_TRIAL, 3);
	for (int i = 0; i < N; i++) {
		x[i] = pb_rng_between(&r, -7, 7);
		y[i] = pb_rng_normal(&r);
	}
	for (int i = 0; i + 2 < N; i++) {
		h = hash_functions(h, x[i], y[i]);
		h = hash_frames(h, (struct pb_pose){x[i], y[i], x[i + 1]},
		    (struct pb_pose){x[i + 2], y[i + 1], y[i + 2]});
	}
	return hash_corners(hash_loops(h, x, y));
}

int
pb_version(void)
{
	return PB_VERSION_NUMBER;
}
