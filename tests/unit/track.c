/* track.c - tests of poses by time. */
#include "check.h"

#include "localize/traj.h"

static struct pb_timed_list
track_of(const double *t, int n)
{
	struct pb_timed_list k = {.n = 0};

	for (int i = 0; i < n; i++)
		check_int(
		    pb_timed_add(&k, (struct pb_timed){.t = t[i],
					 .p = {10 * t[i], -t[i], 0.1 * t[i]}}),
		    PB_OK);
	return k;
}

test(pose_between_two)
{
	static const double t[] = {1, 2, 4, 7};
	struct pb_timed_list k = track_of(t, 4);
	struct pb_pose p;

	for (size_t told = 0; told <= 4; told++)
		for (double at = 1; at <= 7; at += 0.125) {
			check(pb_timed_find(&k, told, at, 3, &p));
			check_near(p.x, 10 * at, 1e-12);
			check_near(p.y, -at, 1e-12);
			check_near(p.th, 0.1 * at, 1e-12);
		}
	pb_timed_clear(&k);
}

test(pose_nearest_within_the_gap)
{
	static const double t[] = {1, 2, 4, 7};
	struct pb_timed_list k = track_of(t, 4);
	struct pb_pose p;

	check(pb_timed_find(&k, 3, 4.5, 0.5, &p));
	check_near(p.x, 40, 0);
	check(pb_timed_find(&k, 3, 6.5, 0.5, &p));
	check_near(p.x, 70, 0);
	check(!pb_timed_find(&k, 3, 5.5, 1, &p));
	check(pb_timed_find(&k, 4, 7.25, 0.5, &p));
	check_near(p.x, 70, 0);
	check(!pb_timed_find(&k, 4, 8, 0.5, &p));
	check(!pb_timed_find(&k, 0, 0.25, 0.5, &p));
	check(pb_timed_find(&k, 0, 0.75, 0.5, &p));
	check_near(p.x, 10, 0);
	pb_timed_clear(&k);
}

test(pose_without_time_is_the_last_told)
{
	static const double t[] = {1, NAN, 1, 5};
	struct pb_timed_list k = track_of(t, 4);
	struct pb_pose p;

	check(!pb_timed_find(&k, 0, NAN, 1, &p));
	check(pb_timed_find(&k, 1, NAN, 1, &p));
	check_near(p.x, 10, 0);
	check(pb_timed_find(&k, 2, 77, 0, &p)); /* it has no time */
	check(isnan(p.x));
	check(pb_timed_find(&k, 4, 5, 0, &p));
	check_near(p.x, 50, 0);
	pb_timed_clear(&k);
}

test(heading_takes_the_short_way)
{
	struct pb_timed_list k = {.n = 0};
	struct pb_pose p;

	pb_timed_add(&k, (struct pb_timed){.t = 0, .p = {0, 0, 3}});
	pb_timed_add(&k, (struct pb_timed){.t = 1, .p = {0, 0, -3}});
	check(pb_timed_find(&k, 1, 0.5, 2, &p));
	check_near(fabs(p.th), PB_PI, 1e-12);
	pb_timed_clear(&k);
}
