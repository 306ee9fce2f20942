/* bot_search.c - a player of Pacbot that looks ahead in the exact engine. */
#include <string.h>

#include "base/hash.h"
#include "policy/bots.h"

/*
 * Beam search: from the game as it is, play every move of every kept state
 * in the exact engine, value the outcomes, keep the best few that differ, and
 * so on to the horizon; then take the first move of the best line. Ghosts are
 * predicted exactly but for their turns while frightened, which are drawn
 * from one made-up stream, the same for all lines of a decision.
 */
enum {
	DEPTH = 40,  /* moves ahead */
	WIDEST = 512 /* states kept, at most */
};

/* What the player wants, in points of the game. */
#define HOLD       2400.0 /* a power pellet kept for later */
#define HOLD_END   0.0    /* the same when it has been kept for too long */
#define HOLD_TICKS 3000.0 /* too long */
#define FEW        40     /* pellets: below 20 the ghosts speed up */
#define DEATH      4000.0 /* a life */
#define PER_TICK   0.05   /* lost time */
#define PER_CELL   1.0    /* distance to the nearest pellet */
#define PELLET     40.0   /* a pellet eaten, beside its points */

struct node {
	struct pb_pacbot s;
	double value;
	uint64_t key;
	int ticks;     /* since the decision */
	uint8_t first; /* the move that led here */
	bool ended;    /* dead, or the level cleared */
};

struct memory {
	struct pb_at believed; /* where his own moves have put Pac-Man */
	int lives, level;
	int since; /* tick at which the last power pellet was eaten */
	int power; /* power pellets left */
	bool few;  /* pellets are: no more holding */
	int width;
	struct node node[]; /* 2 * width: kept and next */
};

static int
beam_width(const struct pb_match_opts *o)
{
	int w = o->nodes / (DEPTH * 3);

	return w < 4 ? 4 : w > WIDEST ? WIDEST : w;
}

static size_t
memory(const struct pb_match_opts *o)
{
	return sizeof(struct memory) +
	       2 * (size_t)beam_width(o) * sizeof(struct node);
}

static int
power_left(const struct pb_pacbot *s, const struct pb_pacbot_rules *k)
{
	int n = 0;

	for (int r = 0; r < PB_PACBOT_ROWS; r++)
		for (uint32_t b = s->pellets[r] & k->power[r]; b; b &= b - 1)
			n++;
	return n;
}

static void
reset(void *mem, const struct pb_bot_view *v)
{
	struct memory *m = mem;

	m->width = beam_width(v->opts);
	m->believed = v->s->pac;
	m->lives = v->s->lives;
	m->level = v->s->level;
	m->power = power_left(v->s, &v->board->rules);
	m->since = v->s->tick;
	m->few = false;
}

/* Made-up turns of frightened ghosts: a counter, mixed. */
static int
pick(void *ctx, int ghost, int n)
{
	uint64_t *c = ctx;

	*c += UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)ghost;
	return (int)(((*c ^ *c >> 31) * UINT64_C(0xbf58476d1ce4e5b9) >> 33) %
		     (uint64_t)n);
}

/* Let `ticks` pass, updates included, or until the game pauses. */
static void
pass(struct pb_pacbot *s, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw, int ticks)
{
	int end = s->tick + ticks;

	while (!s->paused) {
		int next = (s->tick / s->period + 1) * s->period;

		if (next > end || next >= UINT16_MAX) {
			s->tick =
			    (uint16_t)(end < UINT16_MAX ? end : UINT16_MAX - 1);
			return;
		}
		s->tick = (uint16_t)next;
		s->ticked = true;
		pb_pacbot_begin(s, k, draw);
	}
}

/*
 * Points that the frightened ghosts are still worth: nearest first, each with
 * the chance that he is caught before he thaws.
 */
