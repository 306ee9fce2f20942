/*
 * maze_methods.c - the published localization methods for mazes: region (which
 * region fits the ranges), corridor (follow a corridor cell by cell), cell-ray
 * (correct the camera by rays).
 */
#include "localize/methods.h"

#include <math.h>

#include "base/elementary.h"

/* A region counts as near the camera's cell within this distance (cells). */
#define NEAR_CELL 1

/* A wall nearer than this moves a place known by the camera alone (cells). */
#define AT_WALL 1.0

/* Smaller differences of penalties and distances are rounding (cells). */
#define ROUNDING 1e-6

#define PB_PARAMS_OF struct pb_region_opts

/* Published values. */
static const struct pb_param region_rows[] = {
    PB_REAL("radius", radius, "m", PB_TOF_RADIUS, 0, 1,
	"from the robot's middle to its sensors"),
    PB_REAL("reach", reach, "m", 1.5, 0, 100, "a sensor reads at most"),
    PB_REAL("reliable", reliable, "cells", 8.0, 0, 100,
	"along axes with longer readings the camera decides"),
    PB_BOOL("following", following, true,
	"the robot follows a path, as it does in play"),
    PB_REAL("outside", outside, "cells", 1.0, 0, 100,
	"a place may be this far outside of its region"),
    PB_REAL("longer", longer, "cells", 0.5, 0, 100,
	"a reading may be this much too long"),
    PB_REAL("body", body, "", 0.9, 0, 1,
	"part of the robot that must be off the walls"),
    PB_REAL("noise", noise, "", 0.01, 0, 1,
	"standard deviation of a range for the covariance, as part of it"),
    PB_REAL("cv-error", cv_error, "cells", 1.5, 0, 100,
	"error of the camera, for the covariance"),
    PB_CHOICE("compat", published, "corrected|published",
	"mistakes of the published table: corrected, or made as there"),
};

#undef PB_PARAMS_OF
#define PB_PARAMS_OF struct pb_corridor_opts

/* Published values; `apart` is the root of 2. */
static const struct pb_param corridor_rows[] = {
    PB_REAL("radius", region.radius, "m", PB_TOF_RADIUS, 0, 1,
	"from the robot's middle to its sensors"),
    PB_REAL("reach", region.reach, "m", 1.5, 0, 100, "a sensor reads at most"),
    PB_REAL("jump", jump, "cells", 2.0, 0, 100,
	"a camera cell further away is believed"),
    PB_REAL("usable", usable, "cells", 8.0, 0, 100,
	"walls further away are not used"),
    PB_REAL("apart", apart, "cells", 1.4142135623730951, 0, 100,
	"most between the answer and the targets' middle"),
    PB_REAL("step", step, "cells", 0.25, 0.001, 100,
	"way by the wheels that shows a direction"),
    PB_REAL("noise", region.noise, "", 0.01, 0, 1,
	"standard deviation of a range for the covariance, as part of it"),
    PB_REAL("cv-error", region.cv_error, "cells", 1.5, 0, 100,
	"error of the camera, for the covariance"),
};

/* The memory of one robot. */
struct memory {
	struct pb_compass compass;
	struct pb_tof_cell fix;
	struct pb_belief belief; /* the current answer */
	bool read;               /* the answer is from a scan */
	/* Used by the method "corridor" only: */
	struct pb_vec gone; /* odometry since the last direction (cells) */
	int ahead;          /* axis of that direction, -1 at first */
	struct pb_corridor corridor;
	bool live; /* `corridor` is valid */
};

/* The readings of a scan along the axes; none without a scan. */
static struct pb_tof
axis_readings(const struct memory *m, const struct pb_lattice *w,
    const struct pb_scan *s, double radius)
{
	if (s == NULL)
		return (struct pb_tof){{-1, -1, -1, -1}};
	return pb_tof_from_scan(
	    s, pb_compass_heading(&m->compass), w->cell, radius);
}

/* A reading as scored: "nothing in range" is the reach, an error is NAN. */
static double
reading_or_reach(const struct pb_region_at *k, const struct pb_tof *z, int i)
{
	return isnan(z->r[i]) ? k->o->reach : z->r[i] < 0 ? NAN : z->r[i];
}

