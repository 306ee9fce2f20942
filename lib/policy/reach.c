/* reach.c - where Pac-Man can go before the ghosts do, on a board of cells. */
#include "policy/reach.h"

#include <string.h>

/* Cell and time at which ghost g starts to be a danger; false: never. */
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
ghost_times(struct pb_reach *r, const struct pb_bot_view *v)
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

			/* A frightened ghost roams: thawed, it may be near. */
			t = d == PB_FAR ? PB_FAR
			                : (d > wait ? d : wait) * period;
			if (t < r->ghost[i])
				r->ghost[i] = (uint16_t)t;
		}
	}
}

void
pb_reach(struct pb_reach *r, const struct pb_bot_view *v, int margin)
{
	const struct pb_cells *c = &v->board->cells;
	int head = 0, step = v->opts->ticks_per_cell;

	ghost_times(r, v);
	memset(r->pac, 0xff, sizeof(r->pac));
	r->n = 0;
	r->from = pb_cells_at(c, v->s->pac.row, v->s->pac.col);
	if (r->from < 0 || c->n > PB_REACH_CELLS)
		return;
	r->pac[r->from] = 0;
	r->first[r->from] = PB_STAY;
	r->order[r->n++] = (int16_t)r->from;
	while (head < r->n) {
		int i = r->order[head++], t = r->pac[i] + step;

		for (int d = 0; d < 4; d++) {
			int k = c->cell[i].to[d];

			if (k < 0 || r->pac[k] != PB_FAR ||
			    t + margin >= r->ghost[k])
				continue;
			r->pac[k] = (uint16_t)t;
			r->first[k] = i == r->from ? (uint8_t)d : r->first[i];
			r->order[r->n++] = (int16_t)k;
		}
	}
}

bool
pb_reach_pellet(const struct pb_bot_view *v, int i)
{
	const struct pb_cell_at *p = &v->board->cells.cell[i];

	return v->s->pellets[p->row] >> p->col & 1;
}

int
pb_reach_flee(const struct pb_reach *r)
{
	int best = -1, lead = 0;

	for (int k = 0; k < r->n; k++) {
		int i = r->order[k], l = r->ghost[i] - r->pac[i];

		if (best < 0 || l > lead) {
			best = i;
			lead = l;
		}
	}
	return best < 0 ? PB_STAY : r->first[best];
}
