/* safe_chase.c - ghosts that hunt, as safe thinks that they will walk. */
#include "policy/safe_chase.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/*
 * Fleeing counts over about so long (s). One that is near keeps the robot from
 * what it is there for, also where it cannot come nearer: that costs so much a
 * second beside it, and e times less for each so many metres of its way.
 */
#define HORIZON 20.0
#define NEAR    0.06
#define NEAR_TO 1.0

/* What is missing after so many horizons is about the same everywhere. */
#define HORIZONS 3

/*
 * The step by which a hunter leaves node i on its way to the root of a tree: of
 * several shortest ways it takes those that begin with a diagonal, as its
 * search does in the open.
 */
static int
first_step(const struct pb_clyde_walk *w, const struct pb_safe_tree *t, int i)
{
	int best = PB_SAFE_THERE;

	for (int k = 0; t->dist[i] > 0 && k < 8; k++) {
		int j = w->next[8 * i + k], len = k < 4 ? 5 : 7;

		if (j >= 0 && t->dist[j] >= 0 && t->dist[j] + len == t->dist[i])
			best = k;
	}
	return best;
}

/* Ways from all nodes to block g, by the tree that grows from there. */
static void
find_steps(struct pb_safe_chase *c, int g, struct pb_safe_tree *t)
{
	const struct pb_clyde_walk *w = c->field->walk;
	const struct pb_clyde_chain *k = c->field->chain;
	unsigned char *step = &c->step[(size_t)g * (size_t)w->n];

	pb_safe_tree_grow(t, w, k->centre[g], PB_SAFE_TREE_ALL);
	for (int i = 0; i < w->n; i++)
		step[i] = (unsigned char)first_step(w, t, i);
	for (int b = 0; b < k->blocks; b++) {
		int far = t->dist[k->centre[b]];

		c->way[g * k->blocks + b] =
		    far < 0 ? INFINITY : (float)(far * w->unit);
	}
}

/* Of the blocks that are joined to `from`, the one nearest to p. */
static int
nearest(const struct pb_safe_chase *c, int from, struct pb_vec p)
{
	const struct pb_clyde_chain *k = c->field->chain;
	double least = INFINITY;
	int best = from;

	for (int b = 0; b < k->blocks; b++) {
		double d = pb_dist(k->at[b], p);

		if (d >= least || isinf(c->way[from * k->blocks + b]))
			continue;
		least = d;
		best = b;
	}
	return best;
}

static int
clamp(int i, int n)
{
	return i < 0 ? 0 : i < n ? i : n - 1;
}

/* The block nearest to p where hunters can be. */
static int
block_at(const struct pb_safe_chase *c, struct pb_vec p)
{
	const struct pb_clyde_walk *w = c->field->walk;
	const struct pb_clyde_chain *k = c->field->chain;
	struct pb_cell at = pb_clyde_cell(w->world, p);
	int side = w->side * k->side;
	int col = (w->world->map->left + at.col) / side;
	int row = (w->world->map->below + at.row) / side;

	return c->near[clamp(row, c->rows) * k->cols + clamp(col, k->cols)];
}

/* The middle of a place in the grid of coarse blocks. */
static struct pb_vec
middle(const struct pb_safe_chase *c, int col, int row)
{
	const struct pb_clyde_walk *w = c->field->walk;
	const struct pb_map *m = w->world->map;
	int side = w->side * c->field->chain->side;

	return pb_clyde_place(
	    w->world, (struct pb_cell){col * side + side / 2 - m->left,
			  row * side + side / 2 - m->below});
}

/* Blocks near places, nodes and corners; steps are found. */
static void
find_near(struct pb_safe_chase *c)
{
	const struct pb_safe_field *f = c->field;
	const struct pb_clyde_world *g = f->walk->world;
	const struct pb_hunter_world *h = &f->net->arena->hunters;
	int cols = f->chain->cols;

	for (int i = 0; i < PB_HUNTERS; i++) {
		struct pb_vec p =
		    pb_clyde_place(g, pb_grid_cell(&g->grid, h->corner[i]));

		c->corner[i] = f->chain->block[pb_clyde_walk_at(f->walk, p)];
	}
	for (int row = 0; row < c->rows; row++)
		for (int col = 0; col < cols; col++)
			c->near[row * cols + col] =
			    nearest(c, c->corner[0], middle(c, col, row));
	for (int x = 0; x < f->net->n; x++)
		c->goal[x] = nearest(c, c->corner[0], f->net->at[x]);
}

/*
 * The game of fleeing from one that chases, solved: by node of the robot and
 * block of the hunter. In a move the robot drives to a neighbour or waits, and
 * the hunter leaves its block or not, by chance, so that it is as fast as it
 * should be.
 */
struct flight {
	struct pb_safe_chase *c;
	int blocks;
	double move;         /* lasts so long (s) */
	int *goal;           /* by node: the block that it chases to */
	float *hit;          /* by node * blocks + block: of being caught */
	float *go;           /* by goal * blocks + block: of leaving it ... */
	int *hop;            /* ... for this one */
	float *near;         /* by the same: what it costs to have it near */
	float *next;         /* as hit: costs once it has walked */
	struct pb_pool pool; /* of all that */
};

