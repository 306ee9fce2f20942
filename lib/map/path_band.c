/* path_band.c - the cells of all shortest paths between two cells. */
#include "map/search.h"

/*
 * A* in exact integers, its open cells in a ring of buckets by f = dist +
 * left. Cells of one bucket come in any order, so a cell may be expanded
 * again; when the bucket that holds the goal is empty, all distances with
 * f <= dist(goal) are right. A move changes f by at most twice its cost,
 * 16 buckets, so half a ring is never wrapped.
 */
enum { SHIFT = 10, RING = 32 };

/* In place of `prev`: not in the ring. */
#define OUT (-2)

struct queue {
	struct pb_band *at;
	int32_t head[RING]; /* first cell of each bucket, -1 if empty */
	int32_t n;          /* cells in the ring */
	int32_t now;        /* the lowest bucket, not yet taken modulo RING */
	int32_t *reached;   /* cells that have a distance */
	size_t nreached;
};

static int32_t *
bucket(struct queue *q, const struct pb_band *c)
{
	return &q->head[(c->dist + c->left) >> SHIFT & (RING - 1)];
}

static void
put(struct queue *q, int32_t i)
{
	struct pb_band *c = &q->at[i];
	int32_t *head = bucket(q, c);

	c->prev = -1;
	c->next = *head;
	if (*head >= 0)
		q->at[*head].prev = i;
	*head = i;
	q->n++;
}

static void
drop(struct queue *q, int32_t i)
{
	struct pb_band *c = &q->at[i];

	if (c->prev >= 0)
		q->at[c->prev].next = c->next;
	else
		*bucket(q, c) = c->next;
	if (c->next >= 0)
		q->at[c->next].prev = c->prev;
	c->prev = OUT;
	q->n--;
}

/* Cell i can be reached at distance d, less than what was known. */
static void
offer(struct queue *q, const struct pb_grid *g, int32_t i, int32_t d, int to)
{
	struct pb_band *c = &q->at[i];
	int32_t most = q->at[to].dist;

	if (c->dist == PB_FIELD_NONE) {
		c->left = pb_search_bound(g, i, to);
		c->prev = OUT;
		q->reached[q->nreached++] = i;
	} else if (c->prev != OUT) {
		drop(q, i);
	}
	c->dist = d;
	if (most > PB_STEP * PB_STEP)
		most = PB_STEP * PB_STEP;
	if (d + c->left <= most)
		put(q, i);
}

/* Fill the distances of all cells on shortest paths, and of others. */
static void
measure(struct pb_search *s, struct queue *q, int from, int to)
{
	offer(q, s->g, from, 0, to);
	q->now = s->band[from].left >> SHIFT;
	while (q->n > 0 && q->now << SHIFT <= s->band[to].dist) {
		int32_t i = q->head[q->now & (RING - 1)];

		if (i < 0) {
			q->now++;
			continue;
		}
		drop(q, i);
		s->expanded++;
		for (unsigned m = s->g->move[i], k = 0; m != 0; m >>= 1, k++) {
			int32_t n = i + s->step[k];
			int32_t d = q->at[i].dist + (k < 4 ? PB_STEP : PB_DIAG);

			if (m & 1 && d < q->at[n].dist)
				offer(q, s->g, n, d, to);
		}
	}
}

/* Mark what can be walked back to from `to`, falling by exactly a move. */
static void
walk_back(struct pb_search *s, int to)
{
	int *queue = s->way;
	size_t n = 0;

	s->mark[to] = s->query;
	queue[n++] = to;
	for (size_t q = 0; q < n; q++) {
		int i = queue[q];

		for (unsigned m = s->g->move[i], k = 0; m != 0; m >>= 1, k++) {
			int32_t c = k < 4 ? PB_STEP : PB_DIAG;
			int j = i + s->step[k];

			if (!(m & 1) || s->mark[j] == s->query ||
			    s->band[j].dist != s->band[i].dist - c)
				continue;
			s->mark[j] = s->query;
			queue[n++] = j;
		}
	}
}

/*
 * The integers order lengths rightly as long as these differ by less than
 * PB_STEP diagonals, so ways longer than PB_STEP cells are refused.
 */
bool
pb_search_mark(struct pb_search *s, int from, int to)
{
	struct queue q = {.at = s->band, .reached = s->reached};
	bool known;

	for (int k = 0; k < RING; k++)
		q.head[k] = -1;
	measure(s, &q, from, to);
	known = s->band[to].dist <= PB_STEP * PB_STEP;
	if (known)
		walk_back(s, to);
	for (size_t k = 0; k < q.nreached; k++)
		s->band[q.reached[k]].dist = PB_FIELD_NONE;
	return known;
}
