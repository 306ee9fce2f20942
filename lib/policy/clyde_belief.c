/* clyde_belief.c - where Clyde is going, by how he has moved. */
#include "policy/clyde_belief.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* Longest side of a block (m): a fraction of what decides a meeting. */
#define WALK_SIDE 0.1

/* More nodes than this, and blocks are made larger. */
#define WALK_NODES 20000

/* Moves in the published ghost's order; its y counts rows downwards. */
static const int move_col[8] = {1, -1, 0, 0, 1, -1, 1, -1};
static const int move_row[8] = {0, 0, -1, 1, -1, -1, 1, 1};

enum { STRAIGHT = 5, DIAGONAL = PB_SAFE_DIAGONAL, RING = 8 };

static int
block_side(const struct pb_clyde_world *world)
{
	const struct pb_map *m = world->map;
	int side = (int)(WALK_SIDE / m->resolution + 1e-9);

	if (side < 1)
		side = 1;
	while ((double)world->grid.nfree / ((double)side * side) > WALK_NODES)
		side++;
	return side;
}

/* The block of a safe cell: blocks count from the corner of the whole map. */
static int
block_of(const struct pb_clyde_walk *w, int cell)
{
	const struct pb_map *m = w->world->map;
	struct pb_cell c = pb_map_cell_of(m, (size_t)cell);

	return (m->below + c.row) / w->side * w->cols +
	       (m->left + c.col) / w->side;
}

static void
count_blocks(struct pb_clyde_walk *w)
{
	const struct pb_clyde_world *world = w->world;

	for (int i = 0; i < w->cols * w->rows; i++)
		w->node[i] = -1;
	for (uint32_t i = 0; i < world->grid.nfree; i++) {
		int b = block_of(w, pb_clyde_nth(world, -1, i));

		if (w->node[b] < 0)
			w->node[b] = w->n++;
	}
}

