/* wheels.c - tests of odometry against scans, in a room of known walls. */
#include "check.h"

#include <math.h>

#include "localize/wheels.h"

#define BEAMS 180

/* The room is 7 m by 5 m, with a pillar that tells its ends apart. */
static double
range_from(struct pb_pose p)
{
	const double c = cos(p.th), s = sin(p.th);
	double r = INFINITY, b = (p.x - 5) * c + (p.y - 1) * s;
	double q = (p.x - 5) * (p.x - 5) + (p.y - 1) * (p.y - 1) - 0.16;

	r = fmin(r, ((c > 0 ? 7 : 0) - p.x) / c);
	r = fmin(r, ((s > 0 ? 5 : 0) - p.y) / s);
	if (b < 0 && b * b > q)
		r = fmin(r, -b - sqrt(b * b - q));
	return r;
}

/* Drive a wavy circle of 80 scans; odometry says f times each step, w times
 * each turn, and the scanner sits at that yaw. */
static struct pb_wheels_report
drive(double f, double w, double yaw, double said_yaw)
{
	struct pb_wheels k = {.has_key = false};
	struct pb_pose at = {2, 1.5, 0.1}, odom = {0, 0, 0};
	struct pb_wheels_report r;
	double range[BEAMS];

	for (int i = 0; i < 80; i++) {
		const struct pb_pose step = {0.32, 0, 0.25 * (i % 3)};
		const struct pb_pose said = {f * 0.32, 0, w * step.th};
		const struct pb_scan z = {.angle_min = -PB_PI,
		    .inc = 2 * PB_PI / BEAMS,
		    .range_max = INFINITY,
		    .mount = {0, 0, said_yaw},
		    .range = range,
		    .n = BEAMS};

		for (int b = 0; b < BEAMS; b++) {
			struct pb_pose beam = at;

			beam.th += yaw + z.angle_min + b * z.inc;
			range[b] = range_from(beam);
		}
		check_int(pb_wheels_scan(&k, odom, i, &z), PB_OK);
		at = pb_pose_compose(at, step);
		odom = pb_pose_compose(odom, said);
	}
	r = pb_wheels_diagnose(&k);
	pb_wheels_clear(&k);
	return r;
}

test(right_odometry_is_right)
{
	struct pb_wheels_report r = drive(1, 1, 0, 0);

	check_int(r.fault, PB_WHEELS_RIGHT);
	check(!r.fatal);
	check_int((int)r.differ, 0);
	check(isnan(r.first));
	check(fabs(r.travel - 1) < 0.05);
	check(fabs(r.turn - 1) < 0.05);
}

test(faults_have_their_names)
{
	struct pb_wheels_report r;

	check_int(drive(-1, 1, 0, 0).fault, PB_WHEELS_BACK);
	check_int(drive(1, -1, 0, 0).fault, PB_WHEELS_TURNS);
	check_int(drive(0, 0, 0, 0).fault, PB_WHEELS_STILL);
	r = drive(1.3, 1, 0, 0);
	check_int(r.fault, PB_WHEELS_SCALE);
	check(fabs(r.travel - 1 / 1.3) < 0.05);
}

test(an_askew_scanner_is_no_wrong_length)
{
	struct pb_wheels_report r = drive(1, 1, 0.7, 0);

	check_int(r.fault, PB_WHEELS_YAW);
	check(fabs(r.travel - 1) < 0.05);
	check(fabs(r.heading + 0.7) < 0.05);
}

test(a_mount_that_is_known_is_no_fault)
{
	check_int(drive(1, 1, 1.2, 1.2).fault, PB_WHEELS_RIGHT);
}

test(few_scans_say_nothing)
{
	struct pb_wheels w = {.has_key = false};

	check_int(pb_wheels_diagnose(&w).fault, PB_WHEELS_UNKNOWN);
	pb_wheels_clear(&w);
}
