/* mcl_world.h - a house, a robot in it and what it measures. */
#pragma once

#include "check.h"

#include "localize/mcl_state.h"
#include "map/edt.h"
#include "map/gen_house.h"

enum { BEAMS = 180 };

struct robot {
	struct pb_map m;
	struct pb_edt clear;
	struct pb_rng r;
	struct pb_pose at;   /* truth */
	struct pb_pose odom; /* what the wheels say */
	double range[BEAMS];
	void *model, *mem;
	struct pb_mcl_opts o;
};

/* The distance to the first cell that is not free, felt for. */
static inline double
feel(const struct pb_map *m, struct pb_pose p, double max)
{
	double step = m->resolution / 8, c = cos(p.th), s = sin(p.th);

	for (double d = 0; d < max; d += step) {
		struct pb_vec v = {p.x + c * d, p.y + s * d};

		if (pb_cell_occupied(pb_map_at(m, pb_map_cell(m, v))))
			return d;
	}
	return NAN;
}

/* Fill range[] with what a lidar of 8 m and 180 degrees sees from there. */
static inline void
look(struct robot *b)
{
	for (int i = 0; i < BEAMS; i++) {
		struct pb_pose p = b->at;

		p.th += -PB_PI / 2 + PB_PI / BEAMS * i;
		b->range[i] = feel(&b->m, p, 8) + 0.01 * pb_rng_normal(&b->r);
	}
}

static inline struct pb_scan
scan_of(const struct robot *b)
{
	return (struct pb_scan){.angle_min = -PB_PI / 2,
	    .inc = PB_PI / BEAMS,
	    .range_max = 8,
	    .range = b->range,
	    .n = BEAMS};
}

static inline bool
room_at(const struct robot *b, struct pb_pose p)
{
	struct pb_cell c = pb_map_cell(&b->m, pb_pose_vec(p));

	return pb_map_inside(&b->m, c) && pb_cell_free(pb_map_at(&b->m, c)) &&
	       pb_edt_clearance(
		   &b->clear, pb_map_index(&b->m, c), b->m.resolution) > 0.3;
}

/* A random place where it can stand. */
static inline void
put(struct robot *b)
{
	do {
		struct pb_cell c = {
		    (int)pb_rng_below(&b->r, (uint32_t)b->m.width),
		    (int)pb_rng_below(&b->r, (uint32_t)b->m.height)};
		struct pb_vec v = pb_map_centre(&b->m, c);

		b->at = (struct pb_pose){
		    v.x, v.y, pb_wrap(pb_rng_between(&b->r, 0, 2 * PB_PI))};
	} while (!room_at(b, b->at));
}

/* Drive a bit, turning where there is a wall; odometry drifts. */
static inline void
drive(struct robot *b)
{
	struct pb_pose d = {0.05, 0, 0.02 * pb_rng_normal(&b->r)};
	struct pb_pose to = pb_pose_compose(b->at, d);

	if (!room_at(b, to)) {
		d = (struct pb_pose){0, 0, 0.15};
		to = pb_pose_compose(b->at, d);
	}
	b->at = to;
	d.x *= 1.03;
	d.th += 0.05 * d.x + 0.02 * d.th;
	b->odom = pb_pose_compose(b->odom, d);
}

/* A house of that seed, turned by yaw, and a filter with options o. */
static inline void
open_robot(struct robot *b, uint64_t seed, double yaw)
{
	struct pb_house_opts h = pb_house_defaults();
	struct pb_loc_world w = {.map = &b->m};
	unsigned char *wall;

	h.seed = seed;
	check_int(pb_gen_house(&h, &b->m), PB_OK);
	b->m.origin.th = yaw;
	wall = calloc(pb_map_cells(&b->m), 1);
	for (size_t i = 0; i < pb_map_cells(&b->m); i++)
		wall[i] = !pb_cell_free(b->m.cell[i]);
	check_int(
	    pb_edt_init(&b->clear, wall, b->m.width, b->m.height, true), PB_OK);
	free(wall);
	pb_rng_start(&b->r, seed, 0, PB_FOR_SENSOR, 0);
	b->odom = (struct pb_pose){0, 0, 0};
	pb_localizer_defaults(&pb_loc_mcl, &b->o);
	b->o.most = 5000;
	check_int(pb_loc_mcl.learn(&pb_loc_mcl, &w, &b->o, &b->model), PB_OK);
	b->mem = malloc(pb_localizer_memory(&pb_loc_mcl, b->model));
	put(b);
}

static inline void
close_robot(struct robot *b)
{
	pb_loc_mcl.forget(b->model);
	pb_edt_clear(&b->clear);
	pb_map_clear(&b->m);
	free(b->mem);
}

/* About `way` steps, then a scan, then what it believes. */
static inline struct pb_belief
go(struct robot *b, int way)
{
	struct pb_scan z;
	struct pb_belief out;

	for (int i = 0; i < way; i++) {
		drive(b);
		pb_loc_mcl.predict(b->mem, b->model, b->odom);
	}
	look(b);
	z = scan_of(b);
	pb_loc_mcl.scan(b->mem, b->model, &z);
	pb_loc_mcl.estimate(b->mem, b->model, &out);
	return out;
}

/* Distance of the best hypothesis from the truth (m). */
static inline double
off(const struct robot *b, const struct pb_belief *e)
{
	return e->n > 0
	           ? pb_dist(pb_pose_vec(b->at), pb_pose_vec(e->at[0].pose))
	           : INFINITY;
}
