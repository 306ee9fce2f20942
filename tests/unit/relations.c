/* relations.c - tests of known relations between poses. */
#include "check.h"

#include "localize/traj.h"

/* A bend of three poses, told in another order than that of their times. */
static struct pb_timed bend[] = {
    {.t = 2, .p = {1, 1, PB_PI / 2}}, {.t = 0}, {.t = 1, .p = {1, 0, 0}}};
static struct pb_timed wheels[] = {
    {.t = 1, .p = {5, 5, 0}}, {.t = 1.5, .p = {5.2, 5, 0.3}}};

static struct pb_relations_report
judge(struct pb_relation r, size_t odometry)
{
	struct pb_timed_list pose = {bend, 3, 3}, odom = {wheels, odometry, 2};
	struct pb_relations_report out = {.n = 0};

	check_int(pb_relations_compare(&r, 1, &pose, &odom, &out), PB_OK);
	check_int((long long)out.n, 1);
	return out;
}

test(by_hand)
{
	struct pb_relations_report r =
	    judge((struct pb_relation){0, 2, {1.03, 1.04, PB_PI / 2}}, 0);

	check_near(r.nearest.m.mean, 0.05, 1e-12);
	check_near(r.nearest.m2.mean, 0.0025, 1e-12);
	check_near(r.nearest.turn.mean, 0, 1e-12);
	check_int((long long)r.far, 0);
	check_int((long long)r.repeated, 0);
	/* A wrong heading moves nothing. */
	r = judge((struct pb_relation){0, 2, {1, 1, PB_PI / 2 - 0.1}}, 0);
	check_near(r.nearest.m.mean, 0, 1e-12);
	check_near(r.nearest.turn.mean, 0.1, 1e-12);
	check_near(r.nearest.turn2.mean, 0.01, 1e-12);
}

test(stamps_between_poses)
{
	struct pb_relation known = {0, 1.5, {1.2, 0, 0.3}};
	struct pb_relations_report r = judge(known, 2);

	/* Odometry leads from 1 s to 1.5 s, in a frame of its own. */
	check_near(r.nearest.m.mean, 0, 1e-12);
	check_near(r.nearest.turn.mean, 0, 1e-12);
	check_int((long long)r.far, 1);
	check_near(r.gap, 0.5, 1e-12);
	/* Without odometry it is the pose at 1 s. */
	r = judge(known, 0);
	check_near(r.nearest.m.mean, 0.2, 1e-12);
	check_int((long long)r.odometry, 0);
	/* What is near enough is not moved. */
	r = judge((struct pb_relation){0, 1.09, {1, 0, 0}}, 2);
	check_near(r.nearest.m.mean, 0, 1e-12);
	check_int((long long)r.far, 0);
}

test(several)
{
	struct pb_timed at[] = {{.t = 0}, {.t = 1, .p = {1, 0, 0}},
	    {.t = 1, .before = 1, .p = {9, 0, 0}}, {.t = 1, .before = 2}};
	struct pb_timed_list pose = {at, 4, 4}, none = {.at = NULL};
	struct pb_relation r[] = {
	    {0, 1, {1, 0, 0}}, {0, 1, {3, 0, 0}}, {5, 6, {1, 0, 0}}};
	struct pb_relations_report out;
	double v;

	/* The first told of equals; deviations over n. */
	check_int(pb_relations_compare(r, 2, &pose, &none, &out), PB_OK);
	check_int((long long)out.repeated, 2);
	check_near(out.nearest.m.mean, 1, 1e-12);
	check_near(out.nearest.m.sd, 1, 1e-12);
	check_near(out.nearest.m.max, 2, 1e-12);
	check(pb_relations_number(&out, "nearest", &v));
	check_near(v, 1, 1e-12);
	check(!pb_relations_number(&out, "ate", &v));
	check_int(
	    pb_relations_compare(r + 2, 1, &pose, &none, &out), PB_ENOENT);
}
