/* zumy_drive.c - the Zumy game with bodies that turn and drive. */
#include "game/zumy/zumy_drive.h"

#include <math.h>

#include "base/elementary.h"

#define DT         (1.0 / PB_ZUMY_HZ)
#define NO_TIME    1e-9 /* what is left of a tick by rounding (s) */
#define TAG_HEIGHT 0.09 /* of robots' tags above the floor's, ours (m) */
#define LONGEST    300  /* ticks of a leg: some slips never end one */

const char *
pb_zumy_fleet_wrong(const struct pb_maze *z, const struct pb_zumy_opts *o)
{
	if (o->motion == PB_ZUMY_DRIVE && o->bodies.size > pb_maze_pitch(z))
		return "has cells that are smaller than a robot; see --body";
	return NULL;
}

/* The centre of a cell if its side is `cell`. */
static struct pb_vec
centre(const struct pb_zumy_board *b, struct pb_zumy_cell c, struct pb_vec cell)
{
	int up = b->ground.rows - 1 - c.row;

	return (struct pb_vec){
	    b->side / 2 + c.col * cell.x, b->side / 2 + up * cell.y};
}

void
pb_zumy_fleet_start(struct pb_zumy_fleet *f, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, uint64_t seed, uint64_t trial)
{
	const double first =
	    o->bodies.cell_first > 0 ? o->bodies.cell_first : b->side;
	struct pb_rng lean;

	*f = (struct pb_zumy_fleet){
	    .bumps.nearest = INFINITY, .cell = {first, first}};
	pb_zumy_start(&f->s, b, o, seed, trial);
	pb_rng_start(&lean, seed, trial, PB_FOR_SENSOR, 1);
	pb_rng_start(&f->rng, seed, trial, PB_FOR_SENSOR, 0);
	for (int i = 0; i <= o->patrols; i++) {
		const struct pb_zumy_body *p = pb_zumy_body(&f->s, i);
		struct pb_vec at =
		    centre(b, p->at, (struct pb_vec){b->side, b->side});

		pb_rover_start(&f->rover[i], &o->bodies.rover,
		    (struct pb_pose){at.x, at.y,
			pb_maze_pose(&b->maze, 0, 0, (enum pb_dir)p->facing, 0)
			    .th},
		    seed, trial, (unsigned)i);
		f->lean[i] = 2 * PB_PI * pb_rng_unit(&lean);
	}
}

bool
pb_zumy_average(
    struct pb_vec *cell, struct pb_vec measured, double weight, double odd)
{
	struct pb_vec off = {measured.x - cell->x, measured.y - cell->y};

	if (fabs(off.x) > odd * cell->x || fabs(off.y) > odd * cell->y)
		return false;
	cell->x += weight * off.x;
	cell->y += weight * off.y;
	return true;
}

static double
measured_side(struct pb_zumy_fleet *f, double side, double noise)
{
	return noise > 0 ? side + side * noise * pb_rng_normal(&f->rng) : side;
}

/* Somebody measures a cell; what is too far off is a mistake. */
static void
measure(struct pb_zumy_fleet *f)
{
	const struct pb_zumy_bodies *o = &f->s.opts->bodies;
	double side = f->s.board->side;
	double weight =
	    o->average == PB_ZUMY_MEAN ? 1.0 / (f->samples + 1) : o->fade;
	double x = measured_side(f, side, o->cell_noise), y = x;

	if (o->average == PB_ZUMY_AXES)
		y = measured_side(f, side, o->cell_noise);
	f->samples +=
	    pb_zumy_average(&f->cell, (struct pb_vec){x, y}, weight, o->odd);
}

/*
 * How long it will take, in step: ticks of turning while the error of heading
 * shrinks by itself every second, and of driving. Half-way it is in the cell.
 */
static void
forecast(struct pb_zumy_body *p, const struct pb_zumy_opts *o, double side,
    struct pb_pose seen, struct pb_vec to)
{
	const struct pb_approach_opts *a = &o->bodies.approach;
	struct pb_vec d = pb_vec_into(seen, to);
	double off = fabs(pb_atan2(d.y, d.x)) / a->turn_until;
	double left = (pb_hypot(d.x, d.y) - a->near * side) / (a->v * DT);
	int half = o->cell_time / 2;
	bool in = pb_zumy_same(p->at, p->to);

