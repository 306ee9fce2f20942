/*
 * roadmap.c - where the robot can drive: a graph of places, what the lidar
 * closes on it, and tours of the pellets.
 */
#include "policy/roadmap.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* Length of a diagonal move (cells). */
#define DIAGONAL 1.4142135f

/* Most neighbours of a node: the 24 blocks around it. */
enum { TOUCH = 24 };

static bool
is_marked(const struct pb_roadmap *r, int cell)
{
	return cell >= 0 && r->marked != NULL && r->marked[cell];
}

bool
pb_roadmap_can_drive(
    const struct pb_roadmap *r, struct pb_vec a, struct pb_vec b)
{
	int n = (int)(pb_dist(a, b) / (r->arena->map.resolution / 3)) + 1;
	bool in = true;

	for (int i = 0; i <= n; i++) {
		int cell =
		    pb_arena_cell(r->arena, pb_segment_at(a, b, (double)i / n));

		if (cell < 0 || !pb_grid_free(&r->arena->hard, cell) ||
		    (!in && is_marked(r, cell)))
			return false;
		in = in && is_marked(r, cell);
	}
	return !in;
}

/*
 * Pick the free cell of each block with the largest clearance, -1: the block
 * has none. Blocks count from the corner of the whole map. Returns the number
 * of picked cells.
 */
static int
pick_clearest_cells(const struct pb_roadmap *r, int *pick, int blocks)
{
	const struct pb_arena *a = r->arena;
	const struct pb_map *m = &a->map;
	int cols = (m->left + m->width + r->side - 1) / r->side, n = 0;

	for (int b = 0; b < blocks; b++)
		pick[b] = -1;
	for (int i = 0; i < m->width * m->height; i++) {
		int b = (m->below + i / m->width) / r->side * cols +
		        (m->left + i % m->width) / r->side;

		if (!pb_grid_free(&a->hard, i))
			continue;
		n += pick[b] < 0;
		if (pick[b] < 0 || a->edt.d2[i] > a->edt.d2[pick[b]])
			pick[b] = i;
	}
	return n;
}

/*
 * Assign each cell to the node from which a flood fill reaches it first.
 *
 * Given    queue  room for all cells; its first cells are the nodes'
 * Returns  far    by cell: path length to its node (cells)
 */
static void
find_owners(struct pb_roadmap *r, int *queue, float *far)
{
	const struct pb_grid *g = &r->arena->hard;
	int tail = r->graph.n;

	for (int i = 0; i < g->width * g->height; i++)
		r->owner[i] = -1;
	for (int x = 0; x < tail; x++)
		r->owner[queue[x]] = (int16_t)x;
	for (int head = 0; head < tail; head++) {
		int i = queue[head];

		for (int j = 0; j < PB_MOVES; j++) {
			int to = i + pb_move_row(j) * g->width + pb_move_col(j);

			if (!(g->move[i] >> j & 1) || r->owner[to] >= 0)
				continue;
			r->owner[to] = r->owner[i];
			far[to] = far[i] + (j < 4 ? 1 : DIAGONAL);
			queue[tail++] = to;
		}
	}
}

/*
 * Add an edge from a to b; `len` is its length if it cannot be straight; of
 * several the shortest counts. first[a + 1] counts the edges of a, which have
 * TOUCH places.
 */
static void
add_edge(struct pb_roadmap *r, int a, int b, float len)
{
	int *edges = &r->graph.first[a + 1], j = a * TOUCH;
	int end = j + *edges;

	while (j < end && r->graph.to[j] != b)
		j++;
	if (j == end) {
		if (*edges == TOUCH)
			return;
		++*edges;
		r->graph.to[j] = b;
		r->len[j] = pb_roadmap_can_drive(r, r->at[a], r->at[b])
		                ? (float)pb_dist(r->at[a], r->at[b])
		                : len;
	}
	r->len[j] = pb_lesser(r->len[j], len);
}

