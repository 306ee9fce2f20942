/*
 * safe_net.c - where the robot can drive: a graph, ways off walls, a round
 * trip.
 */
#include "policy/safe_net.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/elementary.h"

/*
 * The rest of the way is an open tour through all places left, each visited
 * once, ending anywhere. Up to ROUND_TRIP_EXACT places it is solved exactly
 * (Held and Karp, "A dynamic programming approach to sequencing problems",
 * 1962); beyond, every start gets a tour by the nearest neighbour rule,
 * improved by reversing stretches, two passes at most.
 */
#define ROUND_TRIP_EXACT 10

/* What cannot be reached costs this much (m). */
#define ROUND_TRIP_NONE 1e4f

/* Points of a band are this far apart at first (m). */
#define SMOOTH_STEP 0.1

/* Most nodes that touch one node: those of the 24 blocks around. */
enum { TOUCH = 24 };

/* A net being made. */
struct work {
	struct pb_edt ghost; /* distance to Clyde's cells */
	int *pick;           /* by block, two each: map cell or -1 */
	int cols;            /* blocks, from the corner of the whole map */
	int blocks;
	int *line;    /* by map cell: queue of the flood */
	float *far;   /* by map cell: driving distance to its owner (cells) */
	int *touch;   /* TOUCH a node: neighbours */
	float *reach; /* TOUCH a node: lengths (m) */
	int *touches; /* by node: how many */
	struct pb_pool pool; /* of all but ghost */
};

static bool
is_marked(const struct pb_safe_net *net, int cell)
{
	return cell >= 0 && net->marked != NULL && net->marked[cell];
}

bool
pb_safe_net_sees(
    const struct pb_safe_net *net, struct pb_vec a, struct pb_vec b)
{
	int n = (int)(pb_dist(a, b) / (net->arena->map.resolution / 3)) + 1;
	bool in = true;

	for (int i = 0; i <= n; i++) {
		int cell = pb_arena_cell(
		    net->arena, pb_segment_at(a, b, (double)i / n));

		if (cell < 0 || !net->arena->hard.free[cell] ||
		    (!in && is_marked(net, cell)))
			return false;
		in = in && is_marked(net, cell);
	}
	return !in;
}

static enum pb_status
work_init(struct work *k, const struct pb_safe_net *net)
{
	const struct pb_map *m = &net->arena->map;
	size_t n = pb_map_cells(m);

	if (pb_edt_init(&k->ghost, net->arena->clyde.grid.free, m->width,
		m->height, false) != PB_OK)
		return PB_ENOMEM;
	k->cols = (m->left + m->width + net->side - 1) / net->side;
	k->blocks =
	    k->cols * ((m->below + m->height + net->side - 1) / net->side);
	k->pick =
	    pb_pool_get(&k->pool, 2 * (size_t)k->blocks, sizeof(*k->pick));
	k->line = pb_pool_get(&k->pool, n, sizeof(*k->line));
	k->far = pb_pool_get(&k->pool, n, sizeof(*k->far));
	return k->pool.failed ? PB_ENOMEM : PB_OK;
}

/* The roomiest cell of each block, then the one farthest from Clyde's. */
static void
pick_cells(struct work *k, const struct pb_safe_net *net)
{
	const struct pb_arena *a = net->arena;
	const int32_t *room = a->edt.d2, *ghost = k->ghost.d2;
	const struct pb_map *m = &a->map;
	double safe = 0.45 / a->map.resolution;

	memset(k->pick, -1, 2 * (size_t)k->blocks * sizeof(*k->pick));
	for (int i = 0; i < m->width * m->height; i++) {
		int b = (m->below + i / m->width) / net->side * k->cols +
		        (m->left + i % m->width) / net->side;
		int *p = &k->pick[2 * b];

		if (!a->hard.free[i])
			continue;
		if (p[0] < 0 || room[i] > room[p[0]])
			p[0] = i;
		if (p[1] < 0 || ghost[i] > ghost[p[1]])
			p[1] = i;
	}
	/* A refuge counts only where the first cell is none. */
	for (int b = 0; b < k->blocks; b++) {
		int *p = &k->pick[2 * b];

		if (p[0] >= 0 &&
		    (ghost[p[1]] < safe * safe || ghost[p[0]] >= safe * safe))
			p[1] = -1;
	}
}

