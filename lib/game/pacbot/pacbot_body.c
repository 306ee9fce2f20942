/* pacbot_body.c - the robot of the Pacbot game: it senses and drives. */
#include "game/pacbot/pacbot_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "localize/methods.h"
#include "localize/maze_rays.h"

#define STEP  0.015 /* the published peripheral loop aims for this (s) */
#define LOOP  2     /* steps from one control of the motors to the next */
#define APART 10    /* steps without contact before the next is a bump */

/* Common unit of STEP and the game's tick: 1/600 s. */
enum { STEP_UNITS = 9, TICK_UNITS = 25 };

/* The eight sensors of the robot of 2024: radius of their ring (m), and their
 * reach, 8 bits of millimetres (m). */
#define RING_OF_8  0.0502285
#define REACH_OF_8 0.255

/* Variance of the start pose given to the localizer: the robot stands in the
 * middle of a cell (m2). */
#define START_VAR 1e-4

/* Hysteresis: the estimate leaves a cell this far beyond its edge (cells). */
#define EDGE 0.1

/* In the order of the option's words; the camera is no method. */
static const char *const methods[] = {
    "camera", "fuse", "region", "corridor", "cell-ray", "particle"};

/* Set a method's constants to this robot's sensors. */
static void
suit_sensors(const struct pb_localizer *m, void *opts, const void *ctx)
{
	const struct pb_bot_body *o = ctx;
	struct pb_particle_opts *p = opts;

	if (m != &pb_loc_particle)
		return;
	p->tick = STEP;
	p->ring = o->sensors ? RING_OF_8 : PB_TOF_RADIUS;
	p->reach = o->sensors ? REACH_OF_8 : 1.5;
}

enum pb_status
pb_pacbot_arena_new(struct pb_pacbot_arena **out, const struct pb_maze *z,
    const struct pb_cells *c, const struct pb_bot_body *o, struct pb_params p,
    const void *base)
{
	struct pb_pacbot_arena *a = *out = calloc(1, sizeof(*a));
	struct pb_map solid;
	enum pb_status st;

	if (!a)
		return PB_ENOMEM;
	a->w = (struct pb_loc_world){
	    .maze = z, .cells = c, .cell = pb_maze_pitch(z)};
	a->frame = pb_loc_frame(z, a->w.cell);
	a->method = pb_localizer_find(methods[o->localizer]);
	if ((st = pb_regions_init(&a->squares, c)) == PB_OK &&
	    (st = pb_maze_solid(z, a->w.cell, &solid)) == PB_OK) {
		st = pb_rays_new(&solid, false, &a->rays);
		pb_map_clear(&solid);
	}
	return st == PB_OK && a->method ? pb_onboard_learn(a->method, &a->w, p,
					      base, suit_sensors, o, &a->model)
	                                : st;
}

void
pb_pacbot_arena_free(struct pb_pacbot_arena *a)
{
	if (!a)
		return;
	if (a->model)
		a->method->forget(a->model);
	pb_rays_free(a->rays);
	pb_regions_clear(&a->squares);
	free(a);
}

size_t
pb_pacbot_body_size(const struct pb_pacbot_arena *a)
{
	return sizeof(struct pb_pacbot_body) +
	       (a->method ? pb_localizer_memory(a->method, a->model) : 0);
}

void
pb_pacbot_body_start(struct pb_pacbot_body *b, const struct pb_pacbot_arena *a,
    const struct pb_bot_body *o, int delay, double wrong, uint64_t seed,
    uint64_t trial)
{
	struct pb_sense_opts *s = &b->sense;

	*b = (struct pb_pacbot_body){.a = a,
	    .o = o,
	    .seed = seed,
	    .trial = trial,
	    .sense = pb_sense_defaults()};
	s->imu.noise = o->noise;
	s->imu.drift = o->drift;
	s->tof.rays = 1;
	s->tof.noise = o->ranges;
	if (o->sensors) {
		s->tof.radius = RING_OF_8;
		s->tof.max = REACH_OF_8;
	}
	s->camera.cell = b->a->w.cell;
	s->camera.period = (double)o->camera_every / PB_PACBOT_FPS;
	s->camera.delay = (double)delay / PB_PACBOT_FPS;
	s->camera.wrong = wrong;
	pb_rng_start(&b->motion, seed, trial, PB_FOR_MOTION, 0);
	pb_rng_start(&b->ranges, seed, trial, PB_FOR_SENSOR, 4);
	pb_rng_start(&b->pictures, seed, trial, PB_FOR_SENSOR, 5);
	pb_rng_start(&b->imus, seed, trial, PB_FOR_SENSOR, 6);
	pb_sense_imu_start(&b->imu, &s->imu, &b->imus);
}

