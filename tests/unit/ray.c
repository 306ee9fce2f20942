/* ray.c - tests of rays through occupancy maps. */
#include "check.h"

#include "base/elementary.h"
#include "map/change.h"
#include "map/gen_house.h"
#include "pb/map.h"
#include "pb/ray.h"

/* What a cell is; outside the map nobody knows. */
static bool
stops(const struct pb_map *m, int col, int row, bool unknown_stops)
{
	int v = pb_map_at(m, (struct pb_cell){col, row});

	return pb_cell_occupied(v) || (unknown_stops && pb_cell_unknown(v));
}

/* The slow twin: from cell to cell. */
static double
walk(const struct pb_map *m, bool unknown_stops, struct pb_pose p, double max)
{
	struct pb_vec v = pb_vec_into(m->origin, pb_pose_vec(p));
	double x = v.x / m->resolution, y = v.y / m->resolution, t = 0;
	pb_pair d = pb_direction(p.th - m->origin.th);
	double dx = d[0], dy = d[1];
	double ix = dx == 0 ? INFINITY : 1 / dx,
	       iy = dy == 0 ? INFINITY : 1 / dy;
	int col, row;

	if (!(x >= 0 && x < m->width && y >= 0 && y < m->height))
		return 0;
	col = (int)x;
	row = (int)y;
	while (!stops(m, col, row, unknown_stops)) {
		double tx = (col + (dx >= 0) - x) * ix;
		double ty = (row + (dy >= 0) - y) * iy;

		if (t >= max / m->resolution ||
		    !pb_map_inside(m, (struct pb_cell){col, row}))
			return max;
		t = tx < ty ? tx : ty;
		if (tx < ty)
			col += dx < 0 ? -1 : 1;
		else
			row += dy < 0 ? -1 : 1;
	}
	return fmin(t * m->resolution, max);
}

/* Where a line from a enters lo..hi and leaves it, along one axis. */
static void
clip(double a, double d, double lo, double hi, double *in, double *out)
{
	double t0 = (lo - a) / d, t1 = (hi - a) / d;

	if (d == 0) {
		t0 = a > lo && a < hi ? -INFINITY : INFINITY;
		t1 = INFINITY;
	}
	*in = fmax(*in, fmin(t0, t1));
	*out = fmin(*out, fmax(t0, t1));
}

/*
 * Another one, by geometry alone: the nearest of all boxes, each made larger
 * by grow on all sides (cells).
 */
static double
nearest_box(const struct pb_map *m, bool unknown_stops, struct pb_pose p,
    double max, double grow)
{
	struct pb_vec v = pb_vec_into(m->origin, pb_pose_vec(p));
	double x = v.x / m->resolution, y = v.y / m->resolution, best = max;
	double dx = cos(p.th - m->origin.th), dy = sin(p.th - m->origin.th);

	for (int row = -1; row <= m->height; row++)
		for (int col = -1; col <= m->width; col++) {
			double in = 0, out = INFINITY;

			if (!stops(m, col, row, unknown_stops))
				continue;
			clip(x, dx, col - grow, col + 1 + grow, &in, &out);
			clip(y, dy, row - grow, row + 1 + grow, &in, &out);
			if (in < out)
				best = fmin(best, in * m->resolution);
		}
	return best;
}

static void
random_map(struct pb_rng *g, int side, double walls, struct pb_map *m)
{
	int w = 1 + (int)pb_rng_below(g, (uint32_t)side);
	int h = 1 + (int)pb_rng_below(g, (uint32_t)side);
	bool turned = pb_rng_below(g, 2) == 0;
	struct pb_pose o = {pb_rng_between(g, -9, 9), pb_rng_between(g, -9, 9),
	    turned ? pb_rng_between(g, -3, 3) : 0};

	check_int(pb_map_init(m, w, h, turned ? 0.05 : 0.25, o), PB_OK);
	for (size_t i = 0; i < pb_map_cells(m); i++)
		m->cell[i] = pb_rng_unit(g) >= walls   ? 0
		             : pb_rng_below(g, 3) == 0 ? PB_CELL_UNKNOWN
		                                       : 100;
}