static enum pb_status
make_nodes(struct pb_safe_net *net, const struct work *k, struct pb_pool *pool)
{
	size_t room = 0;

	for (int b = 0; b < 2 * k->blocks; b++)
		room += k->pick[b] >= 0;
	net->cell = pb_pool_get(pool, room, sizeof(*net->cell));
	net->at = pb_pool_get(pool, room, sizeof(*net->at));
	net->first = pb_pool_get(pool, room + 1, sizeof(*net->first));
	net->owner = pb_pool_get(
	    pool, pb_map_cells(&net->arena->map), sizeof(*net->owner));
	if (pool->failed)
		return PB_ENOMEM;
	for (int b = 0; b < 2 * k->blocks; b++) {
		if (k->pick[b] < 0)
			continue;
		net->cell[net->n] = k->pick[b];
		net->at[net->n++] = pb_arena_centre(net->arena, k->pick[b]);
	}
	return PB_OK;
}

/* Give every cell to the node from which a flood reaches it first. */
static void
flood(struct pb_safe_net *net, struct work *k)
{
	const struct pb_grid *g = &net->arena->hard;
	size_t head = 0, tail = 0;

	for (size_t i = 0; i < pb_map_cells(&net->arena->map); i++)
		net->owner[i] = -1;
	for (int j = 0; j < net->n; j++) {
		net->owner[net->cell[j]] = j;
		k->far[net->cell[j]] = 0;
		k->line[tail++] = net->cell[j];
	}
	while (head < tail) {
		int i = k->line[head++];

		for (int j = 0; j < PB_MOVES; j++) {
			int to = i + pb_move_row(j) * g->width + pb_move_col(j);

			if (!(g->move[i] >> j & 1) || net->owner[to] >= 0)
				continue;
			net->owner[to] = net->owner[i];
			k->far[to] = k->far[i] + (j < 4 ? 1 : 1.4142135f);
			k->line[tail++] = to;
		}
	}
}

static void
touch(const struct pb_safe_net *net, struct work *k, int a, int b, float cells)
{
	float len = cells * (float)net->arena->map.resolution;
	float straight = (float)pb_dist(net->at[a], net->at[b]);
	int j = 0;

	while (j < k->touches[a] && k->touch[a * TOUCH + j] != b)
		j++;
	if (j == TOUCH)
		return;
	if (j == k->touches[a]) {
		k->touches[a]++;
		k->touch[a * TOUCH + j] = b;
		if (pb_safe_net_sees(net, net->at[a], net->at[b]))
			len = straight;
	} else if (k->reach[a * TOUCH + j] <= len) {
		return;
	}
	k->reach[a * TOUCH + j] = len > straight ? len : straight;
}

static void
touch_all(struct pb_safe_net *net, struct work *k)
{
	const struct pb_grid *g = &net->arena->hard;
	int cells = g->width * g->height;

	for (int i = 0; i < cells; i++) {
		for (int j = 0; g->free[i] && j < PB_MOVES; j++) {
			int to = i + pb_move_row(j) * g->width + pb_move_col(j);

			if ((g->move[i] >> j & 1) &&
			    net->owner[i] != net->owner[to])
				touch(net, k, net->owner[i], net->owner[to],
				    k->far[i] + k->far[to] +
					(j < 4 ? 1 : 1.4142135f));
		}
	}
}

