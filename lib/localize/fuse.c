/* fuse.c - several guesses at once from ranges, wheels and a late camera. */
#include "localize/fuse.h"

#include <math.h>

#include "base/elementary.h"
#include "localize/maze_rays.h"

/* Guesses nearer than this are one (cells). */
#define SAME 0.35

/* Guesses lighter than this against the heaviest are dropped (log). */
#define LIGHT (-16.0)

/* The one of the first n guesses that is about where q is, -1 if none. */
static int
fuse_find(const struct pb_fuse *f, int n, const struct pb_fuse_guess *q)
{
	for (int j = 0; j < n; j++)
		if (fabs(f->at[j].x[0] - q->x[0]) < SAME &&
		    fabs(f->at[j].x[1] - q->x[1]) < SAME)
			return j;
	return -1;
}

/* Put q into the list, in place of the lightest if it is full. */
static void
fuse_add(struct pb_fuse *f, const struct pb_fuse_guess *q)
{
	int least = 0;

	if (f->n < PB_FUSE_GUESSES) {
		f->at[f->n++] = *q;
		return;
	}
	for (int i = 1; i < f->n; i++)
		if (f->at[i].lw < f->at[least].lw)
			least = i;
	if (q->lw > f->at[least].lw)
		f->at[least] = *q;
}

/* By weight; the list is short and nearly sorted. */
static void
sort(struct pb_fuse *f)
{
	for (int i = 1; i < f->n; i++)
		for (int j = i; j > 0 && f->at[j].lw > f->at[j - 1].lw; j--) {
			struct pb_fuse_guess q = f->at[j];

			f->at[j] = f->at[j - 1];
			f->at[j - 1] = q;
		}
}

