/*
 * fuse.c - multi-hypothesis Kalman filter for a robot in a maze.
 *
 * The belief is a mixture of normal distributions of the place. Odometry
 * predicts each; every range corrects it by probabilistic data association (Y.
 * Bar-Shalom and E. Tse, Automatica 11, 1975) as a hit of the wall, an obstacle
 * before it, or an outlier; the likelihoods weigh the mixture. New hypotheses
 * come from inverting a scan in each region of the maze. The camera's cell is
 * compared with the place of a hypothesis when the picture was taken; the
 * camera's delay is estimated. Lengths in cells.
 */
#include "localize/fuse.h"

#include <math.h>

#include "base/elementary.h"
#include "localize/maze_rays.h"

/* The constants of this file were chosen by hand, not measured, unless they
 * name a source. pb-localizers(7) has measurements of the parts. */
#define MERGE_NEAR 0.35    /* nearer hypotheses are merged (cells) */
#define DROP_BELOW (-16.0) /* lighter hypotheses are dropped (log weight) */
#define SURE       0.95    /* least weight of a tracked hypothesis (share) */
#define STAYS      0.9     /* probability that an obstacle stays for a scan */
#define STAYS_SD   0.3     /* half of its readings repeat within this (cells) */
#define VAR_MIN    1e-8    /* least variance of a coordinate (cells2) */
#define BIAS_MAX   0.3     /* largest odometry bias (share) */

/* `fit`: share of the readings that are hits. */
#define FIT_SCANS 8.0  /* averaged over this many scans */
#define FITS      0.35 /* tracking above this fit */
#define WRONG     0.15 /* lost below this fit */

/* Weight of a scan's log likelihood: readings at one place share errors. */
#define EVIDENCE_WAY   0.25 /* full weight after this motion (cells) */
#define EVIDENCE_LEAST 0.05 /* weight without motion (share) */

/* Noise of ranges, by a stochastic median of misfits. */
#define NOISE_FROM 1.5   /* shorter ranges are not used (cells) */
#define NOISE_STEP 0.02  /* step of the median per reading (share) */
#define BY_MEDIAN  1.3   /* sd over median; 1.48 for a normal distribution */
#define NOISE_MIN  0.002 /* least noise (share of the range) */
#define NOISE_MAX  0.1   /* largest noise (share of the range) */

/* Compass error, by likelihood ratios. */
#define COMPASS_STEP  0.04 /* step of the estimate (rad) */
#define COMPASS_SURE  4.0  /* least log likelihood ratio for a step (nat) */
#define COMPASS_SCANS 50.0 /* summed over this many scans */

/* New hypotheses, one region a scan while tracking. */
#define ROUND   8    /* scans after which all regions were searched once */
#define OUTSIDE 2.0  /* most distance of a place from its region (sd) */
#define BODY    0.85 /* share of the robot's radius that must be free */

#define ALIGNED  0.01 /* beam taken as parallel to an axis (rad) */
#define WITHIN   (PB_PI / 4 + 1e-6) /* most angle between beam and axis (rad) */
#define RAY_MOST (2.0 * PB_MAZE_SIDE) /* longest ray (cells) */

/* Camera. */
#define LAG_LONGER  0.75 /* prior of a delay over that of one tick less */
#define LAG_CHANGE  1e-3 /* probability that the delay changes, per fix */
#define UNLIKELY    1e-3 /* delays below this probability are skipped */
#define KNOWN_LAG   0.5  /* probability of a known delay */
#define BLUR        0.15 /* standard deviation of cell edges (cells) */
#define WRONG_FIXES 50.0 /* share of wrong cells: averaged over these fixes */
#define WRONG_MIN   0.02 /* least probability of a wrong cell */
#define WRONG_MAX   0.6  /* largest probability of a wrong cell */

