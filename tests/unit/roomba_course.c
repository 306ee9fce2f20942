/* roomba_course.c - tests of the Roomba game foreseen leg by leg. */
#include "check.h"
#include "roombagame.h"

#include "policy/players.h"

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

/* What flee does in view of a game. */
static enum pb_dir
flee(const struct pb_roomba *s, struct pb_rng *r,
    const struct pb_roomba_fleet *f)
{
	const struct pb_roomba_view v = {s, r, f};

	return pb_roomba_flee.choose(&v);
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
test(times)
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
	check_near(pb_dist(c.leg[0].to, pb_roomba_centre(&b, c.s.pacman)),
	    w->near, 1e-12);
	check_int(c.s.left, b.pellets - 1);
	pb_roomba_course_on(&c, PB_STAY);
	check_near(c.now, turn + cell + b.side / w->v, 1e-12);
	pb_roomba_board_clear(&b);
}
