/* base.c - tests of geometry, random streams and hashes. */
#include "check.h"

#include "base/geom.h"
#include "base/hash.h"
#include "base/rng.h"

static void
test_wrap_range(void)
{
	check_near(pb_wrap(0), 0, 0);
	check_near(pb_wrap(PB_PI), PB_PI, 0);
	check_near(pb_wrap(-PB_PI), PB_PI, 0);
	check_near(pb_wrap(3 * PB_PI), PB_PI, 1e-12);
	for (double a = -50; a < 50; a += 0.37) {
		double w = pb_wrap(a);

		check(w > -PB_PI && w <= PB_PI);
		check_near(sin(w), sin(a), 1e-12);
		check_near(cos(w), cos(a), 1e-12);
	}
}

static void
test_pose_compose_inverse(void)
{
	struct pb_pose f = {1.5, -2, 2.5}, i = pb_pose_inverse(f);
	struct pb_pose z = pb_pose_compose(f, i);
	struct pb_vec v = {3, 4}, w = pb_vec_into(f, pb_vec_from(f, v));

	check_near(z.x, 0, 1e-12);
	check_near(z.y, 0, 1e-12);
	check_near(z.th, 0, 1e-12);
	check_near(w.x, 3, 1e-12);
	check_near(w.y, 4, 1e-12);
}

static void
test_rng_reference(void)
{
	/* The first outputs of the published xoshiro256** for this state. */
	struct pb_rng r = {{1, 2, 3, 4}};

	check(pb_rng_u64(&r) == 11520);
	check(pb_rng_u64(&r) == 0);
	check(pb_rng_u64(&r) == 1509978240);
	check(pb_rng_u64(&r) == UINT64_C(1215971899390074240));
}

static void
test_rng_streams_differ(void)
{
	struct pb_rng a, b;
	uint64_t first;

	pb_rng_start(&a, 7, 3, PB_FOR_GHOST, 0);
	first = pb_rng_u64(&a);
	pb_rng_start(&b, 7, 3, PB_FOR_GHOST, 0);
	check(pb_rng_u64(&b) == first);
	pb_rng_start(&b, 8, 3, PB_FOR_GHOST, 0);
	check(pb_rng_u64(&b) != first);
	pb_rng_start(&b, 7, 4, PB_FOR_GHOST, 0);
	check(pb_rng_u64(&b) != first);
	pb_rng_start(&b, 7, 3, PB_FOR_POSE, 0);
	check(pb_rng_u64(&b) != first);
	pb_rng_start(&b, 7, 3, PB_FOR_GHOST, 1);
	check(pb_rng_u64(&b) != first);
}

static void
test_rng_below_is_uniform(void)
{
	enum { N = 7, DRAWS = 70000 };
	struct pb_rng r;
	int count[N] = {0};
	double chi2 = 0;

	pb_rng_start(&r, 1, 0, PB_FOR_TRIAL, 0);
	for (int i = 0; i < DRAWS; i++)
		count[pb_rng_below(&r, N)]++;
	for (int i = 0; i < N; i++) {
		double d = count[i] - DRAWS / (double)N;

		chi2 += d * d * N / DRAWS;
	}
	check(chi2 < 22.46); /* 6 degrees of freedom, one in a thousand */
}

static void
test_rng_normal_moments(void)
{
	enum { DRAWS = 200000 };
	struct pb_rng r;
	double s1 = 0, s2 = 0, s4 = 0;

	pb_rng_start(&r, 2, 0, PB_FOR_TRIAL, 0);
	for (int i = 0; i < DRAWS; i++) {
		double v = pb_rng_normal(&r);

		s1 += v;
		s2 += v * v;
		s4 += v * v * v * v;
	}
	check_near(s1 / DRAWS, 0, 0.01);
	check_near(s2 / DRAWS, 1, 0.015);
	check_near(s4 / DRAWS, 3, 0.12);
}

static void
test_hash_reference(void)
{
	/* Published FNV-1a values. */
	check(pb_hash_bytes(PB_HASH_START, "", 0) ==
	      UINT64_C(0xcbf29ce484222325));
	check(pb_hash_bytes(PB_HASH_START, "a", 1) ==
	      UINT64_C(0xaf63dc4c8601ec8c));
	check(pb_hash_double(1, 0.0) == pb_hash_double(1, -0.0));
}

int
main(void)
{
	run(test_wrap_range);
	run(test_pose_compose_inverse);
	run(test_rng_reference);
	run(test_rng_streams_differ);
	run(test_rng_below_is_uniform);
	run(test_rng_normal_moments);
	run(test_hash_reference);
	return done();
}
