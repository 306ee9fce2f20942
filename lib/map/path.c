/* path.c - shortest paths on a planning grid, also as the published ghost finds
 * them. */
#include "pb/path.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/pool.h"
#include "pb/map.h"

#define SQRT2 1.4142135623730951

/*
 * A* in exact integers; open cells are in a ring of buckets by f = dist + left.
 * Cells of one bucket come in any order, so a cell may be expanded again; when
 * the goal's bucket is empty, all distances with f <= dist(goal) are final. A
 * move changes f by at most twice its cost, 16 buckets, so half a ring
 * suffices.
 */
enum { SHIFT = 10, RING = 32 };

/* Value of `prev`: the cell is in no bucket. */
#define OUT (-2)

/* Data of a cell in the search for all shortest paths. */
struct band_cell {
	int32_t near; /* how far the distance from the start is below
	                 PB_FIELD_NONE, 0: it has none */
	int32_t left; /* least distance to the goal */
	int32_t next; /* the next cell in its bucket, -1 at the end */
	int32_t prev; /* the one before, -1 if it is the first */
};

/* Data of a cell in A*, which uses the same memory later. */
struct star_cell {
	double cost; /* path cost from the start, if seen */
	int32_t pos; /* the heap's, 0: not seen */
};

union search_cell {
	struct band_cell band;
	struct star_cell star;
};

/* Bits of a flag: the move that led to the cell; on a shortest path, or blocked
 * by a disc; reached by a flood fill. */
enum { CAME = 7, MARKED = 8, FLOODED = 16 };

/*
 * All data of cells is 0 between queries. The system allocates zeroed pages on
 * first use, so that on a large map a search occupies memory only for visited
 * cells.
 */
struct pb_search {
	const struct pb_grid *g; /* grid of this query */
	size_t room;             /* cells of the largest grid */
	struct pb_pool pool;     /* owner of all arrays */
	struct pb_heap heap;     /* heap of cells */
	union search_cell *cell;
	unsigned char *flag; /* by cell: see above; CAME outlasts the query */
	int32_t head[RING];  /* first cell of each bucket, -1 if empty */
	int32_t queued;      /* cells in the buckets */
	int *list; /* cells that are not 0; then the path, at the end */
	size_t n;  /* cells in it */
	struct pb_cell goal; /* goal of this query */
	int step[PB_MOVES];  /* by move: change of index */
	uint64_t expanded;
};

enum pb_status
pb_search_new(struct pb_search **out, const struct pb_grid *g)
{
	size_t cells = (size_t)g->width * (size_t)g->height;
	struct pb_search *s = calloc(1, sizeof(*s));
	struct pb_pool *p;

	if (s == NULL)
		return PB_ENOMEM;
	p = &s->pool;
	s->room = cells;
	s->heap.at = pb_pool_get(p, cells, sizeof(*s->heap.at));
	s->cell = pb_pool_get(p, cells, sizeof(*s->cell));
	s->flag = pb_pool_get(p, cells, 1);
	s->list = pb_pool_get(p, cells + 1, sizeof(*s->list));
	if (p->failed) {
		pb_search_free(s);
		return PB_ENOMEM;
	}
	s->heap.pos = &s->cell[0].star.pos;
	s->heap.shift = 2; /* a cell has the size of four */
	*out = s;
	return PB_OK;
}

void
pb_search_free(struct pb_search *s)
{
	if (s != NULL)
		pb_pool_clear(&s->pool);
	free(s);
}

uint64_t
pb_search_expanded(const struct pb_search *s)
{
	return s->expanded;
}

static void
search_begin(struct pb_search *s, const struct pb_grid *g, int to)
{
	s->g = g;
	s->goal = pb_grid_cell(g, to);
	for (int k = 0; k < PB_MOVES; k++)
		s->step[k] = pb_move_row(k) * g->width + pb_move_col(k);
}

static const union search_cell nothing;

/* End a query. */
static void
search_end(struct pb_search *s)
{
	for (size_t k = 0; k < s->n; k++) {
		s->cell[s->list[k]] = nothing;
		s->flag[s->list[k]] &= CAME;
	}
	s->n = 0;
	s->heap.n = 0;
	s->heap.hole = false;
}

/* Trace the path back from `to`; it overwrites the list. */
static struct pb_path
search_trace(struct pb_search *s, int from, int to)
{
	int *end = s->list + s->room, *p = end;

	*--p = to;
	while (to != from) {
		to -= s->step[s->flag[to] & CAME];
		*--p = to;
	}
	return (struct pb_path){p, (size_t)(end - p)};
}

static void
set_came(struct pb_search *s, int i, int k)
{
	s->flag[i] = (unsigned char)((s->flag[i] & ~CAME) | k);
}