#define PB_PARAMS_OF struct pb_fuse_opts
static const struct pb_param rows[] = {
    PB_REAL("radius", radius, "m", PB_TOF_RADIUS, 0, 1,
	"from the robot's middle to its sensors"),
    PB_REAL("reach", reach, "m", 1.5, 0.01, 100, "a sensor reads at most"),
    PB_REAL("noise", noise, "", 0.02, NOISE_MIN, NOISE_MAX,
	"initial standard deviation of a range, as part of it"),
    PB_REAL("slip", slip, "", 0.03, 0, 1,
	"error of a step of the wheels, as part of it"),
    PB_REAL(
	"walk", walk, "m2/m", 3e-5, 0, 1, "variance of a way by the wheels"),
    PB_REAL("blind", blind, "m", 0.02, 0, 1,
	"way between scans while the wheels say nothing"),
    PB_REAL("bias", bias, "", 0.05, 0, 1,
	"standard deviation of the wheels' scale, as part of it"),
    PB_REAL("blocked", blocked, "", 0.05, 0, 0.5,
	"chance that something is in a sensor's way"),
    PB_REAL(
	"odd", odd, "", 0.02, 1e-9, 0.4, "chance that a reading means nothing"),
    PB_REAL("wrong", wrong, "", 0.1, WRONG_MIN, WRONG_MAX,
	"chance that the camera is wrong, to begin with"),
    PB_REAL("edge", edge, "cells", 0.003, 0, 1,
	"edges of the camera's cells are known to this"),
    PB_REAL("kidnap", kidnap, "", 1e-5, 1e-30, 0.1,
	"chance in a tick that the robot is carried anywhere"),
    PB_COUNT("delay", delay, "", 31, 0, PB_FUSE_TRAIL - 1,
	"ticks that the camera is late at most"),
};

/* A hypothesis without a place. */
static struct pb_fuse_hypothesis
hypothesis_new(const struct pb_fuse_model *k)
{
	struct pb_fuse_hypothesis q = {.fit = 0.5};

	q.p[2][2] = k->o.bias * k->o.bias;
	return q;
}

static struct pb_vec
place_of(const struct pb_fuse_hypothesis *q)
{
	return (struct pb_vec){q->x[0], q->x[1]};
}

/* The index of the first of n hypotheses near q, -1 if none. */
static int
find_near(const struct pb_fuse *f, int n, const struct pb_fuse_hypothesis *q)
{
	for (int j = 0; j < n; j++)
		if (fabs(f->at[j].x[0] - q->x[0]) < MERGE_NEAR &&
		    fabs(f->at[j].x[1] - q->x[1]) < MERGE_NEAR)
			return j;
	return -1;
}

/* Add q to the list, in place of the lightest if it is full. */
static void
add_hypothesis(struct pb_fuse *f, const struct pb_fuse_hypothesis *q)
{
	int least = 0;

	if (f->n < PB_FUSE_HYPOTHESES) {
		f->at[f->n++] = *q;
		return;
	}
	for (int i = 1; i < f->n; i++)
		if (f->at[i].lw < f->at[least].lw)
			least = i;
	if (q->lw > f->at[least].lw)
		f->at[least] = *q;
}

/* Insertion sort by weight: the list is short and nearly sorted. */
static void
sort_hypotheses(struct pb_fuse *f)
{
	for (int i = 1; i < f->n; i++)
		for (int j = i; j > 0 && f->at[j].lw > f->at[j - 1].lw; j--) {
			struct pb_fuse_hypothesis q = f->at[j];

			f->at[j] = f->at[j - 1];
			f->at[j - 1] = q;
		}
}

void
pb_fuse_prune(struct pb_fuse *f)
{
	double top, sum = 0;
	int n = 0;

	if (f->n == 0)
		return;
	sort_hypotheses(f);
	top = f->at[0].lw;
	for (int i = 0; i < f->n; i++) {
		struct pb_fuse_hypothesis q = f->at[i];
		double w = pb_exp(q.lw - top);
		int j = find_near(f, n, &q);

		if (q.lw - top < DROP_BELOW)
			break;
		sum += w;
		if (j >= 0)
			f->at[j].lw =
			    pb_log(pb_exp(f->at[j].lw - top) + w) + top;
		else
			f->at[n++] = q;
	}
	f->n = n;
	for (int i = 0; i < n; i++)
		f->at[i].lw -= top + pb_log(sum);
	sort_hypotheses(f);
}

static double
normal_density(double d, double var)
{
	return pb_exp(-d * d / (2 * var)) / sqrt(2 * PB_PI * var);
}

double
pb_fuse_var(const struct pb_fuse_sense *s, double h)
{
	return s->noise * s->noise * h * h + s->unit;
}