/* The sensor of an axis (0: x, 1: y) that reads less, -1 if none does. */
static int
shorter_axis(const struct pb_region_at *k, const struct pb_tof *z, int axis)
{
	double a = reading_or_reach(k, z, axis),
	       b = reading_or_reach(k, z, axis + 2);

	if (isnan(a) || isnan(b))
		return !isnan(a) ? axis : !isnan(b) ? axis + 2 : -1;
	return b < a ? axis + 2 : axis;
}

/* Distance from the region's low corner to the wall along axis i. */
static double
wall_distance(const struct pb_region *r, int i)
{
	return pb_tof_sign(i) * (r->face[i] - r->lo[i & 1]);
}

/* Whether most of the body is inside a wall's corner. */
static bool
is_in_wall(const struct pb_region_at *k, struct pb_vec v)
{
	/* As published: `body` scales the squared radius, not the radius. */
	double off = k->o->radius * k->o->radius * k->o->body;

	for (int n = 0; n < 4; n++) {
		double x = (n & 1) != 0 ? ceil(v.x) : floor(v.x);
		double y = (n & 2) != 0 ? ceil(v.y) : floor(v.y);
		double dx = x - v.x, dy = y - v.y;

		if (pb_cells_at(k->w->c, (int)x, (int)y) < 0 &&
		    dx * dx + dy * dy < off)
			return true;
	}
	return false;
}

/* Sum of the excess of readings over the longest that r allows. */
static double
sum_excess(const struct pb_region_at *k, const struct pb_region *r,
    const struct pb_tof *z)
{
	double sum = 0;

	for (int i = 0; i < PB_TOF; i++) {
		double most = wall_distance(r, i),
		       got = reading_or_reach(k, z, i);

		if (pb_tof_sign(i) < 0)
			most += r->hi[i & 1] - r->lo[i & 1];
		/* Errors are NAN and compare as false. */
		if (got > most + k->o->longer)
			sum += got - most;
	}
	return sum;
}

/*
 * Compute the place in region r from the readings.
 *
 * Returns  its penalty (cells), 0 is best, with at and var (cells, cells2) set;
 * negative if the region cannot be right
 */
static double
region_score(const struct pb_region_at *k, const struct pb_region *r,
    const struct pb_tof *z, struct pb_vec *at, double var[2])
{
	double v[2], penalty = 0;

	for (int axis = 0; axis < 2; axis++) {
		int i = shorter_axis(k, z, axis);
		double actual, out;

		if (i < 0)
			return -1;
		actual = reading_or_reach(k, z, i) + k->o->radius;
		v[axis] = r->lo[axis] +
		          pb_tof_sign(i) *
		              (fmin(wall_distance(r, i), k->o->reach) - actual);
		out = fmax(r->lo[axis] - v[axis], v[axis] - r->hi[axis]);
		if (out > k->o->outside)
			return -1;
		out = fmax(out, 0);
		penalty += out;
		var[axis] =
		    pb_tof_var(actual, k->o->noise, k->w->cell) + out * out;
	}
	*at = (struct pb_vec){v[0], v[1]};
	if (is_in_wall(k, *at))
		return -1;
	return penalty + sum_excess(k, r, z);
}

/* A region that fits, where in it and how well. */
struct fit {
	double penalty; /* misfit plus distance from the camera's cell */
	double misfit;  /* penalty of the readings */
	struct pb_vec at;
	double var[2];
};

static bool
is_near_cell(const struct pb_region *r, struct pb_vec v)
{
	return v.x >= r->lo[0] - NEAR_CELL && v.x <= r->hi[0] + NEAR_CELL &&
	       v.y >= r->lo[1] - NEAR_CELL && v.y <= r->hi[1] + NEAR_CELL;
}

/* Insert f into the list of the best fits, the first of equals first. */
static int
insert_fit(struct fit *list, int n, const struct fit *f)
{
	double below = f->penalty + ROUNDING;
	int i;

	if (n == PB_LOC_HYPOTHESES && !(below < list[n - 1].penalty))
		return n;
	if (n < PB_LOC_HYPOTHESES)
		n++;
	for (i = n - 1; i > 0 && below < list[i - 1].penalty; i--)
		list[i] = list[i - 1];
	list[i] = *f;
	return n;
}

