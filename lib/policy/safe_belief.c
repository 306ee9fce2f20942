/* safe_belief.c - what Clyde's moves tell of where he is going. */
#include "policy/safe_belief.h"

#include <string.h>

#include "base/elementary.h"

/*
 * Half of a step lost to a bend of 45 degrees leaves 0.924 of it; less than
 * this part of a step means that the rest was lost at the end of a leg.
 */
#define WHOLE_STEP 0.9

/* So much farther walked than the way is long: he turned round (m). */
#define DETOUR 0.3

/* Marks are this far apart (m). */
#define MARK 0.15

/*
 * Blocks round his place and the way's length, so a good way may seem longer
 * by a few units; the chance of a place falls by e for so many.
 */
#define SLACK 4.0

/* Detours of so many units have no chance: it is no float but 0. */
#define HOPELESS 420

size_t
pb_safe_ways_bytes(int n)
{
	return pb_safe_tree_bytes(n) +
	       ((size_t)n + 1) * (2 * sizeof(int) + 2 * sizeof(float));
}

struct pb_safe_ways
pb_safe_ways_in(void *mem, int n)
{
	struct pb_safe_ways y = {.tree = pb_safe_tree_in(mem, n)};
	char *p = (char *)mem + pb_safe_tree_bytes(n);

	y.begin = (int *)(void *)p;
	y.state = y.begin + n;
	y.ends = (float *)(void *)(y.state + n);
	y.load = y.ends + n;
	return y;
}

static void
new_leg(struct pb_safe_belief *b, int from, double gone)
{
	b->from = from;
	b->gone = gone;
	b->mark = b->node;
	b->mark_gone = gone;
	b->measured = -1;
}

void
pb_safe_belief_reset(struct pb_safe_belief *b, const struct pb_safe_walk *w,
    struct pb_vec p, double t)
{
	b->at = p;
	b->t = t;
	b->node = pb_safe_walk_at(w, p);
	b->way = PB_SAFE_BEGIN;
	new_leg(b, b->node, 0);
}

/* Ways from the beginning of the leg. */
static void
measure(struct pb_safe_belief *b, struct pb_safe_ways *y,
    const struct pb_safe_walk *w)
{
	if (b->measured == b->from)
		return;
	pb_safe_tree_grow(&y->tree, w, b->from);
	memcpy(y->begin, y->tree.dist, (size_t)w->n * sizeof(int));
	b->measured = b->from;
}

bool
pb_safe_belief_see(struct pb_safe_belief *b, struct pb_safe_ways *y,
    const struct pb_safe_walk *w, const struct pb_safe_chain *c,
    struct pb_vec p, double t, double speed)
{
	double moved = pb_dist(b->at, p), step = speed * (t - b->t);
	int node = pb_safe_walk_at(w, p), was = b->node;

	if (node < 0 || was < 0 || moved > 2 * step + 0.2) {
		pb_safe_belief_reset(b, w, p, t);
		return true;
	}
	b->at = p;
	b->t = t;
	b->node = node;
	if (c->block[was] != c->block[node])
		b->way = pb_safe_way(c, was, node);
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

/* That he makes a detour of so many units. */
static float
chance_of(int more)
{
	if (more <= 0)
		return 1;
	return more > HOPELESS ? 0 : (float)pb_exp(-more / SLACK);
}

void
pb_safe_belief_grow(struct pb_safe_belief *b, struct pb_safe_ways *y,
    const struct pb_safe_walk *w, const struct pb_safe_chain *c)
{
	struct pb_safe_tree *t = &y->tree;
	float sum = 0;

	measure(b, y, w);
	pb_safe_tree_grow(t, w, b->node);
	for (int j = 0; j < t->count; j++) {
		int i = t->order[j];
		int more = y->begin[b->node] + t->dist[i] - y->begin[i];

		y->ends[i] = w->share[i] * chance_of(more);
		sum += y->ends[i];
	}
	for (int j = 0; j < t->count; j++) {
		int i = t->order[j];

		y->ends[i] /= sum;
		y->load[i] = y->ends[i];
	}
	for (int j = t->count - 1; j > 0; j--)
		y->load[t->up[t->order[j]]] += y->load[t->order[j]];
	pb_safe_chain_mark(c, t, b->way, y->state);
}