	p->turn = (int16_t)(off > 1 ? ceil(pb_log(off) / DT) : 0);
	p->drive = (int16_t)fmax(1, fmin(left, 1000));
	if (in && p->drive > half)
		p->drive = (int16_t)(half > 0 ? half : 1);
	if (!in && p->drive <= half)
		p->drive = (int16_t)(half + 1);
}

/* The controller has a new picture. */
static struct pb_twist3
control(struct pb_zumy_fleet *f, int robot, struct pb_vec to, bool *there)
{
	const struct pb_zumy_opts *o = f->s.opts;
	struct pb_approach_opts a = o->bodies.approach;
	struct pb_pose seen = f->rover[robot].seen;
	double tilt = o->bodies.tilt;
	struct pb_tag tag;

	a.published = pb_zumy_as_published(o);
	if (a.published)
		tag = pb_tag_at(seen, TAG_HEIGHT, tilt * pb_cos(f->lean[robot]),
		    tilt * pb_sin(f->lean[robot]));
	return pb_approach(&a, &f->leg[robot], seen, &tag, to, f->cell, there);
}

/*
 * One tick of the controller and of the body: from picture to picture it drives
 * as it was told. True if it is there.
 */
static bool
steer(struct pb_zumy_fleet *f, int robot, struct pb_vec to)
{
	const struct pb_zumy_bodies *o = &f->s.opts->bodies;
	struct pb_leg *leg = &f->leg[robot];
	double *due = &f->due[robot], left = DT;
	bool there = false;

	while (left > NO_TIME) {
		double dt;

		if (*due <= NO_TIME) {
			leg->told = control(f, robot, to, &there);
			*due = o->frame;
		}
		if (there)
			return true;
		dt = fmin(left, *due);
		pb_onboard_drive(&f->aboard, f->rover, robot, &o->rover,
		    (struct pb_twist){leg->told.v[0], leg->told.w[2]}, dt);
		f->moved |= 1u << robot;
		left -= dt;
		*due -= dt;
	}
	return false;
}

/* The same for where it is on the board. */
static bool
advance(void *ctx, int robot, struct pb_zumy_body *p)
{
	struct pb_zumy_fleet *f = ctx;
	const struct pb_rover *r = &f->rover[robot];
	struct pb_vec to = centre(f->s.board, p->to, f->cell);
	struct pb_vec from = centre(f->s.board, p->at, f->cell);

	if (p->turn == 0 && p->drive == 0)
		return false;
	if (steer(f, robot, to)) {
		p->at = p->to;
		p->turn = p->drive = 0;
		f->leg[robot] = (struct pb_leg){.aligned = false};
		f->due[robot] = 0;
		return true;
	}
	p->facing = (int8_t)pb_zumy_facing(r->pose.th, false);
	if (pb_dist(pb_pose_vec(r->seen), to) <
	    pb_dist(pb_pose_vec(r->seen), from))
		p->at = p->to;
	forecast(p, f->s.opts, fmin(f->cell.x, f->cell.y), r->seen, to);
	return false;
}

/* What others read of the robots, by slips of the published code. */
static void
read_robots(struct pb_zumy_fleet *f)
{
	const struct pb_zumy_board *b = f->s.board;
	bool published = pb_zumy_as_published(f->s.opts);
	struct pb_zumy_cell c;

	for (int i = 0; i <= f->s.opts->patrols; i++) {
		struct pb_zumy_body *p = pb_zumy_body(&f->s, i);
		struct pb_pose at = f->rover[i].seen;

		p->misread = published &&
		             pb_zumy_facing(at.th, true) == PB_DOWN &&
		             pb_zumy_facing(at.th, false) == PB_RIGHT;
		p->unread = published &&
		            !pb_zumy_cell_read((at.x - b->side / 2) / f->cell.x,
				(at.y - b->side / 2) / f->cell.y,
				b->ground.rows, b->ground.cols, &c);
	}
}

bool
pb_zumy_fleet_tick(
    struct pb_zumy_fleet *f, enum pb_dir d, const struct pb_zumy_crew *crew)
{
	const struct pb_zumy_motor m = {advance, f};
	const struct pb_zumy_opts *o = f->s.opts;
	bool on;

