/* search_value.c - what a state of the Pacbot game is worth to `search`. */
#include "policy/search_value.h"

/*
 * Points. A power pellet is held back until four ghosts are near enough to be
 * eaten for 3,000; HOLD is what eating it must promise. It wears off with time,
 * or he would wait for ever, and with the pellets left: of those above ANGER,
 * where the ghosts speed up, there should be SHARE for each power pellet.
 */
#define HOLD       2400.0
#define HOLD_TICKS 3000.0 /* after which it is worth nothing (ticks) */
#define ANGER      20     /* pellets */
#define SHARE      25.0   /* pellets */
#define DEATH      4000.0 /* a life */
#define LATER      2.0    /* dying a tick later */
#define PER_TICK   0.05   /* lost time */
#define PELLET     40.0   /* a pellet eaten, beside its points */
#define PER_CELL   1.0    /* distance to the nearest pellet */

/* Hunting a ghost that flees at random. */
#define CHASE 1.1  /* times the shortest way to where he is now */
#define AGAIN 1.0  /* cells more for each ghost */
#define SPARE 40.0 /* ticks of fright left when the chance is near 1 */
#define SURE  0.95 /* the best chance */

struct pb_search_aim
pb_search_aim(const struct pb_bot_view *v, int since)
{
	const struct pb_pacbot_rules *k = &v->board->rules;
	struct pb_search_aim a = {.v = v, .since = since};
	double calm;

	a.power = pb_search_power(v->s, k);
	/*
	 * Asked once a decision: lines that eat pellets must not lose by it,
	 * or he would rather eat none.
	 */
	if (a.power > 0 && v->s->left > ANGER && v->opts->ghosts > 0) {
		calm = (v->s->left - ANGER) / (a.power * SHARE);
		a.hold = HOLD * (calm < 1 ? calm : 1);
	}
	for (int r = 0; r < PB_PACBOT_ROWS; r++)
		if (v->s->pellets[r] & k->power[r])
			a.row[a.rows++] = r;
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

/* Worth of the power pellets that are left: the next one's wears off. */
static double
keeping(const struct pb_search_aim *a, const struct pb_pacbot *s)
{
	const uint32_t *mask = a->v->board->rules.power;
	int power = 0;
	double age;

	if (a->hold == 0)
		return 0;
	for (int i = 0; i < a->rows; i++) {
		uint32_t b = s->pellets[a->row[i]] & mask[a->row[i]];

		for (; b; b &= b - 1)
			power++;
	}
	if (power < a->power)
		return power * a->hold;
	age = (s->tick - a->since) / HOLD_TICKS;
	return (power - (age < 1 ? age : 1)) * a->hold;
}

/* Ghosts that can be eaten: where they are and for how long. */
struct prey {
	int n;
	int at[PB_ARCADE_GHOSTS];
	double left[PB_ARCADE_GHOSTS]; /* (ticks) */
};

/*
 * A bound of what can come of eating a ghost at `time` and then the ghosts
 * `todo`: as if each stood where the one before was.
 */
static double
most(const struct prey *p, double time, int combo, unsigned todo)
{
	double left = 0, chance, worth = 0, all = 1;

	for (int k = 0; k < p->n; k++)
		if ((todo >> k & 1) && p->left[k] > left)
			left = p->left[k];
	chance = (left - time) / (left + SPARE);
	chance = chance < SURE ? chance : SURE;
	for (;; todo &= todo - 1, all *= chance) {
		worth += all * (200 << (combo < 3 ? combo : 3));
		combo++;
		if (todo == 0 || chance <= 0)
			return worth;
	}
}

/*
 * Points of the best order in which to eat the ghosts `todo`, each with the
 * chance that he is caught before he thaws; the next counts only after it.
 */
static double
hunt(const struct pb_bot_view *v, const struct prey *p, int from, double time,
    int combo, unsigned todo)
{
	const struct pb_cells *c = &v->board->cells;
	const uint16_t *dist = c->dist + (size_t)from * (size_t)c->n;
	double best = 0;

	for (int k = 0; k < p->n; k++) {
		double t, chance, worth;

		if (!(todo >> k & 1))
			continue;
		t = CHASE * dist[p->at[k]];
		t = time + v->opts->ticks_per_cell * (t + AGAIN);
		chance = (p->left[k] - t) / (p->left[k] + SPARE);
		if (chance <= 0)
			continue;
		chance = chance < SURE ? chance : SURE;
		if (chance * most(p, t, combo, todo & ~(1u << k)) <= best)
			continue;
		worth = chance * ((200 << (combo < 3 ? combo : 3)) +
				     hunt(v, p, p->at[k], t, combo + 1,
					 todo & ~(1u << k)));
		if (worth > best)
			best = worth;
	}
	return best;
}

static double
hunting(const struct pb_bot_view *v, const struct pb_pacbot *s, int from)
{
	struct prey p = {.n = 0};

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &s->ghost[i];
		int at = pb_cells_at(&v->board->cells, g->loc.row, g->loc.col);

		/* Those in the house come out too late. */
		if (g->fright == 0 || g->eaten || at < 0)
			continue;
		p.at[p.n] = at;
		p.left[p.n++] = g->fright * s->period;
	}
	return p.n > 0 ? hunt(v, &p, from, 0, s->combo, (1u << p.n) - 1) : 0;
}

static bool
pellet_at(const struct pb_pacbot *s, const struct pb_cells *c, int i)
{
	const struct pb_cell_at *p = &c->cell[i];

	return s->pellets[p->row] >> p->col & 1;
}

/* The first from k on of the cells `near` that has a pellet; n: none. */
static int
next_pellet(const struct pb_pacbot *s, const struct pb_cells *c,
    const int16_t *near, int k)
{
	while (k < c->n && near[k] >= 0 && !pellet_at(s, c, near[k]))
		k++;
	return k < c->n && near[k] >= 0 ? k : c->n;
}

/*
 * Steps to the nearest pellet; 0 if there is none. No line has pellets that
 * the decision had not, so the search begins where that of its own state ends.
 */
static int
nearest_pellet(struct pb_search_aim *a, const struct pb_pacbot *s, int from)
{
	const struct pb_cells *c = &a->v->board->cells;
	const int16_t *near = c->near + (size_t)from * (size_t)c->n;
	int k;

	if (a->first[from] == 0)
		a->first[from] =
		    (int16_t)(1 + next_pellet(a->v->s, c, near, 0));
	k = next_pellet(s, c, near, a->first[from] - 1);
	return k < c->n ? pb_cells_dist(c, from, near[k]) : 0;
}

double
pb_search_value(struct pb_search_aim *a, const struct pb_pacbot *s, int ticks)
{
	const struct pb_bot_view *v = a->v;
	const struct pb_cells *c = &v->board->cells;
	int from = pb_cells_at(c, s->pac.row, s->pac.col);
	double worth = s->score - PER_TICK * ticks;

	if (s->level != v->s->level)
		return worth;
	worth -= PELLET * s->left;
	if (s->lives < v->s->lives || from < 0)
		return worth - DEATH + LATER * ticks;
	return worth + keeping(a, s) + hunting(v, s, from) -
	       PER_CELL * nearest_pellet(a, s, from);
}
