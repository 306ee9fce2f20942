/* zumy_drive.c - tests of the Zumy game with bodies. */
#include "check.h"
#include "rulesrun.h"
#include "usual.h"

#include "base/hash.h"
#include "game/zumy/zumy.h"
#include "map/board.h"
#include "pb/maze.h"
#include "policy/players.h"

static struct pb_zumy_opts
driving(void)
{
	struct pb_zumy_opts o = pb_zumy_defaults();

	o.motion = PB_ZUMY_DRIVE;
	return o;
}

static void
without_noise(struct pb_zumy_opts *o)
{
	o->bodies.rover.slip = o->bodies.cell_noise = 0;
	o->bodies.rover.estimate.sd = o->bodies.rover.estimate.th_sd = 0;
}

static void
standard(struct pb_zumy_board *b)
{
	struct pb_maze z;

	check_int(pb_maze_standard("zumy", &z), PB_OK);
	check_int(pb_zumy_board_init(b, &z), PB_OK);
}

/* The cells that the body has been in, in order. */
struct way {
	struct pb_zumy_cell cell[600];
	int n;
};

static void
note(struct way *w, struct pb_zumy_cell c)
{
	if (w->n > 0 && w->cell[w->n - 1].row == c.row &&
	    w->cell[w->n - 1].col == c.col)
		return;
	if (w->n < 600)
		w->cell[w->n++] = c;
}

/* Where the player stays, a patrol's way does not depend on time. */
test(cells_like_grid)
{
	struct pb_zumy_opts o = driving();
	struct pb_zumy_board b;
	int cells = 0;

	standard(&b);
	without_noise(&o);
	o.patrols = 1;
	o.win = 1;
	o.stare = 1;
	for (uint64_t t = 0; t < 40; t++) {
		static struct way grid, drive;
		struct pb_zumy s;
		struct pb_zumy_fleet f;

		grid.n = drive.n = 0;
		pb_zumy_start(&s, &b, &o, 1, t);
		pb_zumy_fleet_start(&f, &b, &o, 1, t);
		for (int i = 0; i < 3000; i++) {
			note(&grid, s.patrol[0].body.at);
			note(&drive, f.s.patrol[0].body.at);
			pb_zumy_tick(&s, PB_STAY, NULL, NULL);
			pb_zumy_fleet_tick(&f, PB_STAY, NULL);
		}
		for (int i = 0; i < grid.n && i < drive.n; i++, cells++)
			check(memcmp(&grid.cell[i], &drive.cell[i],
				  sizeof(grid.cell[i])) == 0);
		check(drive.n > grid.n / 2);
	}
	printf("# %d cells alike\n", cells);
	check(cells > 100);
	pb_zumy_board_clear(&b);
}

/* The published player alone comes to the goal by the same cells. */
test(player_like_grid)
{
	struct pb_zumy_opts o = driving();
	struct pb_zumy_board b;
	struct pb_zumy s;
	struct pb_zumy_fleet f;
	const struct pb_zumy_view v = {&s, NULL, NULL}, w = {&f.s, NULL, NULL};
	struct way grid = {.n = 0}, drive = {.n = 0};

	standard(&b);
	without_noise(&o);
	o.patrols = 0;
	pb_zumy_start(&s, &b, &o, 1, 0);
	pb_zumy_fleet_start(&f, &b, &o, 1, 0);
	while (pb_zumy_tick(&s,
	    pb_zumy_asks(&s) ? pb_zumy_astar.choose(&v) : PB_STAY, NULL, NULL))
		note(&grid, s.player.at);
	while (pb_zumy_fleet_tick(
	    &f, pb_zumy_asks(&f.s) ? pb_zumy_astar.choose(&w) : PB_STAY, NULL))
		note(&drive, f.s.player.at);
	check_int(s.ending, PB_ZUMY_REACHED);
	check_int(f.s.ending, PB_ZUMY_REACHED);
	check_int(drive.n, grid.n);
	check(memcmp(grid.cell, drive.cell,
		  (size_t)grid.n * sizeof(grid.cell[0])) == 0);
	pb_zumy_board_clear(&b);
}

