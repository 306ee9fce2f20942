/* robot.c - tests of the drive, the odometry, the pose error. */
#include "check.h"

#include "pb/drive.h"
#include "robot/rover.h"

#define DT 0.05

static const struct pb_limits published = {
    .v_max = 0.65, .v_min = -0.35, .w_max = 2.2, .v_acc = 3, .w_acc = 3.5};

static struct pb_rng
stream(enum pb_purpose why)
{
	struct pb_rng r;

	pb_rng_start(&r, 11, 0, why, 0);
	return r;
}

/* Whatever is asked for, speeds and their changes stay within the limits. */
test(limits_hold)
{
	const struct pb_limits *l = &published;
	struct pb_rng r = stream(PB_FOR_PLAYER);
	struct pb_twist u = {0, 0};

	for (int i = 0; i < 20000; i++) {
		struct pb_twist want = {
		    pb_rng_between(&r, -9, 9), pb_rng_between(&r, -9, 9)};
		struct pb_twist next = pb_drive_limit(u, want, l, DT);

		check(next.v <= l->v_max && next.v >= l->v_min);
		check(fabs(next.w) <= l->w_max);
		check(fabs(next.v - u.v) <= l->v_acc * DT + 1e-12);
		check(fabs(next.w - u.w) <= l->w_acc * DT + 1e-12);
		u = next;
	}
}

/* The limits are reached, and in the time that the accelerations give. */
test(limits_are_reached)
{
	struct pb_twist u = {0, 0}, want = {5, -5};
	int v_steps = 0, w_steps = 0;

	for (int i = 0; i < 100; i++) {
		v_steps += u.v < published.v_max;
		w_steps += u.w > -published.w_max;
		u = pb_drive_limit(u, want, &published, DT);
	}
	check(u.v == published.v_max && u.w == -published.w_max);
	check_int(v_steps, 5);  /* 0.65 / 0.15 = 4.3 */
	check_int(w_steps, 13); /* 2.2 / 0.175 = 12.6 */
	want.v = -5;
	for (int i = 0; i < 100; i++)
		u = pb_drive_limit(u, want, &published, DT);
	check(u.v == published.v_min);
}

/* The arc against many short straight moves. */
test(arc)
{
	struct pb_rng r = stream(PB_FOR_MOTION);

	for (int k = 0; k < 50; k++) {
		struct pb_twist u = {
		    pb_rng_between(&r, -1, 1), pb_rng_between(&r, -3, 3)};
		struct pb_pose p = {1, 2, pb_rng_between(&r, -3, 3)}, q = p;
		struct pb_pose end = pb_drive_move(p, u, 1);

		if (k % 10 == 0)
			u.w = 0, end = pb_drive_move(p, u, 1);
		for (int i = 0; i < 10000; i++) {
			double th = q.th + u.w * 0.5e-4;

			q.x += u.v * cos(th) * 1e-4;
			q.y += u.v * sin(th) * 1e-4;
			q.th += u.w * 1e-4;
		}
		check_near(end.x, q.x, 1e-8);
		check_near(end.y, q.y, 1e-8);
		check_near(pb_wrap(end.th - q.th), 0, 1e-9);
		check(end.th > -PB_PI && end.th <= PB_PI);
	}
}

/* Nearly straight: the chord of an arc to rounding, on both sides of a limit.
 */
test(nearly_straight)
{
	for (double w = 1e-4; w < 4e-4; w *= 1.0625) {
		struct pb_pose p = pb_drive_move(
		    (struct pb_pose){0}, (struct pb_twist){1, w}, 1);
		double chord = sin(w / 2) / (w / 2);

		check_near(p.x, chord * cos(w / 2), 2e-16);
		check_near(p.y, chord * sin(w / 2), 1e-19);
	}
}

/* Variance of an odometry's end over many drives of n steps of dt. */
static void
drive_many(struct pb_twist u, double dt, int n, const struct pb_odom_noise *no,
    double *var_x, double *var_th)
{
	enum { DRIVES = 4000 };
	struct pb_rng r = stream(PB_FOR_ODOM);
	struct pb_pose exact = {0};
	double xx = 0, tt = 0;

	for (int i = 0; i < n; i++)
		exact = pb_drive_move(exact, u, dt);
	for (int k = 0; k < DRIVES; k++) {
		struct pb_odom o = {0};
		double dth;

		for (int i = 0; i < n; i++)
			pb_odom_move(&o, u, dt, no, &r);
		dth = pb_wrap(o.pose.th - exact.th);
		xx += (o.pose.x - exact.x) * (o.pose.x - exact.x);
		tt += dth * dth;
	}
	*var_x = xx / DRIVES;
	*var_th = tt / DRIVES;
}

/*
 * Two metres straight ahead, then two radians on the spot. The variance of a
 * sample variance over n is 2 s^4 / n: five of its deviations are 11 %.
 */
test(odometry_statistics)
{
	struct pb_odom_noise no = {3e-4, 2e-4, 1e-4, 5e-5};
	double xx, tt;

	for (int fine = 0; fine < 2; fine++) {
		int n = fine ? 160 : 40;
		double dt = 4.0 / n;

		drive_many((struct pb_twist){0.5, 0}, dt, n, &no, &xx, &tt);
		check_near(xx, 2 * no.trans_trans, 0.11 * 2 * no.trans_trans);
		check_near(tt, 2 * no.rot_trans, 0.11 * 2 * no.rot_trans);
		drive_many((struct pb_twist){0, 0.5}, dt, n, &no, &xx, &tt);
		check_near(tt, 2 * no.rot_rot, 0.11 * 2 * no.rot_rot);
		/* Of the way by turning: the integral of its cosine squared. */
		check_near(
		    xx, (1 + sin(4) / 4) * no.trans_rot, 0.11 * no.trans_rot);
	}
	no = (struct pb_odom_noise){0};
	drive_many((struct pb_twist){0.5, 0.3}, DT, 60, &no, &xx, &tt);
	check(xx == 0 && tt == 0);
}

