/* pacbot_search.c - a player of Pacbot that looks ahead in the exact engine. */
#include "policy/pacbot_search.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Pellets left at which the ghosts speed up; least ghosts nearby that a power
 * pellet waits for; distance of a near ghost; rounding. */
#define ANGER    20   /* pellets */
#define WORTH_IT 3    /* ghosts */
#define CLOSE    6    /* cells */
#define ROUNDING 1e-6 /* points that rounding may hide */

/*
 * Learnt weights, as floats in the order of the struct, from
 * testdata/pacbot/search8, search12, quick and quick8.safetensors: those with
 * an 8 in games at up to 8 ticks a cell, the others with slower robots (12; 8
 * to 12).
 */
static const struct pb_search_weights search_8 = {2782, 4705, 26.14F, 1976,
    1.488F, 1.731F, 14.48F, 18.44F, 3357, 2.552F, 0.06789F, 36.63F, 0.7079F,
    940.3F, 54.5, 1.308F, 1.895F, 1.066F, 30.97F, 0.7983F};

static const struct pb_search_weights search_12 = {2275, 4688, 31.31F, 2237,
    2.273F, 1.723F, 20.91F, 13.42F, 2816, 1.158F, 0.05347F, 47.37F, 1.075F,
    1241, 50.01F, 1.495F, 1.587F, 0.7718F, 38.05F, 0.7174F};

static const struct pb_search_weights quick_12 = {3120, 6242, 54.55F, 2430,
    2.287F, 1.23F, 2.878F, 17.03F, 3637, 3.139F, 0.08599F, 27.2F, 1.173F,
    381.4F, 51.72F, 0.639F, 1.197F, 0.942F, 35.13F, 1.558F, 3.881F, 1.036F};

static const struct pb_search_weights quick_8 = {1598, 7474, 52.27F, 2987,
    4.338F, 1.169F, 3.704F, 14.42F, 4403, 2.81F, 0.2378F, 33.57F, 0.9952F,
    300.6F, 47.53F, 0.8209F, 0.9306F, 1.342F, 29.17F, 2.023F, 1.939F, 1.152F};

/* Compute the value of keeping a power pellet, once per decision: if it fell
 * while the search eats pellets, the search would avoid eating. */
static void
compute_hold(struct pb_search_eval *a)
{
	const struct pb_pacbot *s = a->v->s;
	double calm = (s->left - ANGER) / (a->power * a->leaf->share), share;
	int hunts = a->power * PB_ARCADE_FRIGHT;
	/* Time to the level's speed-up that pellets and hunts leave. */
	double time = (s->level_steps - hunts) * s->period -
	              a->leaf->route * a->v->opts->ticks_per_cell * s->left;

	share = a->leaf->shares * (time + s->tick - a->since) / a->power;
	a->waits = a->fast && a->v->opts->ghosts >= WORTH_IT && time > 0;
	a->hold_ticks = a->leaf->hold_ticks;
	if (a->waits && share < a->hold_ticks)
		a->hold_ticks = share;
	a->hold = a->waits ? a->leaf->wait_hold
	                   : a->leaf->hold * (calm < 1 ? calm : 1);
	a->hold *= a->stake;
}

/*
 * Fill the value of a ghost that is not frightened by its distance: a near one
 * is a danger; while a power pellet is left, farther ones should come nearer.
 */
static void
fill_ghost_values(struct pb_search_eval *a)
{
	const struct pb_search_weights *w = a->leaf;
	double best = 0;

	for (int steps = 0; steps <= PB_SEARCH_AROUND; steps++) {
		double worth = 0;

		if (steps < CLOSE)
			worth -= w->near * (CLOSE - steps);
		if (a->power > 0)
			worth -= w->gather * steps;
		a->ghost_value[steps] = worth;
		best = worth > best ? worth : best;
	}
	a->looks = w->near != 0 || w->gather != 0;
	a->best_ghosts_value = PB_ARCADE_GHOSTS * best;
}

