/* clyde_twin.c - Clyde against a slow and literal retelling, and pinned. */

#include "check.h"

#include "base/hash.h"
#include "clyde_maps.h"

/*
 * The slow twin: the published node in plain words, with lists for heaps and
 * image coordinates throughout (x to the right, y down).
 */
#define SIDE 24
struct twin {
	const struct pb_map *m;
	bool safe[SIDE][SIDE]; /* [y][x] */
	int cx[SIDE * SIDE], cy[SIDE * SIDE], cells;
	int px[SIDE * SIDE], py[SIDE * SIDE], steps, next;
	double x, y;
	struct pb_rng r;
};

struct entry {
	double f;
	int x, y;
};

static double
twin_wx(const struct twin *t, int x)
{
	return x * t->m->resolution + t->m->origin.x;
}

static double
twin_wy(const struct twin *t, int y)
{
	return (t->m->height - y) * t->m->resolution + t->m->origin.y;
}

/* Take the least (f, x, y) off the list. */
static struct entry
pop(struct entry *heap, int *n)
{
	int b = 0;
	struct entry e;

	for (int i = 1; i < *n; i++) {
		const struct entry *p = &heap[i], *q = &heap[b];

		if (p->f != q->f   ? p->f < q->f
		    : p->x != q->x ? p->x < q->x
				   : p->y < q->y)
			b = i;
	}
	e = heap[b];
	heap[b] = heap[--*n];
	return e;
}

static bool
twin_free(const struct twin *t, int x, int y)
{
	return x >= 0 && y >= 0 && x < t->m->width && y < t->m->height &&
	       t->safe[y][x];
}

static bool
twin_path(struct twin *t, int sx, int sy, int gx, int gy)
{
	static const int dx[] = {1, -1, 0, 0, 1, -1, 1, -1};
	static const int dy[] = {0, 0, 1, -1, 1, 1, -1, -1};
	static struct entry heap[SIDE * SIDE * 64];
	double g[SIDE][SIDE];
	int from[SIDE][SIDE], n = 0, x = -1, y = -1;

	memset(from, -1, sizeof(from));
	for (int i = 0; i < SIDE * SIDE; i++)
		g[i / SIDE][i % SIDE] = INFINITY;
	g[sy][sx] = 0;
	heap[n++] = (struct entry){0, sx, sy};
	while (n > 0) {
		struct entry e = pop(heap, &n);

		x = e.x;
		y = e.y;
		if (x == gx && y == gy)
			break;
		for (int k = 0; k < 8; k++) {
			int u = x + dx[k], v = y + dy[k];
			double c = g[y][x] + (k < 4 ? 1 : sqrt(2));

			if (!twin_free(t, u, v) ||
			    !twin_free(t, x + dx[k], y) ||
			    !twin_free(t, x, y + dy[k]) || c >= g[v][u])
				continue;
			g[v][u] = c;
			from[v][u] = k;
			heap[n++] = (struct entry){
			    c + sqrt((u - gx) * (u - gx) + (v - gy) * (v - gy)),
			    u, v};
		}
	}
	if (x != gx || y != gy)
		return false;
	t->next = 0;
	for (t->steps = 0;; t->steps++) {
		int k = from[y][x];

		memmove(t->px + 1, t->px, t->steps * sizeof(t->px[0]));
		memmove(t->py + 1, t->py, t->steps * sizeof(t->py[0]));
		t->px[0] = x;
		t->py[0] = y;
		if (x == sx && y == sy)
			break;
		x -= dx[k];
		y -= dy[k];
	}
	t->steps++;
	return true;
}

static void
twin_pick(struct twin *t)
{
	int x = (int)nearbyint((t->x - t->m->origin.x) / t->m->resolution);
	int y = (int)nearbyint(
	    t->m->height - (t->y - t->m->origin.y) / t->m->resolution);

	t->steps = t->next = 0;
	for (int i = 0; i < 20; i++) {
		uint32_t k = pb_rng_below(&t->r, (uint32_t)t->cells);

		if (t->cx[k] == x && t->cy[k] == y)
			continue;
		if (twin_path(t, x, y, t->cx[k], t->cy[k]))
			return;
	}
}

