/* particle.c - the published particle filter for mazes. */
#include "localize/methods.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "localize/gauss.h"
#include "localize/maze_rays.h"
#include "pb/rng.h"

/* Options and maze, shared by threads; lengths in cells. */
struct cloud_model {
	struct pb_lattice w;
	struct pb_particle_opts o; /* radius, ring, reach, quantum in cells */
};

/* The particles of one robot: borrowed lists of o.particles each. */
struct cloud {
	size_t n;
	struct pb_pose *at;    /* poses (cells, rad) */
	struct pb_pose *spare; /* poses being resampled */
	double *weight;
	struct pb_alias alias;
};

/*
 * work[] holds the unfinished columns: those below the mean from the front,
 * those above from the back. A small column is filled up from a large one,
 * which becomes small when it has given too much.
 */
bool
pb_alias_fill(struct pb_alias *a, const double *weight)
{
	size_t small = 0, large = a->n;
	double sum = 0;

	for (size_t i = 0; i < a->n; i++)
		sum += weight[i];
	if (!(sum > 0))
		return false;
	for (size_t i = 0; i < a->n; i++) {
		a->keep[i] = weight[i] * ((double)a->n / sum);
		a->other[i] = (uint32_t)i;
		a->work[a->keep[i] < 1 ? small++ : --large] = (uint32_t)i;
	}
	while (small > 0 && large < a->n) {
		uint32_t s = a->work[--small], l = a->work[large];

		a->other[s] = l;
		a->keep[l] -= 1 - a->keep[s];
		if (a->keep[l] < 1) {
			large++;
			a->work[small++] = l;
		}
	}
	/* The rest is 1 up to rounding. */
	while (small > 0)
		a->keep[a->work[--small]] = 1;
	return true;
}

uint32_t
pb_alias_draw(const struct pb_alias *a, struct pb_rng *r)
{
	uint32_t i = pb_rng_below(r, (uint32_t)a->n);

	return pb_rng_unit(r) < a->keep[i] ? i : a->other[i];
}

/* Most beams of a scan that are used. */
#define BEAMS 64

/* One robot; its particles follow. */
struct memory {
	struct pb_pose odom, last; /* odometry at the last scan */
	bool began;                /* both are set */
	struct pb_tof_cell fix;
	struct pb_rng rng;
	struct pb_hypothesis guess; /* mean of the particles (cells) */
	bool fits;                  /* the last scan fitted at some particle */
};

static size_t
more(const void *model)
{
	const struct cloud_model *k = model;

	return (size_t)k->o.particles *
	       (2 * sizeof(struct pb_pose) + 2 * sizeof(double) +
		   2 * sizeof(uint32_t));
}

static struct cloud
get_cloud(const struct cloud_model *k, void *mem)
{
	size_t n = (size_t)k->o.particles;
	struct cloud p = {.n = n, .at = (void *)((struct memory *)mem + 1)};

	p.spare = p.at + n;
	p.weight = (double *)(void *)(p.spare + n);
	p.alias = (struct pb_alias){.n = n, .keep = p.weight + n};
	p.alias.other = (uint32_t *)(void *)(p.alias.keep + n);
	p.alias.work = p.alias.other + n;
	return p;
}

/* Draw a pose uniformly over the open cells and all headings. */
static struct pb_pose
draw_anywhere(const struct cloud_model *k, struct pb_rng *r)
{
	uint32_t i = pb_rng_below(r, (uint32_t)k->w.c->n);
	struct pb_pose p;

	p.x = k->w.c->cell[i].row + pb_rng_between(r, -0.5, 0.5);
	p.y = k->w.c->cell[i].col + pb_rng_between(r, -0.5, 0.5);
	p.th = pb_rng_between(r, -PB_PI, PB_PI);
	return p;
}

/* Draw particle i: mostly near one of the i particles before it. */
static struct pb_pose
draw_added(const struct cloud *c, const struct cloud_model *k, size_t i,
    struct pb_rng *r)
{
	double s = k->o.spread;
	struct pb_pose p;

	if (i == 0 || pb_rng_unit(r) >= k->o.near)
		return draw_anywhere(k, r);
	p = c->at[pb_rng_below(r, (uint32_t)i)];
	p.x += pb_rng_between(r, -s, s);
	p.y += pb_rng_between(r, -s, s);
	p.th = pb_wrap(p.th + pb_rng_between(r, -s, s));
	return p;
}

