/* clyde_forecast.c - where Clyde will be in the next seconds, by how it has
 * moved. */
#include "policy/clyde_forecast.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* Units of a straight and a diagonal move; buckets of Dial's algorithm, more
 * than a move has units. */
enum { STRAIGHT = 5, DIAGONAL = 7, RING = 8 };

/*
 * Rounding of places and path lengths to blocks may make a path seem longer by
 * a few units; the probability of a goal falls by e per SLACK units of detour.
 * Chosen by hand, not measured.
 */
#define SLACK 4.0

/* A step with a bend of 45 degrees in its middle covers 0.924 of its length; if
 * it covers less than this share, the rest was lost at the end of a leg. */
#define WHOLE_STEP 0.9

/*
 * Clyde has turned round when it has walked this much more than the path's
 * length (m): three blocks. Chosen by hand; without the rule round 9 is worse.
 */
#define DETOUR 0.3

/* Distance of marks: half of DETOUR (m). */
#define MARK 0.15

/*
 * States of lower probability are not followed; a little less than what counts
 * in a plan: with a quarter of it a plan takes an eighth more work and no more
 * of 1,500 rounds are completed.
 */
#define FAINT 4e-4f

/* The block of a safe cell: blocks count from the corner of the whole map. */
static int
get_block(const struct pb_clyde_model *m, struct pb_cell c)
{
	const struct pb_map *map = m->world->map;

	return (map->below + c.row) / m->side * m->cols +
	       (map->left + c.col) / m->side;
}

static struct pb_cell
nth_cell(const struct pb_clyde_model *m, uint32_t i)
{
	return pb_map_cell_of(
	    m->world->map, (size_t)pb_clyde_nth(m->world, -1, i));
}

/* Number the nodes. Returns whether there was memory. */
static bool
find_nodes(struct pb_clyde_model *m, struct pb_pool *pool)
{
	const struct pb_map *map = m->world->map;
	size_t blocks;

	m->cols = (map->left + map->width + m->side - 1) / m->side;
	m->rows = (map->below + map->height + m->side - 1) / m->side;
	m->unit = m->side * map->resolution / STRAIGHT;
	blocks = (size_t)m->cols * (size_t)m->rows;
	m->n = 0;
	m->node = pb_pool_get(pool, blocks, sizeof(*m->node));
	if (m->node == NULL)
		return false;
	memset(m->node, -1, blocks * sizeof(*m->node));
	for (uint32_t i = 0; i < m->world->grid.nfree; i++) {
		int *k = &m->node[get_block(m, nth_cell(m, i))];

		if (*k < 0)
			*k = m->n++;
	}
	return true;
}

static void
place_nodes(struct pb_clyde_model *m)
{
	for (uint32_t i = 0; i < m->world->grid.nfree; i++) {
		struct pb_cell c = nth_cell(m, i);
		int b = get_block(m, c), k = m->node[b];
		struct pb_vec p = pb_clyde_place(m->world, c);

		m->block[k] = b;
		m->at[k].x += p.x;
		m->at[k].y += p.y;
		m->share[k] += 1;
	}
	for (int k = 0; k < m->n; k++) {
		m->at[k].x /= m->share[k];
		m->at[k].y /= m->share[k];
	}
}

/* Link the nodes of blocks whose cells touch; diagonally if both paths around
 * the corner lead to one node. */
static void
link_nodes(struct pb_clyde_model *m)
{
	memset(m->next, -1, (size_t)m->n * PB_MOVES * sizeof(*m->next));
	for (uint32_t i = 0; i < m->world->grid.nfree; i++) {
		struct pb_cell c = nth_cell(m, i);
		int k = m->node[get_block(m, c)];

		for (int j = 0; j < 4; j++) {
			struct pb_cell to = {
			    c.col + pb_move_col(j), c.row + pb_move_row(j)};
			int l = pb_clyde_safe(m->world, to)
			            ? m->node[get_block(m, to)]
			            : k;

			if (l != k)
				m->next[PB_MOVES * k + j] = (int16_t)l;
		}
	}
	for (int k = 0; k < m->n; k++) {
		int16_t *next = &m->next[PB_MOVES * k];

		for (int j = 4; j < PB_MOVES; j++) {
			int col = pb_move_col(j) < 0;
			int row = 2 + (pb_move_row(j) > 0);
			int a = next[col], b = next[row];

			if (a >= 0 && b >= 0 &&
			    m->next[PB_MOVES * a + row] ==
				m->next[PB_MOVES * b + col])
				next[j] = m->next[PB_MOVES * a + row];
		}
	}
}