static void
place_nodes(struct pb_clyde_walk *w)
{
	const struct pb_clyde_world *world = w->world;
	const struct pb_map *m = world->map;

	for (uint32_t i = 0; i < world->grid.nfree; i++) {
		int cell = pb_clyde_nth(world, -1, i);
		struct pb_cell c = pb_map_cell_of(m, (size_t)cell);
		int b = block_of(w, cell), k = w->node[b];
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
node_at(const struct pb_clyde_walk *w, int col, int row)
{
	if (col < 0 || col >= w->cols || row < 0 || row >= w->rows)
		return -1;
	return w->node[row * w->cols + col];
}

static void
join_nodes(struct pb_clyde_walk *w)
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
pb_clyde_walk_init(struct pb_clyde_walk *w, const struct pb_clyde_world *world,
    struct pb_pool *pool)
{
	const struct pb_map *m = world->map;
	struct pb_clyde_walk s = {.world = world, .side = block_side(world)};
	size_t n;

	s.cols = (m->left + m->width + s.side - 1) / s.side;
	s.rows = (m->below + m->height + s.side - 1) / s.side;
	s.unit = s.side * m->resolution / STRAIGHT;
	s.node =
	    pb_pool_get(pool, (size_t)s.cols * (size_t)s.rows, sizeof(*s.node));
	if (s.node == NULL)
		return PB_ENOMEM;
	count_blocks(&s);
	n = (size_t)s.n;
	s.block = pb_pool_get(pool, n, sizeof(*s.block));
	s.at = pb_pool_get(pool, n, sizeof(*s.at));
	s.share = pb_pool_get(pool, n, sizeof(*s.share));
	s.next = pb_pool_get(pool, n, 8 * sizeof(*s.next));
	if (pool->failed)
		return PB_ENOMEM;
	place_nodes(&s);
	join_nodes(&s);
	*w = s;
	return PB_OK;
}

/* Of nodes k and l, -1 none, the nearer to p. */
static int
nearer(const struct pb_clyde_walk *w, struct pb_vec p, int k, int l)
{
	if (k < 0 || l < 0)
		return k < 0 ? l : k;
	return pb_dist(w->at[l], p) < pb_dist(w->at[k], p) ? l : k;
}

/* The node whose block holds p; off Clyde's ground the nearest. */
static int
walk_at(const struct pb_clyde_walk *w, struct pb_vec p)
{
	struct pb_cell c = pb_clyde_cell(w->world, p);
	int col = (w->world->map->left + c.col) / w->side;
	int row = (w->world->map->below + c.row) / w->side;
	int best = node_at(w, col, row), near = -1;

	if (best >= 0)
		return best;
	/* Between two cells the rounding may fall on an unsafe one. */
	for (int i = 0; i < 8; i++)
		near = nearer(w, p, near,
		    node_at(w, col + move_col[i], row + move_row[i]));
	/* A program may place a ghost off Clyde's ground. */
	for (int i = 0; near < 0 && i < w->n; i++)
		best = nearer(w, p, best, i);
	return near < 0 ? best : near;
}

/*
 * Given    of      by node: its group, 0..n-1; none is empty
 * Returns  share   n, 0 at first: safe cells of each
 *          at      n, 0 at first: mean place of those (m)
 *          middle  n: the node nearest to it
 */
static void
find_middles(const struct pb_clyde_walk *w, const int *of, int n, float *share,
    struct pb_vec *at, int *middle)
{
	for (int i = 0; i < w->n; i++) {
		int k = of[i];

		at[k].x += w->at[i].x * w->share[i];
		at[k].y += w->at[i].y * w->share[i];
		share[k] += w->share[i];
		middle[k] = -1;
	}
	for (int k = 0; k < n; k++) {
		at[k].x /= share[k];
		at[k].y /= share[k];
	}
	for (int i = 0; i < w->n; i++)
		middle[of[i]] = nearer(w, at[of[i]], middle[of[i]], i);
}

/*
 * Whether Clyde, walking from a to b in the open, enters b by a diagonal: of
 * straight moves and diagonals he makes those first of which there are more. So
 * it is where the bearing has a sine below sqrt 2 - 1 against the nearest axis;
 * this is where the Euclidean heuristic of his search prefers one predecessor
 * to the other.
 */
static bool
enters_diagonally(struct pb_vec a, struct pb_vec b)
{
	double x = fabs(b.x - a.x), y = fabs(b.y - a.y);
	double small = x < y ? x : y;

	return small * small < (3 - 2 * sqrt(2)) * (x * x + y * y);
}

struct pb_safe_tree
pb_safe_tree_in(struct pb_block *b, int n)
{
	size_t k = (size_t)n;

	return (struct pb_safe_tree){.dist = pb_block_take(b, k, sizeof(int)),
	    .up = pb_block_take(b, k, sizeof(int)),
	    .order = pb_block_take(b, k, sizeof(int)),
	    .ring = pb_block_take(b, RING * k, sizeof(int))};
}

static struct pb_safe_tree
tree_get(struct pb_pool *p, int n)
{
	struct pb_block block = {.at = NULL};

	pb_safe_tree_in(&block, n);
	block = (struct pb_block){.at = pb_pool_get(p, block.used, 1)};
	return pb_safe_tree_in(&block, n);
}

/*
 * A ring of buckets, each a stack of room for all nodes. A node whose
 * distance falls is pushed again; what it leaves behind is passed over.
 */
struct ring {
	int n[RING]; /* on each stack */
	int *node;   /* RING rows of nodes */
};

/* By node `from` four of its neighbours, from the j-th on, are at distance d.
 */
static inline void
relax(struct pb_safe_tree *t, const struct pb_clyde_walk *w, struct ring *q,
    int from, int root, int j, int d)
{
	const int *next = &w->next[8 * from + j];
	int *stack = &q->node[d % RING * w->n], *n = &q->n[d % RING];

	for (int i = 0; i < 4; i++) {
		int k = next[i];

		/* Not reached is -1, which no distance is above, unsigned. */
		if (k < 0 || (unsigned)t->dist[k] < (unsigned)d)
			continue;
		if (t->dist[k] == d) {
			if (enters_diagonally(w->at[root], w->at[k]) == (j > 0))
				t->up[k] = from;
			continue;
		}
		t->dist[k] = d;
		t->up[k] = from;
		stack[(*n)++] = k;
	}
}

/* What was reached and is too far was not. */
static void
forget_far(struct pb_safe_tree *t, const struct ring *q, int n, int reach)
{
	for (int b = 0; b < RING; b++)
		for (int i = 0; i < q->n[b]; i++) {
			int *d = &t->dist[q->node[b * n + i]];

			*d = *d > reach ? -1 : *d;
		}
}

void
pb_safe_tree_grow(
    struct pb_safe_tree *t, const struct pb_clyde_walk *w, int root, int reach)
{
	struct ring q = {.node = t->ring};

	memset(t->dist, -1, (size_t)w->n * sizeof(int));
	t->dist[root] = 0;
	t->up[root] = -1;
	t->count = 0;
	q.node[q.n[0]++] = root;
	for (int d = 0, idle = 0; idle < RING && d <= reach; d++) {
		int b = d % RING;

		idle = q.n[b] == 0 ? idle + 1 : 0;
		while (q.n[b] > 0) {
			int i = q.node[b * w->n + --q.n[b]];

			if (t->dist[i] != d)
				continue;
			t->order[t->count++] = i;
			relax(t, w, &q, i, root, 0, d + STRAIGHT);
			relax(t, w, &q, i, root, 4, d + DIAGONAL);
		}
	}
	forget_far(t, &q, w->n, reach);
}

/* Chances below this do not spread. */
#define TRACE 1e-4f

enum { WAYS = PB_CLYDE_WAYS };

/* What is counted over all pairs, by (block, way). */
struct counts {
	double *visits; /* weight of the legs that enter */
	double *length; /* weight times length walked there (m) */
	double *out;    /* WAYS each: weight that leaves by a way, or ends */
	float *load;    /* by node: weight of the legs through it */
	int *came;      /* by node: way into its block */
	struct pb_safe_tree tree;
	struct pb_pool pool; /* of all these */
};

/* The way into the block of node b from that of node a: 0..8, PB_SAFE_BEGIN
 * if they are one. */
static int
chain_way(const struct pb_clyde_chain *c, int node_a, int node_b)
{
	int a = c->block[node_a], b = c->block[node_b];
	int col = c->col[b] - c->col[a], row = c->row[b] - c->row[a];

	if (col < -1 || col > 1 || row < -1 || row > 1)
		return PB_SAFE_BEGIN;
	return (row + 1) * 3 + col + 1;
}

/* The grid of coarse blocks: where k is in it. */
static int *
number_at(const struct pb_clyde_chain *c, int col, int row)
{
	return &c->number[row * c->cols + col];
}

static void
make_blocks(struct pb_clyde_chain *c, const struct pb_clyde_walk *w,
    struct pb_pool *pool)
{
	size_t n;

	c->cols = (w->cols + c->side - 1) / c->side;
	n = (size_t)c->cols * (size_t)((w->rows + c->side - 1) / c->side);
	c->number = pb_pool_get(pool, n, sizeof(*c->number));
	c->block = pb_pool_get(pool, (size_t)w->n, sizeof(*c->block));
	c->col = pb_pool_get(pool, n, sizeof(*c->col));
	c->row = pb_pool_get(pool, n, sizeof(*c->row));
	if (pool->failed)
		return;
	memset(c->number, -1, n * sizeof(*c->number));
	for (int i = 0; i < w->cols * w->rows; i++) {
		int col = i % w->cols / c->side, row = i / w->cols / c->side;
		int *k = number_at(c, col, row);

		if (w->node[i] < 0)
			continue;
		if (*k < 0)
			*k = c->blocks++;
		c->col[*k] = col;
		c->row[*k] = row;
		c->block[w->node[i]] = *k;
	}
}

static void
place_blocks(struct pb_clyde_chain *c, const struct pb_clyde_walk *w,
    struct pb_pool *pool, struct pb_pool *work)
{
	size_t n = (size_t)c->blocks;
	float *share = pb_pool_get(work, n, sizeof(*share));

	c->at = pb_pool_get(pool, n, sizeof(*c->at));
	c->centre = pb_pool_get(pool, n, sizeof(*c->centre));
	if (pool->failed || work->failed)
		return;
	find_middles(w, c->block, c->blocks, share, c->at, c->centre);
}

/* Count the legs from one node to everywhere, each destination by share. */
static void
count_from(struct counts *k, const struct pb_clyde_chain *c,
    const struct pb_clyde_walk *w, int root)
{
	struct pb_safe_tree t;

	pb_safe_tree_grow(&k->tree, w, root, PB_SAFE_TREE_ALL);
	t = k->tree;
	for (int j = 0; j < t.count; j++) {
		int i = t.order[j], up = t.up[i];

		k->load[i] = w->share[i];
		if (up < 0)
			k->came[i] = PB_SAFE_BEGIN;
		else if (c->block[up] == c->block[i])
			k->came[i] = k->came[up];
		else
			k->came[i] = chain_way(c, up, i);
	}
	for (int j = t.count - 1; j > 0; j--)
		k->load[t.up[t.order[j]]] += k->load[t.order[j]];
	for (int j = 0; j < t.count; j++) {
		int i = t.order[j], up = t.up[i];
		int s = c->block[i] * WAYS + k->came[i];

		k->out[s * WAYS + PB_SAFE_BEGIN] += w->share[i];
		if (up >= 0)
			k->length[s] +=
			    k->load[i] * (t.dist[i] - t.dist[up]) * w->unit;
		if (up >= 0 && c->block[up] == c->block[i])
			continue;
		k->visits[s] += k->load[i];
		if (up >= 0)
			k->out[(c->block[up] * WAYS + k->came[up]) * WAYS +
			       k->came[i]] += k->load[i];
	}
}

static void
counts_init(struct counts *k, int blocks, int nodes)
{
	size_t s = (size_t)blocks * WAYS, n = (size_t)nodes;

	k->visits = pb_pool_get(&k->pool, s, sizeof(*k->visits));
	k->length = pb_pool_get(&k->pool, s, sizeof(*k->length));
	k->out = pb_pool_get(&k->pool, s * WAYS, sizeof(*k->out));
	k->load = pb_pool_get(&k->pool, n, sizeof(*k->load));
	k->came = pb_pool_get(&k->pool, n, sizeof(*k->came));
	k->tree = tree_get(&k->pool, nodes);
}

static void
link_states(struct pb_clyde_chain *c, const struct counts *k)
{
	int n = 0;

	for (int s = 0, b = 0; b < c->blocks; b++) {
		for (int way = 0; way < WAYS; way++) {
			const double *out = &k->out[(b * WAYS + way) * WAYS];
			double sum = 0;

			if (c->way[b * WAYS + way] < 0)
				continue;
			for (int j = 0; j < WAYS; j++)
				sum += out[j];
			c->first[s++] = n;
			for (int j = 0, to; j < WAYS; j++) {
				if (out[j] <= 0)
					continue;
				/* The block that lies by that way. */
				to = *number_at(c, c->col[b] + j % 3 - 1,
				    c->row[b] + j / 3 - 1);
				c->to[n] = c->way[to * WAYS + j];
				c->chance[n++] = (float)(out[j] / sum);
			}
		}
	}
	c->first[c->states] = n;
}

static void
make_states(struct pb_clyde_chain *c, const struct pb_clyde_walk *w,
    const struct counts *k, struct pb_pool *pool)
{
	size_t n;
	double all = 0;

	c->way = pb_pool_get(pool, (size_t)c->blocks * WAYS, sizeof(*c->way));
	for (int i = 0; c->way != NULL && i < c->blocks * WAYS; i++)
		c->way[i] = k->visits[i] > 0 ? c->states++ : -1;
	n = (size_t)c->states + 1;
	c->where = pb_pool_get(pool, n, sizeof(*c->where));
	c->stay = pb_pool_get(pool, n, sizeof(*c->stay));
	c->mass = pb_pool_get(pool, n, sizeof(*c->mass));
	c->first = pb_pool_get(pool, n, sizeof(*c->first));
	c->to = pb_pool_get(pool, n, WAYS * sizeof(*c->to));
	c->chance = pb_pool_get(pool, n, WAYS * sizeof(*c->chance));
	if (pool->failed)
		return;
	for (int i = 0; i < c->blocks * WAYS; i++)
		all += k->length[i];
	for (int i = 0; i < c->blocks * WAYS; i++) {
		int s = c->way[i];

		if (s < 0)
			continue;
		c->where[s] = i / WAYS;
		c->stay[s] = (float)fmax(k->length[i] / k->visits[i], w->unit);
		c->mass[s] = (float)(all > 0 ? k->length[i] / all : 0);
	}
	link_states(c, k);
}

/* How many states there will be, at most: a leg begins in each block, and one
 * comes in from each that it touches. */
static int
most_states(const struct pb_clyde_chain *c, const struct pb_clyde_walk *w,
    struct pb_pool *work)
{
	int n = c->blocks, *seen;

	seen = pb_pool_get(work, (size_t)c->blocks, sizeof(*seen));
	for (int i = 0; seen != NULL && i < 8 * w->n; i++) {
		int a = i / 8, b = w->next[i], way;

		if (b < 0 || c->block[a] == c->block[b])
			continue;
		way = 1 << chain_way(c, a, b);
		n += (seen[c->block[b]] & way) == 0;
		seen[c->block[b]] |= way;
	}
	return n;
}

enum pb_status
pb_clyde_chain_init(struct pb_clyde_chain *c, const struct pb_clyde_walk *w,
    int side, int most, struct pb_pool *pool)
{
	struct pb_clyde_chain s = {.side = side};
	const struct pb_pool_array *before = pool->last;
	struct counts k = {0};
	bool fails;

	for (make_blocks(&s, w, pool);
	     !pool->failed && s.blocks > 1 &&
	     most_states(&s, w, &k.pool) > most && !k.pool.failed;
	     make_blocks(&s, w, pool)) {
		side++;
		pb_pool_back(pool, before);
		s = (struct pb_clyde_chain){.side = side};
	}
	if (!pool->failed)
		place_blocks(&s, w, pool, &k.pool);
	counts_init(&k, s.blocks, w->n);
	fails = pool->failed || k.pool.failed;
	for (int b = 0; !fails && b < s.blocks; b++)
		count_from(&k, &s, w, s.centre[b]);
	if (!fails)
		make_states(&s, w, &k, pool);
	fails |= pool->failed;
	pb_pool_clear(&k.pool);
	*c = s;
	return fails ? PB_ENOMEM : PB_OK;
}

struct pb_clyde_spread
pb_clyde_spread_in(struct pb_block *b, int states)
{
	size_t n = (size_t)states;

	return (struct pb_clyde_spread){
	    .state = pb_block_take(b, n, sizeof(int)),
	    .p = pb_block_take(b, n, sizeof(float)),
	    .state2 = pb_block_take(b, n, sizeof(int)),
	    .p2 = pb_block_take(b, n, sizeof(float))};
}

void
pb_clyde_spread_clear(struct pb_clyde_spread *s, const struct pb_clyde_chain *c)
{
	s->n = 0;
	memset(s->p, 0, (size_t)c->states * sizeof(*s->p));
	memset(s->p2, 0, (size_t)c->states * sizeof(*s->p2));
}

void
pb_clyde_spread_add(struct pb_clyde_spread *s, int state, float chance)
{
	if (s->p[state] == 0 && chance > 0)
		s->state[s->n++] = state;
	s->p[state] += chance;
}

void
pb_clyde_spread_step(
    struct pb_clyde_spread *s, const struct pb_clyde_chain *c, double dist)
{
	struct pb_clyde_spread was = *s;

	s->n = 0;
	s->state = was.state2;
	s->p = was.p2;
	s->state2 = was.state;
	s->p2 = was.p;
	for (int i = 0; i < was.n; i++) {
		int x = was.state[i];
		float p = was.p[x], go;

		was.p[x] = 0;
		/* What hardly anybody does stays where it is. */
		if (p < TRACE) {
			pb_clyde_spread_add(s, x, p);
			continue;
		}
		go = (float)fmin(dist / c->stay[x], 1);
		if (go < 1)
			pb_clyde_spread_add(s, x, p * (1 - go));
		for (int j = c->first[x]; go > 0 && j < c->first[x + 1]; j++)
			pb_clyde_spread_add(s, c->to[j], p * go * c->chance[j]);
	}
}

#define QUARTER 8 /* nodes a side */

/*
 * Blocks round his place and the way's length, so a good way may seem longer
 * by a few units; the chance of a place falls by e for so many.
 */
#define SLACK 4.0

/* Part the walk's nodes among quarters. */
static void
part(struct pb_clyde_quarters *q, int *number)
{
	const struct pb_clyde_walk *w = q->walk;
	int wide = w->cols / QUARTER + 1;

	for (int i = 0; i < w->n; i++) {
		int col = w->block[i] % w->cols, row = w->block[i] / w->cols;
		int *k = &number[row / QUARTER * wide + col / QUARTER];

		if (*k == 0)
			*k = ++q->n;
		q->of[i] = *k - 1;
	}
}

/* Ways are as long back as forth. */
static void
measure_all(struct pb_clyde_quarters *q, struct pb_safe_tree *t)
{
	const struct pb_clyde_walk *w = q->walk;

	for (int k = 0; k < q->n; k++) {
		pb_safe_tree_grow(t, w, q->middle[k], PB_SAFE_TREE_ALL);
		for (int i = 0; i < w->n; i++) {
			int d = t->dist[i];

			q->way[(size_t)i * (size_t)q->n + (size_t)k] =
			    (int16_t)(d < 0 || d > PB_CLYDE_NO_WAY
					  ? PB_CLYDE_NO_WAY
					  : d);
		}
	}
}

/* Returns whether there was memory for it. */
static bool
fill(struct pb_clyde_quarters *q, struct pb_pool *pool, struct pb_pool *work)
{
	const struct pb_clyde_walk *w = q->walk;
	size_t nodes = (size_t)w->n;
	size_t most =
	    (size_t)(w->cols / QUARTER + 1) * (size_t)(w->rows / QUARTER + 1);
	int *number = pb_pool_get(work, most, sizeof(*number));
	struct pb_vec *mean = pb_pool_get(work, most, sizeof(*mean));
	struct pb_safe_tree t = tree_get(work, w->n);

	q->of = pb_pool_get(pool, nodes, sizeof(*q->of));
	q->detour = pb_pool_get(pool, PB_CLYDE_DETOURS, sizeof(float));
	if (work->failed || pool->failed)
		return false;
	part(q, number);
	q->middle = pb_pool_get(pool, (size_t)q->n, sizeof(*q->middle));
	q->share = pb_pool_get(pool, (size_t)q->n, sizeof(*q->share));
	q->way = pb_pool_get(pool, nodes * (size_t)q->n, sizeof(*q->way));
	if (pool->failed)
		return false;
	find_middles(w, q->of, q->n, q->share, mean, q->middle);
	measure_all(q, &t);
	for (int i = 0; i < PB_CLYDE_DETOURS; i++)
		q->detour[i] = (float)pb_exp(-i / SLACK);
	return true;
}

enum pb_status
pb_clyde_quarters_init(struct pb_clyde_quarters *q,
    const struct pb_clyde_walk *w, struct pb_pool *pool)
{
	struct pb_pool work = {.failed = false};
	bool ok;

	*q = (struct pb_clyde_quarters){.walk = w};
	ok = fill(q, pool, &work);
	pb_pool_clear(&work);
	return ok ? PB_OK : PB_ENOMEM;
}

/*
 * Half of a step lost to a bend of 45 degrees leaves 0.924 of it; less than
 * this part of a step means that the rest was lost at the end of a leg.
 */
#define WHOLE_STEP 0.9

/* So much farther walked than the way is long: he turned round (m). */
#define DETOUR 0.3

/* Marks are this far apart (m). */
#define MARK 0.15

struct pb_clyde_ways
pb_clyde_ways_in(struct pb_block *b, const struct pb_clyde_quarters *q)
{
	size_t nodes = (size_t)q->walk->n, n = (size_t)q->n;

	return (struct pb_clyde_ways){.tree = pb_safe_tree_in(b, q->walk->n),
	    .begin = pb_block_take(b, nodes, sizeof(int)),
	    .ends = pb_block_take(b, nodes, sizeof(float)),
	    .load = pb_block_take(b, nodes, sizeof(float)),
	    .far = pb_block_take(b, n, sizeof(float)),
	    .least = pb_block_take(b, n, sizeof(int16_t)),
	    .first = pb_block_take(b, n, sizeof(int16_t)),
	    .last = pb_block_take(b, n, sizeof(int16_t))};
}

static void
new_leg(struct pb_clyde_belief *b, int from, double gone)
{
	b->from = from;
	b->gone = gone;
	b->mark = b->node;
	b->mark_gone = gone;
	b->measured = -1;
}

void
pb_clyde_belief_reset(struct pb_clyde_belief *b, const struct pb_clyde_walk *w,
    struct pb_vec p, double t)
{
	b->at = p;
	b->t = t;
	b->node = walk_at(w, p);
	b->way = PB_SAFE_BEGIN;
	new_leg(b, b->node, 0);
}

/* Ways from the beginning of the leg. */
static void
measure(struct pb_clyde_belief *b, struct pb_clyde_ways *y,
    const struct pb_clyde_walk *w)
{
	if (b->measured == b->from)
		return;
	pb_safe_tree_grow(&y->tree, w, b->from, PB_SAFE_TREE_ALL);
	memcpy(y->begin, y->tree.dist, (size_t)w->n * sizeof(int));
	b->measured = b->from;
}

bool
pb_clyde_belief_see(struct pb_clyde_belief *b, struct pb_clyde_ways *y,
    const struct pb_clyde_walk *w, const struct pb_clyde_chain *c,
    struct pb_vec p, double t, double speed)
{
	double moved = pb_dist(b->at, p), step = speed * (t - b->t);
	int node = walk_at(w, p), was = b->node;

	if (moved > 2 * step + 0.2) {
		pb_clyde_belief_reset(b, w, p, t);
		return true;
	}
	b->at = p;
	b->t = t;
	b->node = node;
	if (c->block[was] != c->block[node])
		b->way = chain_way(c, was, node);
	b->gone += moved;
	if (moved < WHOLE_STEP * step) {
		b->way = PB_SAFE_BEGIN;
		new_leg(b, node, 0);
		return true;
	}
	measure(b, y, w);
	if (y->begin[node] < 0 || b->gone > y->begin[node] * w->unit + DETOUR) {
		new_leg(b, b->mark, b->gone - b->mark_gone);
		return true;
	}
	if (b->gone >= b->mark_gone + MARK) {
		b->mark = node;
		b->mark_gone = b->gone;
	}
	return false;
}

/* A chance of each node of the tree. Returns the sum. */
static float
weigh_near(const struct pb_clyde_belief *b, struct pb_clyde_ways *y,
    const struct pb_clyde_quarters *q)
{
	const struct pb_safe_tree *t = &y->tree;
	float sum = 0;

	for (int j = 0; j < t->count; j++) {
		int i = t->order[j];
		int more = y->begin[b->node] + t->dist[i] - y->begin[i];
		float chance = more < PB_CLYDE_DETOURS
		                   ? q->detour[more > 0 ? more : 0]
		                   : 0;

		y->ends[i] = q->walk->share[i] * chance;
		sum += y->ends[i];
	}
	return sum;
}

/* The same of quarters: of what is not in the tree. */
static float
weigh_far(const struct pb_clyde_belief *b, struct pb_clyde_ways *y,
    const struct pb_clyde_quarters *q)
{
	const struct pb_safe_tree *t = &y->tree;
	const int16_t *on = &q->way[(size_t)b->node * (size_t)q->n];
	const int16_t *all = &q->way[(size_t)b->from * (size_t)q->n];
	float sum = 0;

	memcpy(y->far, q->share, (size_t)q->n * sizeof(*y->far));
	for (int j = 0; j < t->count; j++)
		y->far[q->of[t->order[j]]] -= q->walk->share[t->order[j]];
	for (int k = 0; k < q->n; k++) {
		int more = y->begin[b->node] + on[k] - all[k];

		y->far[k] *= on[k] < PB_CLYDE_NO_WAY && more < PB_CLYDE_DETOURS
		                 ? q->detour[more > 0 ? more : 0]
		                 : 0;
		sum += y->far[k];
	}
	return sum;
}

/* How far off the nearest axis node i lies, as the root sees it: the sine,
 * squared, in parts of a million. */
static int
off_axis(const struct pb_clyde_walk *w, int root, int i)
{
	double x = w->at[i].x - w->at[root].x, y = w->at[i].y - w->at[root].y;
	double small = fmin(x * x, y * y), all = x * x + y * y;

	return all > 0 ? (int)(1e6 * small / all) : 0;
}

/* The tree's last nodes, those on an axis first, in its ring. Returns how many.
 */
static int
find_rim(const struct pb_safe_tree *t, const struct pb_clyde_walk *w, int reach)
{
	int n = 0, *rim = t->ring, *off = t->ring + w->n;

	for (int j = t->count - 1; j > 0; j--, n++) {
		int k = n, i = t->order[j], x = off_axis(w, t->order[0], i);

		if (t->dist[i] <= reach - PB_SAFE_DIAGONAL)
			break;
		for (; k > 0 && off[k - 1] > x; k--) {
			rim[k] = rim[k - 1];
			off[k] = off[k - 1];
		}
		rim[k] = i;
		off[k] = x;
	}
	return n;
}

/*
 * Whether he takes the one near an axis, of two nodes of the rim by which
 * quarter k is as near: he does if he would come to both that way, and does not
 * if to neither; else as he comes to the quarter.
 */
static bool
keeps_axis(const struct pb_safe_tree *t, const struct pb_clyde_quarters *q,
    int one, int other, int k)
{
	const struct pb_vec *at = q->walk->at;
	struct pb_vec root = at[t->order[0]];

	if (enters_diagonally(root, at[other]))
		return true;
	return enters_diagonally(root, at[one]) &&
	       enters_diagonally(root, at[q->middle[k]]);
}

/* What node `me` of the rim, `gone` units off, does to the least ways to all n
 * quarters. Written so that compilers do several at a time. */
static void
lessen(struct pb_clyde_ways *y, const int16_t *restrict on, int gone, int me,
    int n)
{
	int16_t *restrict least = y->least;
	int16_t *restrict first = y->first, *restrict last = y->last;

	for (int k = 0; k < n; k++) {
		int16_t d = (int16_t)(gone + on[k]);
		int16_t nearer = d < least[k] ? -1 : 0;
		int16_t as_near = d <= least[k] ? -1 : 0;

		first[k] = (int16_t)((me & nearer) | (first[k] & ~nearer));
		last[k] = (int16_t)((me & as_near) | (last[k] & ~as_near));
		least[k] = (int16_t)((d & nearer) | (least[k] & ~nearer));
	}
}

/*
 * Ways to quarters lead on from the nodes of the rim by which they are
 * shortest.
 */
static void
lead_on(struct pb_clyde_ways *y, const struct pb_clyde_quarters *q, int reach)
{
	const struct pb_safe_tree *t = &y->tree;
	const int *rim = t->ring;
	int n = find_rim(t, q->walk, reach);

	for (int k = 0; k < q->n; k++)
		y->least[k] = INT16_MAX;
	for (int j = 0; j < n; j++)
		lessen(y, &q->way[(size_t)rim[j] * (size_t)q->n],
		    t->dist[rim[j]], j, q->n);
	for (int k = 0; k < q->n && n > 0; k++) {
		int one = rim[y->first[k]], other = rim[y->last[k]];

		y->load[keeps_axis(t, q, one, other, k) ? one : other] +=
		    y->far[k];
	}
}

void
pb_clyde_belief_grow(struct pb_clyde_belief *b, struct pb_clyde_ways *y,
    const struct pb_clyde_quarters *q, int reach)
{
	struct pb_safe_tree *t = &y->tree;
	float sum;

	measure(b, y, q->walk);
	pb_safe_tree_grow(t, q->walk, b->node, reach);
	sum = weigh_near(b, y, q);
	sum += weigh_far(b, y, q);
	for (int j = 0; j < t->count; j++) {
		int i = t->order[j];

		y->ends[i] /= sum;
		y->load[i] = y->ends[i];
	}
	for (int k = 0; k < q->n; k++)
		y->far[k] /= sum;
	lead_on(y, q, reach);
	for (int j = t->count - 1; j > 0; j--)
		y->load[t->up[t->order[j]]] += y->load[t->order[j]];
	y->way = b->way;
}

int
pb_clyde_ways_state(
    const struct pb_clyde_ways *y, const struct pb_clyde_chain *c, int node)
{
	int b = c->block[node], up = y->tree.up[node], way, state;

	for (; up >= 0 && c->block[up] == b; up = y->tree.up[node])
		node = up;
	way = up < 0 ? y->way : chain_way(c, up, node);
	state = c->way[b * PB_CLYDE_WAYS + way];
	return state >= 0 ? state : c->way[b * PB_CLYDE_WAYS + PB_SAFE_BEGIN];
}

int
pb_clyde_chain_at(const struct pb_clyde_chain *c, const struct pb_clyde_walk *w,
    struct pb_vec p)
{
	return c->block[walk_at(w, p)];
}

int
pb_clyde_chain_state(const struct pb_clyde_chain *c,
    const struct pb_clyde_walk *w, const struct pb_vec *at, int n)
{
	int node = walk_at(w, at[0]), way = PB_SAFE_BEGIN, state;

	for (int i = 1; i < n; i++) {
		int to = walk_at(w, at[i]);

		if (c->block[to] != c->block[node])
			way = chain_way(c, node, to);
		node = to;
	}
	state = c->way[c->block[node] * PB_CLYDE_WAYS + way];
	return state >= 0
	           ? state
	           : c->way[c->block[node] * PB_CLYDE_WAYS + PB_SAFE_BEGIN];
}