/* Join nodes whose cells touch, then compact the list of edges. */
static void
join_nodes(struct pb_roadmap *r, const float *far)
{
	const struct pb_grid *g = &r->arena->hard;
	float size = (float)r->arena->map.resolution;
	int *first = r->graph.first, n = 0;

	for (int i = 0; i < g->width * g->height; i++) {
		for (int j = 0; g->move[i] != 0 && j < PB_MOVES; j++) {
			int to = i + pb_move_row(j) * g->width + pb_move_col(j);

			if ((g->move[i] >> j & 1) &&
			    r->owner[i] != r->owner[to])
				add_edge(r, r->owner[i], r->owner[to],
				    size * (far[i] + far[to] +
					       (j < 4 ? 1 : DIAGONAL)));
		}
	}
	for (int x = 0; x < r->graph.n; x++) {
		int end = x * TOUCH + first[x + 1];

		for (int j = x * TOUCH; j < end; j++, n++) {
			r->graph.to[n] = r->graph.to[j];
			r->len[n] = r->len[j];
		}
		first[x + 1] = n;
	}
}

enum pb_status
pb_roadmap_init(struct pb_roadmap *r, const struct pb_arena *a, double side,
    int most, struct pb_pool *pool, struct pb_pool *cell_pool)
{
	const struct pb_map *m = &a->map;
	size_t cells = pb_map_cells(m), n;
	size_t blocks =
	    (size_t)(m->left + m->width) * (size_t)(m->below + m->height);
	struct pb_pool own = {.failed = false};
	int *pick = pb_pool_get(&own, blocks, sizeof(*pick));
	int *queue = pb_pool_get(&own, cells, sizeof(*queue)), nodes = 0;
	float *far = pb_pool_get(&own, cells, sizeof(*far));

	*r = (struct pb_roadmap){
	    .arena = a, .side = (int)fmax(side / m->resolution + 0.5, 1)};
	if (!own.failed)
		while ((r->graph.n = pick_clearest_cells(
			    r, pick, (int)blocks)) > most)
			r->side++;
	n = (size_t)r->graph.n;
	r->at = pb_pool_get(pool, n, sizeof(*r->at));
	r->graph.first = pb_pool_get(pool, n + 1, sizeof(int));
	r->graph.to = pb_pool_get(pool, n, TOUCH * sizeof(int));
	r->len = pb_pool_get(pool, n, TOUCH * sizeof(*r->len));
	r->owner = pb_pool_get(cell_pool, cells, sizeof(*r->owner));
	pool->failed |= cell_pool->failed;
	if (!own.failed && !pool->failed) {
		for (size_t b = 0; b < blocks; b++) {
			if (pick[b] < 0)
				continue;
			queue[nodes] = pick[b];
			r->at[nodes++] = pb_arena_centre(a, pick[b]);
		}
		find_owners(r, queue, far);
		join_nodes(r, far);
	}
	pool->failed |= own.failed;
	pb_pool_clear(&own);
	return pool->failed ? PB_ENOMEM : PB_OK;
}

int
pb_roadmap_node_at(const struct pb_roadmap *r, struct pb_vec p)
{
	int i = pb_arena_cell(r->arena, p), best = -1;
	double near = INFINITY;

	if (i >= 0 && r->owner[i] >= 0)
		return r->owner[i];
	/* An estimate may lie in a wall: then the nearest node. */
	for (int j = 0; j < r->graph.n; j++) {
		double d = pb_dist(r->at[j], p);

		if (d < near) {
			near = d;
			best = j;
		}
	}
	return best;
}

/* Shortest path lengths from a node (-1: none) to all nodes. */
static void
measure_from(const struct pb_roadmap *r, const float *cost, int from,
    void *work, float *dist)
{
	for (int x = 0; x < r->graph.n; x++)
		dist[x] = x == from ? 0 : INFINITY;
	pb_graph_distances(&r->graph, cost, NULL, INFINITY, work, dist);
}

enum pb_status
pb_roadmap_measure_pellets(struct pb_roadmap *r, struct pb_pool *pool)
{
	const struct pb_arena *a = r->arena;
	size_t pellets = (size_t)a->n, n = (size_t)r->graph.n;
	void *work = pb_pool_get(pool, 1, pb_graph_bytes(r->graph.n));

	r->pellet_node = pb_pool_get(pool, pellets, sizeof(*r->pellet_node));
	r->pellet_dist =
	    pb_pool_get(pool, pellets * n, sizeof(*r->pellet_dist));
	if (pool->failed)
		return PB_ENOMEM;
	for (size_t i = 0; i < pellets; i++) {
		r->pellet_node[i] = a->cell[i] < 0 ? -1 : r->owner[a->cell[i]];
		measure_from(
		    r, r->len, r->pellet_node[i], work, &r->pellet_dist[i * n]);
	}
	return PB_OK;
}

/* A mark expires LASTS_LEAST (s) after it was last seen, later by LASTS_TIMES
 * of the time over which it was seen. */
