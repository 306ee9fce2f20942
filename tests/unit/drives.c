/* drives.c - tests of wheels, motors and of driving from cell to cell. */
#include "check.h"
#include "usual.h"

#include "game/roomba/roomba.h"
#include "game/zumy/zumy.h"
#include "pb/drive.h"
#include "robot/rover.h"

/* The published wheels, and the published way back from their speeds. */
#define WHEEL 0.019
#define ARM   0.06604

test(published_wheels)
{
	/* Of the published tests: unit wheels, ten from the middle. */
	static const struct pb_motion u[] = {
	    {1, 0, 0}, {0, 1, 0}, {0, 0, 10 / ARM}};
	static const double want[][3] = {
	    {0, -0.8660254, 0.8660254}, {1, -0.5, -0.5}, {10, 10, 10}};
	double speed[PB_OMNI_WHEELS];

	for (int k = 0; k < 3; k++) {
		pb_omni_wheels(u[k], speed);
		for (int i = 0; i < 3; i++)
			check_near(speed[i] * WHEEL, want[k][i], 1e-4);
	}
}

static struct pb_motion
published_motion(const double *speed)
{
	double a = WHEEL * speed[0], b = WHEEL * speed[1], c = WHEEL * speed[2];
	double v =
	    sqrt((a + b - 2 * c) * (a + b - 2 * c) / 9 + (a - b) * (a - b) / 3);
	double angle =
	    atan2(sqrt(3) * (a - b), a + b - 2 * c) + PB_PI / 6 + PB_PI / 2;

	return (struct pb_motion){
	    -v * sin(angle), -v * cos(angle), (a + b + c) / (3 * ARM)};
}

static struct pb_motion
any_motion(struct pb_rng *r)
{
	struct pb_motion u;

	u.x = pb_rng_between(r, -3, 3);
	u.y = pb_rng_between(r, -3, 3);
	u.w = pb_rng_between(r, -3, 3);
	return u;
}

static void
check_motion(struct pb_motion u, struct pb_motion v)
{
	check_near(u.x, v.x, 1e-9);
	check_near(u.y, v.y, 1e-9);
	check_near(u.w, v.w, 1e-9);
}

test(motion_of_wheels)
{
	struct pb_rng r = draws(1, PB_FOR_TRIAL);
	double speed[PB_OMNI_WHEELS];

	for (int k = 0; k < 600; k++) {
		struct pb_motion u = any_motion(&r);

		pb_omni_wheels(u, speed);
		check_motion(u, pb_omni_motion(speed));
		check_motion(published_motion(speed), u);
	}
}

/* A loop around the simulated motor comes to the speed asked for. */
static double
run_motor(double want, int steps, double fast)
{
	struct pb_motor m = {0};
	struct pb_rng r = draws(2, PB_FOR_MOTION);
	double got = 0, pin[2];

	for (int i = 0; i < steps; i++) {
		double duty = pb_motor_duty(&m, 0, want, got);

		check(fabs(duty) <= PB_MOTOR_TOP);
		pb_motor_pins(duty, pin);
		check(pin[0] >= 0 && pin[1] >= 0 && pin[0] * pin[1] == 0);
		got = pb_motor_speed(pin, fast, &r);
	}
	return got;
}

test(motor)
{
	struct pb_motor m = {0}, n = {0};
	double first;

	check_near(run_motor(30, 200, 0), 30, 0.1);
	check_near(run_motor(-12, 200, 0), -12, 0.1);
	/* Noise only ever makes it faster than the loop thinks. */
	check_near(run_motor(30, 200, 0.08), 30, 2.5);
	/* More than it can: full duty. */
	check_near(run_motor(1000, 400, 0), 60, 1e-9);
	/* The integral is forgotten at a stop. */
	first = pb_motor_duty(&m, 0, 10, 0);
	check(pb_motor_duty(&m, 0, 10, 0) > first);
	check(pb_motor_duty(&m, 0, 0, 5) == 0);
	check_near(pb_motor_duty(&m, 0, 10, 0), first, 1e-9);
	check_near(first, 350 * 10, 1e-9);
	/* Feed-forward is on top of that. */
	check_near(pb_motor_duty(&n, 100, 10, 0), first + 1000, 1e-9);
}

static const struct pb_pursuit_opts usual = {2.5, 0.7, 0.3, 0.3, 3};

static double
speed_on(const int (*path)[2], int n, struct pb_vec at)
{
	struct pb_pursuit s = {0};
	struct pb_pursuit_pose p = {at, 1, 1};
	struct pb_vec v;

	check(pb_pursuit_step(&s, &usual, &p, path, n, 0.02, &v));
	return hypot(v.x, v.y);
}

/* Published: the speed depends on how many cells after the first are straight.
 */
test(pursuit_speed)
{
	static const int line[][2] = {
	    {1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}};
	static const int bend[][2] = {{1, 2}, {2, 2}, {3, 2}};
	static const double speed[] = {2.1, 2.1, 2.3, 2.5, 2.5, 2.7};
	struct pb_vec at = {1, 1};

	for (int n = 1; n <= 6; n++)
		check_near(speed_on(line, n, at), speed[n - 1], 1e-9);
	check_near(speed_on(bend, 3, at), 2.3 * 0.3, 1e-9);
	/* In the corner it is as fast as beyond. */
	check_near(speed_on(bend, 3, (struct pb_vec){1.3, 1.6}), 2.3, 1e-9);
}

