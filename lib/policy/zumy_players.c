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
 * after every move (a beam), none that he has met before, until some reach the
 * goal. There bodies drive as they do, but for their noise.
 *
 * With the usual noise a cell takes them a quarter longer and now and then a
 * second more or less, and then patrols meet the player where no way is left.
 * So ways to the goal are tried in games with noise, the same for every way:
 * all in a few, the best quarter of them in three times as many, and so on.
 * What is left of the way that won is kept, and driven without another search
 * as long as nearly all of its trials reach the goal.
 */
#define BEAM     96    /* states that go on after each move, in step ... */
#define BODIES   32    /* ... and with bodies, which cost more */
#define DEPTH    64    /* moves at most */
#define WAIT     14    /* ticks of a move that stands still */
#define SEEN_ALL 1e6   /* what a state is worth in which all is lost */
#define MET      65536 /* places for states that were met, a power of two */
#define MOST     300   /* ticks more of a move than it takes in step */
#define BELIEF   8     /* steps in which beliefs differ */
#define WAYS     32    /* to the goal of which one is chosen */
#define TRIALS   4     /* of each of them at first */
#define FINAL    4     /* so few are left at the last trials */
#define CHECKS   12    /* trials of the way that was kept ... */
#define SURE     11    /* ... which is driven on if so many reach the goal */
#define PATIENCE 6     /* waits of one trial for a cell that is not free */

/* Moves from where the player decides, and what came of them in trials. */
struct way {
	int n, tried, won;
	signed char move[DEPTH]; /* enum pb_dir */
};

struct thought {
	struct pb_zumy_fleet f; /* in step, f.s alone plays */
	double worth;           /* lower is better */
	struct way way;         /* to here */
};

/* What a search goes through. */
struct search {
	bool bodies;
	struct pb_zumy_opts o;     /* without noise */
	struct pb_zumy_opts noisy; /* with that of the bodies' estimates */
	struct thought beam[2][BEAM];
	struct thought trial;
	uint64_t met[MET]; /* keys, 0: none */
	int mets;
	struct way way[WAYS]; /* to the goal */
	int ways;
	struct way kept; /* what is left of the chosen one, n 0: none */
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

/* The game as it is, in thought, by options of the search. */
static void
copy(struct thought *t, const struct pb_zumy_view *v,
    const struct pb_zumy_opts *o)
{
	if (v->fleet == NULL)
		t->f.s = *v->s;
	else
		t->f = *v->fleet;
	t->f.aboard = (struct pb_onboard_crew){.b = NULL};
	/* Of this decision: the next begins anew, so a copy stays good. */
	t->f.s.opts = o;
	t->way.n = 0;
}

/* A localizer's errors are drawn, too, as large as it says that they are. */
static struct pb_estimate_opts
errors(const struct pb_zumy_view *v)
{
	struct pb_estimate_opts e = v->s->opts->bodies.rover.estimate;
	double sd = pb_onboard_spread(&v->fleet->aboard, 0, e.sd);

	if (e.sd > 0)
		e.th_sd *= sd / e.sd;
	e.sd = sd;
	return e;
}

/* Begin to search; bodies are where they believe to be. */
static void
begin(struct search *h, const struct pb_zumy_view *v)
{
	struct pb_rover_opts *r = &h->o.bodies.rover;
	struct thought *t = &h->beam[0][0];

	h->bodies = v->fleet != NULL;
	memset(h->met, 0, sizeof(h->met));
	h->mets = h->ways = 0;
	h->o = *v->s->opts;
	r->localizer = PB_ROVER_NOISE;
	if (h->o.model == PB_ZUMY_PUBLISHED)
		h->o.goals.learnt = 0;
	h->noisy = h->o;
	if (h->bodies)
		h->noisy.bodies.rover.estimate = errors(v);
	h->o.bodies.cell_noise = r->slip = 0;
	r->estimate.sd = r->estimate.th_sd = 0;
	copy(t, v, &h->o);
	for (int i = 0; h->bodies && i <= h->o.patrols; i++)
		t->f.rover[i].pose = t->f.rover[i].seen;
}

/* Play on in thought until the player decides again. */
static void
play_on(struct search *h, struct thought *t, enum pb_dir d)
{
	int wait = d == PB_STAY ? WAIT : 1;
	struct pb_zumy *s = &t->f.s;
	/* By a slip, he may never come to decide again. */
	int most = s->tick + MOST + 2 * (h->o.cell_time + 2 * h->o.turn_time);

	if (t->way.n < DEPTH)
		t->way.move[t->way.n++] = (signed char)d;
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

/* Keep t among the best `most` of next[0..*n), sorted. */
static void
keep(struct thought *next, int most, int *n, const struct thought *t)
{
	int i = *n;

	if (i == most && t->worth >= next[most - 1].worth)
		return;
	if (i == most)
		i--;
	else
		++*n;
	for (; i > 0 && next[i - 1].worth > t->worth; i--)
		next[i] = next[i - 1];
	next[i] = *t;
}

/* Note a way to the goal; whether there is room for more. */
static bool
note(struct search *h, const struct way *w)
{
	h->way[h->ways] = *w;
	h->way[h->ways].tried = h->way[h->ways].won = 0;
	return ++h->ways < (h->bodies ? WAYS : 1);
}

/*
 * All moves from beam[a][0..n), the best of what follows into the other beam.
 *
 * Returns  how many; 0, too, if there are enough ways to the goal
 */
static int
deeper(struct search *h, int a, int n, bool first_move, int *looks)
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
				if (!note(h, &t.way))
					return 0;
			} else if (first_move || (t.f.s.ending == PB_ZUMY_ON &&
						     is_new(h, &t.f.s)))
				keep(h->beam[1 - a], h->bodies ? BODIES : BEAM,
				    &next, &t);
		}
	return next;
}

