/* pacbot_players.c - the players of the Pacbot game: list, and the simple ones.
 */
#include <limits.h>
#include <string.h>

#include "pb/match.h"
#include "policy/pacbot_search.h"
#include "policy/players.h"

/* Lead of a careful player over any ghost (ticks). */
#define MARGIN 6

enum { CELLS = 1024 }; /* of the largest board */

/*
 * When cells can be reached, in ticks from now on shortest paths; PB_FAR:
 * never. A frightened ghost is harmless until it thaws, a ghost in its house
 * until it can be out. A path is safe if Pac-Man is at each of its cells before
 * any ghost can be.
 */
struct reach {
	int from;              /* Pac-Man's cell; -1: none */
	uint16_t ghost[CELLS]; /* by cell: earliest time of a ghost */
	uint16_t pac[CELLS];   /* by cell: earliest safe time of Pac-Man */
	uint8_t
	    first[CELLS]; /* by cell: first direction of the shortest path */
	int16_t order[CELLS]; /* the cells it can reach, by time */
	int n;                /* number of those cells */
};

/* Cell and time at which ghost g becomes dangerous; false: never. */
static bool
danger_from(const struct pb_arcade *g, const struct pb_bot_view *v, int *cell,
    int *updates)
{
	const struct pb_cells *c = &v->board->cells;
	struct pb_at p = g->loc.row < PB_ARCADE_OFF ? g->loc : g->next;

	if (p.row >= PB_ARCADE_OFF)
		return false;
	*updates = g->eaten ? 0 : g->fright;
	*cell = pb_cells_at(c, p.row, p.col);
	if (*cell < 0) {
		/* In the house: two steps at least from the cell outside. */
		*cell = pb_cells_at(c, 11, 13);
		if (*updates < g->trapped + 2)
			*updates = g->trapped + 2;
	}
	return *cell >= 0;
}

static void
ghost_times(struct reach *r, const struct pb_bot_view *v)
{
	const struct pb_cells *c = &v->board->cells;
	int period = v->s->period, cell, wait;

	memset(r->ghost, 0xff, sizeof(r->ghost));
	for (int k = 0; k < PB_ARCADE_GHOSTS; k++) {
		const struct pb_arcade *g = &v->s->ghost[k];

		if (!danger_from(g, v, &cell, &wait))
			continue;
		for (int i = 0; i < c->n; i++) {
			int d = pb_cells_dist(c, cell, i), t;

			/* A frightened ghost moves meanwhile: thawed, it may be
			 * near. */
			t = d == PB_FAR ? PB_FAR
			                : (d > wait ? d : wait) * period;
			if (t < r->ghost[i])
				r->ghost[i] = (uint16_t)t;
		}
	}
}

static void
find_reach(struct reach *r, const struct pb_bot_view *v)
{
	const struct pb_cells *c = &v->board->cells;
	int head = 0, step = v->opts->ticks_per_cell;

	ghost_times(r, v);
	memset(r->pac, 0xff, sizeof(r->pac));
	r->n = 0;
	r->from = pb_cells_at(c, v->s->pac.row, v->s->pac.col);
	if (r->from < 0 || c->n > CELLS)
		return;
	r->pac[r->from] = 0;
	r->first[r->from] = PB_STAY;
	r->order[r->n++] = (int16_t)r->from;
	while (head < r->n) {
		int i = r->order[head++], t = r->pac[i] + step;

		for (int d = 0; d < 4; d++) {
			int k = c->cell[i].to[d];

			if (k < 0 || r->pac[k] != PB_FAR ||
			    t + MARGIN >= r->ghost[k])
				continue;
			r->pac[k] = (uint16_t)t;
			r->first[k] = i == r->from ? (uint8_t)d : r->first[i];
			r->order[r->n++] = (int16_t)k;
		}
	}
}

/* The direction to the reachable cell with the longest lead over the ghosts,
 * PB_STAY if Pac-Man is there. */