/* A ray of every sort, in the frame of m. */
static struct pb_pose
random_ray(struct pb_rng *g, const struct pb_map *m)
{
	struct pb_pose p = {pb_rng_between(g, -0.1, 1.1) * m->width,
	    pb_rng_between(g, -0.1, 1.1) * m->height,
	    pb_rng_between(g, -PB_PI, PB_PI)};

	switch (pb_rng_below(g, 8)) {
	case 0: /* from an edge */
		p.x = floor(p.x);
		break;
	case 1: /* from a corner, diagonally */
		p.x = floor(p.x);
		p.y = floor(p.y);
		p.th = PB_PI / 4 * (int)pb_rng_below(g, 8);
		break;
	case 2: /* along an axis */
		p.th = PB_PI / 2 * (int)pb_rng_below(g, 4);
		break;
	case 3: /* along an edge */
		p.y = floor(p.y);
		p.th = pb_rng_below(g, 2) ? 0 : PB_PI;
		break;
	case 4: /* at a flat angle */
		p.th = PB_PI / 2 * (int)pb_rng_below(g, 4) +
		       pb_rng_between(g, -0.01, 0.01);
		break;
	}
	p.x *= m->resolution;
	p.y *= m->resolution;
	return pb_pose_compose(m->origin, p);
}

static double
random_max(struct pb_rng *g, const struct pb_map *m)
{
	static const double cells[] = {0.001, 1, 5, 30, 1e9, INFINITY};

	return cells[pb_rng_below(g, 6)] * m->resolution;
}

static void
compare(struct pb_rng *g, const struct pb_map *m, int n, bool geometry)
{
	struct pb_rays *r;

	for (int unknown = 0; unknown < 2; unknown++) {
		check_int(pb_rays_new(m, unknown, &r), PB_OK);
		for (int i = 0; i < n; i++) {
			struct pb_pose p = random_ray(g, m);
			double max = random_max(g, m), d = pb_ray(r, p, max);
			double e = 1e-7, inside = walk(m, unknown, p, 1);

			check(d == walk(m, unknown, p, max));
			if (!geometry || inside == 0)
				continue;
			check(d >= nearest_box(m, unknown, p, max, e) - e);
			check(d <= nearest_box(m, unknown, p, max, -e) + e);
		}
		pb_rays_free(r);
	}
}

test(rays_equal_a_walk)
{
	static const double walls[] = {0, 0.01, 0.1, 0.4, 1};
	struct pb_rng g = draws(1, PB_FOR_SENSOR);
	struct pb_map m;

	for (int i = 0; i < 200; i++) {
		random_map(&g, i % 2 ? 12 : 60, walls[i % 5], &m);
		compare(&g, &m, 200, m.width * m.height < 400);
		pb_map_clear(&m);
	}
}

test(rays_in_houses_equal_a_walk)
{
	struct pb_house_opts o = pb_house_defaults();
	struct pb_rng g = draws(2, PB_FOR_SENSOR);
	struct pb_map m;

	for (int i = 0; i < 4; i++) {
		o.seed = (uint64_t)i;
		check_int(pb_gen_house(&o, &m), PB_OK);
		m.origin.th = i % 2 ? 0.3 : 0;
		compare(&g, &m, 20000, false);
		pb_map_clear(&m);
	}
}

/* From its cells, a part's rays are those of the whole map. */
test(rays_of_a_part)
{
	struct pb_rng g = draws(5, PB_FOR_SENSOR);

	for (int k = 0; k < 20; k++) {
		struct pb_map m, part;
		struct pb_rays *whole, *r;
		bool unknown = k % 2;

		random_map(&g, 60, 0.1, &m);
		for (size_t i = 0; i < pb_map_cells(&m); i++) {
			struct pb_cell c = pb_map_cell_of(&m, i);

			if (abs(2 * c.col - m.width) > m.width / 2 ||
			    abs(2 * c.row - m.height) > m.height / 2)
				m.cell[i] = PB_CELL_UNKNOWN;
		}
		check_int(pb_map_part(&m, &part), PB_OK);
		check_int(pb_rays_new(&m, unknown, &whole), PB_OK);
		check_int(pb_rays_new(&part, unknown, &r), PB_OK);
		for (int i = 0; i < 2000; i++) {
			struct pb_pose p = random_ray(&g, &m);
			double max = random_max(&g, &m);

			if (pb_map_inside(
				&part, pb_map_cell(&part, pb_pose_vec(p))))
				check(
				    pb_ray(r, p, max) == pb_ray(whole, p, max));
		}
		pb_rays_free(whole);
		pb_rays_free(r);
		pb_map_clear(&part);
		pb_map_clear(&m);
	}
}

