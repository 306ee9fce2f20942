/* roomba_drive.c - the Roomba game with bodies that turn and drive. */
#include "game/roomba/roomba_drive.h"

#include <math.h>

#include "base/elementary.h"
#include "game/roomba/roomba_state.h"

const char *
pb_roomba_fleet_wrong(const struct pb_maze *z, const struct pb_roomba_opts *o)
{
	double side = pb_maze_pitch(z);

	if (o->motion != PB_MOTION_DRIVE)
		return NULL;
	if (o->bodies.size > side)
		return "has cells that are smaller than a robot; see --body";
	if (o->bodies.way.near > side / 2)
		return "has cells that are too small for --centre";
	return NULL;
}

double
pb_roomba_fleet_dt(
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o)
{
	return b->side / o->bodies.way.v / o->bodies.steps;
}

double
pb_roomba_fleet_time(const struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o)
{
	return (double)f->step * pb_roomba_fleet_dt(b, o);
}

struct pb_vec
pb_roomba_centre(const struct pb_roomba_board *b, int i)
{
	const struct pb_cell_at *c = &b->cells.cell[i];

	return (struct pb_vec){(c->col + 0.5) * b->side,
	    (b->cells.rows - 1 - c->row + 0.5) * b->side};
}

static int16_t
cell_of(const struct pb_roomba *s, int robot)
{
	return robot == 0 ? s->pacman : s->ghost[robot - 1].at;
}

static int
robots(const struct pb_roomba_opts *o)
{
	return 1 + o->ghosts;
}

/* Robot i stands in the middle of its cell and looks up. */
static void
put(struct pb_roomba_fleet *f, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, int i)
{
	struct pb_roomba_bot *r = &f->bot[i];
	struct pb_vec at = pb_roomba_centre(b, cell_of(&f->s, i));
	r->way = pb_waypoint_begin(at);
	r->rolls = false;
	r->wait = 0;
	pb_rover_place(&r->rover, &o->bodies.rover,
	    (struct pb_pose){at.x, at.y, PB_PI / 2});
}

void
pb_roomba_fleet_start(struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o,
    uint64_t seed, uint64_t trial)
{
	*f = (struct pb_roomba_fleet){.nearest = INFINITY};
	pb_roomba_start(&f->s, b, o, seed, trial);
	for (int i = 0; i < robots(o); i++) {
		f->move[i] = PB_STAY;
		pb_rover_start(&f->bot[i].rover, &o->bodies.rover,
		    (struct pb_pose){0, 0, 0}, seed, trial, (unsigned)i);
		put(f, b, o, i);
	}
}

struct pb_roomba_fleet
pb_roomba_fleet_seen(const struct pb_roomba_fleet *f)
{
	const struct pb_rng none = {{0}};
	struct pb_roomba_fleet n = *f;

	for (int i = 0; i < PB_ROOMBA_ROBOTS; i++) {
		struct pb_rover *r = &n.bot[i].rover;

		r->pose = r->seen;
		r->error = (struct pb_estimator){.ever = false};
		r->noise = r->motion = none;
	}
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		n.s.rng[i] = none;
	return n;
}

static bool
idle(const struct pb_roomba_bot *r)
{
	return !r->rolls && r->wait == 0;
}

bool
pb_roomba_fleet_asks(const struct pb_roomba_fleet *f)
{
	return f->s.ending == PB_ROOMBA_ON && f->stopped == 0 &&
	       idle(&f->bot[0]);
}

enum pb_dir
pb_roomba_fleet_choose(struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o, int ghost)
{
	struct pb_roomba *s = &f->s;
	int16_t claim[PB_ROOMBA_GHOSTS];

	for (int i = 0; i < o->ghosts; i++)
		claim[i] = s->ghost[i].at;
	return pb_roomba_ghost_decide(s, b, o, ghost, s->pacman, claim);
}

void
pb_roomba_fleet_lose(struct pb_roomba_fleet *f, int ghost)
{
	pb_roomba_lose(&f->s, ghost);
	f->bot[1 + ghost].rolls = false;
}

/* Who decides: a crew, or the stick and the rules. */
struct deciding {
	const struct pb_roomba_crew *crew; /* NULL: none */
	enum pb_dir stick;
};

static enum pb_dir
choose(struct pb_roomba_fleet *f, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, int robot, const struct deciding *by)
{
	if (by->crew)
		return by->crew->decide(by->crew->ctx, f, robot - 1);
	if (robot == 0)
		return pb_roomba_steer(&f->s, b, by->stick);
	return pb_roomba_fleet_choose(f, b, o, robot - 1);
}

/* The robot sets off to the next cell, or waits. */
static void
decide(struct pb_roomba_fleet *f, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, int robot, const struct deciding *by)
{
	struct pb_roomba_bot *r = &f->bot[robot];
	enum pb_dir d = choose(f, b, o, robot, by);
	int16_t to = pb_roomba_moved(b, cell_of(&f->s, robot), d);

	if (robot == 0) {
		f->s.pacman = to;
		f->s.dir = (int8_t)d;
		f->s.pushed = PB_STAY;
	} else {
		f->s.ghost[robot - 1].at = to;
		if (d != PB_STAY)
			f->s.ghost[robot - 1].last = (int8_t)d;
	}
	f->move[robot] = d;
	f->decided |= 1u << robot;
	r->rolls = d != PB_STAY;
	r->wait = r->rolls ? 0 : o->bodies.steps;
	r->way.target = r->way.desired = pb_roomba_centre(b, to);
	r->way.driving = false;
}

