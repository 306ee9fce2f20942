/* zumy_sneak.c - players of the Zumy game who play on in thought. */
#include <stddef.h>
#include <string.h>

#include "base/hash.h"
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
#define MET      ((size_t)1 << 22) /* keys of states, at most */
#define BEAM     12000 /* states that go on after each move, at most */
#define DEPTH    500   /* moves at most */
#define MOST     300   /* ticks more of a move than it takes in step */
#define RISK     10.0  /* that a leg is seen for certain is worth (steps) */
#define WAYS     40    /* to the goal in mean times, and as many in others */
#define MORE     8     /* moves of ways that are looked for after the first */
#define TRIALS   24    /* of each of them at first */
#define FINAL    4     /* so few are left at the last trials */
#define CHECKS   12    /* trials of the way that was kept ... */
#define SURE     11    /* ... which is driven on if so many reach the goal */
#define PATIENCE 6     /* waits of one trial for a cell that is not free */
#define REST     16    /* decisions between looks at all that find no end */

/* How finely a player searches. */
struct care {
	int beam, depth;
	int wait;   /* ticks of a move that stands still */
	int belief; /* steps of 1 in which beliefs differ */
	size_t met; /* places of states, a power of two */
};
static const struct care few = {300, 90, 14, 8, 1 << 17};
static const struct care all = {BEAM, DEPTH, 2, 64, MET};

/* The best of many states, by places; the states are the owner's. */
struct best {
	int n, order[BEAM]; /* of the first n places, the best first */
	double worth[BEAM]; /* by place */
};

/* Keys of states that were met. */
struct met {
	size_t places, n;
	uint64_t key[MET]; /* of those in use; 0: none */
};

/* What a state is worth, lower is better: steps to the goal and what the
 * patrols believe to see; if he was seen, it is more than any other's. */
static double
worth_of(const struct pb_zumy *s)
{
	const struct pb_cells *c = &s->board->cells;
	struct pb_zumy_cell goal = s->board->ground.goal;
	int at = pb_cells_at(c, s->player.at.row, s->player.at.col);
	double sum = pb_cells_dist(c, at, pb_cells_at(c, goal.row, goal.col)) +
	             0.0003 * s->tick;

	if (s->ending == PB_ZUMY_SEEN)
		return 1e6 - s->tick;
	for (int i = 0; i < s->opts->patrols; i++) {
		int d = pb_zumy_manhattan(s->patrol[i].body.at, s->player.at);

		sum += 10 * s->patrol[i].s + 2.0 / (d + 1);
	}
	return sum;
}

static uint64_t
hash_cell(uint64_t h, struct pb_zumy_cell c)
{
	return pb_hash_u64(h, (uint64_t)(c.row * PB_ZUMY_SIDE + c.col));
}

static uint64_t
hash_body(uint64_t h, const struct pb_zumy_body *b, int grain)
{
	h = hash_cell(hash_cell(h, b->at), b->to);
	return pb_hash_u64(h, (uint64_t)b->facing +
				  4u * (unsigned)(b->turn / grain) +
				  1024u * (unsigned)(b->drive / grain));
}

/* States of one key have nearly the same future: moves that have as many ticks
 * left, and beliefs that are alike. Never 0. */
static uint64_t
key_of(const struct pb_zumy *s, const struct care *c)
{
	uint64_t h = hash_body(PB_HASH_START, &s->player, c->wait);

	for (int i = 0; i < s->opts->patrols; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		h = hash_cell(hash_body(h, &p->body, c->wait), p->map.last);
		h = pb_hash_u64(h, (uint64_t)(p->s * c->belief));
		for (int r = 0; r < s->board->ground.rows; r++)
			h = pb_hash_u64(h, p->map.known.row[r]);
	}
	return h != 0 ? h : 1;
}

/*
 * Where to put a state that is worth so much, if so many are kept; of equals
 * the first stays ahead.
 *
 * Returns  its place; -1 if it is not among the best
 */
static int
best_place(struct best *b, int most, double worth)
{
	int i = b->n, place = i;

	if (i < most) {
		b->n++;
	} else {
		place = b->order[--i];
		if (worth >= b->worth[place])
			return -1;
	}
	for (; i > 0 && b->worth[b->order[i - 1]] > worth; i--)
		b->order[i] = b->order[i - 1];
	b->order[i] = place;
	b->worth[place] = worth;
	return place;
}

/* None was met. */
static void
met_clear(struct met *m, size_t places)
{
	m->places = places;
	m->n = 0;
	memset(m->key, 0, places * sizeof(m->key[0]));
}

/* Whether a key was not met before; now it is, while half of the places are
 * free. */
