/* sense_pose.c - tests of simulated odometry, heading and camera. */
#include "sums.h"

#include "pb/drive.h"
#include "robot/sense.h"

/* Drive n steps of a square of 1 m sides, turning to the way or not. */
static struct pb_pose
square(
    const struct pb_sense_wheels_opts *o, int n, bool turns, struct pb_rng *g)
{
	struct pb_sense_odom d = {0};
	struct pb_pose p = {2, 3, turns ? 0.5 : 0}, q;

	for (int i = 0; i < 4 * n; i++) {
		double th = turns ? p.th : i / n * PB_PI / 2;

		q = (struct pb_pose){
		    p.x + cos(th) / n, p.y + sin(th) / n, p.th};
		pb_sense_odom_move(&d, o, p, q, 0.1, g);
		p = q;
		if (!turns || i % n != n - 1)
			continue;
		q.th = pb_wrap(p.th + PB_PI / 2);
		pb_sense_odom_move(&d, o, p, q, 0.1, g);
		p = q;
	}
	return d.pose;
}

test(wheels_without_noise)
{
	struct pb_sense_wheels_opts o = {0};
	struct pb_rng g = stream(0);
	struct pb_sense_odom d = {0};
	struct pb_pose p;

	for (int turns = 0; turns < 2; turns++) {
		p = square(&o, 10, turns, &g);
		check_near(p.x, 0, 1e-12);
		check_near(p.y, 0, 1e-12);
		check_near(p.th, 0, 1e-12);
	}
	o.bias = 0.04;
	o.turn_bias = 0.1;
	pb_sense_odom_move(&d, &o, (struct pb_pose){1, 1, 1},
	    (struct pb_pose){1 + cos(1), 1 + sin(1), 1}, 0.5, &g);
	check_near(d.pose.x, 1.04, 1e-12);
	check_near(d.v, 2.08, 1e-12);
	pb_sense_odom_move(&d, &o, (struct pb_pose){1, 1, 1},
	    (struct pb_pose){1, 1, 2}, 0.5, &g);
	check_near(d.pose.th, 1.1, 1e-12);
	check_near(d.w, 2.2, 1e-12);
	check(g.s[0] == stream(0).s[0]);
}

/* What is gained over a way does not depend on the steps it is cut into. */
test(wheels_noise)
{
	enum { N = 4000 };
	static const int steps[] = {1, 20};
	struct pb_sense_wheels_opts o = {
	    .trans_trans = 4e-4, .rot_trans = 9e-4};
	static double x[N], th[N];
	struct pb_rng g = stream(0);

	for (int k = 0; k < 2; k++) {
		int n = steps[k];

		for (int i = 0; i < N; i++) {
			struct pb_sense_odom d = {0};

			for (int j = 0; j < n; j++)
				pb_sense_odom_move(&d, &o, (struct pb_pose){0},
				    (struct pb_pose){1.0 / n, 0, 0}, 0.1, &g);
			x[i] = sqrt(d.pose.x * d.pose.x + d.pose.y * d.pose.y);
			th[i] = d.pose.th;
		}
		check_near(sums_of(x, N).mean, 1, 2e-3);
		check_near(sums_of(x, N).sd, 0.02, 0.001);
		check_near(sums_of(th, N).mean, 0, 2e-3);
		check_near(sums_of(th, N).sd, 0.03, 0.0015);
	}
	o = pb_sense_defaults().wheels;
	o.trans_trans = o.rot_trans = 0;
	for (int i = 0; i < N; i++) {
		struct pb_sense_odom d = {0};

		pb_sense_odom_move(&d, &o, (struct pb_pose){0},
		    (struct pb_pose){0, 1, 0}, 0.1, &g);
		check(d.pose.x == 0 && d.pose.y >= 1 && d.pose.y <= 1.08);
		x[i] = d.pose.y;
	}
	check_near(sums_of(x, N).mean, 1.04, 0.002);
	check_near(sums_of(x, N).sd, 0.04 / sqrt(3), 0.001);
}

test(wheels_that_stand)
{
	struct pb_sense_wheels_opts o = pb_sense_defaults().wheels;
	struct pb_rng g = stream(0);
	struct pb_sense_odom d = {.pose = {1, 2, 3}, .v = 1, .w = 1};
	struct pb_pose p = {5, 6, 0.7};

	pb_sense_odom_move(&d, &o, p, p, 0.1, &g);
	check(d.pose.x == 1 && d.pose.y == 2 && d.pose.th == 3);
	check(d.v == 0 && d.w == 0);
	check(g.s[0] == stream(0).s[0]);
}