static void
twin_begin(struct twin *t, const struct pb_map *m, uint64_t seed)
{
	uint32_t k;

	*t = (struct twin){.m = m, .r = stream(seed)};
	for (int y = 0; y < m->height; y++)
		for (int x = 0; x < m->width; x++) {
			t->safe[y][x] = slow_safe(m, x, m->height - 1 - y, 1);
			if (!t->safe[y][x])
				continue;
			t->cx[t->cells] = x;
			t->cy[t->cells++] = y;
		}
	k = pb_rng_below(&t->r, (uint32_t)t->cells);
	t->x = twin_wx(t, t->cx[k]);
	t->y = twin_wy(t, t->cy[k]);
	twin_pick(t);
}

static void
twin_tick(struct twin *t, double left)
{
	if (t->next >= t->steps) {
		twin_pick(t);
		return;
	}
	while (left > 0 && t->next < t->steps) {
		double dx = twin_wx(t, t->px[t->next]) - t->x;
		double dy = twin_wy(t, t->py[t->next]) - t->y;
		double d = sqrt(dx * dx + dy * dy), s = left < d ? left : d;

		if (d <= 1e-9) {
			t->next++;
			continue;
		}
		t->x += dx * s / d;
		t->y += dy * s / d;
		left -= s;
		if (s == d)
			t->next++;
	}
	if (t->next >= t->steps)
		twin_pick(t);
}

test(twin_agrees)
{
	struct pb_clyde_opts o = slim();
	static struct twin t;
	struct pb_rng r = stream(77);

	for (int trial = 0; trial < 30; trial++) {
		struct pb_clyde_world w;
		struct pb_clyde c;
		struct pb_map m;
		/* Not a whole number of cells a tick: see the walk. */
		double v = pb_rng_between(&r, 0.1, 0.9);

		scatter(&m, SIDE, SIDE - 4, 22, &r);
		if (pb_clyde_world_init(&w, &m, &o) != PB_OK) {
			pb_map_clear(&m);
			continue;
		}
		check_int(pb_clyde_init(&c, &w, &o), PB_OK);
		pb_clyde_start(&c, stream(trial));
		pb_clyde_state(&c, "running");
		pb_clyde_speed(&c, v);
		twin_begin(&t, &m, trial);
		for (int i = 0; i < 300; i++) {
			check_near(c.at.x, t.x, 1e-9);
			check_near(c.at.y, t.y, 1e-9);
			pb_clyde_tick(&c);
			twin_tick(&t, v * 0.2);
		}
		pb_clyde_clear(&c);
		pb_clyde_world_clear(&w);
		pb_map_clear(&m);
	}
}

/* Changing the draws, the path or the walk changes this; so would a compiler.
 */
test(long_walk_is_pinned)
{
	struct pb_clyde_opts o = slim();
	struct pb_clyde_world w;
	struct pb_clyde c;
	struct pb_map m;
	struct pb_rng r = stream(11);

	scatter(&m, 60, 50, 70, &r);
	o.spawn = PB_CLYDE_MAIN;
	check_int(pb_clyde_world_init(&w, &m, &o), PB_OK);
	check_int(pb_clyde_init(&c, &w, &o), PB_OK);
	pb_clyde_start(&c, stream(11));
	pb_clyde_state(&c, "running");
	for (int i = 0; i < 50000; i++)
		pb_clyde_tick(&c);
	check(pb_clyde_hash(PB_HASH_START, &c) == UINT64_C(0x60856fd47bcb2061));
	pb_clyde_clear(&c);
	pb_clyde_world_clear(&w);
	pb_map_clear(&m);
}
