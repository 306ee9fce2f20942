/* corridor_loc.c - the method "corridor", as a localizer. */
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "localize/corridor.h"

struct known {
	struct pb_region_known region;
	struct pb_corridor_opts o;
};

struct mind {
	struct pb_compass compass;
	struct pb_tof_cell fix;
	struct pb_vec gone; /* by the wheels since the last direction (cells) */
	int ahead;          /* axis of that direction, -1 at first */
	struct pb_corridor corridor;
	bool live; /* corridor holds */
	struct pb_belief belief;
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
	struct known *k = malloc(sizeof(*k));
	enum pb_status s = PB_ENOMEM;
	size_t n;
	const struct pb_param *all = params(&n);

	if (k != NULL)
		s = pb_params_check(all, n, o) != NULL
		        ? PB_EVALUE
		        : pb_region_learn(w, &o->region, &k->region);
	if (s != PB_OK) {
		free(k);
		return s;
	}
	k->o = *o;
	*known = k;
	return PB_OK;
}

static void
forget(void *known)
{
	struct known *k = known;

	if (k != NULL)
		pb_region_forget(&k->region);
	free(k);
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

	*m = (struct mind){
	    .fix = pb_tof_cell_start(s, k->region.cell), .ahead = -1};
	pb_compass_reset(&m->compass, s);
	pb_region_where(&k->region, &none, m->fix,
	    pb_compass_heading(&m->compass), &m->belief);
	if (s->kind == PB_LOC_NEAR &&
	    pb_cells_at(k->region.c, m->fix.row, m->fix.col) >= 0) {
		pb_corridor_begin(&m->corridor, k->region.c,
		    (struct pb_vec){s->pose.x / k->region.cell,
			s->pose.y / k->region.cell});
		m->live = true;
	}
}

/* The way to come is not told here: it is where the wheels go. */
static void
predict(void *mem, const void *known, struct pb_pose odom)
{
	const struct known *k = known;
	struct mind *m = mem;
	struct pb_vec d = pb_compass_move(&m->compass, odom);
	double x, y;

	x = m->gone.x += d.x / k->region.cell;
	y = m->gone.y += d.y / k->region.cell;
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
	if (pb_cells_at(k->region.c, to[0][0], to[0][1]) >= 0)
		pb_corridor_path(&m->corridor, to, 1);
}

/* The region method has this tick; the corridor begins where it says. */
static void
fall_back(struct mind *m, const struct known *k, const struct pb_tof *z)
{
	const struct pb_pose *p = &m->belief.at[0].pose;

	pb_region_where(
	    &k->region, z, m->fix, pb_compass_heading(&m->compass), &m->belief);
	m->live = m->belief.status != PB_LOC_LOST;
	if (m->live)
		pb_corridor_begin(&m->corridor, k->region.c,
		    (struct pb_vec){
			p->x / k->region.cell, p->y / k->region.cell});
}

static void
scan(void *mem, const void *known, const struct pb_scan *s)
{
	const struct known *k = known;
	struct mind *m = mem;
	double heading = pb_compass_heading(&m->compass);
	struct pb_tof z =
	    pb_tof_of(s, heading, k->region.cell, k->region.o.radius);

	if (m->live) {
		take_way(m, k);
		m->live = pb_corridor_tick(
		    &m->corridor, &k->region, &k->o, &z, m->fix);
	}
	if (!m->live) {
		fall_back(m, k, &z);
		return;
	}
	m->belief = (struct pb_belief){.status = PB_LOC_TRACKING};
	pb_tof_believe(&m->belief, m->corridor.at, m->corridor.var, 1, heading,
	    k->region.cell);
}

static void
fix(void *mem, const void *known, const struct pb_loc_fix *f)
{
	const struct known *k = known;
	struct mind *m = mem;

	m->fix = pb_tof_cell(f->at, k->region.cell);
}

static void
estimate(const void *mem, const void *known, struct pb_belief *out)
{
	const struct mind *m = mem;

	(void)known;
	*out = m->belief;
}

const struct pb_localizer pb_loc_corridor = {
    .name = "corridor",
    .summary = "walls that a robot between two cells cannot mistake",
    .places = PB_LOC_IN_MAZE,
    .params = params,
    .opts_size = sizeof(struct pb_corridor_opts),
    .defaults = defaults,
    .learn = learn,
    .forget = forget,
    .memory = memory,
    .reset = reset,
    .predict = predict,
    .scan = scan,
    .fix = fix,
    .estimate = estimate,
};
