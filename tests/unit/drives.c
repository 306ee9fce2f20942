/* drives.c - tests of wheels, motors and of driving from cell to cell. */
#include "check.h"
#include "usual.h"

#include "game/roomba/roomba.h"
#include "game/zumy/zumy.h"
#include "pb/drive.h"
#include "robot/rover.h"

/* The robot of the published tests: unit wheels, ten from the middle. */
static struct pb_omni
ring(int n)
{
	struct pb_omni o = {.n = n, .wheel = 1, .arm = 10};

	for (int i = 0; i < n; i++)
		o.bearing[i] = 2 * PB_PI * i / n;
	return o;
}

static void
check_wheels(
    const struct pb_omni *o, struct pb_motion u, const double *expected)
{
	double speed[PB_OMNI_WHEELS];

	pb_omni_wheels(o, u, speed);
	for (int i = 0; i < o->n; i++)
		check_near(speed[i], expected[i], 1e-4);
}

test(published_wheels)
{
	struct pb_omni four = ring(4), three = ring(3);

	check_wheels(
	    &four, (struct pb_motion){1, 0, 0}, (double[]){0, -1, 0, 1});
	check_wheels(
	    &four, (struct pb_motion){0, 1, 0}, (double[]){1, 0, -1, 0});
	check_wheels(
	    &four, (struct pb_motion){1, 1, 0}, (double[]){1, -1, -1, 1});
	check_wheels(
	    &four, (struct pb_motion){0, 0, 1}, (double[]){10, 10, 10, 10});
	check_wheels(
	    &four, (struct pb_motion){1, 1, 1}, (double[]){11, 9, 9, 11});
	four.reversed[3] = true;
	check_wheels(
	    &four, (struct pb_motion){1, 0, 0}, (double[]){0, -1, 0, -1});
	check_wheels(&three, (struct pb_motion){1, 0, 0},
	    (double[]){0, -0.8660254, 0.8660254});
	check_wheels(
	    &three, (struct pb_motion){0, 1, 0}, (double[]){1, -0.5, -0.5});
	/* Its published test never compared this one. */
	check_wheels(
	    &three, (struct pb_motion){0, 0, 1}, (double[]){10, 10, 10});
}

/* The published way back from three wheels. */
static struct pb_motion
published_motion(const struct pb_omni *o, const double *speed)
{
	double a = o->wheel * speed[0], b = o->wheel * speed[1],
	       c = o->wheel * speed[2];
	double v =
	    sqrt((a + b - 2 * c) * (a + b - 2 * c) / 9 + (a - b) * (a - b) / 3);
	double angle =
	    atan2(sqrt(3) * (a - b), a + b - 2 * c) + PB_PI / 6 + PB_PI / 2;

	return (struct pb_motion){
	    -v * sin(angle), -v * cos(angle), (a + b + c) / (3 * o->arm)};
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
	struct pb_omni published = pb_omni_defaults();
	struct pb_motion v;
	double speed[PB_OMNI_WHEELS];

	for (int k = 0; k < 600; k++) {
		struct pb_motion u = any_motion(&r);
		struct pb_omni o = ring(3 + k % 6);

		for (int i = 0; i < o.n; i++) {
			o.bearing[i] += pb_rng_between(&r, -0.2, 0.2);
			o.reversed[i] = pb_rng_below(&r, 2) != 0;
		}
		pb_omni_wheels(&o, u, speed);
		check(pb_omni_motion(&o, speed, &v));
		check_motion(u, v);
		pb_omni_wheels(&published, u, speed);
		check(pb_omni_motion(&published, speed, &v));
		check_motion(u, v);
		check_motion(published_motion(&published, speed), u);
	}
	/* Two wheels do not say where a ring goes, nor do three in one. */
	published.n = 2;
	check(!pb_omni_motion(&published, speed, &v));
	published = (struct pb_omni){.n = 3, .wheel = 1, .arm = 1};
	check(!pb_omni_motion(&published, speed, &v));
}

/* A loop around the simulated motor comes to the speed asked for. */
static double
run_motor(const struct pb_motor_opts *o, double want, int steps, double fast)
{
	struct pb_motor m = {0};
	struct pb_rng r = draws(2, PB_FOR_MOTION);
	double got = 0, pin[2];

	for (int i = 0; i < steps; i++) {
		double duty = pb_motor_duty(&m, o, want, got);

		check(fabs(duty) <= o->limit);
		pb_motor_pins(duty, pin);
		check(pin[0] >= 0 && pin[1] >= 0 && pin[0] * pin[1] == 0);
		got = pb_motor_speed(pin, fast, &r);
	}
	return got;
}