/* A straight cell takes 2.8 s, as published, and the slower end of it. */
test(times)
{
	struct pb_zumy_opts o = driving();
	struct pb_board_fault fault;
	struct pb_zumy_board b;
	struct pb_zumy_fleet f;
	struct pb_maze z;
	int came[8] = {0};

	check_int(pb_board_parse_grid("0 0 0 0 9\n", 10, &z, &fault), PB_OK);
	check_int(pb_zumy_board_init(&b, &z), PB_OK);
	check_near(b.side, 0.14, 1e-12);
	without_noise(&o);
	o.patrols = 0;
	pb_zumy_fleet_start(&f, &b, &o, 1, 0);
	while (pb_zumy_fleet_tick(&f, PB_RIGHT, NULL))
		came[f.s.moves] = f.s.tick;
	check_int(f.s.moves, 4);
	check_near(came[2] - came[1], 28, 4);
	check_near(came[3] - came[2], 28, 4);
	/* An error of heading shrinks by itself in a second. */
	check_near(came[0], 28 + log(PB_PI / 2 / (0.03 * PB_PI)) * 10, 8);
	pb_zumy_board_clear(&b);
}

/* The average finds the size of a cell whatever it was thought to be. */
test(average)
{
	struct pb_zumy_opts o = driving();
	struct pb_zumy_board b;

	standard(&b);
	o.patrols = 0;
	o.bodies.cell_first = 0.15;
	for (int kind = 0; kind < 2; kind++) {
		struct pb_zumy_fleet f;
		double sum = 0;

		o.bodies.average = kind;
		pb_zumy_fleet_start(&f, &b, &o, 1, 0);
		check_near(f.cell.x, 0.15, 0);
		for (int i = 0; i < 2000; i++) {
			pb_zumy_fleet_tick(&f, PB_STAY, NULL);
			sum += i >= 1000 ? f.cell.x : 0;
		}
		check_near(sum / 1000, 0.14, 5e-4);
		check(f.samples > 1900);
	}
	/* All are too far off: nothing is learnt. */
	o.bodies.cell_first = 0.2;
	o.bodies.cell_noise = 0;
	{
		struct pb_zumy_fleet f;

		pb_zumy_fleet_start(&f, &b, &o, 1, 0);
		for (int i = 0; i < 100; i++)
			pb_zumy_fleet_tick(&f, PB_STAY, NULL);
		check_near(f.cell.x, 0.2, 0);
		check_int(f.samples, 0);
	}
	pb_zumy_board_clear(&b);
}

test(hash)
{
	struct pb_zumy_opts o = driving();

	o.nodes = 50;
	check_games("zumy", &o, 5, UINT64_C(0x504d5b9db1a309f4));
}

/* Legs without noise are alike; noise takes time. */
test(pace)
{
	struct pb_zumy_opts o = driving(), quiet = o;
	struct pb_zumy_pace p, noisy;
	struct pb_zumy_board b;

	standard(&b);
	without_noise(&quiet);
	pb_zumy_pace_measure(&p, &b, &quiet, 0, 1);
	pb_zumy_pace_measure(&noisy, &b, &o, o.bodies.rover.estimate.sd, 1);
	for (int q = 0; q < 3; q++) {
		const struct pb_zumy_leg *mean = &p.leg[q][PB_ZUMY_LEGS];

		for (int i = 0; i < PB_ZUMY_LEGS; i++) {
			const struct pb_zumy_leg *l = &p.leg[q][i];

			check(abs(l->there - mean->there) <= 2);
			check(l->facing < l->in && l->in < l->there);
			check((l->facing > 0) == (q > 0));
		}
		check(noisy.leg[q][PB_ZUMY_LEGS].there > mean->there);
	}
	check(p.leg[1][PB_ZUMY_LEGS].there > p.leg[0][PB_ZUMY_LEGS].there);
	check(p.leg[2][PB_ZUMY_LEGS].there > p.leg[1][PB_ZUMY_LEGS].there);
	check(p.leg[0][PB_ZUMY_LEGS].there >= p.quiet);
	pb_zumy_board_clear(&b);
}