/*
 * Shortest paths from one node to all, by Dial's algorithm ("Algorithm 360",
 * 1969): a ring of buckets, each a stack with room for all nodes. Lengths are
 * small integers, so that no heap is needed. Returns at once if the paths are
 * computed already.
 */
static void
measure_from(const struct pb_clyde_model *m, int root, struct pb_clyde_paths *w)
{
	int count[RING] = {1};

	if (w->root[0] == root + 1)
		return;
	w->root[0] = root + 1;
	w->n[0] = 0;
	memset(w->len, 0xff, (size_t)m->n * sizeof(*w->len));
	w->len[root] = 0;
	w->stack[0] = (uint16_t)root;
	for (int d = 0, idle = 0; idle < RING; d++) {
		int b = d % RING;

		idle = count[b] == 0 ? idle + 1 : 0;
		while (count[b] > 0) {
			int i = w->stack[b * m->n + --count[b]];

			if (w->len[i] != d)
				continue;
			w->order[w->n[0]++] = (uint16_t)i;
			for (int j = 0; j < PB_MOVES; j++) {
				int k = m->next[PB_MOVES * i + j];
				int on = d + (j < 4 ? STRAIGHT : DIAGONAL);
				int to = on % RING;

				if (k < 0 || w->len[k] <= on)
					continue;
				w->len[k] = (uint16_t)on;
				w->stack[to * m->n + count[to]++] = (uint16_t)k;
			}
		}
	}
}

/* Fill the members of m about where Clyde can walk. */
static enum pb_status
make_nodes(
    struct pb_clyde_model *m, struct pb_clyde_grain grain, struct pb_pool *pool)
{
	const struct pb_pool_array *before = pool->last;
	size_t n;

	m->side = (int)fmax(grain.block / m->world->map->resolution + 1e-9, 1);
	while (find_nodes(m, pool) && m->n > grain.nodes) {
		pb_pool_back(pool, before);
		m->side++;
	}
	n = (size_t)m->n;
	m->block = pb_pool_get(pool, n, sizeof(*m->block));
	m->at = pb_pool_get(pool, n, sizeof(*m->at));
	m->share = pb_pool_get(pool, n, sizeof(*m->share));
	m->next = pb_pool_get(pool, n, PB_MOVES * sizeof(*m->next));
	if (pool->failed)
		return PB_ENOMEM;
	place_nodes(m);
	link_nodes(m);
	return PB_OK;
}

int
pb_clyde_node_at(const struct pb_clyde_model *m, struct pb_vec p)
{
	struct pb_cell c = pb_clyde_cell(m->world, p);
	int best = pb_clyde_safe(m->world, c) ? m->node[get_block(m, c)] : -1;

	/* Rounding may put Clyde on an unsafe cell, a program anywhere. */
	for (int i = 0, off = best < 0; off && i < m->n; i++)
		if (best < 0 || pb_dist(m->at[i], p) < pb_dist(m->at[best], p))
			best = i;
	return best;
}

/* The side by which a step from node a to node b enters b's area. */
static int
side_between(const struct pb_clyde_model *m, int a, int b)
{
	int from = m->block[a], to = m->block[b];
	int col = to % m->cols / m->wide - from % m->cols / m->wide;
	int row = to / m->cols / m->wide - from / m->cols / m->wide;

	if (col < -1 || col > 1 || row < -1 || row > 1)
		return PB_CLYDE_BEGINS;
	return (row + 1) * 3 + col + 1;
}

/* The node before i on a shortest path from the root: a diagonal move if there
 * is one, as in the published search. */
static int
node_before(const struct pb_clyde_model *m, const uint16_t *way, int i)
{
	int before = -1;

	for (int j = 0; j < PB_MOVES; j++) {
		int k = m->next[PB_MOVES * i + j];

		if (k >= 0 && way[k] + (j < 4 ? STRAIGHT : DIAGONAL) == way[i])
			before = k;
	}
	return before;
}

