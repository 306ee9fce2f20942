/* zumy.c - tests of the Zumy game. */
#include "check.h"
#include "rulesrun.h"
#include "usual.h"

#include <stddef.h>

#include "base/hash.h"
#include "map/board.h"
#include "pb/maze.h"
#include "policy/players.h"

static void
draw_board(const char *text, struct pb_zumy_board *b)
{
	struct pb_board_fault f;
	struct pb_maze z;

	check_int(pb_board_parse_grid(text, strlen(text), &z, &f), PB_OK);
	check(pb_zumy_board_wrong(&z) == NULL);
	check_int(pb_zumy_board_init(b, &z), PB_OK);
}

/* With a price of one A* takes a shortest way, whatever the board. */
test(ways_are_shortest)
{
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_ZUMY);

	for (unsigned seed = 1; seed <= 30; seed++) {
		struct pb_zumy_board b;
		struct pb_maze z;

		o.seed = seed;
		o.rows = 3 + (int)(seed % 9);
		o.cols = 3 + (int)(seed * 3 % 11);
		check_int(pb_gen_board(&o, &z), PB_OK);
		check_int(pb_zumy_board_init(&b, &z), PB_OK);
		for (int i = 0; i < b.cells.n; i++)
			for (int k = 0; k < b.cells.n; k++) {
				struct pb_zumy_search s = {.ground = &b.ground,
				    .open = &b.ground.open};
				const struct pb_cell_at *p = &b.cells.cell[i];
				const struct pb_cell_at *q = &b.cells.cell[k];
				enum pb_dir d = pb_zumy_way(&s,
				    (struct pb_zumy_cell){p->row, p->col},
				    (struct pb_zumy_cell){q->row, q->col});

				check(i == k ? d == PB_STAY
					     : d != PB_STAY &&
						   pb_cells_first(
						       &b.cells, i, k) >>
							   d &
						       1);
			}
		pb_zumy_board_clear(&b);
	}
}

/* The goal of the exploration, by hand. */
test(goals)
{
	struct pb_zumy_board b;
	struct pb_patrol_map m = {.last = {0, 4}};
	struct pb_zumy_cell g;

	draw_board("0 0 0 0 0\n"
		   "0 1 0 1 0\n"
		   "0 0 0 0 9\n",
	    &b);
	pb_patrol_reveal(&m, &b.ground, (struct pb_zumy_cell){1, 0});
	check(pb_zumy_has(&m.known, 2, 1) && !pb_zumy_has(&m.known, 2, 2));
	/* (0,1) is 3 from (0,4) and has 2 unknown cells about it: 2.8;
	   (2,1) is 5 away. */
	g = pb_patrol_goal(&m, &b.ground, (struct pb_zumy_cell){1, 0}, NULL, 0);
	check(g.row == 0 && g.col == 1);
	/* Another patrol is there: (0,0) at 4. */
	g = pb_patrol_goal(&m, &b.ground, (struct pb_zumy_cell){1, 0},
	    &(struct pb_zumy_cell){0, 1}, 1);
	check(g.row == 0 && g.col == 0);
	/* Known and free: the player's place itself; never the goal's cell. */
	m.last = (struct pb_zumy_cell){2, 0};
	g = pb_patrol_goal(&m, &b.ground, (struct pb_zumy_cell){1, 0}, NULL, 0);
	check(g.row == 2 && g.col == 0);
	pb_zumy_board_clear(&b);
}

test(sight)
{
	struct pb_zumy_board b;
	const struct pb_zumy_cell me = {0, 0};

	draw_board("0 0 0 9\n"
		   "0 0 1 0\n",
	    &b);
	check(pb_patrol_sees(
	    &b.ground, me, PB_RIGHT, (struct pb_zumy_cell){0, 1}, 0));
	/* Behind the obstacle; not straight ahead; behind the back. */
	check(!pb_patrol_sees(
	    &b.ground, me, PB_RIGHT, (struct pb_zumy_cell){0, 3}, 0));
	check(!pb_patrol_sees(
	    &b.ground, me, PB_RIGHT, (struct pb_zumy_cell){1, 1}, 0));
	check(!pb_patrol_sees(
	    &b.ground, me, PB_LEFT, (struct pb_zumy_cell){0, 1}, 0));
	/* The lower row is open to the goal; the range ends before. */
	check(pb_patrol_sees(&b.ground, (struct pb_zumy_cell){1, 0}, PB_RIGHT,
	    (struct pb_zumy_cell){1, 3}, 3));
	check(!pb_patrol_sees(&b.ground, (struct pb_zumy_cell){1, 0}, PB_RIGHT,
	    (struct pb_zumy_cell){1, 3}, 2));
	pb_zumy_board_clear(&b);
}

