/* pacbot_value.c - what a state of the Pacbot game is worth to `search`. */
#include "policy/pacbot_value.h"

#include <string.h>

/*
 * Points. A power pellet is held back until four ghosts are near enough to be
 * eaten for 3,000; HOLD is what eating it must promise. It wears off with time,
 * or he would wait for ever.
 *
 * Ghosts that chase come by themselves: who is as fast as they are leaves the
 * other pellets and waits near a power pellet, as long as there is time to eat
 * all before the level speeds up. That is shared out among the power pellets,
 * SHARES times each, for few wait that long. Who is not eats what he can
 * meanwhile, and HOLD wears off with the pellets left: of those above ANGER,
 * where the ghosts speed up, there should be SHARE for each power pellet.
 */
#define HOLD       2400.0
#define HOLD_TICKS 3000.0 /* after which, or sooner, it is worth nothing */
#define ANGER      20     /* pellets */
#define SHARE      25.0   /* pellets */
#define WAIT_HOLD  2000.0 /* HOLD of one who waits */
#define WORTH_IT   3      /* ghosts that are worth waiting for */
#define SHARES     2.0
#define ROUTE      1.5    /* cells to go for each pellet that is left */
#define WAIT_LEAVE 15.0   /* a pellet eaten while he waits */
#define WAIT_STEP  20.0   /* distance to the nearest power pellet, the same */
#define DEATH      4000.0 /* a life */
#define LATER      2.0    /* dying a tick later */
#define PER_TICK   0.05   /* lost time */
#define PELLET     40.0   /* a pellet eaten, beside its points */
#define PER_CELL   1.0    /* distance to the nearest pellet */
#define FRUIT      1000.0 /* a fruit, beside its points: pellets can wait */
#define FRUIT_CELL 50.0   /* distance to it, of which that is lost */

/* Hunting a ghost that flees at random. */
#define CHASE      1.1  /* times the shortest way to where he is now, */
#define CHASE_SLOW 1.6  /* in step, for who is not faster than ghosts */
#define AGAIN      1.0  /* cells more for each ghost */
#define SPARE      40.0 /* ticks of fright left when the chance is near 1 */
#define SURE       0.95 /* the best chance */
#define SLACK      1e-6 /* points that rounding may hide */

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
	       ROUTE * a->v->opts->ticks_per_cell * s->left;
}

/*
 * Asked once a decision: lines that eat pellets must not lose by it, or he
 * would rather eat none.
 */
static void
hold_back(struct pb_search_aim *a)
{
	const struct pb_pacbot *s = a->v->s;
	double calm = (s->left - ANGER) / (a->power * SHARE);
	double time = time_to_wait(a), share;

	share = SHARES * (time + s->tick - a->since) / a->power;
	a->waits = a->fast && a->v->opts->ghosts >= WORTH_IT && time > 0;
	a->hold_ticks = a->waits && share < HOLD_TICKS ? share : HOLD_TICKS;
	a->hold = a->waits ? WAIT_HOLD : HOLD * (calm < 1 ? calm : 1);
	a->hold *= a->stake;
}

