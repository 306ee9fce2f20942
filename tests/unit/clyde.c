/*
 * clyde.c - tests of the published ghost, also against a slow and literal
 * retelling, and pinned.
 */
#include "check.h"

#include "base/hash.h"
#include "pb/clyde.h"

/* A map of 0.05 m cells from picture rows: '.' free, '#' not. */
static void
draw(struct pb_map *m, const char *const *row, int n)
{
	int width = (int)strlen(row[0]);

	check_int(
	    pb_map_init(m, width, n, 0.05, (struct pb_pose){-1, 2, 0}), PB_OK);
	for (int v = 0; v < n; v++)
		for (int u = 0; u < width; u++)
			m->cell[(n - 1 - v) * width + u] =
			    row[v][u] == '.' ? 0 : 100;
}

/* Open floor with random blocks on it. */
static void
scatter(struct pb_map *m, int width, int height, int blocks, struct pb_rng *r)
{
	check_int(
	    pb_map_init(m, width, height, 0.05, (struct pb_pose){0.3, -0.7, 0}),
	    PB_OK);
	memset(m->cell, 0, pb_map_cells(m));
	for (int i = 0; i < blocks; i++)
		m->cell[pb_rng_below(r, (uint32_t)pb_map_cells(m))] = 100;
}

/* Clearance of one cell, so that small maps have room. */
static struct pb_clyde_opts
slim(void)
{
	struct pb_clyde_opts o = pb_clyde_defaults();

	o.clearance = 0.05;
	return o;
}

static struct pb_rng
stream(uint64_t seed)
{
	return draws(seed, PB_FOR_GHOST);
}

/* Every cell of the square around (u, v) is in the map and free. */
static bool
slow_safe(const struct pb_map *m, int col, int row, int c)
{
	if (col < c || col >= m->width - c || row < c || row >= m->height - c)
		return false;
	for (int dy = -c; dy <= c; dy++)
		for (int dx = -c; dx <= c; dx++)
			if (m->cell[(row + dy) * m->width + col + dx] != 0)
				return false;
	return true;
}

/* All ghosts of this file search in the same memory. */
static enum pb_status
make_ghost(struct pb_clyde *c, const struct pb_clyde_world *w,
    const struct pb_clyde_opts *o)
{
	static const struct pb_grid largest = {.width = 100, .height = 100};
	static struct pb_search *search;

	if (search == NULL && pb_search_new(&search, &largest) != PB_OK)
		return PB_ENOMEM;
	return pb_clyde_init(c, w, o, search);
}

static void
clear(struct pb_clyde *c, struct pb_clyde_world *w, struct pb_map *m)
{
	pb_clyde_clear(c);
	pb_clyde_world_clear(w);
	pb_map_clear(m);
}

/* Two rooms without a door, the left one larger. */
static const char *const two_rooms[] = {"####################",
    "#...........#......#", "#...........#......#", "#...........#......#",
    "#...........#......#", "#...........#......#", "####################"};

test(constants)
{
	struct pb_clyde_opts o = pb_clyde_defaults();
	const char *bad;

	check(o.clearance == 0.25 && o.speed == 0.25 && o.period == 0.2);
	check(o.draws == 20 && o.radius == 0.05 && o.spawn == PB_CLYDE_ANY);
	check(o.wipe_period == 1 && o.wipe_dist == 0.1 && !o.ignore_yaw);
	check(pb_clyde_wrong(&o) == NULL);
	o.speed = 0;
	bad = pb_clyde_wrong(&o);
	check(bad != NULL && strcmp(bad, "clyde-speed") == 0);
	o = pb_clyde_defaults();
	o.draws = 0;
	bad = pb_clyde_wrong(&o);
	check(bad != NULL && strcmp(bad, "clyde-draws") == 0);
	o = pb_clyde_defaults();
	o.spawn = PB_CLYDE_NEAR;
	o.near.x = NAN;
	bad = pb_clyde_wrong(&o);
	check(bad != NULL && strcmp(bad, "spawn-near") == 0);
}

test(safe_cells_in_picture_order)
{
	struct pb_clyde_world w;
	struct pb_clyde_opts o = pb_clyde_defaults();
	struct pb_map m;
	struct pb_rng r = stream(1);
	size_t n = 0, grouped = 0;

	scatter(&m, 60, 50, 12, &r);
	check_int(pb_clyde_world_init(&w, &m, &o), PB_OK);
	for (int row = m.height - 1; row >= 0; row--)
		for (int col = 0; col < m.width; col++) {
			if (!slow_safe(&m, col, row, 5))
				continue;
			check(n < w.grid.nfree);
			check_int(pb_clyde_nth(&w, -1, (uint32_t)n++),
			    row * m.width + col);
		}
	check_int((long long)n, (long long)w.grid.nfree);
	for (int p = 0; p < w.grid.nparts; p++)
		for (uint32_t i = 0; i < w.grid.size[p]; i++) {
			check_int(
			    pb_grid_part(&w.grid, pb_clyde_nth(&w, p, i)), p);
			grouped++;
		}
	check_int((long long)grouped, (long long)n);
	pb_clyde_world_clear(&w);
	pb_map_clear(&m);
}

