/* clyde_belief.c - where Clyde is going, by how he has moved. */
#include "policy/clyde_belief.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

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
	struct pb_safe_tree t = pb_safe_tree_get(work, w->n);

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
	pb_clyde_walk_groups(w, q->of, q->n, q->share, mean, q->middle);
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
	b->node = pb_clyde_walk_at(w, p);
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
	int node = pb_clyde_walk_at(w, p), was = b->node;

	if (moved > 2 * step + 0.2) {
		pb_clyde_belief_reset(b, w, p, t);
		return true;
	}
	b->at = p;
	b->t = t;
	b->node = node;
	if (c->block[was] != c->block[node])
		b->way = pb_clyde_chain_way(c, was, node);
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

	if (pb_clyde_enters_diagonally(root, at[other]))
		return true;
	return pb_clyde_enters_diagonally(root, at[one]) &&
	       pb_clyde_enters_diagonally(root, at[q->middle[k]]);
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
	way = up < 0 ? y->way : pb_clyde_chain_way(c, up, node);
	state = c->way[b * PB_CLYDE_WAYS + way];
	return state >= 0 ? state : c->way[b * PB_CLYDE_WAYS + PB_SAFE_BEGIN];
}
