/* zumy_players.c - the players of the Zumy game. */
#include <string.h>

#include "base/hash.h"
#include "game/zumy/zumy_drive.h"
#include "policy/players.h"
#include "policy/zumy_players.h"

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
 * after every move (a beam), none that he has met before, until one reaches
 * the goal. Bodies drive in thought as they do, but for their noise.
 */
#define BEAM     32   /* states that go on after each move */
#define DEPTH    64   /* moves at most */
#define WAIT     14   /* ticks of a move that stands still */
#define SEEN_ALL 1e6  /* what a state is worth in which all is lost */
#define MET      8192 /* places for states that were met, a power of two */
#define MOST     300  /* ticks more of a move than it takes in step */
#define BELIEF   8    /* steps in which beliefs differ */

struct thought {
	struct pb_zumy_fleet f; /* in step, f.s alone plays */
	double worth;           /* lower is better */
	signed char first;      /* move, -1: none yet */
};

/* What a search goes through. */
struct search {
	bool bodies;
	struct pb_zumy_opts o; /* without noise */
	struct thought beam[2][BEAM];
	uint64_t met[MET]; /* keys, 0: none */
	int mets;
};

/* Steps to the goal and what the patrols believe to see. */
static double
worth(const struct pb_zumy *s)
{
	const struct pb_cells *c = &s->board->cells;
	struct pb_zumy_cell goal = s->board->ground.goal;
	int at = pb_cells_at(c, s->player.at.row, s->player.at.col);
	double sum = pb_cells_dist(c, at, pb_cells_at(c, goal.row, goal.col)) +
	             0.01 * s->tick / s->opts->cell_time;

	if (s->ending == PB_ZUMY_SEEN)
		return SEEN_ALL - s->tick;
	for (int i = 0; i < s->opts->patrols; i++) {
		int d = pb_zumy_manhattan(s->patrol[i].body.at, s->player.at);

		sum += 10 * s->patrol[i].s + 2.0 / (d + 1);
	}
	return sum;
}

/* The game as it is; bodies are where they believe to be. */
static void
begin(struct search *h, const struct pb_zumy_view *v)
{
	struct thought *t = &h->beam[0][0];

	h->bodies = v->fleet != NULL;
	memset(h->met, 0, sizeof(h->met));
	h->mets = 0;
	h->o = *v->s->opts;
	h->o.bodies.cell_noise = h->o.bodies.rover.slip = 0;
	h->o.bodies.rover.estimate.sd = h->o.bodies.rover.estimate.th_sd = 0;
	h->o.bodies.rover.localizer = PB_ROVER_NOISE;
	t->first = -1;
	if (v->fleet == NULL)
		t->f.s = *v->s;
	else
		t->f = *v->fleet;
	t->f.aboard = (struct pb_onboard_crew){.b = NULL};
	for (int i = 0; v->fleet != NULL && i <= h->o.patrols; i++)
		t->f.rover[i].pose = t->f.rover[i].seen;
	/* Of this decision: the next begins anew, so a copy stays good. */
	t->f.s.opts = &h->o;
}

/* Play on in thought until the player decides again. */
static void
play_on(struct search *h, struct thought *t, enum pb_dir d)
{
	int wait = d == PB_STAY ? WAIT : 1;
	struct pb_zumy *s = &t->f.s;
	/* By a slip, he may never come to decide again. */
	int most = s->tick + MOST + 2 * (h->o.cell_time + 2 * h->o.turn_time);

	if (t->first < 0)
		t->first = (signed char)d;
	do {
		if (h->bodies)
			pb_zumy_fleet_tick(&t->f, d, NULL);
		else
			pb_zumy_tick(s, d, NULL, NULL);
		d = PB_STAY;
	} while (s->ending == PB_ZUMY_ON && s->tick < most &&
		 (--wait > 0 || !pb_zumy_asks(s)));
	t->worth = worth(s);
}

