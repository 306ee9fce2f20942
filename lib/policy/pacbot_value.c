/* pacbot_value.c - what a state of the Pacbot game is worth to `search`. */
#include "policy/pacbot_value.h"

#include <stddef.h>
#include <string.h>

/* Where the ghosts speed up; ghosts that are worth waiting for; how far
 * ghosts are close by. */
#define ANGER    20   /* pellets */
#define WORTH_IT 3    /* ghosts */
#define CLOSE    6    /* cells */
#define SLACK    1e-6 /* points that rounding may hide */

/* Learnt: testdata/pacbot/search8, search12, quick and quick8.safetensors, as
 * floats like those, in the order of the struct. */
const struct pb_search_leaf pb_search_8 = {2782, 4705, 26.14F, 1976, 1.488F,
    1.731F, 14.48F, 18.44F, 3357, 2.552F, 0.06789F, 36.63F, 0.7079F, 940.3F,
    54.5, 1.308F, 1.895F, 1.066F, 30.97F, 0.7983F};

const struct pb_search_leaf pb_search_12 = {2275, 4688, 31.31F, 2237, 2.273F,
    1.723F, 20.91F, 13.42F, 2816, 1.158F, 0.05347F, 47.37F, 1.075F, 1241,
    50.01F, 1.495F, 1.587F, 0.7718F, 38.05F, 0.7174F};

const struct pb_search_leaf pb_search_quick = {3120, 6242, 54.55F, 2430, 2.287F,
    1.23F, 2.878F, 17.03F, 3637, 3.139F, 0.08599F, 27.2F, 1.173F, 381.4F,
    51.72F, 0.639F, 1.197F, 0.942F, 35.13F, 1.558F, 3.881F, 1.036F};

const struct pb_search_leaf pb_search_quick_8 = {1598, 7474, 52.27F, 2987,
    4.338F, 1.169F, 3.704F, 14.42F, 4403, 2.81F, 0.2378F, 33.57F, 0.9952F,
    300.6F, 47.53F, 0.8209F, 0.9306F, 1.342F, 29.17F, 2.023F, 1.939F, 1.152F};

/* In step, whether ghosts are as fast as he is. */
static bool
is_slow(const struct pb_bot_view *v)
{
	return v->opts->ticks_per_cell >= v->s->period &&
	       v->opts->motion == PB_BOT_GRID;
}

/* Ticks to the speed-up of the level that pellets and hunts do not need. */
static double
time_to_wait(const struct pb_search_aim *a)
{
	const struct pb_pacbot *s = a->v->s;
	int hunts = a->power * PB_ARCADE_FRIGHT;

	return (s->level_steps - hunts) * s->period -
	       a->leaf->route * a->v->opts->ticks_per_cell * s->left;
}

/*
 * Asked once a decision: lines that eat pellets must not lose by it, or he
 * would rather eat none.
 */