void
pb_search_eval(struct pb_search_eval *a, const struct pb_bot_view *v,
    const struct pb_search_weights *leaf, int since)
{
	const struct pb_pacbot_rules *k = &v->board->rules;
	const struct pb_cells *c = &v->board->cells;

	/* Clear only the first part: the cache of distances is long and checked
	 * by key. */
	memset(a, 0, offsetof(struct pb_search_eval, near));
	a->v = v;
	a->leaf = leaf;
	a->since = since;
	a->tick = -1;
	for (int i = 0; i < c->n; i++) {
		const struct pb_cell_at *p = &c->cell[i];

		a->near[i].n = a->near[i].next = 0;
		if (v->s->pellets[p->row] & k->power[p->row] &
		    UINT32_C(1) << p->col)
			a->place[a->power++] = (int16_t)i;
	}
	/* Fewer ghosts are worth less: 200, 600 and 1,400 points at most. */
	a->stake = ((1 << v->opts->ghosts) - 1) / 15.0;
	a->slow = v->opts->ticks_per_cell >= v->s->period &&
	          v->opts->motion == PB_BOT_GRID;
	a->chase = a->slow ? leaf->chase_slow : leaf->chase;
	fill_ghost_values(a);
	/* A robot with a body is slower than its nominal time for a cell. */
	a->fast = v->s->period >=
	          v->opts->ticks_per_cell + (v->opts->motion == PB_BOT_DRIVE);
	if (a->power > 0 && v->s->left > ANGER && v->opts->ghosts > 0)
		compute_hold(a);
}

int
pb_search_power(const struct pb_pacbot *s, const struct pb_pacbot_rules *k)
{
	int n = 0;

	for (int r = 0; r < PB_PACBOT_ROWS; r++)
		for (uint32_t b = s->pellets[r] & k->power[r]; b; b &= b - 1)
			n++;
	return n;
}

/* Whether a pellet lies on cell i. */
static bool
has_pellet_at(const struct pb_pacbot *s, const struct pb_cells *c, int i)
{
	return s->pellets[c->cell[i].row] >> c->cell[i].col & 1;
}

/* Value of the remaining power pellets; that of the next one decays. */
static double
power_value(struct pb_search_eval *a, const struct pb_pacbot *s)
{
	const struct pb_cells *c = &a->v->board->cells;
	int power = 0;
	double age;

	if (a->hold == 0)
		return 0;
	for (int i = 0; i < a->power; i++)
		power += has_pellet_at(s, c, a->place[i]);
	if (power < a->power)
		return power * a->hold;
	if (s->tick != a->tick) {
		a->tick = s->tick;
		a->age = (s->tick - a->since) / a->hold_ticks;
	}
	age = a->age;
	return (power - (age < 1 ? age : 1)) * a->hold;
}

/* Frightened ghosts that can be eaten. */
struct prey {
	int n;
	int at[PB_ARCADE_GHOSTS];
	double left[PB_ARCADE_GHOSTS]; /* fright left (ticks) */
	double longest;                /* longest fright left (ticks) */
};

/* Points for a ghost, by those eaten before. */
static const double points[2 * PB_ARCADE_GHOSTS] = {
    200, 400, 800, 1600, 1600, 1600, 1600, 1600};

/* Time to catch a ghost that is `steps` away (ticks). */
static double
time_to_catch(const struct pb_search_eval *a, int steps)
{
	return a->v->opts->ticks_per_cell * (a->chase * steps + a->leaf->again);
}

/* The probability of catching a ghost that is reached at `time`. */
static double
catch_probability(const struct pb_search_weights *w, double time, double left)
{
	double chance = (left - time) / (left + w->spare);

	return chance < w->sure ? chance : w->sure;
}

/* Upper bound of the points for eating a ghost and then n more, each with at
 * most this chance: as if all stood at the first one. */
static double
bound_hunt(double chance, int combo, int n)
{
	double worth = points[combo], all = 1;

	for (int i = 1; i <= n; i++) {
		all *= chance;
		worth += all * points[combo + i];
	}
	return worth;
}

/*
 * Expected points of the best order of eating the n ghosts in `todo`; a ghost
 * counts only if those before it were caught while frightened. Returns `best`
 * if no order is better.
 */
static double
best_order(const struct pb_search_eval *a, const struct prey *p, int from,
    double time, int combo, unsigned todo, int n, double best)
{
	const struct pb_cells *c = &a->v->board->cells;
	const uint16_t *dist = c->dist + (size_t)from * (size_t)c->n;

	for (int k = 0; k < p->n; k++) {
		double t, chance, worth, need, bound;

		if (!(todo >> k & 1))
			continue;
		t = time + time_to_catch(a, dist[p->at[k]]);
		chance = bound = catch_probability(a->leaf, t, p->left[k]);
		if (chance <= 0)
			continue;
		if (p->left[k] < p->longest)
			bound = catch_probability(a->leaf, t, p->longest);
		if (chance * bound_hunt(bound, combo, n - 1) <= best)
			continue;
		worth = points[combo];
		need = best / chance - worth - ROUNDING;
		if (n > 1)
			worth += best_order(a, p, p->at[k], t, combo + 1,
			    todo & ~(1u << k), n - 1, need > 0 ? need : 0);
		worth *= chance;
		if (worth > best)
			best = worth;
	}
	return best;
}

