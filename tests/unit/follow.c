/* follow.c - tests of steering along a path. */
#include "check.h"

#include "robot/rover.h"

#define DT 0.05

static const struct pb_limits published = {
    .v_max = 0.65, .v_min = -0.35, .w_max = 2.2, .v_acc = 3, .w_acc = 3.5};

/* Drive along a path; returns the time it took (s), -1 if it did not. */
static double
drive(const struct pb_vec *path, int n, struct pb_pose p, double *off)
{
	struct pb_follow_opts o = {0.4, 0.8, 0.25};
	struct pb_follow f = {0};
	struct pb_twist u = {0, 0};

	*off = 0;
	for (int i = 0; i < 4000; i++) {
		struct pb_vec at = pb_pose_vec(p), carrot;
		double rest = pb_dist(at, path[n - 1]), near = INFINITY;
		struct pb_twist want;

		if (rest < 0.05 && f.at + 1 == n)
			return i * DT;
		carrot = pb_follow_carrot(&f, &o, at, path, n, NULL, NULL);
		if (f.at + 1 < n && rest < o.lookahead)
			rest = o.lookahead;
		want = pb_follow_twist(&f, &o, p, carrot, rest, &published);
		check(want.v <= published.v_max && want.v >= 0);
		check(fabs(want.w) <= published.w_max + 1e-12);
		if (f.turning)
			check(want.v == 0 && want.w != 0);
		u = pb_drive_limit(u, want, &published, DT);
		p = pb_drive_move(p, u, DT);
		for (int k = 0; k < n; k++)
			near = fmin(near, pb_dist(pb_pose_vec(p), path[k]));
		*off = fmax(*off, near);
	}
	return -1;
}

test(follow)
{
	struct pb_vec line[101], corner[101], circle[126], back[101];
	double off;

	for (int i = 0; i <= 100; i++) {
		double s = i * 0.05;

		line[i] = (struct pb_vec){s, 0};
		corner[i] = (struct pb_vec){fmin(s, 2.5), fmax(s - 2.5, 0)};
		/* There and back: the end is the start. */
		back[i] = (struct pb_vec){s <= 2.5 ? s : 5 - s, 0};
	}
	for (int i = 0; i < 126; i++)
		circle[i] = (struct pb_vec){sin(i * 0.05), 1 - cos(i * 0.05)};
	/* Five metres at 0.65 m/s are 7.7 s. */
	check_near(drive(line, 101, (struct pb_pose){0}, &off), 8, 0.5);
	check(off < 0.06);
	check_near(drive(corner, 101, (struct pb_pose){0}, &off), 8.2, 0.7);
	check(off < 0.15);
	check_near(drive(circle, 126, (struct pb_pose){0}, &off), 10.3, 1);
	check(off < 0.1);
	/* The end is not reached before the way; it may turn 0.6 m early. */
	check(drive(back, 101, (struct pb_pose){0}, &off) > 6);
}

/* Looking the other way it turns on the spot, and only then drives. */
test(turn_on_the_spot)
{
	struct pb_vec line[2] = {{0, 0}, {3, 0}};
	struct pb_follow_opts o = {0.4, 0.8, 0.25};
	struct pb_pose p = {0, 0, 3.1};
	struct pb_twist u = {0, 0};
	struct pb_follow f = {0};
	int turns = 0;

	for (int i = 0; i < 200; i++) {
		u = pb_drive_limit(u,
		    pb_follow_twist(&f, &o, p, line[1], 3, &published),
		    &published, DT);
		p = pb_drive_move(p, u, DT);
		if (!f.turning)
			break;
		turns++;
		check(p.x == 0 && p.y == 0);
	}
	check(turns > 10 && fabs(p.th) < 0.3);
}

static bool
left_of_one(const void *ctx, struct pb_vec a, struct pb_vec b)
{
	(void)ctx;
	return a.x <= 1 && b.x <= 1;
}