/* Open cell i, reached at a cost by move k; rank it by key, then tie. Marked
 * cells are on the list already. */
static void
search_open(
    struct pb_search *s, int i, int k, double cost, uint64_t key, uint32_t tie)
{
	if (s->cell[i].star.pos == 0 && !(s->flag[i] & MARKED))
		s->list[s->n++] = i;
	s->cell[i].star.cost = cost;
	set_came(s, i, k);
	pb_heap_push(&s->heap,
	    (struct pb_heap_entry){key, (uint64_t)tie << 32 | (uint32_t)i});
}

/* Octile distance from cell a to b, see pb/plan_grid.h. */
static int32_t
search_bound(const struct pb_grid *g, int a, struct pb_cell b)
{
	int dx = abs(a % g->width - b.col), dy = abs(a / g->width - b.row);
	int diagonal = dx < dy ? dx : dy;

	return PB_STEP * (dx + dy - 2 * diagonal) + PB_DIAG * diagonal;
}

/* Whether cell i was not reached yet at this cost or less. */
static bool
search_cheaper(const struct pb_search *s, int i, double cost)
{
	const struct star_cell *c = &s->cell[i].star;

	return c->pos == 0 || cost < c->cost;
}

/* Distance of a cell from the start. */
static int32_t
start_distance(const struct band_cell *c)
{
	return PB_FIELD_NONE - c->near;
}

static int32_t *
bucket_of(struct pb_search *s, const struct band_cell *c)
{
	return &s->head[(start_distance(c) + c->left) >> SHIFT & (RING - 1)];
}

static void
insert_cell(struct pb_search *s, int32_t i)
{
	struct band_cell *c = &s->cell[i].band;
	int32_t *head = bucket_of(s, c);

	c->prev = -1;
	c->next = *head;
	if (*head >= 0)
		s->cell[*head].band.prev = i;
	*head = i;
	s->queued++;
}

static void
remove_cell(struct pb_search *s, int32_t i)
{
	struct band_cell *c = &s->cell[i].band;

	if (c->prev >= 0)
		s->cell[c->prev].band.next = c->next;
	else
		*bucket_of(s, c) = c->next;
	if (c->next >= 0)
		s->cell[c->next].band.prev = c->prev;
	c->prev = OUT;
	s->queued--;
}

/* Cell i is reached at distance d, less than before, by move k; the goal is
 * `to`. */
static void
reach_cell(struct pb_search *s, int32_t i, int32_t d, int k, int to)
{
	struct band_cell *c = &s->cell[i].band;
	int32_t most = start_distance(&s->cell[to].band);
	uintptr_t row = (uintptr_t)s->g->width * sizeof(*c);

	if (c->near == 0) {
		c->left = search_bound(s->g, i, s->goal);
		c->prev = OUT;
		s->list[s->n++] = i;
	} else if (c->prev != OUT) {
		remove_cell(s, i);
	}
	/* Its neighbours are needed soon. */
	__builtin_prefetch((void *)((uintptr_t)c + row));
	__builtin_prefetch((void *)((uintptr_t)c - row));
	c->near = PB_FIELD_NONE - d;
	set_came(s, i, k);
	if (most > PB_STEP * PB_STEP)
		most = PB_STEP * PB_STEP;
	if (d + c->left <= most)
		insert_cell(s, i);
}

/* Each move and the two at 45 degrees to it. */
static const unsigned char about[PB_MOVES] = {
    1 << 0 | 1 << 4 | 1 << 6, /* +x */
    1 << 1 | 1 << 5 | 1 << 7, /* -x */
    1 << 2 | 1 << 4 | 1 << 5, /* +y */
    1 << 3 | 1 << 6 | 1 << 7, /* -y */
    1 << 4 | 1 << 0 | 1 << 2, /* (+,+) */
    1 << 5 | 1 << 1 | 1 << 2, /* (-,+) */
    1 << 6 | 1 << 0 | 1 << 3, /* (+,-) */
    1 << 7 | 1 << 1 | 1 << 3  /* (-,-) */
};

/*
 * The moves from cell i that may be on a shortest path. Where all cells around
 * are free a path turns by at most 45 degrees: any other neighbour is nearer to
 * the previous cell.
 */
static unsigned
pruned_moves(const struct pb_search *s, int32_t i, int from)
{
	unsigned move = s->g->move[i];

	return move == 0xff && i != from ? about[s->flag[i] & CAME] : move;
}