static struct pb_pose
draw_near_start(
    const struct cloud_model *k, const struct pb_loc_start *s, struct pb_rng *r)
{
	double x = sqrt(fmax(s->cov[0][0], 0)) * pb_rng_normal(r);
	double y = sqrt(fmax(s->cov[1][1], 0)) * pb_rng_normal(r);
	double th = sqrt(fmax(s->cov[2][2], 0)) * pb_rng_normal(r);

	return (struct pb_pose){pb_tof_clamp((s->pose.x + x) / k->w.cell),
	    pb_tof_clamp((s->pose.y + y) / k->w.cell),
	    pb_wrap(s->pose.th + th)};
}

/* Draw all particles near the start, or as published one by one. */
static void
cloud_start(struct cloud *p, const struct cloud_model *k,
    const struct pb_loc_start *s, struct pb_rng *r)
{
	for (size_t i = 0; i < p->n; i++)
		p->at[i] = s->kind == PB_LOC_NEAR ? draw_near_start(k, s, r)
		                                  : draw_added(p, k, i, r);
}

/* Move from p to q, stopping where the rim touches a wall. */
static struct pb_pose
stop_at_wall(const struct cloud_model *k, struct pb_pose p, struct pb_pose q)
{
	double dx = q.x - p.x, dy = q.y - p.y, d = pb_hypot(dx, dy), room;

	if (!(d > 0))
		return q;
	room = pb_square_ray(&k->w.g, pb_pose_vec(p), dx / d, dy / d,
		   d + k->o.radius, NULL) -
	       k->o.radius;
	if (room < d) {
		room = fmax(room, 0) / d;
		q.x = p.x + dx * room;
		q.y = p.y + dy * room;
	}
	return q;
}

/*
 * Scatter some particles ("kidnapped"), and move the others up to walls.
 *
 * Given    by  motion since the last tick, in the robot's frame (cells)
 */
static void
cloud_move(struct cloud *p, const struct cloud_model *k, struct pb_pose by,
    struct pb_rng *r)
{
	const struct pb_particle_opts *o = &k->o;
	double sd = (o->move_sd * pb_hypot(by.x, by.y) / o->tick +
			o->turn_sd * fabs(by.th) / o->tick + o->sd) *
	            sqrt(o->tick);
	double taken = 1 - pb_exp(-o->kidnaps * o->tick);

	for (size_t i = 0; i < p->n; i++) {
		struct pb_pose u = by;

		if (pb_rng_unit(r) < taken) {
			p->at[i] = draw_anywhere(k, r);
			continue;
		}
		u.x += sd * pb_rng_normal(r);
		u.y += sd * pb_rng_normal(r);
		u.th += sd * pb_rng_normal(r);
		p->at[i] =
		    stop_at_wall(k, p->at[i], pb_pose_compose(p->at[i], u));
	}
}

/* The beams with readings, in the robot's frame. */
struct beams {
	int n;
	double ux[BEAMS], uy[BEAMS]; /* unit vectors */
	double range[BEAMS];         /* readings (cells) */
};

static void
read_beams(
    struct beams *b, const struct cloud_model *k, const struct pb_scan *z)
{
	double out = z->radius > 0 ? z->radius / k->w.cell - k->o.ring : 0;

	b->n = 0;
	for (size_t i = 0; i < z->n && b->n < BEAMS; i++) {
		double a = z->angle_min + (double)i * z->inc;
		double r = z->range[i];

		if (r < 0)
			continue;
		b->ux[b->n] = pb_cos(a);
		b->uy[b->n] = pb_sin(a);
		/* fmin() of a number and NAN is the number. */
		b->range[b->n++] = fmin(r / k->w.cell + out, k->o.reach);
	}
}

static double
expected_range(
    const struct cloud_model *k, struct pb_pose p, double ux, double uy)
{
	struct pb_vec from = {p.x + k->o.ring * ux, p.y + k->o.ring * uy};
	double r = pb_square_ray(&k->w.g, from, ux, uy, k->o.reach, NULL);

	return nearbyint(r / k->o.quantum) * k->o.quantum;
}

/* Log of the weight; sensor errors have a Laplace distribution. */
static double
log_weight(const struct cloud_model *k, const struct beams *b,
    struct pb_tof_cell fix, struct pb_pose p)
{
	double c = pb_cos(p.th), s = pb_sin(p.th), sum = 0;
	double scale = k->o.range_sd / sqrt(2);

