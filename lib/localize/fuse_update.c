/*
 * fuse_update.c - one guess, moved by the wheels and corrected by ranges and
 * camera.
 */
#include <math.h>

#include "base/elementary.h"
#include "localize/fuse.h"
#include "localize/maze_rays.h"

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

/* Part of the hits that are noisier than the rest, and how much (sds). */
#define WIDE    0.1
#define WIDE_BY 4.0

/* Something in the way is there still in the next scan so often. */
#define STAYS 0.9

/* ... and then reads within this of before, half of the time (cells). */
#define STAYS_SD 0.3

/* An edge of a region nearer than so many sds may have been crossed. */
#define NEAR_EDGE 3.0

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

/* Of hits, some of them WIDE_BY times as wide, a power of 2: then a quotient
 * and a root do for both. */
static double
hits(double d, double var)
{
	double e = -d * d / (2 * var), root = sqrt(2 * PB_PI * var);
	/* Below that the sum is that of the wide ones to the last bit. */
	double most = e < -64 ? 0 : pb_exp(e) / root;

	return (1 - WIDE) * most +
	       WIDE * (pb_exp(e / (WIDE_BY * WIDE_BY)) / (WIDE_BY * root));
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
	double d = h - k->o.reach;

	/* Nearly always, and then it need not be worked out by how much. */
	if (d * d > 33 * var)
		return d > 0;
	d /= sqrt(2 * var);
	return d < -4 ? 0 : d > 4 ? 1 : pb_erfc(-d) / 2;
}

double
pb_fuse_ray(const struct pb_fuse_known *k, double z, double h, double var,
    double blocked, double stays, double *hit)
{
	double far = beyond(k, h, var), clear = 1 - blocked - k->o.odd;
	double odd = k->o.odd / 2; /* half of them are nothing in range */
	double is_hit, is_short = 0;

	*hit = 0;
	if (isnan(z))
		return clear * far + odd;
	is_hit = clear * (1 - far) * hits(z - h, var);
	if (z < h) {
		double room = fmax(fmin(h, k->o.reach), 0.5);

		is_short = stays < 0 ? blocked / room
		                     : blocked / 2 * (1 / room + stays);
	}
	odd /= k->o.reach;
	*hit = is_hit / (is_hit + is_short + odd);
	return is_hit + is_short + odd;
}

void
pb_fuse_compare(struct pb_fuse_sense *s, const double *z)
{
	for (int i = 0; i < PB_TOF; i++) {
		s->stays[i] =
		    pb_tof_heard(s->last[i])
			? normal(z[i] - s->last[i], STAYS_SD * STAYS_SD)
			: -1;
		s->last[i] = z[i];
	}
}

void
pb_fuse_move(
    struct pb_fuse_guess *q, const struct pb_fuse_known *k, struct pb_vec d)
{
	const double by[2] = {d.x, d.y};
	double way = pb_hypot(d.x, d.y), slip = k->o.slip * way;

	for (int a = 0; a < 2; a++)
		q->x[a] += by[a] * (1 + q->x[2]);
	/* Kalman's prediction, p = F p F' with F = 1 but for d in column 3. */
	for (int a = 0; a < 2; a++)
		for (int j = 0; j < 3; j++)
			q->p[a][j] += by[a] * q->p[2][j];
	for (int a = 0; a < 2; a++)
		for (int i = 0; i < 3; i++)
			q->p[i][a] += by[a] * q->p[i][2];
	for (int a = 0; a < 2; a++)
		q->p[a][a] += slip * slip + k->o.walk * way;
}

/*
 * Coordinate a (0: x, 1: y) turns out to be `by` more, with variance var; what
 * is correlated with it follows.
 */
static void
fuse_condition(struct pb_fuse_guess *q, int a, double by, double var)
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

/*
 * Move coordinate a by d, a hit of variance var (cells2) by chance `hit`.
 *
 * Probabilistic data association (Bar-Shalom and Tse, 1975): the mean moves by
 * the chance, and not knowing whether it should have makes it less sure.
 */
