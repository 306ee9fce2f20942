/* pacbot_players.c - the players of the Pacbot game: list, and the simple ones.
 */
#include "policy/pacbot_players.h"

#include <string.h>

#include "policy/pacbot_value.h"

/* Ticks by which a careful player wants to be earlier than any ghost. */
#define MARGIN 6

const struct pb_player *const pb_pacbot_players[] = {&pb_bot_random,
    &pb_bot_greedy, &pb_bot_flee, &pb_bot_power, &pb_bot_search, NULL};

static void
random_decide(
    void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_bot_view *v = view;
	unsigned exits =
	    v->board->rules.board.exits[v->s->pac.row][v->s->pac.col];
	int d;

	(void)mem;
	(void)known;
	if (exits == 0)
		return;
	do
		d = (int)pb_rng_below(v->rng, 4);
	while (!(exits >> d & 1));
	out->dir = (enum pb_dir)d;
}

const struct pb_player pb_bot_random = {.name = "random",
    .summary = "any open direction, by chance",
    .decide = random_decide};

static enum pb_dir
lowest(unsigned set)
{
	int d = 0;

	while (d < 4 && !(set >> d & 1))
		d++;
	return (enum pb_dir)d;
}

static void
greedy_decide(
    void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_bot_view *v = view;
	const struct pb_cells *c = &v->board->cells;
	int from = pb_cells_at(c, v->s->pac.row, v->s->pac.col);

	(void)mem;
	(void)known;
	for (int k = 0; from >= 0 && k < c->n; k++) {
		int i = c->near[(size_t)from * (size_t)c->n + (size_t)k];

		if (i < 0)
			break;
		if (i != from && pb_reach_pellet(v, i)) {
			out->dir = lowest(pb_cells_first(c, from, i));
			return;
		}
	}
}

const struct pb_player pb_bot_greedy = {.name = "greedy",
    .summary = "the nearest pellet, ghosts or not",
    .decide = greedy_decide};

/* The first step to the nearest cell of r that `is` accepts, -1 if none. */
static int
way_to(const struct pb_reach *r, const struct pb_bot_view *v,
    bool (*is)(const struct pb_bot_view *v, const struct pb_reach *r, int i))
{
	for (int k = 1; k < r->n; k++)
		if (is(v, r, r->order[k]))
			return r->first[r->order[k]];
	return -1;
}

static bool
is_pellet(const struct pb_bot_view *v, const struct pb_reach *r, int i)
{
	(void)r;
	return pb_reach_pellet(v, i);
}

static bool
is_power(const struct pb_bot_view *v, const struct pb_reach *r, int i)
{
	const struct pb_cell_at *p = &v->board->cells.cell[i];

	(void)r;
	return v->s->pellets[p->row] & v->board->rules.power[p->row] &
	       UINT32_C(1) << p->col;
}

static bool
is_prey(const struct pb_bot_view *v, const struct pb_reach *r, int i)
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

static void
flee_decide(
    void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_bot_view *v = view;
	struct pb_reach r;
	int d;

	(void)mem;
	(void)known;
	pb_reach(&r, v, MARGIN);
	d = way_to(&r, v, is_pellet);
	out->dir = (enum pb_dir)(d >= 0 ? d : pb_reach_flee(&r));
}

const struct pb_player pb_bot_flee = {.name = "flee",
    .summary = "the nearest pellet that no ghost can reach first",
    .decide = flee_decide};

static void
power_decide(
    void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_bot_view *v = view;
	struct pb_reach r;
	int d;

	(void)mem;
	(void)known;
	pb_reach(&r, v, MARGIN);
	d = way_to(&r, v, is_prey);
	if (d < 0)
		d = way_to(&r, v, is_power);
	if (d < 0)
		d = way_to(&r, v, is_pellet);
	out->dir = (enum pb_dir)(d >= 0 ? d : pb_reach_flee(&r));
}

const struct pb_player pb_bot_power = {.name = "power",
    .summary = "frightened ghosts, then power pellets, then pellets",
    .decide = power_decide};
