/* hash.c - 64-bit hashes for fingerprints of maps, states and results. */
#include "base/hash.h"

#include <string.h>

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