static void
hold_back(struct pb_search_aim *a)
{
	const struct pb_pacbot *s = a->v->s;
	double calm = (s->left - ANGER) / (a->power * a->leaf->share);
	double time = time_to_wait(a), share;

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
 * What it is worth that a ghost who is not frightened is as near as he is: one
 * close by is a danger, and while a power pellet is left the others had better
 * come.
 */
static void
value_company(struct pb_search_aim *a)
{
	const struct pb_search_leaf *w = a->leaf;
	double best = 0;

	for (int steps = 0; steps <= PB_SEARCH_AROUND; steps++) {
		double worth = 0;

		if (steps < CLOSE)
			worth -= w->near * (CLOSE - steps);
		if (a->power > 0)
			worth -= w->gather * steps;
		a->company[steps] = worth;
		best = worth > best ? worth : best;
	}
	a->looks = w->near != 0 || w->gather != 0;
	a->best_company = PB_ARCADE_GHOSTS * best;
}

void
pb_search_aim(struct pb_search_aim *a, const struct pb_bot_view *v,
    const struct pb_search_leaf *leaf, int since)
{
	const struct pb_pacbot_rules *k = &v->board->rules;
	const struct pb_cells *c = &v->board->cells;

	/* The rest is long: what was known of more cells is never asked. */
	memset(a, 0, offsetof(struct pb_search_aim, near));
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
	/* Fewer ghosts promise less: 200, 600 and 1,400 points at most. */
	a->stake = ((1 << v->opts->ghosts) - 1) / 15.0;
	a->slow = is_slow(v);
	a->chase = a->slow ? leaf->chase_slow : leaf->chase;
	value_company(a);
	/* A body that drives loses some of the time that a cell is to take. */
	a->fast = v->s->period >=
	          v->opts->ticks_per_cell + (v->opts->motion == PB_BOT_DRIVE);
	if (a->power > 0 && v->s->left > ANGER && v->opts->ghosts > 0)
		hold_back(a);
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
lies_at(const struct pb_pacbot *s, const struct pb_cells *c, int i)
{
	return s->pellets[c->cell[i].row] >> c->cell[i].col & 1;
}

/* Worth of the power pellets that are left: the next one's wears off. */
static double
keeping(struct pb_search_aim *a, const struct pb_pacbot *s)
{
	const struct pb_cells *c = &a->v->board->cells;
	int power = 0;
	double age;

	if (a->hold == 0)
		return 0;
	for (int i = 0; i < a->power; i++)
		power += lies_at(s, c, a->place[i]);
	if (power < a->power)
		return power * a->hold;
	if (s->tick != a->tick) {
		a->tick = s->tick;
		a->age = (s->tick - a->since) / a->hold_ticks;
	}
	age = a->age;
	return (power - (age < 1 ? age : 1)) * a->hold;
}

/* Ghosts that can be eaten: where they are and for how long. */
struct prey {
	int n;
	int at[PB_ARCADE_GHOSTS];
	double left[PB_ARCADE_GHOSTS]; /* (ticks) */
	double longest;                /* of those (ticks) */
};

/* Points for a ghost, by those eaten before. */
static const double points[2 * PB_ARCADE_GHOSTS] = {
    200, 400, 800, 1600, 1600, 1600, 1600, 1600};

/* How long it takes to catch a ghost that is so many steps away (ticks). */
static double
time_to(const struct pb_search_aim *a, int steps)
{
	return a->v->opts->ticks_per_cell * (a->chase * steps + a->leaf->again);
}

/* The chance that a ghost for whom it takes until `time` is caught. */
static double
chance_at(const struct pb_search_leaf *w, double time, double left)
{
	double chance = (left - time) / (left + w->spare);

	return chance < w->sure ? chance : w->sure;
}

/*
 * A bound of what can come of eating a ghost and then n more, each with that
 * chance at most: as if all stood where the first one is.
 */
static double
most(double chance, int combo, int n)
{
	double worth = points[combo], all = 1;

	for (int i = 1; i <= n; i++) {
		all *= chance;
		worth += all * points[combo + i];
	}
	return worth;
}

/*
 * Points of the best order in which to eat n ghosts that are still `todo`,
 * each with the chance that he is caught before he thaws; the next counts only
 * after it. If they are not more than `best`, that.
 */
static double
hunt(const struct pb_search_aim *a, const struct prey *p, int from, double time,
    int combo, unsigned todo, int n, double best)
{
	const struct pb_cells *c = &a->v->board->cells;
	const uint16_t *dist = c->dist + (size_t)from * (size_t)c->n;

	for (int k = 0; k < p->n; k++) {
		double t, chance, worth, need, bound;

		if (!(todo >> k & 1))
			continue;
		t = time + time_to(a, dist[p->at[k]]);
		chance = bound = chance_at(a->leaf, t, p->left[k]);
		if (chance <= 0)
			continue;
		if (p->left[k] < p->longest)
			bound = chance_at(a->leaf, t, p->longest);
		if (chance * most(bound, combo, n - 1) <= best)
			continue;
		worth = points[combo];
		need = best / chance - worth - SLACK;
		if (n > 1)
			worth += hunt(a, p, p->at[k], t, combo + 1,
			    todo & ~(1u << k), n - 1, need > 0 ? need : 0);
		worth *= chance;
		if (worth > best)
			best = worth;
	}
	return best;
}

/* The nearest first: that soon leaves little to hope for from the others. */
static void
add_prey(struct prey *p, const uint16_t *dist, int at, double left)
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
pb_search_hunts(const struct pb_search_aim *a, const struct pb_pacbot *s)
{
	const struct pb_cells *c = &a->v->board->cells;
	int from = pb_cells_at(c, s->pac.row, s->pac.col);

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];
		int at = pb_cells_at(c, g->loc.row, g->loc.col);

		if (g->fright == 0)
			continue;
		if (from < 0 || at < 0 ||
		    time_to(a, pb_cells_dist(c, from, at)) <
			g->fright * s->period)
			return true;
	}
	return false;
}

/* Points that are likely from ghosts; if not more than `need`, perhaps that. */
static double
hunting(const struct pb_search_aim *a, const struct pb_pacbot *s, int from,
    double need)
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
		/* Those in the house come out too late. */
		if (at < 0)
			continue;
		add_prey(&p, dist, at, g->fright * s->period);
	}
	if (p.n == 0)
		return 0;
	combo = s->combo < PB_ARCADE_GHOSTS ? s->combo : PB_ARCADE_GHOSTS;
	return hunt(
	    a, &p, from, 0, combo, (1u << p.n) - 1, p.n, need > 0 ? need : 0);
}

