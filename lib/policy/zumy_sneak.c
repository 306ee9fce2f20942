/* zumy_sneak.c - a player of the Zumy game who plays on in thought. */
#include <stddef.h>
#include <string.h>

#include "policy/players.h"
#include "policy/zumy_thought.h"

/*
 * Patrols are machines: what they do follows from where they have been, which
 * everybody could see, and from where the player goes. So he plays on in
 * thought, his own moves in all orders that seem worth it: the best few states
 * after every move (a beam), none that he has met before, until some reach the
 * goal. In step no chance is left: where no way is found so, he waits as finely
 * as robots turn and keeps all states. If there is still none, he has lost.
 *
 * With the usual noise a leg of a body takes half as long again as without, and
 * a second more or less, and then patrols meet the player where no way is left.
 * So legs take as long in thought as those that were driven for a measurement:
 * in a search the mean, in another times that are drawn. A state is worth less
 * where a patrol nearly saw him, and of the ways to the goal those are kept on
 * which that was least. Each is tried in games with times that are drawn, all
 * in a few, the best quarter of them in three times as many, and so on. What is
 * left of the way that won is kept, and driven without another search as long
 * as nearly all of its trials reach the goal.
 */
#define BEAM     PB_ZUMY_BEST /* states that go on after each move, at most */
#define DEPTH    500          /* moves at most */
#define MOST     300          /* ticks more of a move than it takes in step */
#define RISK     10.0 /* that a leg is seen for certain is worth (steps) */
#define WAYS     40   /* to the goal in mean times, and as many in others */
#define MORE     8    /* moves of ways that are looked for after the first */
#define TRIALS   24   /* of each of them at first */
#define FINAL    4    /* so few are left at the last trials */
#define CHECKS   12   /* trials of the way that was kept ... */
#define SURE     11   /* ... which is driven on if so many reach the goal */
#define PATIENCE 6    /* waits of one trial for a cell that is not free */
#define REST     16   /* decisions between looks at all that find no end */

/* How finely he searches. */
struct care {
	int beam, depth;
	int wait;   /* ticks of a move that stands still */
	int belief; /* steps in which beliefs differ */
	size_t met; /* places of states, a power of two */
};
static const struct care few = {300, 90, 14, 8, 1 << 17};
static const struct care all = {BEAM, DEPTH, 2, 64, PB_ZUMY_MET};

/* Moves from where the player decides, and what came of them in trials. */
struct way {
	int n, tried, won;
	double risk;             /* of its moves, summed up */
	signed char move[DEPTH]; /* enum pb_dir */
};

struct thought {
	struct way way; /* to here */
	struct pb_zumy_thought game;
};

/* The best thoughts after so many moves. */
struct beam {
	struct pb_zumy_best best;
	struct thought slot[BEAM];
};

/* What lasts from one decision to the next, and what a search goes through. */
struct search {
	struct care care;
	bool lost;                /* in step, for certain */
	int rest;                 /* decisions before he looks at all again */
	struct pb_zumy_legs legs; /* of bodies */
	struct way kept; /* what is left of the chosen one, n 0: none */
	uint64_t stuck;  /* key of the last state without a way, 0: none */

	bool bodies;
	bool left; /* some states were not looked at */
	struct pb_zumy_opts o;
	struct beam beam[2];
	struct thought now, trial;
	struct pb_zumy_met met;
	/* To the goal: the one that was kept, and those of two searches. */
	struct way way[1 + 2 * WAYS];
	int ways, before; /* all; of those before this search */
};

static void
copy(struct thought *to, const struct thought *from)
{
	memcpy(to, from,
	    offsetof(struct thought, game) +
		pb_zumy_thought_size(from->game.s.opts->patrols));
}

/* The game as it is, in thought. */
static void
think(struct search *h, struct thought *t)
{
	copy(t, &h->now);
	if (h->bodies)
		pb_zumy_legs_resume(&h->legs, &t->game);
}

/* Begin to search. */
static void
begin(struct search *h, const struct pb_zumy_view *v, uint64_t seed)
{
	struct pb_zumy *s = &h->now.game.s;

	h->bodies = v->fleet != NULL;
	h->ways = h->before = 0;
	h->o = *v->s->opts;
	h->now.way.n = 0;
	h->now.way.risk = 0;
	/* Of this decision: the next begins anew, so a copy stays good. */
	*s = *v->s;
	s->opts = &h->o;
	if (h->bodies)
		pb_zumy_legs_begin(&h->legs, v, seed, &h->o, s);
}

/*
 * How nearly a patrol sees him: the largest share, of all patrols, of what may
 * be so a little sooner or later. It is where it was or where it drives, looks
 * there or where it turns, and so is he.
 */
static double
danger(const struct pb_zumy *s)
{
	int most = 0;

	for (int i = 0; i < s->opts->patrols; i++) {
		const struct pb_zumy_body *b = &s->patrol[i].body;
		int n = 0;

		for (int k = 0; k < 8 && !s->patrol[i].lost; k++)
			n += pb_patrol_sees(&s->board->ground,
			    k & 1 ? b->at : b->to,
			    (enum pb_dir)(k & 2 ? b->facing : b->turning),
			    k & 4 ? s->player.at : s->player.to,
			    s->opts->range);
		most = n > most ? n : most;
	}
	return most / 8.0;
}