static struct pb_vec
to_cells(const struct pb_pacbot_body *b, struct pb_pose p)
{
	return (struct pb_vec){p.x / b->a->w.cell, p.y / b->a->w.cell};
}

/* Set the estimate to v. Its cell stays the last one near their common edge
 * (hysteresis), or if v is in no open cell. */
static void
set_estimate(struct pb_pacbot_estimate *g, const struct pb_pacbot_body *b,
    struct pb_vec v)
{
	int row, col;

	g->at = v;
	pb_cells_of_xy(v, &row, &col);
	if (fmax(fabs(v.x - g->row), fabs(v.y - g->col)) < 0.5 + EDGE ||
	    pb_cells_at(b->a->w.cells, row, col) < 0)
		return;
	g->row = row;
	g->col = col;
}

static void
store_estimate(struct pb_pacbot_body *b)
{
	b->now = (b->now + 1) % (PB_MATCH_LATE + 1);
	b->past[b->now] = b->guess;
}

void
pb_pacbot_body_place(struct pb_pacbot_body *b, struct pb_at cell, int tick)
{
	const struct pb_pacbot_arena *a = b->a;
	struct pb_loc_start s = {.kind = PB_LOC_NEAR,
	    .pose = {cell.row * a->w.cell, cell.col * a->w.cell, 0},
	    .cov = {{START_VAR, 0, 0}, {0, START_VAR, 0}, {0, 0, 0}},
	    .seed = b->seed,
	    .trial = b->trial,
	    .which = (unsigned)b->carried++};

	b->at = s.pose;
	/* A robot that is switched on faces as it is placed. */
	b->imu.error = b->heading = b->odom.th = 0;
	memset(b->wheel, 0, sizeof(b->wheel));
	memset(b->motor, 0, sizeof(b->motor));
	memset(b->pin, 0, sizeof(b->pin));
	b->camera = (struct pb_sense_camera){.n = 0};
	b->pursuit = (struct pb_pursuit){.same = 0};
	b->n = 0;
	b->steps = ((long)tick * TICK_UNITS + STEP_UNITS - 1) / STEP_UNITS;
	set_estimate(&b->guess, b, pb_cells_xy(cell.row, cell.col));
	b->guess.status = a->method ? PB_LOC_TRACKING : PB_LOC_AMBIGUOUS;
	for (int i = 0; i <= PB_MATCH_LATE; i++)
		store_estimate(b);
	if (a->method) {
		a->method->reset(b->localizer_mem, a->model, &s);
		a->method->predict(b->localizer_mem, a->model, b->odom);
	}
}

const struct pb_pacbot_estimate *
pb_pacbot_body_estimate(const struct pb_pacbot_body *b)
{
	int ring = PB_MATCH_LATE + 1, late = b->o->late;

	return late > 0 ? &b->past[(b->now + ring - late) % ring] : &b->guess;
}

struct pb_at
pb_pacbot_body_cell(const struct pb_pacbot_body *b)
{
	int row, col;

	pb_cells_of_xy(to_cells(b, b->at), &row, &col);
	return (struct pb_at){(int8_t)row, (int8_t)col, PB_STAY};
}

/* The estimate as a pose in the frame of cells (m). */
static struct pb_pose
estimated_pose(const struct pb_pacbot_body *b)
{
	const struct pb_pacbot_estimate *g = pb_pacbot_body_estimate(b);
	double cell = b->a->w.cell;

	return (struct pb_pose){g->at.x * cell, g->at.y * cell, b->heading};
}

double
pb_pacbot_body_error(const struct pb_pacbot_body *b)
{
	return pb_dist(pb_pacbot_body_estimate(b)->at, to_cells(b, b->at)) *
	       b->a->w.cell;
}

void
pb_pacbot_body_count_error(struct pb_pacbot_body *b)
{
	const struct pb_pacbot_estimate *g = pb_pacbot_body_estimate(b);
	struct pb_at in = pb_pacbot_body_cell(b);

	pb_onboard_count(&b->score, estimated_pose(b), b->at,
	    g->status == PB_LOC_TRACKING &&
		pb_pacbot_body_error(b) > b->a->w.cell / 2,
	    g->status == PB_LOC_LOST, in.row != g->row || in.col != g->col);
}