/* Chance that a wall at h is beyond the sensor's reach. */
static double
beyond_reach(const struct pb_fuse_model *k, double h, double var)
{
	double d = h - k->o.reach;

	/* Fast path: erfc is 0 or 2. */
	if (d * d > 33 * var)
		return d > 0;
	d /= sqrt(2 * var);
	return d < -4 ? 0 : d > 4 ? 1 : pb_erfc(-d) / 2;
}

double
pb_fuse_ray(const struct pb_fuse_model *k, double z, double h, double var,
    double blocked, double stays, double *hit)
{
	double far = beyond_reach(k, h, var), clear = 1 - blocked - k->o.odd;
	double odd = k->o.odd / 2; /* half of them are nothing in range */
	double is_hit, is_short = 0;

	*hit = 0;
	if (isnan(z))
		return clear * far + odd;
	is_hit = clear * (1 - far) * normal_density(z - h, var);
	if (z < h) {
		double room = fmax(fmin(h, k->o.reach), 0.5);

		is_short = stays < 0 ? blocked / room
		                     : blocked / 2 * (1 / room + stays);
	}
	odd /= k->o.reach;
	*hit = is_hit / (is_hit + is_short + odd);
	return is_hit + is_short + odd;
}

/* A sensor's ray: where it ends, and what the sensor should read. */
struct ray {
	int axis;     /* 0: the wall is across x, 1: across y */
	double along; /* cosine between ray and axis, signed */
	double h;     /* reading (cells), >= 0 */
};

/* The ray of sensor i from v, turned from its axis. */
static struct ray
cast_ray(const struct pb_fuse_model *k, struct pb_vec v, int i, double turn)
{
	struct ray r = {i & 1, pb_tof_sign(i), 0};
	pb_pair u;

	if (fabs(turn) < ALIGNED) {
		r.h = pb_regions_ray(&k->w.g, v, i);
	} else {
		u = pb_direction(i * (PB_PI / 2) + turn);
		r.h = pb_square_ray(&k->w.g, v, u[0], u[1], RAY_MOST, &r.axis);
		r.along = u[r.axis];
	}
	r.h = fmax(r.h - k->o.radius, 0);
	return r;
}

/* Predict by a step d of odometry: P = F P F' + Q, where F is the identity with
 * d in column 3. */
static void
predict_step(struct pb_fuse_hypothesis *q, const struct pb_fuse_model *k,
    struct pb_vec d)
{
	const double by[2] = {d.x, d.y};
	double way = pb_hypot(d.x, d.y), slip = k->o.slip * way;

	for (int a = 0; a < 2; a++)
		q->x[a] += by[a] * (1 + q->x[2]);
	for (int a = 0; a < 2; a++)
		for (int j = 0; j < 3; j++)
			q->p[a][j] += by[a] * q->p[2][j];
	for (int a = 0; a < 2; a++)
		for (int i = 0; i < 3; i++)
			q->p[i][a] += by[a] * q->p[i][2];
	for (int a = 0; a < 2; a++)
		q->p[a][a] += slip * slip + k->o.walk * way;
}

/* Shift coordinate a (0: x, 1: y) by `by` and set its variance to var;
 * correlated coordinates follow (conditioning). */
static void
condition(struct pb_fuse_hypothesis *q, int a, double by, double var)
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
 * Kalman update of coordinate a by an innovation d of variance var that is a
 * hit with probability `hit` (probabilistic data association): the mean moves
 * by that share, and the remaining uncertainty adds to the variance.
 */
static void
update_by_hit(
    struct pb_fuse_hypothesis *q, int a, double d, double var, double hit)
{
	double v = q->p[a][a], gain = v / (v + var), by = gain * d;

	condition(
	    q, a, hit * by, v - hit * gain * v + hit * (1 - hit) * by * by);
}

/* Density of reading z of sensor i along ray r, given the variance of q. */
static double
fit_ray(const struct pb_fuse_hypothesis *q, const struct pb_fuse_model *k,
    const struct pb_fuse_sense *s, const struct ray *r, int i, double z,
    double *hit)
{
	double blocked = k->o.blocked + (STAYS - k->o.blocked) * q->blocked[i];
	double var = q->p[r->axis][r->axis] / (r->along * r->along);

	return pb_fuse_ray(
	    k, z, r->h, var + pb_fuse_var(s, r->h), blocked, s->stays[i], hit);
}

/* Correct q by reading z of sensor i, whose beam is `turn` off its axis;
 * returns the reading's density, and in *hit the probability of a hit. */
