/* mapping.c - speed of maps from scans, and of matching scans. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

#include "map/mapping.h"
#include "map/scan_match.h"
#include "pb/ray.h"
#include "pb/rng.h"

enum { SCANS = 200, BEAMS = 181 };
#define RANGE 30.0 /* (m) */

/* Scans from free places all over a house, and points of one to match. */
struct scans {
	struct pb_map m;
	struct pb_pose p[SCANS];
	double range[SCANS][BEAMS];
	struct pb_scan s[SCANS];
	struct pb_point point[BEAMS];
	size_t n;
	struct pb_target t;
};

static void
take_scan(struct scans *s, const struct pb_rays *r, int i)
{
	double out[BEAMS];

	pb_ray_scan(
	    r, s->p[i], -PB_PI / 2, PB_PI / (BEAMS - 1), BEAMS, RANGE, out);
	for (int k = 0; k < BEAMS; k++)
		s->range[i][k] = out[k];
	s->s[i] = (struct pb_scan){.angle_min = -PB_PI / 2,
	    .inc = PB_PI / (BEAMS - 1),
	    .range_max = RANGE,
	    .range = s->range[i],
	    .n = BEAMS};
}

static void
scans_init(struct scans *s)
{
	struct pb_rays *r;
	struct pb_rng g;

	bench_house(800, &s->m);
	if (pb_rays_new(&s->m, true, &r) != PB_OK)
		bench_stop("out of memory");
	pb_rng_start(&g, 1, 0, PB_FOR_SENSOR, 0);
	for (int i = 0; i < SCANS;) {
		struct pb_vec v = {pb_rng_unit(&g) * 40, pb_rng_unit(&g) * 40};

		if (!pb_cell_free(pb_map_at(&s->m, pb_map_cell(&s->m, v))))
			continue;
		s->p[i] = (struct pb_pose){
		    v.x, v.y, pb_rng_between(&g, -PB_PI, PB_PI)};
		take_scan(s, r, i++);
	}
	pb_rays_free(r);
}

/* The first scan is matched with itself. */
static void
target_init(struct scans *s)
{
	struct pb_vec lo = {-RANGE, -RANGE}, hi = {RANGE, RANGE};
	struct pb_pose here = {0, 0, 0};

	s->t = pb_target_empty(0.05, 0.1);
	s->n = pb_returns(&s->s[0], RANGE, s->point);
	if (pb_target_begin(&s->t, lo, hi, s->n) != PB_OK)
		bench_stop("out of memory");
	pb_target_add(&s->t, here, s->point, s->n);
	if (pb_target_finish(&s->t) != PB_OK)
		bench_stop("out of memory");
}

static double
enter(void *arg)
{
	struct scans *s = arg;
	struct pb_mapping_opts o = pb_mapping_defaults();
	struct pb_mapping m;

	if (pb_mapping_init(&m, &o) != PB_OK)
		bench_stop("cannot begin a map");
	for (int i = 0; i < SCANS; i++)
		if (pb_mapping_add(&m, s->p[i], &s->s[i]) != PB_OK)
			bench_stop("cannot enter a scan");
	pb_mapping_clear(&m);
	return SCANS;
}

static void
find(struct scans *s, double side)
{
	struct pb_match_window w = {.x = side,
	    .y = side,
	    .th = 0.35,
	    .turn = 0.005,
	    .spread = INFINITY,
	    .spread_th = INFINITY};
	struct pb_pose guess = {0.21, -0.13, 0.1}, pose;
	double score;

	if (pb_match_search(
		&s->t, s->point, s->n, guess, &w, 0, &pose, &score) != PB_OK)
		bench_stop("no match");
}

static double
search_near(void *arg)
{
	find(arg, 0.5);
	return 1;
}

static double
search_far(void *arg)
{
	find(arg, 5);
	return 1;
}

static double
lines(void *arg)
{
	struct scans *s = arg;
	struct pb_pose guess = {0.06, -0.04, 0.02};

	if (pb_match_lines(&s->t, s->point, s->n, guess, 0.3, 20).n == 0)
		bench_stop("no fit");
	return 1;
}

void
bench_mapping(void)
{
	struct scans *s = calloc(1, sizeof(*s));

	if (s == NULL)
		bench_stop("out of memory");
	scans_init(s);
	target_init(s);
	bench_row("181 beams entered into a map", "scans", enter, s);
	bench_row(
	    "181 beams found in 1 x 1 m, 0.7 rad", "matches", search_near, s);
	bench_row(
	    "181 beams found in 10 x 10 m, 0.7 rad", "matches", search_far, s);
	bench_row("181 beams laid on lines", "matches", lines, s);
	pb_target_clear(&s->t);
	pb_map_clear(&s->m);
	free(s);
}
