/* fuse_hear.c - one guess, moved by the wheels and corrected by ranges. */
#include <math.h>

#include "base/elementary.h"
#include "localize/fuse.h"

/* Part of the hits that are noisier than the rest, and how much (sds). */
#define WIDE    0.1
#define WIDE_BY 4.0

/* Something in the way is there still in the next scan so often. */
#define STAYS 0.9

/* ... and then reads within this of before, half of the time (cells). */
#define STAYS_SD 0.3

/* An edge of a region nearer than so many sds may have been crossed. */
#define NEAR_EDGE 3.0

/* A wall's edge is known to this (cells). */
#define EDGE_SD 0.02

/* The body gives way by so much before a guess counts as in a wall (cells). */
#define SOFT 0.02

/* No coordinate is ever known better (cells2), wheels never worse (part). */
#define VAR_MIN  1e-8
#define BIAS_MAX 0.3

/* Memory of `fit`, scans. */
#define FIT_SCANS 8.0

static double
normal(double d, double var)
{
	return pb_exp(-d * d / (2 * var)) / sqrt(2 * PB_PI * var);
}

double
pb_fuse_var(const struct pb_fuse_sense *s, double h)
{
	return s->noise * s->noise * h * h + s->unit;
}

/* How likely a sensor does not see a wall at h: it is beyond its reach. */
static double
beyond(const struct pb_fuse_known *k, double h, double var)
{
	double d = (h - k->o.reach) / sqrt(2 * var);

	return d < -4 ? 0 : d > 4 ? 1 : pb_erfc(-d) / 2;
}

double
pb_fuse_ray(const struct pb_fuse_known *k, double z, double h, double var,
    double blocked, double last, double *hit)
{
	double far = beyond(k, h, var), clear = 1 - blocked - k->o.odd;
	double odd = k->o.odd / 2; /* half of them are nothing in range */
	double is_hit, is_short = 0;

	*hit = 0;
	if (isnan(z))
		return clear * far + odd;
	is_hit = clear * (1 - far) *
	         ((1 - WIDE) * normal(z - h, var) +
		     WIDE * normal(z - h, WIDE_BY * WIDE_BY * var));
	if (z < h) {
		double room = fmax(fmin(h, k->o.reach), 0.5);

		is_short = blocked / room;
		if (pb_tof_heard(last))
			is_short =
			    blocked / 2 *
			    (1 / room + normal(z - last, STAYS_SD * STAYS_SD));
	}
	odd /= k->o.reach;
	*hit = is_hit / (is_hit + is_short + odd);
	return is_hit + is_short + odd;
}

void
pb_fuse_move(
    struct pb_fuse_guess *q, const struct pb_fuse_known *k, struct pb_vec d)
{
	const double by[2] = {d.x, d.y};
	double way = pb_hypot(d.x, d.y), slip = k->o.slip * way;

	for (int a = 0; a < 2; a++)
		q->x[a] += by[a] * (1 + q->x[2]);
	/* p = F p F' with F = 1 but for d in the third column. */
	for (int a = 0; a < 2; a++)
		for (int j = 0; j < 3; j++)
			q->p[a][j] += by[a] * q->p[2][j];
	for (int a = 0; a < 2; a++)
		for (int i = 0; i < 3; i++)
			q->p[i][a] += by[a] * q->p[i][2];
	for (int a = 0; a < 2; a++)
		q->p[a][a] += slip * slip + k->o.walk * way;
}

void
pb_fuse_condition(struct pb_fuse_guess *q, int a, double by, double var)
{
	double gain[3], v = q->p[a][a];

	if (v <= VAR_MIN)
		return;
	var = fmax(var, VAR_MIN);
	for (int i = 0; i < 3; i++)
		gain[i] = q->p[i][a] / v;
	for (int i = 0; i < 3; i++) {
		q->x[i] += gain[i] * by;
		for (int j = 0; j < 3; j++)
			q->p[i][j] += gain[i] * gain[j] * (var - v);
	}
	q->x[2] = fmin(fmax(q->x[2], -BIAS_MAX), BIAS_MAX);
}

/* Probabilistic data association. */
void
pb_fuse_pull(struct pb_fuse_guess *q, int a, double d, double var, double hit)
{
	double v = q->p[a][a], s = v + var, gain = v / s;
	double by = gain * d;

	pb_fuse_condition(
	    q, a, hit * by, v - hit * gain * v + hit * (1 - hit) * by * by);
}

/* One side of an edge and the other. */
struct sides {
	double edge;  /* coordinate across the ray */
	bool above;   /* the mean is above it */
	double other; /* ray from there */
};

/*
 * The nearest edge of the region, across a ray along axis i, beyond which the
 * ray would be another.
 */
static bool
find_edge(const struct pb_fuse_known *k, const struct pb_fuse_guess *q,
    const struct pb_region *r, int i, struct sides *e)
{
	int c = 1 - (i & 1), far;
	double lo = q->x[c] - r->lo[c], hi = r->hi[c] - q->x[c];
	double most = NEAR_EDGE * sqrt(q->p[c][c] + EDGE_SD * EDGE_SD);
	double to[2] = {q->x[0], q->x[1]};
	const struct pb_region *n;

	e->above = lo < hi;
	if (fmin(lo, hi) > most)
		return false;
	e->edge = e->above ? r->lo[c] : r->hi[c];
	to[c] = e->edge + (e->above ? -0.5 : 0.5);
	far = pb_region_at(&k->g, (int)floor(to[0]), (int)floor(to[1]));
	if (far < 0)
		return false;
	n = &k->g.at[far];
	e->other = pb_tof_sign(i) * (n->face[i] - q->x[i & 1]);
	return n->face[i] != r->face[i] && e->other >= 0;
}

