/*
 * maze_rays.c - where the regions of a maze are, and rays at any angle
 * through it.
 */
#include "localize/maze_rays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"

/* Longer steps of odometry are resets (m). */
#define FARTHEST 1000.0

/* Coordinates are clamped to this: outside all mazes (cells). */
#define FAR (4.0 * PB_MAZE_SIDE)

/* A beam midway between two axes belongs to the first axis (quarter turns;
 * above the rounding of an angle). */
#define ROUNDING 1e-9

enum pb_status
pb_tof_world(const struct pb_loc_world *w)
{
	if (w->cells == NULL || w->cells->n == 0)
		return PB_ENOFREE;
	return w->maze != NULL && pb_maze_sided(w->maze) ? PB_EEMPTY : PB_OK;
}

/* Convert lengths from metres to cells, and variances per metre (m2/m) to
 * cells2 per cell. */
static void
convert_to_cells(const struct pb_localizer *m, void *opts, double cell)
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
    const void *opts, void **model)
{
	enum pb_status s = pb_tof_world(w);
	struct pb_lattice *k;

	if (pb_params_check(m->params, opts) != NULL)
		return PB_EVALUE;
	if (s != PB_OK)
		return s;
	if ((k = calloc(1, sizeof(*k) + m->opts_size)) == NULL)
		return PB_ENOMEM;
	k->m = m;
	k->c = w->cells;
	k->cell = w->cell;
	k->log_cells = pb_log(w->cells->n);
	memcpy(k + 1, opts, m->opts_size);
	convert_to_cells(m, k + 1, w->cell);
	if ((s = pb_regions_init(&k->g, w->cells)) == PB_OK)
		*model = k;
	else
		free(k);
	return s;
}