test(no_room)
{
	static const char *const cell[] = {"...", "...", "..."};
	struct pb_clyde_world w = {.first = NULL};
	struct pb_clyde_opts o = slim();
	struct pb_clyde c;
	struct pb_map m;

	draw(&m, cell, 3);
	o.clearance = 0.1;
	check_int(pb_clyde_world_init(&w, &m, &o), PB_ENOFREE);
	check(w.map == NULL && w.run == NULL);
	/* One safe cell: he stands there and never finds a destination. */
	o.clearance = 0.05;
	check_int(pb_clyde_world_init(&w, &m, &o), PB_OK);
	check_int(make_ghost(&c, &w, &o), PB_OK);
	check_int(pb_clyde_tick(&c), 0); /* not yet anywhere */
	check_int(
	    pb_clyde_start(&c, stream(1)), PB_CLYDE_MOVED | PB_CLYDE_LOST);
	pb_clyde_state(&c, "running");
	check_int(pb_clyde_tick(&c), PB_CLYDE_LOST);
	check_near(c.at.x, -1 + 0.05, 1e-12);
	check_near(c.at.y, 2 + 0.1, 1e-12);
	pb_clyde_clear(&c);
	clear(&c, &w, &m);
}

test(spawn)
{
	struct pb_clyde_opts o = slim();
	struct pb_clyde_world w;
	struct pb_clyde c;
	struct pb_map m;
	const int trials = 2000;
	int small[3] = {0}; /* by enum pb_clyde_spawn */

	draw(&m, two_rooms, 7);
	o.near = (struct pb_vec){-1 + 15 * 0.05, 2 + 4 * 0.05};
	check_int(pb_clyde_world_init(&w, &m, &o), PB_OK);
	check_int(w.grid.nparts, 2);
	for (int k = PB_CLYDE_ANY; k <= PB_CLYDE_NEAR; k++) {
		o.spawn = k;
		check_int(make_ghost(&c, &w, &o), PB_OK);
		for (int i = 0; i < trials; i++) {
			pb_clyde_start(&c, stream(i));
			check(pb_clyde_safe(&w, c.cell));
			check(!c.running && c.placed);
			small[k] += c.cell.col > 12;
		}
		pb_clyde_clear(&c);
	}
	/* 27 cells left, 12 right: 0.308, 5 standard errors are 0.052. */
	check_near((double)small[PB_CLYDE_ANY] / trials, 12 / 39.0, 0.052);
	check_int(small[PB_CLYDE_MAIN], 0);
	check_int(small[PB_CLYDE_NEAR], trials);
	o.near.x = -1;
	check_int(make_ghost(&c, &w, &o), PB_EWALL);
	pb_clyde_world_clear(&w);
	pb_map_clear(&m);
}

test(click)
{
	struct pb_clyde_opts o = slim();
	struct pb_clyde_world w;
	struct pb_clyde c;
	struct pb_map m;
	struct pb_vec p = {-1 + 15.3 * 0.05, 2 + 4.2 * 0.05}, was;
	unsigned what = 0;

	draw(&m, two_rooms, 7);
	check_int(pb_clyde_world_init(&w, &m, &o), PB_OK);
	check_int(make_ghost(&c, &w, &o), PB_OK);
	pb_clyde_start(&c, stream(3));
	was = c.at;
	check_int(pb_clyde_click(&c, (struct pb_vec){-1, 2}, NULL), PB_EWALL);
	check_int(
	    pb_clyde_click(&c, (struct pb_vec){1e9, -1e9}, NULL), PB_EWALL);
	check_int(pb_clyde_click(&c, (struct pb_vec){NAN, 0}, NULL), PB_EVALUE);
	pb_clyde_state(&c, "running");
	check_int(pb_clyde_click(&c, p, NULL), PB_EVALUE);
	check(c.at.x == was.x && c.at.y == was.y && !c.has_chosen);
	pb_clyde_state(&c, "menu");
	check_int(pb_clyde_click(&c, p, &what), PB_OK);
	check(what == (PB_CLYDE_MOVED | PB_CLYDE_PICKED));
	/* The nearest corner: column 15, and the row below y = 4. */
	check(c.cell.col == 15 && c.cell.row == 3);
	for (int i = 0; i < 20; i++) {
		pb_clyde_reset(&c);
		check(c.cell.col == 15 && c.cell.row == 3);
	}
	p.x -= 0.05;
	pb_clyde_state(&c, "running");
	check_int(pb_clyde_move_to(&c, p, NULL), PB_OK);
	check(c.cell.col == 14 && c.chosen.col == 15);
	pb_clyde_start(&c, stream(3));
	check(!c.has_chosen && c.at.x == was.x && c.at.y == was.y);
	clear(&c, &w, &m);
}

