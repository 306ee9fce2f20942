/* zumy_thought.c - a game of Zumy that is played on in thought. */
#include "policy/zumy_thought.h"

#include <limits.h>
#include <stddef.h>

#define FRESH 30000 /* ticks of a leg whose time is not known yet */

size_t
pb_zumy_thought_size(int patrols)
{
	return offsetof(struct pb_zumy_thought, s.patrol) +
	       (size_t)patrols * sizeof(struct pb_zumy_patrol);
}

void
pb_zumy_legs_begin(struct pb_zumy_legs *l, const struct pb_zumy_view *v,
    uint64_t seed, struct pb_zumy_opts *o, struct pb_zumy *s)
{
	const struct pb_estimate_opts *e = &v->s->opts->bodies.rover.estimate;
	double spread = pb_onboard_spread(&v->fleet->aboard, 0, e->sd);

	if (spread != l->spread)
		pb_zumy_pace_measure(
		    &l->pace, s->board, v->s->opts, spread, seed);
	l->spread = spread;
	l->fade[0] = 1;
	for (int i = 1; i < PB_ZUMY_FADES; i++)
		l->fade[i] = l->fade[i - 1] * o->memory;
	/* See advance(). */
	o->cell_time = FRESH;
	o->turn_time = 1;
	s->player.misread = s->player.unread = false;
	for (int i = 0; i < o->patrols; i++) {
		struct pb_zumy_body *b = &s->patrol[i].body;

		b->misread = b->unread = false;
	}
}

/* A leg after so many quarter turns. */
static const struct pb_zumy_leg *
leg(struct pb_zumy_legs *l, int quarters)
{
	return &l->pace.leg[quarters][l->drawn
					  ? pb_rng_below(&l->rng, PB_ZUMY_LEGS)
					  : PB_ZUMY_LEGS];
}

/* A body is under way: what is left of that takes longer with noise. */
static void
resume(struct pb_zumy_legs *l, struct pb_zumy_thought *t, int robot,
    struct pb_zumy_body *b)
{
	const struct pb_zumy_leg *g = leg(l, 0);
	double longer = g->there / l->pace.quiet;
	bool in = pb_zumy_same(b->at, b->to);
	int left = (int)(longer * b->drive + 0.5), turn = 0;

	if (b->facing != b->turning)
		turn = b->turn > l->pace.ahead ? b->turn - l->pace.ahead : 1;
	left += b->turn - turn > 0 ? b->turn - turn : 0;
	t->aside[robot] = 0;
	t->in[robot] = (int16_t)(g->there - g->in);
	if (!in && left <= t->in[robot])
		left = t->in[robot] + 1;
	b->turn = (int16_t)turn;
	b->drive = (int16_t)(left > 0 ? left : 1);
}

void
pb_zumy_legs_resume(struct pb_zumy_legs *l, struct pb_zumy_thought *t)
{
	for (int i = 0; i < t->s.opts->patrols; i++)
		if (t->s.patrol[i].body.drive > 0)
			resume(l, t, 1 + i, &t->s.patrol[i].body);
}

struct motion {
	struct pb_zumy_legs *l;
	struct pb_zumy_thought *t;
	bool eventful; /* in this tick a body did not only go on */
};

/* It sets out; `turn` are quarters. */
static void
set_out(struct motion *m, int robot, struct pb_zumy_body *b)
{
	const struct pb_zumy_leg *g = leg(m->l, b->turn);

	b->turn = g->facing;
	b->drive = (int16_t)(g->there - g->facing);
	m->t->in[robot] = (int16_t)(g->there - g->in);
	m->t->aside[robot] = (int16_t)(g->aside > 0 ? g->facing - g->aside : 0);
	m->t->quarters[robot] = g->way;
	if (b->turn == 0)
		b->facing = b->turning;
	m->eventful = true;
}

/* A tick of a body. */
static bool
advance(void *ctx, int robot, struct pb_zumy_body *b)
{
	struct motion *m = ctx;

	if (b->drive == 0)
		return false;
	if (b->drive == FRESH)
		set_out(m, robot, b);
	if (b->turn > 0) {
		b->turn--;
		if (b->turn == 0)
			b->facing = b->turning;
		else if (b->turn == m->t->aside[robot])
			b->facing =
			    (int8_t)((b->facing + m->t->quarters[robot]) % 4);
		else
			return false;
		m->eventful = true;
		return false;
	}
	b->drive--;
	if (b->drive <= m->t->in[robot] && !pb_zumy_same(b->at, b->to)) {
		b->at = b->to;
		m->eventful = true;
	}
	if (b->drive > 0)
		return false;
	m->eventful = true;
	return true;
}

/* Ticks in which a body only goes on. */
static int
going(const struct pb_zumy_thought *t, int robot, const struct pb_zumy_body *b)
{
	int aside = t->aside[robot];

	if (b->drive == 0)
		return INT_MAX;
	if (b->drive == FRESH)
		return 0;
	if (b->turn > 0)
		return b->turn - 1 - (b->turn > aside ? aside : 0);
	if (!pb_zumy_same(b->at, b->to))
		return b->drive - 1 - t->in[robot];
	return b->drive - 1;
}

static int
less(int a, int b)
{
	return a < b ? a : b;
}

/* Whether patrol p may decide otherwise in the next tick: who stands does so
 * until something has happened, or it is told. */
static bool
may_set_out(const struct motion *m, const struct pb_zumy_patrol *p)
{
	return p->body.drive == 0 &&
	       (m->eventful || pb_zumy_as_published(m->t->s.opts));
}

/* Ticks in which nothing happens, at most `most`. */
static int
lull(const struct motion *m, int most)
{
	const struct pb_zumy *s = &m->t->s;
	const struct pb_zumy_opts *o = s->opts;
	int n = less(most, PB_ZUMY_FADES - 1);

	/* A player that reads a patrol right before it gives up. */
	if (pb_zumy_asks(s) && pb_zumy_right_before(s) >= 0)
		return 0;
	n = less(n, o->ping - 1 - s->tick % o->ping);
	n = less(n, o->limit - 1 - s->tick);
	n = less(n, going(m->t, 0, &s->player));
	for (int i = 0; i < o->patrols && n > 0; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		if (p->lost)
			continue;
		if (may_set_out(m, p) || p->stares ||
		    pb_patrol_sees(&s->board->ground, p->body.at,
			(enum pb_dir)p->body.facing, s->player.at, o->range))
			return 0;
		n = less(n, going(m->t, 1 + i, &p->body));
	}
	return n > 0 ? n : 0;
}

static void
go_on(struct pb_zumy_body *b, int ticks)
{
	if (b->turn > 0)
		b->turn = (int16_t)(b->turn - ticks);
	else if (b->drive > 0)
		b->drive = (int16_t)(b->drive - ticks);
}

int
pb_zumy_legs_tick(
    struct pb_zumy_legs *l, struct pb_zumy_thought *t, enum pb_dir d, int most)
{
	struct motion m = {l, t, false};
	const struct pb_zumy_motor motor = {advance, &m};
	struct pb_zumy *s = &t->s;
	int n;

	if (!pb_zumy_tick(s, d, NULL, &motor))
		return 0;
	n = lull(&m, most);
	if (n == 0)
		return 0;
	s->tick += n;
	s->waits += s->player.drive == 0 ? n : 0;
	go_on(&s->player, n);
	for (int i = 0; i < s->opts->patrols; i++) {
		if (s->patrol[i].lost)
			continue;
		go_on(&s->patrol[i].body, n);
		s->patrol[i].s *= l->fade[n];
	}
	return n;
}