/* Insert a ghost, nearest first: good orders come early and prune the rest. */
static void
insert_prey(struct prey *p, const uint16_t *dist, int at, double left)
{
	int i = p->n++;

	for (; i > 0 && dist[p->at[i - 1]] > dist[at]; i--) {
		p->at[i] = p->at[i - 1];
		p->left[i] = p->left[i - 1];
	}
	p->at[i] = at;
	p->left[i] = left;
	if (left > p->longest)
		p->longest = left;
}

bool
pb_search_can_catch(const struct pb_search_eval *a, const struct pb_pacbot *s)
{
	const struct pb_cells *c = &a->v->board->cells;
	int from = pb_cells_at(c, s->pac.row, s->pac.col);

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];
		int at = pb_cells_at(c, g->loc.row, g->loc.col);

		if (g->fright == 0)
			continue;
		if (from < 0 || at < 0 ||
		    time_to_catch(a, pb_cells_dist(c, from, at)) <
			g->fright * s->period)
			return true;
	}
	return false;
}

/* Expected points from ghosts; if not above `need`, any smaller number. */
static double
hunting_value(const struct pb_search_eval *a, const struct pb_pacbot *s,
    int from, double need)
{
	const struct pb_cells *c = &a->v->board->cells;
	const uint16_t *dist = c->dist + (size_t)from * (size_t)c->n;
	struct prey p = {.n = 0, .longest = 0};
	int combo;

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];
		int at;

		if (g->fright == 0 || g->eaten)
			continue;
		at = pb_cells_at(c, g->loc.row, g->loc.col);
		/* Ghosts in the house come out too late. */
		if (at < 0)
			continue;
		insert_prey(&p, dist, at, g->fright * s->period);
	}
	if (p.n == 0)
		return 0;
	combo = s->combo < PB_ARCADE_GHOSTS ? s->combo : PB_ARCADE_GHOSTS;
	return best_order(
	    a, &p, from, 0, combo, (1u << p.n) - 1, p.n, need > 0 ? need : 0);
}

/* Index, from k on, of the first of `near` with a pellet; n: none. */
static int
next_pellet(const struct pb_pacbot *s, const struct pb_cells *c,
    const int16_t *near, int k)
{
	for (; k < c->n && near[k] >= 0; k++)
		if (has_pellet_at(s, c, near[k]))
			return k;
	return c->n;
}

/* Add the next nearest pellet of cell `from` to its list; false: the list is
 * complete. */
static bool
cache_pellet(struct pb_search_eval *a, int from)
{
	const struct pb_cells *c = &a->v->board->cells;
	const int16_t *near = c->near + (size_t)from * (size_t)c->n;
	struct pb_search_near *model = &a->near[from];
	int k;

	if (model->n == PB_SEARCH_KNOWN)
		return false;
	k = next_pellet(a->v->s, c, near, model->next);
	model->next = (int16_t)(k + 1);
	if (k == c->n)
		return false;
	model->pellet[model->n++] =
	    (struct pb_search_pellet){(uint16_t)pb_cells_dist(c, from, near[k]),
		(uint8_t)c->cell[near[k]].row, (uint8_t)c->cell[near[k]].col};
	return true;
}

/*
 * Steps to the nearest pellet, 0 if there is none. All states of a search have
 * a subset of the current pellets, so the nearest few of these are cached for
 * each cell. From `far` on the result may be too low.
 */
static int
nearest_pellet(
    struct pb_search_eval *a, const struct pb_pacbot *s, int from, double far)
{
	const struct pb_cells *c = &a->v->board->cells;
	const int16_t *near = c->near + (size_t)from * (size_t)c->n;
	const struct pb_search_near *model = &a->near[from];
	int k;

	for (int i = 0; i < model->n || cache_pellet(a, from); i++) {
		const struct pb_search_pellet *p = &model->pellet[i];

		if ((s->pellets[p->row] >> p->col & 1) ||
		    a->leaf->per_cell * p->steps >= far)
			return p->steps;
	}
	k = next_pellet(s, c, near, model->next);
	return k < c->n ? pb_cells_dist(c, from, near[k]) : 0;
}