/*
 * Find ways to the goal.
 *
 * Returns  the move that leads to the best of the last states
 */
static int
find_ways(struct search *h, int looks)
{
	int n = 1, first = PB_STAY;

	for (int depth = 0; depth < DEPTH && looks > 0 && n > 0; depth++) {
		int a = depth % 2;

		n = deeper(h, a, n, depth == 0, &looks);
		if (n > 0)
			first = h->beam[1 - a][0].way.move[0];
	}
	return first;
}

/* Robots of the trial with noise number k: they are where they believe to be,
 * but for an error. */
static void
draw_errors(struct pb_zumy_fleet *f, uint64_t seed, unsigned k)
{
	const struct pb_estimate_opts *e = &f->s.opts->bodies.rover.estimate;

	pb_rng_start(&f->rng, seed, k, PB_FOR_SENSOR, 0);
	for (int i = 0; i <= f->s.opts->patrols; i++) {
		struct pb_rover *r = &f->rover[i];
		struct pb_pose *off = &r->error.error;

		pb_rng_start(&r->noise, seed, k, PB_FOR_POSE, (unsigned)i);
		pb_rng_start(&r->motion, seed, k, PB_FOR_MOTION, (unsigned)i);
		off->x = e->sd * pb_rng_normal(&r->noise);
		off->y = e->sd * pb_rng_normal(&r->noise);
		off->th = e->th_sd * pb_rng_normal(&r->noise);
		r->error.ever = true;
		r->pose.x = r->seen.x - off->x;
		r->pose.y = r->seen.y - off->y;
		r->pose.th = pb_wrap(r->seen.th - off->th);
	}
}

/* One more trial of way w. */
static void
try_way(struct search *h, const struct pb_zumy_view *v, uint64_t seed,
    struct way *w)
{
	struct thought *t = &h->trial;
	int waits = 0;

	copy(t, v, &h->noisy);
	if (h->bodies)
		draw_errors(&t->f, seed, (unsigned)w->tried);
	for (int i = 0; i < w->n && t->f.s.ending == PB_ZUMY_ON;) {
		enum pb_dir d = (enum pb_dir)w->move[i];

		if (d == PB_STAY || pb_zumy_may(&t->f.s, 0, d))
			i++;
		else if (waits++ == PATIENCE)
			break;
		else
			d = PB_STAY;
		play_on(h, t, d);
	}
	w->tried++;
	w->won += t->f.s.ending == PB_ZUMY_REACHED;
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
choose_way(struct search *h, const struct pb_zumy_view *v, uint64_t seed)
{
	int n = h->ways;

	for (int trials = TRIALS; n > 0; trials *= 3) {
		for (int i = 0; i < n; i++)
			while (h->way[i].tried < trials)
				try_way(h, v, seed, &h->way[i]);
		sort_ways(h->way, n);
		if (n <= FINAL)
			break;
		n = (n + 3) / 4;
	}
}

/* Whether the way that was kept is still good. */
static bool
is_sure(struct search *h, const struct pb_zumy_view *v, uint64_t seed)
{
	h->kept.tried = h->kept.won = 0;
	while (h->kept.n > 0 && h->kept.tried < (h->bodies ? CHECKS : 1))
		try_way(h, v, seed, &h->kept);
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
	if (v->s->waits % WAIT != 0)
		return;
	begin(h, v);
	seed = h->bodies ? pb_rng_u64(v->rng) : 0;
	if (is_sure(h, v, seed)) {
		out->dir = (enum pb_dir)set_out(h, &h->kept);
		return;
	}
	if (h->bodies && h->kept.n > 0)
		note(h, &h->kept);
	first = find_ways(h, v->s->opts->nodes);
	choose_way(h, v, seed);
	h->kept.n = 0;
	if (h->ways > 0 && h->way[0].won > 0)
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
	(void)known;
	(void)view;
	((struct search *)mem)->kept.n = 0;
}

static const struct pb_player zumy_sneak = {.name = "sneak",
    .summary = "plays on in thought: patrols are machines",
    .memory = sneak_memory,
    .reset = sneak_reset,
    .decide = sneak_decide};

const struct pb_player *const pb_zumy_players[] = {
    &zumy_random, &zumy_direct, &pb_zumy_astar, &zumy_sneak, NULL};
