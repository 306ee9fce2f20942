/* safe_marks.c - the net as the lidar leaves it: what it marked closes ways. */
#include "policy/safe_marks.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* More steps than any plan has. */
#define SHUT 255

/*
 * A mark is believed in for so long after it was seen (s), and longer by this
 * much of the time over which it was.
 */
#define LASTS_LEAST 2.0
#define LASTS_TIMES 3.0

/* Distances are worked out no more often than this, and at least as often as
 * that while something is closed (s). */
#define TOUR_SOON 0.6
#define TOUR_LATE 3.0

/* A pellet that could not be had is left for so long at first (s). */
#define PUT_OFF 15.0

enum { OPEN, CLOSED };

enum pb_status
pb_safe_floor_init(struct pb_safe_floor *f, const struct pb_safe_field *field,
    const struct pb_tour *tour, struct pb_pool *pool)
{
	const struct pb_safe_net *net = field->net;
	int n = (int)pb_map_cells(&net->arena->map);

	*f = (struct pb_safe_floor){.field = field, .tour = tour};
	f->first = pb_pool_get(pool, (size_t)net->n + 2, sizeof(int));
	f->cell = pb_pool_get(pool, (size_t)n, sizeof(int));
	if (pool->failed)
		return PB_ENOMEM;
	for (int i = 0; i < n; i++)
		if (net->owner[i] >= 0)
			f->first[net->owner[i] + 2]++;
	for (int x = 0; x < net->n; x++)
		f->first[x + 2] += f->first[x + 1];
	for (int i = 0; i < n; i++)
		if (net->owner[i] >= 0)
			f->cell[f->first[net->owner[i] + 1]++] = i;
	return PB_OK;
}

struct pb_safe_marks
pb_safe_marks_in(struct pb_block *b, const struct pb_safe_floor *f)
{
	struct pb_safe_marks m = {NULL};
	size_t n, p, cells, edges;

	if (f->first == NULL)
		return m;
	n = (size_t)f->field->net->n;
	p = (size_t)f->tour->n;
	cells = pb_map_cells(&f->field->net->arena->map);
	edges = (size_t)f->field->net->first[n];
	m.now = pb_block_take(b, 1, sizeof(*m.now));
	m.cell = pb_block_take(b, cells, 1);
	m.shut = pb_block_take(b, n, 1);
	m.print = pb_block_take(b, n, sizeof(*m.print));
	m.was = pb_block_take(b, n, sizeof(*m.was));
	m.lasts = pb_block_take(b, n, sizeof(*m.lasts));
	m.at = pb_block_take(b, n, sizeof(*m.at));
	m.edge = pb_block_take(b, edges, sizeof(*m.edge));
	m.cost = pb_block_take(b, edges, sizeof(*m.cost));
	m.node = pb_block_take(b, p, sizeof(*m.node));
	m.reach = pb_block_take(b, p * n, sizeof(*m.reach));
	m.apart = pb_block_take(b, p * p, sizeof(*m.apart));
	m.later = pb_block_take(b, p, sizeof(*m.later));
	m.wait = pb_block_take(b, p, sizeof(*m.wait));
	m.dist = pb_block_take(b, n, sizeof(*m.dist));
	m.line = pb_block_take(b, 2 * n, sizeof(*m.line));
	return m;
}

/* How long a mark will be there yet (s); <= 0: it is believed in no more. */
static double
lasts(const struct pb_mark *k, double now)
{
	return LASTS_LEAST + LASTS_TIMES * (k->t - k->since) - (now - k->t);
}

/* Of the marks believed in, whatever their order. */
static uint64_t
print_of(const struct pb_view *v)
{
	uint64_t sum = 0;

	for (int i = 0; i < v->marks; i++) {
		uint64_t x = v->mark[i].raster + 1;

		x *= 0x9e3779b97f4a7c15u;
		if (lasts(&v->mark[i], v->t) > 0)
			sum += x ^ x >> 29;
	}
	return sum;
}