static enum pb_status
join(struct pb_safe_net *net, struct work *k, struct pb_pool *pool)
{
	size_t n = (size_t)net->n;
	int edges = 0;

	k->touch = pb_pool_get(&k->pool, n, TOUCH * sizeof(*k->touch));
	k->reach = pb_pool_get(&k->pool, n, TOUCH * sizeof(*k->reach));
	k->touches = pb_pool_get(&k->pool, n, sizeof(*k->touches));
	if (k->pool.failed)
		return PB_ENOMEM;
	touch_all(net, k);
	for (int i = 0; i < net->n; i++)
		edges += k->touches[i];
	net->to = pb_pool_get(pool, (size_t)edges, sizeof(*net->to));
	net->len = pb_pool_get(pool, (size_t)edges, sizeof(*net->len));
	if (pool->failed)
		return PB_ENOMEM;
	edges = 0;
	for (int i = 0; i < net->n; i++) {
		net->first[i] = edges;
		for (int j = 0; j < k->touches[i]; j++, edges++) {
			net->to[edges] = k->touch[i * TOUCH + j];
			net->len[edges] = k->reach[i * TOUCH + j];
		}
	}
	net->first[net->n] = edges;
	return PB_OK;
}

static enum pb_status
make_net(struct pb_safe_net *net, const struct pb_arena *a, double side,
    struct pb_pool *pool)
{
	int cells = (int)(side / a->map.resolution + 0.5);
	struct work k = {0};
	enum pb_status err;

	*net = (struct pb_safe_net){.arena = a, .side = cells < 1 ? 1 : cells};
	if ((err = work_init(&k, net)) == PB_OK) {
		pick_cells(&k, net);
		err = make_nodes(net, &k, pool);
	}
	if (err == PB_OK) {
		flood(net, &k);
		err = join(net, &k, pool);
	}
	pb_edt_clear(&k.ghost);
	pb_pool_clear(&k.pool);
	return err;
}

enum pb_status
pb_safe_net_init(struct pb_safe_net *net, const struct pb_arena *a, double side,
    int most, struct pb_pool *pool)
{
	const struct pb_pool_array *before = pool->last;

	for (;; side *= 1.25) {
		enum pb_status err = make_net(net, a, side, pool);

		if (err != PB_OK || net->n <= most)
			return err;
		pb_pool_back(pool, before);
	}
}

int
pb_safe_net_at(const struct pb_safe_net *net, struct pb_vec p)
{
	int i = pb_arena_cell(net->arena, p), best = -1;
	double near = INFINITY;

	if (i >= 0 && net->owner[i] >= 0)
		return net->owner[i];
	/* An estimate may lie in a wall: the nearest node stands for it. */
	for (int j = 0; j < net->n; j++) {
		double d = pb_dist(net->at[j], p);

		if (d < near) {
			near = d;
			best = j;
		}
	}
	return best;
}

void
pb_safe_net_distances(const struct pb_safe_net *net, const float *cost,
    float most, int *line, float *dist)
{
	/* The queue holds no node twice, so that n places are enough. */
	int head = 0, count = 0, n = net->n, *queued = line + n;

	for (int x = 0; x < n; x++) {
		queued[x] = dist[x] < INFINITY;
		if (queued[x])
			line[count++] = x;
	}
	while (count > 0) {
		int x = line[head];

		head = head + 1 == n ? 0 : head + 1;
		count--;
		queued[x] = 0;
		for (int j = net->first[x]; j < net->first[x + 1]; j++) {
			int to = net->to[j];
			float d = dist[x] + cost[j];

			if (d >= dist[to] || d > most)
				continue;
			dist[to] = d;
			if (!queued[to])
				line[(head + count++) % n] = to;
			queued[to] = 1;
		}
	}
}

/* A point moves by so much at a time (m), as long as that is better. */
#define MOVE 0.05

/* Passes over all points, so that none goes farther than this many moves. */
#define SWEEPS 8

/* Lack of room counts so much more than a bend, both squared. */
#define STIFF 4.0

/* Cut the way into equal pieces. */
static int
resample(const struct pb_vec *way, int n, struct pb_vec *out, int max)
{
	int k = 0;

	out[k++] = way[0];
	for (int i = 1; i < n; i++) {
		struct pb_vec a = way[i - 1], b = way[i];
		int parts = (int)ceil(pb_dist(a, b) / SMOOTH_STEP);

		for (int j = 1; j <= parts && k < max; j++)
			out[k++] = pb_segment_at(a, b, (double)j / parts);
	}
	return k;
}