/* The carrot comes nearer until the way there is clear. */
test(carrot_is_pulled_back)
{
	struct pb_vec line[2] = {{0, 0}, {5, 0}}, p = {0.8, 0};
	struct pb_follow_opts o = {0.8, 0.8, 0.25};
	struct pb_follow f = {0};
	struct pb_vec c;

	c = pb_follow_carrot(&f, &o, line[0], line, 2, left_of_one, NULL);
	check_near(c.x, 0.8, 1e-12);
	line[0].x = 0.7;
	f = (struct pb_follow){0};
	c = pb_follow_carrot(&f, &o, p, line, 2, left_of_one, NULL);
	check(c.x > 0.7 && c.x <= 1);
}

/* Where there is no way left, and where there is no carrot to go to. */
test(twist_by_hand)
{
	const struct pb_follow_opts o = {0.4, 0.8, 0.25};
	struct pb_follow f = {0};
	struct pb_pose p = {1, 1, PB_PI / 2};
	struct pb_twist u;

	u = pb_follow_twist(&f, &o, p, (struct pb_vec){1, 1}, 3, &published);
	check(u.v == 0 && u.w == 0);
	/* Straight ahead: as fast as it can still brake. */
	u = pb_follow_twist(&f, &o, p, (struct pb_vec){1, 1.4}, 3, &published);
	check_near(u.v, 0.65, 1e-12);
	check_near(u.w, 0, 1e-12);
	u = pb_follow_twist(
	    &f, &o, p, (struct pb_vec){1, 1.4}, 0.03, &published);
	check_near(u.v, sqrt(2 * 3 * 0.03), 1e-12);
	u = pb_follow_twist(&f, &o, p, (struct pb_vec){1, 1.4}, 0, &published);
	check(u.v == 0 && u.w == 0);
	u = pb_follow_twist(&f, &o, p, (struct pb_vec){1, 1.4}, -1, &published);
	check(u.v == 0 && u.w == 0);
	/* Half a radian to the left: the arc through the carrot. */
	u = pb_follow_twist(&f, &o, p,
	    (struct pb_vec){1 - 0.4 * sin(0.5), 1 + 0.4 * cos(0.5)}, 3,
	    &published);
	check_near(u.v, 0.65 * cos(0.5), 1e-12);
	check_near(u.w, 2 * u.v * sin(0.5) / 0.4, 1e-12);
	check(!f.turning);
	/* To the right and behind: on the spot, until it is nearly ahead. */
	u = pb_follow_twist(&f, &o, p, (struct pb_vec){2, 0.5}, 3, &published);
	check(f.turning && u.v == 0);
	check_near(u.w, -2.2, 1e-12);
	u = pb_follow_twist(&f, &o, p,
	    (struct pb_vec){1 + sin(0.3), 1 + cos(0.3)}, 3, &published);
	check(f.turning && u.v == 0);
	check_near(u.w, -sqrt(3.5 * 0.3), 1e-12);
	u = pb_follow_twist(&f, &o, p,
	    (struct pb_vec){1 + sin(0.2), 1 + cos(0.2)}, 3, &published);
	check(!f.turning && u.v > 0 && u.w < 0);
}

/* A later leg of the path that passes near is not taken for this one. */
test(carrot_stays_on_its_leg)
{
	const struct pb_follow_opts o = {0.4, 0.8, 0.25};
	struct pb_follow f = {0};
	struct pb_vec path[41], c;

	/* 2 m ahead, and 2 m back a centimetre beside it. */
	for (int i = 0; i <= 20; i++) {
		path[i] = (struct pb_vec){0.1 * i, 0};
		path[40 - i] = (struct pb_vec){0.1 * i, 0.01};
	}
	c = pb_follow_carrot(
	    &f, &o, (struct pb_vec){0.31, 0.01}, path, 41, NULL, NULL);
	check_int(f.at, 3);
	check_near(c.x, 0.7, 1e-12);
	check_near(c.y, 0, 1e-12);
	/* It never goes back. */
	pb_follow_carrot(&f, &o, (struct pb_vec){0.1, 0}, path, 41, NULL, NULL);
	check_int(f.at, 3);
	/* Beyond the end there is only the end. */
	f.at = 39;
	c = pb_follow_carrot(
	    &f, &o, (struct pb_vec){0, 0}, path, 41, NULL, NULL);
	check(c.x == path[40].x && c.y == path[40].y);
}