/* The first from k on of the cells `near` that has a pellet; n: none. */
static int
next_pellet(const struct pb_pacbot *s, const struct pb_cells *c,
    const int16_t *near, int k)
{
	for (; k < c->n && near[k] >= 0; k++)
		if (lies_at(s, c, near[k]))
			return k;
	return c->n;
}

/* Find one more pellet near the cell `from`; false: no more are to be known. */
static bool
learn_pellet(struct pb_search_aim *a, int from)
{
	const struct pb_cells *c = &a->v->board->cells;
	const int16_t *near = c->near + (size_t)from * (size_t)c->n;
	struct pb_search_near *known = &a->near[from];
	int k;

	if (known->n == PB_SEARCH_KNOWN)
		return false;
	k = next_pellet(a->v->s, c, near, known->next);
	known->next = (int16_t)(k + 1);
	if (k == c->n)
		return false;
	known->pellet[known->n++] =
	    (struct pb_search_pellet){(uint16_t)pb_cells_dist(c, from, near[k]),
		(uint8_t)c->cell[near[k]].row, (uint8_t)c->cell[near[k]].col};
	return true;
}

/*
 * Steps to the nearest pellet; 0 if there is none. No line has pellets that
 * the decision had not, so the first few of those are remembered for each
 * cell. If it is `far` or farther, it may be less than that.
 */
static int
nearest_pellet(
    struct pb_search_aim *a, const struct pb_pacbot *s, int from, double far)
{
	const struct pb_cells *c = &a->v->board->cells;
	const int16_t *near = c->near + (size_t)from * (size_t)c->n;
	const struct pb_search_near *known = &a->near[from];
	int k;

	for (int i = 0; i < known->n || learn_pellet(a, from); i++) {
		const struct pb_search_pellet *p = &known->pellet[i];

		if ((s->pellets[p->row] >> p->col & 1) ||
		    a->leaf->per_cell * p->steps >= far)
			return p->steps;
	}
	k = next_pellet(s, c, near, known->next);
	return k < c->n ? pb_cells_dist(c, from, near[k]) : 0;
}

bool
pb_search_eats_fruit(const struct pb_pacbot *s, const struct pb_pacbot *to)
{
	return s->fruit_steps > 0 && to->fruit_steps == 0 &&
	       to->pac.row == PB_FRUIT_ROW && to->pac.col == PB_FRUIT_COL;
}

/*
 * Worth of a fruit that lies there, if Pac-Man can be there in time. Who is
 * slower than the ghosts had better not go after it.
 */
static double
fruit(const struct pb_search_aim *a, const struct pb_pacbot *s, int from)
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
    const struct pb_search_aim *a, const struct pb_pacbot *s, int from)
{
	const struct pb_cells *c = &a->v->board->cells;
	int best = PB_FAR;

	for (int i = 0; i < a->power; i++) {
		int steps = pb_cells_dist(c, from, a->place[i]);

		if (steps < best && lies_at(s, c, a->place[i]))
			best = steps;
	}
	return best < PB_FAR ? best : 0;
}

/* Worth of how near ghosts are who are not frightened. */
static double
company(const struct pb_search_aim *a, const struct pb_pacbot *s, int from)
{
	const struct pb_cells *c = &a->v->board->cells;
	const uint16_t *dist = c->dist + (size_t)from * (size_t)c->n;
	double worth = 0;

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];
		int at = pb_cells_at(c, g->loc.row, g->loc.col);

		if (g->fright > 0 || at < 0)
			continue;
		worth +=
		    a->company[dist[at] < PB_SEARCH_AROUND ? dist[at]
							   : PB_SEARCH_AROUND];
	}
	return worth;
}

double
pb_search_value(struct pb_search_aim *a, const struct pb_pacbot *s, int ticks,
    int fruits, double floor)
{
	const struct pb_bot_view *v = a->v;
	const struct pb_search_leaf *w = a->leaf;
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
	worth += keeping(a, s) + fruit(a, s, from);
	worth += hunting(a, s, from, floor - worth - SLACK);
	/* Most states are not kept, which shows before ghosts count. */
	if (worth + a->best_company <= floor)
		return worth;
	if (a->looks)
		worth += company(a, s, from);
	if (worth <= floor)
		return worth;
	if (a->waits)
		return worth -
		       w->wait_step * a->stake * nearest_power(a, s, from);
	return worth -
	       w->per_cell * nearest_pellet(a, s, from, worth - floor + SLACK);
}