/* A tick of t or, of bodies, some; how many more. */
static int
pass(struct search *h, struct thought *t, enum pb_dir d, int most)
{
	if (h->bodies)
		return pb_zumy_legs_tick(&h->legs, &t->game, d, most);
	pb_zumy_tick(&t->game.s, d, NULL, NULL);
	return 0;
}

/* Play on in thought until the player decides again; the danger that bodies
 * were in is added to *risk, unless it is NULL. */
static void
play_on(struct search *h, struct thought *t, enum pb_dir d, double *risk)
{
	bool waits = d == PB_STAY;
	int wait = waits ? h->care.wait : 1;
	struct pb_zumy *s = &t->game.s;
	/* As published, the player may never decide again. */
	int most = s->tick + MOST +
	           (h->bodies ? 0 : 2 * (h->o.cell_time + 2 * h->o.turn_time));
	double worst = 0, r;

	if (t->way.n < DEPTH)
		t->way.move[t->way.n++] = (signed char)d;
	do {
		wait -= 1 + pass(h, t, d, waits ? wait - 1 : MOST);
		d = PB_STAY;
		r = h->bodies && risk && s->ending == PB_ZUMY_ON ? danger(s)
		                                                 : 0;
		worst = r > worst ? r : worst;
	} while (s->ending == PB_ZUMY_ON && s->tick < most &&
		 (wait > 0 || !pb_zumy_asks(s)));
	if (risk)
		*risk += worst;
}

/* Keep t if it is among the best. */
static void
keep(struct search *h, struct beam *to, const struct thought *t)
{
	int place;

	h->left = h->left || to->best.n == h->care.beam;
	place = pb_zumy_best_place(&to->best, h->care.beam,
	    pb_zumy_worth(&t->game.s) + RISK * t->way.risk);
	if (place >= 0)
		copy(&to->slot[place], t);
}

/* Note a way to the goal, in place of the one with the most risk if this search
 * has noted enough. */
static void
note(struct search *h, const struct way *w)
{
	int place = h->ways;

	if (h->ways - h->before < (h->bodies ? WAYS : 1)) {
		h->ways++;
	} else {
		place = h->before;
		for (int i = place + 1; i < h->ways; i++)
			if (h->way[i].risk > h->way[place].risk)
				place = i;
		if (w->risk >= h->way[place].risk)
			return;
	}
	h->way[place] = *w;
	h->way[place].tried = h->way[place].won = 0;
}

/* All moves from the thoughts of a beam, the best of what follows into `next`;
 * in step, until a way is found. */
static void
deeper(struct search *h, const struct beam *b, struct beam *next, int *looks)
{
	struct thought *t = &h->trial;

	next->best.n = 0;
	for (int i = 0; i < b->best.n; i++)
		for (int d = 0; d <= PB_STAY && *looks > 0; d++) {
			const struct thought *from = &b->slot[b->best.order[i]];

			if (d != PB_STAY &&
			    !pb_zumy_may(&from->game.s, 0, (enum pb_dir)d))
				continue;
			copy(t, from);
			play_on(h, t, (enum pb_dir)d, &t->way.risk);
			--*looks;
			if (t->game.s.ending == PB_ZUMY_REACHED) {
				note(h, &t->way);
				if (!h->bodies)
					return;
			} else if (t->way.n == 1 ||
				   (t->game.s.ending == PB_ZUMY_ON &&
				       pb_zumy_met_new(&h->met,
					   pb_zumy_key(&t->game.s, h->care.wait,
					       h->care.belief))))
				keep(h, next, t);
		}
}

/*
 * Find ways to the goal.
 *
 * Returns  the move that leads to the best of the last states
 */
static int
find_ways(struct search *h, int looks)
{
	int first = PB_STAY, last = h->care.depth;
	struct beam *b = &h->beam[0], *next = &h->beam[1];

	think(h, &b->slot[0]);
	pb_zumy_met_clear(&h->met, h->care.met);
	h->left = false;
	b->best.n = 1;
	b->best.order[0] = 0;
	h->before = h->ways;
	for (int depth = 0; depth < last && looks > 0 && b->best.n > 0;
	     depth++) {
		struct beam *was = b;

		first =
		    depth > 0 ? b->slot[b->best.order[0]].way.move[0] : first;
		deeper(h, b, next, &looks);
		if (h->ways > h->before && last == h->care.depth)
			last = h->bodies ? depth + 1 + MORE : 0;
		b = next;
		next = was;
	}
	h->left = h->left || b->best.n > 0 || looks == 0;
	return first;
}

/* In step: whether he has lost, or a way if he has not. */
static void
look_at_all(struct search *h, int looks)
{
	if (h->rest-- > 0)
		return;
	h->rest = REST;
	h->care = all;
	find_ways(h, looks);
	h->lost = h->ways == 0 && !h->left;
	if (h->ways == 0)
		h->care = few;
}

