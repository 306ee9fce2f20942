/*
 * trial.c - trials of a localization method on a recorded drive, and its
 * judge.
 */
#include "localize/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/elementary.h"
#include "base/hash.h"
#include "localize/maze_rays.h"
#include "pb/rng.h"

/* Indices of pb_loc_outcomes. */
enum { LOCALIZED, NOT_YET, WRONG, LOST_TRACK };

const char *const pb_loc_outcomes[] = {[LOCALIZED] = "localized",
    [NOT_YET] = "not_yet",
    [WRONG] = "wrong",
    [LOST_TRACK] = "lost",
    NULL};

/* Compares a method's answers with the truth. Zero it; set all before `n`. */
struct judge {
	struct pb_loc_instance a;
	struct pb_trial *t;
	double near;           /* largest error of a right answer (m) */
	double near_turn;      /* and of its heading (rad) */
	double cell;           /* side of a maze's cells (m), 0: on a map */
	double *errors;        /* error of each update */
	int n;                 /* number of errors */
	double t0;             /* time of the first update (s) */
	struct pb_pose before; /* true pose at the last update */
	struct pb_pose answer; /* last answer */
	int outcome;
};

/* Start the method, globally or near a given pose. */
static void
begin_trial(struct judge *j, int protocol, struct pb_pose at, double var,
    double var_turn)
{
	struct pb_trial *t = j->t;
	struct pb_loc_start s = {.kind = PB_LOC_NEAR,
	    .cov = {{var, 0, 0}, {0, var, 0}, {0, 0, var_turn}},
	    .seed = t->seed,
	    .trial = t->trial,
	    .pose = at};

	if (protocol == PB_LOC_GLOBAL) {
		s.kind = PB_LOC_ANYWHERE;
		s.pose.x = s.pose.y = 0;
	}
	j->a.m->reset(j->a.mem, j->a.model, &s);
	t->updates = t->wrong = t->lost = 0;
	t->wrong_cell = j->cell > 0 ? 0 : -1;
	t->driven = 0;
	t->found = -1;
	t->found_way = t->jump = NAN;
	t->hash = 0;
}

/* Record the error of the answer, or of the last one if there is none. */
static void
measure_error(struct judge *j, const struct pb_belief *b, struct pb_pose truth)
{
	double cell = j->cell;
	int row[2], col[2];

	if (b->n > 0)
		j->answer = b->at[0].pose;
	if (b->n > 0 || j->n > 0)
		j->errors[j->n++] = pb_pose_dist(j->answer, truth);
	if (!(cell > 0))
		return;
	pb_cells_of_xy((struct pb_vec){j->answer.x / cell, j->answer.y / cell},
	    &row[0], &col[0]);
	pb_cells_of_xy(
	    (struct pb_vec){truth.x / cell, truth.y / cell}, &row[1], &col[1]);
	j->t->wrong_cell += j->n == 0 || row[0] != row[1] || col[0] != col[1];
}

/* Compare the method's estimate after an update with the true pose. */
static void
judge_answer(struct judge *j, double now, struct pb_pose truth)
{
	struct pb_trial *t = j->t;
	struct pb_belief b;
	bool right = false;

	j->a.m->estimate(j->a.mem, j->a.model, &b);
	measure_error(j, &b, truth);
	t->error = t->turn = NAN;
	if (b.n > 0) {
		t->error = pb_pose_dist(b.at[0].pose, truth);
		t->turn = fabs(pb_wrap(b.at[0].pose.th - truth.th));
		right = t->error <= j->near && t->turn <= j->near_turn;
	}
	j->outcome = b.n == 0 || b.status == PB_LOC_LOST ? LOST_TRACK
	             : b.status != PB_LOC_TRACKING       ? NOT_YET
	             : right                             ? LOCALIZED
	                                                 : WRONG;
	if (t->updates++ == 0)
		j->t0 = now;
	else
		t->driven += pb_pose_dist(j->before, truth);
	j->before = truth;
	t->wrong += j->outcome == WRONG;
	t->lost += j->outcome == LOST_TRACK;
	t->limit = now - j->t0;
	if (j->outcome == LOCALIZED && isnan(t->found_way))
		t->found_way = t->driven;
	if (j->outcome != LOCALIZED) {
		t->found = -1;
	} else if (t->found < 0) {
		t->found = t->updates;
		t->time = t->limit;
	}
}

