/* roomba_course.c - the Roomba game with bodies, foreseen leg by leg. */
#include "game/roomba/roomba_course.h"

#include <math.h>

#include "base/elementary.h"
#include "game/roomba/roomba_state.h"

/* Times that differ by less are the same (s). */
#define SAME 1e-9

static double
tick_time(const struct pb_roomba_board *b, const struct pb_roomba_opts *o)
{
	return b->side / o->bodies.way.v;
}

static int
robots(const struct pb_roomba_opts *o)
{
	return 1 + o->ghosts;
}

static int16_t *
cell_of(struct pb_roomba *s, int robot)
{
	return robot == 0 ? &s->pacman : &s->ghost[robot - 1].at;
}

/* What it takes longer since robots gain and lose speed bit by bit. */
static double
gaining(const struct pb_roomba_bodies *o)
{
	return o->rover.v_acc > 0 ? o->way.v / o->rover.v_acc / 2 : 0;
}

/* From p, now: turn to the point `to`, drive, be there when near enough. */
static struct pb_roomba_leg
leg_to(const struct pb_roomba_opts *o, struct pb_pose p, struct pb_vec to,
    bool driving, double now)
{
	const struct pb_waypoint_opts *way = &o->bodies.way;
	struct pb_vec d = {to.x - p.x, to.y - p.y};
	double len = sqrt(d.x * d.x + d.y * d.y), part, turn = 0;
	struct pb_roomba_leg l = {.from = pb_pose_vec(p), .th = p.th};

	if (len > 0) {
		l.th = pb_atan2(d.y, d.x);
		turn = fabs(pb_wrap(l.th - p.th)) - way->aim;
	}
	l.off = now;
	if (way->w > 0 && turn > 0 && !driving)
		l.off += turn / way->w;
	part = len > way->near ? (len - way->near) / len : 0;
	l.to = (struct pb_vec){p.x + part * d.x, p.y + part * d.y};
	l.there = l.off + part * len / way->v + gaining(&o->bodies);
	return l;
}

void
pb_roomba_course_begin(struct pb_roomba_course *c,
    const struct pb_roomba_fleet *f, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o)
{
	double dt = pb_roomba_fleet_dt(b, o);

	c->s = f->s;
	c->now = 0;
	c->power = f->power > 0 ? f->power * dt : INFINITY;
	for (int i = 0; i < robots(o); i++) {
		const struct pb_roomba_bot *r = &f->bot[i];
		struct pb_vec at = pb_pose_vec(r->rover.pose);

		c->leg[i] = (struct pb_roomba_leg){.from = at,
		    .to = at,
		    .there = r->wait * dt,
		    .th = r->rover.pose.th};
		if (r->rolls)
			c->leg[i] = leg_to(
			    o, r->rover.pose, r->way.target, r->way.driving, 0);
	}
}

/* Where a robot on leg l is at time t. */
static struct pb_vec
along(const struct pb_roomba_leg *l, double t)
{
	double part;

	if (t <= l->off)
		return l->from;
	if (t >= l->there)
		return l->to;
	part = (t - l->off) / (l->there - l->off);
	return (struct pb_vec){l->from.x + part * (l->to.x - l->from.x),
	    l->from.y + part * (l->to.y - l->from.y)};
}

struct pb_vec
pb_roomba_course_at(const struct pb_roomba_course *c, int i)
{
	return along(&c->leg[i], c->now);
}

/* The least squared distance of two on straight lines in the time t0 to t1. */
static double
nearest(const struct pb_roomba_leg *a, const struct pb_roomba_leg *b, double t0,
    double t1)
{
	struct pb_vec a0 = along(a, t0), b0 = along(b, t0), a1 = along(a, t1),
		      b1 = along(b, t1);
	struct pb_vec d = {b0.x - a0.x, b0.y - a0.y};
	struct pb_vec v = {b1.x - a1.x - d.x, b1.y - a1.y - d.y};
	double vv = v.x * v.x + v.y * v.y, at = 0;

	if (vv > 0)
		at = fmax(0, fmin(1, -(d.x * v.x + d.y * v.y) / vv));
	d.x += at * v.x;
	d.y += at * v.y;
	return d.x * d.x + d.y * d.y;
}

