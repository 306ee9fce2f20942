/* roomba.c - the Roomba game in lock-step. */
#include "game/roomba/roomba.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"

enum pb_roomba_state
pb_roomba_state_of(
    const struct pb_cells *c, int at, int pacman, bool afraid, int sense)
{
	int dr = c->cell[at].row - c->cell[pacman].row;
	int dc = c->cell[at].col - c->cell[pacman].col;

	if (afraid)
		return PB_ROOMBA_RUN;
	return dr * dr + dc * dc <= sense * sense ? PB_ROOMBA_TRACK
	                                          : PB_ROOMBA_SEARCH;
}

/* Direction of a difference in columns. */
static int
direction_of_cols(int dc)
{
	return dc > 0 ? PB_RIGHT : PB_LEFT;
}

static int
direction_of_rows(int dr)
{
	return dr > 0 ? PB_DOWN : PB_UP;
}

/* Whether a robot in cell i may step in direction d. */
static bool
is_open(const struct pb_cells *c, int i, int d)
{
	return c->cell[i].exits >> d & 1;
}

/*
 * Directions that another ghost, `dr` rows down and `dc` columns right,
 * forbids: towards one straight ahead within two cells without a wall between;
 * and into a cell that one on a diagonal may enter.
 */
static unsigned
forbidden_ways(const struct pb_cells *c, int at, int other, int dr, int dc)
{
	unsigned set = 0;
	int d;

	if (dr == 0 || dc == 0) {
		d = dr == 0 ? direction_of_cols(dc) : direction_of_rows(dr);
		if (abs(dr + dc) == 1 ||
		    (is_open(c, at, d) && is_open(c, c->cell[at].to[d], d)))
			set = 1u << d;
		return set;
	}
	if (is_open(c, other, direction_of_rows(-dr)))
		set |= 1u << direction_of_cols(dc);
	if (is_open(c, other, direction_of_cols(-dc)))
		set |= 1u << direction_of_rows(dr);
	return set;
}

unsigned
pb_roomba_free(const struct pb_cells *c, const struct pb_roomba_sight *s)
{
	const struct pb_cell_at *me = &c->cell[s->at];
	unsigned set = me->exits;

	for (int i = 0; i < s->others; i++) {
		const struct pb_cell_at *o = &c->cell[s->other[i]];
		int dr = o->row - me->row, dc = o->col - me->col;
		bool straight = (dr == 0 || dc == 0) && abs(dr + dc) <= 2;

		if (straight || (abs(dr) == 1 && abs(dc) == 1))
			set &= ~forbidden_ways(c, s->at, s->other[i], dr, dc);
	}
	return set;
}

/* The direction within pi/8 of the vector, -1 if none. */
static int
nearest_axis(const int dot[4])
{
	int best = 0;
	double along, across;

	for (int d = 1; d < 4; d++)
		if (dot[d] > dot[best])
			best = d;
	along = dot[best];
	across = abs(dot[(best + 1) % 4]);
	/* tan(pi/8) is irrational: integers never tie. */
	return across < 0.41421356237309503 * along ? best : -1;
}

unsigned
pb_roomba_fit(unsigned allowed, int right, int up)
{
	/* Projections of the vector on the directions. */
	const int dot[4] = {[PB_UP] = up,
	    [PB_LEFT] = -right,
	    [PB_DOWN] = -up,
	    [PB_RIGHT] = right};
	int axis, best = INT_MIN, second = INT_MIN;
	unsigned near = 0, set = 0;

	if (right == 0 && up == 0)
		return allowed;
	axis = nearest_axis(dot);
	if (axis >= 0 && allowed >> axis & 1)
		return 1u << axis;
	/* cos(3 pi/4) squared is 1/2. */
	for (int d = 0; d < 4; d++)
		if (allowed >> d & 1 &&
		    (dot[d] >= 0 ||
			2 * dot[d] * dot[d] < right * right + up * up))
			near |= 1u << d;
	for (int d = 0; d < 4; d++)
		if (near >> d & 1 && dot[d] > best) {
			second = best;
			best = dot[d];
		} else if (near >> d & 1 && dot[d] > second) {
			second = dot[d];
		}
	for (int d = 0; d < 4; d++)
		if (near >> d & 1 && dot[d] >= second)
			set |= 1u << d;
	return set;
}

