/* cloud.c - the particles of the published filter: one tick of them. */
#include "localize/cloud.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "localize/square_ray.h"

/* More beams of a scan than this are not heard. */
#define BEAMS 64

size_t
pb_cloud_bytes(size_t n)
{
	return n * (2 * sizeof(struct pb_pose) + sizeof(double)) +
	       pb_alias_bytes(n);
}

struct pb_cloud
pb_cloud_in(void *mem, size_t n)
{
	struct pb_cloud p = {.n = n, .at = mem};

	p.spare = p.at + n;
	p.weight = (double *)(void *)(p.spare + n);
	p.alias = pb_alias_in(p.weight + n, n);
	return p;
}

/* Anywhere: evenly over the cells to walk on, any heading. */
static struct pb_pose
anywhere(const struct pb_cloud_known *k, struct pb_rng *r)
{
	uint32_t i = pb_rng_below(r, (uint32_t)k->c->n);
	struct pb_pose p;

	p.x = k->c->cell[i].row + pb_rng_between(r, -0.5, 0.5);
	p.y = k->c->cell[i].col + pb_rng_between(r, -0.5, 0.5);
	p.th = pb_rng_between(r, -PB_PI, PB_PI);
	return p;
}

/* Particle i when there are i: mostly near one of them. */
static struct pb_pose
fill_up(const struct pb_cloud *c, const struct pb_cloud_known *k, size_t i,
    struct pb_rng *r)
{
	double s = k->o.spread;
	struct pb_pose p;

	if (i == 0 || pb_rng_unit(r) >= k->o.near)
		return anywhere(k, r);
	p = c->at[pb_rng_below(r, (uint32_t)i)];
	p.x += pb_rng_between(r, -s, s);
	p.y += pb_rng_between(r, -s, s);
	p.th = pb_wrap(p.th + pb_rng_between(r, -s, s));
	return p;
}

/* Beyond all mazes it does not matter how far. */
static double
near_maze(double x)
{
	return fmin(fmax(x, -PB_MAZE_SIDE), 2 * PB_MAZE_SIDE);
}

static struct pb_pose
near_start(const struct pb_cloud_known *k, const struct pb_loc_start *s,
    struct pb_rng *r)
{
	double x = sqrt(fmax(s->cov[0][0], 0)) * pb_rng_normal(r);
	double y = sqrt(fmax(s->cov[1][1], 0)) * pb_rng_normal(r);
	double th = sqrt(fmax(s->cov[2][2], 0)) * pb_rng_normal(r);

	return (struct pb_pose){near_maze((s->pose.x + x) / k->cell),
	    near_maze((s->pose.y + y) / k->cell), pb_wrap(s->pose.th + th)};
}

void
pb_cloud_start(struct pb_cloud *p, const struct pb_cloud_known *k,
    const struct pb_loc_start *s, struct pb_rng *r)
{
	for (size_t i = 0; i < p->n; i++)
		p->at[i] = s->kind == PB_LOC_NEAR ? near_start(k, s, r)
		                                  : fill_up(p, k, i, r);
}

/* Go to q, but no further than the rim comes to a wall. */
static struct pb_pose
go(const struct pb_cloud_known *k, struct pb_pose p, struct pb_pose q)
{
	double dx = q.x - p.x, dy = q.y - p.y, d = pb_hypot(dx, dy), room;

	if (!(d > 0))
		return q;
	room = pb_square_ray(
		   &k->g, pb_pose_vec(p), dx / d, dy / d, d + k->o.radius) -
	       k->o.radius;
	if (room < d) {
		room = fmax(room, 0) / d;
		q.x = p.x + dx * room;
		q.y = p.y + dy * room;
	}
	return q;
}

void
pb_cloud_move(struct pb_cloud *p, const struct pb_cloud_known *k,
    struct pb_pose by, struct pb_rng *r)
{
	const struct pb_particle_opts *o = &k->o;
	double sd = (o->move_sd * pb_hypot(by.x, by.y) / o->tick +
			o->turn_sd * fabs(by.th) / o->tick + o->sd) *
	            sqrt(o->tick);
	double taken = 1 - pb_exp(-o->kidnaps * o->tick);

	for (size_t i = 0; i < p->n; i++) {
		struct pb_pose u = by;

		if (pb_rng_unit(r) < taken) {
			p->at[i] = anywhere(k, r);
			continue;
		}
		u.x += sd * pb_rng_normal(r);
		u.y += sd * pb_rng_normal(r);
		u.th += sd * pb_rng_normal(r);
		p->at[i] = go(k, p->at[i], pb_pose_compose(p->at[i], u));
	}
}

/* The beams that were read, as seen by the robot. */
struct beams {
	int n;
	double ux[BEAMS], uy[BEAMS]; /* unit vectors */
	double range[BEAMS];         /* (cells) */
};

