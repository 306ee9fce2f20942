/* mapping.c - tests of the cells that a line crosses, and maps from scans. */
#include "check.h"

#include "map/change.h"
#include "map/edt.h"
#include "map/mapping.h"
#include "pb/map.h"
#include "pb/ray.h"

enum { BEAMS = 40, SCANS = 30, ROOM = 160 };

/* The share of the line from a to b within cell (c, r): the slow way. */
static double
share_in_cell(struct pb_vec a, struct pb_vec b, int c, int r)
{
	double from[2] = {a.x, a.y}, d[2] = {b.x - a.x, b.y - a.y};
	double lo = 0, hi = 1, cell[2] = {c, r};

	for (int k = 0; k < 2; k++) {
		double u, v;

		if (d[k] == 0) {
			if (floor(from[k]) != cell[k])
				return 0;
			continue;
		}
		u = (cell[k] - from[k]) / d[k];
		v = (cell[k] + 1 - from[k]) / d[k];
		lo = fmax(lo, fmin(u, v));
		hi = fmin(hi, fmax(u, v));
	}
	return hi - lo;
}

/* Log odds of a dense grid about the origin, the slow way. */
struct slow {
	int odds[ROOM][ROOM];
};

static double
slow_reach(const struct pb_mapping_opts *o, const struct pb_scan *s, size_t i)
{
	double r = s->range[i];

	if (isnan(r) || r > s->range_max)
		return o->clear;
	if (r < s->range_min || r <= 0)
		return 0;
	return r + s->radius < o->range ? r + s->radius : o->range;
}

/* The end of beam i in cells of the grid, and whether it hit something. */
static bool
slow_end(const struct pb_mapping_opts *o, struct pb_pose p,
    const struct pb_scan *s, size_t i, struct pb_vec *end)
{
	double r = slow_reach(o, s, i), res = o->resolution;
	double th = p.th + s->angle_min + (double)i * s->inc;

	*end = (struct pb_vec){(p.x + r * cos(th)) / res + ROOM / 2.0,
	    (p.y + r * sin(th)) / res + ROOM / 2.0};
	return r > 0 && !isnan(s->range[i]) && s->range[i] <= s->range_max &&
	       s->range[i] + s->radius <= o->range;
}

static void
slow_mark(int touched[ROOM][ROOM], struct pb_vec a, struct pb_vec b, int what)
{
	int left = (int)fmin(a.x, b.x) - 1, right = (int)fmax(a.x, b.x) + 1;
	int low = (int)fmin(a.y, b.y) - 1, high = (int)fmax(a.y, b.y) + 1;

	check(left >= 0 && right < ROOM && low >= 0 && high < ROOM);
	for (int y = low; y <= high; y++)
		for (int x = left; x <= right; x++)
			if (share_in_cell(a, b, x, y) > 1e-12)
				touched[y][x] |= what;
}

enum { PASSED = 1, ENDED = 2, WALL = 4 };

static bool
slow_beside(int touched[ROOM][ROOM], int x, int y)
{
	for (int i = 0; i < 9; i++)
		if (touched[y - 1 + i / 3][x - 1 + i % 3] & (ENDED | WALL))
			return true;
	return false;
}

static void
slow_add(struct slow *w, const struct pb_mapping *m, struct pb_pose p,
    const struct pb_scan *s)
{
	static int touched[ROOM][ROOM];
	struct pb_vec b, c;

	memset(touched, 0, sizeof(touched));
	for (size_t i = 0; i < s->n; i++) {
		struct pb_vec a = {p.x / m->o.resolution + ROOM / 2.0,
		    p.y / m->o.resolution + ROOM / 2.0};
		bool hit = slow_end(&m->o, p, s, i, &b);

		if (slow_reach(&m->o, s, i) > 0)
			slow_mark(touched, a, b, PASSED);
		if (hit)
			touched[(int)b.y][(int)b.x] |= ENDED;
		if (hit && i + 1 < s->n && slow_end(&m->o, p, s, i + 1, &c) &&
		    pb_dist(b, c) * m->o.resolution <= 0.5)
			slow_mark(touched, b, c, WALL);
	}
	for (int y = 1; y < ROOM - 1; y++)
		for (int x = 1; x < ROOM - 1; x++) {
			int *odds = &w->odds[y][x], less = *odds + m->miss;

			if (touched[y][x] & ENDED)
				*odds += m->hit;
			else if (!(touched[y][x] & PASSED))
				continue;
			else if (!slow_beside(touched, x, y))
				*odds = less;
			else if (*odds <= 0 && *odds > -281)
				*odds = less > -281 ? less : -281;
		}
}