double
pb_fuse_side(struct pb_fuse_guess *q, int c, double edge, double blur,
    double below, double above, double *p_above)
{
	double var = q->p[c][c] + blur, sd = sqrt(var);
	double t = (edge - q->x[c]) / sd;
	double mass = fmin(fmax(pb_erfc(-t / sqrt(2)) / 2, 1e-9), 1 - 1e-9);
	double f = pb_exp(-t * t / 2) / sqrt(2 * PB_PI);
	double lo = -f / mass, hi = f / (1 - mass);
	double sum = mass * below + (1 - mass) * above, w, mean, second;

	w = (1 - mass) * above / sum;
	mean = (1 - w) * lo + w * hi;
	second = (1 - w) * (1 + t * lo) + w * (1 + t * hi);
	/* What is learned of c and the edge together is mostly about c. */
	pb_fuse_condition(q, c, mean * q->p[c][c] / sd,
	    q->p[c][c] * (1 + q->p[c][c] / var * (second - mean * mean - 1)));
	*p_above = w;
	return sum;
}

double
pb_fuse_blocked(
    const struct pb_fuse_known *k, const struct pb_fuse_guess *q, int i)
{
	return k->o.blocked + (STAYS - k->o.blocked) * q->blocked[i];
}

/* Correct q by the reading of sensor i; returns its density. */
static double
hear_one(struct pb_fuse_guess *q, const struct pb_fuse_known *k,
    const struct pb_fuse_sense *s, const struct pb_region *r, double z, int i,
    double *hit)
{
	int a = i & 1;
	double at = pb_tof_sign(i) * (r->face[i] - q->x[a]);
	double h = fmax(at - k->o.radius + s->more, 0), var = pb_fuse_var(s, h);
	double blocked = pb_fuse_blocked(k, q, i);
	double like, sure = 1;
	struct sides e;

	like = pb_fuse_ray(k, z, h, var + q->p[a][a], blocked, s->last[i], hit);
	if (find_edge(k, q, r, i, &e)) {
		double h2 = fmax(e.other - k->o.radius + s->more, 0), hit2;
		double var2 = pb_fuse_var(s, h2);
		double like2 = pb_fuse_ray(
		    k, z, h2, var2 + q->p[a][a], blocked, s->last[i], &hit2);

		like = pb_fuse_side(q, 1 - a, e.edge, EDGE_SD * EDGE_SD,
		    e.above ? like2 : like, e.above ? like : like2, &sure);
		if (!e.above)
			sure = 1 - sure;
		if (sure < 0.5) {
			sure = 1 - sure;
			h = h2, var = var2, *hit = hit2;
		}
	}
	/* A longer ray is a smaller coordinate along +x and +y. */
	if (!isnan(z))
		pb_fuse_pull(q, a, pb_tof_sign(i) * (h - z), var, sure * *hit);
	q->blocked[i] = z < h ? 1 - *hit : 0;
	return like;
}

/* The body cannot be in a wall: put it beside; returns log of the chance. */
static double
keep_out(struct pb_fuse_guess *q, const struct pb_fuse_known *k)
{
	struct pb_vec v = {q->x[0], q->x[1]};
	int n = pb_region_of(&k->g, v);
	double lost = 0;

	if (n < 0)
		return -50;
	for (int i = 0; i < PB_TOF; i++) {
		int a = i & 1, sign = pb_tof_sign(i);
		double room = sign * (k->g.at[n].face[i] - q->x[a]);
		double in = k->o.radius - room, sd2 = q->p[a][a];

		if (in <= 0)
			continue;
		q->x[a] -= sign * in;
		sd2 += SOFT * SOFT;
		lost -= in * in / (2 * sd2);
	}
	return lost;
}

void
pb_fuse_hear(struct pb_fuse_guess *q, const struct pb_fuse_known *k,
    const struct pb_fuse_sense *s, const struct pb_tof *z, double part)
{
	double sum = keep_out(q, k), hits = 0;
	int heard = 0;

	for (int i = 0; i < PB_TOF; i++) {
		struct pb_vec v = {q->x[0], q->x[1]};
		int n = pb_region_of(&k->g, v);
		double hit, like;

		if (z->r[i] < 0)
			continue;
		if (n < 0) {
			heard++;
			continue;
		}
		like = fabs(z->turn[i]) < PB_FUSE_ALIGNED
		           ? hear_one(q, k, s, &k->g.at[n], z->r[i], i, &hit)
		           : pb_fuse_hear_askew(q, k, s, z, i, &hit);
		sum += pb_log(like);
		if (!isnan(z->r[i])) {
			heard++;
			hits += hit;
		}
	}
	sum += keep_out(q, k);
	q->lw += part * sum;
	if (heard > 0)
		q->fit += (hits / heard - q->fit) / FIT_SCANS;
}
