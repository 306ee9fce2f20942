/* rng.c - hashes, and random numbers made of them. */
#include "pb/rng.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/hash.h"

uint64_t
pb_hash_bytes(uint64_t h, const void *buf, size_t n)
{
	const unsigned char *p = buf;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h;
}

uint64_t
pb_hash_u64(uint64_t h, uint64_t v)
{
	unsigned char b[8];

	for (int i = 0; i < 8; i++)
		b[i] = (unsigned char)(v >> (8 * i));
	return pb_hash_bytes(h, b, sizeof(b));
}

uint64_t
pb_hash_double(uint64_t h, double v)
{
	uint64_t u;

	v = v == 0 ? 0 : v;
	memcpy(&u, &v, sizeof(u));
	return pb_hash_u64(h, u);
}

uint64_t
pb_hash_vec(uint64_t h, struct pb_vec v)
{
	return pb_hash_double(pb_hash_double(h, v.x), v.y);
}

uint64_t
pb_hash_pose(uint64_t h, struct pb_pose p)
{
	return pb_hash_double(pb_hash_vec(h, pb_pose_vec(p)), p.th);
}

uint64_t
pb_hash_rng(uint64_t h, const struct pb_rng *r)
{
	for (int i = 0; i < 4; i++)
		h = pb_hash_u64(h, r->s[i]);
	return h;
}

static uint64_t
mix(uint64_t z)
{
	/* The finaliser of splitmix64 (Steele, Lea and Flood, 2014). */
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t
rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

void
pb_rng_start(struct pb_rng *r, uint64_t seed, uint64_t trial,
    enum pb_purpose purpose, unsigned which)
{
	/* The golden-ratio step of splitmix64. */
	const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t h;

	h = mix(seed + step);
	h = mix(h ^ mix(trial + 2 * step));
	h = mix(h ^ mix(((uint64_t)purpose << 32 | which) + 3 * step));
	for (int i = 0; i < 4; i++)
		r->s[i] = mix(h += step);
}

uint64_t
pb_rng_u64(struct pb_rng *r)
{
	uint64_t *s = r->s;
	uint64_t x = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return x;
}

double
pb_rng_unit(struct pb_rng *r)
{
	return (double)(pb_rng_u64(r) >> 11) * 0x1p-53;
}

double
pb_rng_between(struct pb_rng *r, double lo, double hi)
{
	return lo + (hi - lo) * pb_rng_unit(r);
}

uint32_t
pb_rng_below(struct pb_rng *r, uint32_t n)
{
	uint64_t m = (pb_rng_u64(r) >> 32) * n;

	if ((uint32_t)m < n) {
		uint32_t t = (0u - n) % n;

		while ((uint32_t)m < t)
			m = (pb_rng_u64(r) >> 32) * n;
	}
	return (uint32_t)(m >> 32);
}

double
pb_rng_normal(struct pb_rng *r)
{
	double u, v, q;

	do {
		u = pb_rng_between(r, -1, 1);
		v = pb_rng_between(r, -1, 1);
		q = u * u + v * v;
	} while (q >= 1 || q == 0);
	return u * sqrt(-2 * pb_log(q) / q);
}
