/*
 * maze_trial.c - trials of a localization method in a maze, on a simulated
 * drive.
 */
#include "localize/maze_trial.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "localize/maze_rays.h"

/* Ranges are in whole millimetres (1/m). */
#define UNITS 1000

/* The driver keeps to the middle of a corridor by this, either way (cells). */
#define ASIDE 0.15

/* Nothing is put in the way nearer than this (cells). */
#define BLOCK_ROOM 1.0

#define PB_PARAMS_OF struct pb_maze_drive_opts

static const struct pb_param maze_drive_rows[] = {
    PB_REAL("maze-period", period, "s", 0.015, 1e-4, 10, "from scan to scan"),
    PB_REAL("maze-speed", speed, "cells/s", 2.5, 0, 1000, "of the robot"),
    PB_CHOICE("maze-sensors", sensors, "4|8", "range sensors, evenly round"),
    PB_REAL("maze-radius", radius, "m", PB_TOF_RADIUS, 0, 1,
	"from the middle to them"),
    PB_REAL("maze-reach", reach, "m", 1.5, 0.01, 100, "they read at most"),
    PB_REAL("maze-noise", noise, "", 0.01, 0, 1,
	"a range is off by up to this part"),
    PB_REAL("maze-drop", drop, "", 0, 0, 1, "chance of no reading"),
    PB_REAL("maze-block", block, "", 0, 0, 1,
	"chance that something comes in the way, a scan"),
    PB_COUNT("maze-block-for", block_for, "scans", 30, 1, 1e6, "that it stays"),
    PB_COUNT("maze-late", late, "scans", 0, 0, PB_MAZE_PAST - 1,
	"that the camera is late"),
    PB_COUNT("maze-every", every, "scans", 1, 0, 1e6,
	"from fix to fix, 0: no camera"),
    PB_REAL("maze-wrong", wrong, "", 0, 0, 1, "chance of a wrong cell"),
    PB_REAL(
	"maze-off", off, "cells", 0, -1, 1, "the camera's cells lie beside"),
    PB_REAL("maze-motor", motor, "", 0.08, 0, 1,
	"steps are longer than measured by 0 to this"),
    PB_REAL("maze-bias", bias, "", 0, -0.9, 10, "and all of them by this part"),
    PB_BOOL("maze-wheels", wheels, true, "the wheels say something"),
    PB_REAL(
	"maze-heading", heading, "rad", 0, -7, 7, "at which the robot is held"),
    PB_REAL(
	"maze-compass", compass, "rad", 0, -7, 7, "measured over true heading"),
};

const struct pb_params pb_maze_drive_params = PB_PARAMS(maze_drive_rows);

void
pb_maze_drive_lift(struct pb_maze_drive *d)
{
	const struct pb_cells *c = d->w->c;
	int i = (int)pb_rng_below(&d->route, (uint32_t)c->n);

	d->at = pb_cells_xy(c->cell[i].row, c->cell[i].col);
	d->to = d->goal = i;
}

void
pb_maze_drive_start(struct pb_maze_drive *d, const struct pb_lattice *w,
    const struct pb_maze_drive_opts *o, uint64_t seed, uint64_t trial)
{
	memset(d, 0, sizeof(*d));
	d->w = w;
	d->o = *o;
	pb_rng_start(&d->ranges, seed, trial, PB_FOR_SENSOR, 0);
	pb_rng_start(&d->camera, seed, trial, PB_FOR_SENSOR, 1);
	pb_rng_start(&d->motor, seed, trial, PB_FOR_MOTION, 0);
	pb_rng_start(&d->route, seed, trial, PB_FOR_PLAYER, 0);
	pb_maze_drive_lift(d);
	for (int i = 0; i < PB_MAZE_PAST; i++)
		d->past[i] = d->at;
}

/* The nearest pellet that is left; all are laid again after the last. */
static void
choose(struct pb_maze_drive *d)
{
	const struct pb_cells *c = d->w->c;
	const int16_t *near = c->near + (size_t)d->to * (size_t)c->n;

	d->eaten[d->to] = true;
	for (int k = 0; k < c->n && near[k] >= 0; k++)
		if (!d->eaten[near[k]]) {
			d->goal = near[k];
			return;
		}
	memset(d->eaten, 0, sizeof(d->eaten));
	d->goal = near[(int)pb_rng_below(&d->route, (uint32_t)c->n)];
	if (d->goal < 0)
		d->goal = d->to;
}

static struct pb_vec
aim(const struct pb_maze_drive *d)
{
	const struct pb_cell_at *c = &d->w->c->cell[d->to];
	struct pb_vec v = pb_cells_xy(c->row, c->col);

	v.x += d->aside.x;
	v.y += d->aside.y;
	return v;
}