static int
all_fits(const struct pb_region_at *k, const struct pb_tof *z,
    const struct pb_vec *fix, struct fit *list)
{
	int n = 0;

	for (int i = 0; i < k->w->g.n; i++) {
		const struct pb_region *r = &k->w->g.at[i];
		struct fit f;

		if (fix != NULL && !is_near_cell(r, *fix))
			continue;
		f.misfit = region_score(k, r, z, &f.at, f.var);
		if (f.misfit < 0)
			continue;
		f.penalty = f.misfit;
		if (fix != NULL)
			f.penalty +=
			    fabs(f.at.x - fix->x) + fabs(f.at.y - fix->y);
		n = insert_fit(list, n, &f);
	}
	return n;
}

/* Far from walls along an axis use the camera's coordinate. The scan fitted a
 * region, so that each axis has a reading. */
static void
use_camera_if_far(const struct pb_region_at *k, const struct pb_tof *z,
    struct pb_vec fix, struct fit *f)
{
	double v = pb_tof_cell_var(k->o->cv_error);
	int row, col;

	if (reading_or_reach(k, z, shorter_axis(k, z, 0)) > k->o->reliable)
		f->at.x = fix.x, f->var[0] = v;
	if (reading_or_reach(k, z, shorter_axis(k, z, 1)) > k->o->reliable)
		f->at.y = fix.y, f->var[1] = v;
	pb_cells_of_xy(f->at, &row, &col);
	if (pb_cells_at(k->w->c, row, col) < 0) {
		f->at = fix;
		f->var[0] = f->var[1] = v;
	}
}

/* Steps of a ray of cells; as published 0 if it begins in a wall. */
static int
ray_steps(const struct pb_cells *c, int row, int col, int i, bool through)
{
	if (!through && pb_cells_at(c, row, col) < 0)
		return 0;
	return pb_tof_steps(c, row, col, i);
}

/* No region fits: use the camera's cell, moved off or to a near wall. */
static void
correct_camera(const struct pb_region_at *k, const struct pb_tof *z,
    struct pb_tof_cell fix, struct fit *f)
{
	int best = -1;

	*f = (struct fit){.at = pb_cells_xy(fix.row, fix.col)};
	f->var[0] = f->var[1] = pb_tof_cell_var(k->o->cv_error);
	for (int i = 0; i < PB_TOF; i++)
		if (pb_tof_is_distance(z->r[i]) &&
		    (best < 0 || z->r[i] < z->r[best]))
			best = i;
	if (best >= 0 && z->r[best] < AT_WALL) {
		int n = ray_steps(k->w->c, fix.row, fix.col, best, false);
		double d = pb_tof_sign(best) * (n - k->o->radius - z->r[best]);

		*((best & 1) == 0 ? &f->at.x : &f->at.y) += d;
	}
}

/* List the best fit, and without a camera all fits without penalty. */
static void
list_fits(const struct pb_region_at *k, const struct fit *list, int n,
    bool seen, double heading, struct pb_belief *out)
{
	double sum = 0;
	int m = 1;

	while (m < n && !seen && list[m].misfit <= 0)
		m++;
	for (int i = 0; i < m; i++)
		sum += pb_exp(list[0].penalty - list[i].penalty);
	for (int i = 0; i < m; i++)
		pb_tof_add_hypothesis(out, list[i].at, list[i].var,
		    pb_exp(list[0].penalty - list[i].penalty) / sum, heading,
		    k->w->cell);
	out->status =
	    m == 1 && list[0].misfit <= 0 ? PB_LOC_TRACKING : PB_LOC_AMBIGUOUS;
}

void
pb_region_where(const struct pb_region_at *k, const struct pb_tof *z,
    struct pb_tof_cell fix, double heading, struct pb_belief *out)
{
	struct fit list[PB_LOC_HYPOTHESES];
	bool seen = fix.known && pb_cells_at(k->w->c, fix.row, fix.col) >= 0;
	struct pb_vec at = pb_cells_xy(fix.row, fix.col);
	int n = all_fits(k, z, seen ? &at : NULL, list);