static double
prey(const struct pb_pacbot *s, const struct pb_bot_view *v, int from)
{
	const struct pb_cells *c = &v->board->cells;
	double worth = 0, time = 0;
	int dist[PB_ARCADE_GHOSTS] = {0}, left[PB_ARCADE_GHOSTS], n = 0;

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];
		int at = pb_cells_at(c, g->loc.row, g->loc.col), d, k;

		if (g->fright == 0 || g->eaten || at < 0)
			continue;
		d = pb_cells_dist(c, from, at);
		for (k = n++; k > 0 && dist[k - 1] > d; k--) {
			dist[k] = dist[k - 1];
			left[k] = left[k - 1];
		}
		dist[k] = d;
		left[k] = g->fright * s->period;
	}
	for (int k = 0; k < n; k++) {
		/* He flees at random: the chase takes longer than the way. */
		double far = k == 0 ? dist[0] : dist[k] - dist[k - 1] + 3;
		double chance;

		time += 1.35 * far * v->opts->ticks_per_cell;
		chance = (left[k] - time) / (0.5 * left[k] + 40);
		chance = chance < 0 ? 0 : chance > 0.95 ? 0.95 : chance;
		worth +=
		    chance * (200 << (s->combo + k < 4 ? s->combo + k : 3));
	}
	return worth;
}

static int
nearest_pellet(const struct pb_pacbot *s, const struct pb_cells *c, int from)
{
	const int16_t *near = c->near + (size_t)from * (size_t)c->n;

	for (int k = 0; k < c->n && near[k] >= 0; k++) {
		const struct pb_cell_at *p = &c->cell[near[k]];

		if (s->pellets[p->row] >> p->col & 1)
			return pb_cells_dist(c, from, near[k]);
	}
	return 0;
}

/* Worth of the power pellets that are left: the next one's wears off. */
static double
keeping(const struct memory *m, const struct pb_pacbot *s, int power)
{
	double age = power < m->power ? 0 : (s->tick - m->since) / HOLD_TICKS;
	double next = HOLD - (HOLD - HOLD_END) * (age < 1 ? age : 1);

	if (power == 0)
		return 0;
	if (m->few)
		return power * HOLD_END;
	return (power - 1) * HOLD + next;
}

static double
value(const struct memory *m, const struct node *n, const struct pb_bot_view *v)
{
	const struct pb_pacbot *s = &n->s;
	const struct pb_cells *c = &v->board->cells;
	int power, from = pb_cells_at(c, s->pac.row, s->pac.col);
	double worth = s->score - PER_TICK * n->ticks;

	if (s->lives < v->s->lives)
		return worth - DEATH - PELLET * s->left + 2 * n->ticks;
	if (s->level != v->s->level)
		return worth;
	if (from < 0)
		return worth - DEATH;
	power = power_left(s, &v->board->rules);
	worth += keeping(m, s, power);
	worth += prey(s, v, from) - PELLET * s->left;
	return worth - PER_CELL * nearest_pellet(s, c, from);
}

/* What two states must share to be one: all that decides what comes next. */
static uint64_t
key(const struct pb_pacbot *s)
{
	uint64_t h = PB_HASH_START;

	h = (h ^ ((uint64_t)s->pac.row << 8 | (uint64_t)s->pac.col)) *
	    UINT64_C(0x100000001b3);
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];
		uint64_t b = (uint64_t)(uint8_t)g->loc.row << 24 |
		             (uint64_t)(uint8_t)g->loc.col << 16 |
		             (uint64_t)g->loc.dir << 8 |
		             (uint64_t)(g->fright > 0);

		h = (h ^ b) * UINT64_C(0x100000001b3);
	}
	return h;
}

/*
 * Put n into the list of at most `width` best, best last; drop it if a better
 * one with its key is there.
 */
