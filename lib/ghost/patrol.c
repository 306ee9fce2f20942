/* patrol.c - what a patrol of the Zumy game sees, knows and does. */
#include "ghost/patrol.h"

#include <stdlib.h>
#include <string.h>

/* Columns from -PB_ZUMY_SIDE on, rows to twice that: see `wraps`. */
#define SPAN   (2 * PB_ZUMY_SIDE)
#define OPENED (4 * SPAN * SPAN) /* entries of the open list, all times */

/* The order in which neighbours are looked at. */
static const enum pb_dir order[4] = {PB_UP, PB_DOWN, PB_RIGHT, PB_LEFT};

bool
pb_zumy_has(const struct pb_zumy_set *s, int row, int col)
{
	return row >= 0 && row < PB_ZUMY_SIDE && col >= 0 &&
	       col < PB_ZUMY_SIDE && s->row[row] >> col & 1;
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
	if (d == PB_STAY)
		return false;
	for (int k = 1; range == 0 || k <= range; k++) {
		int row = c.row + k * pb_dir_row[d];
		int col = c.col + k * pb_dir_col[d];

		if (!pb_zumy_has(&g->open, row, col))
			return false;
		if (row == what.row && col == what.col)
			return true;
	}
	return false;
}

/* Cells of the board about (row, col) that the patrol has not seen. */
static int
unknown_about(const struct pb_patrol_map *m, const struct pb_zumy_ground *g,
    int row, int col)
{
	int n = 0;

	for (int r = row - 1; r <= row + 1; r++)
		for (int c = col - 1; c <= col + 1; c++)
			n += r >= 0 && r < g->rows && c >= 0 && c < g->cols &&
			     !pb_zumy_has(&m->known, r, c);
	return n;
}

/* Whether its map says that the cell is free, and not the goal. */
static bool
known_free(const struct pb_patrol_map *m, const struct pb_zumy_ground *g,
    int row, int col)
{
	return pb_zumy_has(&m->known, row, col) &&
	       pb_zumy_has(&g->open, row, col) &&
	       !(row == g->goal.row && col == g->goal.col);
}

static bool
is_any(const struct pb_zumy_cell *cell, int n, int row, int col)
{
	for (int i = 0; i < n; i++)
		if (cell[i].row == row && cell[i].col == col)
			return true;
	return false;
}

struct pb_zumy_cell
pb_patrol_goal(const struct pb_patrol_map *m, const struct pb_zumy_ground *g,
    struct pb_zumy_cell at, const struct pb_zumy_cell *other, int n)
{
	struct pb_zumy_cell best = at;
	int least = 0;
	bool any = false;

	if (known_free(m, g, m->last.row, m->last.col))
		return m->last;
	for (int col = 0; col < g->cols; col++)
		for (int row = g->rows - 1; row >= 0; row--) {
			struct pb_zumy_cell c = {(int8_t)row, (int8_t)col};
			int cost;

			if (!known_free(m, g, row, col) ||
			    is_any(&at, 1, row, col) ||
			    is_any(other, n, row, col))
				continue;
			/* In tenths: whole numbers compare exactly. */
			cost = 10 * pb_zumy_manhattan(c, m->last) -
			       unknown_about(m, g, row, col);
			if (!any || cost < least) {
				best = c;
				least = cost;
			}
			any = true;
		}
	return best;
}

/* An entry of the open list. */
struct entry {
	double f, g;
	int order; /* in which it came */
	short row, col;
	signed char first; /* direction of the way's first step */
};

struct open_list {
	struct entry heap[OPENED];
	int n, came;
};

static bool
before(const struct entry *a, const struct entry *b)
{
	return a->f < b->f || (a->f == b->f && a->order < b->order);
}

static void
push(struct open_list *l, struct entry e)
{
	int i = l->n++;

	e.order = l->came++;
	for (; i > 0 && before(&e, &l->heap[(i - 1) / 2]); i = (i - 1) / 2)
		l->heap[i] = l->heap[(i - 1) / 2];
	l->heap[i] = e;
}

static struct entry
pop(struct open_list *l)
{
	struct entry top = l->heap[0], e = l->heap[--l->n];
	int i = 0, k;

	while ((k = 2 * i + 1) < l->n) {
		if (k + 1 < l->n && before(&l->heap[k + 1], &l->heap[k]))
			k++;
		if (!before(&l->heap[k], &e))
			break;
		l->heap[i] = l->heap[k];
		i = k;
	}
	l->heap[i] = e;
	return top;
}

static bool
passable(const struct pb_zumy_search *s, int row, int col)
{
	/* Rows count from the top, the published ones from the bottom. */
	if (s->wraps && col < 0)
		col += s->ground->cols;
	if (s->wraps && row >= s->ground->rows)
		row -= s->ground->rows;
	return pb_zumy_has(s->open, row, col);
}

/* What a step into (row, col) costs. */
static double
price(const struct pb_zumy_search *s, int row, int col)
{
	double sum = 0;

	if (s->near == NULL)
		return 1;
	for (int i = 0; i < s->n; i++) {
		int d = abs(row - s->near[i].row) + abs(col - s->near[i].col);

		/* On a patrol's own cell nobody can be. */
		sum += 1 + 1 / (10.0 * (d > 0 ? d : 1));
	}
	return sum;
}

enum pb_dir
pb_zumy_way(const struct pb_zumy_search *s, struct pb_zumy_cell from,
    struct pb_zumy_cell to)
{
	double best[SPAN][SPAN];
	struct open_list list;
	struct entry e = {.row = from.row, .col = from.col, .first = PB_STAY};
	int rows = s->ground->rows * (s->wraps ? 2 : 1);
	int left = s->wraps ? -s->ground->cols : 0;

	if (from.row == to.row && from.col == to.col)
		return PB_STAY;
	for (int row = 0; row < rows; row++)
		for (int col = left; col < s->ground->cols; col++)
			best[row][col + PB_ZUMY_SIDE] = 1e300;
	list.n = list.came = 0;
	push(&list, e);
	while (list.n > 0) {
		e = pop(&list);
		if (e.row == to.row && e.col == to.col)
			return (enum pb_dir)e.first;
		for (int i = 0; i < 4; i++) {
			enum pb_dir d = order[i];
			struct entry k = {.first = e.first};
			double *seen;

			k.row = (short)(e.row + pb_dir_row[d]);
			k.col = (short)(e.col + pb_dir_col[d]);
			if (!passable(s, k.row, k.col))
				continue;
			k.g =
			    e.g + (s->stuck ? price(s, from.row + pb_dir_row[d],
						  from.col + pb_dir_col[d])
					    : price(s, k.row, k.col));
			k.f = k.g + abs(k.row - to.row) + abs(k.col - to.col);
			seen = &best[k.row][k.col + PB_ZUMY_SIDE];
			if (!(k.f < *seen) || list.n == OPENED)
				continue;
			*seen = k.f;
			if (e.first == PB_STAY)
				k.first = (signed char)d;
			push(&list, k);
		}
	}
	return PB_STAY;
}