#define LASTS_LEAST 2.0
#define LASTS_TIMES 3.0

/* Least time between two updates of the closed edges (s). */
#define MARKS_SOON 0.6

/* First postponement of a pellet (s); it doubles. */
#define POSTPONE 15.0

struct pb_marks
pb_marks_alloc(struct pb_block *b, const struct pb_roadmap *r, bool layer)
{
	struct pb_marks m = {NULL};
	size_t n, pellets, cells, edges;

	if (!layer)
		return m;
	n = (size_t)r->graph.n;
	edges = (size_t)r->graph.first[n];
	pellets = (size_t)r->arena->n;
	cells = pb_map_cells(&r->arena->map);
	m.now = pb_block_take(b, 1, sizeof(*m.now));
	m.cell = pb_block_take(b, cells, 1);
	m.shut = pb_block_take(b, n, 1);
	m.closed = pb_block_take(b, edges, 1);
	m.was = pb_block_take(b, edges, 1);
	m.lasts = pb_block_take(b, n, sizeof(*m.lasts));
	m.at = pb_block_take(b, n, sizeof(*m.at));
	m.cost = pb_block_take(b, edges, sizeof(*m.cost));
	m.pellet_node = pb_block_take(b, pellets, sizeof(*m.pellet_node));
	m.pellet_dist = pb_block_take(b, pellets * n, sizeof(*m.pellet_dist));
	m.later = pb_block_take(b, pellets, sizeof(*m.later));
	m.wait = pb_block_take(b, pellets, sizeof(*m.wait));
	m.dist = pb_block_take(b, n, sizeof(*m.dist));
	m.work = pb_block_take(b, 1, pb_graph_bytes(r->graph.n));
	return m;
}

/* Close the cells around mark k. */
static void
close_cells(const struct pb_marks *m, const struct pb_roadmap *r,
    const struct pb_view *v, const struct pb_mark *k)
{
	const struct pb_map *map = &r->arena->map;
	double far = v->opts->inscribed / map->resolution + PB_MARK_CELLS;
	struct pb_cell at = pb_map_cell(map, k->at);
	int reach = (int)far + 1;
	/* Expected remaining time of the obstacle (s); <= 0: it has expired. */
	float stays = (float)(LASTS_LEAST + LASTS_TIMES * (k->t - k->since) -
			      (v->t - k->t));

	if (stays <= 0)
		return;
	for (int y = at.row - reach; y <= at.row + reach; y++) {
		for (int x = at.col - reach; x <= at.col + reach; x++) {
			int i = y * map->width + x, own;

			if (x < 0 || y < 0 || x >= map->width ||
			    y >= map->height || (own = r->owner[i]) < 0 ||
			    pb_dist(pb_arena_centre(r->arena, i), k->at) >
				far * map->resolution)
				continue;
			m->cell[i] = 1;
			m->lasts[own] = (float)fmax(m->lasts[own], stays);
		}
	}
}

/* The number of open cells around i; 0 unless i is an open cell of node x. */
static int
count_open(const struct pb_marks *m, const struct pb_roadmap *r, int x, int i)
{
	int w = r->arena->map.width, h = r->arena->map.height, n = 0;
	int col = i % w, row = i / w;

	if (r->owner[i] != x || m->cell[i])
		return 0;
	for (int b = row - 2; b <= row + 2; b++)
		for (int a = col - 2; a <= col + 2; a++)
			n += a >= 0 && b >= 0 && a < w && b < h &&
			     r->owner[b * w + a] >= 0 && !m->cell[b * w + a];
	return n;
}

/*
 * Move node x to its open cell with the largest clearance, or shut it. A line
 * of marks closes a strip wider than a block, so the open cells lie on one side
 * of it.
 */
static void
move_node(const struct pb_marks *m, const struct pb_roadmap *r, int x)
{
	const struct pb_map *map = &r->arena->map;
	struct pb_cell at = pb_map_cell(map, r->at[x]);
	int far = 2 * r->side, most = 0;

	m->at[x] = r->at[x];
	m->shut[x] = 0;
	if (!m->cell[at.row * map->width + at.col])
		return;
	for (int b = at.row - far; b <= at.row + far; b++) {
		for (int a = at.col - far; a <= at.col + far; a++) {
			int i = b * map->width + a, n;

			if (a < 0 || b < 0 || a >= map->width ||
			    b >= map->height ||
			    (n = count_open(m, r, x, i)) <= most)
				continue;
			most = n;
			m->at[x] = pb_arena_centre(r->arena, i);
		}
	}
	m->shut[x] = most == 0;
}