static struct pb_clyde_paths
alloc_paths(struct pb_block *b, size_t n)
{
	return (struct pb_clyde_paths){.root = pb_block_take(b, 1, sizeof(int)),
	    .n = pb_block_take(b, 1, sizeof(int)),
	    .len = pb_block_take(b, n, sizeof(uint16_t)),
	    .order = pb_block_take(b, n, sizeof(uint16_t)),
	    .stack = pb_block_take(b, n, RING * sizeof(uint16_t))};
}

struct pb_clyde_forecast
pb_clyde_forecast_alloc(struct pb_block *b, const struct pb_clyde_model *m)
{
	size_t n = (size_t)m->n, states = (size_t)m->states;

	return (struct pb_clyde_forecast){.m = m,
	    .leg = alloc_paths(b, n),
	    .ahead = alloc_paths(b, n),
	    .up = pb_block_take(b, n, sizeof(int)),
	    .ends = pb_block_take(b, n, sizeof(float)),
	    .load = pb_block_take(b, n, sizeof(float)),
	    .state = pb_block_take(b, states, sizeof(int)),
	    .p = pb_block_take(b, states, sizeof(float)),
	    .state2 = pb_block_take(b, states, sizeof(int)),
	    .p2 = pb_block_take(b, states, sizeof(float)),
	    .far = pb_block_take(b, 1, sizeof(double)),
	    .go = pb_block_take(b, states, sizeof(float)),
	    .occupied = pb_block_take(b, (size_t)m->areas, sizeof(float))};
}

static void
clear_chain(struct pb_clyde_forecast *f)
{
	f->states = 0;
	memset(f->p, 0, (size_t)f->m->states * sizeof(*f->p));
	memset(f->p2, 0, (size_t)f->m->states * sizeof(*f->p2));
}

/* Build the tree of shortest paths from a node, with the given ends of legs,
 * and an empty chain. */
static void
start_tree(struct pb_clyde_forecast *f, int root)
{
	const struct pb_clyde_model *m = f->m;

	measure_from(m, root, &f->ahead);
	f->n = f->ahead.n[0];
	f->walked = f->passed = 0;
	clear_chain(f);
	for (int j = 0; j < f->n; j++)
		f->load[f->ahead.order[j]] = f->ends[f->ahead.order[j]];
	for (int j = f->n - 1; j > 0; j--) {
		int i = f->ahead.order[j];

		if (f->load[i] <= 0)
			continue;
		f->up[i] = node_before(m, f->ahead.len, i);
		f->load[f->up[i]] += f->load[i];
	}
	f->up[root] = -1;
}

/* The side by which the leg enters the area of a node. The entry into the first
 * area is not remembered: that gained nothing. */
static int
entry_side(const struct pb_clyde_forecast *f, int node)
{
	const int *area = f->m->area;
	int up = f->up[node];

	for (; up >= 0 && area[up] == area[node]; up = f->up[node])
		node = up;
	return up < 0 ? PB_CLYDE_BEGINS : side_between(f->m, up, node);
}

static void
add_state(struct pb_clyde_forecast *f, int state, float chance)
{
	if (f->p[state] == 0 && chance > 0)
		f->state[f->states++] = state;
	f->p[state] += chance;
}

/* Add a probability that leaves the leg to the chain: to the state of a node's
 * area that was entered by side `came`. */
static void
join_chain(struct pb_clyde_forecast *f, int node, int came, float chance)
{
	const int *state = &f->m->state[PB_CLYDE_SIDES * f->m->area[node]];

	add_state(
	    f, state[came] >= 0 ? state[came] : state[PB_CLYDE_BEGINS], chance);
}

