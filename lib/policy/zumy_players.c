/* zumy_players.c - the players of the Zumy game; sneak is a beam search. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/beam.h"
#include "base/hash.h"
#include "policy/players.h"

/*
 * Patrols decide deterministically, by their cameras and the player's moves, so
 * the player simulates them: a beam search over its moves, with the step of the
 * rules, until some sequences of moves reach the goal.
 *
 * The time of a body's leg (one cell) is taken from legs driven in advance with
 * the same noise: their mean in one search, times drawn from them in another.
 * The value of a state falls the nearer a patrol came to seeing the player on
 * the way to it. The sequences with the least danger are tried in rollouts with
 * drawn times, by successive halving; the best is driven while its rollouts
 * win.
 */
#define DEPTH      500   /* moves of a sequence, at most */
#define LONGEST    300   /* ticks of a leg with noise, at most */
#define UNDRAWN    30000 /* ticks of a leg whose times are not drawn yet */
#define ASIDE      11    /* ticks left of a half turn, see is_looking_aside */
#define TABLE_KEYS ((size_t)1 << 17) /* keys of the transposition table */
#define RISK       10.0 /* cost of a leg seen for certain (steps) */
#define WAYS_MOST  20   /* sequences that a search keeps */
#define MORE       8  /* moves searched on after the first sequence is found */
#define TRIALS     24 /* rollouts of each sequence at first */
#define FINAL      4  /* sequences that the last rollouts compare */
#define CHECKS     12 /* rollouts of the sequence being driven ... */
#define SURE       11 /* ... of which this many must win */
#define REST       16 /* decisions between fine searches */
#define PATIENCE   6  /* waits of a rollout for a cell that is not free */

/* Resolution of a search. */
struct care {
	int width;  /* states kept after each move */
	int wait;   /* ticks of a move that stands still */
	int belief; /* distinct levels of a patrol's belief */
};
static const struct care coarse = {300, 14, 8};
static const struct care fine = {PB_BEAM_WIDEST, 4, 16};

/* A state of the search; only patrols in play are stored. */
struct node {
	double risk;                /* danger of the moves to here, summed up */
	int16_t in[PB_ZUMY_ROBOTS]; /* ticks of a leg left in its last cell */
	struct pb_zumy s;
};

/* The move that made a node from one of the layer before. */
struct link {
	int16_t slot;
	int16_t move; /* enum pb_dir */
};

struct layer {
	struct pb_beam beam;
	char *node; /* by slot */
};

/* A sequence of moves to the goal, and what came of its rollouts. */
struct way {
	int n, tried, won;
	double risk;
	signed char move[DEPTH]; /* enum pb_dir */
};

struct search {
	const struct care *care;
	int rest;        /* decisions before the next fine search */
	struct way kept; /* rest of the chosen sequence, n 0: none */
	uint64_t stuck;  /* key of the last state without a sequence, or 0 */
	double spread;   /* pose errors in `pace`, < 0: not measured */
	struct pb_zumy_pace pace;

	/* Work of one decision. */
	bool legs;    /* bodies move by the times of legs */
	bool drawn;   /* times of legs are drawn; else their mean is used */
	size_t bytes; /* bytes of a node */
	struct pb_zumy_opts o;
	struct pb_rng rng;
	struct layer layer[2];
	struct link *link; /* by depth and slot: link */
	uint64_t
	    met[TABLE_KEYS]; /* hash of the last state of a slot; 0: none */
	struct node now, trial;
	struct way way[1 + 2 * WAYS_MOST];
	int ways, before; /* sequences; those of earlier searches */
};

/* Time of a leg that begins with this many quarter turns. */
static const struct pb_zumy_leg *
leg_after(struct search *h, int quarters)
{
	return &h->pace.leg[quarters][h->drawn
					  ? pb_rng_below(&h->rng, PB_ZUMY_LEGS)
					  : PB_ZUMY_LEGS];
}

/* Set the legs of robots under way: with noise they last longer than the rules'
 * forecast, and a body looks ahead before its turn ends. */
