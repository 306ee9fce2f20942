/* lost.c - tests of robots that have failed. */
#include "check.h"
#include "usual.h"

#include "game/roomba/roomba.h"
#include "game/zumy/zumy.h"
#include "map/board.h"

static void
standard(struct pb_roomba_board *b)
{
	struct pb_maze z;

	check_int(pb_maze_standard("roomba", &z), PB_OK);
	check_int(pb_roomba_board_init(b, &z), PB_OK);
}

/* He drives through a ghost that is lost. */
test(roomba)
{
	struct pb_roomba_opts o = pb_roomba_defaults();
	struct pb_roomba_board b;
	struct pb_roomba_fleet f;
	struct pb_roomba *s = &f.s;
	int at, deaths;

	standard(&b);
	o.lives = 0;
	pb_roomba_start(s, &b, &o, 1, 0);
	for (int k = 0; k < 5; k++)
		pb_roomba_step(s, PB_LEFT, NULL);
	for (int i = 0; i < o.ghosts; i++)
		pb_roomba_fleet_fail_ghost(&f, i);
	at = s->ghost[PB_CLYDE].at;
	deaths = s->deaths;
	for (int k = 0; k < 200 && s->pacman != at; k++) {
		/* By the way that the tables know. */
		unsigned to = pb_cells_first(&b.cells, s->pacman, at);
		int d = 0;

		while (!(to >> d & 1))
			d++;
		pb_roomba_step(s, (enum pb_dir)d, NULL);
		check_int(s->ghost[PB_CLYDE].at, at);
		check_int(s->ghost[PB_CLYDE].state, PB_ROOMBA_LOST);
	}
	check_int(s->pacman, at);
	check_int(s->deaths, deaths);
	check_int(s->eaten, 0);
	/* People carry it back. */
	s->stopped = 1;
	pb_roomba_step(s, PB_STAY, NULL);
	check(s->events & PB_ROOMBA_RESET);
	check_int(s->ghost[PB_CLYDE].at, b.reset[PB_CLYDE]);
	check_int(s->ghost[PB_CLYDE].state, PB_ROOMBA_LOST);
	pb_roomba_board_clear(&b);
}

/* A ghost that is lost stands between two cells, and touches nobody. */
test(bodies)
{
	struct pb_roomba_opts o = pb_roomba_defaults();
	struct pb_roomba_board b;
	struct pb_roomba_fleet f;
	struct pb_pose at;
	int resets = 0, moves = 0;

	standard(&b);
	o.motion = PB_MOTION_DRIVE;
	o.lives = 0;
	pb_roomba_fleet_start(&f, &b, &o, 1, 0);
	while (!f.bot[2].rolls || f.rover[2].twist.v == 0)
		pb_roomba_fleet_step(&f, PB_LEFT, NULL);
	pb_roomba_fleet_fail_ghost(&f, PB_PINKY);
	pb_roomba_fleet_step(&f, PB_LEFT, NULL);
	at = f.rover[2].pose;
	for (int k = 0; k < 100000 && resets < 3; k++) {
		pb_roomba_fleet_step(&f, PB_LEFT, NULL);
		if (f.s.events & PB_ROOMBA_RESET) {
			resets++;
			at = f.rover[2].pose;
			check_int(f.s.ghost[PB_PINKY].at, b.reset[PB_PINKY]);
		}
		check_near(f.rover[2].pose.x, at.x, 0);
		check_near(f.rover[2].pose.y, at.y, 0);
		check(!(f.decided >> 2 & 1));
		check(!(f.s.events & (PB_ROOMBA_KILLS | PB_ROOMBA_EATEN)
					 << PB_PINKY));
		check_int(f.s.ghost[PB_PINKY].state, PB_ROOMBA_LOST);
		moves += f.decided >> 3 & 1;
	}
	check_int(resets, 3);
	check(moves > 50);
	pb_roomba_board_clear(&b);
}

/* A patrol that is lost stands and sees nothing; the others do. */
test(zumy)
{
	struct pb_zumy_opts o = pb_zumy_defaults();
	struct pb_zumy_board b;
	struct pb_zumy_cell at;
	struct pb_zumy s;
	struct pb_maze z;
	struct pb_rng rng = draws(3, PB_FOR_PLAYER);
	int seen = 0, moved = 0;

	check_int(pb_maze_standard("zumy", &z), PB_OK);
	check_int(pb_zumy_board_init(&b, &z), PB_OK);
	for (uint64_t trial = 0; trial < 30; trial++) {
		struct pb_zumy_cell other;

		pb_zumy_start(&s, &b, &o, 1, trial);
		for (int k = 0; k < 20; k++)
			pb_zumy_tick(&s, PB_STAY, NULL, NULL);
		if (s.ending != PB_ZUMY_ON)
			continue;
		pb_zumy_fail_patrol(&s, 0);
		at = s.patrol[0].body.at;
		other = s.patrol[1].body.at;
		while (pb_zumy_tick(
		    &s, (enum pb_dir)pb_rng_below(&rng, 5), NULL, NULL)) {
			check_int(s.patrol[0].body.at.row, at.row);
			check_int(s.patrol[0].body.at.col, at.col);
			check(!s.patrol[0].seen && !s.patrol[0].stares);
			seen += s.patrol[1].seen;
		}
		moved += s.patrol[1].body.at.row != other.row ||
		         s.patrol[1].body.at.col != other.col;
	}
	check(seen > 10);
	check(moved > 10);
	pb_zumy_board_clear(&b);
}