/* Drivers write infinity where nothing came back, known limit or not. */
test(infinity_is_no_return)
{
	const double range[] = {INFINITY, -INFINITY, NAN, 2, 4, 0};
	struct pb_scan s = {.range_max = INFINITY, .range = range, .n = 6};

	check_int(pb_scan_beam(&s, 0), PB_BEAM_FREE);
	check_int(pb_scan_beam(&s, 1), PB_BEAM_NONE);
	check_int(pb_scan_beam(&s, 2), PB_BEAM_FREE);
	check_int(pb_scan_beam(&s, 4), PB_BEAM_HIT);
	check_int(pb_scan_beam(&s, 5), PB_BEAM_NONE);
	s.range_max = 3;
	check_int(pb_scan_beam(&s, 0), PB_BEAM_FREE);
	check_int(pb_scan_beam(&s, 3), PB_BEAM_HIT);
	check_int(pb_scan_beam(&s, 4), PB_BEAM_FREE);
}

static void
random_ranges(struct pb_rng *r, double *range)
{
	for (int i = 0; i < BEAMS; i++)
		range[i] = pb_rng_between(r, -0.2, 3.5);
	range[0] = NAN;
}

static void
compare_map(const struct slow *w, const struct pb_map *m)
{
	for (int y = 0; y < ROOM; y++)
		for (int x = 0; x < ROOM; x++) {
			struct pb_vec v = {(x - ROOM / 2 + 0.5) * m->resolution,
			    (y - ROOM / 2 + 0.5) * m->resolution};
			double p = 1 / (1 + exp(-w->odds[y][x] / 256.0));

			check_int(pb_map_at(m, pb_map_cell(m, v)),
			    w->odds[y][x] ? lround(100 * p) : -1);
		}
}

test(map_equals_brute_force)
{
	static struct slow w;
	struct pb_mapping_opts o = pb_mapping_defaults();
	struct pb_mapping m;
	struct pb_map out;
	double range[BEAMS];
	struct pb_scan s = {.angle_min = -2,
	    .inc = 0.13,
	    .range_min = 0.1,
	    .range_max = 3.3,
	    .radius = 0.07,
	    .range = range,
	    .n = BEAMS};
	struct pb_rng r = draws(3, PB_FOR_SENSOR);

	o.clear = 1;
	o.range = 3;
	o.resolution = 0.1;
	o.chances = true;
	check_int(pb_mapping_init(&m, &o), PB_OK);
	for (int i = 0; i < SCANS; i++) {
		struct pb_pose p = {pb_rng_between(&r, -4, 4),
		    pb_rng_between(&r, -4, 4), pb_rng_between(&r, -3, 3)};

		random_ranges(&r, range);
		check_int(pb_mapping_add(&m, p, &s), PB_OK);
		slow_add(&w, &m, p, &s);
	}
	check_int(pb_mapping_map(&m, &out), PB_OK);
	compare_map(&w, &out);
	pb_map_clear(&out);
	pb_mapping_clear(&m);
}

enum { FAN = 17, VISITS = 60, SHIFTS = 81 };

/* Look from 60 places at a wall; hit: angle in its frame, x is into it. */
static void
see_wall(struct pb_mapping *m, struct pb_pose wall, double hit, double noise,
    struct pb_rng *r)
{
	const double inc = 0.5 * PB_PI / 180;
	double range[FAN];
	struct pb_scan s = {.angle_min = -inc * (FAN / 2),
	    .inc = inc,
	    .range_max = INFINITY,
	    .range = range,
	    .n = FAN};

	for (int i = 0; i < VISITS; i++) {
		double y = pb_rng_between(r, -1.5, 1.5);
		double d = pb_rng_between(r, 1.5, 2.5);
		struct pb_pose p = {-d, y - d * tan(hit), hit};

		for (int k = 0; k < FAN; k++)
			range[k] = d / cos(hit + s.angle_min + k * inc) +
			           noise * pb_rng_normal(r);
		check_int(
		    pb_mapping_add(m, pb_pose_compose(wall, p), &s), PB_OK);
	}
}

