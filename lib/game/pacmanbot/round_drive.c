/* round_drive.c - the robot moves for one step. */
#include <math.h>

#include "base/elementary.h"
#include "game/pacmanbot/round_state.h"

/* Misaligned by more than the first, it turns until the second (rad). */
#define TURN_AT 0.8
#define TURN_TO 0.25

/* Shows: turn rate (rad/s) and the time between flips of a shake (s). */
#define SHOW_W     1.5
#define SHAKE_FLIP 0.3

/* nav2's behaviours: spin this far (rad), at this rate (rad/s). */
#define SPIN_W 1.0
#define BACK_V 0.15 /* speed of backing up (m/s) */

/* The lidar's part: look this far (m) and try headings this far apart. */
#define LOOK      0.35
#define DEFLECT   0.15
#define DEFLECTED 8

/* Whether the robot, now at a cell of clearance d2, may be at p. */
static bool
fits(const struct pb_arena *a, struct pb_vec p, int32_t d2)
{
	int i = pb_arena_cell(a, p);

	return i >= 0 && (a->hard.free[i] || (a->edt.d2[i] >= d2 && d2 > 0));
}

static int32_t
room_at(const struct pb_arena *a, struct pb_vec p)
{
	int i = pb_arena_cell(a, p);

	return i < 0 ? 0 : a->edt.d2[i];
}

/*
 * Whether the body passes straight from p to q: in strides as long as the
 * clearance allows. A robot that is too near a wall may always get farther
 * from it.
 */
static bool
passes(const void *ctx, struct pb_vec p, struct pb_vec q)
{
	const struct pb_round *r = ctx;
	const struct pb_arena *a = r->arena;
	double res = a->map.resolution;
	double d = pb_dist(p, q);
	int32_t room = room_at(a, p);

	for (double s = 0; s < d;) {
		double k = s / d;
		struct pb_vec x = {
		    p.x + (q.x - p.x) * k, p.y + (q.y - p.y) * k};
		double free;

		if (!fits(a, x, room))
			return false;
		free = pb_arena_clearance(a, x) - r->o.inscribed - 2 * res;
		s += free > res ? free : res;
	}
	return fits(a, q, room);
}

/* A point `len` from p at angle th. */
static struct pb_vec
polar(struct pb_vec p, double th, double len)
{
	return (struct pb_vec){p.x + len * pb_cos(th), p.y + len * pb_sin(th)};
}

/*
 * The path is where the estimate thinks; the walls are where they are, and
 * the lidar sees them. Turn the aim to the nearest heading that is clear.
 */
static struct pb_vec
dodge(const struct pb_round *r, struct pb_vec aim)
{
	struct pb_vec p = pb_pose_vec(r->g.truth);
	double len = pb_dist(p, aim);
	double th = pb_atan2(aim.y - p.y, aim.x - p.x);
	double feel = len < LOOK ? len : LOOK;

	if (passes(r, p, polar(p, th, feel)))
		return aim;
	for (int i = 1; i <= DEFLECTED; i++) {
		for (int side = 1; side >= -1; side -= 2) {
			double to = th + side * i * DEFLECT;

			if (passes(r, p, polar(p, to, feel)))
				return polar(p, to, len);
		}
	}
	return aim;
}

static struct pb_limits
limits(const struct pb_round *r, double speed)
{
	return (struct pb_limits){
	    .v_max = speed,
	    .v_min = -BACK_V,
	    .w_max = r->o.w_max,
	    .v_acc = r->o.v_acc,
	    .w_acc = r->o.w_acc,
	};
}