void
pb_lattice_forget(void *model)
{
	struct pb_lattice *k = model;

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
pb_tof_is_distance(double r)
{
	return r >= 0 && r < INFINITY;
}

struct pb_tof
pb_tof_from_scan_within(const struct pb_scan *z, double heading, double cell,
    double rim, double within)
{
	struct pb_tof t = {{-1, -1, -1, -1}, {0, 0, 0, 0}};
	double off[PB_TOF] = {within, within, within, within};
	double out = z->radius > 0 ? z->radius / cell - rim : 0;

	for (size_t k = 0; k < z->n; k++) {
		double a = heading + z->angle_min + (double)k * z->inc;
		double turns = floor(pb_wrap(a) / (PB_PI / 2) + 0.5 - ROUNDING);
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
pb_tof_from_scan(
    const struct pb_scan *z, double heading, double cell, double rim)
{
	return pb_tof_from_scan_within(z, heading, cell, rim, PB_PI / 8);
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
	/* A longer step is a reset of the odometry. */
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
pb_tof_clamp(double x)
{
	return fmin(fmax(x, -PB_MAZE_SIDE), 2 * PB_MAZE_SIDE);
}

struct pb_tof_cell
pb_tof_cell(struct pb_vec at, double cell)
{
	struct pb_tof_cell k = {.known = true};
	struct pb_vec v = {
	    pb_tof_clamp(at.x / cell), pb_tof_clamp(at.y / cell)};

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
pb_tof_add_hypothesis(struct pb_belief *b, struct pb_vec at,
    const double var[2], double w, double heading, double cell)
{
	struct pb_hypothesis *h = &b->at[b->n++];

	*h = (struct pb_hypothesis){
	    .pose = {at.x * cell, at.y * cell, heading}, .weight = w};
	h->cov[0][0] = var[0] * cell * cell;
	h->cov[1][1] = var[1] * cell * cell;
}

static bool
is_wall_square(const struct pb_cells *c, int x, int y)
{
	return pb_cells_at(c, x, y) < 0 && pb_cells_at(c, x + 1, y) < 0 &&
	       pb_cells_at(c, x, y + 1) < 0 && pb_cells_at(c, x + 1, y + 1) < 0;
}

/* The region of one square: its walls along each axis. */
static struct pb_region
view_of_square(const struct pb_cells *c, int x, int y)
{
	struct pb_region r = {
	    {(int8_t)x, (int8_t)y}, {(int8_t)(x + 1), (int8_t)(y + 1)}, {0}};

	for (int i = 0; i < PB_TOF; i++) {
		int sign = pb_tof_sign(i), at[2] = {x, y}, *a = &at[i & 1];

		while (!is_wall_square(c, at[0], at[1]))
			*a += sign;
		r.face[i] = (int8_t)(*a + (sign < 0));
	}
	return r;
}

static bool
has_same_view(const struct pb_cells *c, const struct pb_region *r, int x, int y)
{
	struct pb_region v;

	if (is_wall_square(c, x, y))
		return false;
	v = view_of_square(c, x, y);
	return memcmp(v.face, r->face, sizeof(v.face)) == 0;
}

static void
grow_region(const struct pb_cells *c, struct pb_regions *g, int x, int y)
{
	struct pb_region r = view_of_square(c, x, y);

	while (has_same_view(c, &r, x, r.hi[1]))
		r.hi[1]++;
	while (has_same_view(c, &r, r.hi[0], y))
		r.hi[0]++;
	for (int i = x; i < r.hi[0]; i++)
		for (int j = y; j < r.hi[1]; j++)
			g->of[i + 2][j + 2] = (int16_t)g->n;
	g->at[g->n++] = r;
}

enum pb_status
pb_regions_init(struct pb_regions *g, const struct pb_cells *c)
{
	size_t most = (size_t)(c->rows + 1) * (size_t)(c->cols + 1);
	struct pb_region *at = malloc(most * sizeof(*at));

	if (at == NULL)
		return PB_ENOMEM;
	memset(g, 0, sizeof(*g));
	memset(g->of, -1, sizeof(g->of));
	g->at = at;
	for (int x = -1; x < c->rows; x++)
		for (int y = -1; y < c->cols; y++)
			if (g->of[x + 2][y + 2] < 0 && !is_wall_square(c, x, y))
				grow_region(c, g, x, y);
	return PB_OK;
}

void
pb_regions_clear(struct pb_regions *g)
{
	free(g->at);
	*g = (struct pb_regions){0};
}

int
pb_region_at(const struct pb_regions *g, int x, int y)
{
	if (x < -1 || x >= PB_MAZE_SIDE || y < -1 || y >= PB_MAZE_SIDE)
		return -1;
	return g->of[x + 2][y + 2];
}

int
pb_region_of(const struct pb_regions *g, struct pb_vec v)
{
	int x, y, bx, by, r;

	if (!(fabs(v.x) < FAR && fabs(v.y) < FAR))
		return -1;
	x = (int)floor(v.x);
	y = (int)floor(v.y);
	bx = v.x > x ? x : x - 1;
	by = v.y > y ? y : y - 1;
	/* A point on an edge belongs to the squares on both sides. */
	if ((r = pb_region_at(g, x, y)) < 0 &&
	    (r = pb_region_at(g, bx, y)) < 0 &&
	    (r = pb_region_at(g, x, by)) < 0)
		r = pb_region_at(g, bx, by);
	return r;
}

double
pb_regions_ray(const struct pb_regions *g, struct pb_vec v, int i)
{
	int r = pb_region_of(g, v);
	double at = (i & 1) == 0 ? v.x : v.y;

	return r < 0 ? 0 : fabs(g->at[r].face[i] - at);
}

double
pb_square_ray(const struct pb_regions *g, struct pb_vec v, double ux, double uy,
    double most, int *axis)
{
	int sx = ux > 0 ? PB_REGION_SQUARES : -PB_REGION_SQUARES;
	int sy = uy > 0 ? 1 : -1, x, y;
	double px =
	    ux != 0 ? fabs(1 / ux) : INFINITY; /* ray length per column */
	double py = uy != 0 ? fabs(1 / uy) : INFINITY;
	double t = 0, nx, ny;
	bool along_x;
	const int16_t *at;

	if (axis != NULL)
		*axis = 0;
	if (!(fabs(v.x) < FAR && fabs(v.y) < FAR))
		return 0;
	x = (int)v.x - (v.x < (int)v.x);
	y = (int)v.y - (v.y < (int)v.y);
	if (pb_region_at(g, x, y) < 0)
		return 0;
	nx = ux != 0 ? (x + (sx > 0) - v.x) / ux : INFINITY;
	ny = uy != 0 ? (y + (sy > 0) - v.y) / uy : INFINITY;
	at = &g->of[x + 2][y + 2];
	do {
		along_x = nx < ny;
		if (along_x) {
			t = nx;
			nx += px;
			at += sx;
		} else {
			t = ny;
			ny += py;
			at += sy;
		}
		if (t >= most) {
			t = most;
			break;
		}
	} while (*at >= 0);
	if (axis != NULL)
		*axis = !along_x;
	return t;
}

/* Squared distance from v to the square at (x, y). */
static double
distance2_to_square(struct pb_vec v, int x, int y)
{
	double dx = fmax(fmax(x - v.x, v.x - (x + 1)), 0);
	double dy = fmax(fmax(y - v.y, v.y - (y + 1)), 0);

	return dx * dx + dy * dy;
}

bool
pb_square_touch(const struct pb_regions *g, struct pb_vec v, double radius)
{
	int x, y;

	if (!(fabs(v.x) < FAR && fabs(v.y) < FAR))
		return true;
	x = (int)floor(v.x);
	y = (int)floor(v.y);
	for (int i = x - 1; i <= x + 1; i++)
		for (int j = y - 1; j <= y + 1; j++)
			if (pb_region_at(g, i, j) < 0 &&
			    distance2_to_square(v, i, j) < radius * radius)
				return true;
	return false;
}