/* Three sightings on end stop a patrol, sixteen win. */
test(belief)
{
	struct pb_zumy_opts o = pb_zumy_defaults();
	struct pb_zumy_board b;
	struct pb_zumy s;
	int stops = 0, ends = 0;

	draw_board("0 0 0 0 0 0 0 9\n", &b);
	o.patrols = 1;
	pb_zumy_start(&s, &b, &o, 1, 0);
	s.patrol[0].body.at = s.patrol[0].body.to = (struct pb_zumy_cell){0, 5};
	s.patrol[0].body.facing = s.patrol[0].body.turning = PB_LEFT;
	while (pb_zumy_tick(&s, PB_STAY, NULL, NULL))
		if (s.events & PB_ZUMY_STARE)
			stops = s.tick;
	ends = s.tick;
	check_int(stops, 3);
	check_int(ends, 16);
	check_int(s.ending, PB_ZUMY_SEEN);
	check_int(s.by, 0);
	pb_zumy_board_clear(&b);
}

/* A patrol plans anew when something has changed that it goes by, only then. */
/*
 * Around the edge: as a list of Python takes -1 for its last, a patrol leaves
 * the board to the left, and below, where row 0 is free; nowhere else.
 */
test(patrols_around_the_edge)
{
	struct pb_zumy_opts o = pb_zumy_defaults();
	struct pb_zumy_board b;
	struct pb_zumy s;

	draw_board("0 0 0 9\n0 0 0 0\n0 0 0 0\n", &b);
	o.patrols = 1;
	for (int wraps = 0; wraps < 2; wraps++) {
		o.compat = wraps ? PB_ZUMY_PUBLISHED : PB_ZUMY_CORRECTED;
		pb_zumy_start(&s, &b, &o, 1, 0);
		for (int i = 0; i < 12; i++) {
			int r = i / 4, c = i % 4;

			s.patrol[0].body.at =
			    (struct pb_zumy_cell){(int8_t)r, (int8_t)c};
			for (int d = 0; d < 4; d++) {
				int to = r + pb_dir_row[d];
				int at = c + pb_dir_col[d];
				bool player = to == s.player.at.row &&
				              at == s.player.at.col;

				check_int(
				    pb_zumy_can_drive(&s, 1, (enum pb_dir)d),
				    to >= 0 && at < 4 &&
					(wraps ||
					    (to < 3 && at >= 0 && !player)));
			}
		}
	}
	pb_zumy_board_clear(&b);
}

test(plans_are_kept)
{
	struct pb_zumy_opts o = pb_zumy_defaults();
	struct pb_zumy_plan *n, was;
	struct pb_zumy_board b;
	struct pb_zumy s;

	draw_board("0 0 0 0 0 0 0 9\n", &b);
	o.patrols = 1;
	pb_zumy_start(&s, &b, &o, 1, 0);
	n = &s.patrol[0].plan;
	check(!n->made);
	pb_zumy_choose(&s, 0);
	check(n->made);
	was = *n;
	for (int i = 0; i < 6; i++) {
		*n = was;
		/* Tells a plan that is kept. */
		n->dir = (int8_t)((was.dir + 1) % 5);
		n->made = i != 1;
		n->known += i == 2;
		n->at.col += i == 3;
		n->last.row += i == 4;
		n->other[0].row += i == 5;
		pb_zumy_choose(&s, 0);
		check_int(n->dir, (was.dir + (i == 0)) % 5);
	}
	pb_zumy_board_clear(&b);
}

/* Alone, the player needs a cell time a cell and a turn time a turn. */
test(times)
{
	struct pb_zumy_opts o = pb_zumy_defaults();
	struct pb_zumy_board b;
	struct pb_zumy s;

	draw_board("0 1\n"
		   "0 9\n",
	    &b);
	o.patrols = 0;
	pb_zumy_start(&s, &b, &o, 1, 0);
	check(b.start.row == 1 && b.start.col == 0);
	while (pb_zumy_tick(
	    &s, s.player.at.row > 0 ? PB_UP : PB_RIGHT, NULL, NULL))
		;
	check_int(s.ending, PB_ZUMY_REACHED);
	check_int(s.moves, 2);
	/* He faces up at first, turns right once, and decides in a tick. */
	check_int(s.tick, 2 * o.cell_time + o.turn_time);
	pb_zumy_board_clear(&b);
}

static bool
same(struct pb_zumy_cell a, struct pb_zumy_cell b)
{
	return a.row == b.row && a.col == b.col;
}