	if (pb_square_touch(&k->w.g, pb_pose_vec(p), k->o.body * k->o.radius))
		return -INFINITY;
	for (int i = 0; i < b->n; i++) {
		double ux = c * b->ux[i] - s * b->uy[i];
		double uy = s * b->ux[i] + c * b->uy[i];

		sum -= fabs(b->range[i] - expected_range(k, p, ux, uy)) / scale;
	}
	if (fix.known) {
		double dx = (p.x - fix.row) / k->o.cv_sd;
		double dy = (p.y - fix.col) / k->o.cv_sd;

		sum -= (dx * dx + dy * dy) / 2;
	}
	return sum;
}

/*
 * Weigh the particles by a scan and the camera's cell, if known.
 *
 * Returns  false if all weights are 0
 */
static bool
cloud_weigh(struct cloud *p, const struct cloud_model *k,
    const struct pb_scan *z, struct pb_tof_cell fix)
{
	struct beams b;
	double most = -INFINITY;

	read_beams(&b, k, z);
	for (size_t i = 0; i < p->n; i++) {
		p->weight[i] = log_weight(k, &b, fix, p->at[i]);
		most = fmax(most, p->weight[i]);
	}
	for (size_t i = 0; i < p->n && most > -INFINITY; i++)
		p->weight[i] = pb_exp(p->weight[i] - most);
	return most > -INFINITY;
}

/* The weighted mean of all particles, also of several clusters. */
static struct pb_hypothesis
mean_pose(const struct cloud *p)
{
	struct pb_hypothesis g = {.weight = 1};
	double sum = 0, c = 0, s = 0;

	for (size_t i = 0; i < p->n; i++) {
		double w = p->weight[i];

		sum += w;
		g.pose.x += w * p->at[i].x;
		g.pose.y += w * p->at[i].y;
		c += w * pb_cos(p->at[i].th);
		s += w * pb_sin(p->at[i].th);
	}
	g.pose =
	    (struct pb_pose){g.pose.x / sum, g.pose.y / sum, pb_atan2(s, c)};
	for (size_t i = 0; i < p->n; i++) {
		double d[3];

		pb_gauss_diff(p->at[i], g.pose, d);
		for (int a = 0; a < 3; a++)
			for (int e = 0; e < 3; e++)
				g.cov[a][e] += p->weight[i] / sum * d[a] * d[e];
	}
	return g;
}

static void
cloud_resample(struct cloud *p, struct pb_rng *r)
{
	if (!pb_alias_fill(&p->alias, p->weight))
		return;
	for (size_t i = 0; i < p->n; i++)
		p->spare[i] = p->at[pb_alias_draw(&p->alias, r)];
	memcpy(p->at, p->spare, p->n * sizeof(p->at[0]));
}

/* Tracking needs a standard deviation below half a cell (cells). */
#define SURE 0.5

#define PB_PARAMS_OF struct pb_particle_opts

static const struct pb_param rows[] = {
    PB_COUNT(
	"particles", particles, "", 50000, 1, 1000000, "number of particles"),
    PB_REAL("tick", tick, "s", 1.0 / 60, 1e-6, 100, "from scan to scan"),
    PB_REAL("radius", radius, "m", PB_TOF_RADIUS, 0, 1, "radius of the robot"),
    PB_REAL("ring", ring, "m", PB_TOF_RADIUS, 0, 1,
	"from the robot's middle to its sensors"),
    PB_REAL("reach", reach, "m", 0.255, 0, 100, "a sensor reads at most"),
    PB_REAL("kidnaps", kidnaps, "1/s", 50, 0, 1e6,
	"how often a particle moves to a random place"),
    PB_REAL("cv-sd", cv_sd, "cells", 1, 1e-6, 1000,
	"standard deviation of the camera"),
    PB_REAL("range-sd", range_sd, "cells", 1, 1e-6, 1000,
	"standard deviation of a range"),
    PB_REAL("move-sd", move_sd, "s", 0.01, 0, 100,
	"standard deviation of motion, per speed and root of a second"),
    PB_REAL("turn-sd", turn_sd, "s", 0.02, 0, 100,
	"standard deviation of turns, per turn rate and root of a second"),
    PB_REAL("sd", sd, "cells", 0.02, 0, 100,
	"standard deviation of rest, per root of a second"),
    PB_REAL("near", near, "", 0.99, 0, 1,
	"part of new particles that appear near another"),
    PB_REAL("spread", spread, "cells", 0.3, 0, 100,
	"greatest distance from it along each axis"),
    PB_REAL("body", body, "", 0.9, 0, 1,
	"part of the radius that must be off the walls"),
    PB_REAL("quantum", quantum, "m", 0.001, 1e-9, 1,
	"predicted readings are rounded to this"),
};

