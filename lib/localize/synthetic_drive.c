/* synthetic_drive.c - a simulated robot goes from place to place. */
#include "localize/synthetic_drive.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "map/change.h"
#include "map/edt.h"
#include "pb/path.h"
#include "pb/rng.h"
#include "robot/sense.h"

/* Between two looks at the sensors (s). */
#define STEP 0.05

#define PB_PARAMS_OF struct pb_synthetic_opts

/*
 * A TurtleBot 4 in a house: its usual speed is 0.31 m/s, its rim 0.17 m from
 * its middle. Scans come as far apart as those of the public logs, so that a
 * trial of 60 has a way of some 18 m.
 */
static const struct pb_param rows[] = {
    PB_COUNT(
	"drive-scans", scans, "scans", 600, 1, 1e6, "of a simulated drive"),
    PB_REAL("drive-period", period, "s", 1, STEP, 1e6, "from scan to scan"),
    PB_REAL("drive-speed", speed, "m/s", 0.31, 1e-3, 1e3, "of the robot"),
    PB_REAL("drive-turn", turn, "rad/s", 1.9, 1e-3, 1e3, "turn rate, at most"),
    PB_REAL("drive-clearance", clearance, "m", 0.25, 0, 1e3,
	"from what is not free"),
    PB_REAL("drive-noise", noise, "n", 1, 0, 1e3,
	"times the usual errors of the sensors"),
};

const struct pb_params pb_synthetic_params = PB_PARAMS(rows);

struct pb_synthetic_opts
pb_synthetic_defaults(void)
{
	struct pb_synthetic_opts o = {0};

	pb_params_defaults(pb_synthetic_params, &o);
	return o;
}

/* A robot on its way. */
struct tour {
	const struct pb_map *m;
	const struct pb_synthetic_opts *o;
	struct pb_grid grid;
	struct pb_search *search;
	struct pb_rays *rays;
	struct pb_sense *sense;
	struct pb_rng rng;
	int at;           /* cell */
	struct pb_pose p; /* now */
	long steps;
	struct pb_drive d;
};

static struct pb_sense_opts
sensors_of(const struct pb_synthetic_opts *o)
{
	struct pb_sense_opts s = pb_sense_defaults();
	double k = o->noise, k2 = k * k;

	s.sensors = PB_SENSOR_LIDAR | PB_SENSOR_ODOM;
	s.lidar_period = o->period;
	s.lidar.noise *= k;
	s.lidar.drop *= k;
	s.wheels.bias *= k;
	s.wheels.spread *= k;
	s.wheels.turn_bias *= k;
	s.wheels.rot_rot *= k2;
	s.wheels.rot_trans *= k2;
	s.wheels.trans_trans *= k2;
	s.wheels.trans_rot *= k2;
	return s;
}

/* Cells that keep clear. */
static enum pb_status
make_grid(struct tour *t)
{
	size_t n = pb_map_cells(t->m);
	unsigned char *mask = malloc(n);
	struct pb_edt e = {0};
	enum pb_status st = mask != NULL
	                        ? pb_edt_init(&e, t->m->width, t->m->height)
	                        : PB_ENOMEM;

	if (st == PB_OK) {
		for (size_t i = 0; i < n; i++)
			mask[i] = !pb_cell_free(t->m->cell[i]);
		pb_edt_run(&e, mask, true);
		pb_edt_within(&e, t->o->clearance / t->m->resolution, mask);
		for (size_t i = 0; i < n; i++)
			mask[i] = !mask[i];
		st = pb_grid_init(&t->grid, t->m->width, t->m->height, mask);
	}
	pb_edt_clear(&e);
	free(mask);
	if (st == PB_OK && (t->grid.main < 0 || t->grid.size[t->grid.main] < 2))
		st = PB_ENOFREE;
	return st;
}

/* A cell of the largest part, by chance. */
static int
draw_cell(struct tour *t)
{
	int32_t k = (int32_t)pb_rng_below(&t->rng, t->grid.size[t->grid.main]);

	for (const struct pb_grid_run *r = t->grid.run;; r++)
		if (r->part == t->grid.main) {
			if (k < r->to - r->from)
				return r->from + k;
			k -= r->to - r->from;
		}
}

static struct pb_vec
middle_of(const struct tour *t, int cell)
{
	return pb_map_centre(t->m, pb_grid_cell(&t->grid, cell));
}

