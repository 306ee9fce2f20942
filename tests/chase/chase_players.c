/* chase_players.c - the players of the chase. */
#include "chase.h"
#include "policy/players.h"

/* The nearest pellet. */
static enum pb_dir
hungry(const void *view)
{
	const struct pb_chase_view *v = view;
	const struct pb_cells *c = &v->world->cells;
	const int16_t *near = c->near + (size_t)v->at * (size_t)c->n;

	for (int k = 1; k < c->n && near[k] >= 0; k++)
		if (v->pellet[near[k]])
			return pb_lowest_dir(pb_cells_first(c, v->at, near[k]));
	return PB_STAY;
}

static enum pb_dir
dizzy(const void *view)
{
	const struct pb_chase_view *v = view;
	return (enum pb_dir)pb_rng_below(v->rng, 4);
}

static const struct pb_player player_hungry = {
    .name = "hungry", .summary = "the nearest pellet", .choose = hungry};
static const struct pb_player player_dizzy = {
    .name = "dizzy", .summary = "anywhere, by chance", .choose = dizzy};

const struct pb_player *const pb_chase_players[] = {
    &player_hungry, &player_dizzy, NULL};
