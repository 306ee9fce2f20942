/* zumy_players.c - the players of the Zumy game. */
#include <stddef.h>
#include <string.h>

#include "game/zumy/zumy_drive.h"
#include "policy/players.h"
#include "policy/zumy_players.h"
#include "policy/zumy_thought.h"

static enum pb_dir
random_way(const void *view)
{
	return (enum pb_dir)pb_rng_below(
	    ((const struct pb_zumy_view *)view)->rng, 5);
}

static const struct pb_player zumy_random = {.name = "random",
    .summary = "any direction or none, by chance",
    .choose = random_way};

static enum pb_dir
direct(const void *view)
{
	const struct pb_zumy *s = ((const struct pb_zumy_view *)view)->s;
	const struct pb_zumy_ground *g = &s->board->ground;
	const struct pb_zumy_search way = {.ground = g, .open = &g->open};

	return pb_zumy_way(&way, s->player.at, g->goal);
}

static const struct pb_player zumy_direct = {.name = "direct",
    .summary = "the shortest way, patrols or not",
    .choose = direct};

static void
block(struct pb_zumy_set *open, int row, int col)
{
	open->row[row] &= ~(UINT32_C(1) << col);
}

void
pb_zumy_block_views(const struct pb_zumy_view *v, struct pb_zumy_set *open)
{
	for (int i = 0; i < v->s->opts->patrols; i++) {
		const struct pb_zumy_body *p = &v->s->patrol[i].body;
		int row = p->at.row, col = p->at.col;
		int d = p->misread ? PB_DOWN : p->facing;

		if (pb_zumy_has(open, row, col))
			block(open, row, col);
		for (;;) {
			row += pb_dir_row[d];
			col += pb_dir_col[d];
			if (!pb_zumy_has(open, row, col))
				break;
			block(open, row, col);
		}
	}
}

/* The move after which the sum of distances to the patrols is largest. */
static enum pb_dir
hide(const struct pb_zumy_view *v, const struct pb_zumy_set *open)
{
	static const enum pb_dir order[5] = {
	    PB_UP, PB_DOWN, PB_RIGHT, PB_LEFT, PB_STAY};
	enum pb_dir best = PB_STAY;
	int most = -1;

	for (int k = 0; k < 5; k++) {
		struct pb_zumy_cell c = v->s->player.at;
		int sum = 0;

		c.row = (int8_t)(c.row + pb_dir_row[order[k]]);
		c.col = (int8_t)(c.col + pb_dir_col[order[k]]);
		if (order[k] != PB_STAY && !pb_zumy_has(open, c.row, c.col))
			continue;
		for (int i = 0; i < v->s->opts->patrols; i++)
			sum += pb_zumy_manhattan(c, v->s->patrol[i].body.at);
		if (sum > most) {
			most = sum;
			best = order[k];
		}
	}
	return best;
}

enum pb_dir
pb_zumy_astar_plan(const struct pb_zumy_view *v, struct pb_zumy_path *way)
{
	const struct pb_zumy_ground *g = &v->s->board->ground;
	struct pb_zumy_set open = g->open;
	struct pb_zumy_cell near[PB_ZUMY_PATROLS];
	struct pb_zumy_search s = {.ground = g,
	    .open = &open,
	    .near = near,
	    .n = v->s->opts->patrols,
	    .start_prices = pb_zumy_slips(v->s->opts, PB_ZUMY_START_PRICES)};
	enum pb_dir d;

	for (int i = 0; i < s.n; i++)
		near[i] = v->s->patrol[i].body.at;
	pb_zumy_block_views(v, &open);
	pb_zumy_find(&s, v->s->player.at, g->goal, way);
	d = pb_zumy_first(way);
	return d != PB_STAY ? d : hide(v, &open);
}

static enum pb_dir
astar(const void *view)
{
	struct pb_zumy_path way;

	return pb_zumy_astar_plan(view, &way);
}