static double
update_by_range(struct pb_fuse_hypothesis *q, const struct pb_fuse_model *k,
    const struct pb_fuse_sense *s, int i, double z, double turn, double *hit)
{
	struct ray r = cast_ray(k, place_of(q), i, turn);
	double like = fit_ray(q, k, s, &r, i, z, hit);

	/* A longer reading is a smaller coordinate along +x and +y. */
	if (!isnan(z))
		update_by_hit(q, r.axis, r.along * (r.h - z),
		    pb_fuse_var(s, r.h) * r.along * r.along, *hit);
	q->blocked[i] = z < r.h ? 1 - *hit : 0;
	return like;
}

void
pb_fuse_correct(struct pb_fuse_hypothesis *q, const struct pb_fuse_model *k,
    const struct pb_fuse_sense *s, const struct pb_tof *z, double part)
{
	double sum = 0, hits = 0, hit;
	int heard = 0;

	for (int i = 0; i < PB_TOF; i++) {
		bool inside = pb_region_of(&k->w.g, place_of(q)) >= 0;

		if (z->r[i] < 0)
			continue;
		heard += !inside || !isnan(z->r[i]);
		if (!inside)
			continue;
		sum += pb_log(
		    update_by_range(q, k, s, i, z->r[i], z->turn[i], &hit));
		hits += hit;
	}
	q->lw += part * sum;
	if (pb_region_of(&k->w.g, place_of(q)) < 0)
		q->lw -= 50 * part;
	if (heard > 0)
		q->fit += (hits / heard - q->fit) / FIT_SCANS;
}

/* Fill s->stays: density of each reading if it repeats the last one, as from an
 * obstacle that stays. */
static void
compare_scans(struct pb_fuse_sense *s, const double *z)
{
	for (int i = 0; i < PB_TOF; i++) {
		s->stays[i] =
		    pb_tof_is_distance(s->last[i])
			? normal_density(z[i] - s->last[i], STAYS_SD * STAYS_SD)
			: -1;
		s->last[i] = z[i];
	}
}

/* Estimate the ranges' noise from the misfits of hypothesis q: a stochastic
 * median, which outliers do not move. */
static void
learn_noise(struct pb_fuse_sense *s, const struct pb_fuse_model *k,
    const struct pb_fuse_hypothesis *q, const struct pb_tof *z)
{
	for (int i = 0; i < PB_TOF; i++) {
		double h = cast_ray(k, place_of(q), i, z->turn[i]).h;

		if (!pb_tof_is_distance(z->r[i]) || h < NOISE_FROM)
			continue;
		s->noise *= fabs(z->r[i] - h) / h * BY_MEDIAN > s->noise
		                ? 1 + NOISE_STEP
		                : 1 - NOISE_STEP;
		s->noise = fmin(fmax(s->noise, NOISE_MIN), NOISE_MAX);
	}
}

/* Log likelihood of a scan at q with all beams turned by `by`. */
static double
fit_turned(const struct pb_fuse_model *k, const struct pb_fuse_sense *s,
    const struct pb_fuse_hypothesis *q, const struct pb_tof *z, double by)
{
	double sum = 0, hit;

	for (int i = 0; i < PB_TOF; i++) {
		struct ray r = cast_ray(k, place_of(q), i, z->turn[i] + by);

		if (!(z->r[i] < 0))
			sum += pb_log(fit_ray(q, k, s, &r, i, z->r[i], &hit));
	}
	return sum;
}

/* Move the estimated compass error by a step if likelihood ratios favour it. */
static void
learn_compass(struct pb_fuse_sense *s, const struct pb_fuse_model *k,
    const struct pb_fuse_hypothesis *q, const struct pb_tof *z, double part)
{
	double now = fit_turned(k, s, q, z, 0);

	for (int side = 0; side < 2; side++) {
		double by = side ? COMPASS_STEP : -COMPASS_STEP;

		s->turned[side] *= 1 - part / COMPASS_SCANS;
		s->turned[side] += part * (fit_turned(k, s, q, z, -by) - now);
		if (s->turned[side] < COMPASS_SURE)
			continue;
		s->compass += by;
		s->turned[0] = s->turned[1] = 0;
		return;
	}
}

