/* roomba.c - tests of the Roomba game. */
#include "check.h"
#include "rulesrun.h"
#include "usual.h"

#include "base/hash.h"
#include "game/roomba/roomba.h"
#include "map/board.h"
#include "pb/maze.h"
#include "policy/players.h"

enum {
	UP = 1 << PB_UP,
	LEFT = 1 << PB_LEFT,
	DOWN = 1 << PB_DOWN,
	RIGHT = 1 << PB_RIGHT,
	ALL = UP | LEFT | DOWN | RIGHT
};

static void
draw_board(const char *text, struct pb_roomba_board *b)
{
	struct pb_board_fault f;
	struct pb_maze z;

	check_int(pb_board_parse(text, strlen(text), &z, &f), PB_OK);
	check_int(pb_roomba_board_init(b, &z), PB_OK);
}

/* All angles in whole numbers against the rule said in degrees. */
static unsigned
slow_fit(unsigned allowed, int right, int up)
{
	static const double at[4] = {90, 180, 270, 0};
	double deg = atan2(up, right) * 180 / 3.14159265358979323846;
	double off[4], list[4];
	int octant, n = 0;
	unsigned set = 0;

	if (right == 0 && up == 0)
		return allowed;
	if (deg < 0)
		deg += 360;
	octant = (int)floor((deg + 22.5) / 45) % 8;
	for (int d = 0; d < 4; d++) {
		off[d] = fabs(deg - at[d]);
		if (off[d] > 180)
			off[d] = 360 - off[d];
		if (octant % 2 == 0 && off[d] <= 22.5 && allowed >> d & 1)
			return 1u << d;
		if (allowed >> d & 1 && off[d] < 135 - 1e-9)
			list[n++] = off[d];
	}
	for (int i = 0; i < n; i++)
		for (int k = i + 1; k < n; k++)
			if (list[k] < list[i]) {
				double t = list[i];

				list[i] = list[k];
				list[k] = t;
			}
	for (int d = 0; d < 4 && n > 0; d++)
		if (allowed >> d & 1 && off[d] <= list[n > 1 ? 1 : 0] + 1e-9)
			set |= 1u << d;
	return set;
}

test(angles)
{
	check_int(pb_roomba_fit(ALL, 5, 1), RIGHT);
	check_int(pb_roomba_fit(ALL, 3, 2), RIGHT | UP);
	check_int(pb_roomba_fit(LEFT | DOWN, 1, 1), 0);
	check_int(pb_roomba_fit(UP | DOWN, 5, 1), UP | DOWN);
	for (unsigned set = 0; set < 16; set++)
		for (int x = -12; x <= 12; x++)
			for (int y = -12; y <= 12; y++)
				check_int(pb_roomba_fit(set, x, y),
				    slow_fit(set, x, y));
}

/* Two ghosts of the published text: one below left, one above right. */
test(avoidance)
{
	struct pb_roomba_board b;
	struct pb_roomba_sight s = {.others = 1};

	draw_board("+---+---+---+\n"
		   "| .   .   . |\n"
		   "+   +   +   +\n"
		   "| .   P   . |\n"
		   "+   +   +   +\n"
		   "| .   .   . |\n"
		   "+---+---+---+\n",
	    &b);
	s.at = pb_cells_at(&b.cells, 1, 1);
	s.other[0] = pb_cells_at(&b.cells, 2, 0);
	check_int(pb_roomba_free(&b.cells, &s), UP | RIGHT);
	s.other[0] = pb_cells_at(&b.cells, 1, 2);
	check_int(pb_roomba_free(&b.cells, &s), ALL & ~RIGHT);
	s.at = pb_cells_at(&b.cells, 1, 0);
	check_int(pb_roomba_free(&b.cells, &s), UP | DOWN);
	pb_roomba_board_clear(&b);

	/* Clyde above right may go down, not left: only right is barred. */
	draw_board("+---+---+---+\n"
		   "| .   . | . |\n"
		   "+   +   +   +\n"
		   "| .   P   . |\n"
		   "+---+---+---+\n",
	    &b);
	s.at = pb_cells_at(&b.cells, 1, 1);
	s.other[0] = pb_cells_at(&b.cells, 0, 2);
	check_int(pb_roomba_free(&b.cells, &s), UP | LEFT);
	pb_roomba_board_clear(&b);

	/* A wall between: no danger straight ahead. */
	draw_board("+---+---+---+\n"
		   "| P   . | . |\n"
		   "+---+---+---+\n",
	    &b);
	s.at = pb_cells_at(&b.cells, 0, 0);
	s.other[0] = pb_cells_at(&b.cells, 0, 2);
	check_int(pb_roomba_free(&b.cells, &s), RIGHT);
	pb_roomba_board_clear(&b);
}