/* Fill the results of the trial; sorts the errors. */
static void
end_trial(struct judge *j)
{
	const char *name = pb_loc_outcomes[j->outcome];
	struct pb_trial *t = j->t;
	struct pb_spread s = pb_spread_of(j->errors, (size_t)j->n);

	memcpy(t->outcome, name, strlen(name) + 1);
	t->success = j->outcome == LOCALIZED;
	if (!t->success)
		t->time = t->limit;
	t->error_mean = s.mean;
	t->error_median = s.median;
	t->error_rms = s.rmse;
}

enum pb_status
pb_drive_add_scan(struct pb_drive *d, double t, const struct pb_scan *z)
{
	double *range = malloc((z->n > 0 ? z->n : 1) * sizeof(*range));
	struct pb_drive_scan *s;

	if (range == NULL ||
	    !pb_grow(&d->scan, d->scans, &d->cap, sizeof(*d->scan))) {
		free(range);
		return PB_ENOMEM;
	}
	if (z->n > 0)
		memcpy(range, z->range, z->n * sizeof(*range));
	s = &d->scan[d->scans++];
	*s = (struct pb_drive_scan){.t = t, .scan = *z};
	s->scan.range = range;
	for (int k = 0; k < PB_POSE_KINDS; k++)
		s->before[k] = d->pose[k].n;
	return PB_OK;
}

void
pb_drive_clear(struct pb_drive *d)
{
	for (size_t i = 0; i < d->scans; i++)
		free((void *)d->scan[i].scan.range);
	free(d->scan);
	for (int k = 0; k < PB_POSE_KINDS; k++)
		pb_timed_clear(&d->pose[k]);
	*d = (struct pb_drive){.scans = 0};
}

void
pb_drive_place(
    struct pb_drive *d, enum pb_pose_kind kind, bool timed, double gap)
{
	for (size_t i = 0; i < d->scans; i++) {
		struct pb_drive_scan *s = &d->scan[i];

		s->known = pb_timed_find(&d->pose[kind], s->before[kind],
		    timed ? s->t : NAN, gap, &s->pose);
	}
}

/* Hash a record's pose, and its time if it is not NAN, whose bits differ
 * between machines. */
static uint64_t
hash_record(uint64_t h, bool scan, double t, struct pb_pose p)
{
	h = pb_hash_u64(h, scan);
	h = pb_hash_double(h, t == t ? t : -2);
	return pb_hash_pose(h, p);
}

static uint64_t
hash_scan(uint64_t h, const struct pb_scan *z)
{
	h = pb_hash_double(h, z->angle_min);
	h = pb_hash_double(h, z->inc);
	h = pb_hash_double(h, z->range_min);
	h = pb_hash_double(h, z->range_max);
	h = pb_hash_double(h, z->radius);
	/* A zero mount is not hashed: logs without one keep their old hash. */
	if (z->mount.x != 0 || z->mount.y != 0 || z->mount.th != 0)
		h = pb_hash_pose(h, z->mount);
	h = pb_hash_u64(h, z->n);
	for (size_t k = 0; k < z->n; k++)
		h = pb_hash_double(h, isnan(z->range[k]) ? -2 : z->range[k]);
	return h;
}

uint64_t
pb_drive_hash(const struct pb_drive *d)
{
	const struct pb_timed_list *odom = &d->pose[PB_POSE_ODOM];
	uint64_t h = PB_HASH_START;
	size_t k = 0;

	for (size_t i = 0; i <= d->scans; i++) {
		const struct pb_drive_scan *s = &d->scan[i];
		size_t to = i < d->scans ? s->before[PB_POSE_ODOM] : odom->n;

		for (; k < to; k++)
			h = hash_record(h, false, odom->at[k].t, odom->at[k].p);
		if (i < d->scans)
			h = hash_record(h, true, s->t, s->pose);
	}
	for (size_t i = 0; i < d->scans; i++)
		h = hash_scan(h, &d->scan[i].scan);
	return h;
}

#define PB_PARAMS_OF struct pb_loc_trial_opts

static const struct pb_param protocol_rows[] = {
    PB_CHOICE(
	"protocol", protocol, "global|track|kidnap", "how a trial begins"),
};

const char *const pb_loc_protocols[] = {[PB_LOC_GLOBAL] = "global",
    [PB_LOC_TRACK] = "track",
    [PB_LOC_KIDNAP] = "kidnap"};