/* Nothing in the way, farther than one block reaches. */
test(rays_through_the_open)
{
	struct pb_map m;
	struct pb_rays *r;
	struct pb_pose p = {0.5, 2.5, 0};

	check_int(pb_map_init(&m, 5000, 5, 1, (struct pb_pose){0}), PB_OK);
	for (size_t i = 0; i < pb_map_cells(&m); i++)
		m.cell[i] = 0;
	check_int(pb_rays_new(&m, true, &r), PB_OK);
	check_near(pb_ray(r, p, INFINITY), 4999.5, 0);
	check_near(pb_ray(r, p, 17), 17, 0);
	pb_rays_free(r);
	check_int(pb_rays_new(&m, false, &r), PB_OK);
	check(pb_ray(r, p, INFINITY) == INFINITY);
	check_near(pb_ray(r, p, 6000), 6000, 0);
	p.x = -0.5;
	check_near(pb_ray(r, p, 10), 0, 0);
	p.x = INFINITY;
	check_near(pb_ray(r, p, 10), 0, 0);
	p.x = NAN;
	check_near(pb_ray(r, p, 10), 0, 0);
	pb_rays_free(r);
	pb_map_clear(&m);
}

/* A room with a pillar, mirrored and turned, shows the same to mirrored and
 * turned sensors. */
test(rays_in_mirrored_and_turned_maps)
{
	struct pb_map m, w;
	struct pb_rays *a, *b, *c;
	struct pb_rng g = draws(3, PB_FOR_SENSOR);

	check_int(pb_map_init(&m, 64, 48, 0.5, (struct pb_pose){0}), PB_OK);
	check_int(pb_map_init(&w, 64, 48, 0.5, (struct pb_pose){0}), PB_OK);
	for (int y = 0; y < 48; y++)
		for (int x = 0; x < 64; x++) {
			signed char v = pb_rng_unit(&g) < 0.02 ? 100 : 0;

			m.cell[y * 64 + x] = w.cell[y * 64 + 63 - x] = v;
		}
	check_int(pb_rays_new(&m, true, &a), PB_OK);
	check_int(pb_rays_new(&w, true, &b), PB_OK);
	m.origin = (struct pb_pose){3, -7, 2.5};
	check_int(pb_rays_new(&m, true, &c), PB_OK);
	for (int i = 0; i < 5000; i++) {
		struct pb_pose p = {pb_rng_between(&g, 0, 32),
		    pb_rng_between(&g, 0, 24),
		    pb_rng_between(&g, -PB_PI, PB_PI)};
		struct pb_pose q = {32 - p.x, p.y, PB_PI - p.th};
		double d = pb_ray(a, p, 100);

		check_near(pb_ray(b, q, 100), d, 1e-9);
		check_near(
		    pb_ray(c, pb_pose_compose(m.origin, p), 100), d, 1e-9);
	}
	pb_rays_free(a);
	pb_rays_free(b);
	pb_rays_free(c);
	pb_map_clear(&m);
	pb_map_clear(&w);
}

test(batches_and_scans_are_rays)
{
	enum { N = 1000, BEAMS = 150 };
	struct pb_house_opts o = pb_house_defaults();
	struct pb_pose p[N];
	double out[N + 1] = {0};
	struct pb_rng g = draws(4, PB_FOR_SENSOR);
	struct pb_map m;
	struct pb_rays *r;

	check_int(pb_gen_house(&o, &m), PB_OK);
	check_int(pb_rays_new(&m, true, &r), PB_OK);
	for (int i = 0; i < N; i++)
		p[i] = random_ray(&g, &m);
	for (size_t n = 0; n <= N; n = 2 * n + 1) {
		out[n] = -1;
		pb_ray_batch(r, p, n, 12, out);
		for (size_t i = 0; i < n; i++)
			check(out[i] == pb_ray(r, p[i], 12));
		check(out[n] == -1);
	}
	out[BEAMS] = -1;
	pb_ray_scan(r, p[0], -2, 0.03, BEAMS, 12, out);
	for (int i = 0; i < BEAMS; i++) {
		struct pb_pose b = {p[0].x, p[0].y, p[0].th + (-2 + i * 0.03)};

		check(out[i] == pb_ray(r, b, 12));
	}
	check(out[BEAMS] == -1);
	pb_rays_free(r);
	pb_map_clear(&m);
}