/* Whether the straight line from a to b leads through a closed cell. */
static bool
is_crossed(const struct pb_marks *m, const struct pb_arena *arena,
    struct pb_vec a, struct pb_vec b)
{
	int n = (int)(pb_dist(a, b) / (arena->map.resolution / 2)) + 1;

	for (int i = 0; i <= n; i++) {
		int cell =
		    pb_arena_cell(arena, pb_segment_at(a, b, (double)i / n));

		if (cell >= 0 && m->cell[cell])
			return true;
	}
	return false;
}

/* Close edge j from x to y if a mark blocks it, and compute its cost: the
 * expected time until it opens. A shut node is on two edges. */
static void
close_edge(const struct pb_marks *m, const struct pb_roadmap *r, double speed,
    int x, int j)
{
	int y = r->graph.to[j];
	float lasts = (float)fmax(m->lasts[x], m->lasts[y]);
	bool shut = m->shut[x] || m->shut[y];

	m->closed[j] =
	    lasts > 0 && (shut || is_crossed(m, r->arena, m->at[x], m->at[y]));
	m->cost[j] = r->len[j];
	if (m->closed[j])
		m->cost[j] += (float)speed * lasts * (shut ? 0.5f : 1);
}

/* Whether the goal checker accepts p for a pellet whose cell is closed: a path
 * may end short of its goal, and the robot short of the path's end. */
static bool
can_collect(const struct pb_marks *m, const struct pb_roadmap *r,
    const struct pb_view *v, struct pb_vec p, int pellet)
{
	const struct pb_arena *a = r->arena;
	struct pb_vec q = pb_arena_centre(a, a->cell[pellet]);
	double res = a->map.resolution, d = pb_dist(p, q);
	int n = (int)(2 * d / res) + 1;

	if (!v->opts->collect_on_arrival)
		return pb_dist(p, a->at[pellet]) < 0.8 * v->opts->pickup_radius;
	if (d > v->opts->plan_tol + v->opts->goal_tol / 2 ||
	    !pb_roadmap_can_drive(r, p, q))
		return false;
	for (int i = 0; i <= n; i++) {
		struct pb_vec at = pb_segment_at(p, q, (double)i / n);
		int cell = pb_arena_cell(a, at);

		if (cell >= 0 && m->cell[cell])
			return pb_dist(at, q) < v->opts->plan_tol - 2 * res;
	}
	return true;
}

/* The node from which to take a pellet, nearest by m->dist; -1: none now. */
static int
find_pellet_node(const struct pb_marks *m, const struct pb_roadmap *r,
    const struct pb_view *v, int pellet)
{
	int best = r->pellet_node[pellet];
	double least = INFINITY;

	if (v->t < m->later[pellet])
		return -1;
	if (best < 0 || !m->cell[r->arena->cell[pellet]])
		return best;
	for (int x = 0; x < r->graph.n; x++) {
		double d = m->dist[x] + pb_dist(m->at[x], r->arena->at[pellet]);

		if (m->shut[x] || d >= least ||
		    !can_collect(m, r, v, m->at[x], pellet))
			continue;
		least = d;
		best = x;
	}
	return best;
}

bool
pb_marks_update(const struct pb_marks *m, const struct pb_roadmap *r,
    const struct pb_view *v, struct pb_vec p, bool *changed)
{
	size_t n = (size_t)r->graph.n, edges;
	double speed = v->opts->v_max;

	if (m->now == NULL || (v->marks == 0 && !m->now->any) ||
	    (m->now->any && v->t < m->now->t + MARKS_SOON))
		return false;
	edges = (size_t)r->graph.first[n];
	memcpy(m->was, m->closed, edges);
	memset(m->cell, 0, pb_map_cells(&r->arena->map));
	memset(m->lasts, 0, n * sizeof(*m->lasts));
	for (int i = 0; i < v->marks; i++)
		close_cells(m, r, v, &v->mark[i]);
	for (int x = 0; x < r->graph.n; x++)
		move_node(m, r, x);
	for (int x = 0; x < r->graph.n; x++)
		for (int j = r->graph.first[x]; j < r->graph.first[x + 1]; j++)
			close_edge(m, r, speed, x, j);
	*changed |= memcmp(m->was, m->closed, edges) != 0;
	*m->now = (struct pb_marks_now){.any = true, .t = v->t};
	measure_from(r, m->cost, pb_roadmap_node_at(r, p), m->work, m->dist);
	for (int i = 0; i < v->pellets; i++) {
		if (!v->left[i])
			continue;
		m->pellet_node[i] = find_pellet_node(m, r, v, i);
		measure_from(r, m->cost, m->pellet_node[i], m->work,
		    &m->pellet_dist[(size_t)i * n]);
	}
	return true;
}

