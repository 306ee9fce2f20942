/* clyde_forecast.c - where Clyde will be in the next seconds, by how he has
 * moved. */
#include "policy/clyde_forecast.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* Moves in the published ghost's order; its y counts rows downwards. */
static const int move_col[8] = {1, -1, 0, 0, 1, -1, 1, -1};
static const int move_row[8] = {0, 0, -1, 1, -1, -1, 1, 1};

/* Units of a move; buckets of Dial's search, more than a move has units. */
enum { STRAIGHT = 5, DIAGONAL = 7, RING = 8 };

/*
 * Blocks round his place and the way's length, so a good way may seem longer
 * by a few units; the chance of a place falls by e for so many.
 */
#define SLACK 4.0

/*
 * Half of a step lost to a bend of 45 degrees leaves 0.924 of it; less than
 * this part of a step means that the rest was lost at the end of a leg.
 */
#define WHOLE_STEP 0.9

/* So much farther walked than the way is long: he turned round (m). */
#define DETOUR 0.3

/* Marks are this far apart (m). */
#define MARK 0.15

/* Chances of a state below this are not followed up. */
#define FAINT 1e-4f

/* The block of a safe cell: blocks count from the corner of the whole map. */
static int
block_of(const struct pb_clyde_ground *g, struct pb_cell c)
{
	const struct pb_map *m = g->world->map;

	return (m->below + c.row) / g->side * g->cols +
	       (m->left + c.col) / g->side;
}

static struct pb_cell
nth_cell(const struct pb_clyde_ground *g, uint32_t i)
{
	return pb_map_cell_of(
	    g->world->map, (size_t)pb_clyde_nth(g->world, -1, i));
}

/* Number the nodes. Returns whether there was memory. */
static bool
find_nodes(struct pb_clyde_ground *g, struct pb_pool *pool)
{
	const struct pb_map *m = g->world->map;
	size_t blocks;

	g->cols = (m->left + m->width + g->side - 1) / g->side;
	g->rows = (m->below + m->height + g->side - 1) / g->side;
	g->unit = g->side * m->resolution / STRAIGHT;
	blocks = (size_t)g->cols * (size_t)g->rows;
	g->n = 0;
	g->node = pb_pool_get(pool, blocks, sizeof(*g->node));
	if (g->node == NULL)
		return false;
	memset(g->node, -1, blocks * sizeof(*g->node));
	for (uint32_t i = 0; i < g->world->grid.nfree; i++) {
		int *k = &g->node[block_of(g, nth_cell(g, i))];

		if (*k < 0)
			*k = g->n++;
	}
	return true;
}

static void
place_nodes(struct pb_clyde_ground *g)
{
	for (uint32_t i = 0; i < g->world->grid.nfree; i++) {
		struct pb_cell c = nth_cell(g, i);
		int b = block_of(g, c), k = g->node[b];
		struct pb_vec p = pb_clyde_place(g->world, c);

		g->block[k] = b;
		g->at[k].x += p.x;
		g->at[k].y += p.y;
		g->share[k] += 1;
	}
	for (int k = 0; k < g->n; k++) {
		g->at[k].x /= g->share[k];
		g->at[k].y /= g->share[k];
	}
}

/* Join blocks of which cells touch; diagonally, where both ways round are. */
static void
join_nodes(struct pb_clyde_ground *g)
{
	memset(g->next, -1, (size_t)g->n * 8 * sizeof(*g->next));
	for (uint32_t i = 0; i < g->world->grid.nfree; i++) {
		struct pb_cell c = nth_cell(g, i);
		int k = g->node[block_of(g, c)];

		for (int j = 0; j < 4; j++) {
			struct pb_cell to = {
			    c.col + move_col[j], c.row + move_row[j]};
			int l = pb_clyde_safe(g->world, to)
			            ? g->node[block_of(g, to)]
			            : k;

			if (l != k)
				g->next[8 * k + j] = l;
		}
	}
	for (int k = 0; k < g->n; k++) {
		for (int j = 4; j < 8; j++) {
			int col = j % 2, row = j < 6 ? 2 : 3;
			int a = g->next[8 * k + col], b = g->next[8 * k + row];

			if (a >= 0 && b >= 0 &&
			    g->next[8 * a + row] == g->next[8 * b + col])
				g->next[8 * k + j] = g->next[8 * a + row];
		}
	}
}

/*
 * Shortest ways from one node to all, by Dial's search: a ring of buckets, each
 * a stack with room for all nodes.
 */