static void
fuse_pull(struct pb_fuse_guess *q, int a, double d, double var, double hit)
{
	double v = q->p[a][a], s = v + var, gain = v / s;
	double by = gain * d;

	fuse_condition(
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
	far = pb_region_at(&k->w.g, (int)floor(to[0]), (int)floor(to[1]));
	if (far < 0)
		return false;
	n = &k->w.g.at[far];
	e->other = pb_tof_sign(i) * (n->face[i] - q->x[i & 1]);
	return n->face[i] != r->face[i] && e->other >= 0;
}

/*
 * Coordinate c is below or above an edge, with the given likelihoods: mean and
 * variance of a normal distribution whose two parts were weighed (moments of
 * truncated normal distributions).
 *
 * Given    blur  variance of the edge (cells2)
 * Returns  the likelihood of both; *p_above: how likely c is above
 */
static double
fuse_side(struct pb_fuse_guess *q, int c, double edge, double blur,
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
	fuse_condition(q, c, mean * q->p[c][c] / sd,
	    q->p[c][c] * (1 + q->p[c][c] / var * (second - mean * mean - 1)));
	*p_above = w;
	return sum;
}

/* Chance that something is in the way of sensor i. */
static double
fuse_blocked(
    const struct pb_fuse_known *k, const struct pb_fuse_guess *q, int i)
{
	return k->o.blocked + (STAYS - k->o.blocked) * q->blocked[i];
}

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
	double t = pb_square_hit(&k->w.g, v, ux, uy, LONG, &r.axis);

	r.wall = r.axis == 0 ? v.x + ux * t : v.y + uy * t;
	t = t - k->o.radius + s->more;
	r.h = t > 0 ? t : 0;
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
	pb_pair u = pb_direction(i * (PB_PI / 2) + turn);

	return cast(k, s, v, u[0], u[1]);
}

double
pb_fuse_expect(const struct pb_fuse_known *k, const struct pb_fuse_sense *s,
    struct pb_vec v, int i, double turn, int *axis, double *along)
{
	struct ray r;

	if (fabs(turn) < PB_FUSE_ALIGNED) {
		*axis = i & 1;
		*along = pb_tof_sign(i);
		return pb_regions_ray(&k->w.g, v, i) - k->o.radius + s->more;
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
	    fuse_blocked(k, q, i), s->stays[i], hit);
}

/* The same wall, or one in line with it. */
static bool
same_wall(const struct ray *a, const struct ray *b)
{
	return a->axis == b->axis && fabs(a->wall - b->wall) < 1e-6;
}

/*
 * Correct q by the reading of sensor i of a robot that is held askew.
 *
 * Returns  density of the reading, and *hit: the chance that it is a hit
 */
static double
update_askew(struct pb_fuse_guess *q, const struct pb_fuse_known *k,
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

		if (same_wall(&r, &n) || pb_region_of(&k->w.g, w) < 0)
			continue;
		sum -= SHARE * own;
		other += SHARE * density(k, s, q, &n, z->r[i], i, &unused);
	}
	*hit *= sum / (sum + other);
	sd = sqrt(pb_fuse_var(s, r.h)) * fabs(a);
	if (!isnan(z->r[i]))
		fuse_pull(q, r.axis, a * (r.h - z->r[i]), sd * sd, *hit);
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

	if (pb_region_of(&k->w.g, v) < 0)
		return;
	for (int i = 0; i < PB_FUSE_COMPASS; i++) {
		double error = COMPASS_STEP * (i - PB_FUSE_COMPASS / 2);

		s->shows[i] *= 1 - part / COMPASS_SCANS;
		s->shows[i] += part * fit_of(k, s, q, z, s->compass - error);
	}
	s->compass = best_error(s->shows);
}