static void
resume_legs(struct search *h, struct node *n)
{
	for (int i = 0; i <= h->o.patrols; i++) {
		struct pb_zumy_body *b = pb_zumy_body(&n->s, i);
		const struct pb_zumy_leg *g;
		int turn = b->turn - h->pace.ahead, least;

		if (b->drive == 0)
			continue;
		g = leg_after(h, 0);
		n->in[i] = (int16_t)(g->there - g->in);
		least = pb_zumy_same(b->at, b->to) ? 1 : n->in[i] + 1;
		b->drive = (int16_t)(g->there / h->pace.quiet * b->drive + 0.5);
		if (b->facing == b->turning)
			turn = 0;
		else if (turn < 1)
			turn = 1;
		if (b->turn > turn)
			b->drive = (int16_t)(b->drive + b->turn - turn);
		if (b->drive < least)
			b->drive = (int16_t)least;
		b->turn = (int16_t)turn;
	}
}

/* Whether a body looks to one side in the middle of a half turn: its heading
 * error falls from 3/4 to 1/4 pi in ln 3 = 1.1 s. The side is unknown. */
static bool
is_looking_aside(const struct pb_zumy_body *b)
{
	return b->turn == ASIDE && (b->facing + 2) % 4 == b->turning;
}

struct motion {
	struct search *h;
	struct node *n;
	bool event; /* in this tick a body set out, turned, or changed cells */
};

/* Callback of struct pb_zumy_motor: move a body for a tick by the times of
 * legs. */
static bool
advance(void *ctx, int robot, struct pb_zumy_body *b)
{
	struct motion *m = ctx;
	struct search *h = m->h;

	if (b->drive == 0)
		return false;
	if (b->drive == UNDRAWN) {
		const struct pb_zumy_leg *g = leg_after(h, b->turn);

		b->turn = g->facing;
		b->drive = (int16_t)(g->there - g->facing);
		m->n->in[robot] = (int16_t)(g->there - g->in);
		m->event = true;
	}
	if (b->turn > 0) {
		b->turn--;
		if (is_looking_aside(b)) {
			int left = h->drawn && pb_rng_below(&h->rng, 2);

			b->facing = (int8_t)((b->facing + 1 + 2 * left) % 4);
			m->event = true;
		}
	} else {
		b->drive--;
		if (b->drive <= m->n->in[robot] &&
		    !pb_zumy_same(b->at, b->to)) {
			b->at = b->to;
			m->event = true;
		}
	}
	if (b->turn == 0 && b->facing != b->turning) {
		b->facing = b->turning;
		m->event = true;
	}
	m->event |= b->drive == 0;
	return b->drive == 0;
}

/* Simulate a tick; returns whether a body set out, turned, or changed cells. */
static bool
simulate_tick(struct search *h, struct node *n, enum pb_dir d)
{
	struct motion m = {h, n, false};
	const struct pb_zumy_motor motor = {advance, &m};

	pb_zumy_tick(&n->s, d, NULL, h->legs ? &motor : NULL);
	return m.event;
}

/*
 * How nearly a patrol sees the player, 0..1: the largest share, over all
 * patrols, of the cases that a small timing error makes possible. Either robot
 * is at its cell or its next one, and the patrol looks ahead or in its next
 * direction.
 */
static double
sighting_risk(const struct pb_zumy *s)
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

/* Simulate a move until the player decides again, which as published may never
 * happen. risk: add the largest danger on the way. */
static void
play_move(struct search *h, struct node *n, enum pb_dir d, bool risk)
{
	struct pb_zumy *s = &n->s;
	int left = d == PB_STAY ? h->care->wait : 1;
	int end = s->tick + LONGEST +
	          (h->legs ? 0 : 2 * (h->o.cell_time + 2 * h->o.turn_time));
	double worst = 0;

	do {
		bool event = simulate_tick(h, n, d);

		d = PB_STAY;
		if (risk && event && s->ending == PB_ZUMY_ON)
			worst = fmax(worst, sighting_risk(s));
	} while (s->ending == PB_ZUMY_ON && s->tick < end &&
		 (--left > 0 || !pb_zumy_asks(s)));
	n->risk += worst;
}

/* Cost of a node, lower is better: steps to the goal, the risk of being seen,
 * the patrols' beliefs and their nearness; ticks break ties. */
static double
compute_cost(const struct node *n)
{
	const struct pb_zumy *s = &n->s;
	const struct pb_cells *c = &s->board->cells;
	struct pb_zumy_cell goal = s->board->ground.goal;
	int at = pb_cells_at(c, s->player.at.row, s->player.at.col);
	double sum = pb_cells_dist(c, at, pb_cells_at(c, goal.row, goal.col)) +
	             0.0003 * s->tick + RISK * n->risk;

	for (int i = 0; i < s->opts->patrols; i++) {
		int d = pb_zumy_manhattan(s->patrol[i].body.at, s->player.at);

		sum += 10 * s->patrol[i].s + 2.0 / (d + 1);
	}
	return sum;
}

