/* bot_search.c - a player of Pacbot that looks ahead in the exact engine. */
#include <math.h>

#include "base/hash.h"
#include "policy/beam.h"
#include "policy/bots.h"
#include "policy/search_value.h"

/*
 * Beam search: from the game as it is, play every move of every kept state in
 * the exact engine, value the outcomes, keep the best few that differ, and so
 * on to the horizon; then take the first move of the best line.
 *
 * Ghosts are predicted exactly but for their turns while frightened. Then a
 * line that fits one made-up future proves little, so each first move is
 * searched in several futures, the same for all moves, and the average
 * decides; shorter, because the longer a line the more it fits its future.
 * So it is before a power pellet is eaten, which makes the ghosts roam.
 */
enum {
	DEPTH = 40,         /* moves ahead */
	FUTURES = 8,        /* while a ghost is frightened */
	FUTURES_DEPTH = 12, /* moves ahead in them */
};

struct node {
	struct pb_pacbot s;
	int ticks;     /* since the decision */
	int due;       /* ticks to the next update, at least 1 */
	uint8_t first; /* the move that led here */
};

/* States: those of the beam, and one in the making. */
struct layer {
	struct node *node;
	struct pb_beam beam;
};

/*
 * Memory of a game, followed by 2 * (width + 1) nodes and two beams. What it
 * holds from one decision to the next are numbers: copying it is a snapshot.
 */
struct memory {
	struct pb_at believed; /* where his own moves have put Pac-Man */
	int lives, level;
	int since; /* tick at which the last power pellet was eaten */
	int power; /* power pellets left */
	int width;
	struct node node[];
};

struct search {
	const struct pb_bot_view *v;
	struct pb_search_aim aim;
	struct layer now, next;
	int width; /* states kept */
	int depth;
	uint64_t future; /* number of the made-up future */
	double best;     /* value of the best line */
	int first;       /* its first move */
};

static int
beam_width(const struct pb_match_opts *o)
{
	int w = o->nodes / (DEPTH * 3);

	return w < 4 ? 4 : w > PB_BEAM_WIDEST ? PB_BEAM_WIDEST : w;
}

static size_t
memory(const struct pb_match_opts *o)
{
	int w = beam_width(o);

	return sizeof(struct memory) +
	       2 * ((size_t)(w + 1) * sizeof(struct node) + pb_beam_size(w));
}

static void
new_life(struct memory *m, const struct pb_bot_view *v)
{
	m->believed = v->s->pac;
	m->lives = v->s->lives;
	m->level = v->s->level;
	m->power = pb_search_power(v->s, &v->board->rules);
	m->since = v->s->tick;
}

static void
reset(void *mem, const struct pb_bot_view *v)
{
	struct memory *m = mem;

	m->width = beam_width(v->opts);
	new_life(m, v);
}

/* Made-up turns of frightened ghosts: a counter, mixed. */
static int
pick(void *ctx, int ghost, int n)
{
	uint64_t *c = ctx, x;

	*c += UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)ghost;
	x = (*c ^ *c >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
	return (int)((x >> 33) % (uint64_t)n);
}

static int
ticks_to_update(const struct pb_pacbot *s)
{
	return s->period - s->tick % s->period;
}

/* Let `ticks` pass, updates included, or until the game pauses. */
static void
pass(struct node *n, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw, int ticks)
{
	struct pb_pacbot *s = &n->s;

	while (!s->paused) {
		int end = s->tick + ticks;

		if (n->due > ticks || s->tick + n->due >= UINT16_MAX) {
			s->tick =
			    (uint16_t)(end < UINT16_MAX ? end : UINT16_MAX - 1);
			n->due -= ticks;
			return;
		}
		ticks -= n->due;
		s->tick = (uint16_t)(s->tick + n->due);
		s->ticked = true;
		pb_pacbot_update(s, k, draw);
		n->due = ticks_to_update(s);
	}
}