static int
flee_from(const struct reach *r)
{
	int best = -1, lead = INT_MIN;

	for (int k = 0; k < r->n; k++) {
		int i = r->order[k], l = r->ghost[i] - r->pac[i];

		if (l > lead) {
			best = i;
			lead = l;
		}
	}
	return best < 0 ? PB_STAY : r->first[best];
}

static enum pb_dir
random_way(const void *view)
{
	const struct pb_bot_view *v = view;
	struct pb_at pac = v->s->pac;

	return pb_random_dir(
	    v->board->rules.board.exits[pac.row][pac.col], v->rng);
}

static const struct pb_player bot_random = {.name = "random",
    .summary = "any open direction, by chance",
    .choose = random_way};

static bool
is_pellet(const struct pb_bot_view *v, const struct reach *r, int i)
{
	const struct pb_cell_at *p = &v->board->cells.cell[i];

	(void)r;
	return v->s->pellets[p->row] >> p->col & 1;
}

static enum pb_dir
greedy(const void *view)
{
	const struct pb_bot_view *v = view;
	const struct pb_cells *c = &v->board->cells;
	int from = pb_cells_at(c, v->s->pac.row, v->s->pac.col);

	for (int k = 0; from >= 0 && k < c->n; k++) {
		int i = c->near[(size_t)from * (size_t)c->n + (size_t)k];

		if (i < 0)
			break;
		if (i != from && is_pellet(v, NULL, i))
			return pb_lowest_dir(pb_cells_first(c, from, i));
	}
	return PB_STAY;
}

static const struct pb_player bot_greedy = {.name = "greedy",
    .summary = "the nearest pellet, ghosts or not",
    .choose = greedy};

static bool
is_power(const struct pb_bot_view *v, const struct reach *r, int i)
{
	const struct pb_cell_at *p = &v->board->cells.cell[i];

	(void)r;
	return v->s->pellets[p->row] & v->board->rules.power[p->row] &
	       UINT32_C(1) << p->col;
}

static bool
is_prey(const struct pb_bot_view *v, const struct reach *r, int i)
{
	const struct pb_cell_at *p = &v->board->cells.cell[i];

	for (int k = 0; k < PB_ARCADE_GHOSTS; k++) {
		const struct pb_arcade *g = &v->s->ghost[k];

		if (g->loc.row == p->row && g->loc.col == p->col && !g->eaten &&
		    r->pac[i] < g->fright * v->s->period)
			return true;
	}
	return false;
}

/* The first step to the nearest cell of r that `is` accepts, -1 if none. */
static int
way_to(const struct reach *r, const struct pb_bot_view *v,
    bool (*is)(const struct pb_bot_view *v, const struct reach *r, int i))
{
	for (int k = 1; k < r->n; k++)
		if (is(v, r, r->order[k]))
			return r->first[r->order[k]];
	return -1;
}

/* Go to frightened ghosts and power pellets (if hunts), else to pellets in safe
 * reach, else flee. */
static enum pb_dir
go_safely(const struct pb_bot_view *v, bool hunts)
{
	struct reach r;
	int d = -1;

	find_reach(&r, v);
	if (hunts)
		d = way_to(&r, v, is_prey);
	if (hunts && d < 0)
		d = way_to(&r, v, is_power);
	if (d < 0)
		d = way_to(&r, v, is_pellet);
	return (enum pb_dir)(d >= 0 ? d : flee_from(&r));
}

static enum pb_dir
flee(const void *view)
{
	return go_safely(view, false);
}

static const struct pb_player bot_flee = {.name = "flee",
    .summary = "the nearest pellet that no ghost can reach first",
    .choose = flee};

static enum pb_dir
power(const void *view)
{
	return go_safely(view, true);
}

static const struct pb_player bot_power = {.name = "power",
    .summary = "frightened ghosts, then power pellets, then pellets",
    .choose = power};

const struct pb_player *const pb_pacbot_players[] = {&bot_random, &bot_greedy,
    &bot_flee, &bot_power, &pb_bot_search, &pb_bot_dqn, &pb_bot_quick, NULL};
