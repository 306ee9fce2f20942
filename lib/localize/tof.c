/* tof.c - four range sensors on a robot that is held at its heading. */
#include "localize/tof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"

/* No maze is so large (m). */
#define FARTHEST 1000.0

/* Beams between two axes are those of the first one's, all of them alike. */
#define HAIR 1e-9

enum pb_status
pb_tof_world(const struct pb_loc_world *w)
{
	if (w->cells == NULL || w->cells->n == 0)
		return PB_ENOFREE;
	return w->maze != NULL && pb_maze_sided(w->maze) ? PB_EEMPTY : PB_OK;
}

/* Metres become cells, and variances by the way cells2 a cell. */
static void
to_cells(const struct pb_localizer *m, void *opts, double cell)
{
	for (size_t i = 0; i < m->params.n; i++) {
		const char *unit = m->params.row[i].unit;

		if (strcmp(unit, "m") == 0 || strcmp(unit, "m2/m") == 0)
			*(double *)((char *)opts + m->params.row[i].offset) /=
			    cell;
	}
}

enum pb_status
pb_lattice_learn(const struct pb_localizer *m, const struct pb_loc_world *w,
    const void *opts, void **known)
{
	enum pb_status s = pb_tof_world(w);
	struct pb_lattice *k;

	if (pb_params_check(m->params, opts) != NULL)
		return PB_EVALUE;
	if (s != PB_OK)
		return s;
	if ((k = calloc(1, sizeof(*k) + m->opts_size)) == NULL)
		return PB_ENOMEM;
	k->c = w->cells;
	k->cell = w->cell;
	k->log_cells = pb_log(w->cells->n);
	memcpy(k + 1, opts, m->opts_size);
	to_cells(m, k + 1, w->cell);
	if ((s = pb_regions_init(&k->g, w->cells)) == PB_OK)
		*known = k;
	else
		free(k);
	return s;
}

void
pb_lattice_forget(void *known)
{
	struct pb_lattice *k = known;

	if (k != NULL)
		pb_regions_clear(&k->g);
	free(k);
}

enum pb_dir
pb_tof_dir(int i)
{
	static const enum pb_dir dir[PB_TOF] = {
	    PB_DOWN, PB_RIGHT, PB_UP, PB_LEFT};

	return dir[i & 3];
}

int
pb_tof_sign(int i)
{
	return (i & 2) == 0 ? 1 : -1;
}

bool
pb_tof_heard(double r)
{
	return r >= 0 && r < INFINITY;
}

struct pb_tof
pb_tof_within(const struct pb_scan *z, double heading, double cell, double rim,
    double within)
{
	struct pb_tof t = {{-1, -1, -1, -1}, {0, 0, 0, 0}};
	double off[PB_TOF] = {within, within, within, within};
	double out = z->radius > 0 ? z->radius / cell - rim : 0;

	for (size_t k = 0; k < z->n; k++) {
		double a = heading + z->angle_min + (double)k * z->inc;
		double turns = floor(pb_wrap(a) / (PB_PI / 2) + 0.5 - HAIR);
		double by = pb_wrap(a) - turns * (PB_PI / 2), d = fabs(by);
		double r = z->range[k];
		int i;

		if (!isfinite(a))
			continue;
		i = (int)turns & 3;
		if (d >= off[i])
			continue;
		off[i] = d;
		t.turn[i] = by;
		if (r > z->range_max || isinf(r))
			t.r[i] = NAN;
		else if (r < 0)
			t.r[i] = -1;
		else if (r / cell + out < 0) /* not NAN: nothing in range */
			t.r[i] = 0;
		else
			t.r[i] = r / cell + out;
	}
	return t;
}

struct pb_tof
pb_tof_of(const struct pb_scan *z, double heading, double cell, double rim)
{
	return pb_tof_within(z, heading, cell, rim, PB_PI / 8);
}

int
pb_tof_steps(const struct pb_cells *c, int row, int col, int i)
{
	int k = pb_cells_at(c, row, col), n = 1;
	int dx = (i & 1) == 0 ? pb_tof_sign(i) : 0;
	int dy = (i & 1) != 0 ? pb_tof_sign(i) : 0;

	if (k >= 0)
		return c->cell[k].wall[pb_tof_dir(i)];
	while (pb_cells_at(c, row + n * dx, col + n * dy) >= 0)
		n++;
	return n;
}

double
pb_tof_var(double r, double noise, double cell)
{
	double unit = 0.001 / cell;

	return noise * noise * r * r + unit * unit / 12;
}

double
pb_tof_cell_var(double off)
{
	return (0.5 + off) * (0.5 + off) / 3;
}

void
pb_compass_reset(struct pb_compass *c, const struct pb_loc_start *s)
{
	*c = (struct pb_compass){
	    .start = s->pose.th, .near = s->kind == PB_LOC_NEAR};
}

struct pb_vec
pb_compass_move(struct pb_compass *c, struct pb_pose odom)
{
	struct pb_vec d = {0, 0};

	if (c->set) {
		struct pb_pose turned = {0, 0, c->turn};

		d = (struct pb_vec){odom.x - c->odom.x, odom.y - c->odom.y};
		d = pb_vec_from(turned, d);
	} else {
		c->turn = c->near ? c->start - odom.th : 0;
		c->set = true;
	}
	c->odom = odom;
	/* Nobody drives through a maze between two records: wheels reset. */
	if (!(pb_hypot(d.x, d.y) < FARTHEST))
		d = (struct pb_vec){0, 0};
	return d;
}

double
pb_compass_heading(const struct pb_compass *c)
{
	if (!c->set)
		return c->start;
	return pb_wrap(c->odom.th + c->turn);
}

double
pb_tof_hold(double x)
{
	return fmin(fmax(x, -PB_MAZE_SIDE), 2 * PB_MAZE_SIDE);
}

struct pb_tof_cell
pb_tof_cell(struct pb_vec at, double cell)
{
	struct pb_tof_cell k = {.known = true};
	struct pb_vec v = {pb_tof_hold(at.x / cell), pb_tof_hold(at.y / cell)};

	pb_cells_of_xy(v, &k.row, &k.col);
	return k;
}

struct pb_tof_cell
pb_tof_cell_start(const struct pb_loc_start *s, double cell)
{
	if (s->kind == PB_LOC_ANYWHERE)
		return (struct pb_tof_cell){0};
	return pb_tof_cell(pb_pose_vec(s->pose), cell);
}

void
pb_tof_believe(struct pb_belief *b, struct pb_vec at, const double var[2],
    double w, double heading, double cell)
{
	struct pb_hypothesis *h = &b->at[b->n++];

	*h = (struct pb_hypothesis){
	    .pose = {at.x * cell, at.y * cell, heading}, .weight = w};
	h->cov[0][0] = var[0] * cell * cell;
	h->cov[1][1] = var[1] * cell * cell;
}

void
pb_lattice_reset(struct pb_lattice_mind *m, const struct pb_lattice *k,
    const struct pb_loc_start *s)
{
	*m = (struct pb_lattice_mind){.fix = pb_tof_cell_start(s, k->cell)};
	pb_compass_reset(&m->compass, s);
}

void
pb_lattice_predict(void *mem, const void *known, struct pb_pose odom)
{
	struct pb_lattice_mind *m = mem;

	(void)known;
	pb_compass_move(&m->compass, odom);
}

void
pb_lattice_estimate(const void *mem, const void *known, struct pb_belief *out)
{
	const struct pb_lattice_mind *m = mem;

	(void)known;
	*out = m->belief;
}