/* The allowed directions that the ghost's state prefers; 0: none. */
static unsigned
preferred_ways(const struct pb_cells *c, const struct pb_roomba_nature *n,
    const struct pb_roomba_sight *s, unsigned allowed)
{
	bool search = s->state == PB_ROOMBA_SEARCH;
	bool away = s->state == PB_ROOMBA_RUN || (!search && n->away);
	int to = search ? s->home : s->pacman, up, right;

	if (to < 0)
		return allowed;
	up = c->cell[s->at].row - c->cell[to].row;
	right = c->cell[to].col - c->cell[s->at].col;
	/* Near its home a ghost wanders; else it would stand there. */
	if (search && up * up + right * right <= 1)
		return allowed;
	return away ? pb_roomba_fit(allowed, -right, -up)
	            : pb_roomba_fit(allowed, right, up);
}

static double
chance_of_state(const struct pb_roomba_nature *n, enum pb_roomba_state s)
{
	return s == PB_ROOMBA_SEARCH  ? n->search
	       : s == PB_ROOMBA_TRACK ? n->track
	                              : n->run;
}

/* Direction number i (0..) of a set. */
static enum pb_dir
nth_way(unsigned set, unsigned i)
{
	int d = 0;

	for (;; d++)
		if (set >> d & 1 && i-- == 0)
			return (enum pb_dir)d;
}