static uint64_t
hash_body(uint64_t h, const struct pb_zumy_body *b, int grain)
{
	h = pb_hash_u64(h, (uint64_t)(b->at.row * PB_ZUMY_SIDE + b->at.col));
	h = pb_hash_u64(h, (uint64_t)(b->to.row * PB_ZUMY_SIDE + b->to.col));
	return pb_hash_u64(h, (uint64_t)b->facing +
				  4u * (unsigned)(b->turn / grain) +
				  1024u * (unsigned)(b->drive / grain));
}

/* Key of a state, never 0; states of one key have nearly the same future. */
static uint64_t
key_of(const struct pb_zumy *s, const struct care *c)
{
	uint64_t h = hash_body(PB_HASH_START, &s->player, c->wait);

	for (int i = 0; i < s->opts->patrols; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		h = hash_body(h, &p->body, c->wait);
		h = pb_hash_u64(h, (uint64_t)(p->map.last.row * PB_ZUMY_SIDE +
					      p->map.last.col));
		h = pb_hash_u64(h, (uint64_t)(p->s * c->belief));
		for (int r = 0; r < s->board->ground.rows; r++)
			h = pb_hash_u64(h, p->map.known.row[r]);
	}
	return h != 0 ? h : 1;
}

/* Whether a key is new to the transposition table; it is then stored in place
 * of another. */
static bool
is_new(struct search *h, uint64_t key)
{
	uint64_t *at = &h->met[(key ^ key >> 32) % TABLE_KEYS];
	bool new = *at != key;

	*at = key;
	return new;
}

static struct node *
node_of(const struct search *h, const struct layer *l, int slot)
{
	return (struct node *)(l->node + (size_t)slot * h->bytes);
}

static struct link *
link_of(const struct search *h, int depth, int slot)
{
	return &h->link[(size_t)depth * (PB_BEAM_WIDEST + 1) + (size_t)slot];
}

/* Fill w with the moves to the node in a slot of the layer after n moves. */
static void
trace_moves(const struct search *h, int n, int slot, struct way *w)
{
	w->n = n;
	w->tried = w->won = 0;
	while (n-- > 0) {
		const struct link *l = link_of(h, n, slot);

		w->move[n] = (signed char)l->move;
		slot = l->slot;
	}
}

/* A slot for a sequence of this risk: a free one, else that of the riskiest;
 * NULL: that one is less risky. */
static struct way *
find_way_slot(struct search *h, double risk)
{
	struct way *most = &h->way[h->before];

	if (h->ways - h->before < WAYS_MOST)
		return &h->way[h->ways++];
	for (struct way *w = most; w < h->way + h->ways; w++)
		if (w->risk > most->risk)
			most = w;
	return risk < most->risk ? most : NULL;
}

/* Expand the nodes of a layer by all moves, and keep the best results in `to`.
 * Without noise one sequence to the goal is enough. */
static void
expand(struct search *h, const struct layer *from, struct layer *to, int depth,
    int *looks)
{
	pb_beam_empty(&to->beam, h->care->width);
	for (int k = 0; k < 5 * from->beam.n; k++) {
		int d = k % 5, slot = from->beam.slot[k / 5], at;
		const struct node *p = node_of(h, from, slot);
		int spare = pb_beam_spare(&to->beam);
		struct node *n = node_of(h, to, spare);
		uint64_t key;
		double value;

		if (d != PB_STAY &&
		    !pb_zumy_can_drive(&p->s, 0, (enum pb_dir)d))
			continue;
		if (--*looks < 0)
			return;
		memcpy(n, p, h->bytes);
		play_move(h, n, (enum pb_dir)d, true);
		*link_of(h, depth, spare) =
		    (struct link){(int16_t)slot, (int16_t)d};
		if (n->s.ending == PB_ZUMY_REACHED) {
			struct way *w = find_way_slot(h, n->risk);

			if (w) {
				trace_moves(h, depth + 1, spare, w);
				w->risk = n->risk;
			}
			if (!h->legs)
				return;
		}
		key = key_of(&n->s, h->care);
		if (n->s.ending != PB_ZUMY_ON || !is_new(h, key))
			continue;
		value = -compute_cost(n);
		if (value > pb_beam_floor(&to->beam, key, &at))
			pb_beam_keep(&to->beam, at, key, value);
	}
}