/* Begin with the net as it is without marks. */
static void
open_all(const struct pb_safe_floor *f, const struct pb_safe_marks *m)
{
	const struct pb_safe_net *net = f->field->net;
	size_t n = (size_t)net->n, p = (size_t)f->tour->n;

	memset(m->cell, OPEN, pb_map_cells(&net->arena->map));
	memset(m->shut, 0, n);
	memset(m->print, 0, n * sizeof(*m->print));
	memset(m->lasts, 0, n * sizeof(*m->lasts));
	memcpy(m->at, net->at, n * sizeof(*m->at));
	memcpy(
	    m->edge, f->field->edge, (size_t)net->first[n] * sizeof(*m->edge));
	memcpy(m->node, f->tour->node, p * sizeof(*m->node));
	memcpy(m->reach, f->tour->reach, p * n * sizeof(*m->reach));
	memcpy(m->apart, f->tour->apart, p * p * sizeof(*m->apart));
}

/* A mark closes what navigation keeps off it. */
static void
close_cells(const struct pb_safe_net *net, const struct pb_safe_marks *m,
    const struct pb_view *v, const struct pb_mark *k)
{
	const struct pb_map *map = &net->arena->map;
	double r = v->opts->inscribed / map->resolution + PB_MARK_CELLS;
	struct pb_cell at = pb_map_cell(map, k->at);
	int reach = (int)r + 1;
	float stays = (float)lasts(k, v->t);

	for (int y = at.row - reach; y <= at.row + reach; y++) {
		for (int x = at.col - reach; x <= at.col + reach; x++) {
			int i = y * map->width + x, own;

			if (x < 0 || y < 0 || x >= map->width ||
			    y >= map->height || (own = net->owner[i]) < 0 ||
			    pb_dist(pb_arena_centre(net->arena, i), k->at) >
				r * map->resolution)
				continue;
			if (m->lasts[own] < stays)
				m->lasts[own] = stays;
			if (m->cell[i] == CLOSED)
				continue;
			m->cell[i] = CLOSED;
			m->print[own] += (uint32_t)(i + 1) * 2654435761u;
		}
	}
}

/* The cell that one comes to from an open cell a by move j, no corner of what
 * is closed being cut; -1: there is none. */
static int
moved(const struct pb_grid *g, const struct pb_safe_marks *m, int a, int j)
{
	int col = pb_move_col(j), row = pb_move_row(j) * g->width;

	if (!(g->move[a] >> j & 1) || m->cell[a + col + row] == CLOSED ||
	    m->cell[a + col] == CLOSED || m->cell[a + row] == CLOSED)
		return -1;
	return a + col + row;
}

/* How many cells around i are open. */
static int
count_open(const struct pb_arena *a, const struct pb_safe_marks *m, int i)
{
	int w = a->map.width, col = i % w, row = i / w, n = 0;

	for (int y = row - 2; y <= row + 2; y++)
		for (int x = col - 2; x <= col + 2; x++)
			n += x >= 0 && y >= 0 && x < w && y < a->map.height &&
			     a->hard.free[y * w + x] &&
			     m->cell[y * w + x] == OPEN;
	return n;
}

/*
 * What is left of node x, and its roomiest cell. A line of marks closes a strip
 * wider than a block, so what is left lies on one side of it.
 */
static void
remake_node(const struct pb_safe_floor *f, const struct pb_safe_marks *m, int x)
{
	const struct pb_safe_net *net = f->field->net;
	bool keeps = m->cell[net->cell[x]] == OPEN;
	int most = 0;

	m->shut[x] = !keeps;
	m->at[x] = net->at[x];
	for (int k = f->first[x]; !keeps && k < f->first[x + 1]; k++) {
		int i = f->cell[k],
		    n = m->cell[i] == OPEN ? count_open(net->arena, m, i) : 0;

		if (n <= most)
			continue;
		most = n;
		m->shut[x] = 0;
		m->at[x] = pb_arena_centre(net->arena, i);
	}
}

static int
edge_to(const struct pb_safe_net *net, int x, int y)
{
	for (int j = net->first[x]; j < net->first[x + 1]; j++)
		if (net->to[j] == y)
			return j;
	return -1;
}