enum pb_dir
pb_roomba_choose(const struct pb_cells *c, const struct pb_roomba_nature *n,
    const struct pb_roomba_sight *s, struct pb_rng *r)
{
	static const unsigned char count[16] = {
	    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
	bool enforce = pb_rng_unit(r) < chance_of_state(n, s->state);
	double draw = pb_rng_unit(r);
	unsigned set = pb_roomba_free(c, s), want;

	if (set == 0)
		return PB_STAY;
	if (s->state == PB_ROOMBA_KILLED) {
		want = set & pb_cells_first(c, s->at, s->reset);
		if (want != 0)
			return nth_way(want, (unsigned)(draw * count[want]));
	}
	if (s->last != PB_STAY && set & ~(1u << (s->last + 2) % 4))
		set &= ~(1u << (s->last + 2) % 4);
	want = enforce && s->state != PB_ROOMBA_KILLED
	           ? preferred_ways(c, n, s, set)
	           : set;
	if (want != 0)
		set = want;
	return nth_way(set, (unsigned)(draw * count[set]));
}

/* Points, as in the Pacbot competition for comparison. */
enum { DOT = 10, PILL = 50, GHOST = 200 };

static bool
has_pellet(const uint64_t *set, int i)
{
	return set[i / 64] >> i % 64 & 1;
}

bool
pb_roomba_dot(const struct pb_roomba *s, int i)
{
	return has_pellet(s->dot, i);
}

/* Put all robots back to their starts. */
static void
reset_robots(struct pb_roomba *s)
{
	s->pacman = (int16_t)s->board->start;
	s->dir = s->pushed = PB_STAY;
	s->power = s->combo = s->stopped = 0;
	for (int i = 0; i < s->opts->ghosts; i++) {
		bool lost = s->ghost[i].state == PB_ROOMBA_LOST;

		s->ghost[i] =
		    (struct pb_roomba_ghost){.at = (int16_t)s->board->reset[i],
			.last = PB_STAY,
			.state = lost ? PB_ROOMBA_LOST : PB_ROOMBA_SEARCH};
	}
	s->events |= PB_ROOMBA_RESET;
}

void
pb_roomba_start(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, uint64_t seed, uint64_t trial)
{
	*s = (struct pb_roomba){
	    .board = b, .opts = o, .lives = o->lives, .left = b->pellets};
	memcpy(s->dot, b->dot, sizeof(s->dot));
	for (unsigned i = 0; i < PB_ROOMBA_GHOSTS; i++)
		pb_rng_start(&s->rng[i], seed, trial, PB_FOR_GHOST, i);
	reset_robots(s);
}

static unsigned
exits_of(const struct pb_roomba *s, int robot)
{
	return s->board->cells.cell[pb_roomba_cell(s, robot)].exits;
}

/* The stick is pushed to d between cells: if d is open in the cell ahead, it is
 * stored until then, else ignored. PB_STAY clears it. */
static void
push_stick(struct pb_roomba *s, enum pb_dir d)
{
	if (d == PB_STAY || exits_of(s, 0) >> d & 1)
		s->pushed = (int8_t)d;
}

enum pb_dir
pb_roomba_steer(const struct pb_roomba *s, enum pb_dir d)
{
	unsigned exits = exits_of(s, 0);

	if (d == PB_STAY || exits >> d & 1)
		return d;
	if (s->pushed != PB_STAY)
		return (enum pb_dir)s->pushed;
	return s->dir != PB_STAY && exits >> s->dir & 1 ? (enum pb_dir)s->dir
	                                                : PB_STAY;
}

/* A ghost sees whether it searches, tracks or runs. */
static void
update_state(struct pb_roomba *s, struct pb_roomba_ghost *g)
{
	if (g->state < PB_ROOMBA_KILLED)
		g->state = (int8_t)pb_roomba_state_of(&s->board->cells, g->at,
		    s->pacman, g->afraid, s->opts->sense);
}

/* Choose a ghost's direction by the rules. */
static enum pb_dir
choose_way(struct pb_roomba *s, int ghost)
{
	const struct pb_roomba_ghost *g = &s->ghost[ghost];
	struct pb_roomba_sight sight = {.at = g->at,
	    .last = g->last,
	    .pacman = s->pacman,
	    .home = s->board->home[ghost],
	    .reset = s->board->reset[ghost],
	    .state = (enum pb_roomba_state)g->state};

	for (int i = 0; i < s->opts->ghosts; i++)
		if (i != ghost)
			sight.other[sight.others++] = s->ghost[i].at;
	return pb_roomba_choose(
	    &s->board->cells, &s->opts->nature[ghost], &sight, &s->rng[ghost]);
}

/*
 * Decide for a robot and claim its next cell, excluding cells that other robots
 * drive to or stand in.
 *
 * Returns  its direction, PB_STAY: it waits
 */
static enum pb_dir
claim_cell(struct pb_roomba *s, int robot, enum pb_dir stick,
    const struct pb_agents *c)
{
	struct pb_roomba_ghost *g = &s->ghost[robot - (robot > 0)];
	int16_t *at = robot == 0 ? &s->pacman : &g->at;
	enum pb_dir d;

	if (robot > 0 && g->state == PB_ROOMBA_LOST)
		return PB_STAY;
	if (robot > 0)
		update_state(s, g);
	if (pb_agents_decide(c, robot))
		d = c->decide_body(c->ctx, robot, exits_of(s, robot), -1);
	else
		d = pb_agents_notify(c, robot,
		    robot == 0 ? pb_roomba_steer(s, stick)
			       : choose_way(s, robot - 1));
	if (d != PB_STAY)
		*at = s->board->cells.cell[*at].to[d];
	if (robot == 0) {
		s->dir = (int8_t)d;
		s->pushed = PB_STAY;
	} else if (d != PB_STAY) {
		g->last = (int8_t)d;
	}
	return d;
}

static void
collect_pellet(struct pb_roomba *s)
{
	int i = s->pacman;
	bool pill = has_pellet(s->board->power, i);

	if (!has_pellet(s->dot, i))
		return;
	s->dot[i / 64] &= ~(UINT64_C(1) << i % 64);
	s->left--;
	s->events |= PB_ROOMBA_PELLET;
	s->score += pill ? PILL : DOT;
	if (!pill)
		return;
	s->power = (int16_t)s->opts->power_time;
	s->combo = 0;
	s->events |= PB_ROOMBA_POWER_ON;
	for (int k = 0; k < s->opts->ghosts; k++)
		s->ghost[k].afraid = s->ghost[k].state < PB_ROOMBA_KILLED;
}

/* End the power of a pill. */
static void
end_power(struct pb_roomba *s)
{
	s->events |= PB_ROOMBA_POWER_OFF;
	for (int i = 0; i < s->opts->ghosts; i++)
		s->ghost[i].afraid = false;
}

/* Ghost i and Pac-Man touch: one of them dies, unless the ghost is out of play.
 * */
static void
touch_ghost(struct pb_roomba *s, int i)
{
	struct pb_roomba_ghost *g = &s->ghost[i];

	if (g->state >= PB_ROOMBA_KILLED)
		return;
	if (g->afraid) {
		g->afraid = false;
		g->state = PB_ROOMBA_KILLED;
		s->score += GHOST << s->combo;
		s->combo++;
		s->eaten++;
		s->events |= PB_ROOMBA_EATEN << i;
		return;
	}
	s->events |= PB_ROOMBA_KILLS << i;
	s->deaths++;
	s->kills[i]++;
	s->lives--;
	s->stopped = (int16_t)s->opts->delay;
	if (s->lives == 0)
		s->ending = PB_ROOMBA_CAUGHT;
}

/* Revive a killed ghost at its reset point. */
static void
reach_reset(struct pb_roomba *s, int i)
{
	struct pb_roomba_ghost *g = &s->ghost[i];

	if (g->state != PB_ROOMBA_KILLED || g->at != s->board->reset[i])
		return;
	g->state = PB_ROOMBA_SEARCH;
	s->events |= (unsigned)PB_ROOMBA_BACK << i;
}

/* Set the ending; returns whether the game goes on. */
static bool
update_ending(struct pb_roomba *s)
{
	if (s->ending == PB_ROOMBA_ON && s->left == 0)
		s->ending = PB_ROOMBA_CLEARED;
	if (s->ending == PB_ROOMBA_ON && s->tick >= s->opts->limit)
		s->ending = PB_ROOMBA_CLOCK;
	return s->ending == PB_ROOMBA_ON;
}

/* Whether two robots are in one cell, or swapped cells. */
static bool
have_met(const struct pb_roomba *s, const int16_t *was, int i, int k)
{
	int a = pb_roomba_cell(s, i), b = pb_roomba_cell(s, k);

	return a == b || (a == was[k] && b == was[i]);
}

/* Apply the rules after all robots moved. */
static void
apply_moves(struct pb_roomba *s, const int16_t was[PB_ROOMBA_ROBOTS])
{
	int n = pb_roomba_robots(s);

	for (int i = 2; i < n; i++)
		for (int k = 1; k < i; k++)
			s->collisions += have_met(s, was, i, k);
	if (s->power > 0 && --s->power == 0)
		end_power(s);
	collect_pellet(s);
	for (int i = 1; i < n && s->stopped == 0; i++)
		if (have_met(s, was, i, 0))
			touch_ghost(s, i - 1);
	for (int i = 1; i < n; i++)
		reach_reset(s, i - 1);
}

bool
pb_roomba_step(
    struct pb_roomba *s, enum pb_dir stick, const struct pb_agents *c)
{
	int16_t was[PB_ROOMBA_ROBOTS];
	bool drives = s->stopped == 0;

	if (s->ending != PB_ROOMBA_ON)
		return false;
	for (int i = 0; drives && i < pb_roomba_robots(s); i++) {
		was[i] = pb_roomba_cell(s, i);
		claim_cell(s, i, stick, c);
	}
	/*
	 * After the decisions: programs are asked at the time of the last tick.
	 */
	s->tick++;
	s->events = 0;
	if (drives)
		apply_moves(s, was);
	else if (--s->stopped == 0)
		reset_robots(s);
	return update_ending(s);
}

const char *
pb_roomba_fleet_wrong(const struct pb_maze *z, const struct pb_roomba_opts *o)
{
	double side = pb_maze_pitch(z);

	if (o->motion != PB_MOTION_DRIVE)
		return NULL;
	if (o->bodies.size > side)
		return "has cells that are smaller than a robot; see body";
	if (o->bodies.way.near > side / 2)
		return "has cells that are too small for centre";
	return NULL;
}

/* Time to drive a cell, a tick of the grid (s). */
static double
tick_time(const struct pb_roomba_board *b, const struct pb_roomba_opts *o)
{
	return b->side / o->bodies.way.v;
}

double
pb_roomba_fleet_dt(
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o)
{
	return tick_time(b, o) / o->bodies.steps;
}

static double
step_time(const struct pb_roomba_fleet *f)
{
	return pb_roomba_fleet_dt(f->s.board, f->s.opts);
}

double
pb_roomba_fleet_time(const struct pb_roomba_fleet *f)
{
	return (double)f->step * step_time(f);
}

/* The centre of cell i (m). */
static struct pb_vec
centre(const struct pb_roomba_board *b, int i)
{
	const struct pb_cell_at *c = &b->cells.cell[i];

	return pb_pose_vec(pb_maze_pose(&b->maze, c->row, c->col, PB_STAY, 0));
}

/* Put all robots in the middle of their cells, facing up. */
static void
place_all(struct pb_roomba_fleet *f)
{
	for (int i = 0; i < pb_roomba_robots(&f->s); i++) {
		struct pb_vec at = centre(f->s.board, pb_roomba_cell(&f->s, i));

		f->bot[i] = (struct pb_roomba_bot){.way = {.target = at}};
		pb_rover_place(&f->rover[i], &f->s.opts->bodies.rover,
		    (struct pb_pose){at.x, at.y, PB_PI / 2});
		pb_onboard_place(&f->onboard, i, f->rover[i].pose);
	}
}

void
pb_roomba_fleet_start(struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o,
    uint64_t seed, uint64_t trial)
{
	*f = (struct pb_roomba_fleet){.bumps.nearest = INFINITY};
	pb_roomba_start(&f->s, b, o, seed, trial);
	for (int i = 0; i < pb_roomba_robots(&f->s); i++) {
		f->move[i] = PB_STAY;
		pb_rover_start(&f->rover[i], &o->bodies.rover,
		    (struct pb_pose){0, 0, 0}, seed, trial, (unsigned)i);
	}
	place_all(f);
}

static bool
is_idle(const struct pb_roomba_bot *r)
{
	return !r->rolls && r->wait == 0;
}

bool
pb_roomba_fleet_asks(const struct pb_roomba_fleet *f)
{
	return f->s.ending == PB_ROOMBA_ON && f->stopped == 0 &&
	       is_idle(&f->bot[0]);
}

void
pb_roomba_fleet_fail_ghost(struct pb_roomba_fleet *f, int ghost)
{
	f->s.ghost[ghost].state = PB_ROOMBA_LOST;
	f->s.ghost[ghost].afraid = false;
	f->bot[1 + ghost].rolls = false;
}

/* The robot sets off to the next cell, or waits. */
static void
decide(struct pb_roomba_fleet *f, int robot, enum pb_dir stick,
    const struct pb_agents *c)
{
	struct pb_roomba_bot *r = &f->bot[robot];
	enum pb_dir d;

	d = claim_cell(&f->s, robot, stick, c);
	f->move[robot] = d;
	f->decided |= 1u << robot;
	r->rolls = d != PB_STAY;
	r->wait = r->rolls ? 0 : f->s.opts->bodies.steps;
	r->way = (struct pb_waypoint){
	    .target = centre(f->s.board, pb_roomba_cell(&f->s, robot))};
}

/* One step of the controller and of the body. */
static void
roll_step(struct pb_roomba_fleet *f, int robot, double dt)
{
	const struct pb_roomba_bodies *o = &f->s.opts->bodies;
	struct pb_roomba_bot *b = &f->bot[robot];
	struct pb_rover *r = &f->rover[robot];
	struct pb_vec to = b->way.target;
	struct pb_twist u = {0, 0};

	if (b->wait > 0)
		b->wait--;
	/* With a turning speed of 0 turns take no time. */
	if (b->rolls && o->way.w == 0)
		pb_onboard_turn(&f->onboard, f->rover, robot,
		    pb_atan2(to.y - r->seen.y, to.x - r->seen.x));
	if (b->rolls)
		u = pb_waypoint_step(&b->way, &o->way, r->seen, dt);
	pb_onboard_drive(&f->onboard, f->rover, robot, &o->rover, u, dt);
}

/* Whether robot i has just reached the centre of its cell. */
static bool
has_arrived(struct pb_roomba_fleet *f, int i)
{
	struct pb_roomba_bot *r = &f->bot[i];

	if (!r->rolls || pb_dist(pb_pose_vec(f->rover[i].seen), r->way.target) >
			     f->s.opts->bodies.way.near)
		return false;
	r->rolls = false;
	return true;
}

static void
detect_contacts(struct pb_roomba_fleet *f)
{
	const struct pb_roomba_bodies *o = &f->s.opts->bodies;
	struct pb_vec at = pb_pose_vec(f->rover[0].pose);

	for (int i = 1; i < pb_roomba_robots(&f->s) && !f->s.stopped; i++)
		if (pb_dist(at, pb_pose_vec(f->rover[i].pose)) <
		    o->touch * f->s.board->side)
			touch_ghost(&f->s, i - 1);
	f->stopped = f->s.stopped * o->steps;
}

/* Apply the rules to the robots' new places. */
static void
apply_fleet_rules(struct pb_roomba_fleet *f)
{
	const struct pb_roomba_opts *o = f->s.opts;

	if (f->power > 0 && --f->power == 0)
		end_power(&f->s);
	has_arrived(f, 0);
	if (!f->bot[0].rolls)
		collect_pellet(&f->s);
	if (f->s.events & PB_ROOMBA_POWER_ON)
		f->power = o->power_time * o->bodies.steps;
	detect_contacts(f);
	for (int i = 1; i < pb_roomba_robots(&f->s); i++)
		if (has_arrived(f, i))
			reach_reset(&f->s, i - 1);
	f->s.collisions +=
	    pb_bumps_update(&f->bumps, &f->rover[1], o->ghosts, o->bodies.size);
}

static bool
is_lost(const struct pb_roomba *s, int robot)
{
	return robot > 0 && s->ghost[robot - 1].state == PB_ROOMBA_LOST;
}

static void
drive_all(
    struct pb_roomba_fleet *f, enum pb_dir stick, const struct pb_agents *c)
{
	double dt = step_time(f);
	int n = pb_roomba_robots(&f->s);

	for (int i = 0; i < n; i++)
		if (is_idle(&f->bot[i]) && !is_lost(&f->s, i))
			decide(f, i, stick, c);
	for (int i = 0; i < n; i++)
		roll_step(f, i, dt);
	apply_fleet_rules(f);
}

/* After a kill: Pac-Man spins, then all robots return to their starts. */
static void
reset_after_kill(struct pb_roomba_fleet *f)
{
	const struct pb_roomba_bodies *o = &f->s.opts->bodies;

	pb_onboard_drive(&f->onboard, f->rover, 0, &o->rover,
	    (struct pb_twist){0, o->way.w}, step_time(f));
	if (--f->stopped > 0)
		return;
	reset_robots(&f->s);
	f->power = 0;
	f->bumps.close = 0;
	place_all(f);
}

/* Steps in ticks, rounded up. */
static int16_t
to_ticks(int steps, int each)
{
	return (int16_t)((steps + each - 1) / each);
}

bool
pb_roomba_fleet_step(
    struct pb_roomba_fleet *f, enum pb_dir stick, const struct pb_agents *c)
{
	struct pb_roomba *s = &f->s;
	int each = s->opts->bodies.steps;

	push_stick(s, stick);
	if (s->ending != PB_ROOMBA_ON)
		return false;
	f->step++;
	s->tick = (int)(f->step / each);
	s->events = 0;
	f->decided = 0;
	if (f->stopped > 0)
		reset_after_kill(f);
	else
		drive_all(f, stick, c);
	s->power = to_ticks(f->power, each);
	s->stopped = to_ticks(f->stopped, each);
	return update_ending(s);
}

/* Smaller differences of times are rounding (s). */
#define SAME 1e-9

/* The leg from p at time `now`: turn towards `to`, drive, arrive when near
 * enough. */
static struct pb_roomba_leg
leg_to(const struct pb_roomba_bodies *o, struct pb_pose p, struct pb_vec to,
    bool driving, double now)
{
	const struct pb_waypoint_opts *way = &o->way;
	struct pb_vec d = {to.x - p.x, to.y - p.y};
	double len = sqrt(d.x * d.x + d.y * d.y), part, turn = 0;
	struct pb_roomba_leg l = {.from = pb_pose_vec(p), .th = p.th};

	if (len > 0) {
		l.th = pb_atan2(d.y, d.x);
		turn = fabs(pb_wrap(l.th - p.th)) - way->aim;
	}
	l.off = now;
	if (way->w > 0 && turn > 0 && !driving)
		l.off += turn / way->w;
	part = len > way->near ? (len - way->near) / len : 0;
	l.to = (struct pb_vec){p.x + part * d.x, p.y + part * d.y};
	l.there = l.off + part * len / way->v;
	/* Acceleration takes time. */
	if (o->rover.v_acc > 0)
		l.there += way->v / o->rover.v_acc / 2;
	return l;
}

void
pb_roomba_course_begin(
    struct pb_roomba_course *c, const struct pb_roomba_fleet *f)
{
	double dt = step_time(f);

	c->s = f->s;
	c->now = 0;
	c->power = f->power > 0 ? f->power * dt : INFINITY;
	for (int i = 0; i < pb_roomba_robots(&c->s); i++) {
		const struct pb_roomba_bot *r = &f->bot[i];
		struct pb_pose p = f->rover[i].pose;
		struct pb_vec at = pb_pose_vec(p);

		c->leg[i] = (struct pb_roomba_leg){
		    .from = at, .to = at, .there = r->wait * dt, .th = p.th};
		if (r->rolls)
			c->leg[i] = leg_to(&c->s.opts->bodies, p, r->way.target,
			    r->way.driving, 0);
	}
}

/* Where a robot on leg l is at time t. */
static struct pb_vec
place_on_leg(const struct pb_roomba_leg *l, double t)
{
	if (t <= l->off)
		return l->from;
	if (t >= l->there)
		return l->to;
	return pb_segment_at(
	    l->from, l->to, (t - l->off) / (l->there - l->off));
}

/* Least squared distance of two robots on their legs in t0..t1. */
static double
nearest_distance2(const struct pb_roomba_leg *a, const struct pb_roomba_leg *b,
    double t0, double t1)
{
	struct pb_vec a0 = place_on_leg(a, t0), b0 = place_on_leg(b, t0),
		      a1 = place_on_leg(a, t1), b1 = place_on_leg(b, t1);
	struct pb_vec d = {b0.x - a0.x, b0.y - a0.y};
	struct pb_vec v = {b1.x - a1.x - d.x, b1.y - a1.y - d.y};
	double vv = v.x * v.x + v.y * v.y, at = 0;

	if (vv > 0)
		at = fmax(0, fmin(1, -(d.x * v.x + d.y * v.y) / vv));
	d.x += at * v.x;
	d.y += at * v.y;
	return d.x * d.x + d.y * d.y;
}

/* Whether two robots touch in t0..t1, in which neither ends its leg. */
static bool
legs_touch(const struct pb_roomba_leg *a, const struct pb_roomba_leg *b,
    double t0, double t1, double reach)
{
	double first = fmax(t0, fmin(t1, fmin(a->off, b->off)));
	double second = fmax(t0, fmin(t1, fmax(a->off, b->off)));
	double far = reach * reach;

	return nearest_distance2(a, b, t0, first) < far ||
	       nearest_distance2(a, b, first, second) < far ||
	       nearest_distance2(a, b, second, t1) < far;
}

static bool
is_leg_done(const struct pb_roomba_course *c, int i)
{
	return c->leg[i].there <= c->now + SAME;
}

/* Let all robots drive until Pac-Man decides; `tick`: the game's first tick. */
static void
run_course(struct pb_roomba_course *c, int tick)
{
	struct pb_roomba *s = &c->s;
	double t = c->power, each = tick_time(s->board, s->opts);
	double reach = s->opts->bodies.touch * s->board->side;

	/* Time of the next decision, or of the pill's end. */
	for (int i = 0; i < pb_roomba_robots(s); i++)
		t = fmin(t, c->leg[i].there);
	for (int i = 1; i < pb_roomba_robots(s) && s->stopped == 0; i++)
		if (s->ghost[i - 1].state < PB_ROOMBA_KILLED &&
		    legs_touch(&c->leg[0], &c->leg[i], c->now, t, reach))
			touch_ghost(s, i - 1);
	c->now = t;
	s->tick = tick + (int)(t / each);
	if (c->power <= t) {
		end_power(s);
		c->power = INFINITY;
	}
	s->events = 0;
	if (is_leg_done(c, 0))
		collect_pellet(s);
	if (s->events & PB_ROOMBA_POWER_ON)
		c->power = t + s->opts->power_time * each;
	for (int i = 1; i < pb_roomba_robots(s); i++)
		if (is_leg_done(c, i))
			reach_reset(s, i - 1);
}

/* The robot sets off to the next cell, or waits for a tick. */
static void
begin_leg(struct pb_roomba_course *c, int robot, enum pb_dir stick)
{
	struct pb_roomba *s = &c->s;
	struct pb_roomba_leg *l = &c->leg[robot];
	struct pb_vec at = place_on_leg(l, c->now);

	if (claim_cell(s, robot, stick, NULL) == PB_STAY)
		*l = (struct pb_roomba_leg){.from = at,
		    .to = at,
		    .off = c->now,
		    .there = c->now + tick_time(s->board, s->opts),
		    .th = l->th};
	else
		*l = leg_to(&s->opts->bodies,
		    (struct pb_pose){at.x, at.y, l->th},
		    centre(s->board, pb_roomba_cell(s, robot)), false, c->now);
}

bool
pb_roomba_course_on(struct pb_roomba_course *c, enum pb_dir stick)
{
	struct pb_roomba *s = &c->s;
	int tick = s->tick - (int)(c->now / tick_time(s->board, s->opts));

	begin_leg(c, 0, stick);
	do {
		for (int i = 1; i < pb_roomba_robots(s); i++)
			if (is_leg_done(c, i))
				begin_leg(c, i, PB_STAY);
		run_course(c, tick);
		if (!update_ending(s) || s->stopped > 0)
			return false;
	} while (!is_leg_done(c, 0));
	return true;
}
