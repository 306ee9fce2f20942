/* corridor.c - the published method that follows a corridor cell by cell. */
#include "localize/corridor.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"

static void
beside(const int cell[2], int axis, int to[2])
{
	to[0] = cell[0];
	to[1] = cell[1];
	to[axis & 1] += pb_tof_sign(axis);
}

static bool
is_open(const struct pb_cells *c, const int cell[2], int axis)
{
	int to[2];

	beside(cell, axis, to);
	return pb_cells_at(c, to[0], to[1]) >= 0;
}

static struct pb_vec
centre(const int cell[2])
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
	beside(s->prev,
	    is_open(c, s->prev, 0)   ? 0
	    : is_open(c, s->prev, 2) ? 2
				     : 1,
	    s->next);
}

void
pb_corridor_path(struct pb_corridor *s, const int (*cell)[2], int n)
{
	for (int i = 0; i < n; i++)
		if (abs(cell[i][0] - s->prev[0]) +
			abs(cell[i][1] - s->prev[1]) ==
		    1) {
			s->next[0] = cell[i][0];
			s->next[1] = cell[i][1];
		}
}

int
pb_corridor_ahead(const struct pb_corridor *s)
{
	int dx = s->next[0] - s->prev[0], dy = s->next[1] - s->prev[1];

	return dx > 0 ? 0 : dx < 0 ? 2 : dy > 0 ? 1 : 3;
}