static void
set_edge(const struct pb_safe_floor *f, const struct pb_safe_marks *m, int x,
    int y, bool open)
{
	int j = edge_to(f->field->net, x, y), k = edge_to(f->field->net, y, x);

	if (j >= 0)
		m->edge[j] = open ? f->field->edge[j] : SHUT;
	if (k >= 0)
		m->edge[k] = open ? f->field->edge[k] : SHUT;
}

/* Join node x to those that what is left of it touches. */
static void
rejoin(const struct pb_safe_floor *f, const struct pb_safe_marks *m, int x)
{
	const struct pb_safe_net *net = f->field->net;
	const struct pb_grid *g = &net->arena->hard;

	for (int j = net->first[x]; j < net->first[x + 1]; j++)
		set_edge(f, m, x, net->to[j], false);
	for (int k = f->first[x]; k < f->first[x + 1]; k++) {
		int a = f->cell[k], last = -1;

		for (int j = 0; m->cell[a] == OPEN && j < PB_MOVES; j++) {
			int b = moved(g, m, a, j);

			if (b < 0 || m->cell[b] != OPEN || net->owner[b] == x ||
			    net->owner[b] == last)
				continue;
			last = net->owner[b];
			set_edge(f, m, x, last, true);
		}
	}
}

bool
pb_safe_marks_see(const struct pb_safe_floor *f, const struct pb_safe_marks *m,
    const struct pb_view *v)
{
	const struct pb_safe_net *net;
	uint64_t print;
	bool news = false;

	if (m->now == NULL || (v->marks == 0 && !m->now->any))
		return false;
	net = f->field->net;
	print = print_of(v);
	if (!m->now->any) {
		open_all(f, m);
		m->now->tour_t = -INFINITY;
	} else if (print == m->now->print && v->t < m->now->t + TOUR_LATE) {
		return false;
	}
	*m->now = (struct pb_safe_closed){true, print, v->t, m->now->tour_t};
	memcpy(m->was, m->print, (size_t)net->n * sizeof(*m->print));
	memset(m->print, 0, (size_t)net->n * sizeof(*m->print));
	memset(m->lasts, 0, (size_t)net->n * sizeof(*m->lasts));
	memset(m->cell, OPEN, pb_map_cells(&net->arena->map));
	for (int i = 0; i < v->marks; i++)
		if (lasts(&v->mark[i], v->t) > 0)
			close_cells(net, m, v, &v->mark[i]);
	for (int x = 0; x < net->n; x++)
		if (m->print[x] != 0 || m->was[x] != 0)
			remake_node(f, m, x);
	for (int x = 0; x < net->n; x++) {
		if (m->print[x] == m->was[x])
			continue;
		rejoin(f, m, x);
		news = true;
	}
	return news;
}

/* What each edge costs (m): what is closed takes as long as that will last. */
static void
fill_costs(const struct pb_safe_floor *f, const struct pb_safe_marks *m)
{
	const struct pb_safe_net *net = f->field->net;
	float speed = (float)f->field->speed;

	for (int x = 0; x < net->n; x++) {
		for (int j = net->first[x]; j < net->first[x + 1]; j++) {
			int y = net->to[j];

			m->cost[j] = net->len[j];
			if (m->edge[j] == SHUT)
				m->cost[j] +=
				    speed *
				    (float)fmax(m->lasts[x], m->lasts[y]) *
				    (m->shut[x] || m->shut[y] ? 0.5f : 1);
		}
	}
}

/* Distances of all nodes from one, or INFINITY if there is none. */
static void
find_dist(const struct pb_safe_floor *f, const struct pb_safe_marks *m,
    int from, float *dist)
{
	const struct pb_safe_net *net = f->field->net;

	for (int x = 0; x < net->n; x++)
		dist[x] = x == from ? 0 : INFINITY;
	pb_safe_net_distances(net, m->cost, INFINITY, m->line, dist);
}

