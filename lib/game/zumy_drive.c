/* zumy_drive.c - the Zumy game with bodies that turn and drive. */
#include "game/zumy_drive.h"

#include <math.h>

#include "base/elementary.h"
#include "game/zumy_state.h"

#define DT (1.0 / PB_ZUMY_HZ)

/* A game, for the motor. */
struct scene {
	struct pb_zumy_fleet *f;
	const struct pb_zumy_board *b;
	const struct pb_zumy_opts *o;
};

const char *
pb_zumy_fleet_wrong(const struct pb_maze *z, const struct pb_zumy_opts *o)
{
	if (o->motion == PB_ZUMY_DRIVE && o->bodies.size > pb_maze_pitch(z))
		return "has cells that are smaller than a robot; see --body";
	return NULL;
}

/* The centre of a cell if its side is `cell`. */
static struct pb_vec
centre(const struct pb_zumy_board *b, struct pb_zumy_cell c, double cell)
{
	int up = b->ground.rows - 1 - c.row;

	return (struct pb_vec){
	    b->side / 2 + c.col * cell, b->side / 2 + up * cell};
}

struct pb_vec
pb_zumy_fleet_centre(const struct pb_zumy_fleet *f,
    const struct pb_zumy_board *b, struct pb_zumy_cell c)
{
	return centre(b, c, f->cell);
}

static struct pb_zumy_body *
body(struct pb_zumy_fleet *f, int robot)
{
	return robot == 0 ? &f->s.player : &f->s.patrol[robot - 1].body;
}

void
pb_zumy_fleet_start(struct pb_zumy_fleet *f, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, uint64_t seed, uint64_t trial)
{
	static const double heading[] = {[PB_UP] = PB_PI / 2,
	    [PB_LEFT] = PB_PI,
	    [PB_DOWN] = -PB_PI / 2,
	    [PB_RIGHT] = 0};

	*f = (struct pb_zumy_fleet){.nearest = INFINITY};
	pb_zumy_start(&f->s, b, o, seed, trial);
	f->cell = o->bodies.cell_first > 0 ? o->bodies.cell_first : b->side;
	pb_rng_start(&f->rng, seed, trial, PB_FOR_SENSOR, 0);
	for (int i = 0; i <= o->patrols; i++) {
		const struct pb_zumy_body *p = body(f, i);
		struct pb_vec at = centre(b, p->at, b->side);

		pb_rover_start(&f->rover[i], &o->bodies.rover,
		    (struct pb_pose){at.x, at.y, heading[p->facing]}, seed,
		    trial, (unsigned)i);
	}
}

/* Somebody measures a cell; what is too far off is a mistake. */
static void
measure(struct pb_zumy_fleet *f, const struct pb_zumy_board *b,
    const struct pb_zumy_bodies *o)
{
	double cell = b->side, weight;

	if (o->cell_noise > 0)
		cell += b->side * o->cell_noise * pb_rng_normal(&f->rng);
	if (fabs(cell - f->cell) > o->odd * f->cell)
		return;
	f->samples++;
	weight = o->average == PB_ZUMY_MEAN ? 1.0 / f->samples : o->fade;
	f->cell += weight * (cell - f->cell);
}

/* The direction of four that is nearest to a heading. */
static enum pb_dir
facing(double th)
{
	static const enum pb_dir quarter[4] = {
	    PB_RIGHT, PB_UP, PB_LEFT, PB_DOWN};

	return quarter[(int)floor(th / (PB_PI / 2) + 0.5) & 3];
}

/*
 * How long it will take, in step: ticks of turning while the error of heading
 * shrinks by itself every second, and of driving. Half-way it is in the cell.
 */
static void
forecast(struct pb_zumy_body *p, const struct pb_zumy_opts *o,
    const struct pb_approach_opts *a, struct pb_pose seen, struct pb_vec to)
{
	struct pb_vec d = pb_vec_into(seen, to);
	double off = fabs(pb_atan2(d.y, d.x)) / a->turn_until;
	double left = (pb_hypot(d.x, d.y) - a->near) / (a->v * DT);
	int half = o->cell_time / 2;
	bool in = p->at.row == p->to.row && p->at.col == p->to.col;

	p->turn = (int16_t)(off > 1 ? ceil(pb_log(off) / DT) : 0);
	p->drive = (int16_t)fmax(1, fmin(left, 1000));
	if (in && p->drive > half)
		p->drive = (int16_t)(half > 0 ? half : 1);
	if (!in && p->drive <= half)
		p->drive = (int16_t)(half + 1);
}

/* One tick of the controller and of the body of a robot that drives. */
static bool
roll(struct scene *c, int robot, struct pb_zumy_body *p)
{
	struct pb_rover *r = &c->f->rover[robot];
	struct pb_approach_opts a = c->o->bodies.approach;
	struct pb_vec to = pb_zumy_fleet_centre(c->f, c->b, p->to);
	struct pb_vec from = pb_zumy_fleet_centre(c->f, c->b, p->at);
	struct pb_twist u;
	bool there;

	a.near *= c->f->cell;
	u = pb_approach(&a, r->seen, to, &there);
	if (there) {
		p->at = p->to;
		p->turn = p->drive = 0;
		return true;
	}
	pb_rover_drive(r, &c->o->bodies.rover, u, DT);
	c->f->moved |= 1u << robot;
	p->facing = (int8_t)facing(r->pose.th);
	if (pb_dist(pb_pose_vec(r->seen), to) <
	    pb_dist(pb_pose_vec(r->seen), from))
		p->at = p->to;
	forecast(p, c->o, &a, r->seen, to);
	return false;
}

static bool
advance(void *ctx, int robot, struct pb_zumy_body *p)
{
	if (p->turn == 0 && p->drive == 0)
		return false;
	return roll(ctx, robot, p);
}

/* Robots that overlap; a collision is counted when it begins. */
static void
watch(struct pb_zumy_fleet *f, const struct pb_zumy_opts *o)
{
	uint64_t pair = 1;

	for (int i = 1; i <= o->patrols; i++)
		for (int k = 0; k < i; k++, pair <<= 1) {
			double d = pb_dist(pb_pose_vec(f->rover[i].pose),
			    pb_pose_vec(f->rover[k].pose));

			f->nearest = fmin(f->nearest, d);
			if (d >= o->bodies.size) {
				f->close &= ~pair;
			} else if (!(f->close & pair)) {
				f->close |= pair;
				f->collisions++;
			}
		}
}

static bool
tick(struct pb_zumy_fleet *f, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, enum pb_dir d,
    const struct pb_zumy_crew *crew)
{
	struct scene c = {f, b, o};
	const struct pb_zumy_motor m = {advance, &c};
	bool on;

	f->moved = 0;
	measure(f, b, &o->bodies);
	on = pb_zumy_tick_by(&f->s, b, o, d, crew, &m);
	/* Those who stand look, too. */
	for (int i = 0; i <= o->patrols; i++)
		if (!(f->moved >> i & 1))
			pb_rover_drive(&f->rover[i], &o->bodies.rover,
			    (struct pb_twist){0, 0}, DT);
	watch(f, o);
	return on;
}

bool
pb_zumy_fleet_tick(struct pb_zumy_fleet *f, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, enum pb_dir d)
{
	return tick(f, b, o, d, NULL);
}

bool
pb_zumy_fleet_crew(struct pb_zumy_fleet *f, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, const struct pb_zumy_crew *crew)
{
	return tick(f, b, o, PB_STAY, crew);
}
