/* robots.c - speed of the games of robots without a master. */
#include "bench.h"
#include "../unit/usual.h"

#include "game/roomba/roomba.h"
#include "game/zumy/zumy.h"
#include "policy/players.h"

#define GAMES 500 /* of one piece of work */

/* Pac-Man's stick points anywhere: the ghosts are what is measured. */
static double
roomba(void *arg)
{
	const struct pb_roomba_board *b = arg;
	struct pb_roomba_opts o = pb_roomba_defaults();
	double steps = 0;

	o.lives = 0;
	o.limit = 500;
	for (uint64_t t = 0; t < GAMES; t++) {
		struct pb_roomba s;
		struct pb_rng r;

		pb_rng_start(&r, 1, t, PB_FOR_PLAYER, 0);
		pb_roomba_start(&s, b, &o, 1, t);
		while (
		    pb_roomba_step(&s, (enum pb_dir)pb_rng_below(&r, 4), NULL))
			;
		steps += (double)s.tick * (1 + o.ghosts);
	}
	return steps;
}

/* The same with bodies: steps of their controllers. */
static double
roomba_drive(void *arg)
{
	const struct pb_roomba_board *b = arg;
	struct pb_roomba_opts o = pb_roomba_defaults();
	double steps = 0;

	o.lives = 0;
	o.limit = 500;
	for (uint64_t t = 0; t < GAMES / 50; t++) {
		struct pb_roomba_fleet f;
		struct pb_rng r;

		pb_rng_start(&r, 1, t, PB_FOR_PLAYER, 0);
		pb_roomba_fleet_start(&f, b, &o, 1, t);
		while (pb_roomba_fleet_step(
		    &f, (enum pb_dir)pb_rng_below(&r, 4), NULL))
			;
		steps += (double)f.step * (1 + o.ghosts);
	}
	return steps;
}

static double
zumy(void *arg)
{
	const struct pb_zumy_board *b = arg;
	const struct pb_zumy_opts o = pb_zumy_defaults();
	double ticks = 0;

	for (uint64_t t = 0; t < GAMES; t++) {
		struct pb_zumy s;
		struct pb_rng r;
		const struct pb_zumy_view v = {&s, &r, NULL};
		bool on = true;

		pb_rng_start(&r, 1, t, PB_FOR_PLAYER, 0);
		pb_zumy_start(&s, b, &o, 1, t);
		while (on) {
			enum pb_dir d = PB_STAY;

			if (pb_zumy_asks(&s))
				d = pb_zumy_astar.choose(&v);
			on = pb_zumy_tick(&s, d, NULL, NULL);
		}
		ticks += (double)s.tick * (1 + o.patrols);
	}
	return ticks;
}

void
bench_robots(void)
{
	struct pb_roomba_board r;
	struct pb_zumy_board y;
	struct pb_maze z;

	pb_maze_standard("roomba", &z);
	if (pb_roomba_board_init(&r, &z) != PB_OK)
		bench_stop("no memory for a board");
	bench_row("roomba, grid", "robot-steps", roomba, &r);
	bench_row("roomba, drive", "robot-steps", roomba_drive, &r);
	pb_roomba_board_clear(&r);
	pb_maze_standard("zumy", &z);
	if (pb_zumy_board_init(&y, &z) != PB_OK)
		bench_stop("no memory for a board");
	bench_row("zumy, astar", "robot-ticks", zumy, &y);
	pb_zumy_board_clear(&y);
}