static void
next_cell(struct pb_maze_drive *d)
{
	const struct pb_cells *c = d->w->c;
	unsigned first;
	int dir;

	d->eaten[d->to] = true;
	if (d->to == d->goal)
		choose(d);
	first = pb_cells_first(c, d->to, d->goal);
	dir = (int)pb_rng_below(&d->route, 4);
	for (int n = 0; n < 4 && !(first >> dir & 1); n++)
		dir = (dir + 1) & 3;
	if (first >> dir & 1)
		d->to = c->cell[d->to].to[dir];
	d->aside.x = pb_rng_between(&d->route, -ASIDE, ASIDE);
	d->aside.y = pb_rng_between(&d->route, -ASIDE, ASIDE);
}

/* The body gives way to walls. */
static void
keep_out(struct pb_maze_drive *d)
{
	double radius = PB_TOF_RADIUS / d->w->cell;

	for (int i = 0; i < PB_TOF; i++) {
		double room = pb_cells_ray(d->w->c, d->at, (int)pb_tof_dir(i));
		double in = radius - room;

		if (in > 0)
			*((i & 1) == 0 ? &d->at.x : &d->at.y) -=
			    pb_tof_sign(i) * in;
	}
}

/* As commanded is what the wheels say; the motors run faster. */
static void
move(struct pb_maze_drive *d)
{
	double step = d->o.speed * d->o.period, len;
	struct pb_vec to = aim(d), by;

	while (len = pb_dist(d->at, to), len < step) {
		int was = d->to;

		next_cell(d);
		to = aim(d);
		if (d->to == was)
			break;
	}
	len = pb_dist(d->at, to);
	by.x = len > 0 ? (to.x - d->at.x) / len * step : 0;
	by.y = len > 0 ? (to.y - d->at.y) / len * step : 0;
	if (d->o.wheels) {
		struct pb_pose turned = {0, 0, d->o.compass};
		struct pb_vec seen = pb_vec_from(turned, by);

		d->odom.x += seen.x;
		d->odom.y += seen.y;
	}
	by.x *= 1 + d->o.bias + d->o.motor * pb_rng_unit(&d->motor);
	by.y *= 1 + d->o.bias + d->o.motor * pb_rng_unit(&d->motor);
	d->at.x += by.x;
	d->at.y += by.y;
	keep_out(d);
}

static int
beams(const struct pb_maze_drive *d)
{
	return d->o.sensors == PB_MAZE_EIGHT ? 8 : 4;
}

/* From the rim to the wall that sensor i sees (cells). */
static double
wall_of(const struct pb_maze_drive *d, int i)
{
	double rim = d->o.radius / d->w->cell, far;

	if (d->o.heading == 0 && beams(d) == PB_TOF) {
		far = pb_cells_ray(d->w->c, d->at, (int)pb_tof_dir(i));
	} else {
		double th = d->o.heading + i * (2 * PB_PI / beams(d));

		far = pb_square_ray(
		    &d->w->g, d->at, pb_cos(th), pb_sin(th), 2 * PB_MAZE_SIDE);
	}
	return far - rim;
}

static void
sense(struct pb_maze_drive *d, int i)
{
	double h = wall_of(d, i), u = pb_rng_between(&d->ranges, -1, 1);
	double block = pb_rng_unit(&d->ranges), where = pb_rng_unit(&d->ranges);
	double drop = pb_rng_unit(&d->ranges), m;

	if (d->blocked[i] > 0) {
		d->blocked[i]--;
	} else if (block < d->o.block && h > BLOCK_ROOM) {
		d->blocked[i] = d->o.block_for;
		d->block[i] = where * h;
	}
	if (d->blocked[i] > 0 && d->block[i] < h)
		h = d->block[i];
	m = fmax(h, 0) * d->w->cell * (1 + d->o.noise * u);
	m = nearbyint(m * UNITS) / UNITS;
	d->range[i] = drop < d->o.drop ? -1 : m > d->o.reach ? NAN : m;
}

/* The cell that the camera saw; half of the wrong ones are anywhere. */
static bool
see(struct pb_maze_drive *d, struct pb_loc_fix *fix)
{
	const struct pb_cells *c = d->w->c;
	struct pb_vec seen;
	double wrong, any;
	int row, col;

	if (d->o.every == 0 || d->tick % d->o.every != 0)
		return false;
	seen = d->past[(d->tick + PB_MAZE_PAST - d->o.late) % PB_MAZE_PAST];
	seen.x += d->o.off;
	seen.y += d->o.off;
	pb_cells_of_xy(seen, &row, &col);
	wrong = pb_rng_unit(&d->camera);
	any = pb_rng_unit(&d->camera);
	if (wrong < d->o.wrong / 2) {
		int i = (int)(any * c->n);

		row = c->cell[i].row;
		col = c->cell[i].col;
	} else if (wrong < d->o.wrong) {
		row += any < 0.5 ? 1 : -1;
		col += any < 0.25 || any > 0.75 ? 1 : -1;
	}
	fix->at = (struct pb_vec){row * d->w->cell, col * d->w->cell};
	return true;
}