test(state_and_speed)
{
	const char *runs[] = {"running", " Running\n", "\tRUNNING "};
	const char *stops[] = {"", "run", "runningx", "not running",
	    "running x", "returning_home", "starting"};
	struct pb_clyde c = {.speed = 0.25};

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		c.running = false;
		pb_clyde_state(&c, runs[i]);
		check(c.running);
	}
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++) {
		c.running = true;
		pb_clyde_state(&c, stops[i]);
		check(!c.running);
	}
	check_int(pb_clyde_speed(&c, 0), PB_EVALUE);
	check_int(pb_clyde_speed(&c, -1), PB_EVALUE);
	check_int(pb_clyde_speed(&c, NAN), PB_EVALUE);
	check_int(pb_clyde_speed(&c, INFINITY), PB_EVALUE);
	check(c.speed == 0.25);
	check_int(pb_clyde_speed(&c, 1e-9), PB_OK);
	check(c.speed == 1e-9);
}

/* He stands on the way between two cells, both of them his. */
static bool
on_safe_ground(const struct pb_clyde_world *w, struct pb_vec p)
{
	double u = (p.x - w->map->origin.x) / w->map->resolution;
	double v = (p.y - w->map->origin.y) / w->map->resolution - 1;
	const double e = 1e-6;

	for (int i = 0; i < 4; i++) {
		struct pb_cell c = {(int)floor(u + (i & 1 ? e : -e)) + (i & 1),
		    (int)floor(v + (i & 2 ? e : -e)) + (i >> 1)};

		/* Corners of the lattice square that he is away from. */
		if (fabs(c.col - u) >= 1 - e || fabs(c.row - v) >= 1 - e)
			continue;
		if (!pb_clyde_safe(w, c))
			return false;
	}
	return true;
}

test(walks_on_safe_ground)
{
	struct pb_clyde_opts o = slim();
	struct pb_clyde_world w;
	struct pb_clyde c;
	struct pb_map m;
	struct pb_rng r = stream(8);
	int picked = 0, moved = 0;

	scatter(&m, 50, 40, 60, &r);
	check_int(pb_clyde_world_init(&w, &m, &o), PB_OK);
	o.spawn = PB_CLYDE_MAIN;
	check_int(make_ghost(&c, &w, &o), PB_OK);
	pb_clyde_start(&c, stream(8));
	pb_clyde_state(&c, "running");
	for (int i = 0; i < 5000; i++) {
		struct pb_vec was = c.at;
		unsigned what;

		if (i % 500 == 0)
			pb_clyde_speed(&c, pb_rng_between(&r, 0.05, 2));
		what = pb_clyde_tick(&c);
		picked += (what & PB_CLYDE_PICKED) != 0;
		moved += (what & PB_CLYDE_MOVED) != 0;
		check(pb_dist(was, c.at) <= c.speed * o.period + 1e-9);
		check(on_safe_ground(&w, c.at));
		check((what & PB_CLYDE_LOST) == 0);
	}
	check(picked > 100 && moved > 4900);
	clear(&c, &w, &m);
}

/* Feed all that decides what he will do to a hash. */
static uint64_t
hash_clyde(uint64_t h, const struct pb_clyde *c)
{
	h = pb_hash_vec(pb_hash_rng(h, &c->rng), c->at);
	h = pb_hash_double(h, c->speed);
	h = pb_hash_u64(h, (uint64_t)(c->steps - c->next));
	for (size_t i = c->next; i < c->steps; i++)
		h = pb_hash_u64(h, (uint64_t)c->path[i]);
	if (c->has_chosen)
		h = pb_hash_u64(
		    h, (uint64_t)c->chosen.col << 32 | (uint64_t)c->chosen.row);
	return pb_hash_u64(
	    h, (uint64_t)(c->placed << 2 | c->has_chosen << 1 | c->running));
}