/*
 * Whether navigation takes a pellet for reached from p, though what is on it is
 * closed: its path may end short of its goal, and the robot short of that.
 */
static bool
can_take(const struct pb_safe_floor *f, const struct pb_safe_marks *m,
    const struct pb_view *v, struct pb_vec p, int pellet)
{
	const struct pb_arena *a = v->arena;
	struct pb_vec q = pb_arena_centre(a, a->cell[pellet]);
	double res = a->map.resolution, d = pb_dist(p, q);
	int n = (int)(2 * d / res) + 1;

	if (!v->opts->collect_on_arrival)
		return pb_dist(p, a->at[pellet]) < 0.8 * v->opts->pickup_radius;
	if (d > v->opts->plan_tol + v->opts->goal_tol / 2 ||
	    !pb_safe_net_sees(f->field->net, p, q))
		return false;
	for (int i = 0; i <= n; i++) {
		struct pb_vec at = pb_segment_at(p, q, (double)i / n);
		int cell = pb_arena_cell(a, at);

		if (cell >= 0 && m->cell[cell] == CLOSED)
			return pb_dist(at, q) < v->opts->plan_tol - 2 * res;
	}
	return true;
}

/* The node from which to take a pellet, nearest to the robot; -1: none now. */
static int
find_stand(const struct pb_safe_floor *f, const struct pb_safe_marks *m,
    const struct pb_view *v, const float *dist, int pellet)
{
	int own = f->tour->node[pellet], best = own;
	double least = INFINITY;

	if (v->t < m->later[pellet])
		return -1;
	if (own < 0 || m->cell[v->arena->cell[pellet]] == OPEN)
		return own;
	for (int x = 0; x < f->field->net->n; x++) {
		double d = dist[x] + pb_dist(m->at[x], v->arena->at[pellet]);

		if (m->shut[x] || d >= least ||
		    !can_take(f, m, v, m->at[x], pellet))
			continue;
		least = d;
		best = x;
	}
	return best;
}

bool
pb_safe_marks_tour(const struct pb_safe_floor *f, const struct pb_safe_marks *m,
    const struct pb_view *v, struct pb_vec p)
{
	size_t n, pellets;

	if (m->now == NULL || !m->now->any ||
	    v->t < m->now->tour_t +
		       (m->now->t > m->now->tour_t ? TOUR_SOON : TOUR_LATE))
		return false;
	n = (size_t)f->field->net->n;
	pellets = (size_t)f->tour->n;
	m->now->tour_t = v->t;
	fill_costs(f, m);
	find_dist(f, m, pb_safe_net_at(f->field->net, p), m->dist);
	for (size_t i = 0; i < pellets; i++) {
		if (!v->left[i])
			continue;
		m->node[i] = find_stand(f, m, v, m->dist, (int)i);
		if (m->node[i] >= 0)
			find_dist(f, m, m->node[i], &m->reach[i * n]);
	}
	for (size_t i = 0; i < pellets; i++)
		for (size_t j = 0; j < pellets; j++)
			if (v->left[i] && v->left[j])
				m->apart[i * pellets + j] =
				    m->node[j] < 0
					? INFINITY
					: m->reach[i * n + (size_t)m->node[j]];
	return true;
}

void
pb_safe_marks_put_off(const struct pb_safe_marks *m, int i, double t)
{
	m->wait[i] = m->wait[i] > 0 ? 2 * m->wait[i] : PUT_OFF;
	m->later[i] = t + m->wait[i];
	m->now->tour_t = -INFINITY;
}

struct pb_safe_net
pb_safe_marks_net(const struct pb_safe_floor *f, const struct pb_safe_marks *m)
{
	struct pb_safe_net net = *f->field->net;

	net.at = m->at;
	net.marked = m->cell;
	net.shut = m->shut;
	return net;
}

struct pb_tour
pb_safe_marks_apply(
    const struct pb_safe_floor *f, const struct pb_safe_marks *m)
{
	struct pb_tour t = *f->tour;

	t.node = m->node;
	t.reach = m->reach;
	t.apart = m->apart;
	return t;
}