static void
take_beams(
    struct beams *b, const struct pb_cloud_known *k, const struct pb_scan *z)
{
	double out = z->radius > 0 ? z->radius / k->cell - k->o.ring : 0;

	b->n = 0;
	for (size_t i = 0; i < z->n && b->n < BEAMS; i++) {
		double a = z->angle_min + (double)i * z->inc;
		double r = z->range[i];

		if (r < 0)
			continue;
		b->ux[b->n] = pb_cos(a);
		b->uy[b->n] = pb_sin(a);
		/* fmin() takes the number of a number and NAN. */
		b->range[b->n++] = fmin(r / k->cell + out, k->o.reach);
	}
}

static double
predicted(
    const struct pb_cloud_known *k, struct pb_pose p, double ux, double uy)
{
	struct pb_vec from = {p.x + k->o.ring * ux, p.y + k->o.ring * uy};
	double r = pb_square_ray(&k->g, from, ux, uy, k->o.reach);

	return nearbyint(r / k->o.quantum) * k->o.quantum;
}

/* Log of the weight; the sensors' errors are Laplace's. */
static double
log_weight(const struct pb_cloud_known *k, const struct beams *b,
    struct pb_tof_cell fix, struct pb_pose p)
{
	double c = pb_cos(p.th), s = pb_sin(p.th), sum = 0;
	double scale = k->o.range_sd / sqrt(2);

	if (pb_square_touch(&k->g, pb_pose_vec(p), k->o.body * k->o.radius))
		return -INFINITY;
	for (int i = 0; i < b->n; i++) {
		double ux = c * b->ux[i] - s * b->uy[i];
		double uy = s * b->ux[i] + c * b->uy[i];

		sum -= fabs(b->range[i] - predicted(k, p, ux, uy)) / scale;
	}
	if (fix.known) {
		double dx = (p.x - fix.row) / k->o.cv_sd;
		double dy = (p.y - fix.col) / k->o.cv_sd;

		sum -= (dx * dx + dy * dy) / 2;
	}
	return sum;
}

long
pb_cloud_weigh(struct pb_cloud *p, const struct pb_cloud_known *k,
    const struct pb_scan *z, struct pb_tof_cell fix)
{
	struct beams b;
	double most = -INFINITY;
	long heaviest = -1;

	take_beams(&b, k, z);
	for (size_t i = 0; i < p->n; i++) {
		p->weight[i] = log_weight(k, &b, fix, p->at[i]);
		if (p->weight[i] > most) {
			most = p->weight[i];
			heaviest = (long)i;
		}
	}
	for (size_t i = 0; i < p->n && heaviest >= 0; i++)
		p->weight[i] = pb_exp(p->weight[i] - most);
	return heaviest;
}

/* Whether particle i is part of the answer. */
static bool
counts(const struct pb_cloud *p, const struct pb_cloud_known *k, size_t i,
    long heaviest)
{
	return k->o.mean == PB_PARTICLE_ALL ||
	       pb_dist(pb_pose_vec(p->at[i]), pb_pose_vec(p->at[heaviest])) <=
	           1;
}

struct pb_cloud_guess
pb_cloud_guess(
    const struct pb_cloud *p, const struct pb_cloud_known *k, long heaviest)
{
	struct pb_cloud_guess g = {{0}};
	double sum = 0, c = 0, s = 0;

	for (size_t i = 0; i < p->n; i++) {
		double w = p->weight[i];

		if (!counts(p, k, i, heaviest))
			continue;
		sum += w;
		g.mean.x += w * p->at[i].x;
		g.mean.y += w * p->at[i].y;
		c += w * pb_cos(p->at[i].th);
		s += w * pb_sin(p->at[i].th);
	}
	g.mean =
	    (struct pb_pose){g.mean.x / sum, g.mean.y / sum, pb_atan2(s, c)};
	for (size_t i = 0; i < p->n; i++) {
		double d[3] = {p->at[i].x - g.mean.x, p->at[i].y - g.mean.y,
		    pb_wrap(p->at[i].th - g.mean.th)};

		if (!counts(p, k, i, heaviest))
			continue;
		for (int a = 0; a < 3; a++)
			for (int e = 0; e < 3; e++)
				g.cov[a][e] += p->weight[i] / sum * d[a] * d[e];
	}
	return g;
}

void
pb_cloud_resample(struct pb_cloud *p, struct pb_rng *r)
{
	if (!pb_alias_fill(&p->alias, p->weight))
		return;
	for (size_t i = 0; i < p->n; i++)
		p->spare[i] = p->at[pb_alias_draw(&p->alias, r)];
	memcpy(p->at, p->spare, p->n * sizeof(p->at[0]));
}
