/* roomba_drive.c - tests of the Roomba game with bodies, and foreseen. */
#include "check.h"
#include "rulesrun.h"
#include "usual.h"

#include "base/hash.h"
#include "map/board.h"
#include "pb/maze.h"
#include "policy/players.h"

static struct pb_roomba_opts
driving(void)
{
	struct pb_roomba_opts o = pb_roomba_defaults();

	o.motion = PB_MOTION_DRIVE;
	return o;
}

static void
without_noise(struct pb_roomba_opts *o)
{
	o->bodies.rover.slip = 0;
	o->bodies.rover.estimate.sd = o->bodies.rover.estimate.th_sd = 0;
}

static void
standard(struct pb_roomba_board *b)
{
	struct pb_maze z;

	check_int(pb_maze_standard("roomba", &z), PB_OK);
	check_int(pb_roomba_board_init(b, &z), PB_OK);
}

/* The middle of cell i: row 0 is at the top. */
static struct pb_vec
middle(const struct pb_roomba_board *b, int i)
{
	const struct pb_cell_at *c = &b->cells.cell[i];

	return (struct pb_vec){
	    (c->col + 0.5) * b->side, (b->cells.rows - c->row - 0.5) * b->side};
}

/* Who is where, and what happened to him. */
static bool
same_cells(const struct pb_roomba *a, const struct pb_roomba *b)
{
	bool same = a->pacman == b->pacman && a->score == b->score &&
	            a->deaths == b->deaths && a->eaten == b->eaten &&
	            memcmp(a->dot, b->dot, sizeof(a->dot)) == 0;

	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		same = same && a->ghost[i].at == b->ghost[i].at &&
		       a->ghost[i].state == b->ghost[i].state &&
		       a->ghost[i].afraid == b->ghost[i].afraid;
	return same;
}

/* The same in all that is seen of a game. */
static bool
alike(const struct pb_roomba *a, const struct pb_roomba *b)
{
	return same_cells(a, b) && a->tick == b->tick && a->power == b->power &&
	       a->stopped == b->stopped && a->ending == b->ending;
}

/*
 * A tick of the grid; whether a ghost and Pac-Man met before its end: they
 * changed places, or left one cell together.
 */
static bool
grid_tick(struct pb_roomba *s, enum pb_dir d)
{
	const struct pb_roomba was = *s;
	unsigned met;

	pb_roomba_step(s, d, NULL);
	met = s->events / PB_ROOMBA_KILLS | s->events / PB_ROOMBA_EATEN;
	for (int i = 0; i < s->opts->ghosts; i++)
		if (met >> i & 1 && (s->ghost[i].at != s->pacman ||
					was.ghost[i].at == was.pacman))
			return true;
	return false;
}

/* What flee does in view of a game. */
static enum pb_dir
flee(const struct pb_roomba *s, struct pb_rng *r,
    const struct pb_roomba_fleet *f)
{
	const struct pb_roomba_view v = {s, r, f};

	return pb_roomba_flee.choose(&v);
}

/*
 * Bodies that turn in no time, at one cell a tick, play the game of the grid:
 * cells, states, pellets and kills are the same after every tick. Only those
 * that meet on the way touch before its end.
 */
test(bodies_like_grid)
{
	struct pb_roomba_opts o = driving();
	struct pb_roomba_board b;
	long ticks = 0, whole = 0;

	standard(&b);
	without_noise(&o);
	o.bodies.way.w = 0;
	o.bodies.way.near = 1e-6;
	o.bodies.touch = 0.02;
	o.bodies.steps = 8;
	for (uint64_t t = 0; t < 200; t++) {
		struct pb_roomba s;
		struct pb_roomba_fleet f;
		struct pb_rng r;
		bool swap = false;

		pb_rng_start(&r, 1, t, PB_FOR_PLAYER, 0);
		pb_roomba_start(&s, &b, &o, 1, t);
		pb_roomba_fleet_start(&f, &b, &o, 1, t);
		while (s.ending == PB_ROOMBA_ON) {
			enum pb_dir d = flee(&s, &r, NULL);

			swap = grid_tick(&s, d);
			for (int i = 0; i < o.bodies.steps; i++)
				pb_roomba_fleet_step(&f, d, NULL);
			if (swap || !alike(&s, &f.s))
				break;
			ticks++;
		}
		check(swap || alike(&s, &f.s));
		whole += !swap;
	}
	printf("# %ld ticks, %ld whole games of 200\n", ticks, whole);
	check(ticks > 20000);
	check(whole > 50);
	pb_roomba_board_clear(&b);
}