const struct pb_params pb_loc_protocol_params = PB_PARAMS(protocol_rows);

/*
 * 60 updates, 0.5 m and 15 degrees as in the published comparison of global
 * localization. A robot is kidnapped after 20 updates, farther than a room's
 * width.
 */
static const struct pb_param rows[] = {
    PB_COUNT("updates", updates, "scans", 60, 1, 1e6,
	"that a trial lasts, after a cut"),
    PB_COUNT("warm-up", warm, "scans", 20, 1, 1e6, "before a cut",
	.when = "protocol=kidnap"),
    PB_REAL("jump", jump, "m", 4, 0, INFINITY, "over a cut, at least",
	.when = "protocol=kidnap"),
    PB_REAL("start-var", var, "m2", 0.25, 0, INFINITY,
	"of x and y at a start near the truth", .when = "protocol!=global"),
    PB_REAL("start-var-turn", var_turn, "rad2", PB_PI / 12 * (PB_PI / 12), 0,
	INFINITY, "and of the heading", .when = "protocol!=global"),
};

const struct pb_params pb_loc_trial_params = PB_PARAMS(rows);

struct pb_loc_trial_opts
pb_loc_trial_defaults(void)
{
	struct pb_loc_trial_opts o = {0};

	pb_params_defaults(pb_loc_trial_params, &o);
	o.near = 0.5;
	o.near_turn = PB_PI / 12;
	return o;
}

/* A trial in progress. */
struct course {
	struct judge j;
	const struct pb_drive *d;
	const struct pb_loc_trial_opts *o;
	struct pb_pose moved; /* pose of the log's odometry frame in the
	                         continuous one */
	struct pb_pose odom;  /* the latest given to the method */
	bool has_odom;
};

/* Give odometry k to the method, in a frame that is continuous over cuts. */
static void
give_odometry(struct course *c, size_t k)
{
	c->odom = pb_pose_compose(c->moved, c->d->pose[PB_POSE_ODOM].at[k].p);
	c->has_odom = true;
	c->j.a.m->predict(c->j.a.mem, c->j.a.model, c->odom);
}

/* Continue the drive at a scan, without a jump of the odometry. */
static void
continue_at(struct course *c, size_t scan)
{
	const struct pb_timed_list *odom = &c->d->pose[PB_POSE_ODOM];
	size_t k = c->d->scan[scan].before[PB_POSE_ODOM];

	if (odom->n == 0)
		return;
	k -= k > 0;
	if (c->has_odom)
		c->moved =
		    pb_pose_compose(c->odom, pb_pose_inverse(odom->at[k].p));
	give_odometry(c, k);
}

/*
 * Give `updates` scans from `scan` on, and the odometry between, to the method.
 */
static void
give_scans(struct course *c, size_t scan, int updates, bool counts)
{
	size_t k = c->d->scan[scan].before[PB_POSE_ODOM];

	continue_at(c, scan);
	for (size_t i = scan; i < scan + (size_t)updates; i++) {
		const struct pb_drive_scan *s = &c->d->scan[i];

		for (; k < s->before[PB_POSE_ODOM]; k++)
			give_odometry(c, k);
		if (c->j.a.m->scan != NULL)
			c->j.a.m->scan(c->j.a.mem, c->j.a.model, &s->scan);
		if (counts)
			judge_answer(&c->j, s->t, s->pose);
	}
}

static int
scans_needed(const struct pb_loc_trial_opts *o)
{
	return o->updates + (o->protocol == PB_LOC_KIDNAP ? o->warm : 0);
}

/* True distance between two scans (m). */
static double
true_distance(const struct pb_drive *d, size_t a, size_t b)
{
	return pb_pose_dist(d->scan[a].pose, d->scan[b].pose);
}

enum pb_status
pb_loc_trial_check(const struct pb_drive *d, const struct pb_loc_trial_opts *o)
{
	for (size_t i = 0; i < d->scans; i++)
		if (!d->scan[i].known)
			return PB_ENOENT;
	if (d->scans < (size_t)scans_needed(o))
		return PB_ESIZE;
	if (o->protocol != PB_LOC_KIDNAP)
		return PB_OK;
	/* Some kidnapping, from one scan to another, must be far enough. */
	for (size_t from = (size_t)o->warm - 1; from < d->scans; from++)
		for (size_t to = 0; to <= d->scans - (size_t)o->updates; to++)
			if (true_distance(d, from, to) >= o->jump)
				return PB_OK;
	return PB_EVALUE;
}

