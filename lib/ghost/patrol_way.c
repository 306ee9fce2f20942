/* patrol_way.c - A* over the cells of a board, as patrols and player plan. */
#include <limits.h>
#include <stdlib.h>

#include "ghost/patrol.h"

/* Columns from -PB_ZUMY_SIDE on, rows to twice that: see `wraps`. */
#define SPAN   (2 * PB_ZUMY_SIDE)
#define OPENED (4 * SPAN * SPAN) /* entries of the open list, all times */

/* The order in which neighbours are looked at. */
static const enum pb_dir order[4] = {PB_UP, PB_DOWN, PB_RIGHT, PB_LEFT};

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

static enum pb_dir
priced_way(const struct pb_zumy_search *s, struct pb_zumy_cell from,
    struct pb_zumy_cell to)
{
	double best[SPAN][SPAN];
	struct open_list list;
	struct entry e = {.row = from.row, .col = from.col, .first = PB_STAY};
	int rows = s->ground->rows * (s->wraps ? 2 : 1);
	int left = s->wraps ? -s->ground->cols : 0;

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

/* Cells that are to be looked at, in the order in which they came. */
struct queue {
	struct step {
		short row, col, g;
		signed char first;
	} at[SPAN * SPAN];
	int head, tail;
};

/* A step of the plain search: what may be entered, and the best estimates. */
struct plain {
	const struct pb_zumy_search *s;
	struct pb_zumy_cell to;
	short best[SPAN][SPAN];
	struct queue queue[2]; /* of the present estimate, and of the next */
};

static void
plain_push(struct plain *p, int which, struct step k, int f)
{
	struct queue *q = &p->queue[which];
	short *seen = &p->best[k.row][k.col + PB_ZUMY_SIDE];

	if (f >= *seen)
		return;
	*seen = (short)f;
	q->at[q->tail++] = k;
}

static int
estimate(const struct plain *p, struct step k)
{
	return k.g + abs(k.row - p->to.row) + abs(k.col - p->to.col);
}

static void
plain_expand(struct plain *p, int now, struct step e)
{
	int f = estimate(p, e);

	for (int i = 0; i < 4; i++) {
		enum pb_dir d = order[i];
		struct step k = {(short)(e.row + pb_dir_row[d]),
		    (short)(e.col + pb_dir_col[d]), (short)(e.g + 1),
		    e.first == PB_STAY ? (signed char)d : e.first};
		int ahead = estimate(p, k);

		if (passable(p->s, k.row, k.col))
			plain_push(p, ahead > f ? 1 - now : now, k, ahead);
	}
}

/*
 * Where every step costs one, an estimate is that of the cell before or two
 * more: two queues are the open list.
 */
static enum pb_dir
plain_way(const struct pb_zumy_search *s, struct pb_zumy_cell from,
    struct pb_zumy_cell to)
{
	struct plain p;
	int rows = s->ground->rows * (s->wraps ? 2 : 1), now = 0;
	int left = s->wraps ? -s->ground->cols : 0;

	p.s = s;
	p.to = to;
	for (int row = 0; row < rows; row++)
		for (int col = left; col < s->ground->cols; col++)
			p.best[row][col + PB_ZUMY_SIDE] = SHRT_MAX;
	for (int i = 0; i < 2; i++)
		p.queue[i].head = p.queue[i].tail = 0;
	/* As published, the start has no estimate: it may be entered again. */
	p.queue[0].at[p.queue[0].tail++] =
	    (struct step){from.row, from.col, 0, PB_STAY};
	for (;;) {
		struct queue *q = &p.queue[now];
		struct step e;

		if (q->head == q->tail) {
			q->head = q->tail = 0;
			now = 1 - now;
			if (p.queue[now].tail == 0)
				return PB_STAY;
			continue;
		}
		e = q->at[q->head++];
		if (e.row == to.row && e.col == to.col)
			return (enum pb_dir)e.first;
		plain_expand(&p, now, e);
	}
}

enum pb_dir
pb_zumy_way(const struct pb_zumy_search *s, struct pb_zumy_cell from,
    struct pb_zumy_cell to)
{
	if (from.row == to.row && from.col == to.col)
		return PB_STAY;
	return s->near == NULL ? plain_way(s, from, to)
	                       : priced_way(s, from, to);
}
