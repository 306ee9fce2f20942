/* path_ghost.c - the published ghost's shortest path, ties and all. */
#include "map/search.h"

#include <math.h>
#include <string.h>

/* The bits of a double >= 0 order as the double does. */
static uint64_t
order(double f)
{
	uint64_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

/* Rank of a cell as the ghost has it: f = g + h, then x, then y. */
static void
ghost_open(struct pb_search *s, int i, int k, double cost, struct pb_cell goal)
{
	struct pb_cell c = pb_grid_cell(s->g, i);
	double dx = c.col - goal.col, dy = c.row - goal.row;
	uint32_t y = (uint32_t)(s->g->height - 1 - c.row);

	pb_search_open(s, i, k, cost, order(cost + sqrt(dx * dx + dy * dy)),
	    (uint32_t)c.col << 16 | y);
}

/*
 * Which of the shortest paths the published search takes depends on nothing
 * but the cells that lie on one, for no other can come first at such a cell:
 * its way there would be longer by far more than rounding. So those cells
 * are found first, with exact integers and no heap, and the search kept to
 * them (`marked`).
 *
 * The published procedure leaves a cell's outdated entries in its heap
 * and expands them again; by then the cell's better entry, ranked before
 * them, has done all that they could do. So moving an entry up is the same.
 */
static bool
ghost_search(struct pb_search *s, int from, int to, bool marked)
{
	struct pb_cell goal = pb_grid_cell(s->g, to);

	pb_search_open(s, from, 0, 0, 0, 0);
	while (s->heap.n > 0) {
		int i = pb_heap_pop(&s->heap).cell;

		if (i == to)
			return true;
		s->expanded++;
		for (unsigned m = s->g->move[i], k = 0; m != 0; m >>= 1, k++) {
			int n = i + s->step[k];
			double cost = s->cost[i] + (k < 4 ? 1 : PB_SQRT2);

			if (m & 1 && (!marked || s->mark[n] == s->query) &&
			    pb_search_cheaper(s, n, cost))
				ghost_open(s, n, (int)k, cost, goal);
		}
	}
	return false;
}

struct pb_path
pb_path_ghost(struct pb_search *s, int from, int to)
{
	if (!pb_grid_joined(s->g, from, to))
		return (struct pb_path){NULL, 0};
	pb_search_begin(s);
	ghost_search(s, from, to, pb_search_mark(s, from, to));
	return pb_search_trace(s, from, to);
}

struct pb_path
pb_path_ghost_literal(struct pb_search *s, int from, int to)
{
	if (!pb_grid_joined(s->g, from, to))
		return (struct pb_path){NULL, 0};
	pb_search_begin(s);
	ghost_search(s, from, to, false);
	return pb_search_trace(s, from, to);
}