/* Alone: a cell a tick, and a quarter turn until within the aim. */
test(times)
{
	struct pb_roomba_opts o = driving();
	struct pb_board_fault fault;
	struct pb_roomba_board b;
	struct pb_roomba_fleet f;
	struct pb_maze z;
	const char *text = "+---+---+\n"
			   "| P   . |\n"
			   "+   +   +\n"
			   "| .   . |\n"
			   "+---+---+\n"
			   "cell 0.43\n";
	double turn, legs, near;

	check_int(pb_board_parse(text, strlen(text), &z, &fault), PB_OK);
	check_int(pb_roomba_board_init(&b, &z), PB_OK);
	without_noise(&o);
	o.ghosts = 0;
	o.bodies.steps = 200;
	pb_roomba_fleet_start(&f, &b, &o, 1, 0);
	check(pb_roomba_fleet_wrong(&z, &o) == NULL);
	o.bodies.size = 0.44;
	check(pb_roomba_fleet_wrong(&z, &o) != NULL);
	/* He looks up: to the right, down, to the left. */
	while (pb_roomba_fleet_step(&f,
	    f.s.left == 3   ? PB_RIGHT
	    : f.s.left == 2 ? PB_DOWN
			    : PB_LEFT,
	    NULL))
		;
	check_int(f.s.ending, PB_ROOMBA_CLEARED);
	/* He turns where he is near enough to a centre, short of it. */
	near = o.bodies.way.near;
	turn = 3 * (PB_PI / 2 - o.bodies.way.aim) - 2 * atan(near / b.side);
	legs = b.side + 2 * hypot(b.side, near) - 3 * near;
	check_near(pb_roomba_fleet_time(&f),
	    turn / o.bodies.way.w + legs / o.bodies.way.v, 0.1);
	pb_roomba_board_clear(&b);
}

/* On any board bodies never overlap, nor are they ever in a wall. */
test(no_collisions)
{
	struct pb_board_opts bo = pb_board_defaults(PB_BOARD_ROOMBA);
	struct pb_roomba_opts o = driving();
	int collisions = 0, games = 0;
	double off = 0;

	o.limit = 100;
	o.bodies.steps = 10;
	for (unsigned seed = 1; seed <= 60; seed++) {
		struct pb_roomba_board b;
		struct pb_maze z;

		bo.seed = seed;
		bo.rows = 4 + (int)(seed % 8);
		bo.cols = 4 + (int)(seed * 5 % 9);
		check_int(pb_gen_board(&bo, &z), PB_OK);
		check_int(pb_roomba_board_init(&b, &z), PB_OK);
		for (uint64_t t = 0; t < 5; t++, games++) {
			struct pb_roomba_fleet f;
			struct pb_rng r;
			bool on = true;

			pb_rng_start(&r, seed, t, PB_FOR_PLAYER, 0);
			pb_roomba_fleet_start(&f, &b, &o, seed, t);
			while (on) {
				on = pb_roomba_fleet_step(
				    &f, (enum pb_dir)pb_rng_below(&r, 5), NULL);
				for (int i = 0; i < PB_ROOMBA_ROBOTS; i++) {
					struct pb_rover *p = &f.rover[i];
					struct pb_vec c = f.bot[i].way.target;

					/* On the line to its target. */
					off = fmax(
					    off, fmin(fabs(p->pose.x - c.x),
						     fabs(p->pose.y - c.y)));
				}
			}
			collisions += f.s.collisions;
		}
		pb_roomba_board_clear(&b);
	}
	printf("# %d games, at most %.3f m off the line\n", games, off);
	check_int(collisions, 0);
	check(off < 0.14);
}

/* With an error as large as a cell there are collisions, and they count. */
test(collisions_count)
{
	struct pb_roomba_opts o = driving();
	struct pb_roomba_board b;
	int collisions = 0;

	standard(&b);
	o.bodies.rover.estimate.sd = 0.2;
	o.bodies.way.near = 0.2;
	o.limit = 200;
	for (uint64_t t = 0; t < 5; t++) {
		struct pb_roomba_fleet f;

		pb_roomba_fleet_start(&f, &b, &o, 1, t);
		while (pb_roomba_fleet_step(&f, PB_LEFT, NULL))
			;
		collisions += f.s.collisions;
		check(f.s.collisions == 0 || f.bumps.nearest < o.bodies.size);
	}
	check(collisions > 0);
	pb_roomba_board_clear(&b);
}