const struct pb_player pb_zumy_astar = {.name = "astar",
    .summary = "the published player: out of the patrols' views",
    .choose = astar};

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
 * in the search the mean, and then each way to the goal is tried in games with
 * times that are drawn, all in a few, the best quarter of them in three times
 * as many, and so on. What is left of the way that won is kept, and driven
 * without another search as long as nearly all of its trials reach the goal.
 */
#define BEAM     PB_ZUMY_BEST /* states that go on after each move, at most */
#define DEPTH    500          /* moves at most */
#define MOST     300          /* ticks more of a move than it takes in step */
#define WAYS     40    /* to the goal in mean times, and as many in others */
#define TRIALS   24    /* of each of them at first */
#define FINAL    4     /* so few are left at the last trials */
#define CHECKS   12    /* trials of the way that was kept ... */
#define SURE     11    /* ... which is driven on if so many reach the goal */
#define PATIENCE 6     /* waits of one trial for a cell that is not free */
#define REST     16    /* decisions between looks at all that find no end */
#define FRESH    30000 /* ticks of a leg whose time is not known yet */

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
	signed char move[DEPTH]; /* enum pb_dir */
};

struct thought {
	struct way way; /* to here */
	/* A body is in the next cell so many ticks before its leg's end, looks
	 * aside so many before it looks where it turns, and so many quarters
	 * from where it looked. */
	int16_t in[PB_ZUMY_ROBOTS], aside[PB_ZUMY_ROBOTS];
	int16_t quarters[PB_ZUMY_ROBOTS];
	struct pb_zumy s; /* of its patrols those who play */
};

/* The best thoughts after so many moves. */
struct beam {
	struct pb_zumy_best best;
	struct thought slot[BEAM];
};

/* What lasts from one decision to the next, and what a search goes through. */
struct search {
	struct care care;
	bool lost; /* in step, for certain */
	int rest;  /* decisions before he looks at all again */
	struct pb_zumy_pace pace;
	double spread;   /* by which it was measured, -1: it was not */
	struct way kept; /* what is left of the chosen one, n 0: none */
	uint64_t stuck;  /* key of the last state without a way, 0: none */

	bool bodies, drawn; /* times of legs are drawn, in trials */
	bool left;          /* some states were not looked at */
	struct pb_zumy_opts o;
	struct pb_rng rng; /* of times */
	struct beam beam[2];
	struct thought now, trial;
	struct pb_zumy_met met;
	struct way way[2 * WAYS]; /* to the goal */
	int ways, wanted;
};

static void
copy(struct thought *to, const struct thought *from)
{
	int n = from->s.opts->patrols;

	memcpy(to, from,
	    offsetof(struct thought, s.patrol) +
		(size_t)n * sizeof(from->s.patrol[0]));
}

/* A leg after so many quarter turns. */
static const struct pb_zumy_leg *
leg(struct search *h, int quarters)
{
	return &h->pace.leg[quarters][h->drawn
					  ? pb_rng_below(&h->rng, PB_ZUMY_LEGS)
					  : PB_ZUMY_LEGS];
}

/* A body of t is under way: what is left of that takes longer with noise. */
static void
resume(struct search *h, struct thought *t, int robot, struct pb_zumy_body *b)
{
	const struct pb_zumy_leg *l = leg(h, 0);
	double longer = l->there / h->pace.quiet;
	bool in = pb_zumy_same(b->at, b->to);
	int left = (int)(longer * b->drive + 0.5), turn = 0;

	if (b->facing != b->turning)
		turn = b->turn > h->pace.ahead ? b->turn - h->pace.ahead : 1;
	left += b->turn - turn > 0 ? b->turn - turn : 0;
	t->aside[robot] = 0;
	t->in[robot] = (int16_t)(l->there - l->in);
	if (!in && left <= t->in[robot])
		left = t->in[robot] + 1;
	b->turn = (int16_t)turn;
	b->drive = (int16_t)(left > 0 ? left : 1);
}

/* The game as it is, in thought. */
static void
think(struct search *h, struct thought *t)
{
	copy(t, &h->now);
	for (int i = 0; h->bodies && i < h->o.patrols; i++)
		if (t->s.patrol[i].body.drive > 0)
			resume(h, t, 1 + i, &t->s.patrol[i].body);
}