/* Complete the state that a search or a rollout starts from. */
static void
set_up_node(struct search *h, struct node *n)
{
	memcpy(n, &h->now, h->bytes);
	if (h->legs)
		resume_legs(h, n);
}

/*
 * Beam search for sequences to the goal.
 *
 * Returns  the move that leads to the best of the last states
 */
static enum pb_dir
find_ways(struct search *h, const struct care *care, int looks)
{
	struct layer *from = &h->layer[0], *to = &h->layer[1];
	int depth, more = MORE, best = 0;
	struct way *w = &h->way[h->ways];

	h->care = care;
	h->before = h->ways;
	memset(h->met, 0, sizeof(h->met));
	pb_beam_empty(&from->beam, 1);
	set_up_node(h, node_of(h, from, pb_beam_spare(&from->beam)));
	pb_beam_keep(&from->beam, 0, 0, 0);
	for (depth = 0; depth < DEPTH && more >= 0 && looks > 0; depth++) {
		struct layer *was = from;

		expand(h, from, to, depth, &looks);
		if (h->ways > h->before)
			more = h->legs ? more - 1 : -1;
		if (to->beam.n == 0 || looks <= 0)
			break;
		from = to;
		to = was;
	}
	for (int i = 1; i < from->beam.n; i++)
		if (from->beam.value[i] > from->beam.value[best])
			best = i;
	if (h->ways > h->before || depth == 0)
		return PB_STAY;
	trace_moves(h, depth, from->beam.slot[best], w);
	return (enum pb_dir)w->move[0];
}

/* Run a rollout of a sequence, and count it. */
static void
run_rollout(struct search *h, uint64_t seed, struct way *w)
{
	struct node *n = &h->trial;
	int waits = 0;

	h->drawn = true;
	pb_rng_start(&h->rng, seed, (uint64_t)w->tried, PB_FOR_MOTION, 0);
	set_up_node(h, n);
	for (int i = 0; i < w->n && n->s.ending == PB_ZUMY_ON;) {
		enum pb_dir d = (enum pb_dir)w->move[i];

		if (d == PB_STAY || pb_zumy_can_drive(&n->s, 0, d))
			i++;
		else if (waits++ == PATIENCE)
			break;
		else
			d = PB_STAY;
		play_move(h, n, d, false);
	}
	w->tried++;
	w->won += n->s.ending == PB_ZUMY_REACHED;
}

/* Sort by wins, best first; a stable sort. */
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

/* Successive halving: few rollouts of all sequences, three times as many of the
 * best quarter, and so on. The best is then first. */
static void
choose_way(struct search *h, uint64_t seed)
{
	int n = h->ways;

	for (int trials = TRIALS; n > 0; trials *= 3) {
		for (int i = 0; i < n; i++)
			while (h->way[i].tried < trials)
				run_rollout(h, seed, &h->way[i]);
		sort_ways(h->way, n);
		if (n <= FINAL)
			break;
		n = (n + 3) / 4;
	}
}

/* Whether the rest of the current sequence still wins. */
static bool
still_wins(struct search *h, uint64_t seed)
{
	struct way *w = &h->kept;
	int trials = h->legs ? CHECKS : 1;

	w->tried = w->won = 0;
	while (w->n > 0 && w->tried < trials)
		run_rollout(h, seed, w);
	return w->n > 0 && w->won >= (h->legs ? SURE : 1);
}

/* Return the first move of a sequence, and keep the rest. */
static enum pb_dir
drive_way(struct search *h, const struct way *w)
{
	enum pb_dir first = (enum pb_dir)w->move[0];

	h->kept = *w;
	h->kept.n--;
	memmove(h->kept.move, h->kept.move + 1, sizeof(w->move) - 1);
	return first;
}

/* Bytes of a node with the patrols in play. */
static size_t
node_bytes(const struct pb_zumy_opts *o)
{
	return offsetof(struct node, s.patrol) +
	       (size_t)o->patrols * sizeof(struct pb_zumy_patrol);
}

/* Copy the current game. The player does not know the errors of localizers:
 * they are drawn with their default size. */