/* Where a hunter in block b goes on its way to block g, and how soon. */
static void
find_hop(const struct flight *k, double speed, int g, int b)
{
	const struct pb_clyde_walk *w = k->c->field->walk;
	const struct pb_clyde_chain *chain = k->c->field->chain;
	const unsigned char *step = &k->c->step[(size_t)g * (size_t)w->n];
	const float *way = &k->c->way[g * k->blocks];
	int at = chain->centre[b], to;

	while (step[at] != PB_SAFE_THERE && chain->block[at] == b)
		at = w->next[8 * at + step[at]];
	to = chain->block[at];
	k->hop[g * k->blocks + b] = to;
	k->near[g * k->blocks + b] =
	    (float)(NEAR * k->move * pb_exp(-way[b] / NEAR_TO));
	if (to != b)
		k->go[g * k->blocks + b] = (float)fmin(
		    1, speed * k->move / fmax(way[b] - way[to], w->unit));
}

static bool
flight_init(struct flight *k, double speed)
{
	const struct pb_safe_field *f = k->c->field;
	const struct pb_safe_net *net = f->value->net;
	size_t blocks = (size_t)f->chain->blocks, pairs = blocks * blocks;
	size_t all = (size_t)net->n * blocks;

	k->blocks = f->chain->blocks;
	k->move = f->value->step;
	k->goal = pb_pool_get(&k->pool, (size_t)net->n, sizeof(*k->goal));
	k->hit = pb_pool_get(&k->pool, all, sizeof(*k->hit));
	k->next = pb_pool_get(&k->pool, all, sizeof(*k->next));
	k->go = pb_pool_get(&k->pool, pairs, sizeof(*k->go));
	k->hop = pb_pool_get(&k->pool, pairs, sizeof(*k->hop));
	k->near = pb_pool_get(&k->pool, pairs, sizeof(*k->near));
	if (k->pool.failed)
		return false;
	for (int g = 0; g < k->blocks; g++)
		for (int b = 0; b < k->blocks; b++)
			find_hop(k, speed, g, b);
	for (int x = 0; x < net->n; x++) {
		k->goal[x] = nearest(k->c, k->c->corner[0], net->at[x]);
		for (int b = 0; b < k->blocks; b++)
			k->hit[x * k->blocks + b] = pb_safe_kill_at(
			    &f->blocks, net->at[x], f->chain->at[b]);
	}
	return true;
}

/* The hunter walks after a robot at x. */
static void
chase_to(const struct flight *k, int x)
{
	int goal = k->goal[x] * k->blocks, base = x * k->blocks;
	const float *was = &k->c->worth[base], *hit = &k->hit[base];
	const float *go = &k->go[goal], *near = &k->near[goal];
	const int *hop = &k->hop[goal];
	float *next = &k->next[base];

	for (int b = 0; b < k->blocks; b++)
		next[b] = was[b] + go[b] * (was[hop[b]] - was[b]) + near[b];
	for (int b = 0; b < k->blocks; b++)
		next[b] = hit[b] + (1 - hit[b]) * next[b];
}

/* The robot waits at x, or moves. */
static void
move_best(const struct flight *k, int x, float keep)
{
	const struct pb_safe_net *net = k->c->field->value->net;
	float *out = &k->c->worth[x * k->blocks];

	memcpy(out, &k->next[x * k->blocks], (size_t)k->blocks * sizeof(*out));
	for (int j = net->first[x]; j < net->first[x + 1]; j++) {
		const float *to = &k->next[net->to[j] * k->blocks];

		for (int b = 0; b < k->blocks; b++)
			out[b] = pb_lesser(out[b], to[b]);
	}
	for (int b = 0; b < k->blocks; b++)
		out[b] *= keep;
}

/* Returns whether there was memory. */
static bool
find_worth(struct pb_safe_chase *c, double speed)
{
	struct flight k = {.c = c};
	bool ok = flight_init(&k, speed);
	int sweeps = ok ? (int)(HORIZONS * HORIZON / k.move) : 0;
	float keep = (float)pb_exp(-k.move / HORIZON);
	int n = c->field->value->net->n;

	for (int i = 0; i < sweeps; i++) {
		for (int x = 0; x < n; x++)
			chase_to(&k, x);
		for (int x = 0; x < n; x++)
			move_best(&k, x, keep);
	}
	pb_pool_clear(&k.pool);
	return ok;
}