/* Odometry from now back to `lag` ticks before the fix (cells). */
static struct pb_vec
odometry_back(const struct pb_fuse *f, int lag)
{
	int first = f->moves > PB_FUSE_TRAIL ? f->moves - PB_FUSE_TRAIL : 0;
	int i = f->fix_at - 1 - lag;
	const struct pb_vec *now, *then;

	if (f->moves == 0)
		return (struct pb_vec){0, 0};
	now = &f->trail[(f->moves - 1) % PB_FUSE_TRAIL];
	then = &f->trail[(i > first ? i : first) % PB_FUSE_TRAIL];
	return (struct pb_vec){then->x - now->x, then->y - now->y};
}

/* Whether the recorded odometry reaches back to the time of the last fix, even
 * at the longest delay: else the motion since the fix is unknown. */
static bool
reaches_fix(const struct pb_fuse *f, const struct pb_fuse_model *k)
{
	return f->seen && f->moves - f->fix_at < PB_FUSE_TRAIL - k->o.delay;
}

/* Probability that a coordinate of this mean and variance is in a cell. */
static double
cell_probability(double x, double var, int cell)
{
	double d = fabs(x - cell), s = sqrt(2 * (var + BLUR * BLUR));

	if (d > 0.5 + 3 * s)
		return 0;
	return (pb_erfc((d - 0.5) / s) - pb_erfc((d + 0.5) / s)) / 2;
}

/* Probability of the fix's cell if the camera is right and `lag` ticks late. */
static double
fix_at_lag(const struct pb_fuse *f, const struct pb_fuse_hypothesis *q, int lag)
{
	struct pb_vec d = odometry_back(f, lag);
	double by = 1 + q->x[2];
	double x = cell_probability(q->x[0] + d.x * by, q->p[0][0], f->fix.row);

	return x > 0 ? x * cell_probability(
			       q->x[1] + d.y * by, q->p[1][1], f->fix.col)
	             : 0;
}

/* Probability of the fix's cell if the camera is wrong: all cells alike. */
static double
fix_if_wrong(const struct pb_fuse *f, const struct pb_fuse_model *k)
{
	return f->sense.wrong * pb_exp(-k->w.log_cells);
}

/* Log likelihood of the fix. */
static double
fit_fix(const struct pb_fuse *f, const struct pb_fuse_model *k,
    const struct pb_fuse_hypothesis *q)
{
	double sum = 0;

	for (int i = 0; i <= k->o.delay; i++)
		if (f->sense.lag[i] > UNLIKELY)
			sum += f->sense.lag[i] * fix_at_lag(f, q, i);
	return pb_log((1 - f->sense.wrong) * sum + fix_if_wrong(f, k));
}

/* Update, by Bayes's rule and the heaviest hypothesis, the delay of the camera
 * and its share of wrong cells. */
static void
learn_camera(struct pb_fuse *f, const struct pb_fuse_model *k)
{
	struct pb_fuse_sense *s = &f->sense;
	double any = fix_if_wrong(f, k), sum = 0, good = 0;

	for (int i = 0; i <= k->o.delay; i++) {
		double p = (1 - s->wrong) * fix_at_lag(f, &f->at[0], i);

		good += s->lag[i] * p;
		s->lag[i] *= p + any;
		sum += s->lag[i];
	}
	for (int i = 0; i <= k->o.delay; i++)
		s->lag[i] = s->lag[i] / sum * (1 - LAG_CHANGE) +
		            LAG_CHANGE / (k->o.delay + 1);
	s->wrong += (any / (any + good) - s->wrong) / WRONG_FIXES;
	s->wrong = fmin(fmax(s->wrong, WRONG_MIN), WRONG_MAX);
}

/*
 * Update coordinate a by the likelihoods of its being below and above an edge:
 * the moments of a normal distribution whose two parts are weighed.
 *
 * Given    blur  variance of the edge (cells2)
 */
static void
update_by_side(struct pb_fuse_hypothesis *q, int a, double edge, double blur,
    double below, double above)
{
	double var = q->p[a][a] + blur, sd = sqrt(var);
	double t = (edge - q->x[a]) / sd;
	double mass = fmin(fmax(pb_erfc(-t / sqrt(2)) / 2, 1e-9), 1 - 1e-9);
	double f = pb_exp(-t * t / 2) / sqrt(2 * PB_PI);
	double lo = -f / mass, hi = f / (1 - mass), w, mean, second;

	w = (1 - mass) * above / (mass * below + (1 - mass) * above);
	mean = (1 - w) * lo + w * hi;
	second = (1 - w) * (1 + t * lo) + w * (1 + t * hi);
	/* The edge is uncertain too: a gets its share of the correction. */
	condition(q, a, mean * q->p[a][a] / sd,
	    q->p[a][a] * (1 + q->p[a][a] / var * (second - mean * mean - 1)));
}