/* What two states must share to be one: all that decides what comes next. */
static uint64_t
key_of(const struct pb_pacbot *s)
{
	uint64_t h = (uint64_t)s->pac.row << 8 | (uint64_t)s->pac.col;

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];

		h = h * UINT64_C(0x100000001b3) +
		    ((uint64_t)(uint8_t)g->loc.row << 24 |
			(uint64_t)(uint8_t)g->loc.col << 16 |
			(uint64_t)g->loc.dir << 8 | (uint64_t)(g->fright > 0));
	}
	return h;
}

/* n: the state after waiting or moving in direction d from p. */
static void
follow(const struct search *q, const struct node *p, int d, uint64_t luck,
    struct node *n)
{
	const struct pb_pacbot_rules *k = &q->v->board->rules;
	const struct pb_match_opts *o = q->v->opts;
	struct pb_arcade_draw draw = {pick, &luck};
	int turn = d != PB_STAY && d != p->s.pac.dir ? o->turn_ticks : 0;

	*n = *p;
	n->ticks += turn + o->ticks_per_cell;
	if (turn > 0)
		pass(n, k, &draw, turn);
	if (d != PB_STAY) {
		pb_pacbot_move(&n->s, k, d);
		if (n->s.period != p->s.period)
			n->due = ticks_to_update(&n->s);
	}
	pass(n, k, &draw, o->ticks_per_cell);
}

static unsigned
choices(const struct search *q, const struct pb_pacbot *s)
{
	return q->v->board->rules.board.exits[s->pac.row][s->pac.col] |
	       1u << PB_STAY;
}

static void
consider(struct search *q, double value, int first)
{
	if (value <= q->best)
		return;
	q->best = value;
	q->first = first;
}

/* Keep the state n, which is in the making, if it is good enough. */
static void
judge(struct search *q, const struct node *n)
{
	const struct pb_pacbot *s = q->v->s;
	double value, floor = -INFINITY;
	bool ends = n->s.lives < s->lives || n->s.level != s->level;
	uint64_t key = 0;
	int at = 0;

	if (!ends) {
		key = key_of(&n->s);
		floor = pb_beam_floor(&q->next.beam, key, &at);
	}
	value = pb_search_value(&q->aim, &n->s, n->ticks, floor);
	if (ends)
		consider(q, value, n->first);
	else if (value > floor)
		pb_beam_keep(&q->next.beam, at, key, value);
}

/* One move of every kept state; only `moves` where it is the first. */
static void
expand(struct search *q, int depth, unsigned moves)
{
	const struct pb_pacbot *s = q->v->s;
	uint64_t luck = pb_hash_u64(s->tick + q->future * 100003, depth);
	struct layer done;

	pb_beam_empty(&q->next.beam, q->width);
	for (int i = 0; i < q->now.beam.n; i++) {
		const struct node *p = &q->now.node[q->now.beam.slot[i]];
		unsigned to = choices(q, &p->s) & moves;

		for (int d = 0; d <= PB_STAY; d++) {
			struct node *n;

			if (!(to >> d & 1))
				continue;
			n = &q->next.node[pb_beam_spare(&q->next.beam)];
			follow(q, p, d, luck, n);
			if (depth == 0)
				n->first = (uint8_t)d;
			judge(q, n);
		}
	}
	done = q->now;
	q->now = q->next;
	q->next = done;
}

/* Search from `now`, its first move one of `moves`: sets best and first. */
static void
run_beam(struct search *q, const struct pb_pacbot *now, unsigned moves)
{
	struct pb_beam *b = &q->now.beam;

	q->best = -1e300;
	q->first = PB_STAY;
	pb_beam_empty(b, 1);
	q->now.node[pb_beam_spare(b)] =
	    (struct node){.s = *now, .due = ticks_to_update(now)};
	pb_beam_keep(b, 0, 0, 0);
	for (int depth = 0; depth < q->depth && q->now.beam.n > 0; depth++)
		expand(q, depth, depth == 0 ? moves : ~0u);
	b = &q->now.beam;
	for (int i = 0; i < b->n; i++)
		consider(q, b->value[i], q->now.node[b->slot[i]].first);
}

