/* safe_walk.c - where Clyde can walk, thinned, and his ways from one place. */
#include "policy/safe_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Moves in the published ghost's order; its y counts rows downwards. */
static const int move_col[8] = {1, -1, 0, 0, 1, -1, 1, -1};
static const int move_row[8] = {0, 0, -1, 1, -1, -1, 1, 1};

enum { STRAIGHT = 5, DIAGONAL = 7, RING = 8 };

static int
block_side(const struct pb_clyde_world *world)
{
	const struct pb_map *m = world->map;
	int side = (int)(PB_SAFE_WALK_SIDE / m->resolution + 1e-9);

	if (side < 1)
		side = 1;
	while ((double)world->grid.nfree / ((double)side * side) >
	       PB_SAFE_WALK_NODES)
		side++;
	return side;
}

/* The block of a safe cell: blocks count from the corner of the whole map. */
static int
block_of(const struct pb_safe_walk *w, int cell)
{
	const struct pb_map *m = w->world->map;
	struct pb_cell c = pb_map_cell_of(m, (size_t)cell);

	return (m->below + c.row) / w->side * w->cols +
	       (m->left + c.col) / w->side;
}

static void
count_blocks(struct pb_safe_walk *w)
{
	const struct pb_clyde_world *world = w->world;

	for (int i = 0; i < w->cols * w->rows; i++)
		w->node[i] = -1;
	for (size_t i = 0; i < world->grid.nfree; i++) {
		int b = block_of(w, world->cell[i]);

		if (w->node[b] < 0)
			w->node[b] = w->n++;
	}
}

static void
place_nodes(struct pb_safe_walk *w)
{
	const struct pb_clyde_world *world = w->world;
	const struct pb_map *m = world->map;

	for (size_t i = 0; i < world->grid.nfree; i++) {
		struct pb_cell c = pb_map_cell_of(m, (size_t)world->cell[i]);
		int b = block_of(w, world->cell[i]), k = w->node[b];
		struct pb_vec p = pb_clyde_place(world, c);

		w->block[k] = b;
		w->at[k].x += p.x;
		w->at[k].y += p.y;
		w->share[k] += 1;
	}
	for (int k = 0; k < w->n; k++) {
		w->at[k].x /= w->share[k];
		w->at[k].y /= w->share[k];
	}
}

static int
node_at(const struct pb_safe_walk *w, int col, int row)
{
	if (col < 0 || col >= w->cols || row < 0 || row >= w->rows)
		return -1;
	return w->node[row * w->cols + col];
}

static void
join_nodes(struct pb_safe_walk *w)
{
	for (int i = 0; i < w->cols * w->rows; i++) {
		int col = i % w->cols, row = i / w->cols, k = w->node[i];

		for (int j = 0; k >= 0 && j < 8; j++) {
			int c = col + move_col[j], r = row + move_row[j];
			int to = node_at(w, c, r);

			if (j >= 4 &&
			    (node_at(w, c, row) < 0 || node_at(w, col, r) < 0))
				to = -1;
			w->next[8 * k + j] = to;
		}
	}
}

enum pb_status
pb_safe_walk_init(struct pb_safe_walk *w, const struct pb_clyde_world *world)
{
	const struct pb_map *m = world->map;
	struct pb_safe_walk s = {.world = world, .side = block_side(world)};

	s.cols = (m->left + m->width + s.side - 1) / s.side;
	s.rows = (m->below + m->height + s.side - 1) / s.side;
	s.unit = s.side * m->resolution / STRAIGHT;
	s.node = malloc((size_t)s.cols * (size_t)s.rows * sizeof(*s.node));
	if (s.node == NULL)
		return PB_ENOMEM;
	count_blocks(&s);
	s.block = calloc((size_t)s.n + 1, sizeof(*s.block));
	s.at = calloc((size_t)s.n + 1, sizeof(*s.at));
	s.share = calloc((size_t)s.n + 1, sizeof(*s.share));
	s.next = calloc((size_t)s.n + 1, 8 * sizeof(*s.next));
	if (s.block == NULL || s.at == NULL || s.share == NULL ||
	    s.next == NULL) {
		pb_safe_walk_clear(&s);
		return PB_ENOMEM;
	}
	place_nodes(&s);
	join_nodes(&s);
	*w = s;
	return PB_OK;
}