static int
keep(struct node *list, int count, int width, const struct node *n)
{
	int at;

	for (int i = 0; i < count; i++)
		if (list[i].key == n->key) {
			if (list[i].value >= n->value)
				return count;
			memmove(&list[i], &list[i + 1],
			    (size_t)(count - i - 1) * sizeof *list);
			count--;
			break;
		}
	if (count == width) {
		if (list[0].value >= n->value)
			return count;
		memmove(&list[0], &list[1], (size_t)(count - 1) * sizeof *list);
		count--;
	}
	for (at = count; at > 0 && list[at - 1].value > n->value; at--)
		list[at] = list[at - 1];
	list[at] = *n;
	return count + 1;
}

/* The state after waiting or moving in direction d from p. */
static void
follow(const struct memory *m, struct node *n, const struct node *p, int d,
    bool root, const struct pb_bot_view *v, uint64_t luck)
{
	const struct pb_pacbot_rules *k = &v->board->rules;
	struct pb_arcade_draw draw = {pick, &luck};
	int turn = d != PB_STAY && d != p->s.pac.dir ? v->opts->turn_ticks : 0;

	n->s = p->s;
	n->first = root ? (uint8_t)d : p->first;
	n->ticks = p->ticks + turn + v->opts->ticks_per_cell;
	if (turn > 0)
		pass(&n->s, k, &draw, turn);
	if (d != PB_STAY)
		pb_pacbot_move(&n->s, k, d);
	pass(&n->s, k, &draw, v->opts->ticks_per_cell);
	n->ended = n->s.lives < v->s->lives || n->s.level != v->s->level;
	n->value = value(m, n, v);
	n->key = key(&n->s);
}

static int
search(struct memory *m, const struct pb_bot_view *v, struct pb_pacbot now)
{
	struct node *a = m->node, *b = m->node + m->width, n;
	struct node best = {.value = -1e18, .first = PB_STAY};
	int kept = 1, next;

	a[0] = (struct node){.s = now, .first = PB_STAY};
	for (int depth = 0; depth < DEPTH && kept > 0; depth++) {
		uint64_t luck = pb_hash_u64(now.tick, (uint64_t)depth);

		next = 0;
		for (int i = 0; i < kept; i++) {
			unsigned exits =
			    v->board->rules.board
				.exits[a[i].s.pac.row][a[i].s.pac.col] |
			    1u << PB_STAY;

			for (int d = 0; d <= PB_STAY; d++) {
				if (!(exits >> d & 1))
					continue;
				follow(m, &n, &a[i], d, depth == 0, v, luck);
				if (!n.ended)
					next = keep(b, next, m->width, &n);
				else if (n.value > best.value)
					best = n;
			}
		}
		struct node *t = a;
		a = b;
		b = t;
		kept = next;
	}
	if (kept > 0 && a[kept - 1].value > best.value)
		best = a[kept - 1];
	return best.first;
}

static int
decide(void *mem, const struct pb_bot_view *v)
{
	struct memory *m = mem;
	struct pb_pacbot now = *v->s;
	int d, power;

	if (v->s->lives != m->lives || v->s->level != m->level) {
		m->lives = v->s->lives;
		m->level = v->s->level;
		m->believed = (struct pb_at){23, 13, PB_RIGHT};
	}
	power = power_left(v->s, &v->board->rules);
	if (power != m->power) {
		m->power = power;
		m->since = v->s->tick;
	}
	/*
	 * Asked once a decision: lines that cross the bound must not lose by
	 * it, or the last pellet above it would never be eaten.
	 */
	m->few = v->s->left <= FEW;
	/* The camera is late and may be wrong; his own moves are not. */
	now.pac = m->believed;
	d = search(m, v, now);
	if (d != PB_STAY) {
		m->believed.dir = (uint8_t)d;
		if (v->board->rules.board
			    .exits[m->believed.row][m->believed.col] >>
			d &
		    1)
			m->believed = pb_arcade_step(m->believed, d);
	}
	return d;
}

const struct pb_bot pb_bot_search = {
    "search", "looks ahead in the exact engine", memory, reset, decide};