bool
pb_search_eats_fruit(const struct pb_pacbot *s, const struct pb_pacbot *to)
{
	return s->fruit_steps > 0 && to->fruit_steps == 0 &&
	       to->pac.row == PB_FRUIT_ROW && to->pac.col == PB_FRUIT_COL;
}

/* Value of the fruit if Pac-Man can reach it in time; 0 for a robot slower than
 * the ghosts. */
static double
fruit_value(const struct pb_search_eval *a, const struct pb_pacbot *s, int from)
{
	const struct pb_cells *c = &a->v->board->cells;
	int at = c->at[PB_FRUIT_ROW + 1][PB_FRUIT_COL + 1], steps;
	double worth;

	if (s->fruit_steps == 0 || at < 0 || !a->fast)
		return 0;
	steps = pb_cells_dist(c, from, at);
	if ((steps + 1) * a->v->opts->ticks_per_cell >
	    s->fruit_steps * s->period)
		return 0;
	worth = a->leaf->fruit - a->leaf->fruit_cell * steps;
	return worth > 0 ? worth : 0;
}

/* Steps to the nearest power pellet; 0 if there is none. */
static int
nearest_power(
    const struct pb_search_eval *a, const struct pb_pacbot *s, int from)
{
	const struct pb_cells *c = &a->v->board->cells;
	int best = PB_FAR;

	for (int i = 0; i < a->power; i++) {
		int steps = pb_cells_dist(c, from, a->place[i]);

		if (steps < best && has_pellet_at(s, c, a->place[i]))
			best = steps;
	}
	return best < PB_FAR ? best : 0;
}

/* Sum of the values of the ghosts that are not frightened. */
static double
ghosts_value(
    const struct pb_search_eval *a, const struct pb_pacbot *s, int from)
{
	const struct pb_cells *c = &a->v->board->cells;
	const uint16_t *dist = c->dist + (size_t)from * (size_t)c->n;
	double worth = 0;

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];
		int at = pb_cells_at(c, g->loc.row, g->loc.col);

		if (g->fright > 0 || at < 0)
			continue;
		worth += a->ghost_value[dist[at] < PB_SEARCH_AROUND
					    ? dist[at]
					    : PB_SEARCH_AROUND];
	}
	return worth;
}

double
pb_search_value(struct pb_search_eval *a, const struct pb_pacbot *s, int ticks,
    int fruits, double floor)
{
	const struct pb_bot_view *v = a->v;
	const struct pb_search_weights *w = a->leaf;
	const struct pb_cells *c = &v->board->cells;
	int from = pb_cells_at(c, s->pac.row, s->pac.col);
	double worth = s->score - w->per_tick * ticks;

	if (a->fast)
		worth += w->fruit * fruits;
	if (s->level != v->s->level)
		return worth;
	worth -= (a->waits ? -w->wait_leave : w->pellet) * s->left;
	if (s->lives < v->s->lives || from < 0)
		return worth - w->death + w->later * ticks;
	worth += power_value(a, s) + fruit_value(a, s, from);
	worth += hunting_value(a, s, from, floor - worth - ROUNDING);
	/* Most states are pruned by a bound, before ghosts are valued. */
	if (worth + a->best_ghosts_value <= floor)
		return worth;
	if (a->looks)
		worth += ghosts_value(a, s, from);
	if (worth <= floor)
		return worth;
	if (a->waits)
		return worth -
		       w->wait_step * a->stake * nearest_power(a, s, from);
	return worth - w->per_cell *
	                   nearest_pellet(a, s, from, worth - floor + ROUNDING);
}

/*
 * Beam search: from the current game, play every move of every kept state in
 * the exact engine, value the outcomes, keep the best few that differ, and so
 * on to a given depth. Frightened ghosts turn by a random future, which is
 * given by a number.
 */
struct line {
	struct pb_pacbot s; /* state after a line of moves */
	int ticks;          /* since the decision */
	int due;            /* ticks to the next update, at least 1 */
	uint8_t first;      /* the move that it began with */
	uint8_t fruits;     /* eaten on the way */
	bool planned;       /* the ghosts have planned since the update */
	float risk;         /* expected lives lost by bad timing */
	uint64_t luck;      /* state of the ghosts' draws */
};