/* What is wrong with having a point at p, whose neighbours meet at mid. */
static double
strain(const struct pb_safe_net *net, struct pb_vec p, struct pb_vec mid,
    double room)
{
	const struct pb_arena *a = net->arena;
	double lack = is_marked(net, pb_arena_cell(a, p))
	                  ? room
	                  : room - pb_arena_clearance(a, p);
	double x = p.x - mid.x, y = p.y - mid.y;

	return (lack > 0 ? STIFF * lack * lack : 0) + x * x + y * y;
}

/* Move p to the best of the eight places round it, if one is better. */
static bool
relax(const struct pb_safe_net *net, struct pb_vec *p, struct pb_vec mid,
    double room)
{
	double least = strain(net, *p, mid, room) - 1e-9;
	struct pb_vec from = *p;
	bool moved = false;

	for (int i = 0; i < 9; i++) {
		struct pb_vec q = {
		    from.x + (i % 3 - 1) * MOVE, from.y + (i / 3 - 1) * MOVE};
		double s = i == 4 ? least : strain(net, q, mid, room);

		if (s < least) {
			least = s;
			*p = q;
			moved = true;
		}
	}
	return moved;
}

int
pb_path_smooth(const struct pb_safe_net *net, const struct pb_vec *way, int n,
    double room, struct pb_vec *out, int max)
{
	int k = resample(way, n, out, max);
	bool moved = true;

	for (int s = 0; s < SWEEPS && moved; s++) {
		moved = false;
		for (int i = 1; i + 1 < k; i++) {
			struct pb_vec mid = {(out[i - 1].x + out[i + 1].x) / 2,
			    (out[i - 1].y + out[i + 1].y) / 2};

			moved |= relax(net, &out[i], mid, room);
		}
	}
	return k;
}

/* Beyond this the improvement's cubic passes are left out. */
enum { IMPROVE = 40 };

size_t
pb_round_trip_bytes(int n)
{
	size_t exact = n > ROUND_TRIP_EXACT ? ROUND_TRIP_EXACT : (size_t)n;

	return ((size_t)1 << exact) * (exact + 1) * sizeof(float) +
	       2 * ((size_t)n + 1) * sizeof(int);
}

static float
way(const float *dist, int stride, const int *left, int a, int b)
{
	return pb_lesser(dist[left[a] * stride + left[b]], ROUND_TRIP_NONE);
}

/* best[set * n + k]: shortest way from k through all of set, k not in it. */
static void
exact(int n, const float *dist, int stride, const int *left, float *best,
    float *rest)
{
	int all = (1 << n) - 1;

	for (int k = 0; k < n; k++)
		best[k] = 0;
	for (int set = 1; set <= all; set++) {
		for (int k = 0; k < n; k++) {
			float least = INFINITY;

			if (set >> k & 1)
				continue;
			for (int j = 0; j < n; j++) {
				float d;

				if (!(set >> j & 1))
					continue;
				d = way(dist, stride, left, k, j) +
				    best[(set & ~(1 << j)) * n + j];
				least = pb_lesser(d, least);
			}
			best[set * n + k] = least;
		}
	}
	for (int k = 0; k < n; k++)
		rest[k] = best[(all & ~(1 << k)) * n + k];
}

static void
nearest(int n, const float *dist, int stride, const int *left, int start,
    int *tour, int *used)
{
	for (int i = 0; i < n; i++)
		used[i] = 0;
	tour[0] = start;
	used[start] = 1;
	for (int i = 1; i < n; i++) {
		int best = -1;

		for (int j = 0; j < n; j++)
			if (!used[j] &&
			    (best < 0 ||
				way(dist, stride, left, tour[i - 1], j) <
				    way(dist, stride, left, tour[i - 1], best)))
				best = j;
		tour[i] = best;
		used[best] = 1;
	}
}