test(copy_is_a_snapshot)
{
	struct pb_clyde_opts o = slim();
	struct pb_clyde_world w;
	struct pb_clyde a, b;
	struct pb_map m;
	struct pb_rng r = stream(5);
	uint64_t h;

	scatter(&m, 40, 40, 40, &r);
	o.spawn = PB_CLYDE_MAIN;
	check_int(pb_clyde_world_init(&w, &m, &o), PB_OK);
	check_int(make_ghost(&a, &w, &o), PB_OK);
	check_int(make_ghost(&b, &w, &o), PB_OK);
	pb_clyde_start(&a, stream(5));
	pb_clyde_state(&a, "running");
	for (int i = 0; i < 33; i++)
		pb_clyde_tick(&a);
	pb_clyde_copy(&b, &a);
	h = hash_clyde(PB_HASH_START, &a);
	check(hash_clyde(PB_HASH_START, &b) == h);
	for (int i = 0; i < 500; i++) {
		pb_clyde_tick(&a);
		check(hash_clyde(PB_HASH_START, &a) != h);
	}
	for (int i = 0; i < 500; i++)
		pb_clyde_tick(&b);
	check(a.at.x == b.at.x && a.at.y == b.at.y);
	h = hash_clyde(PB_HASH_START, &a);
	check(hash_clyde(PB_HASH_START, &b) == h);
	pb_clyde_clear(&a);
	pb_clyde_clear(&b);
	pb_clyde_world_clear(&w);
	pb_map_clear(&m);
}

test(turned_map)
{
	struct pb_clyde_opts o = slim();
	struct pb_clyde_world w, flat;
	struct pb_map m;

	draw(&m, two_rooms, 7);
	m.origin.th = 0.6;
	check_int(pb_clyde_world_init(&w, &m, &o), PB_OK);
	o.ignore_yaw = true;
	check_int(pb_clyde_world_init(&flat, &m, &o), PB_OK);
	for (size_t i = 0; i < pb_map_cells(&m); i++) {
		struct pb_cell c = pb_map_cell_of(&m, i), d;
		struct pb_vec p = pb_clyde_place(&w, c), q, k;

		d = pb_clyde_cell(&w, p);
		check(d.col == c.col && d.row == c.row);
		/* Half a diagonal from the centre, whatever the yaw. */
		check_near(
		    pb_dist(p, pb_map_centre(&m, c)), 0.05 * sqrt(0.5), 1e-12);
		q = pb_clyde_place(&flat, c);
		k = pb_map_corner(&m, c);
		check(q.x == k.x && q.y == k.y);
		d = pb_clyde_cell(&flat, q);
		check(d.col == c.col && d.row == c.row);
	}
	pb_clyde_world_clear(&w);
	pb_clyde_world_clear(&flat);
	pb_map_clear(&m);
}

test(cloud)
{
	struct pb_clyde c = {.at = {3, -2}, .opts = {.radius = 0.05}};
	struct pb_vec p[PB_CLYDE_POINTS];
	double sx = 0, sy = 0;

	pb_clyde_cloud(&c, p);
	check(p[0].x == 3 && p[0].y == -2);
	for (int i = 1; i < PB_CLYDE_POINTS; i++) {
		double d = pb_dist(p[i], c.at);

		check_near(d, i < 5 ? 0.05 : 0.05 * 0.7 * sqrt(2), 1e-12);
		sx += p[i].x - 3;
		sy += p[i].y + 2;
		for (int j = 0; j < i; j++)
			check(pb_dist(p[i], p[j]) > 0.01);
	}
	check_near(sx, 0, 1e-12);
	check_near(sy, 0, 1e-12);
}

test(wipe_rule)
{
	struct pb_clyde c = {.opts = pb_clyde_defaults()};
	struct pb_clyde_wipe last = {.ever = false};
	int wipes = 0;

	check(pb_clyde_wipe_due(&c, &last, 0));
	last = (struct pb_clyde_wipe){true, 10, {0, 0}};
	check(!pb_clyde_wipe_due(&c, &last, 10.9));
	check(pb_clyde_wipe_due(&c, &last, 11));
	c.at.x = 0.1;
	check(pb_clyde_wipe_due(&c, &last, 10));
	/* Standing: once a second. At 0.25 m/s: every other tick. */
	last.ever = false;
	for (int i = 0; i < 100; i++) {
		c.at.x = i * 0.05001;
		if (!pb_clyde_wipe_due(&c, &last, i * 0.2))
			continue;
		wipes++;
		last = (struct pb_clyde_wipe){true, i * 0.2, c.at};
	}
	check_int(wipes, 50);
}

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
		check_int(make_ghost(&c, &w, &o), PB_OK);
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
		clear(&c, &w, &m);
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
	check_int(make_ghost(&c, &w, &o), PB_OK);
	pb_clyde_start(&c, stream(11));
	pb_clyde_state(&c, "running");
	for (int i = 0; i < 50000; i++)
		pb_clyde_tick(&c);
	check(hash_clyde(PB_HASH_START, &c) == UINT64_C(0x60856fd47bcb2061));
	clear(&c, &w, &m);
}