test(pursuit_without_path)
{
	struct pb_pursuit s = {0};
	struct pb_pursuit_pose p = {{3.4, 5}, 3, 5};
	struct pb_vec v;

	check(pb_pursuit_step(&s, &usual, &p, NULL, 0, 0.02, &v));
	check_near(v.x, -1.2, 1e-9);
	p.at.x = 3.2;
	check(!pb_pursuit_step(&s, &usual, &p, NULL, 0, 0.02, &v));
	check(v.x == 0 && v.y == 0);
}

/* In the same cell it backs off in seconds 4 to 5 and 10 to 11. */
test(pursuit_stuck)
{
	struct pb_pursuit s = {0};
	struct pb_pursuit_pose p = {{1, 1.02}, 1, 1};
	static const int path[][2] = {{1, 2}, {1, 3}, {1, 4}};
	struct pb_vec v;

	for (int i = 0; i < 13 * 8; i++) {
		check(pb_pursuit_step(&s, &usual, &p, path, 3, 0.125, &v));
		check_int(v.y < 0, i / 8 % 6 >= 4);
	}
}

test(heading_is_held)
{
	struct pb_motion u = pb_pursuit_motion(
	    (struct pb_vec){1, 0}, PB_PI / 2, PB_PI / 2 + 0.04);

	/* Turned to the left, forwards in the maze is to the right. */
	check_near(u.x, 0, 1e-12);
	check_near(u.y, -1, 1e-12);
	check(u.w == 0);
	u = pb_pursuit_motion((struct pb_vec){0, 0}, 3, -3);
	check_near(u.w, 2 * (2 * PB_PI - 6), 1e-9);
}

/* Square after square: every corner is reached, never by a wide arc. */
/* The published angle; at the target nothing moves, at the next it does. */
test(waypoint_by_hand)
{
	const struct pb_waypoint_opts o = pb_roomba_defaults().bodies.way;
	struct pb_waypoint s = {.target = {1, 1}};
	struct pb_twist u;

	check_near(o.aim, 10 * PB_PI / 180, 1e-12);
	u = pb_waypoint_step(&s, &o, (struct pb_pose){1.03, 1, 3}, 0.05);
	check(u.v == 0 && u.w == 0);
	u = pb_waypoint_step(&s, &o, (struct pb_pose){0.5, 1, 0}, 0.05);
	check(s.driving && u.v == o.v && u.w == 0);
	/* On the way it corrects; aside by more than a right angle it turns. */
	u = pb_waypoint_step(&s, &o, (struct pb_pose){0.5, 1, 0.3}, 0.05);
	check(s.driving && u.v == o.v);
	check_near(u.w, -0.3 * o.correct, 1e-12);
	u = pb_waypoint_step(&s, &o, (struct pb_pose){0.5, 1, 1.6}, 0.05);
	check(!s.driving && u.v == 0 && u.w == -o.w);
	/* Then it turns until it is within the angle, and no further. */
	u = pb_waypoint_step(&s, &o, (struct pb_pose){0.5, 1, 0.2}, 0.5);
	check(!s.driving && u.v == 0);
	check_near(u.w, -0.4, 1e-12);
	/* It stops at the target, not behind it. */
	u = pb_waypoint_step(&s, &o, (struct pb_pose){0.9, 1, 0}, 1);
	check_near(u.v, 0.1, 1e-12);
}

test(waypoints)
{
	const struct pb_waypoint_opts o = pb_roomba_defaults().bodies.way;
	static const struct pb_vec corner[] = {
	    {0.43, 0}, {0.43, 0.43}, {0, 0.43}, {0, 0}};
	struct pb_waypoint s = {.target = {0, 0}};
	struct pb_pose p = {0, 0, 2};
	int reached = 0;

	for (int i = 0; i < 3000 && reached < 9; i++) {
		const double dt = 0.05;
		bool was_turned;
		struct pb_twist u;
		struct pb_vec to;

		if (pb_dist(pb_pose_vec(p), s.target) <= o.near)
			s = (struct pb_waypoint){corner[reached++ % 4], false};
		was_turned = s.driving;
		u = pb_waypoint_step(&s, &o, p, dt);
		to = pb_vec_into(p, s.target);
		check(u.v >= 0 && u.v <= o.v && fabs(u.w) <= o.w);
		if (u.v > 0 && !was_turned)
			check(fabs(atan2(to.y, to.x)) <= PB_PI / 18);
		p = pb_drive_move(p, u, dt);
		check(p.x > -0.1 && p.x < 0.53 && p.y > -0.1 && p.y < 0.53);
	}
	check_int(reached, 9);
}

test(approach)
{
	const struct pb_approach_opts o = pb_zumy_defaults().bodies.approach;
	const double near = o.near * 0.14;
	struct pb_leg leg = {.aligned = false};
	struct pb_pose p = {0, 0, 0};
	struct pb_vec to = {0, 0.14};
	bool there = false;
	int turning = 0, driving = 0;

	for (int i = 0; i < 200 && !there; i++) {
		struct pb_twist3 t = pb_approach(
		    &o, &leg, p, NULL, to, (struct pb_vec){0.14, 0.14}, &there);
		struct pb_twist u = {t.v[0], t.w[2]};

		check(u.v <= 0.05);
		turning += u.v == 0 && !there;
		driving += u.v > 0;
		p = pb_drive_move(p, u, 0.1);
	}
	check(there && turning > 0);
	check(fabs(p.y - to.y) < near && fabs(p.x) < near);
	/* A cell of 0.14 m at 0.05 m/s, less what counts as there. */
	check_near(driving, (0.14 - near) / 0.05 * 10, 4);
}
