/* ray.c - speed of rays through occupancy maps, and of the plain walk. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/file/mapfile.h"
#include "pb/ray.h"
#include "pb/rng.h"

enum { RAYS = 100000 };
#define RANGE 30.0 /* (m) */

/* Free places and headings all over a map, in no order. */
struct rays {
	struct pb_map m;
	struct pb_rays *r;
	struct pb_pose p[RAYS];
	double out[RAYS];
};

static void
rays_init(struct rays *s)
{
	struct pb_rng g;

	pb_rng_start(&g, 1, 0, PB_FOR_SENSOR, 0);
	for (int i = 0; i < RAYS;) {
		struct pb_pose p = {
		    pb_rng_unit(&g) * s->m.width * s->m.resolution,
		    pb_rng_unit(&g) * s->m.height * s->m.resolution,
		    pb_rng_between(&g, -PB_PI, PB_PI)};
		struct pb_cell c;

		p = pb_pose_compose(s->m.origin, p);
		c = pb_map_cell(&s->m, pb_pose_vec(p));
		if (pb_cell_free(pb_map_at(&s->m, c)))
			s->p[i++] = p;
	}
	if (pb_rays_new(&s->m, true, &s->r) != PB_OK)
		bench_stop("out of memory");
}

static double
prepare(void *arg)
{
	struct rays *s = arg;
	struct pb_rays *r;

	if (pb_rays_new(&s->m, true, &r) != PB_OK)
		bench_stop("out of memory");
	pb_rays_free(r);
	return (double)pb_map_cells(&s->m);
}

static double
batch(void *arg)
{
	struct rays *s = arg;

	pb_ray_batch(s->r, s->p, RAYS, RANGE, s->out);
	return RAYS;
}

static double
one_by_one(void *arg)
{
	struct rays *s = arg;

	for (int i = 0; i < RAYS; i++)
		s->out[i] = pb_ray(s->r, s->p[i], RANGE);
	return RAYS;
}

/* A scan of 360 beams from each of the first places. */
static double
scans(void *arg)
{
	struct rays *s = arg;
	const int beams = 360, n = RAYS / beams;

	for (int i = 0; i < n; i++)
		pb_ray_scan(s->r, s->p[i], -PB_PI, PB_PI / 180, (size_t)beams,
		    RANGE, s->out + (ptrdiff_t)i * beams);
	return n * beams;
}

static bool
open_to_rays(const struct pb_map *m, int col, int row)
{
	return col >= 0 && row >= 0 && col < m->width && row < m->height &&
	       pb_cell_free(
		   m->cell[(size_t)row * (size_t)m->width + (size_t)col]);
}

/* What the leaps replace: from cell to cell. */
static double
walk(const struct pb_map *m, struct pb_pose p)
{
	double x = (p.x - m->origin.x) / m->resolution;
	double y = (p.y - m->origin.y) / m->resolution, t = 0;
	double ix = 1 / cos(p.th), iy = 1 / sin(p.th);
	int col = (int)x, row = (int)y;
	int sx = ix < 0 ? -1 : 1, sy = iy < 0 ? -1 : 1;
	double tx = (col + (sx > 0) - x) * ix, ty = (row + (sy > 0) - y) * iy;

	ix = fabs(ix);
	iy = fabs(iy);
	while (t < RANGE / m->resolution && open_to_rays(m, col, row)) {
		t = tx < ty ? tx : ty;
		if (tx < ty) {
			col += sx;
			tx += ix;
		} else {
			row += sy;
			ty += iy;
		}
	}
	return fmin(t * m->resolution, RANGE);
}

static double
walks(void *arg)
{
	struct rays *s = arg;

	for (int i = 0; i < RAYS; i++)
		s->out[i] = walk(&s->m, s->p[i]);
	return RAYS;
}

static void
bench_rays_in(const char *map, struct rays *s)
{
	static const struct {
		const char *name, *unit;
		double (*work)(void *arg);
	} row[] = {{"rays walked", "rays", walks},
	    {"rays in any order", "rays", batch},
	    {"rays one by one", "rays", one_by_one},
	    {"rays in scans of 360", "rays", scans},
	    {"rays prepared", "cells", prepare}};
	char name[64];

	rays_init(s);
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		snprintf(name, sizeof name, "%s, %s", row[i].name, map);
		bench_row(name, row[i].unit, row[i].work, s);
	}
	pb_rays_free(s->r);
	pb_map_clear(&s->m);
}

/* A real map, where there is one. */
static bool
read_intel(struct pb_map *m)
{
	struct pb_error f;

	return pb_mapfile_read("../shared/data/maps/intel/intel.yaml", NULL, m,
		   NULL, &f) == 0;
}

void
bench_ray(void)
{
	struct rays *s = malloc(sizeof *s);

	if (s == NULL)
		bench_stop("out of memory");
	bench_house(400, &s->m);
	bench_rays_in("house 400 x 400", s);
	bench_house(4000, &s->m);
	bench_rays_in("house 4000 x 4000", s);
	if (read_intel(&s->m))
		bench_rays_in("laboratory 636 x 776", s);
	free(s);
}