test(motor)
{
	struct pb_motor_opts o = pb_motor_defaults(), ff = {0};
	struct pb_motor_opts real = {.p = 500, .i = 20, .limit = PB_MOTOR_TOP};
	struct pb_motor m = {0};
	double first;

	check_near(run_motor(&o, 30, 200, 0), 30, 0.1);
	check_near(run_motor(&o, -12, 200, 0), -12, 0.1);
	/* The real robot's gains: 500 and 20 a step, the simulation's motor. */
	check_near(pb_motor_duty(&m, &real, 10, 4), 520 * 6, 1e-9);
	check_near(run_motor(&real, 30, 400, 0), 30, 0.1);
	m = (struct pb_motor){0};
	/* Noise only ever makes it faster than the loop thinks. */
	check_near(run_motor(&o, 30, 200, 0.08), 30, 2.5);
	/* More than it can: full duty. */
	check_near(run_motor(&o, 1000, 400, 0), 60, 1e-9);
	/* With the right feed-forward it is there at once. */
	ff.limit = PB_MOTOR_TOP;
	ff.ahead = PB_MOTOR_TOP / 60;
	check_near(run_motor(&ff, 30, 1, 0), 30, 1e-9);
	/* The integral is forgotten at a stop. */
	first = pb_motor_duty(&m, &o, 10, 0);
	check(pb_motor_duty(&m, &o, 10, 0) > first);
	check(pb_motor_duty(&m, &o, 0, 5) == 0);
	check_near(pb_motor_duty(&m, &o, 10, 0), first, 1e-9);
	check_near(first, 350 * 10, 1e-9);
}

/* The aim of a circle on a bent way. */
test(pursuit_aim)
{
	static const struct pb_vec way[] = {{0, 0}, {0, 1}, {0, 2}, {1, 2}};
	struct pb_vec aim;

	check(pb_pursuit_aim((struct pb_vec){0.1, 0.2}, 0.7, way, 4, &aim));
	check_near(aim.x, 0, 1e-12);
	check_near(aim.y, 0.2 + sqrt(0.49 - 0.01), 1e-12);
	/* Into the next piece, around the corner too. */
	check(pb_pursuit_aim((struct pb_vec){0, 1.8}, 0.7, way, 4, &aim));
	check_near(aim.y, 2, 1e-12);
	check_near(aim.x, sqrt(0.49 - 0.04), 1e-12);
	/* Too far from the way, and a way of one point. */
	check(!pb_pursuit_aim((struct pb_vec){5, 5}, 0.7, way, 4, &aim));
	check(!pb_pursuit_aim((struct pb_vec){0, 0}, 0.7, way, 1, &aim));
}

static double
speed_on(const int (*path)[2], int n, struct pb_vec at)
{
	const struct pb_pursuit_opts o = pb_pursuit_defaults();
	struct pb_pursuit s = {0};
	struct pb_pursuit_pose p = {at, 1, 1};
	struct pb_vec v;

	check(pb_pursuit_step(&s, &o, &p, path, n, 0.02, &v));
	return hypot(v.x, v.y);
}

/* Published: the speed depends on how many cells are straight. */
test(pursuit_speed)
{
	static const int line[][2] = {{1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}};
	static const int bend[][2] = {{1, 2}, {2, 2}, {3, 2}};
	static const double speed[] = {2.1, 2.3, 2.5, 2.5, 2.7};
	struct pb_vec at = {1, 1};

	for (int n = 1; n <= 5; n++)
		check_near(speed_on(line, n, at), speed[n - 1], 1e-9);
	check_near(speed_on(bend, 3, at), 2.1 * 0.3, 1e-9);
	/* Past the corner it is on the next piece. */
	check_near(speed_on(bend, 3, (struct pb_vec){1.3, 2.05}), 2.1, 1e-9);
}

