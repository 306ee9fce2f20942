/* elementary.h - elementary functions with the same bits everywhere; clamping,
 * headings, points on a line. */
#pragma once

#include <limits.h>
#include <math.h>
#include <stdint.h>

#include "pb/geom.h"

/* Clamp v to lo..hi; NAN stays NAN. */
static inline double
pb_clamp(double v, double lo, double hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/* Clamp v to lo..hi and truncate; lo for NAN. */
static inline int
pb_clamp_int(double v, int lo, int hi)
{
	return v > hi ? hi : v >= lo ? (int)v : lo;
}

/* Truncate v, clamped to the range of int. */
static inline int
pb_to_int(double v)
{
	return pb_clamp_int(v, INT_MIN, INT_MAX);
}

/*
 * Compile a function also for that instruction set, if the dynamic linker can
 * choose at load time: vectors are wider and instructions have three operands.
 * The same bits, as no operations are fused. ThreadSanitizer would crash in the
 * choice.
 */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define PB_ALSO_FOR(isa)
#endif
#endif
#if !defined(PB_ALSO_FOR) && defined(__x86_64__) && defined(__GLIBC__) && \
    defined(__has_attribute) && !defined(__SANITIZE_THREAD__)
#if __has_attribute(target_clones)
#define PB_ALSO_FOR(isa) __attribute__((target_clones(isa, "default")))
#endif
#endif
#ifndef PB_ALSO_FOR
#define PB_ALSO_FOR(isa)
#endif

/*
 * Two doubles in one register, and the result of comparing two such pairs: for
 * each number all bits or none. Sums, products and comparisons are bit-
 * identical to scalar ones. On machines without such registers the compiler
 * uses scalars.
 */
typedef double pb_pair __attribute__((vector_size(16)));
typedef int64_t pb_pair_mask __attribute__((vector_size(16)));

/* The pair (a, a). */
static inline pb_pair
pb_pair_of(double a)
{
	return (pb_pair){a, a};
}

/* Swap the numbers. */
static inline pb_pair
pb_pair_swap(pb_pair a)
{
	return (pb_pair){a[1], a[0]};
}

/* The numbers of a where m is set, those of b elsewhere. */
static inline pb_pair
pb_pair_pick(pb_pair_mask m, pb_pair a, pb_pair b)
{
	return (pb_pair)((m & (pb_pair_mask)a) | (~m & (pb_pair_mask)b));
}

/* The numbers of a where m is set, 0 elsewhere. */
static inline pb_pair
pb_pair_keep(pb_pair_mask m, pb_pair a)
{
	return (pb_pair)(m & (pb_pair_mask)a);
}

/* Absolute values. */
static inline pb_pair
pb_pair_abs(pb_pair a)
{
	return (pb_pair)((pb_pair_mask)a & INT64_MAX);
}

/*
 * The nearest whole numbers.
 *
 * Given    a  from -2^51 to 2^51
 * Note     adds and subtracts 1.5 * 2^52, which leaves no bits for a fraction
 */
static inline pb_pair
pb_pair_round(pb_pair a)
{
	return (a + 0x1.8p52) - 0x1.8p52;
}

/* The angle equal to a modulo 2 pi, in (-pi, pi] (rad). */
static inline double
pb_direction_wrap(double a)
{
	const double pi = 3.14159265358979323846;
	double r = a;

	/* Up to one turn off a sum is as exact as remainder() is. */
	if (!(fabs(a) < 2 * pi))
		r = remainder(a, 2 * pi);
	else if (fabs(a) > pi)
		r = a > 0 ? a - 2 * pi : a + 2 * pi;
	/* It is in [-pi, pi]; only -pi must move. */
	return r <= -pi ? pi : r;
}

/*
 * cos() and sin() differ in their last bits between C libraries and processors.
 * These are sums and products in a fixed order. Both are computed at once,
 * inline and with one branch, which takes two thirds of the time.
 */
#define PB_DIRECTION_NEAR 1024.0 /* (rad) */

/*
 * Cosine and sine of an angle up to PB_DIRECTION_NEAR from 0.
 *
 * The angle less the nearest multiple of pi/2 is taken in three steps (Cody
 * and Waite, "Software Manual for the Elementary Functions", 1980): pi/2 is
 * split so that its first two parts have 43 bits, and times a whole number
 * below 1024 they are exact. The rest x is known to twice the bits of a
 * double, as x + low. On [-pi/4, pi/4] follow
 *
 *	cos(x + low) = 1 - x^2/2 + x^2 x^2 p(x^2) - x low
 *	sin(x + low) = x + x x^2 q(x^2) + cos(x) low
 *
 * with minimax polynomials p and q, worked out by Remez's algorithm for an
 * error below 2^-57.
 */
static inline pb_pair
pb_direction_near(double a)
{
	const pb_pair k0 = {0x1.555555555554cp-5, -0x1.5555555555549p-3},
		      k1 = {-0x1.6c16c16c15184p-10, 0x1.111111110f881p-7},
		      k2 = {0x1.a01a019cb26f1p-16, -0x1.a01a019c126d5p-13},
		      k3 = {-0x1.27e4f80a75f62p-22, 0x1.71de3578757f9p-19},
		      k4 = {0x1.1ee9ec4734074p-29, -0x1.ae5e66d53cfedp-26},
		      k5 = {-0x1.8faeced60e6c7p-37, 0x1.5d932f42e8c8dp-33};
	/* Adding 1.5 * 2^52 rounds to a whole number n, held in the last bits
	 * of sum. */
	double sum = a * 0x1.45f306dc9c883p-1 + 0x1.8p52, n = sum - 0x1.8p52;
	double far = a - n * 0x1.921fb54442c00p+0;
	double part = n * 0x1.18469898cc400p-44, near = far - part;
	double last = n * 0x1.1701b839a2520p-88 - ((far - near) - part);
	double x = near - last, low = (near - x) - last;
	double square = x * x, half = 0.5 * square, one = 1 - half;
	pb_pair z = pb_pair_of(square), zz = z * z;
	pb_pair poly = k0 + z * k1 + zz * (k2 + z * k3 + zz * (k4 + z * k5));
	pb_pair tail =
	    (pb_pair){(1 - one) - half, 0} + (pb_pair){-x, one} * low;
	pb_pair v =
	    (pb_pair){one, x} + ((pb_pair){square, x} * z * poly + tail);
	/* Each quarter turn swaps them and changes a sign. */
	pb_pair_mask turns = (pb_pair_mask)pb_pair_of(sum);
	pb_pair_mask minus = (turns + (pb_pair_mask){1, 0}) << 62 & INT64_MIN;

	v = pb_pair_pick(-(turns & 1), pb_pair_swap(v), v);
	return (pb_pair)((pb_pair_mask)v ^ minus);
}

/*
 * Given    a  angle (rad)
 * Returns  its cosine and its sine, each less than 0.9 units in the last
 *          place off; beyond PB_DIRECTION_NEAR, those of a modulo 2 pi; NaN if
 * a is not finite
 */
static inline pb_pair
pb_direction(double a)
{
	return pb_direction_near(
	    fabs(a) <= PB_DIRECTION_NEAR ? a : pb_direction_wrap(a));
}

/* The point at distance `far` from p in direction th (rad). */
static inline struct pb_vec
pb_point_at(struct pb_vec p, double th, double far)
{
	pb_pair u = pb_direction(th);

	return (struct pb_vec){p.x + far * u[0], p.y + far * u[1]};
}

/* The point at share u from a to b. */
static inline struct pb_vec
pb_segment_at(struct pb_vec a, struct pb_vec b, double u)
{
	return (struct pb_vec){a.x + u * (b.x - a.x), a.y + u * (b.y - a.y)};
}

/* The pose at share u from a to b, turning the shorter way. */
static inline struct pb_pose
pb_segment_pose(struct pb_pose a, struct pb_pose b, double u)
{
	struct pb_vec v = pb_segment_at(pb_pose_vec(a), pb_pose_vec(b), u);

	return (struct pb_pose){v.x, v.y,
	    pb_direction_wrap(a.th + u * pb_direction_wrap(b.th - a.th))};
}

/* Where on the segment from a to b, 0..1, the point p is nearest to it. */
static inline double
pb_segment_nearest(struct pb_vec a, struct pb_vec b, struct pb_vec p)
{
	double dx = b.x - a.x, dy = b.y - a.y, d2 = dx * dx + dy * dy;

	if (!(d2 > 0))
		return 0;
	return pb_clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / d2, 0, 1);
}

/*
 * The last bits of exp(), log() and others differ between C libraries and
 * processors, and games diverge from there. These are sums, products, quotients
 * and square roots in a fixed order, which IEEE 754 defines to the bit; the
 * library uses no others (scripts/purity.sh). Infinities and NaN are dealt with
 * as in C unless it says otherwise. ulp: a unit in the last place of the
 * result.
 */

/* Less than 0.9 ulp off up to 1024 rad; NaN for infinities. */
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
 * Power x^y, by pb_exp(y * pb_log(x)).
 *
 * Given    x  >= 0, y finite
 * Note     the error is about 1 + |y log x| ulp
 */
double pb_pow(double x, double y);

/* sqrt(x^2 + y^2) without needless overflow; less than 1.5 ulp off. */
double pb_hypot(double x, double y);

/* 1 - erf(x); relative error below 1e-13 where it is above 1e-300. */
double pb_erfc(double x);
