/* roomba_players.c - the players of the Roomba game: list, and the simple ones.
 */
#include "policy/roomba_players.h"

#include <string.h>

/* Steps that a careful player keeps from a ghost that may kill it. */
#define KEEP 2

const struct pb_player *const pb_roomba_players[] = {&pb_roomba_random,
    &pb_roomba_greedy, &pb_roomba_flee, &pb_roomba_plan, NULL};

static void
random_decide(
    void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_roomba_view *v = view;
	unsigned exits = v->board->cells.cell[v->s->pacman].exits;
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

const struct pb_player pb_roomba_random = {.name = "random",
    .summary = "any open direction, by chance",
    .decide = random_decide};

/* Number of the lowest bit of a set that is not empty. */
static enum pb_dir
lowest(unsigned set)
{
	int d = 0;

	while (!(set >> d & 1))
		d++;
	return (enum pb_dir)d;
}

/* The first step to the nearest pellet by one of `exits`. */
static enum pb_dir
to_pellet(const struct pb_roomba_view *v, unsigned exits)
{
	const struct pb_cells *c = &v->board->cells;
	const int16_t *near = c->near + (size_t)v->s->pacman * (size_t)c->n;
	unsigned first;

	for (int k = 1; k < c->n && near[k] >= 0; k++) {
		first = pb_cells_first(c, v->s->pacman, near[k]) & exits;
		if (pb_roomba_dot(v->s, near[k]) && first != 0)
			return lowest(first);
	}
	return exits != 0 ? lowest(exits) : PB_STAY;
}

static void
greedy_decide(
    void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_roomba_view *v = view;

	(void)mem;
	(void)known;
	out->dir = to_pellet(v, v->board->cells.cell[v->s->pacman].exits);
}

const struct pb_player pb_roomba_greedy = {.name = "greedy",
    .summary = "the nearest pellet, ghosts or not",
    .decide = greedy_decide};

/* Steps from cell i to the nearest ghost that may kill. */
static int
danger(const struct pb_roomba_view *v, int i)
{
	int least = PB_FAR;

	for (int k = 0; k < v->opts->ghosts; k++) {
		const struct pb_roomba_ghost *g = &v->s->ghost[k];
		int d = pb_cells_dist(&v->board->cells, g->at, i);

		if (!g->afraid && g->state < PB_ROOMBA_KILLED && d < least)
			least = d;
	}
	return least;
}

/*
 * Pellets where no ghost is near; else away from the nearest. Standing still
 * is a way out too.
 */
static void
flee_decide(
    void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_roomba_view *v = view;
	const struct pb_cell_at *me = &v->board->cells.cell[v->s->pacman];
	unsigned safe = 0;
	enum pb_dir best = PB_STAY;
	int far = danger(v, v->s->pacman);

	(void)mem;
	(void)known;
	for (int d = 0; d < 4; d++) {
		int keep = me->exits >> d & 1 ? danger(v, me->to[d]) : -1;

		if (keep > KEEP)
			safe |= 1u << d;
		if (keep > far) {
			far = keep;
			best = (enum pb_dir)d;
		}
	}
	out->dir = safe != 0 ? to_pellet(v, safe) : best;
}

const struct pb_player pb_roomba_flee = {.name = "flee",
    .summary = "the nearest pellet, out of the way of ghosts",
    .decide = flee_decide};