test(pursuit_without_path)
{
	const struct pb_pursuit_opts o = pb_pursuit_defaults();
	struct pb_pursuit s = {0};
	struct pb_pursuit_pose p = {{3.4, 5}, 3, 5};
	struct pb_vec v;

	check(pb_pursuit_step(&s, &o, &p, NULL, 0, 0.02, &v));
	check_near(v.x, -1.2, 1e-9);
	p.at.x = 3.2;
	check(pb_pursuit_step(&s, &o, &p, NULL, 0, 0.02, &v));
	check(v.x == 0 && v.y == 0);
}

/* The same cell for three seconds: it backs off for three, then tries. */
test(pursuit_stuck)
{
	const struct pb_pursuit_opts o = pb_pursuit_defaults();
	struct pb_pursuit s = {0};
	struct pb_pursuit_pose p = {{1, 1.02}, 1, 1};
	static const int path[][2] = {{1, 2}, {1, 3}, {1, 4}};
	struct pb_vec v;
	int back = 0;

	for (int i = 0; i < 120; i++) {
		check(pb_pursuit_step(&s, &o, &p, path, 3, 0.1, &v));
		back += v.y < 0;
		check(i < 30 ? v.y > 0 : true);
	}
	check_near(back, 60, 2);
}

test(heading_is_held)
{
	const struct pb_pursuit_opts o = pb_pursuit_defaults();
	struct pb_motion u = pb_pursuit_motion(
	    &o, (struct pb_vec){1, 0}, PB_PI / 2, PB_PI / 2 + 0.04);

	/* Turned to the left, forwards in the maze is to the right. */
	check_near(u.x, 0, 1e-12);
	check_near(u.y, -1, 1e-12);
	check(u.w == 0);
	u = pb_pursuit_motion(&o, (struct pb_vec){0, 0}, 3, -3);
	check_near(u.w, 2 * (2 * PB_PI - 6), 1e-9);
}

/* Square after square: every corner is reached, never by a wide arc. */
/* The published angle; at the target nothing moves, at the next it does. */
test(waypoint_by_hand)
{
	const struct pb_waypoint_opts o = pb_roomba_defaults().bodies.way;
	struct pb_waypoint s = pb_waypoint_begin((struct pb_vec){1, 1});
	bool there = false;
	struct pb_twist u;

	check_near(o.aim, 10 * PB_PI / 180, 1e-12);
	u = pb_waypoint_step(
	    &s, &o, (struct pb_pose){1.03, 1, 3}, 0.05, &there);
	check(there && u.v == 0 && u.w == 0);
	u = pb_waypoint_step(&s, &o, (struct pb_pose){0.5, 1, 0}, 0.05, &there);
	check(!there && s.driving && u.v == o.v && u.w == 0);
	/* On the way it corrects; aside by more than a right angle it turns. */
	u = pb_waypoint_step(
	    &s, &o, (struct pb_pose){0.5, 1, 0.3}, 0.05, &there);
	check(s.driving && u.v == o.v);
	check_near(u.w, -0.3 * o.correct, 1e-12);
	u = pb_waypoint_step(
	    &s, &o, (struct pb_pose){0.5, 1, 1.6}, 0.05, &there);
	check(!s.driving && u.v == 0 && u.w == -o.w);
	/* Then it turns until it is within the angle, and no further. */
	u = pb_waypoint_step(
	    &s, &o, (struct pb_pose){0.5, 1, 0.2}, 0.5, &there);
	check(!s.driving && u.v == 0);
	check_near(u.w, -0.4, 1e-12);
	/* It stops at the target, not behind it. */
	u = pb_waypoint_step(&s, &o, (struct pb_pose){0.9, 1, 0}, 1, &there);
	check(!there);
	check_near(u.v, 0.1, 1e-12);
}

test(waypoints)
{
	const struct pb_waypoint_opts o = pb_roomba_defaults().bodies.way;
	static const struct pb_vec corner[] = {
	    {0.43, 0}, {0.43, 0.43}, {0, 0.43}, {0, 0}};
	struct pb_waypoint s = pb_waypoint_begin((struct pb_vec){0, 0});
	struct pb_pose p = {0, 0, 2};
	int reached = 0;

	s.desired = corner[0];
	for (int i = 0; i < 3000 && reached < 9; i++) {
		const double dt = 0.05;
		bool there, was_turned = s.driving;
		struct pb_twist u = pb_waypoint_step(&s, &o, p, dt, &there);
		struct pb_vec to = pb_vec_into(p, s.target);

		if (there)
			s.desired = corner[++reached % 4];
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