	*out = (struct pb_belief){.status = PB_LOC_LOST};
	if (n > 0) {
		if (seen && k->o->following)
			use_camera_if_far(k, z, at, &list[0]);
		list_fits(k, list, n, seen, heading, out);
		return;
	}
	if (!seen)
		fix = (struct pb_tof_cell){0};
	correct_camera(k, z, fix, &list[0]);
	pb_tof_add_hypothesis(
	    out, list[0].at, list[0].var, 1, heading, k->w->cell);
	if (seen)
		out->status = PB_LOC_AMBIGUOUS;
}

/* Precomputed data of the method "region". */
struct region_model {
	struct pb_lattice w;
	struct pb_region_opts o;
};

/*
 * Copy a mistake of the published table: it takes a turn or junction, two cells
 * after a junction, for a corridor across the junction's third arm. A square
 * entered along y from below then has walls on both sides along x, and the
 * other way about.
 */
static void
copy_published_mistake(struct pb_region *r, const struct pb_cells *c)
{
	for (int i = 0; i < PB_TOF; i++) {
		int a = i & 1, at[2] = {r->lo[0] + 1, r->lo[1] + 1};

		at[a] += pb_tof_sign(i);
		at[!a]--;
		if (r->hi[0] - r->lo[0] != 2 || r->hi[1] - r->lo[1] != 2 ||
		    pb_cells_at(c, at[0], at[1]) >= 0 ||
		    pb_cells_at(c, at[0] - a, at[1] - !a) < 0)
			continue;
		r->face[a] = r->hi[a];
		r->face[a + 2] = r->lo[a];
	}
}

static enum pb_status
region_learn(const struct pb_localizer *m, const struct pb_loc_world *w,
    const void *opts, void **model)
{
	enum pb_status st = pb_lattice_learn(m, w, opts, model);
	struct region_model *k = *model;

	for (int i = 0; st == PB_OK && k->o.published && i < k->w.g.n; i++)
		copy_published_mistake(&k->w.g.at[i], w->cells);
	return st;
}

static void
region_answer(struct memory *m, const void *model, const struct pb_scan *s)
{
	const struct region_model *k = model;
	struct pb_tof z = axis_readings(m, &k->w, s, k->o.radius);

	pb_region_where(&(struct pb_region_at){&k->w, &k->o}, &z, m->fix,
	    pb_compass_heading(&m->compass), &m->belief);
	m->read = s != NULL;
}

static void
cell_beside(const int cell[2], int axis, int to[2])
{
	to[0] = cell[0];
	to[1] = cell[1];
	to[axis & 1] += pb_tof_sign(axis);
}

static bool
is_open(const struct pb_cells *c, const int cell[2], int axis)
{
	int to[2];

	cell_beside(cell, axis, to);
	return pb_cells_at(c, to[0], to[1]) >= 0;
}

static struct pb_vec
cell_centre(const int cell[2])
{
	return pb_cells_xy(cell[0], cell[1]);
}

void
pb_corridor_begin(
    struct pb_corridor *s, const struct pb_cells *c, struct pb_vec v)
{
	double var = pb_tof_cell_var(0);

	*s = (struct pb_corridor){.at = v, .var = {var, var}};
	pb_cells_of_xy(v, &s->prev[0], &s->prev[1]);
	cell_beside(s->prev,
	    is_open(c, s->prev, 0)   ? 0
	    : is_open(c, s->prev, 2) ? 2
				     : 1,
	    s->next);
}

int
pb_corridor_ahead(const struct pb_corridor *s)
{
	int dx = s->next[0] - s->prev[0], dy = s->next[1] - s->prev[1];

	return dx > 0 ? 0 : dx < 0 ? 2 : dy > 0 ? 1 : 3;
}

/* Whether there is surely a wall on one side of the cell `at`. */
static bool
side_wall(
    const struct pb_cells *c, const int at[2], int ahead, int side, double most)
{
	int back[2], fore[2];

	cell_beside(at, ahead + 2, back);
	cell_beside(at, ahead, fore);
	return !is_open(c, back, side) && !is_open(c, fore, side) &&
	       pb_tof_steps(c, at[0], at[1], side) <= most;
}

