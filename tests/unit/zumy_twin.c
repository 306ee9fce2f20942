/* zumy_twin.c - plans of patrols against slow ones that do the same. */
#include "check.h"

#include <limits.h>

#include "ghost/patrol.h"

/* The published search as it is told: the least estimate, the first of them. */
static enum pb_dir
slow_way(const struct pb_zumy_search *s, struct pb_zumy_cell from,
    struct pb_zumy_cell to)
{
	static const enum pb_dir order[4] = {PB_UP, PB_DOWN, PB_RIGHT, PB_LEFT};
	static struct {
		int row, col, g, f, first;
		bool done;
	} e[100000];
	static int best[3 * PB_ZUMY_SIDE][3 * PB_ZUMY_SIDE];
	int n = 1;

	for (int r = 0; r < 3 * PB_ZUMY_SIDE; r++)
		for (int c = 0; c < 3 * PB_ZUMY_SIDE; c++)
			best[r][c] = INT_MAX;
	memset(e, 0, sizeof(e[0]));
	e[0].row = from.row;
	e[0].col = from.col;
	e[0].first = -1;
	for (;;) {
		int k = -1;

		for (int i = 0; i < n; i++)
			if (!e[i].done && (k < 0 || e[i].f < e[k].f))
				k = i;
		if (k < 0)
			return PB_STAY;
		e[k].done = true;
		if (e[k].row == to.row && e[k].col == to.col)
			return e[k].first < 0 ? PB_STAY
			                      : (enum pb_dir)e[k].first;
		for (int i = 0; i < 4; i++) {
			int r = e[k].row + pb_dir_row[order[i]], f;
			int c = e[k].col + pb_dir_col[order[i]];
			int *b;

			if (!pb_zumy_has(s->open, r, c))
				continue;
			b = &best[r + PB_ZUMY_SIDE][c + PB_ZUMY_SIDE];
			f = e[k].g + 1 + abs(r - to.row) + abs(c - to.col);
			if (f >= *b)
				continue;
			*b = f;
			e[n].row = r;
			e[n].col = c;
			e[n].g = e[k].g + 1;
			e[n].f = f;
			e[n].first =
			    e[k].first < 0 ? (int)order[i] : e[k].first;
			e[n++].done = false;
		}
	}
}

static void
random_sets(struct pb_rng *r, struct pb_zumy_ground *g, struct pb_patrol_map *m)
{
	*g = (struct pb_zumy_ground){.rows = 2 + (int)pb_rng_below(r, 9),
	    .cols = 2 + (int)pb_rng_below(r, 9)};
	*m = (struct pb_patrol_map){
	    .last = {(int8_t)pb_rng_below(r, 12), (int8_t)pb_rng_below(r, 12)}};
	if (pb_rng_below(r, 20) == 0)
		g->rows = g->cols = PB_ZUMY_SIDE;
	for (int row = 0; row < g->rows; row++)
		for (int col = 0; col < g->cols; col++) {
			if (pb_rng_below(r, 4) > 0)
				pb_zumy_add(&g->open, row, col);
			if (pb_rng_below(r, 2) > 0)
				pb_zumy_add(&m->known, row, col);
		}
	g->goal =
	    (struct pb_zumy_cell){(int8_t)pb_rng_below(r, (uint32_t)g->rows),
		(int8_t)pb_rng_below(r, (uint32_t)g->cols)};
}

static struct pb_zumy_cell
random_cell(struct pb_rng *r, const struct pb_zumy_ground *g)
{
	struct pb_zumy_cell c;

	c.row = (int8_t)pb_rng_below(r, (uint32_t)g->rows);
	c.col = (int8_t)pb_rng_below(r, (uint32_t)g->cols);
	return c;
}

test(ways_like_slow)
{
	struct pb_zumy_ground g;
	struct pb_patrol_map m;
	struct pb_rng r = draws(2, PB_FOR_TRIAL);

	for (int i = 0; i < 2000; i++) {
		struct pb_zumy_search s = {.ground = &g, .open = &g.open};
		struct pb_zumy_cell from, to;
		struct pb_zumy_path way;

		random_sets(&r, &g, &m);
		from = random_cell(&r, &g);
		to = random_cell(&r, &g);
		check_int(pb_zumy_way(&s, from, to), slow_way(&s, from, to));
		pb_zumy_find(&s, from, to, &way);
		check_int(pb_zumy_first(&way), slow_way(&s, from, to));
	}
}

/* The rule for goals, cell by cell in its order. */
static struct pb_zumy_cell
slow_goal(const struct pb_patrol_map *m, const struct pb_zumy_ground *g,
    struct pb_zumy_cell at, struct pb_zumy_cell other)
{
	struct pb_zumy_cell best = at;
	int least = INT_MAX;

	/* The place itself is nearer than all, and its own cell is no bar. */
	for (int col = 0; col < g->cols; col++)
		for (int row = g->rows - 1; row >= 0; row--) {
			struct pb_zumy_cell c = {(int8_t)row, (int8_t)col};
			int cost = 10 * pb_zumy_manhattan(c, m->last);

			if (!pb_zumy_has(&m->known, row, col) ||
			    !pb_zumy_has(&g->open, row, col) ||
			    pb_zumy_manhattan(c, g->goal) == 0)
				continue;
			if (cost == 0)
				return c;
			if (pb_zumy_manhattan(c, at) == 0 ||
			    pb_zumy_manhattan(c, other) == 0)
				continue;
			for (int k = 0; k < 9; k++) {
				int y = row - 1 + k / 3, x = col - 1 + k % 3;

				cost -= y >= 0 && y < g->rows && x >= 0 &&
				        x < g->cols &&
				        !pb_zumy_has(&m->known, y, x);
			}
			if (cost < least) {
				best = c;
				least = cost;
			}
		}
	return best;
}

test(goals_like_slow)
{
	struct pb_zumy_ground g;
	struct pb_patrol_map m;
	struct pb_rng r = draws(1, PB_FOR_TRIAL);

	for (int i = 0; i < 5000; i++) {
		struct pb_zumy_cell at, other, a, b;

		random_sets(&r, &g, &m);
		at = random_cell(&r, &g);
		other = random_cell(&r, &g);
		a = pb_patrol_goal(&m, &g, at, &other, 1);
		b = slow_goal(&m, &g, at, other);
		check(a.row == b.row && a.col == b.col);
	}
}