static bool
met_new(struct met *m, uint64_t key)
{
	size_t last = m->places - 1, i = key & last;

	for (; m->key[i] != 0; i = (i + 1) & last)
		if (m->key[i] == key)
			return false;
	if (m->n < m->places / 2) {
		m->key[i] = key;
		m->n++;
	}
	return true;
}

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
	struct best best;
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
	struct met met;
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
	place = best_place(
	    &to->best, h->care.beam, worth_of(&t->game.s) + RISK * t->way.risk);
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
				       met_new(&h->met,
					   key_of(&t->game.s, &h->care))))
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
	met_clear(&h->met, h->care.met);
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
	if (key_of(&h->now.game.s, &few) == h->stuck)
		return;
	if (h->bodies && h->kept.n > 0)
		note(h, &h->kept);
	first = find_all(h, v->s->opts->nodes, seed);
	h->stuck = h->ways == 0 ? key_of(&h->now.game.s, &few) : 0;
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

/*
 * A measure, not a player that one could build: its rate is about the most that
 * any player could reach in the same games. He plays on with the robots
 * themselves and with the very errors that will be drawn, his own moves in all
 * orders that seem worth it: the best few states after each, none that he has
 * met before, until one is in the goal. Then he drives what led to it. As
 * states are cut he may miss a way, so he is a little less than the most.
 */
#define KNOWN 1000 /* states that go on after each move, at most */

/* More finely where he found nothing. */
static const struct care known_few = {300, DEPTH, 14, 8, MET};
static const struct care known_all = {KNOWN, DEPTH, 4, 64, MET};

struct move {
	int tick; /* in which he decides so */
	enum pb_dir dir;
};

struct future {
	int n;
	struct move move[DEPTH]; /* to here; waits are none */
	struct pb_zumy_fleet f;  /* in step f.s alone plays */
};

struct futures {
	struct best best;
	struct future slot[KNOWN];
};

struct oracle {
	bool planned;
	int n, next; /* moves; those that he has made */
	struct move move[DEPTH];

	bool bodies;
	const struct care *care;
	struct pb_zumy_opts o;
	struct futures beam[2];
	struct future trial;
	struct met met;
};

/* The game as it is. Localizers are not asked in thought: there, their errors
 * are drawn. */
static void
foresee(struct oracle *h, const struct pb_zumy_view *v, struct future *t)
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
go_on(const struct oracle *h, struct future *t, enum pb_dir d)
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
keep_future(const struct oracle *h, struct futures *to, const struct future *t)
{
	int place = best_place(&to->best, h->care->beam, worth_of(&t->f.s));

	if (place >= 0)
		to->slot[place] = *t;
}

/*
 * All moves from the thoughts of a beam, the best of what follows into `next`.
 *
 * Returns  whether h->trial has reached the goal
 */
static bool
further(
    struct oracle *h, const struct futures *b, struct futures *next, int *looks)
{
	struct future *t = &h->trial;

	next->best.n = 0;
	for (int i = 0; i < b->best.n; i++)
		for (int d = 0; d <= PB_STAY && *looks > 0; d++) {
			const struct future *from = &b->slot[b->best.order[i]];
			const struct pb_zumy *s = &t->f.s;

			if (d != PB_STAY &&
			    !pb_zumy_may(&from->f.s, 0, (enum pb_dir)d))
				continue;
			*t = *from;
			go_on(h, t, (enum pb_dir)d);
			--*looks;
			if (s->ending == PB_ZUMY_REACHED)
				return true;
			if (s->ending == PB_ZUMY_ON &&
			    met_new(&h->met, key_of(s, h->care)))
				keep_future(h, next, t);
		}
	return false;
}

/* Find a way from where the game is. */
static void
find_future(struct oracle *h, const struct pb_zumy_view *v, int *looks)
{
	struct futures *b = &h->beam[0], *next = &h->beam[1];

	met_clear(&h->met, h->care->met);
	b->best.n = 1;
	b->best.order[0] = 0;
	foresee(h, v, &b->slot[0]);
	for (int depth = 0; depth < h->care->depth && b->best.n > 0; depth++) {
		struct futures *was = b;

		if (further(h, b, next, looks)) {
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
	struct oracle *h = mem;
	bool exact = !v->fleet || !v->fleet->aboard.b;
	int looks = v->s->opts->nodes, tick = v->s->tick;

	(void)known;
	if (!h->planned || (!exact && v->s->waits % known_few.wait == 0)) {
		h->planned = true;
		h->n = h->next = 0;
		h->care = &known_few;
		find_future(h, v, &looks);
		h->care = &known_all;
		if (exact && h->n == 0)
			find_future(h, v, &looks);
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
	return sizeof(struct oracle);
}

static void
oracle_reset(void *mem, const void *known, const void *view)
{
	struct oracle *h = mem;

	(void)known;
	(void)view;
	h->planned = false;
	h->n = h->next = 0;
}

const struct pb_player pb_zumy_oracle = {.name = "oracle",
    .summary = "knows all errors to come: what can be reached, no player",
    .memory = oracle_memory,
    .lasting = offsetof(struct oracle, bodies),
    .reset = oracle_reset,
    .decide = oracle_decide};