/* Cells behind, beside and before of `at` on one side: is the wall sure? */
static bool
side_wall(
    const struct pb_cells *c, const int at[2], int ahead, int side, double most)
{
	int back[2], fore[2];

	beside(at, ahead + 2, back);
	beside(at, ahead, fore);
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

/* The camera is far away: believe it and begin anew. */
static void
jump(struct pb_corridor *s, const struct pb_cells *c, struct pb_tof_cell fix)
{
	pb_corridor_begin(s, c, pb_cells_xy(fix.row, fix.col));
	if (!is_open(c, s->prev, 0) && !is_open(c, s->prev, 2) &&
	    !is_open(c, s->prev, 1))
		beside(s->prev, 3, s->next);
}

/* Mean of the places that the sensors of one axis give. */
struct mean {
	double sum, var; /* (cells, cells2) */
	double first;    /* summand (cells) */
	int n;
};

static void
add(struct mean *m, const struct pb_region_known *k, const struct pb_tof *z,
    const int from[2], int i, bool use)
{
	double far, at;

	if (!use || !pb_tof_heard(z->r[i]))
		return;
	far = z->r[i] + k->o.radius;
	at = from[i & 1] +
	     pb_tof_sign(i) * (pb_tof_steps(k->w.c, from[0], from[1], i) - far);
	if (m->n++ == 0)
		m->first = at;
	m->sum += at;
	m->var += pb_tof_var(far, k->o.noise, k->w.cell);
}

/* The mean, or else what is known without sensors. */
static double
settle(const struct mean *m, double other, double other_var, double *var)
{
	double half;

	if (m->n == 0) {
		*var = other_var;
		return other;
	}
	/* Half of what two sensors disagree by. */
	half = m->n == 2 ? m->first - m->sum / 2 : 0;
	*var = m->var / (m->n * m->n) + half * half;
	return m->sum / m->n;
}

static bool
far_from_middle(const struct pb_corridor *s, const struct pb_corridor_opts *o,
    struct pb_vec v)
{
	double dx = v.x - (s->prev[0] + (s->next[0] - s->prev[0]) / 2);
	double dy = v.y - (s->prev[1] + (s->next[1] - s->prev[1]) / 2);

	/* A negative sum has no root: NAN is not greater than anything. */
	return (o->middle == PB_CORRIDOR_SUM ? sqrt(dx + dy)
					     : pb_hypot(dx, dy)) > o->apart;
}

static bool
nearer_to_next(const struct pb_corridor *s)
{
	return pb_dist(s->at, centre(s->next)) <
	       pb_dist(s->at, centre(s->prev));
}

/* What the sensors say along and across the way. */
static void
read_walls(const struct pb_corridor *s, const struct pb_region_known *k,
    const struct pb_corridor_opts *o, const struct pb_tof *z, int ahead,
    struct mean *along, struct mean *across)
{
	bool farther = nearer_to_next(s);
	const int *at = farther ? s->next : s->prev;
	struct pb_corridor_walls w =
	    pb_corridor_walls(k->w.c, s, ahead, farther, o->usable);

	add(along, k, z, s->prev, ahead, w.ahead);
	add(along, k, z, s->next, (ahead + 2) & 3, w.back);
	add(across, k, z, at, (ahead + 1) & 3, w.left);
	add(across, k, z, at, (ahead + 3) & 3, w.right);
}

bool
pb_corridor_tick(struct pb_corridor *s, const struct pb_region_known *k,
    const struct pb_corridor_opts *o, const struct pb_tof *z,
    struct pb_tof_cell fix)
{
	struct mean along = {0}, across = {0};
	struct pb_vec cell = pb_cells_xy(fix.row, fix.col);
	double from[2], var[2];
	int ahead, a;

	if (fix.known && pb_dist(cell, s->at) > o->jump)
		jump(s, k->w.c, fix);
	ahead = pb_corridor_ahead(s);
	a = ahead & 1;
	if (fix.known) {
		s->prev[0] = fix.row;
		s->prev[1] = fix.col;
	}
	read_walls(s, k, o, z, ahead, &along, &across);
	from[0] = s->at.x;
	from[1] = s->at.y;
	/* What is kept while the robot moves is known to a cell at best. */
	var[0] = fmax(s->var[0], pb_tof_cell_var(0));
	var[1] = fmax(s->var[1], pb_tof_cell_var(0));
	if (fix.known) {
		from[a] = a == 0 ? cell.x : cell.y;
		var[a] = pb_tof_cell_var(k->o.cv_error);
	}
	from[a] = settle(&along, from[a], var[a], &s->var[a]);
	from[1 - a] = settle(&across, from[1 - a], var[1 - a], &s->var[1 - a]);
	s->at = (struct pb_vec){from[0], from[1]};
	return !far_from_middle(s, o, s->at);
}

struct known {
	struct pb_region_known region;
	struct pb_corridor_opts o;
};

struct mind {
	struct pb_lattice_mind l;
	struct pb_vec gone; /* by the wheels since the last direction (cells) */
	int ahead;          /* axis of that direction, -1 at first */
	struct pb_corridor corridor;
	bool live; /* corridor holds */
};

static void
defaults(void *opts)
{
	*(struct pb_corridor_opts *)opts = (struct pb_corridor_opts){
	    .region = pb_region_defaults(),
	    .jump = 2.0,
	    .usable = 8.0,
	    .apart = 1.4142135623730951, /* published as the root of 2 */
	    .middle = PB_CORRIDOR_SUM,
	    .step = 0.25,
	};
}

#define PB_PARAMS_OF struct pb_corridor_opts

static const struct pb_param params_of[] = {
    PB_REAL("radius", region.radius, "m", 0, 1,
	"from the robot's middle to its sensors"),
    PB_REAL("reach", region.reach, "m", 0, 100, "a sensor reads at most"),
    PB_REAL("jump", jump, "cells", 0, 100,
	"a camera cell further away is believed"),
    PB_REAL(
	"usable", usable, "cells", 0, 100, "walls further away are not used"),
    PB_REAL("apart", apart, "cells", 0, 100,
	"most between the answer and the targets' middle"),
    PB_CHOICE("middle", middle, "sum|distance",
	"how that is measured: root of dx + dy, or distance"),
    PB_REAL("step", step, "cells", 0.001, 100,
	"way by the wheels that shows a direction"),
    PB_REAL("noise", region.noise, "", 0, 1,
	"of a range, as part of it, for the covariance"),
    PB_REAL("cv-error", region.cv_error, "cells", 0, 100,
	"of the camera, for the covariance"),
};

static const struct pb_param *
params(size_t *n)
{
	*n = sizeof(params_of) / sizeof(*params_of);
	return params_of;
}

static enum pb_status
learn(const struct pb_loc_world *w, const void *opts, void **known)
{
	const struct pb_corridor_opts *o = opts;
	enum pb_status s =
	    pb_lattice_learn(w, params, o, sizeof(struct known), known);

	if (s == PB_OK) {
		struct known *k = *known;

		k->o = *o;
		pb_region_use(&k->region, &o->region);
	}
	return s;
}

static size_t
memory(const void *known)
{
	(void)known;
	return sizeof(struct mind);
}

static void
reset(void *mem, const void *known, const struct pb_loc_start *s)
{
	const struct known *k = known;
	static const struct pb_tof none = {{-1, -1, -1, -1}};
	struct mind *m = mem;

	*m = (struct mind){.ahead = -1};
	pb_lattice_reset(&m->l, &k->region.w, s);
	pb_region_where(&k->region, &none, m->l.fix,
	    pb_compass_heading(&m->l.compass), &m->l.belief);
	if (s->kind == PB_LOC_NEAR &&
	    pb_cells_at(k->region.w.c, m->l.fix.row, m->l.fix.col) >= 0) {
		pb_corridor_begin(&m->corridor, k->region.w.c,
		    (struct pb_vec){s->pose.x / k->region.w.cell,
			s->pose.y / k->region.w.cell});
		m->live = true;
	}
}

/* The way to come is not told here: it is where the wheels go. */
static void
predict(void *mem, const void *known, struct pb_pose odom)
{
	const struct known *k = known;
	struct mind *m = mem;
	struct pb_vec d = pb_compass_move(&m->l.compass, odom);
	double x, y;

	x = m->gone.x += d.x / k->region.w.cell;
	y = m->gone.y += d.y / k->region.w.cell;
	if (pb_hypot(x, y) < k->o.step)
		return;
	m->ahead = fabs(x) >= fabs(y) ? (x > 0 ? 0 : 2) : (y > 0 ? 1 : 3);
	m->gone = (struct pb_vec){0, 0};
}

static void
take_way(struct mind *m, const struct known *k)
{
	int to[1][2] = {{m->corridor.prev[0], m->corridor.prev[1]}};

	if (m->ahead < 0)
		return;
	to[0][m->ahead & 1] += pb_tof_sign(m->ahead);
	if (pb_cells_at(k->region.w.c, to[0][0], to[0][1]) >= 0)
		pb_corridor_path(&m->corridor, to, 1);
}

/* The region method has this tick; the corridor begins where it says. */
static void
fall_back(struct mind *m, const struct known *k, const struct pb_tof *z)
{
	const struct pb_pose *p = &m->l.belief.at[0].pose;

	pb_region_where(&k->region, z, m->l.fix,
	    pb_compass_heading(&m->l.compass), &m->l.belief);
	m->live = m->l.belief.status != PB_LOC_LOST;
	if (m->live)
		pb_corridor_begin(&m->corridor, k->region.w.c,
		    (struct pb_vec){
			p->x / k->region.w.cell, p->y / k->region.w.cell});
}

static void
scan(void *mem, const void *known, const struct pb_scan *s)
{
	const struct known *k = known;
	struct mind *m = mem;
	double heading = pb_compass_heading(&m->l.compass);
	struct pb_tof z =
	    pb_tof_of(s, heading, k->region.w.cell, k->region.o.radius);

	if (m->live) {
		take_way(m, k);
		m->live = pb_corridor_tick(
		    &m->corridor, &k->region, &k->o, &z, m->l.fix);
	}
	if (!m->live) {
		fall_back(m, k, &z);
		return;
	}
	m->l.belief = (struct pb_belief){.status = PB_LOC_TRACKING};
	pb_tof_believe(&m->l.belief, m->corridor.at, m->corridor.var, 1,
	    heading, k->region.w.cell);
}

static void
fix(void *mem, const void *known, const struct pb_loc_fix *f)
{
	const struct known *k = known;
	struct mind *m = mem;

	m->l.fix = pb_tof_cell(f->at, k->region.w.cell);
}

const struct pb_localizer pb_loc_corridor = {
    .name = "corridor",
    .summary = "walls that a robot between two cells cannot mistake",
    .places = PB_LOC_IN_MAZE,
    .params = params,
    .opts_size = sizeof(struct pb_corridor_opts),
    .defaults = defaults,
    .learn = learn,
    .forget = pb_lattice_forget,
    .memory = memory,
    .reset = reset,
    .predict = predict,
    .scan = scan,
    .fix = fix,
    .estimate = pb_lattice_estimate,
};