/* A robot that stands measures nothing and draws nothing. */
test(standing_odometry)
{
	struct pb_odom_noise no = {1, 1, 1, 1};
	struct pb_rng r = stream(PB_FOR_ODOM), same = r;
	struct pb_odom o = {0}, zero = {0};

	for (int i = 0; i < 10; i++)
		pb_odom_move(&o, (struct pb_twist){0, 0}, DT, &no, &r);
	check(memcmp(&o, &zero, sizeof(o)) == 0);
	check(memcmp(&r, &same, sizeof(r)) == 0);
}

static const struct pb_estimate_opts amcl = {0.2, 0.05, 0.7, 0.25, 0.2};

test(when_updates_are_due)
{
	struct pb_rng r = stream(PB_FOR_POSE);
	struct pb_estimator e = {0};
	struct pb_pose at = {1, 2, 3};

	check(pb_estimate_due(&e, &amcl, at));
	pb_estimate_update(&e, &amcl, (struct pb_pose){5, 5, 0}, at, &r);
	check(e.ever);
	check(!pb_estimate_due(&e, &amcl, at));
	check(!pb_estimate_due(&e, &amcl, (struct pb_pose){1.249, 2, 3}));
	check(pb_estimate_due(&e, &amcl, (struct pb_pose){1.2501, 2, 3}));
	check(pb_estimate_due(&e, &amcl, (struct pb_pose){0.7499, 2, 3}));
	check(pb_estimate_due(&e, &amcl, (struct pb_pose){1, 2.2501, 3}));
	/* 0.34 m along the diagonal is 0.24 m along each axis. */
	check(!pb_estimate_due(&e, &amcl, (struct pb_pose){1.24, 2.24, 3}));
	check(!pb_estimate_due(&e, &amcl, (struct pb_pose){1, 2, 2.81}));
	check(pb_estimate_due(&e, &amcl, (struct pb_pose){1, 2, 2.79}));
	/* Across the seam: 3 + 0.21 rad is -3.07. */
	check(
	    pb_estimate_due(&e, &amcl, (struct pb_pose){1, 2, pb_wrap(3.21)}));
	check(
	    !pb_estimate_due(&e, &amcl, (struct pb_pose){1, 2, pb_wrap(3.19)}));
}

/*
 * Deviation and correlation of neighbours over many updates. Neighbours
 * correlate by 0.7, so 200,000 updates weigh like 70,000 (variance): 1.5 %
 * of the deviation and 0.01 of the correlation are over five of theirs.
 */
test(error_statistics)
{
	enum { UPDATES = 200000 };
	struct pb_rng r = stream(PB_FOR_POSE);
	struct pb_estimator e = {0};
	struct pb_pose truth = {3, 4, 1}, last = {0};
	double xx = 0, yy = 0, tt = 0, lag = 0, cross = 0, mean = 0;

	for (int i = 0; i < UPDATES; i++) {
		pb_estimate_update(&e, &amcl, truth, truth, &r);
		check(e.pose.x == truth.x + e.error.x);
		check(e.pose.y == truth.y + e.error.y);
		check(e.pose.th == pb_wrap(truth.th + e.error.th));
		xx += e.error.x * e.error.x;
		yy += e.error.y * e.error.y;
		tt += e.error.th * e.error.th;
		lag += e.error.x * last.x;
		cross += e.error.x * e.error.y;
		mean += e.error.x;
		last = e.error;
	}
	check_near(sqrt(xx / UPDATES), amcl.sd, 0.015 * amcl.sd);
	check_near(sqrt(yy / UPDATES), amcl.sd, 0.015 * amcl.sd);
	check_near(sqrt(tt / UPDATES), amcl.th_sd, 0.015 * amcl.th_sd);
	check_near(lag / xx, amcl.keep, 0.01);
	check_near(cross / xx, 0, 0.02);
	check_near(mean / UPDATES, 0, 0.006);
}

/* The first error is as large as any later one. */
test(first_error)
{
	double xx = 0;

	for (unsigned i = 0; i < 20000; i++) {
		struct pb_estimator e = {0};
		struct pb_rng r;

		pb_rng_start(&r, 5, i, PB_FOR_POSE, 0);
		pb_estimate_update(
		    &e, &amcl, (struct pb_pose){0}, (struct pb_pose){0}, &r);
		xx += e.error.x * e.error.x;
	}
	check_near(sqrt(xx / 20000), amcl.sd, 0.025 * amcl.sd);
}

/* Between updates odometry carries the estimate on, in its own direction. */
test(estimate_now)
{
	struct pb_estimate_opts exact = amcl;
	struct pb_rng r = stream(PB_FOR_POSE);
	struct pb_estimator e = {0};
	struct pb_pose odom = {0.3, -0.2, 0.5}, truth = {4, 5, -2};

	exact.sd = exact.th_sd = 0;
	pb_estimate_update(&e, &exact, truth, odom, &r);
	for (int i = 0; i < 100; i++) {
		struct pb_twist u = {0.4, 0.3};
		struct pb_pose now;

		odom = pb_drive_move(odom, u, DT);
		truth = pb_drive_move(truth, u, DT);
		now = pb_estimate_now(&e, odom);
		check_near(now.x, truth.x, 1e-12);
		check_near(now.y, truth.y, 1e-12);
		check_near(pb_wrap(now.th - truth.th), 0, 1e-12);
	}
}