static struct pb_twist
follow(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;
	struct pb_follow_opts fo = {r->o.lookahead, TURN_AT, TURN_TO};
	struct pb_limits l = limits(r, v->speed);
	struct pb_pose p = pb_nav_pose(r);
	struct pb_vec carrot, aim;
	double rest;

	carrot = pb_follow_carrot(
	    &v->follow, &fo, pb_pose_vec(p), r->path, v->n, passes, r);
	rest = pb_dist(pb_pose_vec(p), r->path[v->n - 1]);
	if (v->follow.at + 1 < v->n && rest < r->o.lookahead)
		rest = r->o.lookahead;
	/* The same aim as the robot sees it, from where it really is. */
	aim = pb_vec_from(r->g.truth, pb_vec_into(p, carrot));
	aim = dodge(r, aim);
	return pb_follow_twist(&v->follow, &fo, r->g.truth, aim, rest, &l);
}

static struct pb_twist
recover(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;
	struct pb_twist u = {0, 0};

	if (v->doing == PB_RECOVER_SPIN) {
		u.w = SPIN_W;
		v->doing_left -= fabs(r->g.twist.w) * r->o.dt;
	} else if (v->doing == PB_RECOVER_BACK) {
		u.v = -BACK_V;
		v->doing_left -= BACK_V * r->o.dt;
	} else {
		v->doing_left -= r->o.dt;
	}
	return u;
}

/* Lights and sounds are elsewhere; the robot's part of a show is here. */
static bool
in_show(const struct pb_round *r)
{
	enum pb_state s = r->g.ctl.state;

	return r->o.spin && (s == PB_STARTING || s == PB_DYING) &&
	       r->g.nav.kind == PB_GOAL_NONE;
}

static struct pb_twist
show(const struct pb_round *r)
{
	double t = pb_round_time(r) - r->g.show_t;
	bool back =
	    r->g.ctl.state == PB_DYING && (long)(t / SHAKE_FLIP) % 2 == 1;

	return (struct pb_twist){0, back ? -SHOW_W : SHOW_W};
}

static struct pb_twist
wanted(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;

	if (in_show(r))
		return show(r);
	if (v->kind == PB_GOAL_NONE)
		return (struct pb_twist){0, 0};
	if (v->doing != PB_RECOVER_NONE)
		return recover(r);
	if (v->n == 0 || v->blocked)
		return (struct pb_twist){0, 0};
	return follow(r);
}

/* Walls stop the part of a motion that goes into them. */
static struct pb_pose
slide(const struct pb_arena *a, struct pb_pose p, struct pb_pose to)
{
	int32_t room = room_at(a, pb_pose_vec(p));
	struct pb_pose x = {to.x, p.y, to.th}, y = {p.x, to.y, to.th};

	if (fits(a, pb_pose_vec(to), room))
		return to;
	if (fits(a, pb_pose_vec(x), room))
		return x;
	if (fits(a, pb_pose_vec(y), room))
		return y;
	return (struct pb_pose){p.x, p.y, to.th};
}

/* What was driven, as the wheels know it: along the heading. */
static struct pb_twist
driven(const struct pb_round *r, struct pb_pose from, struct pb_pose to)
{
	double th = from.th + pb_wrap(to.th - from.th) / 2;
	double dx = to.x - from.x, dy = to.y - from.y;

	return (struct pb_twist){(dx * pb_cos(th) + dy * pb_sin(th)) / r->o.dt,
	    pb_wrap(to.th - from.th) / r->o.dt};
}

void
pb_drive_step(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;
	struct pb_odom_noise noise = {r->o.odom_rot_rot, r->o.odom_rot_trans,
	    r->o.odom_trans_trans, r->o.odom_trans_rot};
	struct pb_limits l = limits(r, r->o.v_max);
	struct pb_pose from = g->truth, to;
	struct pb_twist u;

	g->twist = pb_drive_limit(g->twist, wanted(r), &l, r->o.dt);
	u = g->twist;
	if (u.v != 0 || u.w != 0) {
		to = pb_drive_move(from, u, r->o.dt);
		g->truth = slide(r->arena, from, to);
		if (g->truth.x != to.x || g->truth.y != to.y)
			u = driven(r, from, g->truth);
	}
	pb_odom_move(&g->odom, u, r->o.dt, &noise, &g->odom_rng);
}
