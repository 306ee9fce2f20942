/* particle.c - the published particle filter for mazes. */
#include "localize/particle.h"

#include <stdlib.h>

#include "base/elementary.h"
#include "localize/cloud.h"

/* Surer than half a cell (cells): the answer names one cell. */
#define SURE 0.5

static void
defaults(void *opts)
{
	*(struct pb_particle_opts *)opts = (struct pb_particle_opts){
	    .particles = 50000,
	    .tick = 1.0 / 60,
	    .radius = PB_TOF_RADIUS,
	    .ring = PB_TOF_RADIUS,
	    .reach = 0.255,
	    .kidnaps = 50,
	    .cv_sd = 1,
	    .range_sd = 1,
	    .move_sd = 0.01,
	    .turn_sd = 0.02,
	    .sd = 0.02,
	    .near = 0.99,
	    .spread = 0.3,
	    .body = 0.9,
	    .quantum = 0.001,
	    .mean = PB_PARTICLE_ALL,
	};
}

#define PB_PARAMS_OF struct pb_particle_opts

static const struct pb_param params_of[] = {
    PB_COUNT("particles", particles, "", 1, 1000000, "how many"),
    PB_REAL("tick", tick, "s", 1e-6, 100, "from scan to scan"),
    PB_REAL("radius", radius, "m", 0, 1, "of the robot"),
    PB_REAL("ring", ring, "m", 0, 1, "from the robot's middle to its sensors"),
    PB_REAL("reach", reach, "m", 0, 100, "a sensor reads at most"),
    PB_REAL("kidnaps", kidnaps, "1/s", 0, 1e6,
	"how often a particle is put anywhere"),
    PB_REAL("cv-sd", cv_sd, "cells", 1e-6, 1000, "of the camera"),
    PB_REAL("range-sd", range_sd, "cells", 1e-6, 1000, "of a range"),
    PB_REAL("move-sd", move_sd, "s", 0, 100,
	"of motion, per speed, per root of a second"),
    PB_REAL("turn-sd", turn_sd, "s", 0, 100,
	"of motion, per turn rate, per root of a second"),
    PB_REAL(
	"sd", sd, "cells", 0, 100, "of motion, always, per root of a second"),
    PB_REAL("near", near, "", 0, 1,
	"part of new particles that appear near another"),
    PB_REAL("spread", spread, "cells", 0, 100, "how near to it, either way"),
    PB_REAL("body", body, "", 0, 1,
	"part of the radius that must be off the walls"),
    PB_REAL("quantum", quantum, "m", 1e-9, 1,
	"predicted readings are rounded to this"),
    PB_CHOICE("mean", mean, "all|peak",
	"the answer is the mean of all, or around the heaviest"),
};

static const struct pb_param *
params(size_t *n)
{
	*n = sizeof(params_of) / sizeof(*params_of);
	return params_of;
}

/* One robot; its particles follow. */
struct mind {
	struct pb_pose odom, last; /* now, at the last scan (m) */
	bool began;                /* both hold */
	struct pb_tof_cell fix;
	struct pb_rng rng;
	struct pb_cloud_guess guess;
	bool fits; /* the guess is of a scan that fitted somewhere */
};

static size_t
head(void)
{
	return (sizeof(struct mind) + 15) / 16 * 16;
}

static size_t
memory(const void *known)
{
	const struct pb_cloud_known *k = known;

	return head() + pb_cloud_bytes((size_t)k->o.particles);
}

static struct pb_cloud
cloud_of(const struct pb_cloud_known *k, void *mem)
{
	return pb_cloud_in((char *)mem + head(), (size_t)k->o.particles);
}

static enum pb_status
learn(const struct pb_loc_world *w, const void *opts, void **known)
{
	struct pb_cloud_known *k;
	enum pb_status s;
	size_t n;
	const struct pb_param *all = params(&n);

	if (pb_params_check(all, n, opts) != NULL)
		return PB_EVALUE;
	if ((s = pb_tof_world(w)) != PB_OK)
		return s;
	if ((k = malloc(sizeof(*k))) == NULL)
		return PB_ENOMEM;
	if ((s = pb_regions_init(&k->g, w->cells)) != PB_OK) {
		free(k);
		return s;
	}
	k->c = w->cells;
	k->o = *(const struct pb_particle_opts *)opts;
	k->cell = w->cell;
	k->o.radius /= w->cell;
	k->o.ring /= w->cell;
	k->o.reach /= w->cell;
	k->o.quantum /= w->cell;
	*known = k;
	return PB_OK;
}

