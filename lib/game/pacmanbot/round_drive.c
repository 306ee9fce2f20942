/* round_drive.c - the robot follows its path, keeps off walls, and moves. */
#include <math.h>

#include "base/elementary.h"
#include "base/segment.h"
#include "game/pacmanbot/round.h"

/* Shows: turn rate (rad/s) and the time between flips of a shake (s). */
#define SHOW_W     1.5
#define SHAKE_FLIP 0.3

/* nav2's behaviours: spin this far (rad), at this rate (rad/s). */
#define SPIN_W 1.0

/* nav2's collision monitor: it slows down so as to be that far (s) from what
 * it would run into. */
#define TIME_BEFORE_COLLISION 1.2

/* The lidar's part: look this far (m) and try headings this far apart. */
#define LOOK        0.35
#define DEFLECT     0.15
#define DEFLECTED   8
#define ROUND_ABOUT 18 /* of a robot with senses */

/* Walls that hold the body, or those that the lidar sees; the things about;
 * and how much room there is where the robot is now. */
struct room {
	const struct pb_edt *edt;
	const unsigned char *free;
	int cell;   /* where the robot is, -1: outside */
	int32_t d2; /* from there to the nearest wall (cells2) */
	double gap; /* and to the nearest thing (m) */
};

/* Whether the robot may be at p, in cell i: a robot that is too near something
 * may get farther from it. */
static bool
fits_in(const struct pb_round *r, const struct room *m, struct pb_vec p, int i)
{
	double gap;

	if (i < 0 || !(m->free[i] || (m->edt->d2[i] >= m->d2 && m->d2 > 0)))
		return false;
	if (r->g.things == 0)
		return true;
	gap = pb_things_gap(r->g.thing, r->g.things, p);
	return gap >= r->o.inscribed || (gap >= m->gap && gap > 0);
}

static bool
fits(const struct pb_round *r, const struct room *m, struct pb_vec p)
{
	return fits_in(r, m, p, pb_arena_cell(r->arena, p));
}

static struct room
room_at(const struct pb_round *r, struct pb_vec p)
{
	const struct pb_arena *a = r->arena;
	struct room m = {
	    a->body_edt, a->body_free, pb_arena_cell(a, p), 0, INFINITY};

	m.d2 = m.cell < 0 ? 0 : m.edt->d2[m.cell];
	m.gap = pb_things_gap(r->g.thing, r->g.things, p);
	return m;
}

/* How far p, in cell i, is from what is about. */
static double
clearance(
    const struct pb_round *r, const struct room *m, struct pb_vec p, int i)
{
	double free =
	    pb_edt_clearance(m->edt, (size_t)i, r->arena->map.resolution);

	return r->g.things == 0
	           ? free
	           : fmin(free, pb_things_gap(r->g.thing, r->g.things, p));
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
	double d = pb_dist(p, q), s = 0;
	struct room room = room_at(r, p);
	struct pb_vec x = p;
	int i = room.cell;

	while (s < d) {
		double free;

		if (!fits_in(r, &room, x, i))
			return false;
		free = clearance(r, &room, x, i) - r->o.inscribed - 2 * res;
		s += free > res ? free : res;
		if (s >= d)
			break;
		x = pb_segment_at(p, q, s / d);
		i = pb_arena_cell(a, x);
	}
	return fits(r, &room, q);
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

	if (passes(r, p, pb_point_at(p, th, feel)))
		return aim;
	for (int i = 1; i <= (r->range ? ROUND_ABOUT : DEFLECTED); i++) {
		for (int side = 1; side >= -1; side -= 2) {
			double to = th + side * i * DEFLECT;

			if (passes(r, p, pb_point_at(p, to, feel)))
				return pb_point_at(p, to, len);
		}
	}
	return aim;
}

struct pb_limits
pb_drive_limits(const struct pb_round *r, double speed)
{
	return (struct pb_limits){
	    .v_max = speed,
	    .v_min = -PB_BACK_V,
	    .w_max = r->o.w_max,
	    .v_acc = r->o.v_acc,
	    .w_acc = r->o.w_acc,
	};
}

/* The speed at which a robot whose lidar looks around may go ahead. */
static double
careful(const struct pb_round *r, double v)
{
	double step = r->arena->map.resolution, s = 0;
	struct pb_pose p = r->g.truth;
	struct room room = room_at(r, pb_pose_vec(p));

	if (r->range == NULL || v <= 0)
		return v;
	while (s < v * TIME_BEFORE_COLLISION &&
	       fits(r, &room, pb_point_at(pb_pose_vec(p), p.th, s + step)))
		s += step;
	return fmin(v, s / TIME_BEFORE_COLLISION);
}