void
pb_safe_walk_clear(struct pb_safe_walk *w)
{
	free(w->node);
	free(w->block);
	free(w->at);
	free(w->share);
	free(w->next);
	memset(w, 0, sizeof(*w));
}

int
pb_safe_walk_at(const struct pb_safe_walk *w, struct pb_vec p)
{
	struct pb_cell c = pb_clyde_cell(w->world, p);
	int col = (w->world->map->left + c.col) / w->side;
	int row = (w->world->map->below + c.row) / w->side;
	int best = node_at(w, col, row);
	double far = INFINITY;

	/* Between two cells the rounding may fall on an unsafe one. */
	for (int i = 0; best < 0 && i < 8; i++) {
		int k = node_at(w, col + move_col[i], row + move_row[i]);

		if (k >= 0 && pb_dist(w->at[k], p) < far) {
			far = pb_dist(w->at[k], p);
			best = k;
		}
	}
	return best;
}

size_t
pb_safe_tree_bytes(int n)
{
	return (3 + RING) * ((size_t)n + 1) * sizeof(int);
}

struct pb_safe_tree
pb_safe_tree_in(void *mem, int n)
{
	int *p = mem;

	return (struct pb_safe_tree){.dist = p,
	    .up = p + n,
	    .order = p + 2 * (size_t)n,
	    .ring = p + 3 * (size_t)n};
}

/*
 * A ring of buckets, each a stack of room for all nodes. A node whose
 * distance falls is pushed again; what it leaves behind is passed over.
 */
struct ring {
	int n[RING]; /* on each stack */
	int *node;   /* RING rows of nodes */
};

/* Whether Clyde, walking from a to b in the open, enters b by a diagonal. */
static bool
enters_diagonally(struct pb_vec a, struct pb_vec b)
{
	double x = fabs(b.x - a.x), y = fabs(b.y - a.y);
	double small = x < y ? x : y;

	return small * small < (3 - 2 * sqrt(2)) * (x * x + y * y);
}

static void
relax(struct pb_safe_tree *t, const struct pb_safe_walk *w, struct ring *q,
    int from, int root)
{
	for (int j = 0; j < 8; j++) {
		int k = w->next[8 * from + j];
		int d = t->dist[from] + (j < 4 ? STRAIGHT : DIAGONAL);

		/* Not reached is -1, which no distance is above, unsigned. */
		if (k < 0 || (unsigned)t->dist[k] < (unsigned)d)
			continue;
		if (t->dist[k] == d) {
			if (enters_diagonally(w->at[root], w->at[k]) ==
			    (j >= 4))
				t->up[k] = from;
			continue;
		}
		t->dist[k] = d;
		t->up[k] = from;
		q->node[d % RING * w->n + q->n[d % RING]++] = k;
	}
}

void
pb_safe_tree_grow(
    struct pb_safe_tree *t, const struct pb_safe_walk *w, int root)
{
	struct ring q = {.node = t->ring};

	memset(t->dist, -1, (size_t)w->n * sizeof(int));
	t->dist[root] = 0;
	t->up[root] = -1;
	t->count = 0;
	q.node[q.n[0]++] = root;
	for (int d = 0, idle = 0; idle < RING; d++) {
		int b = d % RING;

		idle = q.n[b] == 0 ? idle + 1 : 0;
		while (q.n[b] > 0) {
			int i = q.node[b * w->n + --q.n[b]];

			if (t->dist[i] != d)
				continue;
			t->order[t->count++] = i;
			relax(t, w, &q, i, root);
		}
	}
}
