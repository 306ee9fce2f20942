/* safe_net.c - where the robot can drive, thinned to a graph. */
#include "policy/safe_net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
};

static float
larger(float a, float b)
{
	return a > b ? a : b;
}

static bool
in_grid(const struct pb_safe_net *net, struct pb_vec p)
{
	int i = pb_arena_cell(net->arena, p);

	return i >= 0 && net->arena->hard.free[i];
}

bool
pb_safe_net_sees(
    const struct pb_safe_net *net, struct pb_vec a, struct pb_vec b)
{
	int n = (int)(pb_dist(a, b) / (net->arena->map.resolution / 3)) + 1;

	for (int i = 0; i <= n; i++) {
		double u = (double)i / n;
		struct pb_vec p = {
		    a.x + u * (b.x - a.x), a.y + u * (b.y - a.y)};

		if (!in_grid(net, p))
			return false;
	}
	return true;
}

static bool
work_init(struct work *k, const struct pb_safe_net *net)
{
	const struct pb_map *m = &net->arena->map;
	size_t n = pb_map_cells(m);

	if (pb_edt_init(&k->ghost, m->width, m->height) != PB_OK)
		return false;
	pb_edt_run(&k->ghost, net->arena->clyde.grid.free, false);
	k->cols = (m->left + m->width + net->side - 1) / net->side;
	k->blocks =
	    k->cols * ((m->below + m->height + net->side - 1) / net->side);
	k->pick = malloc(2 * (size_t)k->blocks * sizeof(*k->pick));
	k->line = malloc(n * sizeof(*k->line));
	k->far = malloc(n * sizeof(*k->far));
	return k->pick && k->line && k->far;
}

static void
work_clear(struct work *k)
{
	pb_edt_clear(&k->ghost);
	free(k->pick);
	free(k->line);
	free(k->far);
	free(k->touch);
	free(k->reach);
	free(k->touches);
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
make_nodes(struct pb_safe_net *net, const struct work *k)
{
	size_t room = 0;

	for (int b = 0; b < 2 * k->blocks; b++)
		room += k->pick[b] >= 0;
	net->cell = malloc((room + 1) * sizeof(*net->cell));
	net->at = malloc((room + 1) * sizeof(*net->at));
	net->first = calloc(room + 1, sizeof(*net->first));
	net->owner =
	    malloc(pb_map_cells(&net->arena->map) * sizeof(*net->owner));
	if (!net->cell || !net->at || !net->first || !net->owner)
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
	k->reach[a * TOUCH + j] = larger(len, straight);
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
join(struct pb_safe_net *net, struct work *k)
{
	size_t n = (size_t)net->n + 1;
	int edges = 0;

	k->touch = malloc(n * TOUCH * sizeof(*k->touch));
	k->reach = malloc(n * TOUCH * sizeof(*k->reach));
	k->touches = calloc(n, sizeof(*k->touches));
	if (!k->touch || !k->reach || !k->touches)
		return PB_ENOMEM;
	touch_all(net, k);
	for (int i = 0; i < net->n; i++)
		edges += k->touches[i];
	net->to = malloc(((size_t)edges + 1) * sizeof(*net->to));
	net->len = malloc(((size_t)edges + 1) * sizeof(*net->len));
	if (!net->to || !net->len)
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

enum pb_status
pb_safe_net_init(struct pb_safe_net *net, const struct pb_arena *a, double side)
{
	struct pb_safe_net s = {.arena = a};
	struct work k = {0};
	enum pb_status err = PB_ENOMEM;

	s.side = (int)(side / a->map.resolution + 0.5);
	s.side = s.side < 1 ? 1 : s.side;
	if (work_init(&k, &s)) {
		pick_cells(&k, &s);
		err = make_nodes(&s, &k);
	}
	if (err == PB_OK) {
		flood(&s, &k);
		err = join(&s, &k);
	}
	work_clear(&k);
	if (err != PB_OK)
		pb_safe_net_clear(&s);
	else
		*net = s;
	return err;
}

void
pb_safe_net_clear(struct pb_safe_net *net)
{
	free(net->cell);
	free(net->at);
	free(net->first);
	free(net->to);
	free(net->len);
	free(net->owner);
	memset(net, 0, sizeof(*net));
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
pb_safe_net_dist(
    const struct pb_safe_net *net, int from, int *line, float *dist)
{
	/* Label-correcting: a queue that holds no node twice, which small
	 * nets without bad orders settle in about one pass. */
	int head = 0, count = 0;

	for (int i = 0; i < net->n; i++)
		dist[i] = INFINITY;
	dist[from] = 0;
	line[count++] = from;
	while (count > 0) {
		int i = line[head];

		head = (head + 1) % net->n;
		count--;
		for (int j = net->first[i]; j < net->first[i + 1]; j++) {
			int to = net->to[j], k;
			float d = dist[i] + net->len[j];

			if (d >= dist[to])
				continue;
			dist[to] = d;
			for (k = 0; k < count; k++)
				if (line[(head + k) % net->n] == to)
					break;
			if (k == count)
				line[(head + count++) % net->n] = to;
		}
	}
}