/* How well returns of the wall fit the map if they are moved into it by d. */
static double
fit(const struct pb_map *m, const struct pb_edt *e, struct pb_pose wall,
    double hit, double noise, double d)
{
	struct pb_rng r = draws(2, PB_FOR_SENSOR);
	double sum = 0;

	for (int i = 0; i < 500; i++) {
		double y = pb_rng_between(&r, -1.2, 1.2);
		double z = noise * pb_rng_normal(&r);
		struct pb_cell c = pb_map_cell(m,
		    pb_vec_from(wall,
			(struct pb_vec){d + z * cos(hit), y + z * sin(hit)}));
		double q = sqrt(e->d2[pb_map_index(m, c)]) * m->resolution;

		sum += exp(-q * q / (2 * 0.05 * 0.05));
	}
	return sum;
}

/* Into the wall from where it is, where returns fit best: middle of the top. */
static double
best_fit(const struct pb_map *m, struct pb_pose wall, double hit, double noise)
{
	unsigned char *walls = calloc(pb_map_cells(m), 1);
	double f[SHIFTS], top = 0, sum = 0, n = 0;
	struct pb_edt e;

	for (size_t i = 0; i < pb_map_cells(m); i++)
		walls[i] = pb_cell_occupied(m->cell[i]);
	check_int(pb_edt_init(&e, walls, m->width, m->height, false), PB_OK);
	for (int i = 0; i < SHIFTS; i++) {
		f[i] = fit(m, &e, wall, hit, noise, 0.0025 * (i - SHIFTS / 2));
		top = fmax(top, f[i]);
	}
	for (int i = 0; i < SHIFTS; i++)
		if (f[i] > 0.98 * top) {
			sum += 0.0025 * (i - SHIFTS / 2);
			n++;
		}
	pb_edt_clear(&e);
	free(walls);
	return sum / n;
}

/* A wall stands where it was seen, within 5 mm, at whatever angle to it and to
 * the grid, and wherever in its cells it is. */
test(walls_are_where_they_are)
{
	for (int k = 0; k < 18; k++) {
		double noise = 0.01 * (1 + k % 3), hit = k / 3 * PB_PI / 12;
		double bias = 0;
		struct pb_rng r;

		pb_rng_start(&r, 1, k, PB_FOR_SENSOR, 0);
		for (int i = 0; i < 15; i++) {
			double u = 0.005 + 0.01 * (i % 5);
			double th = i / 5 * PB_PI / 8;
			struct pb_pose wall = {u * cos(th), u * sin(th), th};
			struct pb_mapping_opts o = pb_mapping_defaults();
			struct pb_mapping m;
			struct pb_map out;

			check_int(pb_mapping_init(&m, &o), PB_OK);
			see_wall(&m, wall, hit, noise, &r);
			check_int(pb_mapping_map(&m, &out), PB_OK);
			bias += best_fit(&out, wall, hit, noise) / 15;
			pb_map_clear(&out);
			pb_mapping_clear(&m);
		}
		check_near(bias, 0, 0.005);
	}
}

/* A scan of one beam straight ahead. */
static struct pb_scan
one_beam(const double *range)
{
	return (struct pb_scan){
	    .inc = 1, .range_max = INFINITY, .range = range, .n = 1};
}

test(scan_numbers_run_out)
{
	struct pb_mapping_opts o = pb_mapping_defaults();
	struct pb_mapping m;
	struct pb_map out;
	double range = 1;
	struct pb_scan s = one_beam(&range);

	check_int(pb_mapping_init(&m, &o), PB_OK);
	for (int i = 0; i < 66000; i++) {
		struct pb_pose p = {0, i < 100 ? 1 : 0, 0};

		check_int(pb_mapping_add(&m, p, &s), PB_OK);
	}
	check_int(pb_mapping_map(&m, &out), PB_OK);
	for (int y = 0; y < 2; y++) { /* the beam that was last seen long ago */
		check_int(pb_map_at(&out,
			      pb_map_cell(&out, (struct pb_vec){1.01, y})),
		    100);
		check_int(pb_map_at(&out,
			      pb_map_cell(&out, (struct pb_vec){0.51, y})),
		    0);
	}
	pb_map_clear(&out);
	pb_mapping_clear(&m);
}