/* Advance the chain by `far` (m). */
static void
step_chain(struct pb_clyde_forecast *f, double far)
{
	const struct pb_clyde_model *m = f->m;
	int n = f->states, *was = f->state;
	float *p = f->p;

	for (int s = 0; f->far[0] != far && s < m->states; s++)
		f->go[s] = (float)fmin(far / m->stay[s], 1);
	f->far[0] = far;
	f->states = 0;
	f->state = f->state2;
	f->state2 = was;
	f->p = f->p2;
	f->p2 = p;
	for (int i = 0; i < n; i++) {
		int x = was[i];
		float here = p[x];
		float go = here < FAINT ? 0 : f->go[x];

		p[x] = 0;
		if (go < 1)
			add_state(f, x, here * (1 - go));
		for (int j = m->first[x]; go > 0 && j < m->first[x + 1]; j++)
			add_state(f, m->to[j], here * go * m->chance[j]);
	}
}

/* Advance the leg to `to` (units); probabilities of goals passed join the
 * chain. */
static void
step_leg(struct pb_clyde_forecast *f, double to)
{
	double from = f->walked;

	f->walked = to;
	while (
	    f->passed < f->n && f->ahead.len[f->ahead.order[f->passed]] < from)
		f->passed++;
	for (int j = f->passed; j < f->n; j++) {
		int i = f->ahead.order[j];
		double hi = f->ahead.len[i], lo, part;

		if (hi > to + DIAGONAL)
			break;
		if (f->load[i] <= 0)
			continue;
		lo = f->up[i] < 0 ? -DIAGONAL : f->ahead.len[f->up[i]];
		part = fmin(hi, to) - fmax(lo, from);
		if (hi >= from && hi < to)
			join_chain(f, i, PB_CLYDE_BEGINS, f->ends[i]);
		if (part > 0)
			f->occupied[f->m->area[i]] +=
			    (float)(part * f->load[i] / (to - from));
	}
}

void
pb_clyde_forecast_step(struct pb_clyde_forecast *f, double far)
{
	const struct pb_clyde_model *m = f->m;

	memset(f->occupied, 0, (size_t)m->areas * sizeof(*f->occupied));
	step_chain(f, far);
	step_leg(f, f->walked + far / m->unit);
	for (int i = 0; i < f->states; i++)
		f->occupied[m->where[f->state[i]]] += f->p[f->state[i]];
}

void
pb_clyde_forecast_end(struct pb_clyde_forecast *f)
{
	for (int j = 0; j < f->n; j++) {
		int i = f->ahead.order[j];

		if (f->load[i] > 0 && f->ahead.len[i] >= f->walked &&
		    (f->up[i] < 0 || f->ahead.len[f->up[i]] < f->walked))
			join_chain(f, i, entry_side(f, i), f->load[i]);
	}
}

/* Counts by area and side of entry. */
struct counts {
	double *visits; /* weight of legs that enter */
	double *length; /* weight times distance walked in the area (m) */
	double *out;    /* PB_CLYDE_SIDES each: weight that leaves by a side, or
	                   ends */
	int *number;    /* by place in the grid of areas: area, -1 none */
	int cols;       /* columns of that grid */
	int *place;     /* by area: place in the grid */
	int *centre;    /* by area: node nearest to its middle */
	int *off;       /* by area: its squared distance (quarter blocks) */
	struct pb_clyde_forecast leg;
};

/* Number the areas; the node nearest to an area's middle represents it. */
static void
make_areas(struct pb_clyde_model *m, struct counts *k)
{
	int w = m->wide;

	k->cols = (m->cols + w - 1) / w;
	memset(k->number, -1,
	    (size_t)m->cols * (size_t)m->rows * sizeof(*k->number));
	m->areas = 0;
	for (int i = 0; i < m->n; i++) {
		int col = m->block[i] % m->cols, row = m->block[i] / m->cols;
		int x = 2 * (col % w) + 1 - w, y = 2 * (row % w) + 1 - w;
		int place = row / w * k->cols + col / w;
		int *a = &k->number[place];

		if (*a < 0) {
			*a = m->areas++;
			k->place[*a] = place;
			k->off[*a] = INT_MAX;
		}
		m->area[i] = *a;
		if (x * x + y * y >= k->off[*a])
			continue;
		k->off[*a] = x * x + y * y;
		k->centre[*a] = i;
		m->middle[*a] = m->at[i];
	}
}

