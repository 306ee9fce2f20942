/* region.w.c - the published method that asks which region fits. */
#include "localize/region.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"

/* An axis' camera cell wins over regions within so much of it (cells). */
#define NEAR_CELL 1

/* A wall nearer than this moves a place known by the camera alone (cells). */
#define AT_WALL 1.0

struct pb_region_opts
pb_region_defaults(void)
{
	return (struct pb_region_opts){
	    .radius = PB_TOF_RADIUS,
	    .reach = 1.5,
	    .reliable = 8.0,
	    .following = true,
	    .outside = 1.0,
	    .longer = 0.5,
	    .body = 0.9,
	    .body_square = true,
	    .noise = 0.01,
	    .cv_error = 1.5,
	};
}

#define PB_PARAMS_OF struct pb_region_opts

static const struct pb_param params_of[] = {
    PB_REAL(
	"radius", radius, "m", 0, 1, "from the robot's middle to its sensors"),
    PB_REAL("reach", reach, "m", 0, 100, "a sensor reads at most"),
    PB_REAL("reliable", reliable, "cells", 0, 100,
	"axes with longer readings are the camera's"),
    PB_BOOL(
	"following", following, "the robot follows a path, as it does in play"),
    PB_REAL("outside", outside, "cells", 0, 100,
	"a place may be so far outside of its region"),
    PB_REAL(
	"longer", longer, "cells", 0, 100, "a reading may be so much too long"),
    PB_REAL(
	"body", body, "", 0, 1, "part of the robot that must be off the walls"),
    PB_BOOL("body-square", body_square,
	"body is a part of the square of the radius"),
    PB_REAL("noise", noise, "", 0, 1,
	"of a range, as part of it, for the covariance"),
    PB_REAL("cv-error", cv_error, "cells", 0, 100,
	"of the camera, for the covariance"),
};

/* As struct pb_localizer has it. */
static const struct pb_param *
region_params(size_t *n)
{
	*n = sizeof(params_of) / sizeof(*params_of);
	return params_of;
}

void
pb_region_use(struct pb_region_known *k, const struct pb_region_opts *o)
{
	k->o = *o;
	k->o.radius /= k->w.cell;
	k->o.reach /= k->w.cell;
}

/* A reading as scored: "nothing in range" is the reach, an error is NAN. */
static double
reading(const struct pb_region_known *k, const struct pb_tof *z, int i)
{
	return isnan(z->r[i]) ? k->o.reach : z->r[i] < 0 ? NAN : z->r[i];
}

/* The sensor of an axis (0: x, 1: y) that reads less, -1 if none does. */
static int
shorter(const struct pb_region_known *k, const struct pb_tof *z, int axis)
{
	double a = reading(k, z, axis), b = reading(k, z, axis + 2);

	if (isnan(a) || isnan(b))
		return !isnan(a) ? axis : !isnan(b) ? axis + 2 : -1;
	return b < a ? axis + 2 : axis;
}

/* From the low corner to the wall along axis i. */
static double
depth(const struct pb_region *r, int i)
{
	return pb_tof_sign(i) * (r->face[i] - r->lo[i & 1]);
}

/* The body, or most of it, inside of a wall's corner. */
static bool
in_wall(const struct pb_region_known *k, struct pb_vec v)
{
	double off = k->o.radius * k->o.radius * k->o.body;

	if (!k->o.body_square)
		off *= k->o.body;
	for (int n = 0; n < 4; n++) {
		double x = (n & 1) != 0 ? ceil(v.x) : floor(v.x);
		double y = (n & 2) != 0 ? ceil(v.y) : floor(v.y);
		double dx = x - v.x, dy = y - v.y;

		if (pb_cells_at(k->w.c, (int)x, (int)y) < 0 &&
		    dx * dx + dy * dy < off)
			return true;
	}
	return false;
}

/* Readings that are too long for anywhere in the region. */
static double
too_long(const struct pb_region_known *k, const struct pb_region *r,
    const struct pb_tof *z)
{
	double sum = 0;

	for (int i = 0; i < PB_TOF; i++) {
		double most = depth(r, i), got = reading(k, z, i);

		if (pb_tof_sign(i) < 0)
			most += r->hi[i & 1] - r->lo[i & 1];
		/* Errors are NAN and compare as false. */
		if (got > most + k->o.longer)
			sum += got - most;
	}
	return sum;
}