struct pb_corridor_walls
pb_corridor_walls(const struct pb_cells *c, const struct pb_corridor *s,
    int ahead, bool farther, double most)
{
	const int *at = farther ? s->next : s->prev;

	return (struct pb_corridor_walls){
	    .ahead = pb_tof_steps(c, s->prev[0], s->prev[1], ahead & 3) <= most,
	    .back = pb_tof_steps(c, s->next[0], s->next[1], (ahead + 2) & 3) <=
	            most,
	    .left = side_wall(c, at, ahead, (ahead + 1) & 3, most),
	    .right = side_wall(c, at, ahead, (ahead + 3) & 3, most),
	};
}

/* The camera's cell is far away: restart there. */
static void
restart_at(
    struct pb_corridor *s, const struct pb_cells *c, struct pb_tof_cell fix)
{
	pb_corridor_begin(s, c, pb_cells_xy(fix.row, fix.col));
	if (!is_open(c, s->prev, 0) && !is_open(c, s->prev, 2) &&
	    !is_open(c, s->prev, 1))
		cell_beside(s->prev, 3, s->next);
}

/* Mean of the coordinates that the sensors of one axis give. */
struct mean {
	double sum, var; /* sums of places (cells) and of variances (cells2) */
	double first;    /* the first place (cells) */
	int n;
};

static void
add_place(struct mean *m, const struct pb_corridor_model *k,
    const struct pb_tof *z, const int from[2], int i, bool use)
{
	double far, at;

	if (!use || !pb_tof_is_distance(z->r[i]))
		return;
	far = z->r[i] + k->o.region.radius;
	at = from[i & 1] +
	     pb_tof_sign(i) * (pb_tof_steps(k->w.c, from[0], from[1], i) - far);
	if (m->n++ == 0)
		m->first = at;
	m->sum += at;
	m->var += pb_tof_var(far, k->o.region.noise, k->w.cell);
}

/* The mean, or the prediction if there are no readings. */
static double
mean_or_prediction(
    const struct mean *m, double other, double other_var, double *var)
{
	double half;

	if (m->n == 0) {
		*var = other_var;
		return other;
	}
	/* Half of the disagreement of two sensors. */
	half = m->n == 2 ? m->first - m->sum / 2 : 0;
	*var = m->var / (m->n * m->n) + half * half;
	return m->sum / m->n;
}

static bool
is_far_from_middle(const struct pb_corridor *s,
    const struct pb_corridor_opts *o, struct pb_vec v)
{
	double dx = v.x - (s->prev[0] + (s->next[0] - s->prev[0]) / 2);
	double dy = v.y - (s->prev[1] + (s->next[1] - s->prev[1]) / 2);

	/* As published: the root of the sum, not of the sum of squares. The
	 * root of a negative sum is NAN, which is not greater. */
	return sqrt(dx + dy) > o->apart;
}

static bool
is_nearer_to_next(const struct pb_corridor *s)
{
	return pb_dist(s->at, cell_centre(s->next)) <
	       pb_dist(s->at, cell_centre(s->prev));
}

/* Read the walls along and across the direction of motion. */
static void
read_walls(const struct pb_corridor *s, const struct pb_corridor_model *k,
    const struct pb_tof *z, int ahead, struct mean *along, struct mean *across)
{
	bool farther = is_nearer_to_next(s);
	const int *at = farther ? s->next : s->prev;
	struct pb_corridor_walls w =
	    pb_corridor_walls(k->w.c, s, ahead, farther, k->o.usable);

	add_place(along, k, z, s->prev, ahead, w.ahead);
	add_place(along, k, z, s->next, (ahead + 2) & 3, w.back);
	add_place(across, k, z, at, (ahead + 1) & 3, w.left);
	add_place(across, k, z, at, (ahead + 3) & 3, w.right);
}

