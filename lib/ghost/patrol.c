/* patrol.c - what a patrol of the Zumy game sees, knows, plans and does. */
#include "ghost/patrol.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "pb/geom.h"

/* Columns from -PB_ZUMY_SIDE on, rows to twice that: see `wraps`. */
#define SPAN  (2 * PB_ZUMY_SIDE)
#define CELLS (SPAN * SPAN)

/* The published order of neighbours. */
static const enum pb_dir order[4] = {PB_UP, PB_DOWN, PB_RIGHT, PB_LEFT};

/*
 * Open list of A*. The heuristic is consistent, so a closed cell never opens
 * again, and a cell that is reached at lower cost moves up: one entry for each
 * cell suffices.
 */
struct open_list {
	struct pb_heap heap;   /* by cost plus heuristic, then by order of
	                          insertion */
	double g[CELLS];       /* path cost of the cell */
	signed char by[CELLS]; /* step to the cell; PB_STAY: the start */
	uint32_t reached;
	struct pb_zumy_cell to;
	struct pb_heap_entry at[CELLS];
	int32_t pos[CELLS];
};

static struct pb_zumy_cell
cell_at_index(int k)
{
	return (struct pb_zumy_cell){
	    (int8_t)(k / SPAN), (int8_t)(k % SPAN - PB_ZUMY_SIDE)};
}

static int
index_of_cell(int row, int col)
{
	return row * SPAN + col + PB_ZUMY_SIDE;
}

/* Insert cell k, or lower its cost. */
static void
push_cell(struct open_list *l, int k, double g, uint64_t key, enum pb_dir by)
{
	l->g[k] = g;
	l->by[k] = (signed char)by;
	pb_heap_push(&l->heap, (struct pb_heap_entry){key,
				   (uint64_t)l->reached++ << 32 | (uint32_t)k});
}

/* Rows count from the top here, from the bottom in the published code. */
static bool
is_passable(const struct pb_zumy_search *s, int row, int col)
{
	if (s->wraps && col < 0)
		col += s->ground->cols;
	if (s->wraps && row >= s->ground->rows)
		row -= s->ground->rows;
	return pb_zumy_has(s->open, row, col);
}

/* Whether the published program ends when it looks at that cell. */
static bool
is_too_far(const struct pb_zumy_search *s, int row, int col)
{
	return s->wraps && row >= 0 && col < s->ground->cols &&
	       (col < -s->ground->cols || row >= 2 * s->ground->rows);
}

/* Cost of passing a patrol at distance d. */
static double
proximity_cost(const struct pb_zumy_search *s, int i, int row, int col)
{
	int d = abs(row - s->near[i].row) + abs(col - s->near[i].col);

	/* Distance 0 counts as 1. */
	return 1 + 1 / (10.0 * (d > 0 ? d : 1));
}

double
pb_zumy_price(const struct pb_zumy_search *s, struct pb_zumy_cell from,
    struct pb_zumy_cell at, enum pb_dir d, double g)
{
	struct pb_zumy_cell base = s->start_prices ? from : at;
	int row = base.row + pb_dir_row[d], col = base.col + pb_dir_col[d];
	double sum = 0;

	if (s->start_prices && !is_passable(s, row, col))
		return INFINITY;
	if (s->near == NULL)
		return g + 1;
	/* As published, prices accumulate from step to step. */
	for (int i = 0; i < s->n && s->start_prices; i++)
		g += proximity_cost(s, i, row, col);
	for (int i = 0; i < s->n && !s->start_prices; i++)
		sum += proximity_cost(s, i, row, col);
	return g + sum;
}

/* Fill p with the path from the start to cell k. */
static void
fill_path(const struct open_list *l, int k, struct pb_zumy_path *p)
{
	static const int back[5] = {
	    [PB_UP] = SPAN, [PB_LEFT] = 1, [PB_DOWN] = -SPAN, [PB_RIGHT] = -1};

	p->n = 1;
	for (int i = k; l->by[i] != PB_STAY; i += back[l->by[i]])
		p->n++;
	for (int i = p->n; i-- > 0; k += back[l->by[k]])
		p->cell[i] = cell_at_index(k);
}