/* Count the legs from one node to all nodes, each weighted by its share. */
static void
count_legs(struct counts *k, const struct pb_clyde_model *m, int root)
{
	struct pb_clyde_forecast *f = &k->leg;

	memcpy(f->ends, m->share, (size_t)m->n * sizeof(*f->ends));
	start_tree(f, root);
	for (int j = 0; j < f->n; j++) {
		int i = f->ahead.order[j], up = f->up[i],
		    came = entry_side(f, i);
		int s = PB_CLYDE_SIDES * m->area[i] + came;

		k->out[PB_CLYDE_SIDES * s + PB_CLYDE_BEGINS] += f->ends[i];
		if (up >= 0)
			k->length[s] += f->load[i] *
			                (f->ahead.len[i] - f->ahead.len[up]) *
			                m->unit;
		if (up >= 0 && m->area[up] == m->area[i])
			continue;
		k->visits[s] += f->load[i];
		if (up < 0)
			continue;
		s = PB_CLYDE_SIDES * m->area[up] + entry_side(f, up);
		k->out[PB_CLYDE_SIDES * s + came] += f->load[i];
	}
}

/* Count with the current size of areas, and number the states. */
static void
count_states(struct pb_clyde_model *m, struct counts *k)
{
	double length = 0, visits = 0;
	size_t n;

	make_areas(m, k);
	n = (size_t)m->areas * PB_CLYDE_SIDES;
	memset(k->visits, 0, n * sizeof(*k->visits));
	memset(k->length, 0, n * sizeof(*k->length));
	memset(k->out, 0, n * PB_CLYDE_SIDES * sizeof(*k->out));
	/* k->leg has no memory for states. */
	m->states = 0;
	for (int a = 0; a < m->areas; a++)
		count_legs(k, m, k->centre[a]);
	for (size_t i = 0; i < n; i++) {
		m->state[i] = k->visits[i] > 0 ? m->states++ : -1;
		length += k->length[i];
		visits += k->visits[i];
	}
	m->visit = fmax(length / visits, m->unit);
}

/* Store the successors of state i of the counts; n: those stored so far.
 * Returns their new number. */
static int
link_state(struct pb_clyde_model *m, const struct counts *k, int i, int n)
{
	const double *out = &k->out[PB_CLYDE_SIDES * i];
	double sum = 0;
	int s = m->state[i], a = i / PB_CLYDE_SIDES;

	for (int j = 0; j < PB_CLYDE_SIDES; j++)
		sum += out[j];
	m->where[s] = a;
	m->stay[s] = (float)fmax(k->length[i] / k->visits[i], m->unit);
	m->first[s] = n;
	for (int j = 0; j < PB_CLYDE_SIDES; j++) {
		int place = k->place[a] + (j / 3 - 1) * k->cols + j % 3 - 1;

		if (out[j] <= 0)
			continue;
		m->to[n] = m->state[PB_CLYDE_SIDES * k->number[place] + j];
		m->chance[n++] = (float)(out[j] / sum);
	}
	return n;
}

/* Count the chain; `own`: memory for the time of counting. */
static enum pb_status
make_chain(struct pb_clyde_model *m, int most, struct pb_pool *own,
    struct pb_pool *pool)
{
	size_t nodes = (size_t)m->n, sides = nodes * PB_CLYDE_SIDES, n;
	struct pb_block size = {.at = NULL}, legs = {.at = NULL};
	struct counts k = {.number = pb_pool_get(own,
			       (size_t)m->cols * (size_t)m->rows, sizeof(int)),
	    .place = pb_pool_get(own, nodes, sizeof(int)),
	    .centre = pb_pool_get(own, nodes, sizeof(int)),
	    .off = pb_pool_get(own, nodes, sizeof(int)),
	    .visits = pb_pool_get(own, sides, sizeof(double)),
	    .length = pb_pool_get(own, sides, sizeof(double)),
	    .out = pb_pool_get(own, sides, PB_CLYDE_SIDES * sizeof(double))};
	int links = 0;

