/* fuse_spawn.c - new guesses from all over the maze. */
#include <math.h>

#include "base/elementary.h"
#include "localize/fuse.h"
#include "localize/square_ray.h"

/* Part of the body that is surely off a wall's corner. */
#define BODY 0.85

/* A place by readings may be so many sds outside of its region. */
#define OUTSIDE 2.0

/*
 * Coordinate along an axis by the reading of one sensor; one that is turned is
 * taken to see the wall that it would see straight ahead.
 */
static double
place(const struct pb_fuse_known *k, const struct pb_fuse_sense *s,
    const struct pb_region *r, const struct pb_tof *z, int i)
{
	double far = (z->r[i] - s->more + k->o.radius) * pb_cos(z->turn[i]);

	return r->face[i] - pb_tof_sign(i) * far;
}

/* Density of the reading of sensor i from v; var: of v along it. */
static double
density(const struct pb_fuse_known *k, const struct pb_fuse_sense *s,
    const struct pb_region *r, double v, double var, const struct pb_tof *z,
    int i)
{
	double far = pb_tof_sign(i) * (r->face[i] - v) / pb_cos(z->turn[i]);
	double h = far - k->o.radius + s->more, hit;

	if (h < -OUTSIDE * sqrt(var) - 0.05)
		return 0;
	h = fmax(h, 0);
	return pb_fuse_ray(
	    k, z->r[i], h, var + pb_fuse_var(s, h), k->o.blocked, NAN, &hit);
}

/*
 * The best place along axis a (0: x, 1: y) in a region: by one sensor, judged
 * by the other.
 *
 * Returns  the density of both readings there, 0 if there is none
 */
static double
best_place(const struct pb_fuse_known *k, const struct pb_fuse_sense *s,
    const struct pb_region *r, const struct pb_tof *z, int a, double *at,
    double *var)
{
	double best = 0;

	for (int i = a; i < PB_TOF; i += 2) {
		int o = i ^ 2;
		double v, sd2, like = 1 - k->o.blocked - k->o.odd;

		if (!pb_tof_heard(z->r[i]))
			continue;
		v = place(k, s, r, z, i);
		sd2 = pb_fuse_var(s, z->r[i]);
		if (v < r->lo[a] - OUTSIDE * sqrt(sd2) ||
		    v > r->hi[a] + OUTSIDE * sqrt(sd2))
			continue;
		if (!(z->r[o] < 0))
			like *= density(k, s, r, v, sd2, z, o);
		if (like > best) {
			best = like;
			*at = v;
			*var = sd2;
		}
	}
	return best;
}

static void
spawn_in(struct pb_fuse *f, const struct pb_fuse_known *k,
    const struct pb_region *r, const struct pb_tof *z, double part)
{
	struct pb_fuse_guess q = {.fit = 0.5};
	double x, y;

	x = best_place(k, &f->sense, r, z, 0, &q.x[0], &q.p[0][0]);
	if (!(x > 0))
		return;
	y = best_place(k, &f->sense, r, z, 1, &q.x[1], &q.p[1][1]);
	if (!(y > 0) || pb_fuse_find(f, f->n, &q) >= 0 ||
	    pb_square_touch(
		&k->g, (struct pb_vec){q.x[0], q.x[1]}, BODY * k->o.radius))
		return;
	q.p[2][2] = k->o.bias * k->o.bias;
	if (f->n > 0)
		q.x[2] = f->at[0].x[2];
	q.lw = part * (pb_log(x * y) - k->log_cells);
	q.lw += f->heard ? pb_log(k->o.kidnap) : 0;
	if (f->seen)
		q.lw += pb_fuse_seen(f, k, &q);
	pb_fuse_add(f, &q);
}

void
pb_fuse_spawn(struct pb_fuse *f, const struct pb_fuse_known *k,
    const struct pb_tof *z, double part, int from, int n)
{
	for (int i = 0; i < n && i < k->g.n; i++)
		spawn_in(f, k, &k->g.at[(from + i) % k->g.n], z, part);
}