static uint64_t
hash_cell(uint64_t h, struct pb_zumy_cell c)
{
	return pb_hash_u64(h, (uint64_t)(c.row * PB_ZUMY_SIDE + c.col));
}

static uint64_t
hash_body(uint64_t h, const struct pb_zumy_body *b)
{
	h = hash_cell(hash_cell(h, b->at), b->to);
	return pb_hash_u64(h, (uint64_t)b->facing + 4u * (b->turn / WAIT) +
				  1024u * (unsigned)(b->drive / WAIT));
}

/* States of one key have nearly the same future. */
static uint64_t
key_of(const struct pb_zumy *s, int patrols)
{
	uint64_t h = hash_body(PB_HASH_START, &s->player);

	for (int i = 0; i < patrols; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		h = hash_cell(hash_body(h, &p->body), p->map.last);
		h = pb_hash_u64(h, (uint64_t)(p->s * BELIEF));
		for (int r = 0; r < PB_ZUMY_SIDE; r++)
			h = pb_hash_u64(h, p->map.known.row[r]);
	}
	return h != 0 ? h : 1;
}

/* Whether a state was not met before; now it is, while there is a place. */
static bool
is_new(struct search *h, const struct pb_zumy *s)
{
	uint64_t key = key_of(s, h->o.patrols);
	size_t i = key % MET;

	for (; h->met[i] != 0; i = (i + 1) % MET)
		if (h->met[i] == key)
			return false;
	if (h->mets < MET / 2) {
		h->met[i] = key;
		h->mets++;
	}
	return true;
}

/* Keep t among the best BEAM of next[0..*n), sorted. */
static void
keep(struct thought *next, int *n, const struct thought *t)
{
	int i = *n;

	if (i == BEAM && t->worth >= next[BEAM - 1].worth)
		return;
	if (i == BEAM)
		i--;
	else
		++*n;
	for (; i > 0 && next[i - 1].worth > t->worth; i--)
		next[i] = next[i - 1];
	next[i] = *t;
}

/*
 * All moves from beam[a][0..n), the best of what follows into the other beam.
 *
 * Returns  how many; -1: one reaches the goal, its first move in *first
 */
static int
deeper(struct search *h, int a, int n, bool first_move, int *looks, int *first)
{
	int next = 0;

	for (int i = 0; i < n; i++)
		for (int d = 0; d <= PB_STAY && *looks > 0; d++) {
			struct thought t = h->beam[a][i];

			if (d != PB_STAY &&
			    !pb_zumy_may(&t.f.s, 0, (enum pb_dir)d))
				continue;
			play_on(h, &t, (enum pb_dir)d);
			--*looks;
			if (t.f.s.ending == PB_ZUMY_REACHED) {
				*first = t.first;
				return -1;
			}
			if (first_move ||
			    (t.f.s.ending == PB_ZUMY_ON && is_new(h, &t.f.s)))
				keep(h->beam[1 - a], &next, &t);
		}
	return next;
}

/* Where no way is found, the move that leads to the best of the last states. */
static void
sneak_decide(
    void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_zumy_view *v = view;
	struct search *h = mem;
	int n = 1, looks = v->s->opts->nodes, a = 0, first = PB_STAY;

	/* What was best to wait for is worth waiting for. */
	(void)known;
	if (v->s->waits % WAIT != 0)
		return;
	begin(h, v);
	for (int depth = 0; depth < DEPTH && looks > 0; depth++) {
		n = deeper(h, a, n, depth == 0, &looks, &first);
		a = 1 - a;
		if (n <= 0)
			break;
		first = h->beam[a][0].first;
	}
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

static const struct pb_player zumy_sneak = {.name = "sneak",
    .summary = "plays on in thought: patrols are machines",
    .memory = sneak_memory,
    .decide = sneak_decide};

const struct pb_player *const pb_zumy_players[] = {
    &zumy_random, &zumy_direct, &pb_zumy_astar, &zumy_sneak, NULL};
