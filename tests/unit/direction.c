/* direction.c - tests of cosine and sine with the same bits everywhere. */
#include "check.h"

#include <stdint.h>

#include "base/elementary.h"
#include "base/hash.h"
#include "pb/geom.h"

/* How far v is from what it should be, in units in its last place. */
static double
ulps(double v, long double exact)
{
	int e;

	frexp((double)exact, &e);
	return (double)fabsl(ldexpl(v - exact, 53 - e));
}

static void
compare(double a)
{
	pb_pair d = pb_direction(a);

	check(ulps(d[0], cosl(a)) < 0.9);
	check(ulps(d[1], sinl(a)) < 0.9);
}

test(directions_of_random_angles)
{
	static const double most[] = {1e-9, 0.8, 4, 30, PB_DIRECTION_NEAR};
	struct pb_rng g = draws(1, PB_FOR_SENSOR);

	for (int i = 0; i < 2000000; i++)
		compare(pb_rng_between(&g, -1, 1) * most[i % 5]);
}

/* The doubles next to where a quarter turn begins or ends. */
test(directions_near_quarter_and_eighth_turns)
{
	for (int k = -1303; k <= 1303; k++) {
		double a = k * (PB_PI / 4), up = a, down = a;

		for (int i = 0; i < 100; i++) {
			compare(up);
			compare(down);
			up = nextafter(up, 2000);
			down = nextafter(down, -2000);
		}
	}
}

test(directions_of_special_angles)
{
	pb_pair d = pb_direction(0);

	check(d[0] == 1 && d[1] == 0);
	d = pb_direction(-0.0);
	check(d[0] == 1 && d[1] == 0);
	d = pb_direction(0x1p-1074);
	check(d[0] == 1 && d[1] == 0x1p-1074);
	for (double a = 1; a < 1e300; a *= 7) {
		pb_pair w = pb_direction(pb_wrap(a));

		d = pb_direction(a);
		check_near(d[0], w[0], a > PB_DIRECTION_NEAR ? 0 : 1e-13);
		check_near(d[1], w[1], a > PB_DIRECTION_NEAR ? 0 : 1e-13);
	}
	d = pb_direction(INFINITY);
	check(d[0] != d[0] && d[1] != d[1]);
	d = pb_direction(NAN);
	check(d[0] != d[0] && d[1] != d[1]);
}

/* Whatever the machine, the compiler and its options. */
test(directions_have_the_same_bits_everywhere)
{
	uint64_t h = PB_HASH_START;
	struct pb_rng g = draws(2, PB_FOR_SENSOR);

	for (int i = 0; i < 1000000; i++) {
		pb_pair d = pb_direction(pb_rng_between(&g, -1100, 1100));

		h = pb_hash_double(pb_hash_double(h, d[0]), d[1]);
	}
	check(h == UINT64_C(0x23e4d3960e486b16));
}