void
pb_pacbot_body_follow(struct pb_pacbot_body *b, struct pb_at from, int d)
{
	const struct pb_cells *c = b->a->w.cells;
	int i = pb_cells_at(c, from.row, from.col);

	b->from[0] = from.row;
	b->from[1] = from.col;
	b->n = 0;
	if (d == PB_STAY || i < 0)
		return;
	while (b->n < PB_PURSUIT_PATH && (i = c->cell[i].to[d]) >= 0) {
		b->path[b->n][0] = c->cell[i].row;
		b->path[b->n++][1] = c->cell[i].col;
	}
}

/* Steer by the estimate, and run the motors' control loops. */
static void
drive_motors(struct pb_pacbot_body *b)
{
	const struct pb_bot_body *o = b->o;
	const struct pb_pacbot_estimate *g = pb_pacbot_body_estimate(b);
	const struct pb_pursuit_pose p = {g->at, b->from[0], b->from[1]};
	const struct pb_pursuit_opts pursuit = pb_pursuit_usual(o->speed);
	double cell = b->a->w.cell, want[PB_OMNI_WHEELS], ahead = 0;
	struct pb_vec v;

	pb_pursuit_step(&b->pursuit, &pursuit, &p, (const int(*)[2])b->path,
	    b->n, LOOP * STEP, &v);
	v.x *= cell;
	v.y *= cell;
	/* Feed-forward duty of an average motor. */
	if (o->ahead)
		ahead = PB_MOTOR_TOP / PB_MOTOR_SPEED / (1 + o->fast / 2);
	pb_omni_wheels(pb_pursuit_motion(v, b->heading, 0), want);
	for (int i = 0; i < PB_OMNI_WHEELS; i++)
		pb_motor_pins(
		    pb_motor_duty(&b->motor[i], ahead, want[i], b->wheel[i]),
		    b->pin[i]);
}

/* Push a disk out of the walls; returns the total motion. */
static struct pb_vec
push_out_of_walls(
    const struct pb_pacbot_arena *a, double radius, struct pb_vec p)
{
	struct pb_vec was = p;
	int x = (int)floor(p.x), y = (int)floor(p.y);

	for (int k = 0; k < 9; k++) {
		int i = x + k / 3 - 1, j = y + k % 3 - 1;
		struct pb_vec q = {
		    fmin(fmax(p.x, i), i + 1), fmin(fmax(p.y, j), j + 1)};
		double d;

		if (pb_region_at(&a->squares, i, j) >= 0)
			continue;
		d = pb_dist(p, q);
		if (d >= radius || !(d > 0))
			continue;
		p.x += (p.x - q.x) / d * (radius - d);
		p.y += (p.y - q.y) / d * (radius - d);
	}
	return (struct pb_vec){p.x - was.x, p.y - was.y};
}

/*
 * Move the body by (dx, dy) cells; walls stop it. Along a wall, Coulomb
 * friction reduces the motion by the part pressed into the wall, times `stick`.
 */
static void
move_body(struct pb_pacbot_body *b, double dx, double dy)
{
	double cell = b->a->w.cell, radius = PB_TOF_RADIUS / cell, n, t, loss;
	struct pb_vec was = to_cells(b, b->at);
	struct pb_vec to = {was.x + dx, was.y + dy};
	struct pb_vec out = push_out_of_walls(b->a, radius, to);

	n = pb_hypot(out.x, out.y);
	if (n > 0) {
		struct pb_vec side = {-out.y / n, out.x / n};

		t = dx * side.x + dy * side.y;
		loss = fmin(b->o->stick * n, fabs(t));
		loss = t < 0 ? -loss : loss;
		to.x += out.x - loss * side.x;
		to.y += out.y - loss * side.y;
		out = push_out_of_walls(b->a, radius, to);
		to.x += out.x;
		to.y += out.y;
		b->bumps += b->steps - b->free_since > APART;
		b->free_since = b->steps;
	}
	b->driven += pb_dist(was, to) * cell;
	b->at.x = to.x * cell;
	b->at.y = to.y * cell;
}

/* Simulate a step of motors, wheels and body, and the readings of wheels and
 * IMU. */