/* Where nothing is said about turning, it takes no time. */
static void
face(struct pb_roomba_bot *r)
{
	struct pb_vec d = {r->way.target.x - r->rover.seen.x,
	    r->way.target.y - r->rover.seen.y};

	r->rover.pose.th = r->rover.seen.th = pb_atan2(d.y, d.x);
}

/* One step of the controller and of the body. */
static void
roll(struct pb_roomba_bot *r, const struct pb_roomba_opts *o, double dt)
{
	struct pb_twist u = {0, 0};
	bool there;

	if (r->wait > 0)
		r->wait--;
	if (r->rolls && o->bodies.way.w == 0)
		face(r);
	if (r->rolls)
		u = pb_waypoint_step(
		    &r->way, &o->bodies.way, r->rover.seen, dt, &there);
	pb_rover_drive(&r->rover, &o->bodies.rover, u, dt);
}

/* Whether robot i has come to the centre of its cell just now. */
static bool
came(struct pb_roomba_fleet *f, const struct pb_roomba_opts *o, int i)
{
	struct pb_roomba_bot *r = &f->bot[i];

	if (!r->rolls || pb_dist(pb_pose_vec(r->rover.seen), r->way.target) >
			     o->bodies.way.near)
		return false;
	r->rolls = false;
	return true;
}

static void
meet(struct pb_roomba_fleet *f, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o)
{
	struct pb_vec at = pb_pose_vec(f->bot[0].rover.pose);

	for (int i = 0; i < o->ghosts && f->s.stopped == 0; i++) {
		struct pb_vec g = pb_pose_vec(f->bot[1 + i].rover.pose);

		if (f->s.ghost[i].state < PB_ROOMBA_KILLED &&
		    pb_dist(at, g) < o->bodies.touch * b->side)
			pb_roomba_touch(&f->s, o, i);
	}
	f->stopped = f->s.stopped * o->bodies.steps;
}

/* Ghosts that overlap; a collision is counted when it begins. */
static void
watch(struct pb_roomba_fleet *f, const struct pb_roomba_opts *o)
{
	unsigned pair = 1;

	for (int i = 1; i < robots(o); i++)
		for (int k = 1; k < i; k++, pair <<= 1) {
			double d = pb_dist(pb_pose_vec(f->bot[i].rover.pose),
			    pb_pose_vec(f->bot[k].rover.pose));

			f->nearest = fmin(f->nearest, d);
			if (d >= o->bodies.size) {
				f->close &= ~pair;
			} else if (!(f->close & pair)) {
				f->close |= pair;
				f->s.collisions++;
			}
		}
}

/* What comes of where all are now. */
static void
happen(struct pb_roomba_fleet *f, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o)
{
	if (f->power > 0 && --f->power == 0)
		pb_roomba_power_over(&f->s, o);
	came(f, o, 0);
	if (!f->bot[0].rolls)
		pb_roomba_collect(&f->s, b, o);
	if (f->s.events & PB_ROOMBA_POWER_ON)
		f->power = o->power_time * o->bodies.steps;
	meet(f, b, o);
	for (int i = 0; i < o->ghosts; i++)
		if (came(f, o, 1 + i))
			pb_roomba_arrive(&f->s, b, i);
	watch(f, o);
}

static bool
lost(const struct pb_roomba_fleet *f, int robot)
{
	return robot > 0 && f->s.ghost[robot - 1].state == PB_ROOMBA_LOST;
}

static void
drive(struct pb_roomba_fleet *f, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, const struct deciding *by)
{
	double dt = pb_roomba_fleet_dt(b, o);

	for (int i = 0; i < robots(o); i++)
		if (idle(&f->bot[i]) && !lost(f, i))
			decide(f, b, o, i, by);
	for (int i = 0; i < robots(o); i++)
		roll(&f->bot[i], o, dt);
	happen(f, b, o);
}

/* After a kill: Pac-Man spins, then everybody is put where he began. */
static void
stand(struct pb_roomba_fleet *f, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o)
{
	pb_rover_drive(&f->bot[0].rover, &o->bodies.rover,
	    (struct pb_twist){0, o->bodies.way.w}, pb_roomba_fleet_dt(b, o));
	if (--f->stopped > 0)
		return;
	pb_roomba_reset(&f->s, b, o);
	f->power = 0;
	f->close = 0;
	for (int i = 0; i < robots(o); i++)
		put(f, b, o, i);
}

/* Steps in ticks, part of one counts. */
static int16_t
ticks(int steps, const struct pb_roomba_opts *o)
{
	return (int16_t)((steps + o->bodies.steps - 1) / o->bodies.steps);
}

static bool
step(struct pb_roomba_fleet *f, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, const struct deciding *by)
{
	if (f->s.ending != PB_ROOMBA_ON)
		return false;
	f->step++;
	f->s.tick = (int)(f->step / o->bodies.steps);
	f->s.events = 0;
	f->decided = 0;
	if (f->stopped > 0)
		stand(f, b, o);
	else
		drive(f, b, o, by);
	f->s.power = ticks(f->power, o);
	f->s.stopped = ticks(f->stopped, o);
	return pb_roomba_goes_on(&f->s, o);
}

bool
pb_roomba_fleet_step(struct pb_roomba_fleet *f, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, enum pb_dir stick)
{
	const struct deciding by = {NULL, stick};

	pb_roomba_push(&f->s, b, stick);
	return step(f, b, o, &by);
}

bool
pb_roomba_fleet_crew(struct pb_roomba_fleet *f, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, const struct pb_roomba_crew *crew)
{
	const struct deciding by = {crew, PB_STAY};

	return step(f, b, o, &by);
}
