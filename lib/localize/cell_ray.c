/* cell_ray.c - the published method that corrects the camera by rays. */
#include "localize/cell_ray.h"

#include <math.h>

#define PB_PARAMS_OF struct pb_cell_ray_opts

static const struct pb_param rows[] = {
    PB_REAL("radius", radius, "m", PB_TOF_RADIUS, 0, 1,
	"from the robot's middle to its sensors"),
    PB_REAL("cv-error", cv_error, "cells", 1.5, 0, 100,
	"candidates further from the camera's cell are odd"),
    PB_REAL("far", far, "cells", 5.0, 0, 100,
	"readings from here on are not trusted"),
    PB_BOOL("far-by-axis", far_by_axis, true,
	"far readings count if the other of the axis is near"),
    PB_BOOL("repair-from-fix", repair_from_fix, true,
	"y repair begins at the cell, whatever x did"),
    PB_REAL("noise", noise, "", 0.01, 0, 1,
	"of a range, as part of it, for the covariance"),
};

/* What one call of pb_cell_ray() works with. */
struct work {
	const struct pb_cells *c;
	const struct pb_cell_ray_opts *o;
	const struct pb_tof *z;
	struct pb_vec fix; /* the camera's cell */
	struct pb_vec cand[PB_TOF];
	bool have[PB_TOF];
};

static double
part(struct pb_vec v, int axis)
{
	return (axis & 1) == 0 ? v.x : v.y;
}

static bool
usable(const struct work *w, int i)
{
	return pb_tof_heard(w->z->r[i]) &&
	       (w->o->far_by_axis || w->z->r[i] < w->o->far);
}

/* A candidate by each sensor, if the robot were in the cell (row, col). */
static void
candidates(struct work *w, int row, int col)
{
	for (int i = 0; i < PB_TOF; i++) {
		double expected =
		    pb_tof_steps(w->c, row, col, i) - w->o->radius;
		double d = pb_tof_sign(i) * (expected - w->z->r[i]);

		w->have[i] = usable(w, i);
		w->cand[i] = pb_cells_xy(row, col);
		if (!w->have[i])
			continue;
		if ((i & 1) == 0)
			w->cand[i].x += d;
		else
			w->cand[i].y += d;
	}
}

static bool
odd(const struct work *w, int i)
{
	return !w->have[i] || pb_dist(w->cand[i], w->fix) > w->o->cv_error;
}

/*
 * If both candidates of an axis (0: x, 1: y) are odd, the robot is perhaps in
 * the next cell along the other axis: go where that axis' first candidate is.
 */
static void
repair(struct work *w, int axis, int *row, int *col)
{
	int k = w->have[1 - axis] ? 1 - axis : 3 - axis, step;

	if (!odd(w, axis) || !odd(w, axis + 2) || !w->have[k])
		return;
	step = part(w->cand[k], k) > part(w->fix, k) ? 1 : -1;
	*row += axis == 1 ? step : 0;
	*col += axis == 0 ? step : 0;
	candidates(w, *row, *col);
}

/* The candidate of an axis that is nearest to the cell, -1 if none. */
static int
nearest(const struct work *w, int axis)
{
	int a = axis, b = axis + 2;

	if (!w->have[a] || !w->have[b])
		return w->have[a] ? a : w->have[b] ? b : -1;
	return pb_dist(w->cand[b], w->fix) < pb_dist(w->cand[a], w->fix) ? b
	                                                                 : a;
}

static bool
far(const struct work *w, int i)
{
	return !(pb_tof_heard(w->z->r[i]) && w->z->r[i] < w->o->far);
}

static double
variance(const struct work *w, int axis, int k, double cell)
{
	double at = part(w->cand[k], axis), apart = 0;
	double outside = fmax(0, fabs(at - part(w->fix, axis)) - 0.5);

	if (w->have[axis] && w->have[axis + 2])
		apart = (at - part(w->cand[k ^ 2], axis)) / 2;
	return pb_tof_var(w->z->r[k] + w->o->radius, w->o->noise, cell) +
	       apart * apart + outside * outside;
}

struct pb_cell_ray_place
pb_cell_ray(const struct pb_cells *c, const struct pb_cell_ray_opts *o,
    double cell, const struct pb_tof *z, int row, int col)
{
	struct work w = {c, o, z, pb_cells_xy(row, col)};
	struct pb_cell_ray_place p = {.at = w.fix};
	int r = row, q = col;

	candidates(&w, row, col);
	repair(&w, 0, &r, &q);
	if (o->repair_from_fix)
		r = row, q = col;
	repair(&w, 1, &r, &q);
	for (int axis = 0; axis < 2; axis++) {
		int k = nearest(&w, axis);

		p.read[axis] = k >= 0 && !(far(&w, axis) && far(&w, axis + 2));
		p.var[axis] = p.read[axis] ? variance(&w, axis, k, cell)
		                           : pb_tof_cell_var(o->cv_error);
		if (p.read[axis])
			*(axis == 0 ? &p.at.x : &p.at.y) =
			    part(w.cand[k], axis);
	}
	return p;
}

struct known {
	struct pb_lattice w;
	struct pb_cell_ray_opts o;
};

struct mind {
	struct pb_lattice_mind l;
	struct pb_cell_ray_place place;
};

/* Known by the camera alone. */
static void
take_cell(struct mind *m, const struct known *k)
{
	double v = pb_tof_cell_var(k->o.cv_error);

	m->place = (struct pb_cell_ray_place){
	    .at = pb_cells_xy(m->l.fix.row, m->l.fix.col), .var = {v, v}};
}

static void
reset(void *mem, const void *known, const struct pb_loc_start *s)
{
	const struct known *k = known;
	struct mind *m = mem;

	pb_lattice_reset(&m->l, &k->w, s);
	take_cell(m, k);
}

static void
scan(void *mem, const void *known, const struct pb_scan *s)
{
	const struct known *k = known;
	struct mind *m = mem;
	struct pb_tof z = pb_tof_of(
	    s, pb_compass_heading(&m->l.compass), k->w.cell, k->o.radius);

	if (!m->l.fix.known)
		return;
	m->place = pb_cell_ray(
	    k->w.c, &k->o, k->w.cell, &z, m->l.fix.row, m->l.fix.col);
	m->l.read = true;
}

static void
fix(void *mem, const void *known, const struct pb_loc_fix *f)
{
	const struct known *k = known;
	struct mind *m = mem;

	m->l.fix = pb_tof_cell(f->at, k->w.cell);
	if (!m->l.read)
		take_cell(m, k);
}

static void
estimate(const void *mem, const void *known, struct pb_belief *out)
{
	const struct known *k = known;
	const struct mind *m = mem;

	*out = (struct pb_belief){.status = PB_LOC_LOST};
	if (!m->l.fix.known)
		return;
	out->status = m->place.read[0] && m->place.read[1] ? PB_LOC_TRACKING
	                                                   : PB_LOC_AMBIGUOUS;
	pb_tof_believe(out, m->place.at, m->place.var, 1,
	    pb_compass_heading(&m->l.compass), k->w.cell);
}

const struct pb_localizer pb_loc_cell_ray = {
    .name = "cell-ray",
    .summary = "the camera's cell, moved by what four sensors read",
    .places = PB_LOC_IN_MAZE,
    .params = PB_PARAMS(rows),
    .opts_size = sizeof(struct pb_cell_ray_opts),
    .learn = pb_lattice_learn,
    .forget = pb_lattice_forget,
    .mem_size = sizeof(struct mind),
    .reset = reset,
    .predict = pb_lattice_predict,
    .scan = scan,
    .fix = fix,
    .estimate = estimate,
};