test(states)
{
	struct pb_roomba_board b;
	struct pb_maze z;
	int a, k;

	check_int(pb_maze_standard("roomba", &z), PB_OK);
	check_int(pb_roomba_board_init(&b, &z), PB_OK);
	a = pb_cells_at(&b.cells, 0, 0);
	k = pb_cells_at(&b.cells, 0, 3);
	check_int(
	    pb_roomba_state_of(&b.cells, a, k, false, 3), PB_ROOMBA_TRACK);
	k = pb_cells_at(&b.cells, 1, 4);
	check_int(
	    pb_roomba_state_of(&b.cells, a, k, false, 3), PB_ROOMBA_SEARCH);
	check_int(pb_roomba_state_of(&b.cells, a, k, true, 3), PB_ROOMBA_RUN);
	pb_roomba_board_clear(&b);
}

/* All directions that a ghost takes from a cell, by many draws. */
static unsigned
taken(const struct pb_roomba_board *b, const struct pb_roomba_nature *n,
    const struct pb_roomba_sight *s)
{
	struct pb_rng r = draws(3, PB_FOR_GHOST);
	unsigned set = 0;

	for (int i = 0; i < 200; i++) {
		enum pb_dir d = pb_roomba_choose(&b->cells, n, s, &r);

		set |= d == PB_STAY ? 0 : 1u << d;
	}
	return set;
}

/* It wanders at home and one cell off, else drives there. */
test(wanders_at_home)
{
	const struct pb_roomba_nature sure = {.search = 1, .track = 1};
	struct pb_roomba_board b;

	draw_board("+---+---+---+---+---+\n"
		   "| .   .   .   .   . |\n"
		   "+   +   +   +   +   +\n"
		   "| .   .   .   .   . |\n"
		   "+   +   +   +   +   +\n"
		   "| .   .   P   .   . |\n"
		   "+   +   +   +   +   +\n"
		   "| .   .   .   .   . |\n"
		   "+---+---+---+---+---+\n",
	    &b);
	for (int i = 0; i < b.cells.n * b.cells.n; i++) {
		const struct pb_cell_at *at = &b.cells.cell[i / b.cells.n];
		const struct pb_cell_at *to = &b.cells.cell[i % b.cells.n];
		int right = to->col - at->col, up = at->row - to->row;
		struct pb_roomba_sight s = {.at = i / b.cells.n,
		    .last = PB_STAY,
		    .pacman = -1,
		    .home = i % b.cells.n};
		unsigned all = pb_roomba_free(&b.cells, &s);
		unsigned want = slow_fit(all, right, up);

		if (abs(right) + abs(up) <= 1 || want == 0)
			want = all;
		check_int(taken(&b, &sure, &s), want);
		/* After Pac-Man it does not wander. */
		s.state = PB_ROOMBA_TRACK;
		s.pacman = s.home;
		want = slow_fit(all, right, up);
		check_int(taken(&b, &sure, &s), want ? want : all);
	}
	pb_roomba_board_clear(&b);
}