/* Once the delay is known: the robot was in the fix's cell when the picture was
 * taken, unless the fix is wrong. Correct each coordinate by the likelihoods of
 * both sides of the cell's nearer edge. */
static void
correct_by_edges(struct pb_fuse *f, const struct pb_fuse_model *k)
{
	struct pb_fuse_hypothesis *q = &f->at[0];
	const int cell[2] = {f->fix.row, f->fix.col};
	double wrong = f->sense.wrong, d[2];
	struct pb_vec back;
	int lag = 0;

	for (int i = 1; i <= k->o.delay; i++)
		if (f->sense.lag[i] > f->sense.lag[lag])
			lag = i;
	if (f->sense.lag[lag] < KNOWN_LAG)
		return;
	back = odometry_back(f, lag);
	d[0] = back.x, d[1] = back.y;
	for (int a = 0; a < 2; a++) {
		double by = d[a] * (1 + q->x[2]), slip = k->o.slip * d[a];
		double x = q->x[a] + by - cell[a], edge = x > 0 ? 0.5 : -0.5;
		double blur = k->o.edge * k->o.edge + slip * slip;

		if (fabs(x - edge) < 4 * sqrt(q->p[a][a] + blur))
			update_by_side(q, a, cell[a] + edge - by, blur,
			    x > 0 ? 1 : wrong, x > 0 ? wrong : 1);
	}
}

/* A scan prepared for making new hypotheses. */
struct spawn {
	const struct pb_fuse_model *k;
	const struct pb_fuse_sense *s;
	const struct pb_tof *z;
	double along[PB_TOF]; /* cosine between beam and axis */
	double far[PB_TOF];   /* signed distance of the wall along the axis
	                         (cells) */
	double var[PB_TOF];   /* variance of the reading (cells2) */
	double
	    off[PB_TOF]; /* most distance of a place from its region (cells) */
};

/* A sensor off its axis is assumed to see the wall along the axis. */
static struct spawn
prepare_spawn(const struct pb_fuse_model *k, const struct pb_fuse_sense *s,
    const struct pb_tof *z)
{
	struct spawn p = {.k = k, .s = s, .z = z};

	for (int i = 0; i < PB_TOF; i++) {
		p.along[i] = pb_cos(z->turn[i]);
		p.far[i] =
		    pb_tof_sign(i) * ((z->r[i] + k->o.radius) * p.along[i]);
		p.var[i] = pb_fuse_var(s, z->r[i]);
		p.off[i] = OUTSIDE * sqrt(p.var[i]);
	}
	return p;
}

/* Whether sensor i gives a coordinate in region r; *v: that coordinate. */
static bool
read_place(const struct spawn *p, const struct pb_region *r, int i, double *v)
{
	int a = i & 1;

	*v = r->face[i] - p->far[i];
	return pb_tof_is_distance(p->z->r[i]) && *v >= r->lo[a] - p->off[i] &&
	       *v <= r->hi[a] + p->off[i];
}

/* Density of sensor i's reading at coordinate v of variance var. */
static double
fit_region(const struct spawn *p, const struct pb_region *r, double v,
    double var, int i)
{
	double far = pb_tof_sign(i) * (r->face[i] - v) / p->along[i], hit;
	double h = far - p->k->o.radius;

	if (h < -OUTSIDE * sqrt(var) - 0.05)
		return 0;
	h = fmax(h, 0);
	return pb_fuse_ray(p->k, p->z->r[i], h, var + pb_fuse_var(p->s, h),
	    p->k->o.blocked, -1, &hit);
}

/* The likeliest coordinate along axis a in a region: from one sensor, weighed
 * by the other. Returns the density of both readings, 0 if none. */
static double
best_place(const struct spawn *p, const struct pb_region *r, int a, double *at,
    double *var)
{
	double best = 0;

	for (int i = a; i < PB_TOF; i += 2) {
		double like = 1 - p->k->o.blocked - p->k->o.odd, v;

		if (!read_place(p, r, i, &v))
			continue;
		if (!(p->z->r[i ^ 2] < 0))
			like *= fit_region(p, r, v, p->var[i], i ^ 2);
		if (like > best) {
			best = like;
			*at = v;
			*var = p->var[i];
		}
	}
	return best;
}