uint64_t
pb_loc_stretches(size_t scans, const struct pb_loc_trial_opts *o)
{
	uint64_t after, before;

	if (scans < (size_t)scans_needed(o))
		return 0;
	after = scans - (size_t)o->updates + 1;
	before = scans - (size_t)o->warm + 1;
	return o->protocol == PB_LOC_KIDNAP ? before * after : after;
}

static size_t
draw_scan(struct pb_rng *r, const struct pb_drive *d, int updates)
{
	return pb_rng_below(r, (uint32_t)(d->scans - (size_t)updates + 1));
}

#define DRAWS 100

/* Draw a scan at least `jump` from scan `from`; *far: its distance (m). If
 * DRAWS draws find none, search for one; if there is none, the farthest. */
static size_t
draw_jump(struct pb_rng *r, const struct course *c, size_t from, double *far)
{
	const struct pb_loc_trial_opts *o = c->o;
	size_t best = from, all = c->d->scans - (size_t)o->updates + 1;

	*far = -1;
	for (size_t i = 0; i < DRAWS + all && *far < o->jump; i++) {
		size_t k =
		    i < DRAWS ? draw_scan(r, c->d, o->updates) : i - DRAWS;
		double way = true_distance(c->d, from, k);

		if (way > *far) {
			*far = way;
			best = k;
		}
	}
	return best;
}

void
pb_loc_trial(struct pb_loc_instance a, const struct pb_drive *d,
    const struct pb_loc_trial_opts *o, double *work, struct pb_trial *t)
{
	struct course c = {.j = {.a = a,
			       .t = t,
			       .near = o->near,
			       .near_turn = o->near_turn,
			       .errors = work},
	    .d = d,
	    .o = o};
	bool cut = o->protocol == PB_LOC_KIDNAP;
	int before = cut ? o->warm : o->updates;
	struct pb_rng r;
	size_t scan, first;

	pb_rng_start(&r, t->seed, t->trial, PB_FOR_TRIAL, 0);
	scan = first = draw_scan(&r, d, before);
	begin_trial(&c.j, o->protocol, d->scan[scan].pose, o->var, o->var_turn);
	give_scans(&c, scan, before, !cut);
	if (cut) {
		scan = draw_jump(&r, &c, scan + (size_t)before - 1, &t->jump);
		give_scans(&c, scan, o->updates, true);
	}
	end_trial(&c.j);
	t->hash = pb_hash_u64(pb_hash_u64(PB_HASH_START, first), scan);
}

/* Ranges are whole millimetres (1/m). */
#define UNITS 1000

/* Deviation of the driver from a corridor's middle, either way (cells). */
#define ASIDE 0.15

/* Least distance of an obstacle (cells). */
#define BLOCK_ROOM 1.0

#undef PB_PARAMS_OF
#define PB_PARAMS_OF struct pb_maze_drive_opts

static const struct pb_param maze_drive_rows[] = {
    PB_REAL("maze-period", period, "s", 0.015, 1e-4, 10, "from scan to scan"),
    PB_REAL(
	"maze-speed", speed, "cells/s", 2.5, 0, 1000, "radius of the robot"),
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

/* Choose the nearest pellet; after the last, all are laid again. */
static void
choose_pellet(struct pb_maze_drive *d)
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
aim_point(const struct pb_maze_drive *d)
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
		choose_pellet(d);
	first = pb_cells_first(c, d->to, d->goal);
	dir = (int)pb_rng_below(&d->route, 4);
	for (int n = 0; n < 4 && !(first >> dir & 1); n++)
		dir = (dir + 1) & 3;
	if (first >> dir & 1)
		d->to = c->cell[d->to].to[dir];
	d->aside.x = pb_rng_between(&d->route, -ASIDE, ASIDE);
	d->aside.y = pb_rng_between(&d->route, -ASIDE, ASIDE);
}

static void
push_out_of_walls(struct pb_maze_drive *d)
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