/* The move that is best on the average of several futures. */
static int
average(struct search *q, const struct pb_pacbot *now, int width)
{
	unsigned moves = choices(q, now);
	double best = -1e300;
	int first = PB_STAY, n = 0;

	for (int d = 0; d <= PB_STAY; d++)
		n += moves >> d & 1;
	q->depth = FUTURES_DEPTH;
	q->width = width * DEPTH / (FUTURES_DEPTH * FUTURES * n);
	if (q->width < 2)
		q->width = 2;
	for (int d = 0; d <= PB_STAY; d++) {
		double sum = 0;

		if (!(moves >> d & 1))
			continue;
		for (q->future = 0; q->future < FUTURES; q->future++) {
			run_beam(q, now, 1u << d);
			sum += q->best;
		}
		if (sum > best) {
			best = sum;
			first = d;
		}
	}
	return first;
}

static bool
frightened(const struct pb_pacbot *s)
{
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		if (s->ghost[i].fright > 0)
			return true;
	return false;
}

/* Whether going in direction d from s leads to a power pellet. */
static bool
eats_power(const struct pb_bot_view *v, const struct pb_pacbot *s, int d)
{
	const struct pb_pacbot_rules *k = &v->board->rules;
	struct pb_at to = pb_arcade_step(s->pac, d);

	return d != PB_STAY && to.row >= 0 && to.row < PB_PACBOT_ROWS &&
	       (s->pellets[to.row] & k->power[to.row]) >> to.col & 1;
}

static int
choose(struct memory *m, const struct pb_bot_view *v, struct pb_pacbot now)
{
	struct search q = {.v = v,
	    .aim = pb_search_aim(v, m->since),
	    .now = {.node = m->node},
	    .next = {.node = m->node + m->width + 1},
	    .width = m->width,
	    .depth = DEPTH};
	char *beams = (char *)(q.next.node + m->width + 1);

	pb_beam_place(&q.now.beam, beams, m->width);
	pb_beam_place(&q.next.beam, beams + pb_beam_size(m->width), m->width);
	if (frightened(&now))
		return average(&q, &now, m->width);
	run_beam(&q, &now, ~0u);
	if (eats_power(v, &now, q.first))
		return average(&q, &now, m->width);
	return q.first;
}

/*
 * Whether the camera shows Pac-Man where he cannot be if his moves went well,
 * late and wrong as it is.
 */
static bool
strayed(const struct pb_bot_view *v, struct pb_at believed)
{
	const struct pb_cells *c = &v->board->cells;
	const struct pb_match_opts *o = v->opts;
	int seen = pb_cells_at(c, v->s->pac.row, v->s->pac.col);
	int here = pb_cells_at(c, believed.row, believed.col);
	int moved =
	    (o->camera_delay + o->ticks_per_cell - 1) / o->ticks_per_cell;

	return seen >= 0 && (here < 0 || pb_cells_dist(c, here, seen) >
					     moved + (o->wrong_cell > 0));
}

static int
decide(void *mem, const struct pb_bot_view *v)
{
	struct memory *m = mem;
	struct pb_pacbot now = *v->s;
	int d, power = pb_search_power(v->s, &v->board->rules);

	if (v->s->lives != m->lives || v->s->level != m->level) {
		new_life(m, v);
		m->believed = (struct pb_at){23, 13, PB_RIGHT};
	}
	if (power != m->power) {
		m->power = power;
		m->since = v->s->tick;
	}
	/* The camera is late and may be wrong; his own moves seldom are. */
	if (strayed(v, m->believed)) {
		m->believed.row = v->s->pac.row;
		m->believed.col = v->s->pac.col;
	}
	now.pac = m->believed;
	d = choose(m, v, now);
	if (d == PB_STAY)
		return d;
	m->believed.dir = (uint8_t)d;
	if (v->board->rules.board.exits[now.pac.row][now.pac.col] >> d & 1)
		m->believed = pb_arcade_step(m->believed, d);
	return d;
}

const struct pb_bot pb_bot_search = {
    "search", "looks ahead in the exact engine", memory, reset, decide};