bool
pb_maze_drive_tick(struct pb_maze_drive *d, struct pb_loc_fix *fix)
{
	d->tick++;
	move(d);
	d->past[d->tick % PB_MAZE_PAST] = d->at;
	for (int i = 0; i < beams(d); i++)
		sense(d, i);
	return see(d, fix);
}

struct pb_pose
pb_maze_drive_pose(const struct pb_maze_drive *d)
{
	return (struct pb_pose){
	    d->at.x * d->w->cell, d->at.y * d->w->cell, pb_wrap(d->o.heading)};
}

struct pb_pose
pb_maze_drive_odom(const struct pb_maze_drive *d)
{
	return (struct pb_pose){d->odom.x * d->w->cell, d->odom.y * d->w->cell,
	    pb_wrap(d->o.heading + d->o.compass)};
}

struct pb_scan
pb_maze_drive_scan(const struct pb_maze_drive *d)
{
	return (struct pb_scan){.inc = 2 * PB_PI / beams(d),
	    .range_max = d->o.reach,
	    .range = d->range,
	    .n = (size_t)beams(d)};
}

/* Variance of a start that a method is told: it stands in a cell (m2). */
#define START_VAR 1e-4

#undef PB_PARAMS_OF
#define PB_PARAMS_OF struct pb_maze_trial_opts

/*
 * 30 seconds of play, after 1.5 in which what is late has come. The published
 * robot and its simulation: 2.5 cells a second, a scan every 15 ms, ranges off
 * by up to 1 %, motors that run faster by up to 8 %.
 */
static const struct pb_param maze_trial_rows[] = {
    PB_COUNT("maze-updates", updates, "scans", 2000, 1, 1e6,
	"that count in a trial"),
    PB_COUNT("maze-warm-up", warm, "scans", 100, 0, 1e6,
	"before them, with track and kidnap"),
    PB_REAL("maze-near", near, "cells", 0.5, 0, 100, "right if no further off"),
};

const struct pb_params pb_maze_trial_params = PB_PARAMS(maze_trial_rows);

struct pb_maze_trial_opts
pb_maze_trial_defaults(void)
{
	struct pb_maze_trial_opts o = {0};

	pb_params_defaults(pb_maze_trial_params, &o);
	pb_params_defaults(pb_maze_drive_params, &o.drive);
	return o;
}

/* A trial under way. */
struct course {
	struct pb_loc_taught a;
	struct pb_maze_drive *d;
};

static void
begin(struct course *c, int protocol, uint64_t seed, uint64_t trial)
{
	struct pb_loc_start s = {.kind = PB_LOC_NEAR,
	    .cov = {{START_VAR, 0, 0}, {0, START_VAR, 0}, {0, 0, 0}},
	    .seed = seed,
	    .trial = trial,
	    .pose = pb_maze_drive_pose(c->d)};

	/* The robot knows no heading but its compass's. */
	s.pose.th = pb_maze_drive_odom(c->d).th;
	if (protocol == PB_LOC_GLOBAL) {
		s.kind = PB_LOC_ANYWHERE;
		s.pose.x = s.pose.y = 0;
	}
	c->a.m->reset(c->a.mem, c->a.known, &s);
	c->a.m->predict(c->a.mem, c->a.known, pb_maze_drive_odom(c->d));
}

/* The camera's answer comes before the ranges of the same time. */
static void
hear(struct course *c)
{
	struct pb_loc_fix fix;
	struct pb_scan z;
	bool seen = pb_maze_drive_tick(c->d, &fix);

	c->a.m->predict(c->a.mem, c->a.known, pb_maze_drive_odom(c->d));
	if (seen && c->a.m->fix != NULL)
		c->a.m->fix(c->a.mem, c->a.known, &fix);
	z = pb_maze_drive_scan(c->d);
	if (c->a.m->scan != NULL)
		c->a.m->scan(c->a.mem, c->a.known, &z);
}

struct pb_loc_result
pb_maze_trial(struct pb_loc_taught a, const struct pb_lattice *w,
    const struct pb_maze_trial_opts *o, int protocol, double near_turn,
    uint64_t seed, uint64_t trial, struct pb_maze_seat *seat)
{
	struct course c = {a, &seat->drive};
	int warm = protocol == PB_LOC_GLOBAL ? 0 : o->warm;
	double period = o->drive.period;
	struct pb_loc_judge j = {.near = o->near * w->cell,
	    .near_turn = near_turn,
	    .cell = w->cell,
	    .errors = seat->errors,
	    .t0 = (warm + 1) * period};

	pb_maze_drive_start(c.d, w, &o->drive, seed, trial);
	begin(&c, protocol, seed, trial);
	for (int i = 0; i < warm; i++)
		hear(&c);
	if (protocol == PB_LOC_KIDNAP)
		pb_maze_drive_lift(c.d);
	for (int i = warm + 1; i <= warm + o->updates; i++) {
		struct pb_belief b;

		hear(&c);
		a.m->estimate(a.mem, a.known, &b);
		pb_loc_judge(&j, &b, i * period, pb_maze_drive_pose(c.d));
	}
	return pb_loc_judged(&j);
}
