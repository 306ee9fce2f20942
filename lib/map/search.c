/* search.c - the workspace of the searches over a planning grid. */
#include "map/search.h"

#include <stdlib.h>
#include <string.h>

static bool
allocate(struct pb_search *s, size_t cells, size_t nfree)
{
	s->heap.at = malloc((nfree + 1) * sizeof(*s->heap.at));
	s->heap.pos = malloc(cells * sizeof(*s->heap.pos));
	s->band = malloc(cells * sizeof(*s->band));
	s->cost = malloc(cells * sizeof(*s->cost));
	s->seen = calloc(cells, sizeof(*s->seen));
	s->mark = calloc(cells, sizeof(*s->mark));
	s->came = malloc(cells);
	s->way = malloc((nfree + 1) * sizeof(*s->way));
	s->reached = malloc((nfree + 1) * sizeof(*s->reached));
	return s->heap.at != NULL && s->heap.pos != NULL && s->band != NULL &&
	       s->cost != NULL && s->seen != NULL && s->mark != NULL &&
	       s->came != NULL && s->way != NULL && s->reached != NULL;
}

enum pb_status
pb_search_new(struct pb_search **out, const struct pb_grid *g)
{
	size_t cells = (size_t)g->width * (size_t)g->height;
	struct pb_search *s = calloc(1, sizeof(*s));

	if (s == NULL || !allocate(s, cells, g->nfree)) {
		pb_search_free(s);
		return PB_ENOMEM;
	}
	s->g = g;
	for (int k = 0; k < PB_MOVES; k++)
		s->step[k] = pb_move_row(k) * g->width + pb_move_col(k);
	for (size_t i = 0; i < cells; i++) {
		s->band[i].dist = PB_FIELD_NONE;
		s->heap.pos[i] = PB_HEAP_OUT;
	}
	*out = s;
	return PB_OK;
}

void
pb_search_free(struct pb_search *s)
{
	if (s == NULL)
		return;
	free(s->heap.at);
	free(s->heap.pos);
	free(s->band);
	free(s->cost);
	free(s->seen);
	free(s->mark);
	free(s->came);
	free(s->way);
	free(s->reached);
	free(s);
}

uint64_t
pb_search_expanded(const struct pb_search *s)
{
	return s->expanded;
}

void
pb_search_begin(struct pb_search *s)
{
	while (s->heap.n > 0)
		s->heap.pos[s->heap.at[--s->heap.n].cell] = PB_HEAP_OUT;
	if (++s->query != 0)
		return;
	/* Once in 2^32 queries the numbers start again. */
	memset(s->seen, 0,
	    sizeof(*s->seen) * (size_t)s->g->width * (size_t)s->g->height);
	memset(s->mark, 0,
	    sizeof(*s->mark) * (size_t)s->g->width * (size_t)s->g->height);
	s->query = 1;
}

struct pb_path
pb_search_trace(struct pb_search *s, int from, int to)
{
	int *end = s->way + s->g->nfree, *p = end;

	*--p = to;
	while (to != from) {
		to -= s->step[s->came[to]];
		*--p = to;
	}
	return (struct pb_path){p, (size_t)(end - p)};
}

void
pb_search_open(
    struct pb_search *s, int i, int k, double cost, uint64_t key, uint32_t tie)
{
	s->seen[i] = s->query;
	s->cost[i] = cost;
	s->came[i] = (unsigned char)k;
	pb_heap_push(&s->heap, (struct pb_heap_entry){key, tie, i});
}

int32_t
pb_search_bound(const struct pb_grid *g, int a, int b)
{
	struct pb_cell p = pb_grid_cell(g, a), q = pb_grid_cell(g, b);
	int dx = abs(p.col - q.col), dy = abs(p.row - q.row);
	int diagonal = dx < dy ? dx : dy;

	return PB_STEP * (dx + dy - 2 * diagonal) + PB_DIAG * diagonal;
}

bool
pb_search_cheaper(const struct pb_search *s, int i, double cost)
{
	return s->seen[i] != s->query || cost < s->cost[i];
}

double
pb_path_length(const struct pb_grid *g, struct pb_path p)
{
	double sum = 0;

	for (size_t i = 1; i < p.n; i++) {
		struct pb_cell a = pb_grid_cell(g, p.cell[i - 1]);
		struct pb_cell b = pb_grid_cell(g, p.cell[i]);

		sum += a.col == b.col || a.row == b.row ? 1 : PB_SQRT2;
	}
	return sum;
}