/* Odometry has the commanded motion; the motors run faster. */
static void
move_robot(struct pb_maze_drive *d)
{
	double step = d->o.speed * d->o.period, len;
	struct pb_vec to = aim_point(d), by;

	while (len = pb_dist(d->at, to), len < step) {
		int was = d->to;

		next_cell(d);
		to = aim_point(d);
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
	push_out_of_walls(d);
}

static int
count_beams(const struct pb_maze_drive *d)
{
	return d->o.sensors == PB_MAZE_EIGHT ? 8 : 4;
}

/* Distance from the rim to the wall before sensor i (cells). */
static double
wall_distance(const struct pb_maze_drive *d, int i)
{
	double rim = d->o.radius / d->w->cell, far;

	if (d->o.heading == 0 && count_beams(d) == PB_TOF) {
		far = pb_cells_ray(d->w->c, d->at, (int)pb_tof_dir(i));
	} else {
		double th = d->o.heading + i * (2 * PB_PI / count_beams(d));

		far = pb_square_ray(&d->w->g, d->at, pb_cos(th), pb_sin(th),
		    2 * PB_MAZE_SIDE, NULL);
	}
	return far - rim;
}

static void
measure_range(struct pb_maze_drive *d, int i)
{
	double h = wall_distance(d, i), u = pb_rng_between(&d->ranges, -1, 1);
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

/* The camera's cell; half of the wrong ones are drawn from anywhere. */
static bool
simulate_camera(struct pb_maze_drive *d, struct pb_loc_fix *fix)
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
	move_robot(d);
	d->past[d->tick % PB_MAZE_PAST] = d->at;
	for (int i = 0; i < count_beams(d); i++)
		measure_range(d, i);
	return simulate_camera(d, fix);
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
	return (struct pb_scan){.inc = 2 * PB_PI / count_beams(d),
	    .range_max = d->o.reach,
	    .range = d->range,
	    .n = (size_t)count_beams(d)};
}

/* Variance of the start pose given to a method, the middle of a cell (m2). */
#define START_VAR 1e-4

#undef PB_PARAMS_OF
#define PB_PARAMS_OF struct pb_maze_trial_opts

/*
 * 30 seconds of play, after 1.5 s for late sensor data. The published robot and
 * its simulation: 2.5 cells a second, a scan every 15 ms, ranges off by up to 1
 * %, motors that run faster by up to 8 %.
 */
static const struct pb_param maze_trial_rows[] = {
    PB_COUNT("maze-updates", updates, "scans", 2000, 1, 1e6,
	"that count in a trial"),
    PB_COUNT("maze-warm-up", warm, "scans", 100, 0, 1e6, "before them",
	.when = "protocol!=global"),
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

void
pb_maze_trial(struct pb_loc_instance a, const struct pb_lattice *w,
    const struct pb_maze_trial_opts *o, const struct pb_loc_trial_opts *how,
    double *work, struct pb_trial *t)
{
	int warm = how->protocol == PB_LOC_GLOBAL ? 0 : o->warm;
	struct judge j = {.a = a,
	    .t = t,
	    .near = o->near * w->cell,
	    .near_turn = how->near_turn,
	    .cell = w->cell,
	    .errors = work};
	struct pb_maze_drive d;
	struct pb_pose at;

	pb_maze_drive_start(&d, w, &o->drive, t->seed, t->trial);
	at = pb_maze_drive_pose(&d);
	/* The robot's heading is that of its compass. */
	at.th = pb_maze_drive_odom(&d).th;
	begin_trial(&j, how->protocol, at, START_VAR, 0);
	a.m->predict(a.mem, a.model, pb_maze_drive_odom(&d));
	for (int i = 1; i <= warm + o->updates; i++) {
		struct pb_loc_fix fix;
		struct pb_scan z;
		bool seen;

		if (i == warm + 1 && how->protocol == PB_LOC_KIDNAP)
			pb_maze_drive_lift(&d);
		seen = pb_maze_drive_tick(&d, &fix);
		z = pb_maze_drive_scan(&d);
		a.m->predict(a.mem, a.model, pb_maze_drive_odom(&d));
		/* The camera's answer comes before ranges of the same time. */
		if (seen && a.m->fix != NULL)
			a.m->fix(a.mem, a.model, &fix);
		if (a.m->scan != NULL)
			a.m->scan(a.mem, a.model, &z);
		if (i > warm)
			judge_answer(
			    &j, i * o->drive.period, pb_maze_drive_pose(&d));
	}
	end_trial(&j);
}