/* Expand cell k. Returns whether the program continues. */
static bool
expand_cell(struct open_list *l, const struct pb_zumy_search *s,
    struct pb_zumy_cell from, int k)
{
	struct pb_zumy_cell at = cell_at_index(k);

	for (int i = 0; i < 4; i++) {
		int row = at.row + pb_dir_row[order[i]];
		int col = at.col + pb_dir_col[order[i]],
		    to = index_of_cell(row, col);
		uint64_t key;
		double g;

		if (is_too_far(s, row, col))
			return false;
		if (!is_passable(s, row, col) || l->pos[to] < 0)
			continue;
		g = pb_zumy_price(s, from, at, order[i], l->g[k]);
		key = pb_heap_key(
		    g + abs(row - l->to.row) + abs(col - l->to.col));
		if (l->pos[to] == 0 || key < l->at[l->pos[to] - 1].key)
			push_cell(l, to, g, key, order[i]);
	}
	return true;
}

void
pb_zumy_find(const struct pb_zumy_search *s, struct pb_zumy_cell from,
    struct pb_zumy_cell to, struct pb_zumy_path *p)
{
	struct open_list *l = malloc(sizeof(*l));
	int rows = s->ground->rows * (s->wraps ? 2 : 1);
	int left = s->wraps ? -s->ground->cols : 0, goal;

	p->n = 0;
	p->ended = false;
	if (l == NULL)
		return;
	l->heap = (struct pb_heap){.at = l->at, .pos = l->pos};
	l->reached = 0;
	l->to = to;
	for (int row = 0; row < rows; row++)
		for (int col = left; col < s->ground->cols; col++)
			l->pos[index_of_cell(row, col)] = 0;
	goal = index_of_cell(to.row, to.col);
	push_cell(l, index_of_cell(from.row, from.col), 0, 0, PB_STAY);
	while (!pb_heap_empty(&l->heap) && !p->ended && p->n == 0) {
		int k = pb_heap_pop(&l->heap);

		if (k == goal)
			fill_path(l, k, p);
		else
			p->ended = !expand_cell(l, s, from, k);
	}
	free(l);
}

enum pb_dir
pb_zumy_first(const struct pb_zumy_path *p)
{
	enum pb_dir d = PB_UP;

	if (p->n < 2)
		return PB_STAY;
	while (p->cell[0].row + pb_dir_row[d] != p->cell[1].row ||
	       p->cell[0].col + pb_dir_col[d] != p->cell[1].col)
		d++;
	return d;
}

enum pb_dir
pb_zumy_way(const struct pb_zumy_search *s, struct pb_zumy_cell from,
    struct pb_zumy_cell to)
{
	struct pb_zumy_path way;

	pb_zumy_find(s, from, to, &way);
	return pb_zumy_first(&way);
}

void
pb_zumy_add(struct pb_zumy_set *s, int row, int col)
{
	s->row[row] |= UINT32_C(1) << col;
}

int
pb_zumy_manhattan(struct pb_zumy_cell a, struct pb_zumy_cell b)
{
	return abs(a.row - b.row) + abs(a.col - b.col);
}

void
pb_patrol_set_player(struct pb_patrol_map *m, struct pb_zumy_cell player)
{
	m->last = player;
}

void
pb_patrol_reveal(struct pb_patrol_map *m, const struct pb_zumy_ground *g,
    struct pb_zumy_cell c)
{
	for (int r = c.row - 1; r <= c.row + 1; r++)
		for (int k = c.col - 1; k <= c.col + 1; k++)
			if (r >= 0 && r < g->rows && k >= 0 && k < g->cols)
				pb_zumy_add(&m->known, r, k);
}

bool
pb_patrol_sees(const struct pb_zumy_ground *g, struct pb_zumy_cell c,
    enum pb_dir d, struct pb_zumy_cell what, int range)
{
	int down = what.row - c.row, right = what.col - c.col, far;

	if (d == PB_STAY || (down != 0 && right != 0))
		return false;
	far = down * pb_dir_row[d] + right * pb_dir_col[d];
	if (far <= 0 || (range > 0 && far > range))
		return false;
	for (int k = 1; k <= far; k++)
		if (!pb_zumy_has(&g->open, c.row + k * pb_dir_row[d],
			c.col + k * pb_dir_col[d]))
			return false;
	return true;
}