void
pb_marks_postpone(const struct pb_marks *m, int i, double t)
{
	m->wait[i] = m->wait[i] > 0 ? 2 * m->wait[i] : POSTPONE;
	m->later[i] = t + m->wait[i];
	m->now->t = -INFINITY;
}

struct pb_roadmap
pb_marks_apply(const struct pb_marks *m, const struct pb_roadmap *r)
{
	struct pb_roadmap now = *r;

	if (m->now == NULL || !m->now->any)
		return now;
	now.at = m->at;
	now.pellet_node = m->pellet_node;
	now.pellet_dist = m->pellet_dist;
	now.marked = m->cell;
	now.shut = m->shut;
	now.closed = m->closed;
	return now;
}

/* Up to this many pellets the shortest tour is computed: time doubles with
 * each. */
enum { EXACT_MOST = 10 };

/* Up to this many pellets 2-opt improves tours: time is cubic. */
enum { IMPROVE_MOST = 40 };

/* Path length of the unreachable (m). */
#define NO_WAY 1e4f

/* Time to collect a pellet beside driving to it (s). Chosen by hand, not
 * measured. */
#define FETCH_TIME 0.7

/* Length of each pellet's list of neighbours. */
enum { NEAR = 16 };

/* Pellets of a tour; a place is an index into `left`. */
struct places {
	const struct pb_roadmap *r;
	int n;
	int *left;  /* by place: number of its pellet */
	int *near;  /* by place, NEAR of them: its nearest neighbours, nearest
	               first; -1: there are no more */
	int *index; /* by place: position in the tour */
};

/* Path length from place a to place b (m). */
static float
path_length(const struct places *p, int a, int b)
{
	size_t row = (size_t)p->left[a] * (size_t)p->r->graph.n;

	return pb_lesser(
	    p->r->pellet_dist[row + (size_t)p->r->pellet_node[p->left[b]]],
	    NO_WAY);
}

/*
 * Lengths of the shortest open tours (Held and Karp, "A dynamic programming
 * approach to sequencing problems", 1962). best[set * n + k] is the shortest
 * path from k through all of set, k not in it.
 */
static void
find_shortest(const struct places *p, float *best, float *rest)
{
	int n = p->n, all = (1 << n) - 1;
	float d[EXACT_MOST * EXACT_MOST];

	for (int i = 0; i < n * n; i++)
		d[i] = path_length(p, i / n, i % n);
	for (int set = 0; set <= all; set++) {
		for (int k = 0; k < n; k++) {
			float least = set == 0 ? 0 : INFINITY;

			for (int j = 0; !(set >> k & 1) && j < n; j++)
				if (set >> j & 1)
					least = pb_lesser(
					    d[k * n + j] +
						best[(set & ~(1 << j)) * n + j],
					    least);
			best[set * n + k] = least;
		}
	}
	for (int k = 0; k < n; k++)
		rest[k] = best[(all & ~(1 << k)) * n + k];
}

/* List the nearest neighbours of each place; of equally near ones the lower
 * number comes first. */
static void
list_near(const struct places *p)
{
	for (int i = 0; i < p->n; i++) {
		int *list = &p->near[i * NEAR], n = 0;
		float d[NEAR];

		for (int j = 0; j < p->n; j++) {
			float far = path_length(p, i, j);
			int k = n < NEAR ? n : NEAR - 1;

			if (j == i || (n == NEAR && far >= d[k]))
				continue;
			for (; k > 0 && far < d[k - 1]; k--) {
				d[k] = d[k - 1];
				list[k] = list[k - 1];
			}
			d[k] = far;
			list[k] = j;
			n += n < NEAR;
		}
		while (n < NEAR)
			list[n++] = -1;
	}
}