bool
pb_corridor_tick(struct pb_corridor *s, const struct pb_corridor_model *k,
    const struct pb_tof *z, struct pb_tof_cell fix)
{
	struct mean along = {0}, across = {0};
	struct pb_vec cell = pb_cells_xy(fix.row, fix.col);
	double from[2], var[2];
	int ahead, a;

	if (fix.known && pb_dist(cell, s->at) > k->o.jump)
		restart_at(s, k->w.c, fix);
	ahead = pb_corridor_ahead(s);
	a = ahead & 1;
	if (fix.known) {
		s->prev[0] = fix.row;
		s->prev[1] = fix.col;
	}
	read_walls(s, k, z, ahead, &along, &across);
	from[0] = s->at.x;
	from[1] = s->at.y;
	/* A coordinate without readings is known to a cell at best. */
	var[0] = fmax(s->var[0], pb_tof_cell_var(0));
	var[1] = fmax(s->var[1], pb_tof_cell_var(0));
	if (fix.known) {
		from[a] = a == 0 ? cell.x : cell.y;
		var[a] = pb_tof_cell_var(k->o.region.cv_error);
	}
	from[a] = mean_or_prediction(&along, from[a], var[a], &s->var[a]);
	from[1 - a] = mean_or_prediction(
	    &across, from[1 - a], var[1 - a], &s->var[1 - a]);
	s->at = (struct pb_vec){from[0], from[1]};
	return !is_far_from_middle(s, &k->o, s->at);
}

/* The path is not known here: use odometry's direction. */
static void
corridor_predict(void *mem, const void *model, struct pb_pose odom)
{
	const struct pb_corridor_model *k = model;
	struct memory *m = mem;
	struct pb_vec d = pb_compass_move(&m->compass, odom);
	double x, y;

	x = m->gone.x += d.x / k->w.cell;
	y = m->gone.y += d.y / k->w.cell;
	if (pb_hypot(x, y) < k->o.step)
		return;
	m->ahead = fabs(x) >= fabs(y) ? (x > 0 ? 0 : 2) : (y > 0 ? 1 : 3);
	m->gone = (struct pb_vec){0, 0};
}

static void
take_direction(struct memory *m, const struct pb_corridor_model *k)
{
	struct pb_corridor *s = &m->corridor;

	if (m->ahead >= 0 && is_open(k->w.c, s->prev, m->ahead))
		cell_beside(s->prev, m->ahead, s->next);
}

/* Answer by the method "region", and restart the corridor there. */
static void
restart_by_region(struct memory *m, const struct pb_corridor_model *k,
    const struct pb_tof *z, double heading)
{
	const struct pb_pose *p = &m->belief.at[0].pose;

	pb_region_where(&(struct pb_region_at){&k->w, &k->o.region}, z, m->fix,
	    heading, &m->belief);
	m->live = m->belief.status != PB_LOC_LOST;
	if (m->live)
		pb_corridor_begin(&m->corridor, k->w.c,
		    (struct pb_vec){p->x / k->w.cell, p->y / k->w.cell});
}

/* Without a scan only remember the camera's cell: it is used with the first
 * scan. */
static void
corridor_answer(struct memory *m, const void *model, const struct pb_scan *s)
{
	const struct pb_corridor_model *k = model;
	struct pb_tof z = axis_readings(m, &k->w, s, k->o.region.radius);
	double heading = pb_compass_heading(&m->compass);

	m->read = true;
	if (m->live) {
		take_direction(m, k);
		m->live = pb_corridor_tick(&m->corridor, k, &z, m->fix);
	}
	if (!m->live) {
		restart_by_region(m, k, &z, heading);
		return;
	}
	m->belief = (struct pb_belief){.status = PB_LOC_TRACKING};
	pb_tof_add_hypothesis(
	    &m->belief, m->corridor.at, m->corridor.var, 1, heading, k->w.cell);
}

/* Set the constants of the method "region", which it falls back on, to their
 * defaults: they are no constants of this method. */
static void
set_region_defaults(void *opts)
{
	struct pb_corridor_opts *o = opts;

	pb_params_defaults(pb_loc_region.params, &o->region);
}

#undef PB_PARAMS_OF
#define PB_PARAMS_OF struct pb_cell_ray_opts