/* A search; its memory belongs to the caller. */
struct lines {
	const struct pb_bot_view *v;
	struct pb_search_eval *aim;
	/* The lines of the beam, and one being made. */
	struct layer {
		struct line *line;
		struct pb_beam beam;
	} layer[2];
	int now;         /* layer being expanded; the other is filled */
	int width;       /* lines kept, at most that of lines_place */
	int depth;       /* moves ahead */
	uint64_t future; /* number of the random future */
	int slack;       /* timing error of a move (ticks) */
	double best;     /* value of the best line */
	int first;       /* its first move */
};

/* Bytes of memory that a search of `width` takes. */
static size_t
lines_size(int width)
{
	size_t w = (size_t)width;

	return 2 * ((w + 1) * sizeof(struct line) + pb_beam_size(width));
}

/* Lay out q in mem of lines_size() bytes, aligned for a double. */
static void
lines_place(struct lines *q, void *mem, int width)
{
	struct line *line = mem;
	char *beams = (char *)(line + 2 * (width + 1));

	for (int i = 0; i < 2; i++) {
		q->layer[i].line = line + i * (width + 1);
		pb_beam_place(&q->layer[i].beam,
		    beams + (size_t)i * pb_beam_size(width), width);
	}
	q->now = 0;
	q->width = width;
}

/* Pseudo-random turns of frightened ghosts: a hashed counter. */
static int
made_up_turn(void *ctx, int ghost, int n)
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

/* Let the ghosts plan, if they have not. Done on demand: most states are never
 * expanded. */
static void
plan_ghosts(struct line *n, const struct pb_pacbot_rules *k)
{
	const struct pb_arcade_draw draw = {made_up_turn, &n->luck};

	if (!n->planned)
		pb_pacbot_plan(&n->s, k, &draw);
	n->planned = true;
}

/* Let `ticks` pass with their updates, or until the game pauses. */
static void
pass_ticks(struct line *n, const struct pb_pacbot_rules *k, int ticks)
{
	struct pb_pacbot *s = &n->s;

	while (!s->paused) {
		int end = s->tick + ticks, period = s->period;

		if (n->due > ticks || s->tick + n->due >= UINT16_MAX) {
			s->tick =
			    (uint16_t)(end < UINT16_MAX ? end : UINT16_MAX - 1);
			n->due -= ticks;
			return;
		}
		ticks -= n->due;
		s->tick = (uint16_t)(s->tick + n->due);
		s->ticked = true;
		plan_ghosts(n, k);
		pb_pacbot_arrive(s);
		n->planned = false;
		n->due = s->period == period ? period : ticks_to_update(s);
	}
}

/*
 * Key of a state: places, headings, and which ghosts are frightened. Of states
 * with the same key only the one of higher value is kept (dominance pruning),
 * though they may differ in pellets, ticks, and remaining fright.
 */
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

/* Probability that a move is early or late by `ticks`. */
static float
risk_of_timing(const struct lines *q, int ticks)
{
	return ticks < q->slack
	           ? (float)(q->slack - ticks) / (float)(2 * q->slack)
	           : 0;
}

/* Probability that a robot with a body, whose moves are early or late by ticks,
 * meets a ghost: one that enters the cell that the robot leaves, if the robot
 * is late, or that leaves the cell that the robot enters, if it is early. */
static float
risk_of_contact(const struct lines *q, const struct line *n, struct pb_at from)
{
	const struct pb_pacbot *s = &n->s;
	float late = risk_of_timing(q, n->due), risk = 0;
	float early = risk_of_timing(q, s->period - n->due);

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];
		struct pb_at was =
		    pb_arcade_step(g->loc, pb_arcade_back(g->loc.dir));

		if (g->fright > 0 || g->loc.row >= PB_ARCADE_OFF)
			continue;
		if (g->next.row == from.row && g->next.col == from.col)
			risk += late;
		if (was.row == s->pac.row && was.col == s->pac.col)
			risk += early;
	}
	return risk;
}

/* Fill n: line p, whose ghosts have planned, after waiting or moving in
 * direction d. */
static void
follow_line(const struct lines *q, const struct line *p, int d, uint64_t luck,
    struct line *n)
{
	const struct pb_pacbot_rules *k = &q->v->board->rules;
	const struct pb_match_opts *o = q->v->opts;
	int turn = d != PB_STAY && d != p->s.pac.dir ? o->turn_ticks : 0;