/* A kill: at the distance said; he spins; all are put back. */
test(kill)
{
	struct pb_roomba_opts o = driving();
	struct pb_roomba_board b;
	struct pb_roomba_fleet f;
	double th;
	int stopped = 0;

	standard(&b);
	pb_roomba_fleet_start(&f, &b, &o, 1, 0);
	while (f.s.deaths == 0 && pb_roomba_fleet_step(&f, PB_UP, NULL))
		;
	check_int(f.s.deaths, 1);
	for (int i = 0; i < 4; i++)
		if (f.s.events & (unsigned)PB_ROOMBA_KILLS << i)
			check(pb_dist(pb_pose_vec(f.rover[0].pose),
				  pb_pose_vec(f.rover[1 + i].pose)) <
			      o.bodies.touch * b.side);
	th = f.rover[0].pose.th;
	while (!(f.s.events & PB_ROOMBA_RESET)) {
		check(!pb_roomba_fleet_asks(&f));
		pb_roomba_fleet_step(&f, PB_UP, NULL);
		if (++stopped == 1)
			check(f.rover[0].pose.th != th);
	}
	check_int(stopped, o.delay * o.bodies.steps);
	check(pb_roomba_fleet_asks(&f));
	check_near(pb_dist(pb_pose_vec(f.rover[0].pose), middle(&b, b.start)),
	    0, 1e-12);
	pb_roomba_board_clear(&b);
}

/* Speed is gained and lost bit by bit, and a cell takes longer. */
test(acceleration)
{
	struct pb_roomba_opts o = driving();
	struct pb_roomba_board b;
	long steps[2];

	standard(&b);
	without_noise(&o);
	o.ghosts = 0;
	for (int limited = 0; limited < 2; limited++) {
		struct pb_roomba_fleet f;
		double dt = pb_roomba_fleet_dt(&b, &o), was = 0, turn = 0;
		bool within = true;

		o.bodies.rover.v_acc = 0.5 * limited;
		o.bodies.rover.w_acc = 4 * limited;
		pb_roomba_fleet_start(&f, &b, &o, 1, 0);
		do {
			const struct pb_twist *u = &f.rover[0].twist;

			pb_roomba_fleet_step(&f, PB_LEFT, NULL);
			within = within &&
			         fabs(u->v - was) <= 0.5 * dt + 1e-9 &&
			         fabs(u->w - turn) <= 4 * dt + 1e-9;
			was = u->v;
			turn = u->w;
		} while (!pb_roomba_fleet_asks(&f));
		check(within == (limited == 1));
		steps[limited] = f.step;
	}
	check(steps[1] > steps[0] + 3);
	pb_roomba_board_clear(&b);
}

test(hash)
{
	struct pb_roomba_opts o = driving();

	o.rollouts = 2;
	check_games("roomba", &o, 10, UINT64_C(0x54da5b82728f0fa2));
}

/* Agents that do what the rules do, with the stick at random. */
struct agents {
	const struct pb_roomba *s;
	enum pb_dir stick;
	unsigned told;
};

static enum pb_dir
as_rules(void *ctx, int body, unsigned ways, int drawn)
{
	const struct agents *c = ctx;
	enum pb_dir d = pb_roomba_steer(c->s, c->stick);

	check_int(body, 0);
	check_int(drawn, -1);
	check(d == PB_STAY || ways >> d & 1);
	return d;
}

static void
note(void *ctx, int body, enum pb_dir d)
{
	struct agents *c = ctx;

	(void)d;
	c->told |= 1u << body;
}

test(crew_like_rules)
{
	struct pb_roomba_opts o = driving();
	struct pb_roomba_board b;
	struct pb_rng rng = draws(3, PB_FOR_PLAYER);
	long steps = 0;

	standard(&b);
	for (uint64_t trial = 0; trial < 10; trial++) {
		struct pb_roomba_fleet a, c;
		bool on = true;

		pb_roomba_fleet_start(&a, &b, &o, 1, trial);
		c = a;
		for (int k = 0; k < 5000 && on; k++) {
			struct agents by = {
			    &c.s, (enum pb_dir)pb_rng_below(&rng, 5), 0};
			const struct pb_agents agents = {.ctx = &by,
			    .bodies = 1,
			    .decide_body = as_rules,
			    .decided = note};

			on = pb_roomba_fleet_step(&a, by.stick, NULL);
			check(
			    on == pb_roomba_fleet_step(&c, by.stick, &agents));
			check((by.told | 1) == (c.decided | 1));
			check(alike(&a.s, &c.s));
			check(a.decided == c.decided);
		}
		steps += a.step;
	}
	check(steps > 5000);
	pb_roomba_board_clear(&b);
}

/*
 * On the way to the middle of a crossing the stick points up once, which is
 * open there, though not where the body is; then down, which is not open and is
 * ignored: it goes up, and never backwards.
 */