static const struct pb_param ray_rows[] = {
    PB_REAL("radius", radius, "m", PB_TOF_RADIUS, 0, 1,
	"from the robot's middle to its sensors"),
    PB_REAL("cv-error", cv_error, "cells", 1.5, 0, 100,
	"candidates further from the camera's cell are odd"),
    PB_REAL("far", far, "cells", 5.0, 0, 100,
	"readings from here on are not trusted"),
    PB_REAL("noise", noise, "", 0.01, 0, 1,
	"standard deviation of a range for the covariance, as part of it"),
    PB_CHOICE("walls", through, "stop|through",
	"length of a ray that begins in a wall: 0, or to the next wall"),
};

/* Work space of pb_cell_ray(). */
struct ray_work {
	const struct pb_cells *c;
	const struct pb_cell_ray_opts *o;
	const struct pb_tof *z;
	struct pb_vec fix; /* the camera's cell */
	struct pb_vec cand[PB_TOF];
	bool have[PB_TOF];
};

static double
coordinate(struct pb_vec v, int axis)
{
	return (axis & 1) == 0 ? v.x : v.y;
}

/* Compute each sensor's candidate, given the robot's cell (row, col). */
static void
ray_candidates(struct ray_work *w, int row, int col)
{
	for (int i = 0; i < PB_TOF; i++) {
		int n = ray_steps(w->c, row, col, i, w->o->through);
		double expected = n - w->o->radius;
		double d = pb_tof_sign(i) * (expected - w->z->r[i]);

		w->have[i] = pb_tof_is_distance(w->z->r[i]);
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
is_implausible(const struct ray_work *w, int i)
{
	return !w->have[i] || pb_dist(w->cand[i], w->fix) > w->o->cv_error;
}

/*
 * If both candidates of an axis (0: x, 1: y) are implausible, the robot may be
 * in the next cell along the other axis: move to that axis's first candidate.
 */
static void
move_cell(struct ray_work *w, int axis, int *row, int *col)
{
	int k = w->have[1 - axis] ? 1 - axis : 3 - axis, step;

	if (!is_implausible(w, axis) || !is_implausible(w, axis + 2) ||
	    !w->have[k])
		return;
	step = coordinate(w->cand[k], k) > coordinate(w->fix, k) ? 1 : -1;
	*row += axis == 1 ? step : 0;
	*col += axis == 0 ? step : 0;
	ray_candidates(w, *row, *col);
}

/* The candidate of an axis that is nearest to the cell, -1 if none. */
static int
nearest_candidate(const struct ray_work *w, int axis)
{
	int a = axis, b = axis + 2;

	if (!w->have[a] || !w->have[b])
		return w->have[a] ? a : w->have[b] ? b : -1;
	return pb_dist(w->cand[b], w->fix) + ROUNDING <
	               pb_dist(w->cand[a], w->fix)
	           ? b
	           : a;
}

static bool
is_ray_far(const struct ray_work *w, int i)
{
	return !(pb_tof_is_distance(w->z->r[i]) && w->z->r[i] < w->o->far);
}

static double
ray_variance(const struct ray_work *w, int axis, int k, double cell)
{
	double at = coordinate(w->cand[k], axis), apart = 0;
	double outside = fmax(0, fabs(at - coordinate(w->fix, axis)) - 0.5);

	if (w->have[axis] && w->have[axis + 2])
		apart = (at - coordinate(w->cand[k ^ 2], axis)) / 2;
	return pb_tof_var(w->z->r[k] + w->o->radius, w->o->noise, cell) +
	       apart * apart + outside * outside;
}

struct pb_cell_ray_place
pb_cell_ray(const struct pb_cells *c, const struct pb_cell_ray_opts *o,
    double cell, const struct pb_tof *z, int row, int col)
{
	struct ray_work w = {c, o, z, pb_cells_xy(row, col)};
	struct pb_cell_ray_place p = {.at = w.fix};
	int r = row, q = col;

	ray_candidates(&w, row, col);
	move_cell(&w, 0, &r, &q);
	/* As published, y starts from the camera's cell again. */
	r = row, q = col;
	move_cell(&w, 1, &r, &q);
	for (int axis = 0; axis < 2; axis++) {
		int k = nearest_candidate(&w, axis);

		p.read[axis] = k >= 0 && !(is_ray_far(&w, axis) &&
					     is_ray_far(&w, axis + 2));
		p.var[axis] = p.read[axis] ? ray_variance(&w, axis, k, cell)
		                           : pb_tof_cell_var(o->cv_error);
		if (p.read[axis])
			*(axis == 0 ? &p.at.x : &p.at.y) =
			    coordinate(w.cand[k], axis);
	}
	return p;
}

struct ray_model {
	struct pb_lattice w;
	struct pb_cell_ray_opts o;
};

static void
ray_answer(struct memory *m, const void *model, const struct pb_scan *s)
{
	const struct ray_model *k = model;
	struct pb_tof z = axis_readings(m, &k->w, s, k->o.radius);
	struct pb_cell_ray_place p;

	if (!m->fix.known)
		return;
	p = pb_cell_ray(k->w.c, &k->o, k->w.cell, &z, m->fix.row, m->fix.col);
	m->read = s != NULL;
	m->belief = (struct pb_belief){.status = p.read[0] && p.read[1]
	                                             ? PB_LOC_TRACKING
	                                             : PB_LOC_AMBIGUOUS};
	pb_tof_add_hypothesis(&m->belief, p.at, p.var, 1,
	    pb_compass_heading(&m->compass), k->w.cell);
}

/* Update the answer by a scan, or NULL. */
static void
update_belief(
    struct memory *m, const struct pb_lattice *k, const struct pb_scan *s)
{
	if (k->m == &pb_loc_region)
		region_answer(m, k, s);
	else if (k->m == &pb_loc_corridor)
		corridor_answer(m, k, s);
	else
		ray_answer(m, k, s);
}

static void
reset(void *mem, const void *model, const struct pb_loc_start *s)
{
	const struct pb_lattice *k = model;
	struct memory *m = mem;

	*m = (struct memory){.fix = pb_tof_cell_start(s, k->cell),
	    .belief.status = PB_LOC_LOST,
	    .ahead = -1};
	pb_compass_reset(&m->compass, s);
	update_belief(m, k, NULL);
	if (m->live)
		pb_corridor_begin(&m->corridor, k->c,
		    (struct pb_vec){s->pose.x / k->cell, s->pose.y / k->cell});
}

static void
predict(void *mem, const void *model, struct pb_pose odom)
{
	struct memory *m = mem;

	(void)model;
	pb_compass_move(&m->compass, odom);
}

static void
scan(void *mem, const void *model, const struct pb_scan *s)
{
	update_belief(mem, model, s);
}

static void
fix(void *mem, const void *model, const struct pb_loc_fix *f)
{
	const struct pb_lattice *k = model;
	struct memory *m = mem;

	m->fix = pb_tof_cell(f->at, k->cell);
	if (!m->read)
		update_belief(m, k, NULL);
}

static void
estimate(const void *mem, const void *model, struct pb_belief *out)
{
	(void)model;
	*out = ((const struct memory *)mem)->belief;
}

/* Members that are the same in all three. */
#define SAME_IN_ALL                                                      \
	.places = PB_LOC_IN_MAZE, .forget = pb_lattice_forget,           \
	.mem_size = sizeof(struct memory), .reset = reset, .scan = scan, \
	.fix = fix, .estimate = estimate

const struct pb_localizer pb_loc_region = {
    SAME_IN_ALL,
    .name = "region",
    .summary = "the part of the maze that four readings fit best",
    .params = PB_PARAMS(region_rows),
    .opts_size = sizeof(struct pb_region_opts),
    .learn = region_learn,
    .predict = predict,
};

const struct pb_localizer pb_loc_corridor = {
    SAME_IN_ALL,
    .name = "corridor",
    .summary = "walls that a robot between two cells cannot mistake",
    .params = PB_PARAMS(corridor_rows),
    .rest = set_region_defaults,
    .opts_size = sizeof(struct pb_corridor_opts),
    .learn = pb_lattice_learn,
    .predict = corridor_predict,
};

const struct pb_localizer pb_loc_cell_ray = {
    SAME_IN_ALL,
    .name = "cell-ray",
    .summary = "the camera's cell, moved by what four sensors read",
    .params = PB_PARAMS(ray_rows),
    .opts_size = sizeof(struct pb_cell_ray_opts),
    .learn = pb_lattice_learn,
    .predict = predict,
};
