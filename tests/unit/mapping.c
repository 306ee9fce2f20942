/* mapping.c - tests of line walks, poses by time, and maps from scans. */
#include "check.h"

#include <string.h>

#include "base/rng.h"
#include "map/agree.h"
#include "map/mapping.h"
#include "map/track.h"
#include "map/traverse.h"

enum { SIDE = 24 };

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

/* Visit the line's cells: how often each, in n[row][col]. */
static void
count_visits(struct pb_vec a, struct pb_vec b, int n[SIDE][SIDE])
{
	struct pb_traverse w = pb_traverse_start(a, b);
	struct pb_cell last;

	memset(n, 0, SIDE * sizeof n[0]);
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

static void
test_line_crosses_the_cells_that_it_crosses(void)
{
	struct pb_rng r;

	pb_rng_start(&r, 1, 0, PB_FOR_MAP, 0);
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

static void
test_line_of_no_length(void)
{
	struct pb_vec a = {3.5, 4.5};
	struct pb_traverse w = pb_traverse_start(a, a);

	check_int(w.at.col, 3);
	check_int(w.at.row, 4);
	check(!pb_traverse_next(&w));
}

static struct pb_track
track_of(const double *t, int n)
{
	struct pb_track k = {.n = 0};

	for (int i = 0; i < n; i++)
		check_int(pb_track_add(&k, t[i],
			      (struct pb_pose){10 * t[i], -t[i], 0.1 * t[i]}),
		    PB_OK);
	return k;
}

static void
test_pose_between_two(void)
{
	static const double t[] = {1, 2, 4, 7};
	struct pb_track k = track_of(t, 4);
	struct pb_pose p;

	for (size_t told = 0; told <= 4; told++)
		for (double at = 1; at <= 7; at += 0.125) {
			check(pb_track_find(&k, told, at, 3, &p));
			check_near(p.x, 10 * at, 1e-12);
			check_near(p.y, -at, 1e-12);
			check_near(p.th, 0.1 * at, 1e-12);
		}
	pb_track_clear(&k);
}

static void
test_pose_nearest_within_the_gap(void)
{
	static const double t[] = {1, 2, 4, 7};
	struct pb_track k = track_of(t, 4);
	struct pb_pose p;

	check(pb_track_find(&k, 3, 4.5, 0.5, &p));
	check_near(p.x, 40, 0);
	check(pb_track_find(&k, 3, 6.5, 0.5, &p));
	check_near(p.x, 70, 0);
	check(!pb_track_find(&k, 3, 5.5, 1, &p));
	check(pb_track_find(&k, 4, 7.25, 0.5, &p));
	check_near(p.x, 70, 0);
	check(!pb_track_find(&k, 4, 8, 0.5, &p));
	check(!pb_track_find(&k, 0, 0.25, 0.5, &p));
	check(pb_track_find(&k, 0, 0.75, 0.5, &p));
	check_near(p.x, 10, 0);
	pb_track_clear(&k);
}

static void
test_pose_without_time_is_the_last_told(void)
{
	static const double t[] = {1, NAN, 1, 5};
	struct pb_track k = track_of(t, 4);
	struct pb_pose p;

	check(!pb_track_find(&k, 0, NAN, 1, &p));
	check(pb_track_find(&k, 1, NAN, 1, &p));
	check_near(p.x, 10, 0);
	check(pb_track_find(&k, 2, 77, 0, &p)); /* it has no time */
	check(isnan(p.x));
	check(pb_track_find(&k, 4, 5, 0, &p));
	check_near(p.x, 50, 0);
	pb_track_clear(&k);
}

static void
test_heading_takes_the_short_way(void)
{
	struct pb_track k = {.n = 0};
	struct pb_pose p;

	pb_track_add(&k, 0, (struct pb_pose){0, 0, 3});
	pb_track_add(&k, 1, (struct pb_pose){0, 0, -3});
	check(pb_track_find(&k, 1, 0.5, 2, &p));
	check_near(fabs(p.th), PB_PI, 1e-12);
	pb_track_clear(&k);
}

enum { BEAMS = 40, SCANS = 30, ROOM = 160 };

/* Log odds of a dense grid about the origin, the slow way. */
struct slow {
	int odds[ROOM][ROOM];
	int seen[ROOM][ROOM];
};

static double
slow_reach(const struct pb_mapping_opts *o, const struct pb_sweep *s, size_t i)
{
	double r = (double)s->range[i];

	if (isnan(r) || r > s->range_max)
		return o->clear;
	if (r < s->range_min || r <= 0)
		return 0;
	return r < o->range ? r : o->range;
}

static void
slow_add(struct slow *w, const struct pb_mapping *m, struct pb_pose p,
    const struct pb_sweep *s)
{
	static int touched[ROOM][ROOM];
	double res = m->o.resolution;

	memset(touched, 0, sizeof touched);
	for (size_t i = 0; i < s->n; i++) {
		double r = slow_reach(&m->o, s, i);
		double th = p.th + s->angle_min + (double)i * s->inc;
		struct pb_vec a = {
		    p.x / res + ROOM / 2.0, p.y / res + ROOM / 2.0};
		struct pb_vec b = {(p.x + r * cos(th)) / res + ROOM / 2.0,
		    (p.y + r * sin(th)) / res + ROOM / 2.0};

		for (int y = 0; r > 0 && y < ROOM; y++)
			for (int x = 0; x < ROOM; x++)
				if (share_in_cell(a, b, x, y) > 1e-12)
					touched[y][x] |= 1;
		if (r > 0 && !isnan(s->range[i]) &&
		    (double)s->range[i] <= s->range_max &&
		    (double)s->range[i] <= m->o.range)
			touched[(int)b.y][(int)b.x] |= 2;
	}
	for (int y = 0; y < ROOM; y++)
		for (int x = 0; x < ROOM; x++)
			if (touched[y][x]) {
				w->seen[y][x] = 1;
				w->odds[y][x] +=
				    touched[y][x] & 2 ? m->hit : m->miss;
			}
}

/* Drivers write infinity where nothing came back, known limit or not. */
static void
test_infinity_is_no_return(void)
{
	const float range[] = {INFINITY, -INFINITY, NAN, 2, 4, 0};
	struct pb_sweep s = {.range_max = INFINITY, .range = range, .n = 6};

	check_int(pb_sweep_beam(&s, 0), PB_BEAM_FREE);
	check_int(pb_sweep_beam(&s, 1), PB_BEAM_NONE);
	check_int(pb_sweep_beam(&s, 2), PB_BEAM_FREE);
	check_int(pb_sweep_beam(&s, 4), PB_BEAM_HIT);
	check_int(pb_sweep_beam(&s, 5), PB_BEAM_NONE);
	s.range_max = 3;
	check_int(pb_sweep_beam(&s, 0), PB_BEAM_FREE);
	check_int(pb_sweep_beam(&s, 3), PB_BEAM_HIT);
	check_int(pb_sweep_beam(&s, 4), PB_BEAM_FREE);
}

static void
random_ranges(struct pb_rng *r, float *range)
{
	for (int i = 0; i < BEAMS; i++)
		range[i] = (float)pb_rng_between(r, -0.2, 3.5);
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
			    w->seen[y][x] ? lround(100 * p) : -1);
		}
}