/* The index in the tour, from i on, of the place nearest to place i - 1. */
static int
find_next(const struct places *p, const int *tour, int i)
{
	const int *near = &p->near[tour[i - 1] * NEAR];
	int best = i;

	for (int j = 0; j < NEAR && near[j] >= 0; j++)
		if (p->index[near[j]] >= i)
			return p->index[near[j]];
	for (int j = i + 1; j < p->n; j++)
		if (path_length(p, tour[i - 1], tour[j]) <
		    path_length(p, tour[i - 1], tour[best]))
			best = j;
	return best;
}

static void
swap_places(const struct places *p, int *tour, int i, int j)
{
	int x = tour[i];

	tour[i] = tour[j];
	tour[j] = x;
	p->index[tour[i]] = i;
	p->index[x] = j;
}

/* 2-opt: reverse stretches of the open tour where that shortens it. Returns
 * whether one was reversed. */
static bool
reverse_stretches(const struct places *p, int *tour)
{
	bool better = false;

	for (int i = 1; i + 1 < p->n; i++) {
		for (int j = i + 1; j < p->n; j++) {
			float gain = path_length(p, tour[i - 1], tour[i]) -
			             path_length(p, tour[i - 1], tour[j]);

			if (j + 1 < p->n)
				gain += path_length(p, tour[j], tour[j + 1]) -
				        path_length(p, tour[i], tour[j + 1]);
			if (gain <= 1e-4f)
				continue;
			better = true;
			for (int a = i, b = j; a < b; a++, b--) {
				int t = tour[a];

				tour[a] = tour[b];
				tour[b] = t;
			}
		}
	}
	return better;
}

/* Length of a short open tour from place k (m). */
static float
find_short(const struct places *p, int *tour, int k)
{
	float sum = 0;

	for (int i = 0; i < p->n; i++)
		tour[i] = p->index[i] = i;
	swap_places(p, tour, 0, k);
	for (int i = 1; i < p->n; i++)
		swap_places(p, tour, i, find_next(p, tour, i));
	for (int i = 0; p->n <= IMPROVE_MOST && i < 2; i++)
		if (!reverse_stretches(p, tour))
			break;
	for (int i = 1; i < p->n; i++)
		sum += path_length(p, tour[i - 1], tour[i]);
	return sum;
}

struct pb_tour
pb_tour_alloc(struct pb_block *b, const struct pb_roadmap *r)
{
	size_t n = (size_t)r->graph.n, pellets = (size_t)r->arena->n;
	size_t sets = (size_t)1
	              << (pellets < EXACT_MOST ? pellets : EXACT_MOST);

	return (struct pb_tour){.rest = pb_block_take(b, n, sizeof(float)),
	    .fetch = pb_block_take(b, n, sizeof(float)),
	    .length = pb_block_take(b, pellets, sizeof(float)),
	    .left = pb_block_take(b, pellets, sizeof(int)),
	    .order = pb_block_take(b, pellets, sizeof(int)),
	    .index = pb_block_take(b, pellets, sizeof(int)),
	    .near = pb_block_take(b, pellets, NEAR * sizeof(int)),
	    .best = pb_block_take(b, sets * EXACT_MOST, sizeof(float))};
}

void
pb_tour_update(const struct pb_tour *t, const struct pb_roadmap *r,
    const unsigned char *left, double speed)
{
	struct places p = {
	    .r = r, .left = t->left, .near = t->near, .index = t->index};
	size_t nodes = (size_t)r->graph.n;

	for (int i = 0; i < r->arena->n; i++)
		if (left[i] && r->pellet_node[i] >= 0)
			p.left[p.n++] = i;
	if (p.n > 0 && p.n <= EXACT_MOST)
		find_shortest(&p, t->best, t->length);
	if (p.n > EXACT_MOST)
		list_near(&p);
	for (int k = 0; p.n > EXACT_MOST && k < p.n; k++)
		t->length[k] = find_short(&p, t->order, k);
	for (size_t x = 0; x < nodes; x++) {
		t->rest[x] = NO_WAY;
		t->fetch[x] = INFINITY;
	}
	for (int i = 0; i < p.n; i++) {
		const float *reach = &r->pellet_dist[(size_t)p.left[i] * nodes];
		float rest = (float)(t->length[i] / speed + FETCH_TIME * p.n);
		float *fetch = &t->fetch[r->pellet_node[p.left[i]]];

		*fetch = pb_lesser(*fetch, rest);
		for (size_t x = 0; x < nodes; x++)
			t->rest[x] = pb_lesser(
			    t->rest[x], rest + reach[x] / (float)speed);
	}
}