/* One corridor: a pill, a ghost that is eaten, comes back and kills. */
test(pill_and_kill)
{
	struct pb_roomba_opts o = pb_roomba_defaults();
	struct pb_roomba_board b;
	struct pb_roomba s;
	int eaten = -1, back = -1, dead = -1, reset = -1;

	draw_board("+---+---+---+---+---+---+---+---+\n"
		   "| P   o   .   .   .   .   .   B |\n"
		   "+---+---+---+---+---+---+---+---+\n"
		   "homes 0,0\n",
	    &b);
	o.ghosts = 1;
	o.lives = 2;
	o.power_time = 8;
	o.nature[0] = (struct pb_roomba_nature){1, 1, 1, false};
	pb_roomba_start(&s, &b, &o, 1, 0);
	check_int(s.events, PB_ROOMBA_RESET);
	/* To the pill and on; then wait for what comes. */
	while (pb_roomba_step(&s, s.left > 3 ? PB_RIGHT : PB_STAY, NULL) &&
	       s.tick < 200) {
		if (s.events & PB_ROOMBA_EATEN)
			eaten = s.tick;
		if (s.events & PB_ROOMBA_BACK)
			back = s.tick;
		if (s.events & PB_ROOMBA_KILLS && dead < 0)
			dead = s.tick;
		if (s.events & PB_ROOMBA_RESET && reset < 0)
			reset = s.tick;
	}
	check_int(eaten > 0, 1);
	check(back > eaten);
	check(dead > back);
	check_int(reset - dead, o.delay);
	check_int(s.ending, PB_ROOMBA_CAUGHT);
	check_int(s.deaths, 2);
	check_int(s.score, 50 + 2 * 10 + 200);
	pb_roomba_board_clear(&b);
}

/* Ghosts never share a cell nor change places, on any board. */
test(no_collisions)
{
	struct pb_board_opts bo = pb_board_defaults(PB_BOARD_ROOMBA);
	struct pb_roomba_opts o = pb_roomba_defaults();
	int games = 0, met = 0;

	o.limit = 150;
	for (unsigned seed = 1; seed <= 50; seed++) {
		struct pb_roomba_board b;
		struct pb_maze z;
		int row, col;

		bo.seed = seed;
		bo.rows = 4 + (int)(seed % 8);
		bo.cols = 4 + (int)(seed * 5 % 9);
		check_int(pb_gen_board(&bo, &z), PB_OK);
		check(pb_roomba_board_wrong(&z, &row, &col) == NULL);
		check_int(pb_roomba_board_init(&b, &z), PB_OK);
		for (uint64_t t = 0; t < 20; t++, games++) {
			struct pb_roomba s, was;
			struct pb_rng r;
			bool on = true;

			pb_rng_start(&r, seed, t, PB_FOR_PLAYER, 0);
			pb_roomba_start(&s, &b, &o, seed, t);
			while (on) {
				was = s;
				on = pb_roomba_step(
				    &s, (enum pb_dir)pb_rng_below(&r, 5), NULL);
				for (int i = 0; i < 4; i++)
					for (int k = 0; k < i; k++) {
						int a = s.ghost[i].at;
						int c = s.ghost[k].at;

						met += a == c;
						met += !(s.events &
							   PB_ROOMBA_RESET) &&
						       a == was.ghost[k].at &&
						       c == was.ghost[i].at;
					}
			}
		}
		pb_roomba_board_clear(&b);
	}
	check_int(games, 1000);
	check_int(met, 0);
}

/* A ghost in a dead end with another in front of it waits. */
test(boxed_in)
{
	struct pb_roomba_board b;
	struct pb_roomba_nature n = {1, 1, 1, false};
	struct pb_roomba_sight s = {.others = 1, .home = -1, .last = PB_STAY};
	struct pb_rng r = draws(1, PB_FOR_GHOST);

	draw_board("+---+---+---+\n"
		   "| .   .   P |\n"
		   "+---+---+---+\n",
	    &b);
	s.at = 0;
	s.other[0] = 1;
	s.pacman = 2;
	check_int(pb_roomba_choose(&b.cells, &n, &s, &r), PB_STAY);
	pb_roomba_board_clear(&b);
}

static void
refuses(const char *text, int row, int col)
{
	struct pb_board_fault f;
	struct pb_maze z;
	int r, c;

	check_int(pb_board_parse(text, strlen(text), &z, &f), PB_OK);
	check(pb_roomba_board_wrong(&z, &r, &c) != NULL);
	check_int(r, row);
	check_int(c, col);
}