test(maps_grow_in_any_order_alike)
{
	struct pb_mapping_opts o = pb_mapping_defaults();
	struct pb_mapping m[2];
	struct pb_map out[2];
	double range = 2;
	struct pb_scan s = one_beam(&range);

	for (int k = 0; k < 2; k++) {
		check_int(pb_mapping_init(&m[k], &o), PB_OK);
		for (int i = 0; i < 200; i++) {
			int j = k == 0 ? i : 199 - i;
			struct pb_pose p = {
			    30 * cos(j * 0.7), 0.3 * j - 30, 0.1 * j};

			check_int(pb_mapping_add(&m[k], p, &s), PB_OK);
		}
		check_int(pb_mapping_map(&m[k], &out[k]), PB_OK);
	}
	check(pb_map_hash(&out[0]) == pb_map_hash(&out[1]));
	for (int k = 0; k < 2; k++) {
		pb_map_clear(&out[k]);
		pb_mapping_clear(&m[k]);
	}
}

test(refusals_leave_the_map)
{
	struct pb_mapping_opts o = pb_mapping_defaults();
	struct pb_mapping m;
	struct pb_map a, b;
	double range = 2;
	struct pb_scan s = one_beam(&range);

	o.hit = NAN;
	check_int(pb_mapping_init(&m, &o), PB_EVALUE);
	o = pb_mapping_defaults();
	check_int(pb_mapping_init(&m, &o), PB_OK);
	check_int(pb_mapping_map(&m, &a), PB_EEMPTY);
	check_int(pb_mapping_add(&m, (struct pb_pose){0, 0, 0}, &s), PB_OK);
	check_int(pb_mapping_map(&m, &a), PB_OK);
	check_int(
	    pb_mapping_add(&m, (struct pb_pose){NAN, 0, 0}, &s), PB_EVALUE);
	check_int(
	    pb_mapping_add(&m, (struct pb_pose){1e300, 0, 0}, &s), PB_ESIZE);
	check_int(
	    pb_mapping_add(&m, (struct pb_pose){0, -1001, 0}, &s), PB_ESIZE);
	s.n = 0;
	check_int(pb_mapping_add(&m, (struct pb_pose){50, 0, 0}, &s), PB_OK);
	check_int(pb_mapping_map(&m, &b), PB_OK);
	check(pb_map_hash(&a) == pb_map_hash(&b));
	pb_map_clear(&a);
	pb_map_clear(&b);
	pb_mapping_clear(&m);
}

enum { SIDE = 24 };

/* Visit the line's cells: how often each, in n[row][col]. */
static void
count_visits(struct pb_vec a, struct pb_vec b, int n[SIDE][SIDE])
{
	struct pb_traverse w = pb_traverse_start(a, b);
	struct pb_cell last;

	memset(n, 0, SIDE * sizeof(n[0]));
	do {
		n[w.at.row][w.at.col]++;
		last = w.at;
	} while (pb_traverse_next(&w) &&
		 abs(w.at.row - last.row) + abs(w.at.col - last.col) == 1);
	check_int(w.at.col, (int)floor(b.x));
	check_int(w.at.row, (int)floor(b.y));
}

static void
compare_line(struct pb_vec a, struct pb_vec b)
{
	int n[SIDE][SIDE];

	count_visits(a, b, n);
	for (int r = 0; r < SIDE; r++)
		for (int c = 0; c < SIDE; c++) {
			double s = share_in_cell(a, b, c, r);

			check(n[r][c] <= 1);
			if (s > 1e-9)
				check_int(n[r][c], 1);
			if (s < -1e-9)
				check_int(n[r][c], 0);
		}
}

test(line_crosses_the_cells_that_it_crosses)
{
	struct pb_rng r = draws(1, PB_FOR_MAP);

	for (int i = 0; i < 3000; i++) {
		struct pb_vec v[2];

		for (int k = 0; k < 2; k++)
			v[k] = (struct pb_vec){pb_rng_between(&r, 0, SIDE),
			    pb_rng_between(&r, 0, SIDE)};
		if (i % 3 == 1) /* through corners, along sides */
			for (int k = 0; k < 2; k++)
				v[k] = (struct pb_vec){
				    floor(v[k].x), floor(v[k].y)};
		if (i % 3 == 2)
			v[1].x = v[0].x;
		compare_line(v[0], v[1]);
	}
}

test(line_of_no_length)
{
	struct pb_vec a = {3.5, 4.5};
	struct pb_traverse w = pb_traverse_start(a, a);

	check_int(w.at.col, 3);
	check_int(w.at.row, 4);
	check(!pb_traverse_next(&w));
}