/* No two robots are ever in one cell, nor go to one. */
test(no_collisions)
{
	struct pb_board_opts bo = pb_board_defaults(PB_BOARD_ZUMY);
	struct pb_zumy_opts o = pb_zumy_defaults();
	int met = 0;

	o.patrols = 4;
	o.limit = 1500;
	o.near = 2;
	o.win = 1;
	for (unsigned seed = 1; seed <= 60; seed++) {
		struct pb_zumy_board b;
		struct pb_maze z;
		struct pb_zumy s;
		struct pb_rng r;
		bool on = true;

		bo.seed = seed;
		o.share = seed % 2;
		check_int(pb_gen_board(&bo, &z), PB_OK);
		check_int(pb_zumy_board_init(&b, &z), PB_OK);
		pb_rng_start(&r, seed, 0, PB_FOR_PLAYER, 0);
		pb_zumy_start(&s, &b, &o, seed, 0);
		while (on) {
			on = pb_zumy_tick(
			    &s, (enum pb_dir)pb_rng_below(&r, 4), NULL, NULL);
			for (int i = 0; i < 4; i++) {
				struct pb_zumy_body *p = &s.patrol[i].body;

				met += same(p->at, s.player.at) ||
				       same(p->to, s.player.to);
				for (int k = 0; k < i; k++)
					met +=
					    same(p->at, s.patrol[k].body.at) ||
					    same(p->to, s.patrol[k].body.to);
			}
		}
		pb_zumy_board_clear(&b);
	}
	check_int(met, 0);
}

/* Copies of a state leave out patrols that do not play. */
test(patrols_that_do_not_play)
{
	struct pb_zumy_opts o = pb_zumy_defaults();
	struct pb_zumy_board b;
	struct pb_maze z;
	struct pb_zumy s, t;
	bool on = true;

	check_int(pb_maze_standard("zumy", &z), PB_OK);
	check_int(pb_zumy_board_init(&b, &z), PB_OK);
	o.patrols = 2;
	pb_zumy_start(&s, &b, &o, 1, 0);
	t = s;
	memset(&t.patrol[2], 0xff, 2 * sizeof(t.patrol[0]));
	while (on) {
		enum pb_dir d = s.tick / 40 % 4;

		check(pb_zumy_asks(&s) == pb_zumy_asks(&t));
		on = pb_zumy_tick(&s, d, NULL, NULL);
		check(pb_zumy_tick(&t, d, NULL, NULL) == on);
	}
	check(s.moves > 0);
	check(memcmp(&s, &t, offsetof(struct pb_zumy, patrol[2])) == 0);
	pb_zumy_board_clear(&b);
}

static void
refuses(const char *text)
{
	struct pb_board_fault f;
	struct pb_maze z;

	check_int(pb_board_parse_grid(text, strlen(text), &z, &f), PB_OK);
	check(pb_zumy_board_wrong(&z) != NULL);
}

test(bad_boards)
{
	struct pb_maze z;

	refuses("0 0\n");
	refuses("9 9\n");
	refuses("9 1\n");
	pb_maze_standard("roomba", &z);
	check(pb_zumy_board_wrong(&z) != NULL);
}

test(hash)
{
	struct pb_zumy_opts o = pb_zumy_defaults();

	o.nodes = 100;
	check_games("zumy", &o, 10, UINT64_C(0x9eb35be01bcf4daf));
}

/* Hiding helps; thinking helps more. */
test(players)
{
	struct pb_zumy_opts o = pb_zumy_defaults();
	int won[3] = {0};

	o.nodes = 100;
	for (uint64_t t = 0; t < 40; t++) {
		won[0] += play_rules("zumy", &o, "random", t).success;
		won[1] += play_rules("zumy", &o, "astar", t).success;
		won[2] += play_rules("zumy", &o, "sneak", t).success;
	}
	printf("# won: random %d, astar %d, sneak %d of 40\n", won[0], won[1],
	    won[2]);
	check(won[0] <= 2);
	check(won[1] >= 8);
	check(won[2] > won[1]);
}

/* A game goes on in copies, whose player has thought of other games; what a
 * copy takes of his memory is little. */
test(copies)
{
	const struct pb_rules *rules = pb_rules_find("zumy");
	const struct pb_game *g = rules->game;
	const struct pb_player *p =
	    rules->player[pb_rules_player(rules, "sneak")];
	struct pb_zumy_opts o = pb_zumy_defaults();
	struct pb_trial r = {.seed = 1};
	struct pb_maze z;
	const struct pb_ground ground = {.maze = &z};
	void *world, *state[2];
	struct pb_refusal no;
	int now = 0;

	o.nodes = 100;
	pb_maze_standard("zumy", &z);
	check_int(pb_game_prepare(g, &ground, &o, &world, &no), PB_OK);
	for (int i = 0; i < 2; i++) {
		check_int(
		    pb_game_open(g, &state[i], world, &o, p, NULL), PB_OK);
		pb_game_start(g, state[i], r.seed, (uint64_t)i, NULL);
		while (i == 1 && pb_game_step(g, state[i], NULL))
			;
	}
	while (pb_game_step(g, state[now], NULL)) {
		pb_game_copy(g, state[!now], state[now]);
		now = !now;
	}
	pb_game_result(g, state[now], &r);
	check(r.hash == play_rules("zumy", &o, "sneak", 0).hash);
	check(pb_player_lasting(p, SIZE_MAX) < 16384);
	for (int i = 0; i < 2; i++)
		pb_game_close(g, state[i]);
	pb_game_discard(g, world);
}