static void
test_map_equals_brute_force(void)
{
	static struct slow w;
	struct pb_mapping_opts o = pb_mapping_defaults();
	struct pb_mapping m;
	struct pb_map out;
	float range[BEAMS];
	struct pb_sweep s = {.angle_min = -2,
	    .inc = 0.13,
	    .range_min = 0.1,
	    .range_max = 3.3,
	    .range = range,
	    .n = BEAMS};
	struct pb_rng r;

	o.clear = 1;
	o.range = 3;
	o.resolution = 0.1;
	o.chances = true;
	check_int(pb_mapping_init(&m, &o), PB_OK);
	pb_rng_start(&r, 3, 0, PB_FOR_SENSOR, 0);
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

/* A scan of one beam straight ahead. */
static struct pb_sweep
one_beam(const float *range)
{
	return (struct pb_sweep){
	    .inc = 1, .range_max = INFINITY, .range = range, .n = 1};
}

static void
test_scan_numbers_run_out(void)
{
	struct pb_mapping_opts o = pb_mapping_defaults();
	struct pb_mapping m;
	struct pb_map out;
	float range = 1;
	struct pb_sweep s = one_beam(&range);

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

static void
test_maps_grow_in_any_order_alike(void)
{
	struct pb_mapping_opts o = pb_mapping_defaults();
	struct pb_mapping m[2];
	struct pb_map out[2];
	float range = 2;
	struct pb_sweep s = one_beam(&range);

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

static void
test_refusals_leave_the_map(void)
{
	struct pb_mapping_opts o = pb_mapping_defaults();
	struct pb_mapping m;
	struct pb_map a, b;
	float range = 2;
	struct pb_sweep s = one_beam(&range);

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

static void
test_agreement_counts_what_either_has(void)
{
	struct pb_map a, b;
	size_t n[PB_KINDS][PB_KINDS];

	check_int(pb_map_init(&a, 4, 3, 0.5, (struct pb_pose){0, 0, 0}), PB_OK);
	check_int(pb_map_init(&b, 4, 3, 0.5, (struct pb_pose){1, 0, 0}), PB_OK);
	memset(a.cell, 0, 12);
	memset(b.cell, 100, 12);
	a.cell[3] = 100;
	b.cell[0] = 0;
	pb_map_agree(&a, &b, n);
	check_int((long)n[PB_KIND_FREE][PB_KIND_UNKNOWN], 6);
	check_int((long)n[PB_KIND_UNKNOWN][PB_KIND_OCCUPIED], 6);
	check_int((long)n[PB_KIND_FREE][PB_KIND_FREE], 1);
	check_int((long)n[PB_KIND_OCCUPIED][PB_KIND_OCCUPIED], 1);
	check_int((long)n[PB_KIND_FREE][PB_KIND_OCCUPIED], 4);
	check_int((long)n[PB_KIND_UNKNOWN][PB_KIND_UNKNOWN], 0);
	pb_map_clear(&a);
	pb_map_clear(&b);
}

int
main(void)
{
	run(test_line_crosses_the_cells_that_it_crosses);
	run(test_line_of_no_length);
	run(test_pose_between_two);
	run(test_pose_nearest_within_the_gap);
	run(test_pose_without_time_is_the_last_told);
	run(test_heading_takes_the_short_way);
	run(test_infinity_is_no_return);
	run(test_map_equals_brute_force);
	run(test_scan_numbers_run_out);
	run(test_maps_grow_in_any_order_alike);
	run(test_refusals_leave_the_map);
	run(test_agreement_counts_what_either_has);
	return done();
}
