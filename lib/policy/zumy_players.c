/* zumy_players.c - the players of the Zumy game. */

#include "policy/players.h"

static enum pb_dir
random_way(const void *view)
{
	return (enum pb_dir)pb_rng_below(
	    ((const struct pb_zumy_view *)view)->rng, 5);
}

static const struct pb_player zumy_random = {.name = "random",
    .summary = "any direction or none, by chance",
    .choose = random_way};

static enum pb_dir
direct(const void *view)
{
	const struct pb_zumy *s = ((const struct pb_zumy_view *)view)->s;
	const struct pb_zumy_ground *g = &s->board->ground;
	const struct pb_zumy_search way = {.ground = g, .open = &g->open};

	return pb_zumy_way(&way, s->player.at, g->goal);
}

static const struct pb_player zumy_direct = {.name = "direct",
    .summary = "the shortest way, patrols or not",
    .choose = direct};

static void
block(struct pb_zumy_set *open, int row, int col)
{
	open->row[row] &= ~(UINT32_C(1) << col);
}

void
pb_zumy_block_views(const struct pb_zumy_view *v, struct pb_zumy_set *open)
{
	for (int i = 0; i < v->s->opts->patrols; i++) {
		const struct pb_zumy_body *p = &v->s->patrol[i].body;
		int row = p->at.row, col = p->at.col;
		int d = p->misread ? PB_DOWN : p->facing;

		if (pb_zumy_has(open, row, col))
			block(open, row, col);
		for (;;) {
			row += pb_dir_row[d];
			col += pb_dir_col[d];
			if (!pb_zumy_has(open, row, col))
				break;
			block(open, row, col);
		}
	}
}

/* The move after which the sum of distances to the patrols is largest. */
static enum pb_dir
hide(const struct pb_zumy_view *v, const struct pb_zumy_set *open)
{
	static const enum pb_dir order[5] = {
	    PB_UP, PB_DOWN, PB_RIGHT, PB_LEFT, PB_STAY};
	enum pb_dir best = PB_STAY;
	int most = -1;

	for (int k = 0; k < 5; k++) {
		struct pb_zumy_cell c =
		    pb_zumy_beside(v->s->player.at, order[k]);
		int sum = 0;

		if (order[k] != PB_STAY && !pb_zumy_has(open, c.row, c.col))
			continue;
		for (int i = 0; i < v->s->opts->patrols; i++)
			sum += pb_zumy_manhattan(c, v->s->patrol[i].body.at);
		if (sum > most) {
			most = sum;
			best = order[k];
		}
	}
	return best;
}

enum pb_dir
pb_zumy_astar_plan(const struct pb_zumy_view *v, struct pb_zumy_path *way)
{
	const struct pb_zumy_ground *g = &v->s->board->ground;
	struct pb_zumy_set open = g->open;
	struct pb_zumy_cell near[PB_ZUMY_PATROLS];
	struct pb_zumy_search s = {.ground = g,
	    .open = &open,
	    .near = near,
	    .n = v->s->opts->patrols,
	    .start_prices = pb_zumy_as_published(v->s->opts)};
	enum pb_dir d;

	for (int i = 0; i < s.n; i++)
		near[i] = v->s->patrol[i].body.at;
	pb_zumy_block_views(v, &open);
	pb_zumy_find(&s, v->s->player.at, g->goal, way);
	d = pb_zumy_first(way);
	return d != PB_STAY ? d : hide(v, &open);
}

static enum pb_dir
astar(const void *view)
{
	struct pb_zumy_path way;

	return pb_zumy_astar_plan(view, &way);
}

const struct pb_player pb_zumy_astar = {.name = "astar",
    .summary = "the published player: out of the patrols' views",
    .choose = astar};

const struct pb_player *const pb_zumy_players[] = {
    &zumy_random, &zumy_direct, &pb_zumy_astar, &pb_zumy_sneak, NULL};