/* Fill the distances of all cells on shortest paths, and of others. */
static void
fill_distances(struct pb_search *s, int from, int to)
{
	int32_t now;

	reach_cell(s, from, 0, 0, to);
	now = s->cell[from].band.left >> SHIFT;
	while (s->queued > 0 &&
	       now << SHIFT <= start_distance(&s->cell[to].band)) {
		int32_t i = s->head[now & (RING - 1)];

		if (i < 0) {
			now++;
			continue;
		}
		remove_cell(s, i);
		s->expanded++;
		for (unsigned m = pruned_moves(s, i, from); m != 0;
		     m &= m - 1) {
			int k = __builtin_ctz(m);
			int32_t n = i + s->step[k];
			int32_t d = start_distance(&s->cell[i].band) +
			            (k < 4 ? PB_STEP : PB_DIAG);

			if (d < start_distance(&s->cell[n].band))
				reach_cell(s, n, d, k, to);
		}
	}
}

/* Mark the cells on shortest paths, backwards from `to` by exact moves. The
 * links of the buckets, now empty, make a queue. */
static void
mark_shortest(struct pb_search *s, int to)
{
	int last = to;

	s->flag[to] |= MARKED;
	s->cell[to].band.next = -1;
	for (int i = to; i >= 0; i = s->cell[i].band.next) {
		for (unsigned m = s->g->move[i], k = 0; m != 0; m >>= 1, k++) {
			int32_t c = k < 4 ? PB_STEP : PB_DIAG;
			int j = i + s->step[k];
			struct band_cell *b = &s->cell[j].band;

			if (!(m & 1) || s->flag[j] & MARKED ||
			    start_distance(b) !=
				start_distance(&s->cell[i].band) - c)
				continue;
			s->flag[j] |= MARKED;
			b->next = -1;
			s->cell[last].band.next = j;
			last = j;
		}
	}
}

/*
 * Mark the cells on shortest paths. Integers order lengths correctly as long as
 * these differ by less than PB_STEP diagonals, so paths longer than PB_STEP
 * cells are refused.
 */
static bool
search_mark(struct pb_search *s, int from, int to)
{
	size_t kept = 0;
	bool known;

	memset(s->head, -1, sizeof(s->head));
	s->queued = 0;
	fill_distances(s, from, to);
	known = start_distance(&s->cell[to].band) <= PB_STEP * PB_STEP;
	if (known)
		mark_shortest(s, to);
	for (size_t k = 0; k < s->n; k++) {
		int i = s->list[k];

		s->cell[i] = nothing;
		if (s->flag[i] & MARKED)
			s->list[kept++] = i;
	}
	s->n = kept;
	return known;
}

/* Open a cell with the published rank: f = g + h, then x, then y. */
static void
ghost_open(struct pb_search *s, int i, int k, double cost)
{
	struct pb_cell c = pb_grid_cell(s->g, i);
	double dx = c.col - s->goal.col, dy = c.row - s->goal.row;
	uint32_t y = (uint32_t)(s->g->height - 1 - c.row);

	search_open(s, i, k, cost, pb_heap_key(cost + sqrt(dx * dx + dy * dy)),
	    (uint32_t)c.col << 16 | y);
}

/*
 * Which of several shortest paths the published search takes depends only on
 * the cells that lie on one: any other path to such a cell would be longer by
 * far more than rounding. So those cells are found first, with exact integers
 * and no heap, and the search is restricted to them (`marked`).
 *
 * The published procedure leaves a cell's outdated entries in its heap and
 * expands them again; by then the cell's better entry, ranked before them, has
 * done all that they could do. So moving an entry up has the same result.
 */
static void
ghost_search(struct pb_search *s, int from, int to, bool marked)
{
	search_open(s, from, 0, 0, 0, 0);
	while (!pb_heap_empty(&s->heap)) {
		int i = pb_heap_pop(&s->heap);

		if (i == to)
			return;
		s->expanded++;
		for (unsigned m = s->g->move[i], k = 0; m != 0; m >>= 1, k++) {
			int n = i + s->step[k];
			double cost =
			    s->cell[i].star.cost + (k < 4 ? 1 : SQRT2);

			if (m & 1 && (!marked || s->flag[n] & MARKED) &&
			    search_cheaper(s, n, cost))
				ghost_open(s, n, (int)k, cost);
		}
	}
}

static struct pb_path
ghost_path(struct pb_search *s, const struct pb_grid *g, int from, int to,
    bool literal)
{
	if (!pb_grid_joined(g, from, to))
		return (struct pb_path){NULL, 0};
	search_begin(s, g, to);
	ghost_search(s, from, to, !literal && search_mark(s, from, to));
	search_end(s);
	return search_trace(s, from, to);
}

struct pb_path
pb_path_ghost(struct pb_search *s, const struct pb_grid *g, int from, int to)
{
	return ghost_path(s, g, from, to, false);
}

struct pb_path
pb_path_ghost_literal(
    struct pb_search *s, const struct pb_grid *g, int from, int to)
{
	return ghost_path(s, g, from, to, true);
}

/* First row or column within r of v, clamped to 0. */
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

