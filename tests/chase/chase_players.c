/* chase_players.c - the players of the chase. */
#include "chase.h"

/* The nearest pellet. */
static void
hungry(void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_chase_view *v = view;
	const struct pb_cells *c = &v->world->cells;
	const int16_t *near = c->near + (size_t)v->at * (size_t)c->n;

	(void)mem;
	(void)known;
	for (int k = 1; k < c->n && near[k] >= 0; k++)
		if (v->pellet[near[k]]) {
			unsigned first = pb_cells_first(c, v->at, near[k]);

			for (int d = 0; d < 4; d++)
				if (first >> d & 1)
					out->dir = (enum pb_dir)d;
			return;
		}
}

static void
dizzy(void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_chase_view *v = view;

	(void)mem;
	(void)known;
	out->dir = (enum pb_dir)pb_rng_below(v->rng, 4);
}

static const struct pb_player player_hungry = {
    .name = "hungry", .summary = "the nearest pellet", .decide = hungry};
static const struct pb_player player_dizzy = {
    .name = "dizzy", .summary = "anywhere, by chance", .decide = dizzy};

const struct pb_player *const pb_chase_players[] = {
    &player_hungry, &player_dizzy, NULL};