static void
measure_from(const struct pb_clyde_ground *g, int root, int *stack)
{
	uint16_t *way = &g->way[(size_t)root * (size_t)g->n];
	uint16_t *order = &g->order[(size_t)root * (size_t)g->n];
	int count[RING] = {1};

	memset(way, 0xff, (size_t)g->n * sizeof(*way));
	memset(order, 0xff, (size_t)g->n * sizeof(*order));
	way[root] = 0;
	stack[0] = root;
	for (int d = 0, idle = 0; idle < RING; d++) {
		int b = d % RING;

		idle = count[b] == 0 ? idle + 1 : 0;
		while (count[b] > 0) {
			int i = stack[b * g->n + --count[b]];

			if (way[i] != d)
				continue;
			*order++ = (uint16_t)i;
			for (int j = 0; j < 8; j++) {
				int k = g->next[8 * i + j];
				int on = d + (j < 4 ? STRAIGHT : DIAGONAL);
				int to = on % RING;

				if (k < 0 || way[k] <= on)
					continue;
				way[k] = (uint16_t)on;
				stack[to * g->n + count[to]++] = k;
			}
		}
	}
}

enum pb_status
pb_clyde_ground_init(struct pb_clyde_ground *g,
    const struct pb_clyde_world *world, double side, int most,
    struct pb_pool *pool)
{
	const struct pb_pool_array *before = pool->last;
	int cells = (int)(side / world->map->resolution + 1e-9), *stack;
	size_t n;

	*g = (struct pb_clyde_ground){
	    .world = world, .side = cells < 1 ? 1 : cells};
	while (find_nodes(g, pool) && g->n > most) {
		pb_pool_back(pool, before);
		g->side++;
	}
	n = (size_t)g->n;
	g->block = pb_pool_get(pool, n, sizeof(*g->block));
	g->at = pb_pool_get(pool, n, sizeof(*g->at));
	g->share = pb_pool_get(pool, n, sizeof(*g->share));
	g->next = pb_pool_get(pool, n, 8 * sizeof(*g->next));
	g->way = pb_pool_get(pool, n * n, sizeof(*g->way));
	g->order = pb_pool_get(pool, n * n, sizeof(*g->order));
	stack = pb_pool_get(pool, n, RING * sizeof(*stack));
	if (pool->failed)
		return PB_ENOMEM;
	place_nodes(g);
	join_nodes(g);
	for (int i = 0; i < g->n; i++)
		measure_from(g, i, stack);
	return PB_OK;
}

int
pb_clyde_ground_at(const struct pb_clyde_ground *g, struct pb_vec p)
{
	struct pb_cell c = pb_clyde_cell(g->world, p);
	int best = pb_clyde_safe(g->world, c) ? g->node[block_of(g, c)] : -1;

	/* Rounding may put him on an unsafe cell, a program anywhere. */
	for (int i = 0, off = best < 0; off && i < g->n; i++)
		if (best < 0 || pb_dist(g->at[i], p) < pb_dist(g->at[best], p))
			best = i;
	return best;
}

/* The way into the coarse block of node b from that of a, beside it or the
 * same. */