/*
 * The place that the readings give in one region.
 *
 * Returns  its penalty (cells), 0 is best; at and var (cells, cells2) set.
 *          Negative if the region is out of the question
 */
static double
region_score(const struct pb_region_known *k, const struct pb_region *r,
    const struct pb_tof *z, struct pb_vec *at, double var[2])
{
	double v[2], penalty = 0;

	for (int axis = 0; axis < 2; axis++) {
		int i = shorter(k, z, axis);
		double actual, out;

		if (i < 0)
			return -1;
		actual = reading(k, z, i) + k->o.radius;
		v[axis] =
		    r->lo[axis] +
		    pb_tof_sign(i) * (fmin(depth(r, i), k->o.reach) - actual);
		out = fmax(r->lo[axis] - v[axis], v[axis] - r->hi[axis]);
		if (out > k->o.outside)
			return -1;
		out = fmax(out, 0);
		penalty += out;
		var[axis] =
		    pb_tof_var(actual, k->o.noise, k->w.cell) + out * out;
	}
	*at = (struct pb_vec){v[0], v[1]};
	if (in_wall(k, *at))
		return -1;
	return penalty + too_long(k, r, z);
}

/* A region that fits, where in it and how well. */
struct fit {
	double penalty; /* with the way from the camera's cell */
	double misfit;  /* without */
	struct pb_vec at;
	double var[2];
};

static bool
near_cell(const struct pb_region *r, struct pb_vec v)
{
	return v.x >= r->lo[0] - NEAR_CELL && v.x <= r->hi[0] + NEAR_CELL &&
	       v.y >= r->lo[1] - NEAR_CELL && v.y <= r->hi[1] + NEAR_CELL;
}

/* Put f into the list of those that fit best, the first of equals first. */
static int
keep(struct fit *list, int n, const struct fit *f)
{
	int i;

	if (n == PB_LOC_HYPOTHESES && !(f->penalty < list[n - 1].penalty))
		return n;
	if (n < PB_LOC_HYPOTHESES)
		n++;
	for (i = n - 1; i > 0 && f->penalty < list[i - 1].penalty; i--)
		list[i] = list[i - 1];
	list[i] = *f;
	return n;
}

static int
all_fits(const struct pb_region_known *k, const struct pb_tof *z,
    const struct pb_vec *fix, struct fit *list)
{
	int n = 0;

	for (int i = 0; i < k->w.g.n; i++) {
		const struct pb_region *r = &k->w.g.at[i];
		struct fit f;

		if (fix != NULL && !near_cell(r, *fix))
			continue;
		f.misfit = region_score(k, r, z, &f.at, f.var);
		if (f.misfit < 0)
			continue;
		f.penalty = f.misfit;
		if (fix != NULL)
			f.penalty +=
			    fabs(f.at.x - fix->x) + fabs(f.at.y - fix->y);
		n = keep(list, n, &f);
	}
	return n;
}

/* Far from walls along an axis the robot trusts the camera there. */
static void
snap(const struct pb_region_known *k, const struct pb_tof *z, struct pb_vec fix,
    struct fit *f)
{
	double v = pb_tof_cell_var(k->o.cv_error);
	int row, col;

	if (reading(k, z, shorter(k, z, 0)) > k->o.reliable)
		f->at.x = fix.x, f->var[0] = v;
	if (reading(k, z, shorter(k, z, 1)) > k->o.reliable)
		f->at.y = fix.y, f->var[1] = v;
	pb_cells_of_xy(f->at, &row, &col);
	if (pb_cells_at(k->w.c, row, col) < 0) {
		f->at = fix;
		f->var[0] = f->var[1] = v;
	}
}

/* No region fits: the camera's cell, moved off or to a wall close by. */
static void
fall_back(const struct pb_region_known *k, const struct pb_tof *z,
    struct pb_tof_cell fix, struct fit *f)
{
	int best = -1;

	*f = (struct fit){.at = pb_cells_xy(fix.row, fix.col)};
	f->var[0] = f->var[1] = pb_tof_cell_var(k->o.cv_error);
	for (int i = 0; i < PB_TOF; i++)
		if (pb_tof_heard(z->r[i]) && (best < 0 || z->r[i] < z->r[best]))
			best = i;
	if (best >= 0 && z->r[best] < AT_WALL) {
		int steps = pb_tof_steps(k->w.c, fix.row, fix.col, best);
		double d =
		    pb_tof_sign(best) * (steps - k->o.radius - z->r[best]);

		*((best & 1) == 0 ? &f->at.x : &f->at.y) += d;
	}
}