/* Add a hypothesis in a region, unless one is near or the body would be in a
 * wall. */
static void
spawn_in(struct pb_fuse *f, const struct spawn *p, const struct pb_region *r,
    double part)
{
	const struct pb_fuse_model *k = p->k;
	struct pb_fuse_hypothesis q;
	double x, y;

	if ((!read_place(p, r, 0, &x) && !read_place(p, r, 2, &x)) ||
	    (!read_place(p, r, 1, &y) && !read_place(p, r, 3, &y)))
		return;
	q = hypothesis_new(k);
	x = best_place(p, r, 0, &q.x[0], &q.p[0][0]);
	if (!(x > 0))
		return;
	y = best_place(p, r, 1, &q.x[1], &q.p[1][1]);
	if (!(y > 0) || find_near(f, f->n, &q) >= 0 ||
	    pb_square_touch(&k->w.g, place_of(&q), BODY * k->o.radius))
		return;
	if (f->n > 0)
		q.x[2] = f->at[0].x[2];
	q.lw = part * (pb_log(x * y) - k->w.log_cells);
	q.lw += f->heard ? pb_log(k->o.kidnap) : 0;
	if (reaches_fix(f, k))
		q.lw += fit_fix(f, k, &q);
	add_hypothesis(f, &q);
}

static void
reset(void *mem, const void *model, const struct pb_loc_start *s)
{
	const struct pb_fuse_model *k = model;
	struct pb_fuse *f = mem;
	struct pb_fuse_hypothesis q = hypothesis_new(k);
	double unit = k->w.cell * k->w.cell, p = 1, sum = 0;

	*f = (struct pb_fuse){.sense.noise = k->o.noise,
	    .sense.unit = pb_tof_var(0, 0, k->w.cell),
	    .sense.wrong = k->o.wrong};
	pb_compass_reset(&f->compass, s);
	for (int i = 0; i < PB_TOF; i++)
		f->sense.last[i] = NAN;
	for (int i = 0; i <= k->o.delay; i++, p *= LAG_LONGER)
		sum += f->sense.lag[i] = p;
	for (int i = 0; i <= k->o.delay; i++)
		f->sense.lag[i] /= sum;
	q.x[0] = s->pose.x / k->w.cell;
	q.x[1] = s->pose.y / k->w.cell;
	for (int i = 0; i < 2; i++)
		q.p[i][i] = fmax(s->cov[i][i], 0) / unit + f->sense.unit;
	if (s->kind == PB_LOC_NEAR && pb_region_of(&k->w.g, place_of(&q)) >= 0)
		add_hypothesis(f, &q);
}

static void
predict(void *mem, const void *model, struct pb_pose odom)
{
	const struct pb_fuse_model *k = model;
	struct pb_fuse *f = mem;
	struct pb_pose wrong = {0, 0, f->sense.compass};
	struct pb_vec d = pb_vec_into(
			  wrong, pb_compass_move(&f->compass, odom)),
		      at = {0, 0};

	d.x /= k->w.cell;
	d.y /= k->w.cell;
	if (f->moves > 0)
		at = f->trail[(f->moves - 1) % PB_FUSE_TRAIL];
	f->trail[f->moves++ % PB_FUSE_TRAIL] =
	    (struct pb_vec){at.x + d.x, at.y + d.y};
	for (int i = 0; i < f->n; i++)
		predict_step(&f->at[i], k, d);
	f->moved = f->moved || d.x != 0 || d.y != 0;
	f->way += pb_hypot(d.x, d.y);
}

/* Without odometry, or if it never moved, spread all hypotheses. */
static void
predict_without_odometry(struct pb_fuse *f, const struct pb_fuse_model *k)
{
	if (f->moved)
		return;
	f->way += k->o.blind;
	for (int i = 0; i < f->n; i++)
		for (int a = 0; a < 2; a++)
			f->at[i].p[a][a] += k->o.blind * k->o.blind;
}

/* Heading in the maze (rad). */
static double
heading_of(const struct pb_fuse *f)
{
	return pb_wrap(pb_compass_heading(&f->compass) - f->sense.compass);
}