	*n = *p;
	n->ticks += turn + o->ticks_per_cell;
	n->luck = luck;
	if (turn > 0)
		pass_ticks(n, k, turn);
	plan_ghosts(n, k);
	if (d != PB_STAY) {
		pb_pacbot_move(&n->s, k, d);
		n->fruits += pb_search_eats_fruit(&p->s, &n->s);
		if (n->s.period != p->s.period)
			n->due = ticks_to_update(&n->s);
		if (q->slack > 0)
			n->risk += risk_of_contact(q, n, p->s.pac);
	}
	pass_ticks(n, k, o->ticks_per_cell);
}

/* Set of sensible moves in s: the open directions, and waiting. */
static unsigned
lines_moves(const struct lines *q, const struct pb_pacbot *s)
{
	unsigned stay = 1u << PB_STAY;

	/* Without a life left, a death does not reduce the lives. */
	if (s->pac.row >= PB_ARCADE_OFF)
		return stay;
	return q->v->board->rules.board.exits[s->pac.row][s->pac.col] | stay;
}

static void
raise_best(struct lines *q, double value, int first)
{
	if (value <= q->best)
		return;
	q->best = value;
	q->first = first;
}

/* Add line n to the beam if its value is high enough. */
static void
keep_if_good(struct lines *q, struct pb_beam *beam, const struct line *n)
{
	const struct pb_pacbot *s = q->v->s;
	double price = (double)n->risk * q->aim->leaf->death;
	double value, floor = -INFINITY;
	bool ends = n->s.lives < s->lives || n->s.level != s->level;
	uint64_t key = 0;
	int at = 0;

	if (!ends) {
		key = key_of(&n->s);
		floor = pb_beam_floor(beam, key, &at);
	}
	value =
	    pb_search_value(q->aim, &n->s, n->ticks, n->fruits, floor + price) -
	    price;
	if (ends)
		raise_best(q, value, n->first);
	else if (value > floor)
		pb_beam_keep(beam, at, key, value);
}

/* Expand all lines of a layer by one move; in the first only by `moves`. */
static void
expand(struct lines *q, int depth, unsigned moves)
{
	const struct pb_pacbot *s = q->v->s;
	uint64_t luck = pb_hash_u64(s->tick + q->future * 100003, depth);
	struct layer *from = &q->layer[q->now], *to = &q->layer[!q->now];

	pb_beam_empty(&to->beam, q->width);
	for (int i = 0; i < from->beam.n; i++) {
		struct line *p = &from->line[from->beam.slot[i]];
		unsigned open = lines_moves(q, &p->s) & moves;

		plan_ghosts(p, &q->v->board->rules);
		for (int d = 0; d <= PB_STAY; d++) {
			struct line *n;

			if (!(open >> d & 1))
				continue;
			n = &to->line[pb_beam_spare(&to->beam)];
			follow_line(q, p, d, luck, n);
			if (depth == 0)
				n->first = (uint8_t)d;
			keep_if_good(q, &to->beam, n);
		}
	}
	q->now = !q->now;
}

/* Beam search from s, whose first move is one of `moves`; sets q->best and
 * q->first. */
static void
search_lines(struct lines *q, const struct pb_pacbot *s, unsigned moves)
{
	struct layer *l = &q->layer[q->now];

	q->best = -1e300;
	q->first = PB_STAY;
	pb_beam_empty(&l->beam, 1);
	l->line[pb_beam_spare(&l->beam)] =
	    (struct line){.s = *s, .due = ticks_to_update(s), .planned = true};
	pb_beam_keep(&l->beam, 0, 0, 0);
	for (int depth = 0; depth < q->depth && l->beam.n > 0; depth++) {
		expand(q, depth, depth == 0 ? moves : ~0u);
		l = &q->layer[q->now];
	}
	for (int i = 0; i < l->beam.n; i++)
		raise_best(q, l->beam.value[i], l->line[l->beam.slot[i]].first);
}

/*
 * The first move of the best line of the beam search is played. Ghosts are
 * predicted exactly, except for their turns while frightened. Then a line would
 * be fitted to one random future, so each first move is searched in several
 * futures, the same for all moves, and the average decides; lines are shorter,
 * because long ones overfit. The same holds before a power pellet is eaten.
 * Once all frightened ghosts are out of reach, long lines are searched again:
 * the other ghosts may set a trap that only these show.
 */
enum {
	DEPTH = 40,         /* moves ahead */
	FUTURES = 8,        /* while a ghost is frightened */
	FUTURES_DEPTH = 12, /* moves ahead in them, */
	FUTURES_LONG = 20,  /* for a robot that catches ghosts slowly */
	NARROW = 2,         /* lines kept at least */
	NIMBLE = 8,         /* ticks a cell, or fewer */
	SLACK = 7,          /* ticks by which a robot that drives is off */
};