/* Begin to search. */
static void
begin(struct search *h, const struct pb_zumy_view *v, uint64_t seed)
{
	struct pb_zumy *s = &h->now.s;
	const struct pb_estimate_opts *e = &v->s->opts->bodies.rover.estimate;
	double spread;

	h->bodies = v->fleet != NULL;
	h->ways = 0;
	h->o = *v->s->opts;
	if (h->o.model == PB_ZUMY_PUBLISHED)
		h->o.goals.learnt = 0;
	h->now.way.n = 0;
	/* Of this decision: the next begins anew, so a copy stays good. */
	*s = *v->s;
	s->opts = &h->o;
	if (!h->bodies)
		return;
	spread = pb_onboard_spread(&v->fleet->aboard, 0, e->sd);
	if (spread != h->spread)
		pb_zumy_pace_measure(&h->pace, s->board, &h->o, spread, seed);
	h->spread = spread;
	/* See pace(). */
	h->o.cell_time = FRESH;
	h->o.turn_time = 1;
	s->player.misread = s->player.unread = false;
	for (int i = 0; i < h->o.patrols; i++) {
		struct pb_zumy_body *b = &s->patrol[i].body;

		b->misread = b->unread = false;
	}
}

struct motion {
	struct search *h;
	struct thought *t;
};

/* A tick of a body; as it sets out, `turn` are quarters. */
static bool
pace(void *ctx, int robot, struct pb_zumy_body *b)
{
	const struct motion *m = ctx;

	if (b->drive == 0)
		return false;
	if (b->drive == FRESH) {
		const struct pb_zumy_leg *l = leg(m->h, b->turn);

		b->turn = l->facing;
		b->drive = (int16_t)(l->there - l->facing);
		m->t->in[robot] = (int16_t)(l->there - l->in);
		m->t->aside[robot] =
		    (int16_t)(l->aside > 0 ? l->facing - l->aside : 0);
		m->t->quarters[robot] = l->way;
		if (b->turn == 0)
			b->facing = b->turning;
	}
	if (b->turn > 0) {
		if (--b->turn == 0)
			b->facing = b->turning;
		else if (b->turn == m->t->aside[robot])
			b->facing =
			    (int8_t)((b->facing + m->t->quarters[robot]) % 4);
		return false;
	}
	if (--b->drive <= m->t->in[robot])
		b->at = b->to;
	return b->drive == 0;
}

/* Play on in thought until the player decides again. */
static void
play_on(struct search *h, struct thought *t, enum pb_dir d)
{
	int wait = d == PB_STAY ? h->care.wait : 1;
	struct motion with = {h, t};
	const struct pb_zumy_motor m = {pace, &with};
	struct pb_zumy *s = &t->s;
	/* By a slip, he may never come to decide again. */
	int most = s->tick + MOST +
	           (h->bodies ? 0 : 2 * (h->o.cell_time + 2 * h->o.turn_time));

	if (t->way.n < DEPTH)
		t->way.move[t->way.n++] = (signed char)d;
	do {
		pb_zumy_tick(s, d, NULL, h->bodies ? &m : NULL);
		d = PB_STAY;
	} while (s->ending == PB_ZUMY_ON && s->tick < most &&
		 (--wait > 0 || !pb_zumy_asks(s)));
}

/* Keep t if it is among the best. */
static void
keep(struct search *h, struct beam *to, const struct thought *t)
{
	int place;

	h->left = h->left || to->best.n == h->care.beam;
	place =
	    pb_zumy_best_place(&to->best, h->care.beam, pb_zumy_worth(&t->s));
	if (place >= 0)
		copy(&to->slot[place], t);
}

/* Note a way to the goal; whether there is room for more. */
static bool
note(struct search *h, const struct way *w)
{
	h->way[h->ways] = *w;
	h->way[h->ways].tried = h->way[h->ways].won = 0;
	return ++h->ways < h->wanted;
}