static void
forget(void *known)
{
	struct pb_cloud_known *k = known;

	if (k != NULL)
		pb_regions_clear(&k->g);
	free(k);
}

static void
reset(void *mem, const void *known, const struct pb_loc_start *s)
{
	const struct pb_cloud_known *k = known;
	struct mind *m = mem;
	struct pb_cloud p = cloud_of(k, mem);

	*m = (struct mind){.fix = pb_tof_cell_start(s, k->cell)};
	pb_rng_start(&m->rng, s->seed, s->trial, PB_FOR_FILTER, 0);
	pb_cloud_start(&p, k, s, &m->rng);
	for (size_t i = 0; i < p.n; i++)
		p.weight[i] = 1;
	m->guess = pb_cloud_guess(&p, k, 0);
	m->fits = true;
}

static void
predict(void *mem, const void *known, struct pb_pose odom)
{
	struct mind *m = mem;

	(void)known;
	m->odom = odom;
	if (!m->began)
		m->last = odom;
	m->began = true;
}

static void
scan(void *mem, const void *known, const struct pb_scan *z)
{
	const struct pb_cloud_known *k = known;
	struct mind *m = mem;
	struct pb_cloud p = cloud_of(k, mem);
	struct pb_pose by = pb_pose_compose(pb_pose_inverse(m->last), m->odom);
	long heaviest;

	m->last = m->odom;
	/* Nobody drives through a maze between two scans: wheels reset. */
	if (!(pb_hypot(by.x, by.y) < PB_MAZE_SIDE * k->cell))
		by = (struct pb_pose){0};
	by.x /= k->cell;
	by.y /= k->cell;
	pb_cloud_move(&p, k, by, &m->rng);
	heaviest = pb_cloud_weigh(&p, k, z, m->fix);
	m->fits = heaviest >= 0;
	if (!m->fits)
		return;
	m->guess = pb_cloud_guess(&p, k, heaviest);
	pb_cloud_resample(&p, &m->rng);
}

static void
fix(void *mem, const void *known, const struct pb_loc_fix *f)
{
	const struct pb_cloud_known *k = known;
	struct mind *m = mem;

	m->fix = pb_tof_cell(f->at, k->cell);
}

/* Covariance of metres and radians from that of cells and radians. */
static void
scale(double from[3][3], double cell, double to[3][3])
{
	const double unit[3] = {cell, cell, 1};

	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			to[a][b] = from[a][b] * unit[a] * unit[b];
}

static void
estimate(const void *mem, const void *known, struct pb_belief *out)
{
	const struct pb_cloud_known *k = known;
	const struct mind *m = mem;
	struct pb_cloud_guess g = m->guess;

	*out = (struct pb_belief){.status = PB_LOC_LOST, .n = 1};
	out->at[0].weight = 1;
	out->at[0].pose =
	    (struct pb_pose){g.mean.x * k->cell, g.mean.y * k->cell, g.mean.th};
	scale(g.cov, k->cell, out->at[0].cov);
	if (m->fits)
		out->status = g.cov[0][0] + g.cov[1][1] < SURE * SURE
		                  ? PB_LOC_TRACKING
		                  : PB_LOC_AMBIGUOUS;
}

static size_t
particles(const void *mem, const void *known, struct pb_pose *out, size_t max)
{
	const struct pb_cloud_known *k = known;
	size_t n = (size_t)k->o.particles;
	size_t many = n < max ? n : max;
	const struct pb_pose *at =
	    (const struct pb_pose *)(const void *)((const char *)mem + head());

	for (size_t i = 0; i < many; i++) {
		struct pb_pose p = at[i * n / many];

		out[i] = (struct pb_pose){p.x * k->cell, p.y * k->cell, p.th};
	}
	return many;
}

const struct pb_localizer pb_loc_particle = {
    .name = "particle",
    .summary = "particles that are kidnapped all the time, and resampled",
    .places = PB_LOC_IN_MAZE,
    .params = params,
    .opts_size = sizeof(struct pb_particle_opts),
    .defaults = defaults,
    .learn = learn,
    .forget = forget,
    .memory = memory,
    .reset = reset,
    .predict = predict,
    .scan = scan,
    .fix = fix,
    .estimate = estimate,
    .particles = particles,
};