/* Correct q by the reading of sensor i; returns its density. */
static double
update_one(struct pb_fuse_guess *q, const struct pb_fuse_known *k,
    const struct pb_fuse_sense *s, const struct pb_region *r, double z, int i,
    double *hit)
{
	int a = i & 1;
	double at = pb_tof_sign(i) * (r->face[i] - q->x[a]);
	double h = fmax(at - k->o.radius + s->more, 0), var = pb_fuse_var(s, h);
	double blocked = fuse_blocked(k, q, i);
	double like, sure = 1;
	struct sides e;

	like =
	    pb_fuse_ray(k, z, h, var + q->p[a][a], blocked, s->stays[i], hit);
	if (find_edge(k, q, r, i, &e)) {
		double h2 = fmax(e.other - k->o.radius + s->more, 0), hit2;
		double var2 = pb_fuse_var(s, h2);
		double like2 = pb_fuse_ray(
		    k, z, h2, var2 + q->p[a][a], blocked, s->stays[i], &hit2);

		like = fuse_side(q, 1 - a, e.edge, EDGE_SD * EDGE_SD,
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
		fuse_pull(q, a, pb_tof_sign(i) * (h - z), var, sure * *hit);
	q->blocked[i] = z < h ? 1 - *hit : 0;
	return like;
}

/* The body cannot be in a wall: put it beside; returns log of the chance. */
static double
keep_out(struct pb_fuse_guess *q, const struct pb_fuse_known *k)
{
	struct pb_vec v = {q->x[0], q->x[1]};
	int n = pb_region_of(&k->w.g, v);
	double lost = 0;

	if (n < 0)
		return -50;
	for (int i = 0; i < PB_TOF; i++) {
		int a = i & 1, sign = pb_tof_sign(i);
		double room = sign * (k->w.g.at[n].face[i] - q->x[a]);
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
pb_fuse_update_tof(struct pb_fuse_guess *q, const struct pb_fuse_known *k,
    const struct pb_fuse_sense *s, const struct pb_tof *z, double part)
{
	double sum = keep_out(q, k), hits = 0;
	int heard = 0;

	for (int i = 0; i < PB_TOF; i++) {
		struct pb_vec v = {q->x[0], q->x[1]};
		int n = pb_region_of(&k->w.g, v);
		double hit, like;

		if (z->r[i] < 0)
			continue;
		if (n < 0) {
			heard++;
			continue;
		}
		like =
		    fabs(z->turn[i]) < PB_FUSE_ALIGNED
			? update_one(q, k, s, &k->w.g.at[n], z->r[i], i, &hit)
			: update_askew(q, k, s, z, i, &hit);
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

/* Where guesses are told apart the camera's cells are known to this (cells). */
#define BLUR 0.15

/* A delay as likely as this is known. */
#define KNOWN_LAG 0.5

/* Delays less likely than this are not looked at. */
#define UNLIKELY 1e-3

/* A cell like the one before says no more, but so much (part). */
#define SAME_NEWS 0.05

/* Chance that the delay changes, a fix. */
#define LAG_CHANGE 1e-3

/* Memory of how often the camera is wrong (fixes), and bounds of that. */
#define WRONG_FIXES 50.0
#define WRONG_MIN   0.02
#define WRONG_MAX   0.6

/*
 * An axis known worse than this takes the camera's word, and is not known
 * better by it: cells that follow each other err alike (cells2).
 */
#define UNSURE 0.15

/* Where the wheels were `lag` ticks ago, seen from now (cells). */
static struct pb_vec
back(const struct pb_fuse_trail *t, int now, int lag)
{
	const struct pb_vec *a, *b;
	int i = now - 1 - lag;

	if (t->n == 0)
		return (struct pb_vec){0, 0};
	if (i < 0)
		i = 0;
	if (i < t->n - PB_FUSE_TRAIL)
		i = t->n - PB_FUSE_TRAIL;
	a = &t->at[(t->n - 1) % PB_FUSE_TRAIL];
	b = &t->at[i % PB_FUSE_TRAIL];
	return (struct pb_vec){b->x - a->x, b->y - a->y};
}

/* Chance that a coordinate of that mean and variance is in a cell. */
static double
in_cell(double x, double var, int cell)
{
	double d = fabs(x - cell), s = sqrt(2 * (var + BLUR * BLUR));

	if (d > 0.5 + 3 * s)
		return 0;
	return (pb_erfc((d - 0.5) / s) - pb_erfc((d + 0.5) / s)) / 2;
}

/* Chance of the cell seen, if the camera is right and `lag` ticks late. */
static double
right(const struct pb_fuse *f, const struct pb_fuse_guess *q, int lag)
{
	struct pb_vec d = back(&f->trail, f->fix_at, lag);
	double x =
	    in_cell(q->x[0] + d.x * (1 + q->x[2]), q->p[0][0], f->fix.row);

	if (!(x > 0))
		return 0;
	return x *
	       in_cell(q->x[1] + d.y * (1 + q->x[2]), q->p[1][1], f->fix.col);
}

static double
right_at_any_lag(const struct pb_fuse *f, const struct pb_fuse_known *k,
    const struct pb_fuse_guess *q)
{
	double sum = 0;

	for (int i = 0; i <= k->o.delay; i++)
		if (f->sense.lag[i] > UNLIKELY)
			sum += f->sense.lag[i] * right(f, q, i);
	return sum;
}

double
pb_fuse_seen(const struct pb_fuse *f, const struct pb_fuse_known *k,
    const struct pb_fuse_guess *q)
{
	double any = f->sense.wrong * pb_exp(-k->w.log_cells);

	return pb_log((1 - f->sense.wrong) * right_at_any_lag(f, k, q) + any);
}

/* Learn from the heaviest guess how late the camera is, and how often wrong. */
static void
learn(struct pb_fuse *f, const struct pb_fuse_known *k)
{
	struct pb_fuse_sense *s = &f->sense;
	double any = s->wrong * pb_exp(-k->w.log_cells), sum = 0, good = 0;
	double change = LAG_CHANGE / (k->o.delay + 1);

	for (int i = 0; i <= k->o.delay; i++) {
		double p = (1 - s->wrong) * right(f, &f->at[0], i);

		good += s->lag[i] * p;
		s->lag[i] *= p + any;
		sum += s->lag[i];
	}
	for (int i = 0; i <= k->o.delay; i++)
		s->lag[i] = s->lag[i] / sum * (1 - LAG_CHANGE) + change;
	s->wrong += (any / (any + good) - s->wrong) / WRONG_FIXES;
	s->wrong = fmin(fmax(s->wrong, WRONG_MIN), WRONG_MAX);
}

static int
likeliest_lag(const struct pb_fuse *f, const struct pb_fuse_known *k)
{
	int best = 0;

	for (int i = 1; i <= k->o.delay; i++)
		if (f->sense.lag[i] > f->sense.lag[best])
			best = i;
	return best;
}

/*
 * A guess that hardly knows where it is goes where the camera says: its cell,
 * and the way since, whose mean and spread are those of the delays.
 */
static void
follow(const struct pb_fuse *f, const struct pb_fuse_known *k,
    struct pb_fuse_guess *q, int a)
{
	double mean = 0, second = 0, v = q->p[a][a], r, by;

	for (int i = 0; i <= k->o.delay && v > UNSURE; i++) {
		struct pb_vec d = back(&f->trail, f->fix_at, i);
		double way = a == 0 ? d.x : d.y;

		mean += f->sense.lag[i] * way;
		second += f->sense.lag[i] * way * way;
	}
	r = pb_tof_cell_var(BLUR) + second - mean * mean;
	by = (a == 0 ? f->fix.row : f->fix.col) - mean - q->x[a];
	if (v > UNSURE && by * by < 9 * (v + r))
		fuse_condition(
		    q, a, v / (v + r) * by, fmax(v * r / (v + r), UNSURE));
}

/*
 * The robot is in the cell or beyond its nearer edge, if the delay is known:
 * that counts when it has just crossed one.
 */
static void
take_edges(
    struct pb_fuse *f, const struct pb_fuse_known *k, struct pb_fuse_guess *q)
{
	const int cell[2] = {f->fix.row, f->fix.col};
	int lag = likeliest_lag(f, k);
	struct pb_vec b = back(&f->trail, f->fix_at, lag);
	const double d[2] = {b.x, b.y};
	double wrong = f->sense.wrong, above;

	if (f->sense.lag[lag] < KNOWN_LAG)
		return;
	for (int a = 0; a < 2; a++) {
		double by = d[a] * (1 + q->x[2]), slip = k->o.slip * d[a];
		double x = q->x[a] + by - cell[a], edge = x > 0 ? 0.5 : -0.5;
		double blur = k->o.edge * k->o.edge + slip * slip;
		double sd = sqrt(q->p[a][a] + blur);

		if (fabs(x - edge) < 4 * sd)
			fuse_side(q, a, cell[a] + edge - by, blur,
			    x > 0 ? 1 : wrong, x > 0 ? wrong : 1, &above);
	}
}

void
pb_fuse_update_fix(struct pb_fuse *f, const struct pb_fuse_known *k)
{
	double part = f->seen ? fmin(f->fix_gone + SAME_NEWS, 1) : 1;

	for (int i = 0; i < f->n; i++) {
		f->at[i].lw += part * pb_fuse_seen(f, k, &f->at[i]);
		follow(f, k, &f->at[i], 0);
		follow(f, k, &f->at[i], 1);
	}
	pb_fuse_tidy(f);
	if (f->heard && f->n > 0 && f->at[0].lw > pb_log(0.9) &&
	    f->at[0].fit > 0.3) {
		learn(f, k);
		take_edges(f, k, &f->at[0]);
	}
	f->seen = true;
	f->fix_gone = 0;
}