enum pb_status
pb_safe_chase_init(struct pb_safe_chase *c, const struct pb_safe_field *f,
    double speed, struct pb_pool *pool)
{
	const struct pb_clyde_chain *k = f->chain;
	size_t blocks = (size_t)k->blocks, walks = (size_t)f->walk->n;
	size_t flights = (size_t)f->value->net->n;
	struct pb_pool work = {.failed = false};
	struct pb_safe_tree t = pb_safe_tree_get(&work, f->walk->n);
	int rows = (f->walk->rows + k->side - 1) / k->side;
	bool ok;

	*c = (struct pb_safe_chase){.field = f, .rows = rows};
	c->near =
	    pb_pool_get(pool, (size_t)rows * (size_t)k->cols, sizeof(*c->near));
	c->goal = pb_pool_get(pool, (size_t)f->net->n, sizeof(*c->goal));
	c->step = pb_pool_get(pool, blocks * walks, 1);
	c->way = pb_pool_get(pool, blocks * blocks, sizeof(*c->way));
	c->worth = pb_pool_get(pool, flights * blocks, sizeof(*c->worth));
	ok = !pool->failed && !work.failed;
	if (ok) {
		for (int g = 0; g < k->blocks; g++)
			find_steps(c, g, &t);
		find_near(c);
		ok = find_worth(c, speed);
	}
	pb_pool_clear(&work);
	return ok ? PB_OK : PB_ENOMEM;
}

struct pb_safe_hound
pb_safe_hound_at(const struct pb_safe_chase *c, const struct pb_safe_hunter *h)
{
	return (struct pb_safe_hound){
	    .node = pb_clyde_walk_at(c->field->walk, h->at), .reached = -1};
}

/* A point so far ahead of the prey (m). */
static struct pb_vec
ahead(const struct pb_safe_prey *p, double far)
{
	return (struct pb_vec){p->at.x + far * p->x, p->at.y + far * p->y};
}

/* The block that hunter `who` of a pack chases to. */
static int
chased(const struct pb_safe_chase *c, const struct pb_safe_pack *pack,
    const struct pb_safe_prey *prey, int who, const struct pb_safe_hound *hound)
{
	struct pb_vec p;

	if (who == PB_HUNTER_PINKY)
		return block_at(c, ahead(prey, 4 * pack->cell));
	if (who != PB_HUNTER_INKY)
		return prey->block;
	p = ahead(prey, 2 * pack->cell);
	for (int i = 0; i < pack->n; i++)
		if (pack->hunter[i].who == PB_HUNTER_BLINKY) {
			struct pb_vec b = c->field->walk->at[hound[i].node];

			p = (struct pb_vec){2 * p.x - b.x, 2 * p.y - b.y};
		}
	return block_at(c, p);
}

/* The step from a node that leads nearest to p, PB_SAFE_THERE: none does. */
static int
step_to(const struct pb_clyde_walk *w, int node, struct pb_vec p)
{
	double least = pb_dist(w->at[node], p);
	int best = PB_SAFE_THERE;

	for (int k = 0; k < 8; k++) {
		int j = w->next[8 * node + k];
		double d = j < 0 ? INFINITY : pb_dist(w->at[j], p);

		if (d >= least)
			continue;
		least = d;
		best = k;
	}
	return best;
}

/* So far on its way to block `goal` (m); to p once it is there, or as near. */
static void
walk(const struct pb_safe_chase *c, int goal, struct pb_vec p, double far,
    struct pb_safe_hound *h)
{
	const struct pb_clyde_walk *w = c->field->walk;
	const int *block = c->field->chain->block;
	const unsigned char *step = &c->step[(size_t)goal * (size_t)w->n];
	float straight = (float)(5 * w->unit), diagonal = (float)(7 * w->unit);
	double near;

	h->gone += (float)far;
	if (h->gone < straight)
		return;
	near = pb_dist(c->field->chain->at[goal], p);
	while (h->gone >= straight) {
		bool there =
		    block[h->node] == goal || pb_dist(w->at[h->node], p) < near;
		int k = there ? step_to(w, h->node, p) : step[h->node];
		float len = k < 4 ? straight : diagonal;

		if (k == PB_SAFE_THERE)
			h->gone = 0;
		if (h->gone < len)
			return;
		h->gone -= len;
		h->node = w->next[8 * h->node + k];
	}
}

void
pb_safe_chase_step(const struct pb_safe_chase *c,
    const struct pb_safe_pack *pack, const struct pb_safe_prey *prey, double t,
    double dt, struct pb_safe_hound *hound)
{
	bool chases = pb_hunter_chases(pack->modes + t, pack->scale);

	for (int i = 0; i < pack->n; i++) {
		struct pb_safe_hound *h = &hound[i];
		int who = pack->hunter[i].who, goal = c->corner[who];
		struct pb_vec to = c->field->chain->at[goal];

		/* While it is harmless it may go anywhere: it stays. */
		if (pack->hunter[i].calm >= t)
			continue;
		if (chases) {
			goal = chased(c, pack, prey, who, hound);
			if (c->field->chain->block[h->node] == goal)
				h->reached = goal;
			if (h->reached == goal)
				goal = prey->block;
			else
				h->reached = -1;
			to = goal == prey->block ? prey->at
			                         : c->field->chain->at[goal];
		}
		walk(c, goal, to, pack->speed * dt, h);
	}
}

float
pb_safe_chase_worth(
    const struct pb_safe_chase *c, int x, const struct pb_safe_hound *h)
{
	const struct pb_clyde_chain *k = c->field->chain;

	return c->worth[x * k->blocks + k->block[h->node]];
}
