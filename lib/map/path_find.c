/* path_find.c - shortest paths around discs. */
#include "map/search.h"

#include <math.h>
#include <stdlib.h>

#include "map/map.h"

/* The rows or columns whose distance from v is at most r, cut to 0..n-1. */
static int
first_within(double v, double r)
{
	double a = ceil(v - r);

	return a > 0 ? a < PB_MAP_SIDE ? (int)a : PB_MAP_SIDE : 0;
}

static int
last_within(double v, double r, int n)
{
	double b = floor(v + r);

	return b < n - 1 ? b < 0 ? -1 : (int)b : n - 1;
}

/* Mark the cells that a disc blocks. */
static void
block(struct pb_search *s, const struct pb_disc *d)
{
	int right = last_within(d->col, d->r, s->g->width);
	int top = last_within(d->row, d->r, s->g->height);

	if (!(d->r >= 0))
		return;
	for (int y = first_within(d->row, d->r); y <= top; y++)
		for (int x = first_within(d->col, d->r); x <= right; x++) {
			double dx = x - d->col, dy = y - d->row;

			if (dx * dx + dy * dy <= d->r * d->r)
				s->mark[y * s->g->width + x] = s->query;
		}
}

/* The moves from i that no disc forbids. */
static unsigned
open_moves(const struct pb_search *s, int i)
{
	/* A diagonal dies with either of the straight moves beside it. */
	static const unsigned char also[4] = {
	    1 << 0 | 1 << 4 | 1 << 6, /* +x */
	    1 << 1 | 1 << 5 | 1 << 7, /* -x */
	    1 << 2 | 1 << 4 | 1 << 5, /* +y */
	    1 << 3 | 1 << 6 | 1 << 7  /* -y */
	};
	unsigned move = s->g->move[i];

	for (unsigned k = 0; k < PB_MOVES; k++)
		if (move & 1u << k && s->mark[i + s->step[k]] == s->query)
			move &= ~(k < 4 ? (unsigned)also[k] : 1u << k);
	return move;
}

/* A*, far cells first among equals. */
static bool
search(struct pb_search *s, int from, int to, const int32_t *field)
{
	pb_search_open(s, from, 0, 0, 0, 0);
	while (s->heap.n > 0) {
		int i = pb_heap_pop(&s->heap).cell;
		unsigned m = open_moves(s, i);

		if (i == to)
			return true;
		s->expanded++;
		for (int k = 0; m != 0; m >>= 1, k++) {
			double cost = s->cost[i] + (k < 4 ? PB_STEP : PB_DIAG);
			int n = i + s->step[k];

			int32_t left;

			if (!(m & 1) || !pb_search_cheaper(s, n, cost))
				continue;
			left = field != NULL ? field[n]
			                     : pb_search_bound(s->g, n, to);
			pb_search_open(s, n, k, cost, (uint64_t)(cost + left),
			    UINT32_MAX - (uint32_t)(uint64_t)cost);
		}
	}
	return false;
}

/* Whether going downhill on the field from `from` meets no disc. */
static bool
slide(struct pb_search *s, int from, const int32_t *field, struct pb_path *p)
{
	size_t n = pb_field_descend(s->g, field, from, s->way, s->g->nfree);

	for (size_t i = 0; i + 1 < n; i++) {
		unsigned m = open_moves(s, s->way[i]);
		bool open = false;

		for (int k = 0; m != 0; m >>= 1, k++)
			if (m & 1 && s->way[i] + s->step[k] == s->way[i + 1])
				open = true;
		if (!open)
			return false;
	}
	*p = (struct pb_path){s->way, n};
	return true;
}

struct pb_path
pb_path_find(struct pb_search *s, int from, int to, const struct pb_disc *disc,
    size_t n, const int32_t *field)
{
	struct pb_path p = {NULL, 0};

	if (!pb_grid_joined(s->g, from, to))
		return p;
	pb_search_begin(s);
	for (size_t i = 0; i < n; i++)
		block(s, &disc[i]);
	if (s->mark[to] == s->query && from != to)
		return p;
	s->mark[from] = 0;
	if (field != NULL && slide(s, from, field, &p))
		return p;
	if (search(s, from, to, field))
		p = pb_search_trace(s, from, to);
	return p;
}