/* Reverse tour[i..j] where that is shorter; the end is open. */
static bool
improve(int n, const float *dist, int stride, const int *left, int *tour)
{
	bool better = false;

	for (int i = 1; i + 1 < n; i++) {
		for (int j = i + 1; j < n; j++) {
			float was =
			    way(dist, stride, left, tour[i - 1], tour[i]);
			float now =
			    way(dist, stride, left, tour[i - 1], tour[j]);

			if (j + 1 < n) {
				was += way(
				    dist, stride, left, tour[j], tour[j + 1]);
				now += way(
				    dist, stride, left, tour[i], tour[j + 1]);
			}
			if (now >= was - 1e-4f)
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

void
pb_round_trip(int n, const float *dist, int stride, const int *left, void *work,
    float *rest)
{
	int *tour = work, *used = tour + n;

	if (n <= ROUND_TRIP_EXACT) {
		if (n > 0)
			exact(n, dist, stride, left, work, rest);
		return;
	}
	for (int k = 0; k < n; k++) {
		nearest(n, dist, stride, left, k, tour, used);
		for (int i = 0; n <= IMPROVE && i < 2; i++)
			if (!improve(n, dist, stride, left, tour))
				break;
		rest[k] = 0;
		for (int i = 1; i < n; i++)
			rest[k] +=
			    way(dist, stride, left, tour[i - 1], tour[i]);
	}
}

/* What a pellet takes beside the way to it (s). */
#define FETCH_TIME 0.7

enum pb_status
pb_tour_init(
    struct pb_tour *t, const struct pb_safe_net *net, struct pb_pool *pool)
{
	const struct pb_arena *a = net->arena;
	size_t p = (size_t)a->n, n = (size_t)net->n;
	int *line;

	*t = (struct pb_tour){.net = net, .n = a->n};
	line = pb_pool_get(pool, 2 * n, sizeof(*line));
	t->node = pb_pool_get(pool, p, sizeof(*t->node));
	t->reach = pb_pool_get(pool, p * n, sizeof(*t->reach));
	t->apart = pb_pool_get(pool, p * p, sizeof(*t->apart));
	if (pool->failed)
		return PB_ENOMEM;
	for (int i = 0; i < a->n; i++) {
		float *row = &t->reach[(size_t)i * n];

		t->node[i] = a->cell[i] < 0 ? -1 : net->owner[a->cell[i]];
		for (size_t x = 0; x < n; x++)
			row[x] = INFINITY;
		if (t->node[i] < 0)
			continue;
		row[t->node[i]] = 0;
		pb_safe_net_distances(net, net->len, INFINITY, line, row);
	}
	for (int i = 0; i < a->n; i++)
		for (int j = 0; j < a->n; j++)
			t->apart[i * a->n + j] =
			    t->node[j] < 0
				? INFINITY
				: t->reach[(size_t)i * n + (size_t)t->node[j]];
	return PB_OK;
}

struct pb_tour_lists
pb_tour_lists_in(struct pb_block *b, const struct pb_tour *t)
{
	size_t n = (size_t)t->net->n, p = (size_t)t->n;
	struct pb_tour_lists l;

	l.rest = pb_block_take(b, n, sizeof(float));
	l.fetch = pb_block_take(b, n, sizeof(float));
	l.tour = pb_block_take(b, p, sizeof(float));
	l.left = pb_block_take(b, p, sizeof(int));
	l.work = pb_block_take(b, 1, pb_round_trip_bytes(t->n));
	return l;
}

int
pb_tour_rest(const struct pb_tour *t, const unsigned char *left, double speed,
    const struct pb_tour_lists *l)
{
	int n = 0, nodes = t->net->n;

	for (int i = 0; i < t->n; i++)
		if (left[i] && t->node[i] >= 0)
			l->left[n++] = i;
	pb_round_trip(n, t->apart, t->n, l->left, l->work, l->tour);
	for (int x = 0; x < nodes; x++) {
		l->rest[x] = ROUND_TRIP_NONE;
		l->fetch[x] = INFINITY;
	}
	for (int i = 0; i < n; i++) {
		const float *reach =
		    &t->reach[(size_t)l->left[i] * (size_t)nodes];
		float rest = (float)(l->tour[i] / speed + FETCH_TIME * n);
		float *fetch = &l->fetch[t->node[l->left[i]]];

		*fetch = pb_lesser(*fetch, rest);
		for (int x = 0; x < nodes; x++)
			l->rest[x] = pb_lesser(
			    l->rest[x], rest + reach[x] / (float)speed);
	}
	return n;
}