struct pb_search_aim
pb_search_aim(const struct pb_bot_view *v, int since)
{
	const struct pb_pacbot_rules *k = &v->board->rules;
	const struct pb_cells *c = &v->board->cells;
	struct pb_search_aim a = {.v = v, .since = since, .tick = -1};

	for (int i = 0; i < c->n; i++) {
		const struct pb_cell_at *p = &c->cell[i];

		if (v->s->pellets[p->row] & k->power[p->row] &
		    UINT32_C(1) << p->col)
			a.place[a.power++] = (int16_t)i;
	}
	/* Fewer ghosts promise less: 200, 600 and 1,400 points at most. */
	a.stake = ((1 << v->opts->ghosts) - 1) / 15.0;
	a.slow = is_slow(v);
	/* A body that drives loses some of the time that a cell is to take. */
	a.fast = v->s->period >=
	         v->opts->ticks_per_cell + (v->opts->motion == PB_BOT_DRIVE);
	if (a.power > 0 && v->s->left > ANGER && v->opts->ghosts > 0)
		hold_back(&a);
	return a;
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
	int power = 0;
	double age;

	if (a->hold == 0)
		return 0;
	for (int i = 0; i < a->power; i++)
		power += lies_at(s, &a->v->board->cells, a->place[i]);
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
time_to(const struct pb_bot_view *v, int steps)
{
	int cell = v->opts->ticks_per_cell;

	return cell * ((is_slow(v) ? CHASE_SLOW : CHASE) * steps + AGAIN);
}

/* The chance that a ghost for whom it takes until `time` is caught. */
static double
chance_at(double time, double left)
{
	double chance = (left - time) / (left + SPARE);

	return chance < SURE ? chance : SURE;
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
hunt(const struct pb_bot_view *v, const struct prey *p, int from, double time,
    int combo, unsigned todo, int n, double best)
{
	const struct pb_cells *c = &v->board->cells;
	const uint16_t *dist = c->dist + (size_t)from * (size_t)c->n;

	for (int k = 0; k < p->n; k++) {
		double t, chance, worth, need, bound;

		if (!(todo >> k & 1))
			continue;
		t = time + time_to(v, dist[p->at[k]]);
		chance = bound = chance_at(t, p->left[k]);
		if (chance <= 0)
			continue;
		if (p->left[k] < p->longest)
			bound = chance_at(t, p->longest);
		if (chance * most(bound, combo, n - 1) <= best)
			continue;
		worth = points[combo];
		need = best / chance - worth - SLACK;
		if (n > 1)
			worth += hunt(v, p, p->at[k], t, combo + 1,
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
pb_search_hunts(const struct pb_bot_view *v, const struct pb_pacbot *s)
{
	const struct pb_cells *c = &v->board->cells;
	int from = pb_cells_at(c, s->pac.row, s->pac.col);

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];
		int at = pb_cells_at(c, g->loc.row, g->loc.col);

		if (g->fright == 0)
			continue;
		if (from < 0 || at < 0 ||
		    time_to(v, pb_cells_dist(c, from, at)) <
			g->fright * s->period)
			return true;
	}
	return false;
}

/* Points that are likely from ghosts; if not more than `need`, perhaps that. */
static double
hunting(const struct pb_bot_view *v, const struct pb_pacbot *s, int from,
    double need)
{
	const struct pb_cells *c = &v->board->cells;
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
	    v, &p, from, 0, combo, (1u << p.n) - 1, p.n, need > 0 ? need : 0);
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
		    PER_CELL * p->steps >= far)
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

	if (s->fruit_steps == 0 || at < 0 || !a->fast)
		return 0;
	steps = pb_cells_dist(c, from, at);
	if ((steps + 1) * a->v->opts->ticks_per_cell >
	    s->fruit_steps * s->period)
		return 0;
	return FRUIT > FRUIT_CELL * steps ? FRUIT - FRUIT_CELL * steps : 0;
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

double
pb_search_value(struct pb_search_aim *a, const struct pb_pacbot *s, int ticks,
    int fruits, double floor)
{
	const struct pb_bot_view *v = a->v;
	const struct pb_cells *c = &v->board->cells;
	int from = pb_cells_at(c, s->pac.row, s->pac.col);
	double worth = s->score - PER_TICK * ticks;

	if (a->fast)
		worth += FRUIT * fruits;
	if (s->level != v->s->level)
		return worth;
	worth -= (a->waits ? -WAIT_LEAVE : PELLET) * s->left;
	if (s->lives < v->s->lives || from < 0)
		return worth - DEATH + LATER * ticks;
	worth += keeping(a, s) + fruit(a, s, from);
	worth += hunting(v, s, from, floor - worth - SLACK);
	if (worth <= floor)
		return worth;
	if (a->waits)
		return worth - WAIT_STEP * a->stake * nearest_power(a, s, from);
	return worth -
	       PER_CELL * nearest_pellet(a, s, from, worth - floor + SLACK);
}
