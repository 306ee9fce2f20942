/* safe_chase.c - ghosts that hunt: where they may be, and how long one lasts.
 */
#include "policy/safe_chase.h"

#include <math.h>
#include <string.h>

/* A block of the largest part of the ground: where they hunt. */
static size_t
main_block(const struct pb_safe_chase *c)
{
	size_t n = (size_t)c->chain->blocks, best = 0, most = 0;

	for (size_t g = 0; g < n; g++) {
		size_t joined = 0;

		for (size_t b = 0; b < n; b++)
			joined += !isinf(c->way[g * n + b]);
		if (joined <= most)
			continue;
		most = joined;
		best = g;
	}
	return best;
}

/* The block that a robot at each node is caught from: the nearest of theirs. */
static void
find_goals(struct pb_safe_chase *c)
{
	const float *joined = &c->way[main_block(c) * (size_t)c->chain->blocks];

	for (int x = 0; x < c->net->n; x++) {
		double least = INFINITY;

		for (int b = 0; b < c->chain->blocks; b++) {
			double d = pb_dist(c->net->at[x], c->chain->at[b]);

			if (d >= least || isinf(joined[b]))
				continue;
			least = d;
			c->goal[x] = b;
		}
		c->beside[x] = (float)least;
	}
}

/* Ways from all blocks to block g, by the tree that grows from there. */
static void
find_ways(struct pb_safe_chase *c, const struct pb_clyde_walk *w, int g,
    struct pb_safe_tree *t)
{
	const struct pb_clyde_chain *k = c->chain;
	size_t row = (size_t)g * (size_t)k->blocks;

	pb_safe_tree_grow(t, w, k->centre[g]);
	for (int b = 0; b < k->blocks; b++) {
		int i = k->centre[b];

		c->way[row + (size_t)b] = INFINITY;
		c->hop[row + (size_t)b] = b;
		if (t->dist[i] < 0)
			continue;
		c->way[row + (size_t)b] = (float)(t->dist[i] * w->unit);
		while (i >= 0 && k->block[i] == b)
			i = t->up[i];
		if (i >= 0)
			c->hop[row + (size_t)b] = k->block[i];
	}
}

enum pb_status
pb_safe_chase_init(struct pb_safe_chase *c, const struct pb_clyde_walk *w,
    const struct pb_clyde_chain *chain, const struct pb_safe_net *net)
{
	struct pb_safe_chase s = {.net = net, .chain = chain};
	size_t n = (size_t)net->n, blocks = (size_t)chain->blocks;
	struct pb_block count = {.at = NULL}, lists;
	struct pb_safe_tree t;
	bool fails;

	pb_safe_tree_in(&count, w->n);
	lists.at = pb_pool_get(&s.pool, count.used, 1);
	lists.used = 0;
	s.goal = pb_pool_get(&s.pool, n, sizeof(*s.goal));
	s.beside = pb_pool_get(&s.pool, n, sizeof(*s.beside));
	s.way = pb_pool_get(&s.pool, blocks * blocks, sizeof(*s.way));
	s.hop = pb_pool_get(&s.pool, blocks * blocks, sizeof(*s.hop));
	fails = s.pool.failed;
	if (!fails) {
		t = pb_safe_tree_in(&lists, w->n);
		for (int g = 0; g < chain->blocks; g++)
			find_ways(&s, w, g, &t);
		find_goals(&s);
	}
	if (fails)
		pb_safe_chase_clear(&s);
	else
		*c = s;
	return fails ? PB_ENOMEM : PB_OK;
}

void
pb_safe_chase_clear(struct pb_safe_chase *c)
{
	pb_pool_clear(&c->pool);
	memset(c, 0, sizeof(*c));
}

static int
block_at(const struct pb_safe_chase *c, struct pb_vec p)
{
	double least = INFINITY;
	int best = 0;

	for (int b = 0; b < c->chain->blocks; b++) {
		double d = pb_dist(c->chain->at[b], p);

		if (d >= least)
			continue;
		least = d;
		best = b;
	}
	return best;
}

void
pb_safe_chase_far(const struct pb_safe_chase *c, struct pb_vec p, float *far)
{
	const struct pb_clyde_chain *k = c->chain;
	int from = block_at(c, p);
	double slack = pb_dist(k->at[from], p);

	for (int x = 0; x < c->net->n; x++) {
		size_t row = (size_t)c->goal[x] * (size_t)k->blocks;
		size_t to = (size_t)c->hop[row + (size_t)from];
		/* By where it is, or by where it goes next if that is nearer.
		 */
		double by = fmin(c->way[row + (size_t)from] + slack,
		    c->way[row + to] + pb_dist(p, k->at[to]));

		far[x] =
		    (float)fmax(pb_dist(p, c->net->at[x]), by - c->beside[x]);
	}
}

double
pb_safe_chase_reach(const struct pb_safe_hunter *h, double t)
{
	/* Until it is over it walks at two thirds of its speed. */
	return t < h->calm ? -INFINITY : h->speed * (t - h->calm / 3);
}
