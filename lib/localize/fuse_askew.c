/* fuse_askew.c - ranges of a robot that is not held along the axes. */
#include <math.h>

#include "base/elementary.h"
#include "localize/fuse.h"
#include "localize/square_ray.h"

/* No ray is longer (cells). */
#define LONG (2.0 * PB_MAZE_SIDE)

/*
 * Beside a ray, so many sds of the place off, another wall may be the one that
 * is seen: each side has this share then.
 */
#define BESIDE 1.5
#define SHARE  0.2

/* Walls' edges are known to this (cells). */
#define EDGE_SD 0.02

/* Errors of the compass that are compared are so far apart (rad). */
#define COMPASS_STEP 0.04

/* Evidence of whole scans that they are compared by, and how much it takes. */
#define COMPASS_SCANS 50.0
#define COMPASS_SURE  4.0 /* (nats) */

/* A ray of a sensor, where it ends, and what it should read. */
struct ray {
	double ux, uy; /* direction */
	int axis;      /* of the wall */
	double wall;   /* its coordinate on that axis (cells) */
	double h;      /* reading (cells) */
};

static struct ray
cast(const struct pb_fuse_known *k, const struct pb_fuse_sense *s,
    struct pb_vec v, double ux, double uy)
{
	struct ray r = {ux, uy, 0, 0, 0};
	double t = pb_square_hit(&k->g, v, ux, uy, LONG, &r.axis);

	r.wall = r.axis == 0 ? v.x + ux * t : v.y + uy * t;
	r.h = fmax(t - k->o.radius + s->more, 0);
	return r;
}

static double
along_of(const struct ray *r)
{
	return r->axis == 0 ? r->ux : r->uy;
}

static struct ray
cast_turned(const struct pb_fuse_known *k, const struct pb_fuse_sense *s,
    struct pb_vec v, int i, double turn)
{
	double th = i * (PB_PI / 2) + turn;

	return cast(k, s, v, pb_cos(th), pb_sin(th));
}

double
pb_fuse_expect(const struct pb_fuse_known *k, const struct pb_fuse_sense *s,
    struct pb_vec v, int i, double turn, int *axis, double *along)
{
	struct ray r;

	if (fabs(turn) < PB_FUSE_ALIGNED) {
		*axis = i & 1;
		*along = pb_tof_sign(i);
		return pb_regions_ray(&k->g, v, i) - k->o.radius + s->more;
	}
	r = cast_turned(k, s, v, i, turn);
	*axis = r.axis;
	*along = along_of(&r);
	return r.h;
}

/* Density of reading z of a ray, a guess's place being uncertain. */
static double
density(const struct pb_fuse_known *k, const struct pb_fuse_sense *s,
    const struct pb_fuse_guess *q, const struct ray *r, double z, int i,
    double *hit)
{
	double a = along_of(r), var = q->p[r->axis][r->axis] / (a * a);

	return pb_fuse_ray(k, z, r->h, var + pb_fuse_var(s, r->h),
	    pb_fuse_blocked(k, q, i), s->last[i], hit);
}

/* The same wall, or one in line with it. */
static bool
same_wall(const struct ray *a, const struct ray *b)
{
	return a->axis == b->axis && fabs(a->wall - b->wall) < 1e-6;
}

double
pb_fuse_hear_askew(struct pb_fuse_guess *q, const struct pb_fuse_known *k,
    const struct pb_fuse_sense *s, const struct pb_tof *z, int i, double *hit)
{
	struct pb_vec v = {q->x[0], q->x[1]};
	struct ray r = cast_turned(k, s, v, i, z->turn[i]);
	double var = r.uy * r.uy * q->p[0][0] + r.ux * r.ux * q->p[1][1];
	double by = BESIDE * sqrt(var + EDGE_SD * EDGE_SD), a = along_of(&r);
	double own = density(k, s, q, &r, z->r[i], i, hit);
	double sum = own, other = 0, unused, sd;

	for (int side = -1; side <= 1; side += 2) {
		struct pb_vec w = {
		    v.x - side * by * r.uy, v.y + side * by * r.ux};
		struct ray n = cast(k, s, w, r.ux, r.uy);

		if (same_wall(&r, &n) || pb_region_of(&k->g, w) < 0)
			continue;
		sum -= SHARE * own;
		other += SHARE * density(k, s, q, &n, z->r[i], i, &unused);
	}
	*hit *= sum / (sum + other);
	sd = sqrt(pb_fuse_var(s, r.h)) * fabs(a);
	if (!isnan(z->r[i]))
		pb_fuse_pull(q, r.axis, a * (r.h - z->r[i]), sd * sd, *hit);
	q->blocked[i] = z->r[i] < r.h ? 1 - *hit : 0;
	return sum + other;
}

/* Log of the density of a scan from q, its beams turned by `by` more. */
static double
fit_of(const struct pb_fuse_known *k, const struct pb_fuse_sense *s,
    const struct pb_fuse_guess *q, const struct pb_tof *z, double by)
{
	struct pb_vec v = {q->x[0], q->x[1]};
	double sum = 0, hit;

	for (int i = 0; i < PB_TOF; i++) {
		struct ray r;

		if (z->r[i] < 0)
			continue;
		r = cast_turned(k, s, v, i, z->turn[i] + by);
		sum += pb_log(density(k, s, q, &r, z->r[i], i, &hit));
	}
	return sum;
}

/* The best of the errors compared, between them by a parabola. */
static double
best_error(const double *fit)
{
	int best = PB_FUSE_COMPASS / 2;
	double a, b, c, by = 0;

	for (int i = 0; i < PB_FUSE_COMPASS; i++)
		if (fit[i] > fit[best])
			best = i;
	if (fit[best] - fit[PB_FUSE_COMPASS / 2] < COMPASS_SURE)
		return 0;
	if (best > 0 && best < PB_FUSE_COMPASS - 1) {
		a = fit[best - 1], b = fit[best], c = fit[best + 1];
		by = (a - c) / (2 * (a - 2 * b + c));
	}
	return COMPASS_STEP * (best - PB_FUSE_COMPASS / 2 + by);
}

void
pb_fuse_learn_compass(struct pb_fuse_sense *s, const struct pb_fuse_known *k,
    const struct pb_fuse_guess *q, const struct pb_tof *z, double part)
{
	struct pb_vec v = {q->x[0], q->x[1]};

	if (pb_region_of(&k->g, v) < 0)
		return;
	for (int i = 0; i < PB_FUSE_COMPASS; i++) {
		double error = COMPASS_STEP * (i - PB_FUSE_COMPASS / 2);

		s->shows[i] *= 1 - part / COMPASS_SCANS;
		s->shows[i] += part * fit_of(k, s, q, z, s->compass - error);
	}
	s->compass = best_error(s->shows);
}