/* Whether they touch in that time, in which neither ends its leg. */
static bool
touch(const struct pb_roomba_leg *a, const struct pb_roomba_leg *b, double t0,
    double t1, double reach)
{
	double first = fmax(t0, fmin(t1, fmin(a->off, b->off)));
	double second = fmax(t0, fmin(t1, fmax(a->off, b->off)));
	double far = reach * reach;

	return nearest(a, b, t0, first) < far ||
	       nearest(a, b, first, second) < far ||
	       nearest(a, b, second, t1) < far;
}

static void
meet(struct pb_roomba_course *c, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, double until)
{
	double reach = o->bodies.touch * b->side;

	for (int i = 0; i < o->ghosts && c->s.stopped == 0; i++)
		if (c->s.ghost[i].state < PB_ROOMBA_KILLED &&
		    touch(&c->leg[0], &c->leg[1 + i], c->now, until, reach))
			pb_roomba_touch(&c->s, o, i);
}

/* When the next robot decides or the pill is over. */
static double
next_time(const struct pb_roomba_course *c, const struct pb_roomba_opts *o)
{
	double t = c->power;

	for (int i = 0; i < robots(o); i++)
		t = fmin(t, c->leg[i].there);
	return t;
}

static bool
arrived(const struct pb_roomba_course *c, int i)
{
	return c->leg[i].there <= c->now + SAME;
}

/* All drive until something is to be decided. */
static void
drive(struct pb_roomba_course *c, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, int tick)
{
	double t = next_time(c, o);

	meet(c, b, o, t);
	c->now = t;
	c->s.tick = tick + (int)(t / tick_time(b, o));
	if (c->power <= t) {
		pb_roomba_power_over(&c->s, o);
		c->power = INFINITY;
	}
	c->s.events = 0;
	if (arrived(c, 0))
		pb_roomba_collect(&c->s, b, o);
	if (c->s.events & PB_ROOMBA_POWER_ON)
		c->power = t + o->power_time * tick_time(b, o);
	for (int i = 0; i < o->ghosts; i++)
		if (arrived(c, 1 + i))
			pb_roomba_arrive(&c->s, b, i);
}

/* The robot sets off to the next cell, or waits for a tick. */
static void
decide(struct pb_roomba_course *c, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, int robot, enum pb_dir d)
{
	struct pb_roomba_leg *l = &c->leg[robot];
	struct pb_vec at = along(l, c->now);
	int16_t *cell = cell_of(&c->s, robot);

	if (robot == 0)
		c->s.dir = (int8_t)d;
	else if (d != PB_STAY)
		c->s.ghost[robot - 1].last = (int8_t)d;
	*cell = pb_roomba_moved(b, *cell, d);
	if (d == PB_STAY) {
		*l = (struct pb_roomba_leg){.from = at,
		    .to = at,
		    .off = c->now,
		    .there = c->now + tick_time(b, o),
		    .th = l->th};
		return;
	}
	*l = leg_to(o, (struct pb_pose){at.x, at.y, l->th},
	    pb_roomba_centre(b, *cell), false, c->now);
}

static void
ghosts_decide(struct pb_roomba_course *c, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o)
{
	for (int i = 0; i < o->ghosts; i++) {
		int16_t claim[PB_ROOMBA_GHOSTS];

		if (!arrived(c, 1 + i))
			continue;
		for (int k = 0; k < o->ghosts; k++)
			claim[k] = c->s.ghost[k].at;
		decide(c, b, o, 1 + i,
		    pb_roomba_ghost_decide(&c->s, b, o, i, c->s.pacman, claim));
	}
}

bool
pb_roomba_course_on(struct pb_roomba_course *c, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, enum pb_dir stick)
{
	int tick = c->s.tick - (int)(c->now / tick_time(b, o));

	decide(c, b, o, 0, pb_roomba_steer(&c->s, b, stick));
	do {
		ghosts_decide(c, b, o);
		drive(c, b, o, tick);
		if (!pb_roomba_goes_on(&c->s, o) || c->s.stopped > 0)
			return false;
	} while (!arrived(c, 0));
	return true;
}