/* Size of a player's search, and its weights. */
struct effort {
	struct pb_search_weights leaf;
	int width, depth; /* lines kept, moves ahead */
	int futures;
	int futures_width; /* 0: so that futures take no more work than lines */
	int futures_depth, futures_long;
};

/* Memory of a game, followed by that of the search. No pointer outlives a
 * decision: copying it is a snapshot. */
struct memory {
	struct pb_at believed; /* Pac-Man's cell by the player's own moves */
	int lives, level;
	int since; /* tick at which the last power pellet was eaten */
	int power; /* power pellets left */

	/* Work space of one decision. */
	struct pb_search_eval aim;
	double lines[];
};

/* Whether the robot is fast enough for the weights learnt at 8 ticks a cell. */
static bool
is_nimble(const struct pb_match_opts *o)
{
	return o->ticks_per_cell <= NIMBLE;
}

/* The learnt effort; without one, that of the option `nodes`. */
static struct effort
get_effort(const void *model, const struct pb_match_opts *o)
{
	int w = o->nodes / (DEPTH * 3);

	if (model)
		return *(const struct effort *)model;
	return (struct effort){.leaf = is_nimble(o) ? search_8 : search_12,
	    .width = w < 4                ? 4
	             : w > PB_BEAM_WIDEST ? PB_BEAM_WIDEST
	                                  : w,
	    .depth = DEPTH,
	    .futures = FUTURES,
	    .futures_depth = FUTURES_DEPTH,
	    .futures_long = FUTURES_LONG};
}

static size_t
memory(const void *world, const void *opts, const void *model)
{
	(void)world;
	return sizeof(struct memory) +
	       lines_size(get_effort(model, opts).width);
}

static void
restart(struct memory *m, const struct pb_bot_view *v)
{
	m->believed = v->s->pac;
	m->lives = v->s->lives;
	m->level = v->s->level;
	m->power = pb_search_power(v->s, &v->board->rules);
	m->since = v->s->tick;
}

static void
reset(void *mem, const void *model, const void *view)
{
	(void)model;
	restart(mem, view);
}

/* Beam width of each future, for n first moves. */
static int
futures_width(const struct lines *q, const struct effort *e, int n)
{
	int w = e->futures_width;

	if (w == 0)
		w = e->width * e->depth / (q->depth * e->futures * n);
	return w < NARROW ? NARROW : w > e->width ? e->width : w;
}

