/* elementary.c - elementary functions with the same bits everywhere, and poses.
 */
#include "base/elementary.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "pb/geom.h"

/* A number and its rounding error. */
struct exact {
	double v, rest;
};

#define LN2      0x1.62e42fef00000p-1 /* 33 bits, */
#define LN2_REST 0x1.473de6af278edp-34

/* 2 to the k; -1022 <= k <= 1023. */
static double
power_of_2(int k)
{
	uint64_t bits = (uint64_t)(k + 1023) << 52;
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/*
 * x = (k + j / 32) ln 2 + r with |r| <= ln 2 / 64, so that exp(x) is 2^k, times
 * 2^(j/32) out of a table, times the series of exp(r) (Tang, "Table-driven
 * implementation of the exponential function", 1989).
 */
double
pb_exp(double x)
{
	static const struct exact root[32] = {
	    {0x1.0000000000000p+0, 0},
	    {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55},
	    {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
	    {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54},
	    {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
	    {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54},
	    {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
	    {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55},
	    {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
	    {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54},
	    {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
	    {0x1.44e086061892dp+0, 0x1.89b7a04ef80d0p-59},
	    {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
	    {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55},
	    {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
	    {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54},
	    {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
	    {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55},
	    {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
	    {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54},
	    {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
	    {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57},
	    {0x1.9c49182a3f090p+0, 0x1.c7c46b071f2bep-56},
	    {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54},
	    {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
	    {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56},
	    {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
	    {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56},
	    {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
	    {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54},
	    {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
	    {0x1.f50765b6e4540p+0, 0x1.9d3e12dd8a18bp-54},
	};
	double sum, n, r, square, series, v;
	int k, j;

	if (!(x > -746 && x < 710))
		return x >= 710 ? INFINITY : x <= -746 ? 0 : x;
	/* Adding 1.5 * 2^52 leaves no bits for a fraction. */
	sum = x * 0x1.71547652b82fep+5 + 0x1.8p52;
	n = sum - 0x1.8p52;
	r = (x - n * 0x1.62e42fef00000p-6) - n * 0x1.473de6af278edp-39;
	square = r * r;
	series = r + square * ((0.5 + r * (1 / 6.0)) +
				  square * ((1 / 24.0 + r * (1 / 120.0)) +
					       square * (1 / 720.0)));
	j = (int)n & 31;
	k = ((int)n - j) / 32;
	v = root[j].v + (root[j].v * series + root[j].rest);
	/* In two factors: 2^k alone may be out of range. */
	return v * power_of_2(k / 2) * power_of_2(k - k / 2);
}

/*
 * x = 2^k m with m near 1. With s = (m - 1) / (m + 1), log m = 2 artanh s = 2 s
 * + s r(s^2), r from Remez's algorithm. The order of operations keeps the large
 * terms exact.
 */
double
pb_log(double x)
{
	double f, s, z, zz, r, half;
	uint64_t bits;
	int k = 0;

	if (!(x > 0 && x < INFINITY))
		return x == 0 ? -INFINITY : x > 0 ? x : NAN;
	if (x < 0x1p-1022) {
		x *= 0x1p54;
		k = -54;
	}
	/* m is from sqrt(1/2), whose high half is subtracted, to sqrt(2). */
	memcpy(&bits, &x, sizeof bits);
	bits -= UINT64_C(0x3fe6a09e00000000);
	k += (int)(bits >> 52) - (int)(bits >> 63) * 4096;
	bits =
	    (bits & UINT64_C(0xfffffffffffff)) + UINT64_C(0x3fe6a09e00000000);
	memcpy(&f, &bits, sizeof f);
	f -= 1;
	s = f / (2 + f);
	z = s * s;
	zz = z * z;
	r = z * ((0x1.5555555555558p-1 + z * 0x1.99999999952e2p-2) +
		    zz * ((0x1.2492492df148dp-2 + z * 0x1.c71c62e5800a1p-3) +
			     zz * ((0x1.7462b4ab2ef6bp-3 +
				       z * 0x1.39fe606542ddep-3) +
				      zz * 0x1.2b584aae78a57p-3)));
	half = 0.5 * f * f;
	return k * LN2 - ((half - (s * (half + r) + k * LN2_REST)) - f);
}

double
pb_pow(double x, double y)
{
	if (y == 0 || x == 1)
		return 1;
	return x > 0 ? pb_exp(y * pb_log(x)) : y > 0 ? 0 : INFINITY;
}

double
pb_hypot(double x, double y)
{
	double most, scale = 1;

	x = fabs(x);
	y = fabs(y);
	most = x > y ? x : y;
	if (x == INFINITY || y == INFINITY)
		return INFINITY;
	if (most > 0x1p500)
		scale = 0x1p-600;
	else if (most < 0x1p-450)
		scale = 0x1p600;
	x *= scale;
	y *= scale;
	return sqrt(x * x + y * y) / scale;
}

/*
 * Arc tangent of y / x for 0 <= y <= x, x > 0: that of the nearest i / 16 to
 * the quotient out of a table, and that of the rest, which is below 1/32, as a
 * series.
 */
static struct exact
first_octant(double y, double x)
{
	static const struct exact at[17] = {
	    {0, 0},
	    {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
	    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
	    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
	    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
	    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
	    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
	    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
	    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
	    {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
	    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
	    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
	    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
	    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
	    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
	    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
	    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
	};
	int i = (int)(y / x * 16 + 0.5);
	double c = i / 16.0, t = (y - c * x) / (x + c * y), z = t * t;
	double rest =
	    t * z *
	    (-1 / 3.0 +
		z * (1 / 5.0 + z * (-1 / 7.0 + z * (1 / 9.0 - z / 11))));

	return (struct exact){at[i].v, t + (rest + at[i].rest)};
}

/* Scale x and y so that sums and products cannot overflow. */
static void
scale_pair(double *x, double *y)
{
	double most = *x > *y ? *x : *y, scale = 1;

	if (*x == INFINITY || *y == INFINITY) {
		*x = *x == INFINITY;
		*y = *y == INFINITY;
		return;
	}
	if (most > 0x1p1000)
		scale = 0x1p-100;
	else if (most < 0x1p-900)
		scale = 0x1p120;
	*x *= scale;
	*y *= scale;
}

double
pb_atan2(double y, double x)
{
	double a = fabs(x), b = fabs(y);
	struct exact v = {0, 0};

	if (x != x || y != y)
		return x + y;
	scale_pair(&a, &b);
	if (b > a) {
		v = first_octant(a, b);
		v = (struct exact){
		    0x1.921fb54442d18p+0 - v.v, 0x1.1a62633145c07p-54 - v.rest};
	} else if (a > 0) {
		v = first_octant(b, a);
	}
	if (signbit(x))
		v = (struct exact){
		    0x1.921fb54442d18p+1 - v.v, 0x1.1a62633145c07p-53 - v.rest};
	return copysign(v.v + v.rest, y);
}

/*
 * With t = 2 / (2 + x) and u = 2 t - 1, erfc(x) = t exp(p(u) - x^2) for x >= 0;
 * p from Chebyshev's nodes, error below 1e-17.
 */
double
pb_erfc(double x)
{
	static const pb_pair p[] = {
	    {-0x1.57f564e956ebep-1, 0x1.5864b151b8571p-1},
	    {0x1.83d61c52414bep-5, -0x1.802b39089af8bp-5},
	    {-0x1.43821ef9dc35ap-7, 0x1.212cf33f3e976p-7},
	    {0x1.cd180866ad104p-10, -0x1.33786807e3cdcp-9},
	    {-0x1.32b3ac549e317p-13, 0x1.6133a6bb6da69p-11},
	    {-0x1.89277ff8c4207p-14, -0x1.6d8a87e52fe87p-13},
	    {0x1.2b7c00eabcdc1p-14, 0x1.0a51c6a381164p-15},
	    {-0x1.fa952e94e462fp-16, 0x1.19cc22cab82ecp-23},
	    {0x1.1ff592b63b5d9p-17, -0x1.8a52be7b5ad43p-19},
	    {-0x1.5f7a5d79e829fp-20, 0x1.4d7d1cfebb416p-20},
	    {-0x1.03052d7651f2bp-23, -0x1.0d75df8cd0145p-22},
	    {0x1.e7f39e51834e3p-24, 0x1.50550e683bcbcp-27},
	    {-0x1.585b0171d1dedp-26, 0x1.30e1033f77578p-28},
	    {0, 0},
	};
	double a = fabs(x), t = 2 / (2 + a), u = 2 * t - 1, uu = u * u, v;
	pb_pair far = pb_pair_of(uu * uu), odd = p[13], even = p[12];

	if (x != x)
		return x;
	if (a < 0x1p-28)
		return 1 - x * 0x1.20dd750429b6dp+0; /* 2 / sqrt(pi) */
	/* Two interleaved series: coefficients 4 k and 4 k + 1, and the next
	 * two. */
	for (int i = 10; i >= 0; i -= 2) {
		even = even * far + p[i];
		odd = odd * far + p[i + 1];
	}
	even += odd * pb_pair_of(uu);
	v = even[0] + even[1] * u - a * a;
	v = a < 28 ? t * pb_exp(v) : 0;
	return x < 0 ? 2 - v : v;
}

double
pb_wrap(double a)
{
	return pb_direction_wrap(a);
}

double
pb_yaw(double x, double y, double z, double w)
{
	return pb_wrap(
	    pb_atan2(2 * (w * z + x * y), w * w + x * x - y * y - z * z));
}

double
pb_dist(struct pb_vec a, struct pb_vec b)
{
	double dx = a.x - b.x, dy = a.y - b.y;

	/* sqrt is correctly rounded everywhere, hypot is not. */
	return sqrt(dx * dx + dy * dy);
}

struct pb_vec
pb_pose_vec(struct pb_pose p)
{
	return (struct pb_vec){p.x, p.y};
}

double
pb_pose_dist(struct pb_pose a, struct pb_pose b)
{
	return pb_dist(pb_pose_vec(a), pb_pose_vec(b));
}

struct pb_pose
pb_pose_compose(struct pb_pose f, struct pb_pose p)
{
	struct pb_vec v = pb_vec_from(f, (struct pb_vec){p.x, p.y});

	return (struct pb_pose){v.x, v.y, pb_wrap(f.th + p.th)};
}

struct pb_pose
pb_pose_inverse(struct pb_pose f)
{
	struct pb_vec v = pb_vec_into(f, (struct pb_vec){0, 0});

	return (struct pb_pose){v.x, v.y, pb_wrap(-f.th)};
}

/* By the inverse: results depend on its rounding. */
struct pb_pose
pb_pose_into(struct pb_pose f, struct pb_pose p)
{
	return pb_pose_compose(pb_pose_inverse(f), p);
}

struct pb_vec
pb_vec_from(struct pb_pose f, struct pb_vec v)
{
	pb_pair u;

	if (f.th == 0)
		return (struct pb_vec){f.x + v.x, f.y + v.y};
	u = pb_direction(f.th);
	return (struct pb_vec){
	    f.x + u[0] * v.x - u[1] * v.y, f.y + u[1] * v.x + u[0] * v.y};
}

struct pb_vec
pb_vec_into(struct pb_pose f, struct pb_vec v)
{
	double dx = v.x - f.x, dy = v.y - f.y;
	pb_pair u;

	if (f.th == 0)
		return (struct pb_vec){dx, dy};
	u = pb_direction(f.th);
	return (struct pb_vec){u[0] * dx + u[1] * dy, u[0] * dy - u[1] * dx};
}