test(imu)
{
	enum { N = 2000 };
	struct pb_sense_imu_opts o = pb_sense_defaults().imu;
	static double v[N];
	struct pb_rng g = stream(0);
	struct pb_sense_imu m;

	pb_sense_imu_start(&m, &o, &g);
	check(pb_sense_imu_step(&m, &o, 1.25, 0.1, &g) == 1.25);
	o = (struct pb_sense_imu_opts){.walk = 0.01, .drift = 0.02};
	for (int i = 0; i < N; i++) {
		pb_sense_imu_start(&m, &o, &g);
		for (int k = 0; k < 40; k++)
			v[i] = pb_sense_imu_step(&m, &o, 1, 0.1, &g);
	}
	/* After 4 s: 0.01 sqrt(4) and 0.02 * 4, independent. */
	check_near(sums_of(v, N).mean, 1, 0.01);
	check_near(sums_of(v, N).sd, sqrt(0.02 * 0.02 + 0.08 * 0.08), 0.005);
	o = (struct pb_sense_imu_opts){.noise = 0.05};
	pb_sense_imu_start(&m, &o, &g);
	for (int i = 0; i < N; i++)
		v[i] = pb_sense_imu_step(&m, &o, 1, 0.1, &g);
	check_near(sums_of(v, N).sd, 0.05, 0.003);
}

test(camera)
{
	enum { N = 20000 };
	struct pb_sense_camera_opts o = pb_sense_defaults().camera;
	struct pb_sense_camera c = {0};
	struct pb_rng g = stream(0);
	struct pb_vec at;
	int answers = 0, wrong = 0;

	o.delay = 0.25;
	pb_sense_camera_take(&c, &o, 1, (struct pb_vec){0.13, 0.05}, &g);
	pb_sense_camera_take(&c, &o, 1.1, (struct pb_vec){1, 1}, &g);
	check(!pb_sense_camera_answer(&c, 1.2, &at));
	check(pb_sense_camera_answer(&c, 1.25, &at));
	check_near(at.x, 1.5 * 0.0889, 1e-12);
	check_near(at.y, 0.5 * 0.0889, 1e-12);
	check(!pb_sense_camera_answer(&c, 1.3, &at));
	check(pb_sense_camera_answer(&c, 1.4, &at));
	check(!pb_sense_camera_answer(&c, 9, &at));
	o = (struct pb_sense_camera_opts){
	    .cell = 0.5, .wrong = 0.2, .drop = 0.1};
	for (int i = 0; i < N; i++) {
		pb_sense_camera_take(&c, &o, i, (struct pb_vec){1, 2}, &g);
		if (!pb_sense_camera_answer(&c, i, &at))
			continue;
		answers++;
		if (at.x == 1.25 && at.y == 2.25)
			continue;
		wrong++;
		check(fabs(at.x - 1.25) + fabs(at.y - 2.25) == 0.5);
	}
	check_near(answers, 0.9 * N, 6 * sqrt(0.09 * N));
	check_near(wrong, 0.2 * answers, 6 * sqrt(0.16 * N));
}

/* As many pictures under way as may be. */
test(camera_that_is_very_late)
{
	struct pb_sense_camera_opts o = {.delay = 25.4, .period = 0.1};
	struct pb_sense_camera c = {0};
	struct pb_rng g = stream(0);
	struct pb_vec at = {0};
	int answers = 0;

	for (int i = 0; i < 2000; i++) {
		pb_sense_camera_take(
		    &c, &o, i * 0.1, (struct pb_vec){i, 0}, &g);
		while (pb_sense_camera_answer(&c, i * 0.1, &at)) {
			answers++;
			check_near(at.x, i - 254, 0);
		}
	}
	check_int(answers, 2000 - 254);
}

test(hop)
{
	struct pb_cell_motion h = {0};

	check(pb_cell_motion_step(&h, (struct pb_vec){3, 4}, 4));
	check_near(h.at.x, 3, 0);
	for (int i = 1; i <= 4; i++) {
		check(!pb_cell_motion_step(&h, (struct pb_vec){3, 5}, 4));
		check_near(h.at.y, 4 + i * 0.25, 0);
	}
	check(!pb_cell_motion_step(&h, (struct pb_vec){3, 5}, 4));
	check_near(h.at.y, 5, 0);
	check(!pb_cell_motion_step(&h, (struct pb_vec){2, 5}, 1));
	check_near(h.at.x, 2, 0);
	check(pb_cell_motion_step(&h, (struct pb_vec){2, 9}, 4));
	check_near(h.at.y, 9, 0);
}