static void
reset(void *mem, const void *model, const struct pb_loc_start *s)
{
	const struct cloud_model *k = model;
	struct memory *m = mem;
	struct cloud p = get_cloud(k, mem);

	*m = (struct memory){.fix = pb_tof_cell_start(s, k->w.cell)};
	pb_rng_start(&m->rng, s->seed, s->trial, PB_FOR_FILTER, s->which);
	cloud_start(&p, k, s, &m->rng);
	for (size_t i = 0; i < p.n; i++)
		p.weight[i] = 1;
	m->guess = mean_pose(&p);
	m->fits = true;
}

static void
predict(void *mem, const void *model, struct pb_pose odom)
{
	struct memory *m = mem;

	(void)model;
	m->odom = odom;
	if (!m->began)
		m->last = odom;
	m->began = true;
}

static void
scan(void *mem, const void *model, const struct pb_scan *z)
{
	const struct cloud_model *k = model;
	struct memory *m = mem;
	struct cloud p = get_cloud(k, mem);
	struct pb_pose by = pb_pose_into(m->last, m->odom);

	m->last = m->odom;
	/* A robot cannot cross the maze between two scans: the odometry was
	 * reset. */
	if (!(pb_hypot(by.x, by.y) < PB_MAZE_SIDE * k->w.cell))
		by = (struct pb_pose){0};
	by.x /= k->w.cell;
	by.y /= k->w.cell;
	cloud_move(&p, k, by, &m->rng);
	m->fits = cloud_weigh(&p, k, z, m->fix);
	if (!m->fits)
		return;
	m->guess = mean_pose(&p);
	cloud_resample(&p, &m->rng);
}

static void
fix(void *mem, const void *model, const struct pb_loc_fix *f)
{
	const struct cloud_model *k = model;
	struct memory *m = mem;

	m->fix = pb_tof_cell(f->at, k->w.cell);
}

static void
estimate(const void *mem, const void *model, struct pb_belief *out)
{
	const struct cloud_model *k = model;
	const struct memory *m = mem;
	const double unit[3] = {k->w.cell, k->w.cell, 1};
	struct pb_hypothesis *h = &out->at[0];

	*out = (struct pb_belief){.status = PB_LOC_LOST, .n = 1};
	*h = m->guess;
	if (m->fits)
		out->status = h->cov[0][0] + h->cov[1][1] < SURE * SURE
		                  ? PB_LOC_TRACKING
		                  : PB_LOC_AMBIGUOUS;
	h->pose.x *= k->w.cell;
	h->pose.y *= k->w.cell;
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			h->cov[a][b] = h->cov[a][b] * unit[a] * unit[b];
}

static size_t
particles(const void *mem, const void *model, struct pb_pose *out, size_t max)
{
	const struct cloud_model *k = model;
	size_t n = (size_t)k->o.particles;
	size_t many = n < max ? n : max;
	const struct pb_pose *at =
	    (const struct pb_pose *)((const struct memory *)mem + 1);

	for (size_t i = 0; i < many; i++) {
		struct pb_pose p = at[i * n / many];

		out[i] =
		    (struct pb_pose){p.x * k->w.cell, p.y * k->w.cell, p.th};
	}
	return many;
}

const struct pb_localizer pb_loc_particle = {
    .name = "particle",
    .summary = "particles that are kidnapped all the time, and resampled",
    .places = PB_LOC_IN_MAZE,
    .params = PB_PARAMS(rows),
    .opts_size = sizeof(struct pb_particle_opts),
    .learn = pb_lattice_learn,
    .forget = pb_lattice_forget,
    .mem_size = sizeof(struct memory),
    .more = more,
    .reset = reset,
    .predict = predict,
    .scan = scan,
    .fix = fix,
    .estimate = estimate,
    .particles = particles,
};