	f->moved = 0;
	measure(f);
	on = pb_zumy_tick(&f->s, d, crew, &m);
	/* Those who stand look, too. */
	for (int i = 0; i <= o->patrols; i++)
		if (!(f->moved >> i & 1)) {
			pb_onboard_drive(&f->aboard, f->rover, i,
			    &o->bodies.rover, (struct pb_twist){0, 0}, DT);
			f->leg[i] = (struct pb_leg){.aligned = false};
			f->due[i] = 0;
		}
	read_robots(f);
	f->collisions +=
	    pb_bumps_watch(&f->bumps, f->rover, 1 + o->patrols, o->bodies.size);
	return on;
}

/* From where the player is to the cell in direction d, walls or not. */
static struct pb_zumy_leg
drive_leg(struct pb_zumy_fleet *f, enum pb_dir d)
{
	struct pb_zumy_body *p = &f->s.player;
	struct pb_zumy_leg l = {0};
	int before = p->facing;
	bool there = false;

	p->to = pb_zumy_beside(p->to, d);
	p->drive = 1;
	while (!there && l.there < LONGEST) {
		measure(f);
		l.there++;
		there = advance(f, 0, p);
		if (!there && p->facing != (int8_t)d)
			l.facing = (int16_t)(l.there + 1);
		if (l.aside == 0 && (p->facing - before) % 2 != 0 &&
		    (d - before) % 2 == 0) {
			l.aside = l.there;
			l.way = (int16_t)((p->facing - before + 4) % 4);
		}
		if (!there && !pb_zumy_same(p->at, p->to))
			l.in = (int16_t)(l.there + 1);
	}
	p->at = p->to;
	return l;
}

static struct pb_zumy_leg
mean_leg(const struct pb_zumy_leg *leg)
{
	struct pb_zumy_leg mean = leg[0];
	int facing = 0, in = 0, there = 0, half = PB_ZUMY_LEGS / 2;

	for (int i = 0; i < PB_ZUMY_LEGS; i++) {
		facing += leg[i].facing;
		in += leg[i].in;
		there += leg[i].there;
	}
	mean.facing = (int16_t)((facing + half) / PB_ZUMY_LEGS);
	mean.in = (int16_t)((in + half) / PB_ZUMY_LEGS);
	mean.there = (int16_t)((there + half) / PB_ZUMY_LEGS);
	return mean;
}

void
pb_zumy_pace_measure(struct pb_zumy_pace *pace, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, double spread, uint64_t seed)
{
	/* Never far: errors may grow. The first round is to settle; each has
	 * two legs of a kind. */
	static const signed char walk[6] = {
	    PB_RIGHT, PB_RIGHT, PB_LEFT, PB_LEFT, PB_DOWN, PB_UP};
	static const int turns[6] = {1, 0, 2, 0, 1, 2};
	_Static_assert(PB_ZUMY_LEGS % 2 == 0, "whole rounds");
	struct pb_zumy_opts alone = *o;
	struct pb_estimate_opts *e = &alone.bodies.rover.estimate;
	struct pb_zumy_fleet f;
	int n[3] = {0, 0, 0};

	alone.patrols = 0;
	alone.bodies.rover.localizer = PB_ROVER_NOISE;
	if (e->sd > 0)
		e->th_sd *= spread / e->sd;
	e->sd = spread;
	pb_zumy_fleet_start(&f, b, &alone, seed, 0);
	for (int i = 0; i < 6 + 3 * PB_ZUMY_LEGS; i++) {
		int q = turns[i % 6];
		struct pb_zumy_leg l = drive_leg(&f, (enum pb_dir)walk[i % 6]);

		if (i >= 6)
			pace->leg[q][n[q]++] = l;
	}
	pace->quiet = (1 - o->bodies.approach.near) * b->side /
	              (o->bodies.approach.v * DT);
	pace->ahead = (int)fmax(
	    0, pb_log(PB_PI / 4 / o->bodies.approach.turn_until) / DT);
	for (int q = 0; q < 3; q++)
		pace->leg[q][PB_ZUMY_LEGS] = mean_leg(pace->leg[q]);
}