/* The same; of bodies also such ways as need luck, and in step, if there is
 * none, all. */
static int
find_all(struct search *h, int looks, uint64_t seed)
{
	int first;

	h->legs.drawn = false;
	h->care = few;
	first = find_ways(h, looks);
	if (!h->bodies) {
		if (h->ways == 0)
			look_at_all(h, looks);
		return first;
	}
	h->legs.drawn = true;
	pb_rng_start(&h->legs.rng, seed, 0, PB_FOR_SENSOR, 0);
	find_ways(h, looks);
	return first;
}

/* One more trial of way w. */
static void
try_way(struct search *h, uint64_t seed, struct way *w)
{
	struct thought *t = &h->trial;
	int waits = 0;

	h->legs.drawn = h->bodies;
	pb_rng_start(&h->legs.rng, seed, (uint64_t)w->tried, PB_FOR_MOTION, 0);
	think(h, t);
	for (int i = 0; i < w->n && t->game.s.ending == PB_ZUMY_ON;) {
		enum pb_dir d = (enum pb_dir)w->move[i];

		if (d == PB_STAY || pb_zumy_may(&t->game.s, 0, d))
			i++;
		else if (waits++ == PATIENCE)
			break;
		else
			d = PB_STAY;
		play_on(h, t, d, NULL);
	}
	w->tried++;
	w->won += t->game.s.ending == PB_ZUMY_REACHED;
}

/* The best first; as they were where they are equal. */
static void
sort_ways(struct way *way, int n)
{
	for (int i = 1; i < n; i++) {
		struct way w = way[i];
		int k = i;

		for (; k > 0 &&
		       way[k - 1].won * w.tried < w.won * way[k - 1].tried;
		     k--)
			way[k] = way[k - 1];
		way[k] = w;
	}
}

/* The best way first. */
static void
choose_way(struct search *h, uint64_t seed)
{
	int n = h->ways;

	for (int trials = TRIALS; n > 0; trials *= 3) {
		for (int i = 0; i < n; i++)
			while (h->way[i].tried < trials)
				try_way(h, seed, &h->way[i]);
		sort_ways(h->way, n);
		if (n <= FINAL)
			break;
		n = (n + 3) / 4;
	}
}

/* Whether the way that was kept is still good. */
static bool
is_sure(struct search *h, uint64_t seed)
{
	h->kept.tried = h->kept.won = 0;
	while (h->kept.n > 0 && h->kept.tried < (h->bodies ? CHECKS : 1))
		try_way(h, seed, &h->kept);
	return h->kept.won >= (h->bodies ? SURE : 1);
}

/* The first move of way w, of which the rest is kept. */
static int
set_out(struct search *h, const struct way *w)
{
	int first = w->move[0];

	h->kept = *w;
	h->kept.n--;
	memmove(h->kept.move, h->kept.move + 1, sizeof(w->move) - 1);
	return first;
}

/* Where no way is found, the move that leads to the best of the last states. */
static void
sneak_decide(
    void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_zumy_view *v = view;
	struct search *h = mem;
	uint64_t seed;
	int first;

	/* What was best to wait for is worth waiting for. */
	(void)known;
	if (h->lost || v->s->waits % h->care.wait != 0)
		return;
	seed = v->fleet ? pb_rng_u64(v->rng) : 0;
	begin(h, v, seed);
	if (is_sure(h, seed)) {
		out->dir = (enum pb_dir)set_out(h, &h->kept);
		return;
	}
	/* Where nobody moves any more, another search finds no more. */
	if (pb_zumy_key(&h->now.game.s, few.wait, few.belief) == h->stuck)
		return;
	if (h->bodies && h->kept.n > 0)
		note(h, &h->kept);
	first = find_all(h, v->s->opts->nodes, seed);
	h->stuck = h->ways == 0
	               ? pb_zumy_key(&h->now.game.s, few.wait, few.belief)
	               : 0;
	if (h->bodies)
		choose_way(h, seed);
	h->kept.n = 0;
	if (h->ways > 0 && (!h->bodies || h->way[0].won > 0))
		first = set_out(h, &h->way[0]);
	out->dir = (enum pb_dir)first;
}

static size_t
sneak_memory(const void *world, const void *opts, const void *known)
{
	(void)world;
	(void)opts;
	(void)known;
	return sizeof(struct search);
}

static void
sneak_reset(void *mem, const void *known, const void *view)
{
	struct search *h = mem;

	(void)known;
	(void)view;
	h->care = few;
	h->lost = false;
	h->rest = 0;
	h->kept.n = 0;
	h->stuck = 0;
	h->legs.spread = -1;
}

const struct pb_player pb_zumy_sneak = {.name = "sneak",
    .summary = "plays on in thought: patrols are machines",
    .memory = sneak_memory,
    .lasting = offsetof(struct search, bodies),
    .reset = sneak_reset,
    .decide = sneak_decide};