/*
 * All moves from the thoughts of a beam, the best of what follows into `next`.
 *
 * Returns  whether more ways to the goal are wanted
 */
static bool
deeper(struct search *h, const struct beam *b, struct beam *next, int *looks)
{
	struct thought *t = &h->trial;

	next->best.n = 0;
	for (int i = 0; i < b->best.n; i++)
		for (int d = 0; d <= PB_STAY && *looks > 0; d++) {
			const struct thought *from = &b->slot[b->best.order[i]];

			if (d != PB_STAY &&
			    !pb_zumy_may(&from->s, 0, (enum pb_dir)d))
				continue;
			copy(t, from);
			play_on(h, t, (enum pb_dir)d);
			--*looks;
			if (t->s.ending == PB_ZUMY_REACHED) {
				if (!note(h, &t->way))
					return false;
			} else if (t->way.n == 1 ||
				   (t->s.ending == PB_ZUMY_ON &&
				       pb_zumy_met_new(&h->met,
					   pb_zumy_key(&t->s, h->care.wait,
					       h->care.belief))))
				keep(h, next, t);
		}
	return true;
}

/*
 * Find ways to the goal.
 *
 * Returns  the move that leads to the best of the last states
 */
static int
find_ways(struct search *h, int looks)
{
	int first = PB_STAY;
	struct beam *b = &h->beam[0], *next = &h->beam[1];

	think(h, &b->slot[0]);
	pb_zumy_met_clear(&h->met, h->care.met);
	h->left = false;
	b->best.n = 1;
	b->best.order[0] = 0;
	for (int depth = 0; depth < h->care.depth && looks > 0 && b->best.n > 0;
	     depth++) {
		struct beam *was = b;

		first =
		    depth > 0 ? b->slot[b->best.order[0]].way.move[0] : first;
		if (!deeper(h, b, next, &looks))
			break;
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

	h->drawn = false;
	h->care = few;
	h->wanted = h->bodies ? WAYS : 1;
	first = find_ways(h, looks);
	if (!h->bodies) {
		if (h->ways == 0 && h->o.model == PB_ZUMY_TRUE)
			look_at_all(h, looks);
		return first;
	}
	h->drawn = true;
	h->wanted = h->ways + WAYS;
	pb_rng_start(&h->rng, seed, 0, PB_FOR_SENSOR, 0);
	find_ways(h, looks);
	return first;
}

/* One more trial of way w. */
static void
try_way(struct search *h, uint64_t seed, struct way *w)
{
	struct thought *t = &h->trial;
	int waits = 0;

	h->drawn = h->bodies;
	pb_rng_start(&h->rng, seed, (uint64_t)w->tried, PB_FOR_MOTION, 0);
	think(h, t);
	for (int i = 0; i < w->n && t->s.ending == PB_ZUMY_ON;) {
		enum pb_dir d = (enum pb_dir)w->move[i];

		if (d == PB_STAY || pb_zumy_may(&t->s, 0, d))
			i++;
		else if (waits++ == PATIENCE)
			break;
		else
			d = PB_STAY;
		play_on(h, t, d);
	}
	w->tried++;
	w->won += t->s.ending == PB_ZUMY_REACHED;
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
	if (pb_zumy_key(&h->now.s, few.wait, few.belief) == h->stuck)
		return;
	if (h->bodies && h->kept.n > 0)
		note(h, &h->kept);
	first = find_all(h, v->s->opts->nodes, seed);
	h->stuck =
	    h->ways == 0 ? pb_zumy_key(&h->now.s, few.wait, few.belief) : 0;
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
	h->spread = -1;
}

static const struct pb_player zumy_sneak = {.name = "sneak",
    .summary = "plays on in thought: patrols are machines",
    .memory = sneak_memory,
    .lasting = offsetof(struct search, bodies),
    .reset = sneak_reset,
    .decide = sneak_decide};

const struct pb_player *const pb_zumy_players[] = {&zumy_random, &zumy_direct,
    &pb_zumy_astar, &zumy_sneak, &pb_zumy_oracle, NULL};