/* The move with the best average over several futures. */
static int
average(struct lines *q, const struct effort *e, const struct pb_pacbot *now)
{
	unsigned moves = lines_moves(q, now);
	double best = -1e300;
	int first = PB_STAY, n = 0;

	for (int d = 0; d <= PB_STAY; d++)
		n += moves >> d & 1;
	q->depth = q->aim->slow ? e->futures_long : e->futures_depth;
	q->width = futures_width(q, e, n);
	for (int d = 0; d <= PB_STAY; d++) {
		double sum = 0;

		if (!(moves >> d & 1))
			continue;
		for (q->future = 0; q->future < (uint64_t)e->futures;
		     q->future++) {
			search_lines(q, now, 1u << d);
			sum += q->best;
		}
		if (sum > best) {
			best = sum;
			first = d;
		}
	}
	return first;
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
choose_move(struct memory *m, const struct effort *e,
    const struct pb_bot_view *v, struct pb_pacbot now)
{
	struct lines q = {.v = v,
	    .aim = &m->aim,
	    .depth = e->depth,
	    .slack = v->opts->motion == PB_BOT_DRIVE ? SLACK : 0};

	pb_search_eval(&m->aim, v, &e->leaf, m->since);
	lines_place(&q, m->lines, e->width);
	if (pb_search_can_catch(&m->aim, &now))
		return average(&q, e, &now);
	search_lines(&q, &now, ~0u);
	if (eats_power(v, &now, q.first))
		return average(&q, e, &now);
	return q.first;
}

/* Whether the late and sometimes wrong camera rules out that Pac-Man is where
 * its moves have put it. */
static bool
has_strayed(const struct pb_bot_view *v, struct pb_at believed)
{
	const struct pb_cells *c = &v->board->cells;
	const struct pb_match_opts *o = v->opts;
	int seen = pb_cells_at(c, v->s->pac.row, v->s->pac.col);
	int here = pb_cells_at(c, believed.row, believed.col);
	int moved =
	    (2 * o->camera_delay + o->ticks_per_cell - 1) / o->ticks_per_cell;

	return seen >= 0 && (here < 0 || pb_cells_dist(c, here, seen) >
					     moved + (o->wrong_cell > 0));
}

static void
decide(void *mem, const void *model, const void *view, struct pb_answer *out)
{
	const struct pb_bot_view *v = view;
	struct memory *m = mem;
	const struct effort e = get_effort(model, v->opts);
	struct pb_pacbot now = *v->s;
	int d, power = pb_search_power(v->s, &v->board->rules);

	if (v->s->lives != m->lives || v->s->level != m->level) {
		restart(m, v);
		m->believed = (struct pb_at){23, 13, PB_RIGHT};
	}
	if (power != m->power) {
		m->power = power;
		m->since = v->s->tick;
	}
	/* The player's own moves are more reliable than the camera. */
	if (has_strayed(v, m->believed)) {
		m->believed.row = v->s->pac.row;
		m->believed.col = v->s->pac.col;
	}
	now.pac = m->believed;
	d = choose_move(m, &e, v, now);
	out->dir = (enum pb_dir)d;
	if (d == PB_STAY)
		return;
	m->believed.dir = (uint8_t)d;
	if (v->board->rules.board.exits[now.pac.row][now.pac.col] >> d & 1)
		m->believed = pb_arcade_step(m->believed, d);
}

const struct pb_player pb_bot_search = {.name = "search",
    .summary = "looks ahead in the exact engine",
    .memory = memory,
    .lasting = offsetof(struct memory, aim),
    .reset = reset,
    .decide = decide};

/*
 * The player quick: less effort, learnt numbers. Tensor "leaf" has those of
 * struct pb_search_weights and tensor "beam" the six of struct effort, in their
 * order.
 */
static const struct effort quick = {.width = 9,
    .depth = 20,
    .futures = 2,
    .futures_width = 2,
    .futures_depth = 8,
    .futures_long = 16};

enum { LEAF = sizeof(struct pb_search_weights) / sizeof(double), BEAM = 6 };

static const struct pb_tensor_plan tensors[] = {
    {"leaf", 1, {LEAF}}, {"beam", 1, {BEAM}}};

static const struct pb_weights_plan plan_of_weights = {.files = 1,
    .what = "what it makes of a state, and how far it looks",
    .tensor = tensors,
    .tensors = 2,
    .optional = true};

static int
clamp_int(float x, int least, int most)
{
	return x < (float)least ? least : x < (float)most ? (int)x : most;
}

static void
read_effort(const struct pb_weights *w, struct effort *e)
{
	const float *leaf = pb_tensor_find(&w->file[0], "leaf")->value;
	const float *beam = pb_tensor_find(&w->file[0], "beam")->value;
	double value[LEAF] = {0};

	for (int i = 0; i < LEAF; i++)
		value[i] = (double)leaf[i];
	memcpy(&e->leaf, value, sizeof(value));
	e->width = clamp_int(beam[0], NARROW, PB_BEAM_WIDEST);
	e->depth = clamp_int(beam[1], 1, 100);
	e->futures = clamp_int(beam[2], 1, 32);
	e->futures_width = clamp_int(beam[3], 0, e->width);
	e->futures_depth = clamp_int(beam[4], 1, 100);
	e->futures_long = clamp_int(beam[5], 1, 100);
}

static enum pb_status
learn(const void *world, const void *opts, void **model)
{
	const struct pb_weights *w =
	    ((const struct pb_match_opts *)opts)->weights;
	bool own = !w || !pb_weights_meant(&plan_of_weights, w);
	struct effort *e;

	(void)world;
	if (!own &&
	    pb_weights_check(&plan_of_weights, w).fault != PB_WEIGHTS_FIT)
		return PB_EVALUE;
	if (!(e = malloc(sizeof(*e))))
		return PB_ENOMEM;
	*model = e;
	*e = quick;
	e->leaf = is_nimble(opts) ? quick_8 : quick_12;
	if (!own)
		read_effort(w, e);
	return PB_OK;
}

const struct pb_player pb_bot_quick = {.name = "quick",
    .summary = "search that looks less far, by numbers that were learnt",
    .weights = &plan_of_weights,
    .learn = learn,
    .forget = free,
    .memory = memory,
    .lasting = offsetof(struct memory, aim),
    .reset = reset,
    .decide = decide};