static struct pb_twist
follow(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;
	struct pb_follow_opts fo = {r->o.lookahead, PB_TURN_AT, PB_TURN_TO};
	struct pb_limits l = pb_drive_limits(r, v->speed);
	struct pb_pose p = pb_nav_pose(r);
	struct pb_vec carrot, aim;
	struct pb_twist u;
	double rest;

	/* Who turns away from what is in his way keeps his aim: pulled back to
	 * the robot, it would leave it standing there. */
	carrot = pb_follow_carrot(&v->follow, &fo, pb_pose_vec(p), r->path,
	    v->n, r->range ? NULL : passes, r);
	rest = pb_dist(pb_pose_vec(p), r->path[v->n - 1]);
	if (v->follow.at + 1 < v->n && rest < r->o.lookahead)
		rest = r->o.lookahead;
	/* The same aim as the robot sees it, from where it really is. */
	aim = pb_vec_from(r->g.truth, pb_vec_into(p, carrot));
	aim = dodge(r, aim);
	u = pb_follow_twist(&v->follow, &fo, r->g.truth, aim, rest, &l);
	u.v = careful(r, u.v);
	return u;
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
		u.v = -PB_BACK_V;
		v->doing_left -= PB_BACK_V * r->o.dt;
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

	if (pb_perception_seek(r))
		return (struct pb_twist){0, SPIN_W};
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
slide(const struct pb_round *r, struct pb_pose p, struct pb_pose to)
{
	struct room room = room_at(r, pb_pose_vec(p));
	struct pb_pose x = {to.x, p.y, to.th}, y = {p.x, to.y, to.th};

	if (fits(r, &room, pb_pose_vec(to)))
		return to;
	if (fits(r, &room, pb_pose_vec(x)))
		return x;
	if (fits(r, &room, pb_pose_vec(y)))
		return y;
	return (struct pb_pose){p.x, p.y, to.th};
}

/* What was driven, as the wheels know it: along the heading. */
static struct pb_twist
driven(const struct pb_round *r, struct pb_pose from, struct pb_pose to)
{
	double th = from.th + pb_wrap(to.th - from.th) / 2;
	double dx = to.x - from.x, dy = to.y - from.y;
	pb_pair u = pb_direction(th);

	return (struct pb_twist){(dx * u[0] + dy * u[1]) / r->o.dt,
	    pb_wrap(to.th - from.th) / r->o.dt};
}

/* Contacts less than this apart are one bump (s). */
#define ONE_BUMP 1.0

static void
touch(struct pb_round *r)
{
	struct pb_tracker *k = &r->g.track;
	bool anew =
	    k->bump == 0 || (double)(r->g.step - k->bump) * r->o.dt > ONE_BUMP;

	k->bump = r->g.step;
	if (!anew)
		return;
	k->bumps++;
	if (r->range)
		pb_tell(
		    r, (struct pb_news){.kind = PB_NEWS_EVENT, .name = "bump"});
}

void
pb_drive_step(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;
	struct pb_odom_noise noise = {r->o.odom_rot_rot, r->o.odom_rot_trans,
	    r->o.odom_trans_trans, r->o.odom_trans_rot};
	struct pb_limits l = pb_drive_limits(r, r->o.v_max);
	struct pb_pose from = g->truth, to;
	struct pb_twist u;

	g->twist = pb_drive_limit(g->twist, wanted(r), &l, r->o.dt);
	if (r->crew.drive) {
		/* It goes by what it knows; its wheels are its own matter. */
		g->twist.v = fmax(g->twist.v, -l.v_max);
		g->placed |= r->crew.drive(r->crew.ctx, &g->twist, &g->truth);
		g->odom.pose = g->truth;
		return;
	}
	u = g->twist;
	if (u.v != 0 || u.w != 0) {
		to = pb_drive_move(from, u, r->o.dt);
		g->truth = slide(r, from, to);
		if (g->truth.x != to.x || g->truth.y != to.y) {
			u = driven(r, from, g->truth);
			touch(r);
		}
	}
	pb_odom_move(&g->odom, u, r->o.dt, &noise, &g->odom_rng);
}