/* Whether one hypothesis has nearly all weight, and its readings fit. */
static bool
is_unique(const struct pb_fuse *f)
{
	return f->n > 0 && f->at[0].lw > pb_log(SURE) && f->at[0].fit > FITS;
}

static void
scan(void *mem, const void *model, const struct pb_scan *s)
{
	const struct pb_fuse_model *k = model;
	struct pb_fuse *f = mem;
	struct pb_tof z = pb_tof_from_scan_within(
	    s, heading_of(f), k->w.cell, k->o.radius, WITHIN);
	bool settled = is_unique(f);
	int n = settled ? (k->w.g.n + ROUND - 1) / ROUND : k->w.g.n;
	struct spawn p;
	double part;

	predict_without_odometry(f, k);
	compare_scans(&f->sense, z.r);
	part = f->heard ? fmin(f->way / EVIDENCE_WAY + EVIDENCE_LEAST, 1) : 1;
	if (settled)
		learn_noise(&f->sense, k, &f->at[0], &z);
	for (int i = 0; i < f->n; i++)
		pb_fuse_correct(&f->at[i], k, &f->sense, &z, part);
	if (f->n > 0 && f->at[0].lw > pb_log(SURE))
		learn_compass(&f->sense, k, &f->at[0], &z, part);
	p = prepare_spawn(k, &f->sense, &z);
	for (int i = 0; i < n; i++, f->region = (f->region + 1) % k->w.g.n)
		spawn_in(f, &p, &k->w.g.at[f->region], part);
	pb_fuse_prune(f);
	f->heard = true;
	f->way = 0;
}

static void
fix(void *mem, const void *model, const struct pb_loc_fix *z)
{
	const struct pb_fuse_model *k = model;
	struct pb_fuse *f = mem;
	struct pb_fuse_hypothesis q = hypothesis_new(k);

	f->fix = pb_tof_cell(z->at, k->w.cell);
	f->fix_at = f->moves;
	f->seen = true;
	q.x[0] = f->fix.row;
	q.x[1] = f->fix.col;
	q.p[0][0] = q.p[1][1] = pb_tof_cell_var(1);
	if (f->n == 0 && pb_cells_at(k->w.c, f->fix.row, f->fix.col) >= 0)
		add_hypothesis(f, &q);
	for (int i = 0; i < f->n; i++)
		f->at[i].lw += fit_fix(f, k, &f->at[i]);
	pb_fuse_prune(f);
	if (f->heard && is_unique(f)) {
		learn_camera(f, k);
		correct_by_edges(f, k);
	}
}

static enum pb_loc_status
status(const struct pb_fuse *f)
{
	const struct pb_fuse_hypothesis *q = &f->at[0];

	if (f->n == 0 || (f->heard && q->fit < WRONG))
		return PB_LOC_LOST;
	if (!f->heard || !is_unique(f) || q->p[0][0] > 0.25 ||
	    q->p[1][1] > 0.25)
		return PB_LOC_AMBIGUOUS;
	return PB_LOC_TRACKING;
}

static void
estimate(const void *mem, const void *model, struct pb_belief *out)
{
	const struct pb_fuse_model *k = model;
	const struct pb_fuse *f = mem;
	double heading = heading_of(f);

	*out = (struct pb_belief){.status = status(f)};
	for (int i = 0; i < f->n && i < PB_LOC_HYPOTHESES; i++) {
		const struct pb_fuse_hypothesis *q = &f->at[i];
		const double var[2] = {
		    q->p[0][0] + f->sense.unit, q->p[1][1] + f->sense.unit};

		pb_tof_add_hypothesis(
		    out, place_of(q), var, pb_exp(q->lw), heading, k->w.cell);
		out->at[i].cov[0][1] = out->at[i].cov[1][0] =
		    q->p[0][1] * k->w.cell * k->w.cell;
	}
}

const struct pb_localizer pb_loc_fuse = {
    .name = "fuse",
    .summary = "several hypotheses from ranges, wheels and a late camera",
    .places = PB_LOC_IN_MAZE,
    .params = PB_PARAMS(rows),
    .opts_size = sizeof(struct pb_fuse_opts),
    .learn = pb_lattice_learn,
    .forget = pb_lattice_forget,
    .mem_size = sizeof(struct pb_fuse),
    .reset = reset,
    .predict = predict,
    .scan = scan,
    .fix = fix,
    .estimate = estimate,
};
