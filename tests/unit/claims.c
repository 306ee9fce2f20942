/* claims.c - tests of what estimates say of themselves, and of their clock. */
#include "check.h"

#include "localize/traj.h"
#include "pb/localizer.h"

/* An estimate at (x, 0) and time t. */
static struct pb_timed
at(double t, double x, int status)
{
	return (struct pb_timed){
	    .t = t, .p = {x, 0, 0}, .status = status, .fit = NAN};
}

test(shares_of_time_and_way)
{
	const struct pb_timed x[] = {at(0, 0, PB_LOC_AMBIGUOUS),
	    at(1, 1, PB_LOC_TRACKING), at(2, 2, PB_LOC_TRACKING),
	    at(3, 5, PB_LOC_LOST), at(4, 6, PB_LOC_UNMAPPED)};
	const struct pb_timed odom[] = {at(0, 10, 0), at(1, 11, 0),
	    at(2, 12, 0), at(3, 13, 0), at(4, 14, 0)};
	struct pb_claims c;

	check_int(pb_claims_of(x, 5, odom, 5, 0.5, &c), PB_OK);
	check_int(c.n, 5);
	check(c.wheels && c.duration == 4 && c.way == 4);
	check(c.time[PB_LOC_TRACKING] == 0.5 && c.time[PB_LOC_LOST] == 0.25);
	check(c.time[PB_LOC_AMBIGUOUS] == 0.25 && c.time[PB_LOC_UNMAPPED] == 0);
	check(c.gone[PB_LOC_TRACKING] == 0.5 && c.gone[PB_LOC_LOST] == 0.25);
	check(c.known_s == 1 && c.known_m == 1 && isnan(c.fit));
	check_int(c.jump.n, 1);
	check(c.jump.at[0].t == 3 && c.jump.at[0].jump == 2);
	check_int(c.lost.n, 1);
	check(c.lost.at[0].t == 2);
	check_int(c.unmapped.n, 1);
	check(c.unmapped.at[0].t == 3);
	pb_claims_clear(&c);
	/* Without wheels the way is that of the estimates. */
	check_int(pb_claims_of(x, 5, NULL, 0, 0.5, &c), PB_OK);
	check(!c.wheels && c.way == 6 && c.jump.n == 0);
	pb_claims_clear(&c);
	/* Poses without times count alike. */
	check_int(pb_claims_of((struct pb_timed[]){at(1, 0, PB_LOC_LOST),
				   at(1, 1, PB_LOC_TRACKING)},
		      2, NULL, 0, 0.5, &c),
	    PB_OK);
	check(c.time[PB_LOC_LOST] == 0.5 && c.known_s == 0 && c.known_m == 1);
	pb_claims_clear(&c);
}

/* A second away from the next, odometry does not say where the wheels were. */
test(wheels_that_are_silent)
{
	const struct pb_timed x[] = {at(0, 0, PB_LOC_TRACKING),
	    at(1, 1, PB_LOC_TRACKING), at(2, 2, PB_LOC_TRACKING),
	    at(3, 3, PB_LOC_TRACKING)};
	const struct pb_timed odom[] = {at(0, 0, 0), at(10, 10, 0)};
	struct pb_claims c;

	check_int(pb_claims_of(x, 4, odom, 2, 0.5, &c), PB_OK);
	check(c.way == 0 && c.wheels);
	check_int(c.jump.n, 1);
	check(c.jump.at[0].t == 1 && c.jump.at[0].jump == 1);
	pb_claims_clear(&c);
}

test(jumps_that_are_told)
{
	struct pb_timed x[] = {at(0, 0, PB_LOC_TRACKING),
	    at(1, 9, PB_LOC_TRACKING), at(2, 10, PB_LOC_TRACKING)};
	const struct pb_timed odom[] = {at(0, 0, 0), at(1, 1, 0), at(2, 2, 0)};
	struct pb_claims c;
	double v;

	for (int i = 0; i < 3; i++)
		x[i].fit = 0.1 * i;
	x[2].jump = 3;
	check_int(pb_claims_of(x, 3, odom, 3, 0.5, &c), PB_OK);
	check_int(c.jump.n, 1);
	check(c.jump.at[0].t == 2 && c.jump.at[0].jump == 3 && c.fit == 0.1);
	check(pb_claims_number(&c, "jumps", &v) && v == 1);
	check(pb_claims_number(&c, "tracking_way", &v) && v == 1);
	check(!pb_claims_number(&c, "jump", &v));
	pb_claims_clear(&c);
}

#define N 300
static struct pb_timed ref[N], est[N];

/* A drive of speeds at random, a pose each 0.4 s; the estimates are of a clock
 * that shows `clock` less, and of times `late` after those of the references.
 */
static void
drive(double clock, double most)
{
	struct pb_rng r = draws(5, PB_FOR_ODOM);
	struct pb_pose p = {1, 2, 0.3};
	double v = 0, w = 0;

	for (int i = 0; i < N; i++) {
		double late = most * (i * 7 % 11) / 11;

		if (i % 4 == 0) {
			v = pb_rng_unit(&r);
			w = pb_rng_between(&r, -1, 1);
		}
		ref[i] = (struct pb_timed){.t = 0.4 * i, .p = p};
		est[i] = (struct pb_timed){.t = 0.4 * i + late - clock,
		    .p = pb_pose_compose(
			p, (struct pb_pose){v * late, 0, w * late})};
		p = pb_pose_compose(p, (struct pb_pose){v * 0.4, 0, w * 0.4});
	}
}

test(clock_of_the_same_stamps_and_of_others)
{
	static const double clock[] = {0, 12.34, -700.5};

	for (int i = 0; i < 3; i++) {
		double got = NAN;

		drive(clock[i], 0);
		check_int(pb_traj_clock(ref, N, est, N, &got), PB_OK);
		check_near(got, clock[i], 0.0011);
		/* A part of them. */
		check_int(pb_traj_clock(ref, N, est + 90, N - 90, &got), PB_OK);
		check_near(got, clock[i], 0.0011);
		drive(clock[i], 0.3);
		check_int(pb_traj_clock(ref, N, est, N, &got), PB_OK);
		check_near(got, clock[i], 0.02);
		check_int(pb_traj_clock(ref + 90, N - 90, est, N, &got), PB_OK);
		check_near(got, clock[i], 0.02);
	}
}

test(clock_that_motion_does_not_tell)
{
	double got = 7;

	drive(5, 0);
	for (int i = 0; i < N; i++) /* always as fast */
		est[i].p = (struct pb_pose){0.2 * i, 0, 0};
	check_int(pb_traj_clock(ref, N, est, N, &got), PB_ENOENT);
	drive(5, 0);
	for (int i = 0; i < N; i++) /* the same again and again */
		ref[i].p = est[i].p = est[i % 20].p;
	check_int(pb_traj_clock(ref, N, est, N, &got), PB_ENOENT);
	check_int(pb_traj_clock(ref, 1, est, 1, &got), PB_ENOENT);
	check(got == 7);
}