bool
pb_zumy_cell_read(
    double x, double y, int rows, int cols, struct pb_zumy_cell *c)
{
	double col = round(x), up = round(y);

	if (!(col >= 0 && up >= 0 && col < cols && up < rows && col + up > 0))
		return false;
	*c = (struct pb_zumy_cell){(int8_t)(rows - 1 - (int)up), (int8_t)col};
	return true;
}

enum pb_dir
pb_zumy_facing(double th, bool unwrapped)
{
	static const enum pb_dir quarter[4] = {
	    PB_RIGHT, PB_UP, PB_LEFT, PB_DOWN};
	const double exact = 1e-9; /* angles that are meant to be are within */
	double turn = th / (PB_PI / 2);

	if (!unwrapped)
		return quarter[(int)floor(turn + 0.5) & 3];
	if (turn < -exact)
		turn += 4;
	/* Halfway between two directions: the one with the smaller angle. */
	return quarter[(int)fmin(fmax(ceil(turn - 0.5 - exact), 0), 3)];
}

bool
pb_patrol_due(double *next, double now, double every)
{
	bool due = now > *next;

	if (due)
		*next = now + every;
	return due;
}

static bool
is_any(const struct pb_zumy_cell *cell, int n, int row, int col)
{
	for (int i = 0; i < n; i++)
		if (cell[i].row == row && cell[i].col == col)
			return true;
	return false;
}

/* Fill the sets of cells unknown to the patrol; row r is in [r + 1]. */
static void
unknown_rows(const struct pb_patrol_map *m, const struct pb_zumy_ground *g,
    uint32_t unknown[PB_ZUMY_SIDE + 2])
{
	uint32_t all = UINT32_MAX >> (PB_ZUMY_SIDE - g->cols);

	unknown[0] = unknown[g->rows + 1] = 0;
	for (int r = 0; r < g->rows; r++)
		unknown[r + 1] = all & ~m->known.row[r];
}

/* Number of unknown cells around (row, col). */
static int
count_unknown_around(const uint32_t *unknown, int row, int col)
{
	static const unsigned char count[8] = {0, 1, 1, 2, 1, 2, 2, 3};
	int n = 0;

	for (int r = row; r <= row + 2; r++)
		n += count[(uint64_t)unknown[r] << 1 >> col & 7];
	return n;
}

/* A goal and its cost. */
struct choice {
	struct pb_zumy_cell at;
	int cost;
};

/* Of equals the first from the left, then from the bottom. */
static bool
is_better(struct choice a, struct choice b)
{
	if (a.cost != b.cost)
		return a.cost < b.cost;
	return a.at.col != b.at.col ? a.at.col < b.at.col : a.at.row > b.at.row;
}

struct pb_zumy_cell
pb_patrol_goal(const struct pb_patrol_map *m, const struct pb_zumy_ground *g,
    struct pb_zumy_cell at, const struct pb_zumy_cell *other, int n)
{
	struct choice best = {at, INT_MAX};
	uint32_t unknown[PB_ZUMY_SIDE + 2];
	struct pb_zumy_set free;

	for (int r = 0; r < g->rows; r++)
		free.row[r] = m->known.row[r] & g->open.row[r];
	free.row[g->goal.row] &= ~(UINT32_C(1) << g->goal.col);
	if (m->last.row < g->rows &&
	    pb_zumy_has(&free, m->last.row, m->last.col))
		return m->last;
	unknown_rows(m, g, unknown);
	for (int row = 0; row < g->rows; row++)
		for (int col = 0; col < g->cols; col++) {
			struct choice c = {{(int8_t)row, (int8_t)col}, 0};

			if (!(free.row[row] >> col & 1) ||
			    is_any(&at, 1, row, col) ||
			    is_any(other, n, row, col))
				continue;
			/* In tenths, so that integers compare exactly. */
			c.cost = 10 * pb_zumy_manhattan(c.at, m->last) -
			         count_unknown_around(unknown, row, col);
			if (is_better(c, best))
				best = c;
		}
	return best.at;
}