static void
observe(struct search *h, const struct pb_zumy_view *v, uint64_t seed)
{
	const struct pb_rover_opts *r = &v->s->opts->bodies.rover;
	double spread;
	char *mem = (char *)(h + 1);

	h->legs = v->fleet != NULL;
	h->o = *v->s->opts;
	h->bytes = node_bytes(&h->o);
	h->ways = 0;
	for (int i = 0; i < 2; i++) {
		pb_beam_place(&h->layer[i].beam, mem, PB_BEAM_WIDEST);
		mem += pb_beam_size(PB_BEAM_WIDEST);
		h->layer[i].node = mem;
		mem += (PB_BEAM_WIDEST + 1) * h->bytes;
	}
	h->link = (struct link *)mem;
	h->now.s = *v->s;
	h->now.s.opts = &h->o;
	h->now.risk = 0;
	h->o.bodies.rover.localizer = PB_ROVER_NOISE;
	if (!h->legs)
		return;
	spread = pb_onboard_spread(&v->fleet->onboard, 0, r->estimate.sd);
	if (spread != h->spread)
		pb_zumy_pace_measure(
		    &h->pace, h->now.s.board, v->s->opts, spread, seed);
	h->spread = spread;
	h->o.cell_time = UNDRAWN;
	h->o.turn_time = 1;
	for (int i = 0; i <= h->o.patrols; i++) {
		struct pb_zumy_body *b = pb_zumy_body(&h->now.s, i);

		b->misread = b->unread = false;
	}
}

/* Go on with a sequence while it wins, else search one; without one, move
 * towards the best of the states that the search reached last. */
static void
decide(void *mem, const void *model, const void *view, struct pb_answer *out)
{
	const struct pb_zumy_view *v = view;
	struct search *h = mem;
	int looks = v->s->opts->nodes;
	uint64_t seed, key;

	(void)model;
	if (v->s->waits % h->care->wait != 0)
		return;
	seed = v->fleet ? pb_rng_u64(v->rng) : 0;
	observe(h, v, seed);
	key = key_of(&h->now.s, &coarse);
	if (still_wins(h, seed)) {
		out->dir = drive_way(h, &h->kept);
		return;
	}
	/* The state has not changed: another search finds nothing new. */
	if (key == h->stuck)
		return;
	if (h->legs && h->kept.n > 0)
		h->way[h->ways++] = h->kept;
	h->drawn = false;
	out->dir = find_ways(h, &coarse, looks);
	if (h->legs) {
		h->drawn = true;
		pb_rng_start(&h->rng, seed, 0, PB_FOR_SENSOR, 0);
		find_ways(h, &coarse, looks);
	} else if (h->ways == 0 && h->rest-- == 0) {
		h->rest = REST;
		find_ways(h, &fine, looks);
	}
	h->stuck = h->ways == 0 ? key : 0;
	if (h->legs)
		choose_way(h, seed);
	h->kept.n = 0;
	if (h->ways == 0)
		h->care = &coarse;
	else if (!h->legs || h->way[0].won > 0)
		out->dir = drive_way(h, &h->way[0]);
}

static size_t
memory(const void *world, const void *opts, const void *model)
{
	(void)world;
	(void)model;
	return sizeof(struct search) + 2 * pb_beam_size(PB_BEAM_WIDEST) +
	       (PB_BEAM_WIDEST + 1) *
	           (2 * node_bytes(opts) + DEPTH * sizeof(struct link));
}

static void
reset(void *mem, const void *model, const void *view)
{
	struct search *h = mem;

	(void)model;
	(void)view;
	h->care = &coarse;
	h->rest = 0;
	h->kept.n = 0;
	h->stuck = 0;
	h->spread = -1;
}

const struct pb_player pb_zumy_sneak = {.name = "sneak",
    .summary = "beam search over its moves, with simulated patrols",
    .memory = memory,
    .lasting = offsetof(struct search, legs),
    .reset = reset,
    .decide = decide};

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
		struct pb_zumy_cell c =
		    pb_zumy_beside(v->s->player.at, order[k]);
		int sum = 0;

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
	    .start_prices = pb_zumy_as_published(v->s->opts)};
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

const struct pb_player *const pb_zumy_players[] = {
    &zumy_random, &zumy_direct, &pb_zumy_astar, &pb_zumy_sneak, NULL};