static bool
done(const struct tour *t)
{
	return t->d.scans >= (size_t)t->o->scans;
}

/* The robot is at p at the next instant: what do the sensors say? */
static enum pb_status
look(struct tour *t)
{
	double now = STEP * (double)t->steps++;
	unsigned got = pb_sense_step(t->sense, now, t->p, false);
	enum pb_status st = PB_OK;

	if (got & PB_SENSED_ODOM)
		st =
		    pb_drive_add(&t->d, (struct pb_heard){.kind = PB_HEARD_ODOM,
					    .t = now,
					    .odom = t->sense->odom.pose});
	if (st == PB_OK && got & PB_SENSED_SCAN) {
		struct pb_sense_shape s = pb_sense_shape(&t->sense->o);
		const struct pb_scan z = {.angle_min = s.first,
		    .inc = s.inc,
		    .range_min = s.min,
		    .range_max = s.max,
		    .range = t->sense->range,
		    .n = t->sense->n};

		st = pb_drive_add_scan(&t->d, now, &z);
		if (st == PB_OK) {
			t->d.heard[t->d.n - 1].known = true;
			t->d.heard[t->d.n - 1].truth = t->p;
		}
	}
	return st;
}

/* Straight to v, turning to where it lies meanwhile. */
static enum pb_status
go_to(struct tour *t, struct pb_vec v)
{
	enum pb_status st = PB_OK;
	double left;

	while (st == PB_OK && !done(t) &&
	       (left = pb_dist(pb_pose_vec(t->p), v)) > 1e-9) {
		double dx = v.x - t->p.x, dy = v.y - t->p.y;
		double part = fmin(1, t->o->speed * STEP / left);
		double turn = pb_wrap(pb_atan2(dy, dx) - t->p.th);
		double most = t->o->turn * STEP;

		t->p.x += part * dx;
		t->p.y += part * dy;
		t->p.th = pb_wrap(t->p.th + fmax(-most, fmin(most, turn)));
		st = look(t);
	}
	return st;
}

/* Every third cell of a path is a way-point: corners become round. */
static enum pb_status
go_somewhere(struct tour *t)
{
	int to = draw_cell(t);
	struct pb_path path = pb_path_find(t->search, t->at, to, NULL, 0, NULL);
	enum pb_status st = PB_OK;

	for (size_t i = 1; st == PB_OK && i < path.n && !done(t); i++)
		if (i % 3 == 0 || i + 1 == path.n)
			st = go_to(t, middle_of(t, path.cell[i]));
	t->at = to;
	return st;
}

static enum pb_status
prepare(struct tour *t, uint64_t seed)
{
	const struct pb_sense_opts sense = sensors_of(t->o);
	enum pb_status st = make_grid(t);
	struct pb_vec v;

	if (st == PB_OK)
		st = pb_search_new(&t->search, &t->grid);
	if (st == PB_OK)
		st = pb_rays_new(t->m, false, &t->rays);
	t->sense = malloc(sizeof(*t->sense));
	if (st == PB_OK && t->sense == NULL)
		st = PB_ENOMEM;
	if (st != PB_OK)
		return st;
	pb_rng_start(&t->rng, seed, 0, PB_FOR_TRIAL, 1);
	t->at = draw_cell(t);
	v = middle_of(t, t->at);
	t->p =
	    (struct pb_pose){v.x, v.y, pb_rng_between(&t->rng, -PB_PI, PB_PI)};
	pb_sense_start(t->sense, &sense, t->rays, seed, 0, t->p);
	return look(t);
}

enum pb_status
pb_synthetic_drive(const struct pb_map *m, const struct pb_synthetic_opts *o,
    uint64_t seed, struct pb_drive *d)
{
	struct pb_map part;
	struct tour t = {.m = &part, .o = o};
	enum pb_status st = pb_map_part(m, &part);

	if (st != PB_OK)
		return st;
	st = prepare(&t, seed);

	while (st == PB_OK && !done(&t))
		st = go_somewhere(&t);
	pb_search_free(t.search);
	pb_grid_clear(&t.grid);
	pb_rays_free(t.rays);
	free(t.sense);
	pb_map_clear(&part);
	if (st == PB_OK)
		*d = t.d;
	else
		pb_drive_clear(&t.d);
	return st;
}