void
pb_fuse_tidy(struct pb_fuse *f)
{
	double top, sum = 0;
	int n = 0;

	if (f->n == 0)
		return;
	sort(f);
	top = f->at[0].lw;
	for (int i = 0; i < f->n; i++) {
		struct pb_fuse_guess q = f->at[i];
		double w = pb_exp(q.lw - top);
		int j = fuse_find(f, n, &q);

		if (q.lw - top < LIGHT)
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
	sort(f);
}

/* The median of the noise moves by this part a reading. */
#define NOISE_STEP 0.02
/* Standard deviation of what is even or normal, by the median. */
#define BY_MEDIAN 1.3
/*
 * Offset of all sensors: learned from walls that are so far apart at most, over
 * so many scans, within bounds.
 */
#define OFF_WITHIN 2.0 /* (cells) */
#define OFF_SCANS  100.0
#define OFF_MAX    0.1 /* (cells) */

/* Shorter readings are all rounding (cells). */
#define NOISE_FROM 1.5

/* The sensor reads a wall, as far as one can tell. */
static bool
is_wall(const struct pb_fuse_sense *s, double z, double h)
{
	return pb_tof_heard(z) &&
	       fabs(z - h) < 4 * sqrt(pb_fuse_var(s, h)) + OFF_MAX;
}

/*
 * From wall to wall is known: what two opposite sensors read too much, they do
 * wherever the robot is between them.
 */
static void
learn_offset(struct pb_fuse_sense *s, const double *z, const double *h, int a)
{
	double by = (z[a] + z[a + 2] - h[a] - h[a + 2]) / 2;

	if (h[a] + h[a + 2] < OFF_WITHIN && is_wall(s, z[a], h[a]) &&
	    is_wall(s, z[a + 2], h[a + 2]))
		s->more += by / OFF_SCANS;
	s->more = fmin(fmax(s->more, -OFF_MAX), OFF_MAX);
}

static void
fuse_learn_ranges(struct pb_fuse_sense *s, const struct pb_fuse_known *k,
    const struct pb_fuse_guess *q, const struct pb_tof *z)
{
	struct pb_vec v = {q->x[0], q->x[1]};
	double *sd = &s->noise, h[PB_TOF], along;
	int axis;

	for (int i = 0; i < PB_TOF; i++) {
		h[i] = pb_fuse_expect(k, s, v, i, z->turn[i], &axis, &along);
		if (!pb_tof_heard(z->r[i]) || h[i] < NOISE_FROM)
			continue;
		*sd *= fabs(z->r[i] - h[i]) / h[i] * BY_MEDIAN > *sd
		           ? 1 + NOISE_STEP
		           : 1 - NOISE_STEP;
		*sd = fmin(fmax(*sd, PB_FUSE_NOISE_MIN), PB_FUSE_NOISE_MAX);
	}
	learn_offset(s, z->r, h, 0);
	learn_offset(s, z->r, h, 1);
}

/* Part of the body that is surely off a wall's corner. */
#define BODY 0.85

/* A place by readings may be so many sds outside of its region. */
#define OUTSIDE 2.0

/* A scan as new guesses go by it. */
struct spawn {
	const struct pb_fuse_known *k;
	const struct pb_fuse_sense *s;
	double r[PB_TOF];     /* the readings */
	double along[PB_TOF]; /* part of the beam that goes along its axis */
	double far[PB_TOF];   /* of the wall, on that axis, signed (cells) */
	double var[PB_TOF];   /* of a reading (cells2) */
	double off[PB_TOF];   /* so far may a place be outside (cells) */
};

/*
 * A sensor that is turned is taken to see the wall that it would see straight
 * ahead.
 */
static struct spawn
spawn_by(const struct pb_fuse_known *k, const struct pb_fuse_sense *s,
    const struct pb_tof *z)
{
	struct spawn p = {.k = k, .s = s};

	for (int i = 0; i < PB_TOF; i++) {
		p.r[i] = z->r[i];
		p.along[i] = pb_cos(z->turn[i]);
		p.far[i] = pb_tof_sign(i) *
		           ((z->r[i] - s->more + k->o.radius) * p.along[i]);
		p.var[i] = pb_fuse_var(s, z->r[i]);
		p.off[i] = OUTSIDE * sqrt(p.var[i]);
	}
	return p;
}

/* Whether the reading of sensor i is of a place in a region, and its
 * coordinate on the sensor's axis. */
static bool
place(const struct spawn *p, const struct pb_region *r, int i, double *v)
{
	int a = i & 1;

	*v = r->face[i] - p->far[i];
	return pb_tof_heard(p->r[i]) && !(*v < r->lo[a] - p->off[i]) &&
	       !(*v > r->hi[a] + p->off[i]);
}

/* Density of the reading of sensor i from v; var: of v along it. */
static double
density(const struct spawn *p, const struct pb_region *r, double v, double var,
    int i)
{
	double far = pb_tof_sign(i) * (r->face[i] - v) / p->along[i];
	double h = far - p->k->o.radius + p->s->more, hit;

	if (h < -OUTSIDE * sqrt(var) - 0.05)
		return 0;
	h = fmax(h, 0);
	return pb_fuse_ray(p->k, p->r[i], h, var + pb_fuse_var(p->s, h),
	    p->k->o.blocked, -1, &hit);
}

/*
 * The best place along axis a (0: x, 1: y) in a region: by one sensor, judged
 * by the other.
 *
 * Returns  the density of both readings there, 0 if there is none
 */
static double
best_place(const struct spawn *p, const struct pb_region *r, int a, double *at,
    double *var)
{
	double best = 0;

	for (int i = a; i < PB_TOF; i += 2) {
		int o = i ^ 2;
		double v, like = 1 - p->k->o.blocked - p->k->o.odd;

		if (!place(p, r, i, &v))
			continue;
		if (!(p->r[o] < 0))
			like *= density(p, r, v, p->var[i], o);
		if (like > best) {
			best = like;
			*at = v;
			*var = p->var[i];
		}
	}
	return best;
}

static void
spawn_in(struct pb_fuse *f, const struct spawn *p, const struct pb_region *r,
    double part)
{
	const struct pb_fuse_known *k = p->k;
	struct pb_fuse_guess q = {.fit = 0.5};
	double x, y;

	if ((!place(p, r, 0, &x) && !place(p, r, 2, &x)) ||
	    (!place(p, r, 1, &y) && !place(p, r, 3, &y)))
		return;
	x = best_place(p, r, 0, &q.x[0], &q.p[0][0]);
	if (!(x > 0))
		return;
	y = best_place(p, r, 1, &q.x[1], &q.p[1][1]);
	if (!(y > 0) || fuse_find(f, f->n, &q) >= 0 ||
	    pb_square_touch(
		&k->w.g, (struct pb_vec){q.x[0], q.x[1]}, BODY * k->o.radius))
		return;
	q.p[2][2] = k->o.bias * k->o.bias;
	if (f->n > 0)
		q.x[2] = f->at[0].x[2];
	q.lw = part * (pb_log(x * y) - k->w.log_cells);
	q.lw += f->heard ? pb_log(k->o.kidnap) : 0;
	if (f->seen)
		q.lw += pb_fuse_seen(f, k, &q);
	fuse_add(f, &q);
}

/*
 * New guesses from n regions of the maze, from number `from` on, by what four
 * readings say; those already there are left out.
 *
 * Given    part  as above
 */
static void
fuse_spawn(struct pb_fuse *f, const struct pb_fuse_known *k,
    const struct pb_tof *z, double part, int from, int n)
{
	struct spawn p = spawn_by(k, &f->sense, z);

	for (int i = 0; i < n && i < k->w.g.n; i++)
		spawn_in(f, &p, &k->w.g.at[(from + i) % k->w.g.n], part);
}

/*
 * Readings of one place err alike: a scan counts whole after this way, and so
 * much without any.
 */
#define NEWS_WAY  0.25 /* (cells) */
#define SAME_NEWS 0.05

/* While all is well so many scans look through all regions. */
#define ROUND 8

/* Surer than this of the heaviest guess, all is well. */
#define SURE 0.95

/* A delay of the camera by one tick more is so likely, to begin with. */
#define LAG_LONGER 0.75

/* Part of the readings that must be hits. */
#define FITS  0.35
#define WRONG 0.15

/*
 * One of so many scans is asked for the compass's error; it stands for those
 * between, and for more, as nothing else tells of it.
 */
#define COMPASS      2
#define COMPASS_NEWS 3.0

/* Every beam is of one of the axes (rad). */
#define WITHIN (PB_PI / 4 + 1e-6)

#define PB_PARAMS_OF struct pb_fuse_opts

static const struct pb_param rows[] = {
    PB_REAL("radius", radius, "m", PB_TOF_RADIUS, 0, 1,
	"from the robot's middle to its sensors"),
    PB_REAL("reach", reach, "m", 1.5, 0.01, 100, "a sensor reads at most"),
    PB_REAL("noise", noise, "", 0.02, PB_FUSE_NOISE_MIN, PB_FUSE_NOISE_MAX,
	"of a range, as part of it, to begin with"),
    PB_REAL(
	"slip", slip, "", 0.03, 0, 1, "of a step of the wheels, as part of it"),
    PB_REAL(
	"walk", walk, "m2/m", 3e-5, 0, 1, "variance of a way by the wheels"),
    PB_REAL("blind", blind, "m", 0.02, 0, 1,
	"way between scans while the wheels say nothing"),
    PB_REAL("bias", bias, "", 0.05, 0, 1,
	"of all steps of the wheels, as part of them"),
    PB_REAL("blocked", blocked, "", 0.05, 0, 0.5,
	"chance that something is in a sensor's way"),
    PB_REAL(
	"odd", odd, "", 0.02, 1e-9, 0.4, "chance that a reading means nothing"),
    PB_REAL("wrong", wrong, "", 0.1, 0.02, 0.6,
	"chance that the camera is wrong, to begin with"),
    PB_REAL("edge", edge, "cells", 0.003, 0, 1,
	"edges of the camera's cells are known to this"),
    PB_REAL("kidnap", kidnap, "", 1e-5, 1e-30, 0.1,
	"chance to be put anywhere in a tick"),
    PB_COUNT("delay", delay, "", 31, 0, PB_FUSE_TRAIL - 1,
	"ticks that the camera is late at most"),
};

/* The one guess of a start near a pose. */
static void
start_near(struct pb_fuse *f, const struct pb_fuse_known *k,
    const struct pb_loc_start *s)
{
	struct pb_fuse_guess q = {.fit = 0.5};
	double unit = k->w.cell * k->w.cell;

	q.x[0] = s->pose.x / k->w.cell;
	q.x[1] = s->pose.y / k->w.cell;
	for (int i = 0; i < 2; i++)
		q.p[i][i] = fmax(s->cov[i][i], 0) / unit + f->sense.unit;
	q.p[2][2] = k->o.bias * k->o.bias;
	fuse_add(f, &q);
}

/* Short delays are likelier. */
static void
begin_lags(struct pb_fuse *f, const struct pb_fuse_known *k)
{
	double p = 1, sum = 0;

	for (int i = 0; i <= k->o.delay; i++, p *= LAG_LONGER) {
		f->sense.lag[i] = p;
		sum += p;
	}
	for (int i = 0; i <= k->o.delay; i++)
		f->sense.lag[i] /= sum;
}

static void
reset(void *mem, const void *known, const struct pb_loc_start *s)
{
	const struct pb_fuse_known *k = known;
	struct pb_fuse *f = mem;

	*f = (struct pb_fuse){.sense.noise = k->o.noise,
	    .sense.unit = pb_tof_var(0, 0, k->w.cell),
	    .sense.wrong = k->o.wrong};
	pb_compass_reset(&f->compass, s);
	for (int i = 0; i < PB_TOF; i++)
		f->sense.last[i] = NAN;
	begin_lags(f, k);
	if (s->kind == PB_LOC_NEAR &&
	    pb_region_of(&k->w.g, (struct pb_vec){s->pose.x / k->w.cell,
				      s->pose.y / k->w.cell}) >= 0)
		start_near(f, k, s);
}

static void
predict(void *mem, const void *known, struct pb_pose odom)
{
	const struct pb_fuse_known *k = known;
	struct pb_fuse *f = mem;
	struct pb_pose wrong = {0, 0, f->sense.compass};
	struct pb_vec d =
	    pb_vec_into(wrong, pb_compass_move(&f->compass, odom));
	struct pb_fuse_trail *t = &f->trail;
	struct pb_vec at = {0, 0};

	d.x /= k->w.cell;
	d.y /= k->w.cell;
	if (t->n > 0)
		at = t->at[(t->n - 1) % PB_FUSE_TRAIL];
	t->at[t->n % PB_FUSE_TRAIL] = (struct pb_vec){at.x + d.x, at.y + d.y};
	t->n++;
	for (int i = 0; i < f->n; i++)
		pb_fuse_move(&f->at[i], k, d);
	f->moved = f->moved || d.x != 0 || d.y != 0;
	f->gone += pb_hypot(d.x, d.y);
	f->fix_gone += pb_hypot(d.x, d.y);
}

static bool
well(const struct pb_fuse *f)
{
	return f->n > 0 && f->at[0].lw > pb_log(SURE) && f->at[0].fit > FITS;
}

/* No wheels, or none that turned: the robot may go anywhere. */
static void
move_blindly(struct pb_fuse *f, const struct pb_fuse_known *k)
{
	double var = k->o.blind * k->o.blind;

	if (f->moved)
		return;
	f->gone += k->o.blind;
	f->fix_gone += k->o.blind;
	for (int i = 0; i < f->n; i++)
		for (int a = 0; a < 2; a++)
			f->at[i].p[a][a] += var;
}

/* Corrected by what was learned of the compass. */
static double
heading_of(const struct pb_fuse *f)
{
	return pb_wrap(pb_compass_heading(&f->compass) - f->sense.compass);
}

static void
scan(void *mem, const void *known, const struct pb_scan *s)
{
	const struct pb_fuse_known *k = known;
	struct pb_fuse *f = mem;
	struct pb_tof z =
	    pb_tof_within(s, heading_of(f), k->w.cell, k->o.radius, WITHIN);
	bool all = !well(f);
	int n = all ? k->w.g.n : (k->w.g.n + ROUND - 1) / ROUND;
	double part;

	move_blindly(f, k);
	pb_fuse_compare(&f->sense, z.r);
	part = f->heard ? fmin(f->gone / NEWS_WAY + SAME_NEWS, 1) : 1;
	if (!all)
		fuse_learn_ranges(&f->sense, k, &f->at[0], &z);
	for (int i = 0; i < f->n; i++)
		pb_fuse_update_tof(&f->at[i], k, &f->sense, &z, part);
	if (f->n > 0 && f->at[0].lw > pb_log(SURE) && f->scans++ % COMPASS == 0)
		pb_fuse_learn_compass(
		    &f->sense, k, &f->at[0], &z, fmin(1, COMPASS_NEWS * part));
	fuse_spawn(f, k, &z, part, f->turn, n);
	pb_fuse_tidy(f);
	f->turn = (f->turn + n) % k->w.g.n;
	f->heard = true;
	f->gone = 0;
}

/* Known by the camera alone. */
static void
spawn_at_cell(struct pb_fuse *f, const struct pb_fuse_known *k)
{
	struct pb_fuse_guess q = {.fit = 0.5};
	double var = pb_tof_cell_var(1);

	if (pb_cells_at(k->w.c, f->fix.row, f->fix.col) < 0)
		return;
	q.x[0] = f->fix.row;
	q.x[1] = f->fix.col;
	q.p[0][0] = q.p[1][1] = var;
	q.p[2][2] = k->o.bias * k->o.bias;
	fuse_add(f, &q);
}

static void
fix(void *mem, const void *known, const struct pb_loc_fix *z)
{
	const struct pb_fuse_known *k = known;
	struct pb_fuse *f = mem;

	f->fix = pb_tof_cell(z->at, k->w.cell);
	f->fix_at = f->trail.n;
	if (f->n == 0)
		spawn_at_cell(f, k);
	pb_fuse_update_fix(f, k);
}

static enum pb_loc_status
status(const struct pb_fuse *f)
{
	const struct pb_fuse_guess *q = &f->at[0];

	if (f->n == 0 || (f->heard && q->fit < WRONG))
		return PB_LOC_LOST;
	if (!f->heard || q->lw < pb_log(SURE) || q->fit < FITS ||
	    q->p[0][0] > 0.25 || q->p[1][1] > 0.25)
		return PB_LOC_AMBIGUOUS;
	return PB_LOC_TRACKING;
}

static void
estimate(const void *mem, const void *known, struct pb_belief *out)
{
	const struct pb_fuse_known *k = known;
	const struct pb_fuse *f = mem;
	double heading = heading_of(f);

	*out = (struct pb_belief){.status = status(f)};
	for (int i = 0; i < f->n && i < PB_LOC_HYPOTHESES; i++) {
		const struct pb_fuse_guess *q = &f->at[i];
		const double var[2] = {
		    q->p[0][0] + f->sense.unit, q->p[1][1] + f->sense.unit};

		pb_tof_believe(out, (struct pb_vec){q->x[0], q->x[1]}, var,
		    pb_exp(q->lw), heading, k->w.cell);
		out->at[i].cov[0][1] = out->at[i].cov[1][0] =
		    q->p[0][1] * k->w.cell * k->w.cell;
	}
}

const struct pb_localizer pb_loc_fuse = {
    .name = "fuse",
    .summary = "several guesses at once from ranges, wheels, a late camera",
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
