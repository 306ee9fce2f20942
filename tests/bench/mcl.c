/* mcl.c - speed of Monte Carlo localization and of its parts. */
#include "bench.h"

#include <stdlib.h>

#include "localize/mcl_state.h"
#include "pb/ray.h"

enum { BEAMS = 60, PARTICLES = 2000, MANY = 20000 };

struct cloud {
	struct pb_map m;
	struct pb_mcl_opts o;
	void *model;
	struct pb_mcl_mem *mem;
	struct pb_loc_start start;
	struct pb_pose at[PARTICLES];
	struct pb_vec end[BEAMS];
	double range[2][2 * BEAMS];
	struct pb_scan scan[2]; /* of the first place, and turned there */
	int turn;
	double sink;
};

#define TURN 0.4 /* between the two (rad) */

/* What a lidar sees from p; scan i of two. */
static void
look(struct cloud *c, struct pb_pose p, int i)
{
	struct pb_rays *r;

	if (pb_rays_new(&c->m, false, &r) != PB_OK)
		bench_stop("out of memory");
	c->scan[i] = (struct pb_scan){.angle_min = -PB_PI / 2,
	    .inc = PB_PI / (2 * BEAMS),
	    .range_max = 30,
	    .range = c->range[i],
	    .n = (size_t)2 * BEAMS};
	pb_ray_scan(r, p, c->scan[i].angle_min, c->scan[i].inc, c->scan[i].n,
	    30, c->range[i]);
	pb_rays_free(r);
}

static void
cloud_init(struct cloud *c)
{
	struct pb_loc_world w = {.map = &c->m};
	struct pb_pose p;
	struct pb_rng r;

	bench_house(400, &c->m);
	pb_localizer_defaults(&pb_loc_mcl, &c->o);
	if (pb_loc_mcl.learn(&pb_loc_mcl, &w, &c->o, &c->model) != PB_OK)
		bench_stop("cannot learn a house");
	c->mem = malloc(pb_localizer_memory(&pb_loc_mcl, c->model));
	if (c->mem == NULL)
		bench_stop("out of memory");
	c->start = (struct pb_loc_start){.kind = PB_LOC_ANYWHERE, .seed = 1};
	pb_loc_mcl.reset(c->mem, c->model, &c->start);
	pb_rng_start(&r, 1, 0, PB_FOR_SENSOR, 0);
	for (int i = 0; i < BEAMS; i++)
		c->end[i] = (struct pb_vec){
		    pb_rng_between(&r, -4, 4), pb_rng_between(&r, -4, 4)};
	for (int i = 0; i < PARTICLES; i++)
		c->at[i] = PB_MCL_ARRAY(c->mem, (struct pb_mcl_model *)c->model,
		    struct pb_mcl_particle, particle)[i]
		               .at;
	p = pb_likelihood_from(
	    &((struct pb_mcl_model *)c->model)->field, c->at[0]);
	look(c, p, 0);
	p.th = pb_wrap(p.th + TURN);
	look(c, p, 1);
}

static double
weigh(void *arg)
{
	struct cloud *c = arg;
	struct pb_mcl_model *k = c->model;

	for (int i = 0; i < PARTICLES; i++)
		c->sink +=
		    pb_likelihood_cost(&k->field, c->at[i], c->end, BEAMS);
	return (double)PARTICLES * BEAMS;
}

static double
resample(void *arg)
{
	struct cloud *c = arg;
	struct pb_mcl_model *k = c->model;
	struct pb_mcl_particle *p =
	    PB_MCL_ARRAY(c->mem, k, struct pb_mcl_particle, particle);

	for (int i = 0; i < MANY; i++)
		p[i].w = 1.0 / MANY;
	pb_mcl_resample(c->mem, k, MANY);
	return 1;
}

/* Tracking: the robot turns to and fro, a scan after each turn. */
static double
update(void *arg)
{
	struct cloud *c = arg;

	c->turn = !c->turn;
	pb_loc_mcl.predict(
	    c->mem, c->model, (struct pb_pose){0, 0, c->turn ? TURN : 0});
	pb_loc_mcl.scan(c->mem, c->model, &c->scan[c->turn]);
	return 1;
}

static void
near(struct cloud *c, int n)
{
	struct pb_mcl_model *k = c->model;

	k->o.least = n;
	c->start.kind = PB_LOC_NEAR;
	c->start.pose = pb_likelihood_from(&k->field, c->at[0]);
	c->start.cov[0][0] = c->start.cov[1][1] = 0.01;
	c->start.cov[2][2] = 0.01;
	pb_loc_mcl.reset(c->mem, c->model, &c->start);
	c->turn = 1;
	for (int i = 0; i < 100; i++) /* until it trusts itself */
		update(c);
}

/* A whole search: the first scan of a robot that may be anywhere. */
static double
find(void *arg)
{
	struct cloud *c = arg;

	pb_loc_mcl.reset(c->mem, c->model, &c->start);
	pb_loc_mcl.scan(c->mem, c->model, &c->scan[0]);
	return 1;
}

void
bench_mcl(void)
{
	struct cloud *c = calloc(1, sizeof(*c));

	if (c == NULL)
		bench_stop("out of memory");
	cloud_init(c);
	bench_row("likelihood field, 60 beams, house 400 x 400",
	    "particle-beams", weigh, c);
	bench_row(
	    "resampling of 20,000, spread everywhere", "times", resample, c);
	bench_row("first scan anywhere, house 400 x 400", "scans", find, c);
	near(c, PARTICLES);
	bench_row("update with 2,000 particles, 120 beams", "scans", update, c);
	near(c, 500);
	bench_row("update with 500 particles, 120 beams", "scans", update, c);
	free(c->mem);
	pb_loc_mcl.forget(c->model);
	pb_map_clear(&c->m);
	free(c);
}
