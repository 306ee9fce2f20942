/* zumy_oracle.c - a player who knows all errors of the Zumy game to come. */
#include <stddef.h>
#include <string.h>

#include "game/zumy/zumy.h"
#include "policy/players.h"
#include "policy/zumy_thought.h"

/*
 * A measure, not a player that one could build: its rate is about the most that
 * any player could reach in the same games. He plays on with the robots
 * themselves and with the very errors that will be drawn, his own moves in all
 * orders that seem worth it: the best few states after each, none that he has
 * met before, until one is in the goal. Then he drives what led to it. As
 * states are cut he may miss a way, so he is a little less than the most.
 */
#define BEAM  1000 /* states that go on after each move, at most */
#define DEPTH 500  /* moves, waits among them, at most */
#define MOST  300  /* ticks of a move: as published, it may never end */

/* How finely he searches; more so where he found nothing. */
struct care {
	int beam;
	int wait;   /* ticks of a move that stands still */
	int belief; /* steps in which beliefs differ */
};
static const struct care care[] = {{300, 14, 8}, {BEAM, 4, 64}};

struct move {
	int tick; /* in which he decides so */
	enum pb_dir dir;
};

struct thought {
	int n;
	struct move move[DEPTH]; /* to here; waits are none */
	struct pb_zumy_fleet f;  /* in step f.s alone plays */
};

struct beam {
	struct pb_zumy_best best;
	struct thought slot[BEAM];
};

struct search {
	bool planned;
	int n, next; /* moves; those that he has made */
	struct move move[DEPTH];

	bool bodies;
	const struct care *care;
	struct pb_zumy_opts o;
	struct beam beam[2];
	struct thought trial;
	struct pb_zumy_met met;
};

/* The game as it is. Localizers are not asked in thought: there, their errors
 * are drawn. */
static void
think(struct search *h, const struct pb_zumy_view *v, struct thought *t)
{
	h->bodies = v->fleet != NULL;
	h->o = *v->s->opts;
	h->o.bodies.rover.localizer = PB_ROVER_NOISE;
	t->n = 0;
	if (h->bodies)
		t->f = *v->fleet;
	else
		t->f.s = *v->s;
	t->f.aboard = (struct pb_onboard_crew){.b = NULL};
	t->f.s.opts = &h->o;
}

/* Play on until he decides again. */
static void
play_on(const struct search *h, struct thought *t, enum pb_dir d)
{
	struct pb_zumy *s = &t->f.s;
	int wait = d == PB_STAY ? h->care->wait : 1, most = s->tick + MOST;

	if (d != PB_STAY)
		t->move[t->n++] = (struct move){s->tick, d};
	do {
		if (h->bodies)
			pb_zumy_fleet_tick(&t->f, d, NULL);
		else
			pb_zumy_tick(s, d, NULL, NULL);
		d = PB_STAY;
	} while (s->ending == PB_ZUMY_ON && s->tick < most &&
		 (--wait > 0 || !pb_zumy_asks(s)));
}

static void
keep(const struct search *h, struct beam *to, const struct thought *t)
{
	int place = pb_zumy_best_place(
	    &to->best, h->care->beam, pb_zumy_worth(&t->f.s));

	if (place >= 0)
		to->slot[place] = *t;
}

/*
 * All moves from the thoughts of a beam, the best of what follows into `next`.
 *
 * Returns  whether h->trial has reached the goal
 */
static bool
deeper(struct search *h, const struct beam *b, struct beam *next, int *looks)
{
	struct thought *t = &h->trial;

	next->best.n = 0;
	for (int i = 0; i < b->best.n; i++)
		for (int d = 0; d <= PB_STAY && *looks > 0; d++) {
			const struct thought *from = &b->slot[b->best.order[i]];
			const struct pb_zumy *s = &t->f.s;

			if (d != PB_STAY &&
			    !pb_zumy_may(&from->f.s, 0, (enum pb_dir)d))
				continue;
			*t = *from;
			play_on(h, t, (enum pb_dir)d);
			--*looks;
			if (s->ending == PB_ZUMY_REACHED)
				return true;
			if (s->ending == PB_ZUMY_ON &&
			    pb_zumy_met_new(&h->met,
				pb_zumy_key(s, h->care->wait, h->care->belief)))
				keep(h, next, t);
		}
	return false;
}

/* Find a way from where the game is. */
static void
find_way(struct search *h, const struct pb_zumy_view *v, int *looks)
{
	struct beam *b = &h->beam[0], *next = &h->beam[1];

	pb_zumy_met_clear(&h->met, PB_ZUMY_MET);
	b->best.n = 1;
	b->best.order[0] = 0;
	think(h, v, &b->slot[0]);
	for (int depth = 0; depth < DEPTH && b->best.n > 0; depth++) {
		struct beam *was = b;

		if (deeper(h, b, next, looks)) {
			h->n = h->trial.n;
			memcpy(h->move, h->trial.move, sizeof(h->move));
			return;
		}
		b = next;
		next = was;
	}
}

/* He plans once. Localizers err as nobody knows: there, whenever he decides. */
static void
oracle_decide(
    void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_zumy_view *v = view;
	struct search *h = mem;
	bool exact = !v->fleet || !v->fleet->aboard.b;
	int looks = v->s->opts->nodes, tick = v->s->tick;

	(void)known;
	if (!h->planned || (!exact && v->s->waits % care[0].wait == 0)) {
		h->planned = true;
		h->n = h->next = 0;
		h->care = &care[0];
		find_way(h, v, &looks);
		h->care = &care[1];
		if (exact && h->n == 0)
			find_way(h, v, &looks);
	}
	if (h->next < h->n && h->move[h->next].tick == tick)
		out->dir = h->move[h->next++].dir;
}

static size_t
oracle_memory(const void *world, const void *opts, const void *known)
{
	(void)world;
	(void)opts;
	(void)known;
	return sizeof(struct search);
}

static void
oracle_reset(void *mem, const void *known, const void *view)
{
	struct search *h = mem;

	(void)known;
	(void)view;
	h->planned = false;
	h->n = h->next = 0;
}

const struct pb_player pb_zumy_oracle = {.name = "oracle",
    .summary = "knows all errors to come: what can be reached, no player",
    .memory = oracle_memory,
    .lasting = offsetof(struct search, bodies),
    .reset = oracle_reset,
    .decide = oracle_decide};