test(bad_boards)
{
	refuses("+---+---+\n| .   . |\n+---+---+\n", -1, -1);
	refuses("+---+---+\n| P     |\n+---+---+\n", -1, -1);
	refuses("+---+---+---+\n| P   . | . |\n+---+---+---+\n", 0, 2);
	refuses("+---+---+---+\n| P   . | B |\n+---+---+---+\n", 0, 2);
	refuses(
	    "+---+---+---+\n| P   .   # |\n+---+---+---+\nhomes 0,2\n", 0, 2);
	refuses(
	    "+---+---+---+\n| P   . |   |\n+---+---+---+\nhomes 0,2\n", 0, 2);
}

/* Robots stand in cells, each in its own. */
test(bad_places)
{
	struct pb_maze z, good;
	int r, c;

	check_int(pb_maze_standard("roomba", &good), PB_OK);
	check(pb_roomba_board_wrong(&good, &r, &c) == NULL);
	z = good;
	z.ghost[3] = z.ghost[1];
	check_has(pb_roomba_board_wrong(&z, &r, &c), "another robot");
	check(r == z.ghost[1].row && c == z.ghost[1].col);
	z = good;
	z.cell[z.ghost[2].row][z.ghost[2].col] = PB_MAZE_WALL;
	check_has(pb_roomba_board_wrong(&z, &r, &c), "in a wall");
	check(r == z.ghost[2].row && c == z.ghost[2].col);
	z = good;
	z.cell[z.start.row][z.start.col] = PB_MAZE_WALL;
	check_has(pb_roomba_board_wrong(&z, &r, &c), "in a wall");
	check(r == z.start.row && c == z.start.col);
}

test(looks_up_where_he_is_put)
{
	const struct pb_rules *rules = pb_rules_find("roomba");
	struct pb_roomba_opts o = pb_roomba_defaults();
	struct pb_maze z;
	const struct pb_ground g = {.maze = &z};
	void *world, *state;
	struct pb_refusal no;
	bool put = false;

	pb_maze_standard("roomba", &z);
	check_int(pb_game_prepare(rules->game, &g, &o, &world, &no), PB_OK);
	check_int(pb_game_open(
		      rules->game, &state, world, &o, rules->player[0], NULL),
	    PB_OK);
	pb_game_start(rules->game, state, 1, 0, NULL);
	check_near(rules->game->robot(state, 0, &put).th, PB_PI / 2, 0);
	check(put);
	pb_game_close(rules->game, state);
	pb_game_discard(rules->game, world);
}

test(hash)
{
	struct pb_roomba_opts o = pb_roomba_defaults();

	o.rollouts = 4;
	check_games("roomba", &o, 20, UINT64_C(0x864d9b73f639f255));
}

/* Who thinks more wins more, by far. */
test(players)
{
	struct pb_roomba_opts o = pb_roomba_defaults();
	int won[4] = {0};

	o.rollouts = 4;
	for (uint64_t t = 0; t < 20; t++)
		for (int i = 0; i < 4; i++)
			won[i] += play_rules(
			    "roomba", &o, pb_roomba_players[i]->name, t)
			              .success;
	check(won[0] == 0);  /* random */
	check(won[1] <= 4);  /* greedy */
	check(won[2] >= 15); /* flee */
	check(won[3] >= 16); /* plan */
}

/* Without end also after more deaths than 16 bits count. */
test(lives_without_end)
{
	struct pb_roomba_opts o = pb_roomba_defaults();
	struct pb_roomba_board b;
	struct pb_roomba s;

	draw_board("+---+---+---+\n"
		   "| P   B   . |\n"
		   "+---+---+---+\n",
	    &b);
	o.ghosts = 1;
	o.lives = 0;
	o.delay = 1;
	o.limit = 300000;
	o.nature[PB_BLINKY].track = 1;
	pb_roomba_start(&s, &b, &o, 1, 0);
	while (pb_roomba_step(&s, PB_STAY, NULL))
		continue;
	check_int(s.ending, PB_ROOMBA_CLOCK);
	check(s.deaths > 70000);
	check_int(s.lives, -s.deaths);
	pb_roomba_board_clear(&b);
}