/* Mark the free cells that a disc blocks. */
static void
mark_disc(struct pb_search *s, const struct pb_disc *d)
{
	int right = last_within(d->col, d->r, s->g->width);
	int top = last_within(d->row, d->r, s->g->height);

	if (!(d->r >= 0))
		return;
	for (int y = first_within(d->row, d->r); y <= top; y++)
		for (int x = first_within(d->col, d->r); x <= right; x++) {
			double dx = x - d->col, dy = y - d->row;
			int i = y * s->g->width + x;

			if (!(dx * dx + dy * dy <= d->r * d->r) ||
			    s->g->move[i] == 0 || s->flag[i] & MARKED)
				continue;
			s->flag[i] |= MARKED;
			s->list[s->n++] = i;
		}
}

/* The moves from i that no disc blocks. */
static unsigned
open_moves(const struct pb_search *s, int i)
{
	unsigned move = s->g->move[i];

	/* A diagonal needs both straight moves beside it. */
	for (unsigned k = 0; k < PB_MOVES; k++)
		if (move & 1u << k && s->flag[i + s->step[k]] & MARKED)
			move &= ~(k < 4 ? (unsigned)about[k] : 1u << k);
	return move;
}

/*
 * Whether a flood fill from `to` meets a cell that the search has seen: much
 * faster than to exhaust the search if there is no path. Its cells are stored
 * behind the list.
 */
static bool
can_meet(struct pb_search *s, int to)
{
	int *queue = s->list + s->n;
	size_t n = 0;
	bool met = s->cell[to].star.pos != 0;

	queue[n++] = to;
	s->flag[to] |= FLOODED;
	for (size_t q = 0; q < n && !met; q++) {
		unsigned m = open_moves(s, queue[q]);

		for (; m != 0 && !met; m &= m - 1) {
			int j = queue[q] + s->step[__builtin_ctz(m)];

			met = s->cell[j].star.pos != 0;
			if (met || s->flag[j] & FLOODED)
				continue;
			s->flag[j] |= FLOODED;
			queue[n++] = j;
		}
	}
	for (size_t q = 0; q < n; q++)
		s->flag[queue[q]] &= (unsigned char)~FLOODED;
	return met;
}

/* A*; of equals those farther from the start first. */
static bool
search_path(
    struct pb_search *s, int from, int to, const int32_t *field, int32_t most)
{
	/* Successful searches seldom expand more cells: then test with a flood
	 * fill. */
	uint64_t far = s->expanded + s->g->nfree / 8;

	search_open(s, from, 0, 0, 0, 0);
	while (!pb_heap_empty(&s->heap)) {
		int i = pb_heap_pop(&s->heap);
		unsigned m = open_moves(s, i);

		if (i == to)
			return true;
		if (s->expanded++ == far && !can_meet(s, to))
			return false;
		for (int k = 0; m != 0; m >>= 1, k++) {
			double cost =
			    s->cell[i].star.cost + (k < 4 ? PB_STEP : PB_DIAG);
			int n = i + s->step[k];

			int32_t left;

			if (!(m & 1) || !search_cheaper(s, n, cost))
				continue;
			if (field == NULL)
				left = search_bound(s->g, n, s->goal);
			else
				left = field[n] < most ? field[n] : most;
			search_open(s, n, k, cost, (uint64_t)(cost + left),
			    UINT32_MAX - (uint32_t)(uint64_t)cost);
		}
	}
	return false;
}

/* Whether descending the field from `from` meets no disc. */
static bool
descend_field(
    struct pb_search *s, int from, const int32_t *field, struct pb_path *p)
{
	int *way = s->list + s->n;
	size_t n = pb_field_descend(s->g, field, from, way, s->room + 1 - s->n);

	for (size_t i = 0; i + 1 < n; i++) {
		unsigned m = open_moves(s, way[i]);
		bool open = false;

		for (int k = 0; m != 0; m >>= 1, k++)
			if (m & 1 && way[i] + s->step[k] == way[i + 1])
				open = true;
		if (!open)
			return false;
	}
	*p = (struct pb_path){way, n};
	return true;
}

struct pb_path
pb_path_find(struct pb_search *s, const struct pb_grid *g, int from, int to,
    const struct pb_disc *disc, size_t n, const int32_t *field, int32_t most)
{
	struct pb_path p = {NULL, 0};
	bool found = false;

	if (!pb_grid_joined(g, from, to))
		return p;
	search_begin(s, g, to);
	for (size_t i = 0; i < n; i++)
		mark_disc(s, &disc[i]);
	if (!(s->flag[to] & MARKED) || from == to) {
		s->flag[from] &= CAME;
		if (field == NULL || !descend_field(s, from, field, &p))
			found = search_path(s, from, to, field, most);
	}
	search_end(s);
	return found ? search_trace(s, from, to) : p;
}