	m->area = pb_pool_get(pool, nodes, sizeof(*m->area));
	m->middle = pb_pool_get(pool, nodes, sizeof(*m->middle));
	m->state = pb_pool_get(pool, sides, sizeof(*m->state));
	pb_clyde_forecast_alloc(&size, m);
	legs.at = pb_pool_get(own, size.used, 1);
	if (pool->failed || own->failed)
		return PB_ENOMEM;
	k.leg = pb_clyde_forecast_alloc(&legs, m);
	for (count_states(m, &k); m->states > most && m->areas > 1;
	     count_states(m, &k))
		m->wide++;
	n = (size_t)m->states;
	m->where = pb_pool_get(pool, n, sizeof(*m->where));
	m->stay = pb_pool_get(pool, n, sizeof(*m->stay));
	m->first = pb_pool_get(pool, n + 1, sizeof(*m->first));
	m->to = pb_pool_get(pool, n, PB_CLYDE_SIDES * sizeof(*m->to));
	m->chance = pb_pool_get(pool, n, PB_CLYDE_SIDES * sizeof(*m->chance));
	if (pool->failed)
		return PB_ENOMEM;
	for (int i = 0; i < PB_CLYDE_SIDES * m->areas; i++)
		if (m->state[i] >= 0)
			links = link_state(m, &k, i, links);
	m->first[m->states] = links;
	return PB_OK;
}

enum pb_status
pb_clyde_model_init(struct pb_clyde_model *m,
    const struct pb_clyde_world *world, struct pb_clyde_grain grain,
    struct pb_pool *pool)
{
	struct pb_pool own = {.failed = false};
	enum pb_status err;

	*m = (struct pb_clyde_model){.world = world};
	err = make_nodes(m, grain, pool);
	if (err != PB_OK)
		return err;
	m->wide = (int)fmax(grain.area / (STRAIGHT * m->unit) + 0.5, 1);
	err = make_chain(m, grain.states, &own, pool);
	pb_pool_clear(&own);
	return err;
}

void
pb_clyde_belief_reset(struct pb_clyde_belief *b, const struct pb_clyde_model *m,
    struct pb_vec p, double t)
{
	int node = pb_clyde_node_at(m, p);

	*b = (struct pb_clyde_belief){
	    .at = p, .t = t, .node = node, .from = node, .mark = node};
}

bool
pb_clyde_belief_update(struct pb_clyde_belief *b, struct pb_clyde_forecast *f,
    struct pb_vec p, double t, double speed)
{
	const struct pb_clyde_model *m = f->m;
	double moved = pb_dist(b->at, p), step = speed * (t - b->t);

	if (moved > 2 * step + 0.2 || moved < WHOLE_STEP * step) {
		pb_clyde_belief_reset(b, m, p, t);
		return true;
	}
	b->at = p;
	b->t = t;
	b->node = pb_clyde_node_at(m, p);
	b->gone += moved;
	measure_from(m, b->from, &f->leg);
	if (b->gone > f->leg.len[b->node] * m->unit + DETOUR) {
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

/* Probability, up to a factor, that node i is Clyde's goal: it falls with the
 * detour that its path up to now would be. */
static float
weigh_goal(
    const struct pb_clyde_belief *b, const struct pb_clyde_forecast *f, int i)
{
	const uint16_t *on = f->ahead.len, *all = f->leg.len;
	float share = f->m->share[i];
	int more = on[b->from] + on[i] - all[i];

	if (on[i] == PB_CLYDE_NO_WAY || all[i] == PB_CLYDE_NO_WAY ||
	    more > 16 * SLACK)
		return 0;
	return more > 0 ? share * (float)pb_exp(-more / SLACK) : share;
}

void
pb_clyde_forecast_begin(
    struct pb_clyde_forecast *f, const struct pb_clyde_belief *b)
{
	int n = f->m->n;
	float sum = 0;

	measure_from(f->m, b->node, &f->ahead);
	measure_from(f->m, b->from, &f->leg);
	for (int i = 0; i < n; i++) {
		f->ends[i] = weigh_goal(b, f, i);
		sum += f->ends[i];
	}
	for (int i = 0; i < n; i++)
		f->ends[i] = sum > 0 ? f->ends[i] / sum : i == b->node;
	start_tree(f, b->node);
}

void
pb_clyde_forecast_begin_at(struct pb_clyde_forecast *f, struct pb_vec p)
{
	f->n = 0;
	clear_chain(f);
	join_chain(f, pb_clyde_node_at(f->m, p), PB_CLYDE_BEGINS, 1);
}