/* Hypotheses: the best, and without camera all that fit quite. */
static void
list_fits(const struct pb_region_known *k, const struct fit *list, int n,
    bool seen, double heading, struct pb_belief *out)
{
	double sum = 0;
	int m = 1;

	while (m < n && !seen && list[m].misfit <= 0)
		m++;
	for (int i = 0; i < m; i++)
		sum += pb_exp(list[0].penalty - list[i].penalty);
	for (int i = 0; i < m; i++)
		pb_tof_believe(out, list[i].at, list[i].var,
		    pb_exp(list[0].penalty - list[i].penalty) / sum, heading,
		    k->w.cell);
	out->status =
	    m == 1 && list[0].misfit <= 0 ? PB_LOC_TRACKING : PB_LOC_AMBIGUOUS;
}

void
pb_region_where(const struct pb_region_known *k, const struct pb_tof *z,
    struct pb_tof_cell fix, double heading, struct pb_belief *out)
{
	struct fit list[PB_LOC_HYPOTHESES];
	bool seen = fix.known && pb_cells_at(k->w.c, fix.row, fix.col) >= 0;
	struct pb_vec at = pb_cells_xy(fix.row, fix.col);
	int n = all_fits(k, z, seen ? &at : NULL, list);

	*out = (struct pb_belief){.status = PB_LOC_LOST};
	if (n > 0) {
		if (seen && k->o.following)
			snap(k, z, at, &list[0]);
		list_fits(k, list, n, seen, heading, out);
		return;
	}
	if (!seen)
		fix = (struct pb_tof_cell){0};
	fall_back(k, z, fix, &list[0]);
	pb_tof_believe(out, list[0].at, list[0].var, 1, heading, k->w.cell);
	if (seen)
		out->status = PB_LOC_AMBIGUOUS;
}

static void
defaults(void *opts)
{
	*(struct pb_region_opts *)opts = pb_region_defaults();
}

static enum pb_status
learn(const struct pb_loc_world *w, const void *opts, void **known)
{
	enum pb_status s = pb_lattice_learn(
	    w, region_params, opts, sizeof(struct pb_region_known), known);

	if (s == PB_OK)
		pb_region_use(*known, opts);
	return s;
}

static size_t
memory(const void *known)
{
	(void)known;
	return sizeof(struct pb_lattice_mind);
}

/* What the camera alone says. */
static void
take_cell(struct pb_lattice_mind *m, const struct pb_region_known *k)
{
	static const struct pb_tof none = {{-1, -1, -1, -1}};

	pb_region_where(
	    k, &none, m->fix, pb_compass_heading(&m->compass), &m->belief);
}

static void
reset(void *mem, const void *known, const struct pb_loc_start *s)
{
	const struct pb_region_known *k = known;
	struct pb_lattice_mind *m = mem;

	pb_lattice_reset(m, &k->w, s);
	take_cell(m, k);
}

static void
scan(void *mem, const void *known, const struct pb_scan *s)
{
	const struct pb_region_known *k = known;
	struct pb_lattice_mind *m = mem;
	double heading = pb_compass_heading(&m->compass);
	struct pb_tof z = pb_tof_of(s, heading, k->w.cell, k->o.radius);

	pb_region_where(k, &z, m->fix, heading, &m->belief);
	m->read = true;
}

static void
fix(void *mem, const void *known, const struct pb_loc_fix *f)
{
	const struct pb_region_known *k = known;
	struct pb_lattice_mind *m = mem;

	m->fix = pb_tof_cell(f->at, k->w.cell);
	if (!m->read)
		take_cell(m, k);
}

const struct pb_localizer pb_loc_region = {
    .name = "region",
    .summary = "the part of the maze that four readings fit best",
    .places = PB_LOC_IN_MAZE,
    .params = region_params,
    .opts_size = sizeof(struct pb_region_opts),
    .defaults = defaults,
    .learn = learn,
    .forget = pb_lattice_forget,
    .memory = memory,
    .reset = reset,
    .predict = pb_lattice_predict,
    .scan = scan,
    .fix = fix,
    .estimate = pb_lattice_estimate,
};