static int
way_into(const struct pb_clyde_ground *g, const struct pb_clyde_chain *c, int a,
    int b)
{
	int from = g->block[a], to = g->block[b];
	int col = to % g->cols / c->side - from % g->cols / c->side;
	int row = to / g->cols / c->side - from / g->cols / c->side;

	if (col < -1 || col > 1 || row < -1 || row > 1)
		return PB_CLYDE_BEGINS;
	return (row + 1) * 3 + col + 1;
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

struct pb_clyde_leg
pb_clyde_leg_in(struct pb_block *b, int nodes)
{
	size_t n = (size_t)nodes;

	return (struct pb_clyde_leg){.up = pb_block_take(b, n, sizeof(int)),
	    .ends = pb_block_take(b, n, sizeof(float)),
	    .load = pb_block_take(b, n, sizeof(float))};
}

/* The node before i on the shortest way from the root. */
static int
node_before(
    const struct pb_clyde_ground *g, const uint16_t *way, int root, int i)
{
	int straight = -1, diagonal = -1;

	for (int j = 0; j < 8; j++) {
		int k = g->next[8 * i + j];

		if (k < 0 || way[k] + (j < 4 ? STRAIGHT : DIAGONAL) != way[i])
			continue;
		*(j < 4 ? &straight : &diagonal) = k;
	}
	if (straight < 0 || diagonal < 0)
		return straight < 0 ? diagonal : straight;
	return enters_diagonally(g->at[root], g->at[i]) ? diagonal : straight;
}

/* Fill in legs from a node, of which the ends are given. */
static void
fill_leg(
    struct pb_clyde_leg *l, const struct pb_clyde_ground *g, int root, int came)
{
	l->way = &g->way[(size_t)root * (size_t)g->n];
	l->order = &g->order[(size_t)root * (size_t)g->n];
	l->came = came;
	for (l->n = 0; l->n < g->n && l->order[l->n] < g->n; l->n++)
		l->load[l->order[l->n]] = l->ends[l->order[l->n]];
	for (int j = l->n - 1; j > 0; j--) {
		int i = l->order[j];

		if (l->load[i] <= 0)
			continue;
		l->up[i] = node_before(g, l->way, root, i);
		l->load[l->up[i]] += l->load[i];
	}
	l->up[root] = -1;
}

int
pb_clyde_leg_came(const struct pb_clyde_leg *l, const struct pb_clyde_ground *g,
    const struct pb_clyde_chain *c, int node)
{
	int up = l->up[node];

	for (; up >= 0 && c->block[up] == c->block[node]; up = l->up[node])
		node = up;
	return up < 0 ? l->came : way_into(g, c, up, node);
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

static void
add(struct pb_clyde_spread *s, int state, float chance)
{
	if (s->p[state] == 0 && chance > 0)
		s->state[s->n++] = state;
	s->p[state] += chance;
}

void
pb_clyde_spread_add(struct pb_clyde_spread *s, const struct pb_clyde_chain *c,
    int node, int came, float chance)
{
	const int *state = &c->state[PB_CLYDE_WAYS * c->block[node]];

	add(s, state[came] >= 0 ? state[came] : state[PB_CLYDE_BEGINS], chance);
}

void
pb_clyde_spread_walk(
    struct pb_clyde_spread *s, const struct pb_clyde_chain *c, double far)
{
	struct pb_clyde_spread was = *s;

	*s = (struct pb_clyde_spread){0, was.state2, was.p2, was.state, was.p};
	for (int i = 0; i < was.n; i++) {
		int x = was.state[i];
		float p = was.p[x];
		float go = p < FAINT ? 0 : (float)fmin(far / c->stay[x], 1);

		was.p[x] = 0;
		if (go < 1)
			add(s, x, p * (1 - go));
		for (int j = c->first[x]; go > 0 && j < c->first[x + 1]; j++)
			add(s, c->to[j], p * go * c->chance[j]);
	}
}

/* What is counted, by coarse block and way into it. */
struct counts {
	double *visits; /* weight of the legs that enter */
	double *length; /* weight times length walked there (m) */
	double *out;    /* PB_CLYDE_WAYS each: weight that leaves by a way, or
	                   ends */
	int *number;    /* in the grid of coarse blocks: the block, -1 */
	int cols;       /* of that grid */
	int *place;     /* blocks: where in it */
	int *centre;    /* blocks: the node nearest to the middle */
	float *share;   /* blocks: safe cells */
	struct pb_clyde_leg leg;
	struct pb_pool pool; /* of all these */
};

static void
make_blocks(
    struct pb_clyde_chain *c, const struct pb_clyde_ground *g, struct counts *k)
{
	size_t all = (size_t)g->cols * (size_t)g->rows;

	k->cols = (g->cols + c->side - 1) / c->side;
	memset(k->number, -1, all * sizeof(*k->number));
	memset(k->share, 0, (size_t)g->n * sizeof(*k->share));
	memset(c->at, 0, (size_t)g->n * sizeof(*c->at));
	c->blocks = 0;
	for (int i = 0; i < g->n; i++) {
		int place = g->block[i] / g->cols / c->side * k->cols +
		            g->block[i] % g->cols / c->side;
		int b = k->number[place] < 0 ? c->blocks++ : k->number[place];

		k->number[place] = b;
		k->place[b] = place;
		c->block[i] = b;
		c->at[b].x += g->share[i] * g->at[i].x;
		c->at[b].y += g->share[i] * g->at[i].y;
		k->share[b] += g->share[i];
		k->centre[b] = i;
	}
	for (int b = 0; b < c->blocks; b++) {
		c->at[b].x /= k->share[b];
		c->at[b].y /= k->share[b];
	}
	for (int i = 0; i < g->n; i++) {
		int b = c->block[i];

		if (pb_dist(g->at[i], c->at[b]) <
		    pb_dist(g->at[k->centre[b]], c->at[b]))
			k->centre[b] = i;
	}
}

/* Count the legs from one node to everywhere, each goal by its share. */
static void
count_legs(struct counts *k, const struct pb_clyde_chain *c,
    const struct pb_clyde_ground *g, int root)
{
	struct pb_clyde_leg *l = &k->leg;

	memcpy(l->ends, g->share, (size_t)g->n * sizeof(*l->ends));
	fill_leg(l, g, root, PB_CLYDE_BEGINS);
	for (int j = 0; j < l->n; j++) {
		int i = l->order[j], up = l->up[i];
		int came = pb_clyde_leg_came(l, g, c, i);
		int s = PB_CLYDE_WAYS * c->block[i] + came;

		k->out[PB_CLYDE_WAYS * s + PB_CLYDE_BEGINS] += l->ends[i];
		if (up >= 0)
			k->length[s] +=
			    l->load[i] * (l->way[i] - l->way[up]) * g->unit;
		if (up >= 0 && c->block[up] == c->block[i])
			continue;
		k->visits[s] += l->load[i];
		if (up < 0)
			continue;
		s = PB_CLYDE_WAYS * c->block[up] +
		    pb_clyde_leg_came(l, g, c, up);
		k->out[PB_CLYDE_WAYS * s + came] += l->load[i];
	}
}

/* Count at the present size of coarse blocks, and number the states. */
static void
count_states(
    struct pb_clyde_chain *c, const struct pb_clyde_ground *g, struct counts *k)
{
	double length = 0, visits = 0;
	size_t n;

	make_blocks(c, g, k);
	n = (size_t)c->blocks * PB_CLYDE_WAYS;
	memset(k->visits, 0, n * sizeof(*k->visits));
	memset(k->length, 0, n * sizeof(*k->length));
	memset(k->out, 0, n * PB_CLYDE_WAYS * sizeof(*k->out));
	for (int b = 0; b < c->blocks; b++)
		count_legs(k, c, g, k->centre[b]);
	c->states = 0;
	for (size_t i = 0; i < n; i++) {
		c->state[i] = k->visits[i] > 0 ? c->states++ : -1;
		length += k->length[i];
		visits += k->visits[i];
	}
	c->visit = fmax(length / visits, g->unit);
}

/* The states that follow state i of the counts. */
static int
link_state(const struct pb_clyde_chain *c, const struct counts *k, double unit,
    int i, int n)
{
	const double *out = &k->out[PB_CLYDE_WAYS * i];
	double sum = 0;
	int s = c->state[i], b = i / PB_CLYDE_WAYS;

	for (int j = 0; j < PB_CLYDE_WAYS; j++)
		sum += out[j];
	c->where[s] = b;
	c->stay[s] = (float)fmax(k->length[i] / k->visits[i], unit);
	c->first[s] = n;
	for (int j = 0; j < PB_CLYDE_WAYS; j++) {
		int place = k->place[b] + (j / 3 - 1) * k->cols + j % 3 - 1;

		if (out[j] <= 0)
			continue;
		c->to[n] = c->state[PB_CLYDE_WAYS * k->number[place] + j];
		c->chance[n++] = (float)(out[j] / sum);
	}
	return n;
}

static bool
make_chain(struct pb_clyde_chain *c, const struct pb_clyde_ground *g, int most,
    struct counts *k, struct pb_pool *pool)
{
	struct pb_block legs = {.at = NULL};
	size_t nodes = (size_t)g->n, n;
	int links = 0;

	c->block = pb_pool_get(pool, nodes, sizeof(*c->block));
	c->at = pb_pool_get(pool, nodes, sizeof(*c->at));
	c->state = pb_pool_get(pool, nodes, PB_CLYDE_WAYS * sizeof(*c->state));
	k->number = pb_pool_get(
	    &k->pool, (size_t)g->cols * (size_t)g->rows, sizeof(*k->number));
	k->place = pb_pool_get(&k->pool, nodes, sizeof(*k->place));
	k->centre = pb_pool_get(&k->pool, nodes, sizeof(*k->centre));
	k->share = pb_pool_get(&k->pool, nodes, sizeof(*k->share));
	k->visits =
	    pb_pool_get(&k->pool, nodes, PB_CLYDE_WAYS * sizeof(*k->visits));
	k->length =
	    pb_pool_get(&k->pool, nodes, PB_CLYDE_WAYS * sizeof(*k->length));
	k->out = pb_pool_get(
	    &k->pool, nodes, PB_CLYDE_WAYS * PB_CLYDE_WAYS * sizeof(*k->out));
	pb_clyde_leg_in(&legs, g->n);
	legs.at = pb_pool_get(&k->pool, legs.used, 1);
	legs.used = 0;
	if (pool->failed || k->pool.failed)
		return false;
	k->leg = pb_clyde_leg_in(&legs, g->n);
	for (count_states(c, g, k); c->states > most && c->blocks > 1;
	     count_states(c, g, k))
		c->side++;
	n = (size_t)c->states;
	c->where = pb_pool_get(pool, n, sizeof(*c->where));
	c->stay = pb_pool_get(pool, n, sizeof(*c->stay));
	c->first = pb_pool_get(pool, n + 1, sizeof(*c->first));
	c->to = pb_pool_get(pool, n, PB_CLYDE_WAYS * sizeof(*c->to));
	c->chance = pb_pool_get(pool, n, PB_CLYDE_WAYS * sizeof(*c->chance));
	if (pool->failed)
		return false;
	for (int i = 0; i < PB_CLYDE_WAYS * c->blocks; i++)
		if (c->state[i] >= 0)
			links = link_state(c, k, g->unit, i, links);
	c->first[c->states] = links;
	return true;
}

enum pb_status
pb_clyde_chain_init(struct pb_clyde_chain *c, const struct pb_clyde_ground *g,
    int side, int most, struct pb_pool *pool)
{
	struct counts k = {.cols = 0};
	bool ok;

	*c = (struct pb_clyde_chain){.side = side};
	ok = make_chain(c, g, most, &k, pool);
	pb_pool_clear(&k.pool);
	return ok ? PB_OK : PB_ENOMEM;
}

void
pb_clyde_belief_reset(struct pb_clyde_belief *b,
    const struct pb_clyde_ground *g, struct pb_vec p, double t)
{
	b->at = p;
	b->t = t;
	b->node = b->from = pb_clyde_ground_at(g, p);
	b->came = PB_CLYDE_BEGINS;
	b->gone = b->mark_gone = 0;
	b->mark = b->node;
}

bool
pb_clyde_belief_see(struct pb_clyde_belief *b, const struct pb_clyde_ground *g,
    const struct pb_clyde_chain *c, struct pb_vec p, double t, double speed)
{
	double moved = pb_dist(b->at, p), step = speed * (t - b->t);
	int was = b->node;

	if (moved > 2 * step + 0.2 || moved < WHOLE_STEP * step) {
		pb_clyde_belief_reset(b, g, p, t);
		return true;
	}
	b->at = p;
	b->t = t;
	b->node = pb_clyde_ground_at(g, p);
	b->gone += moved;
	if (c->block[was] != c->block[b->node])
		b->came = way_into(g, c, was, b->node);
	if (b->gone > g->way[b->from * g->n + b->node] * g->unit + DETOUR) {
		b->from = b->mark;
		b->gone -= b->mark_gone;
		b->mark = b->node;
		b->mark_gone = b->gone;
		return true;
	}
	if (b->gone >= b->mark_gone + MARK) {
		b->mark = b->node;
		b->mark_gone = b->gone;
	}
	return false;
}

/* How likely he is to be on the way to node i: by what a detour it would be. */
static float
weigh_goal(
    const struct pb_clyde_belief *b, const struct pb_clyde_ground *g, int i)
{
	const uint16_t *on = &g->way[(size_t)b->node * (size_t)g->n];
	const uint16_t *all = &g->way[(size_t)b->from * (size_t)g->n];
	int more = on[b->from] + on[i] - all[i];

	if (on[i] == PB_CLYDE_NO_WAY || all[i] == PB_CLYDE_NO_WAY ||
	    more > 16 * SLACK)
		return 0;
	return more > 0 ? g->share[i] * (float)pb_exp(-more / SLACK)
	                : g->share[i];
}

void
pb_clyde_belief_leg(const struct pb_clyde_belief *b,
    const struct pb_clyde_ground *g, struct pb_clyde_leg *leg)
{
	float sum = 0;

	for (int i = 0; i < g->n; i++) {
		leg->ends[i] = weigh_goal(b, g, i);
		sum += leg->ends[i];
	}
	for (int i = 0; i < g->n; i++)
		leg->ends[i] = sum > 0 ? leg->ends[i] / sum : i == b->node;
	fill_leg(leg, g, b->node, b->came);
}