test(pushes_count_from_target)
{
	static const char text[] = "+---+---+---+---+\n"
				   "| # | # | . | # |\n"
				   "+---+---+   +---+\n"
				   "| P   .   .   . |\n"
				   "+---+---+---+---+\n";
	struct pb_roomba_opts o = driving();
	struct pb_roomba_board b;
	struct pb_roomba_fleet f;
	struct pb_board_fault fault;
	struct pb_maze z;
	int row = -1, pushed = 0;

	check_int(pb_board_parse(text, sizeof(text) - 1, &z, &fault), PB_OK);
	check_int(pb_roomba_board_init(&b, &z), PB_OK);
	o.ghosts = 0;
	pb_roomba_fleet_start(&f, &b, &o, 1, 0);
	for (int cells = 0, k = 0; cells < 3 && k < 2000; k++) {
		enum pb_dir d = cells < 2 ? PB_RIGHT : PB_DOWN;

		if (cells == 2 && !pushed++)
			d = PB_UP;
		pb_roomba_fleet_step(&f, d, NULL);
		cells += f.decided & 1;
		check(f.rover[0].twist.v >= 0);
		row = b.cells.cell[f.s.pacman].row;
	}
	check_int(row, 0);
	pb_roomba_board_clear(&b);
}

/* Wherever he begins, he stands in the middle of a cell. */
test(centres)
{
	struct pb_roomba_opts o = driving();
	struct pb_roomba_board b;
	struct pb_roomba_fleet f;

	standard(&b);
	for (b.start = 0; b.start < b.cells.n; b.start++) {
		pb_roomba_fleet_start(&f, &b, &o, 1, 0);
		check_near(
		    pb_dist(pb_pose_vec(f.rover[0].pose), middle(&b, b.start)),
		    0, 1e-12);
	}
	pb_roomba_board_clear(&b);
}

static struct pb_roomba_opts
exact(void)
{
	struct pb_roomba_opts o = driving();

	without_noise(&o);
	o.bodies.steps = 200;
	return o;
}

/* The game itself, until Pac-Man decides again. */
static bool
play_on(struct pb_roomba_fleet *f, enum pb_dir d)
{
	bool on;

	do {
		on = pb_roomba_fleet_step(f, d, NULL);
		d = PB_STAY;
	} while (on && f->s.stopped == 0 && !pb_roomba_fleet_asks(f));
	return on;
}

/*
 * From every decision of a game to the next: what was foreseen, with the same
 * draws, is what the controllers do in small steps. Where two decide at almost
 * the same time, or one just does not touch, they may differ.
 */
test(foresees)
{
	const struct pb_roomba_opts o = exact();
	struct pb_roomba_board b;
	double dt, late;
	int legs = 0, same = 0;

	standard(&b);
	dt = pb_roomba_fleet_dt(&b, &o);
	for (uint64_t t = 0; t < 10; t++) {
		struct pb_roomba_fleet f;
		struct pb_roomba_course c;
		struct pb_rng r;
		bool on = true;

		pb_rng_start(&r, 1, t, PB_FOR_PLAYER, 0);
		pb_roomba_fleet_start(&f, &b, &o, 1, t);
		while (on) {
			long step = f.step;
			enum pb_dir d = flee(&f.s, &r, &f);

			pb_roomba_course_begin(&c, &f);
			pb_roomba_course_on(&c, d);
			on = play_on(&f, d);
			legs++;
			late = fabs((double)(f.step - step) * dt - c.now);
			same += same_cells(&c.s, &f.s) && late < 0.05;
			while (on && f.s.stopped > 0)
				on = pb_roomba_fleet_step(&f, PB_STAY, NULL);
		}
	}
	printf("# %d of %d legs alike\n", same, legs);
	check(legs > 1000);
	check(same >= 0.95 * legs);
	pb_roomba_board_clear(&b);
}

/* A straight cell at the speed given, a quarter turn before the next. */
test(times_foreseen)
{
	struct pb_roomba_opts o = exact();
	const struct pb_waypoint_opts *w = &o.bodies.way;
	struct pb_roomba_board b;
	struct pb_roomba_fleet f;
	struct pb_roomba_course c;
	double turn = (PB_PI / 2 - w->aim) / w->w, cell;

	o.ghosts = 0;
	standard(&b);
	cell = (b.side - w->near) / w->v;
	pb_roomba_fleet_start(&f, &b, &o, 1, 0);
	pb_roomba_course_begin(&c, &f);
	check(pb_roomba_course_on(&c, PB_LEFT));
	check_near(c.now, turn + cell, 1e-12);
	check_near(
	    pb_dist(c.leg[0].to, middle(&b, c.s.pacman)), w->near, 1e-12);
	check_int(c.s.left, b.pellets - 1);
	pb_roomba_course_on(&c, PB_STAY);
	check_near(c.now, turn + cell + b.side / w->v, 1e-12);
	pb_roomba_board_clear(&b);
}