static void
simulate_step(struct pb_pacbot_body *b)
{
	const struct pb_bot_body *o = b->o;
	double part = 1, ground[PB_OMNI_WHEELS], th = b->heading;
	struct pb_motion u, said;
	struct pb_vec v;

	if (o->response > 0)
		part = 1 - pb_exp(-STEP / o->response);
	for (int i = 0; i < PB_OMNI_WHEELS; i++) {
		double speed = pb_motor_speed(b->pin[i], o->fast, &b->motion);

		b->wheel[i] += (speed - b->wheel[i]) * part;
		ground[i] = b->wheel[i];
		if (o->slip > 0)
			ground[i] *= 1 + o->slip * pb_rng_normal(&b->motion);
	}
	u = pb_omni_motion(ground);
	said = pb_omni_motion(b->wheel);
	v = pb_vec_from((struct pb_pose){0, 0, b->at.th + u.w * STEP / 2},
	    (struct pb_vec){u.x, u.y});
	move_body(b, v.x * STEP / b->a->w.cell, v.y * STEP / b->a->w.cell);
	b->at.th = pb_wrap(b->at.th + u.w * STEP);
	b->heading =
	    pb_sense_imu_step(&b->imu, &b->sense.imu, b->at.th, STEP, &b->imus);
	v = pb_vec_from(
	    (struct pb_pose){0, 0, th}, (struct pb_vec){said.x, said.y});
	b->odom.x += v.x * STEP;
	b->odom.y += v.y * STEP;
	b->odom.th = b->heading;
}

static void
run_localizer(struct pb_pacbot_body *b)
{
	const struct pb_pacbot_arena *a = b->a;
	double range[PB_SENSE_TOF_MAX];
	int n = b->o->sensors ? 8 : 4;
	struct pb_scan z = {.inc = 2 * PB_PI / n,
	    .range_max = b->sense.tof.max,
	    .radius = b->sense.tof.radius,
	    .range = range,
	    .n = (size_t)n};
	struct pb_belief belief;

	pb_sense_tof(&b->sense.tof, a->rays, NULL, 0, n,
	    pb_pacbot_body_true_pose(b), &b->ranges, range);
	a->method->predict(b->localizer_mem, a->model, b->odom);
	a->method->scan(b->localizer_mem, a->model, &z);
	if (b->steps % LOOP != 0)
		return;
	a->method->estimate(b->localizer_mem, a->model, &belief);
	b->guess.status = belief.status;
	if (belief.n > 0)
		set_estimate(&b->guess, b, to_cells(b, belief.at[0].pose));
}

void
pb_pacbot_body_tick(struct pb_pacbot_body *b, int tick)
{
	b->rolled += b->n > 0;
	while (b->steps * STEP_UNITS < (long)(tick + 1) * TICK_UNITS) {
		if (b->steps % LOOP == 0)
			drive_motors(b);
		simulate_step(b);
		if (b->a->method)
			run_localizer(b);
		b->steps++;
	}
	store_estimate(b);
	if (tick % b->o->camera_every == 0)
		pb_sense_camera_take_picture(&b->camera, &b->sense.camera,
		    (double)tick / PB_PACBOT_FPS,
		    pb_pose_vec(pb_pacbot_body_true_pose(b)), &b->pictures);
}

bool
pb_pacbot_body_seen(struct pb_pacbot_body *b, int tick, struct pb_at *to)
{
	const struct pb_pacbot_arena *a = b->a;
	struct pb_loc_fix fix;
	struct pb_vec at;
	int row, col;

	while (pb_sense_camera_answer(
	    &b->camera, (double)tick / PB_PACBOT_FPS, &at)) {
		at = pb_vec_into(a->frame, at);
		pb_cells_of_xy(
		    to_cells(b, (struct pb_pose){at.x, at.y, 0}), &row, &col);
		/* Ignore a camera fix inside a wall. */
		if (pb_cells_at(a->w.cells, row, col) < 0)
			continue;
		fix.at = (struct pb_vec){row * a->w.cell, col * a->w.cell};
		if (a->method && a->method->fix)
			a->method->fix(b->localizer_mem, a->model, &fix);
		else if (!a->method)
			set_estimate(&b->guess, b, pb_cells_xy(row, col));
		*to = (struct pb_at){(int8_t)row, (int8_t)col, PB_STAY};
		return true;
	}
	return false;
}

struct pb_pose
pb_pacbot_body_true_pose(const struct pb_pacbot_body *b)
{
	return pb_pose_compose(b->a->frame, b->at);
}

struct pb_pose
pb_pacbot_body_estimated_pose(const struct pb_pacbot_body *b)
{
	return pb_pose_compose(b->a->frame, estimated_pose(b));
}

double
pb_pacbot_body_pace(const struct pb_pacbot_body *b)
{
	double cells = b->driven / b->a->w.cell;

	return cells > 0 ? (double)b->rolled / cells : NAN;
}
