/* match.c - tests of Pacbot matches and of the players in them. */
#define CHECK_MAIN
#include "check.h"
#include "usual.h"

#include "game/pacbot/pacbot_body.h"
#include "pb/match.h"
#include "pb/games.h"
#include "policy/players.h"

static struct pb_match_board board;

static const struct pb_player *
find(const char *name)
{
	const struct pb_rules *r = pb_rules_find("pacbot");

	return r->player[pb_rules_player(r, name)];
}

/* A match begun, for pb_game_close. */
static struct pb_match *
begin(const char *name, const struct pb_match_opts *o, uint64_t trial)
{
	void *m = NULL;

	check_int(
	    pb_game_open(&pb_game_pacbot, &m, &board, o, find(name), NULL),
	    PB_OK);
	pb_game_start(&pb_game_pacbot, m, 1, trial, NULL);
	return m;
}

static struct pb_match_outcome
play(const char *name, const struct pb_match_opts *o, uint64_t trial)
{
	struct pb_match *m = begin(name, o, trial);
	struct pb_match_outcome r;

	while (pb_game_step(&pb_game_pacbot, m, NULL))
		;
	r = m->out;
	pb_game_close(&pb_game_pacbot, m);
	return r;
}

test(same_seed_same_match)
{
	struct pb_match_opts o = pb_match_defaults();

	o.nodes = 300;
	for (int i = 0; pb_pacbot_players[i] != NULL; i++) {
		const char *name = pb_pacbot_players[i]->name;
		struct pb_match_outcome a, b;

		if (pb_pacbot_players[i]->weights) /* see dqn.c */
			continue;
		a = play(name, &o, 3);
		b = play(name, &o, 3);
		check(memcmp(&a, &b, sizeof(a)) == 0);
		check(a.ending != PB_MATCH_ON);
	}
}

test(no_ghosts_no_death)
{
	static const char *const name[] = {"greedy", "flee", "power", "search"};
	struct pb_match_opts o = pb_match_defaults();

	o.ghosts = 0;
	o.nodes = 300;
	for (int i = 0; i < 4; i++) {
		struct pb_match_outcome r = play(name[i], &o, 0);

		check_int(r.ending, PB_MATCH_CLEARED);
		check_int(r.pellets, PB_PACBOT_DOTS);
		check_int(r.deaths, 0);
		check(r.score >= 2600 && r.score <= 2800);
		check(r.ticks >= 8 * (PB_PACBOT_DOTS - 1));
	}
}

test(levels_and_clock)
{
	struct pb_match_opts o = pb_match_defaults();
	struct pb_match_outcome r;

	o.ghosts = 0;
	o.levels = 3;
	r = play("greedy", &o, 0);
	check_int(r.cleared, 3);
	check_int(r.pellets, 3 * PB_PACBOT_DOTS);
	o.levels = 0;
	o.ticks_per_cell = 100;
	r = play("greedy", &o, 0);
	check_int(r.ending, PB_MATCH_SURVIVED);
	o.levels = 2;
	r = play("greedy", &o, 0);
	check_int(r.ending, PB_MATCH_CLOCK);
}

test(lives)
{
	struct pb_match_opts o = pb_match_defaults();

	for (o.lives = 1; o.lives <= 3; o.lives++) {
		struct pb_match_outcome r = play("random", &o, 1);

		check_int(r.ending, PB_MATCH_DEAD);
		check_int(r.deaths, o.lives);
	}
}

/* Every tick is on some cell but those between death and respawn. */
test(heat)
{
	struct pb_match_opts o = pb_match_defaults();
	struct pb_heat sum = {{{0}}};
	uint64_t here = 0, died = 0, away = 0;
	struct pb_match *m = begin("greedy", &o, 2);

	do
		away += m->s.pac.row >= PB_ARCADE_OFF;
	while (pb_game_step(&pb_game_pacbot, m, NULL));
	check(m->out.deaths > 0);
	pb_heat_add(&sum, &m->ps.heat);
	for (int r = 0; r < PB_PACBOT_ROWS; r++)
		for (int c = 0; c < PB_PACBOT_COLS; c++) {
			here += sum.here[r][c];
			died += sum.died[r][c];
			check(pb_cells_at(&board.cells, r, c) >= 0 ||
			      sum.here[r][c] + sum.died[r][c] == 0);
		}
	check_int(died, m->out.deaths);
	check(here + away >= (uint64_t)m->out.ticks);
	check(here <= (uint64_t)m->out.ticks);
	pb_game_close(&pb_game_pacbot, m);
}

/* A turn costs its ticks, straight on costs none. */
test(turns_take_time)
{
	struct pb_match_opts o = pb_match_defaults();
	struct pb_match_outcome fast, slow;

	o.ghosts = 0;
	fast = play("greedy", &o, 0);
	o.turn_ticks = 5;
	slow = play("greedy", &o, 0);
	check_int(fast.decisions, slow.decisions);
	check(slow.ticks > fast.ticks + 5 * 30);
	check((slow.ticks - fast.ticks) % 5 == 0);
}

/* Those who trust a late camera play worse; who counts his moves does not. */
test(camera_delay)
{
	struct pb_match_opts o = pb_match_defaults();
	struct pb_match_outcome now, late;

	o.nodes = 300;
	now = play("search", &o, 2);
	o.camera_delay = 20;
	o.wrong_cell = 0.2;
	late = play("search", &o, 2);
	check_int(now.score, late.score);
	o.ghosts = 0;
	late = play("greedy", &o, 2);
	check(late.decisions > 400 || late.ending == PB_MATCH_CLOCK);
}

/* It is no cliff: each two ticks cost some, also beyond the time of a cell. */
test(a_later_camera_costs_more)
{
	struct pb_match_opts o = pb_match_defaults();
	double before[2] = {INFINITY, INFINITY};

	for (o.camera_delay = 0; o.camera_delay <= 12; o.camera_delay += 2)
		for (int k = 0; k < 2; k++) {
			int late = 0, pellets = 0;

			for (uint64_t seed = 0; seed < 200; seed++) {
				struct pb_match_outcome r =
				    play(k ? "flee" : "greedy", &o, seed);

				pellets += r.pellets;
				late += r.ending == PB_MATCH_DEAD &&
				        strcmp(r.cause, "seen-late") == 0;
			}
			check(pellets < before[k]);
			/* A quarter of a cell costs no tenth of them. */
			if (o.camera_delay > 0)
				check(before[k] - pellets < 200 * 22);
			check((late > 0) == (o.camera_delay > 0) ||
			      (k && o.camera_delay == 2));
			before[k] = pellets;
		}
}

/* A robot that is not where its moves should have led plays on from there. */
test(search_believes_the_camera_in_the_end)
{
	struct pb_match_opts o = pb_match_defaults();
	struct pb_match *m;
	struct pb_bot_view v;
	unsigned updown = 1u << PB_UP | 1u << PB_DOWN | 1u << PB_STAY;

	o.nodes = 300;
	m = begin("search", &o, 0);
	v = (struct pb_bot_view){&m->s, &board, &o, &m->ps.rng};
	check(!(updown >> pb_player_ask(&m->ps, &v) & 1));
	m->s.pac = (struct pb_at){7, 6, PB_UP};
	check_int(board.cells.cell[pb_cells_at(&board.cells, 7, 6)].exits,
	    1u << PB_UP | 1u << PB_DOWN);
	check(updown >> pb_player_ask(&m->ps, &v) & 1);
	pb_game_close(&pb_game_pacbot, m);
}

test(search_clears_the_level)
{
	struct pb_match_opts o = pb_match_defaults();
	int cleared = 0, score = 0;

	o.nodes = 1000;
	for (int i = 0; i < 8; i++) {
		struct pb_match_outcome r = play("search", &o, (uint64_t)i);

		cleared += r.cleared;
		score += r.score;
	}
	/* Over 1,000 games it clears all but a few, with 10,000 points. */
	check(cleared >= 7);
	check(score / 8 >= 8000);
}

test(options_are_checked)
{
	struct pb_match_opts o = pb_match_defaults();
	char why[PB_GAME_WHY];

	check(pb_game_check(&pb_game_pacbot, &o, why) == NULL);
	o.lives = 4;
	check_str(pb_game_check(&pb_game_pacbot, &o, why), "lives");
	o = pb_match_defaults();
	o.wrong_cell = NAN;
	check_str(pb_game_check(&pb_game_pacbot, &o, why), "wrong-cell");
	o = pb_match_defaults();
	o.body.stick = 1;
	check_str(pb_game_check(&pb_game_pacbot, &o, why), "stick");
	check_str(why, "has no effect here, only with motion=drive");
	o.motion = PB_BOT_DRIVE;
	check(pb_game_check(&pb_game_pacbot, &o, why) == NULL);
}

/* A board for robots that drive, for discard(). */
static void *
arena(const struct pb_match_opts *o)
{
	static struct pb_maze z;
	const struct pb_ground g = {.maze = &z};
	struct pb_refusal no;
	void *world = NULL;

	pb_maze_standard("pacman", &z);
	check_int(pb_game_prepare(&pb_game_pacbot, &g, o, &world, &no), PB_OK);
	return world;
}

static struct pb_match_opts
driving(int localizer)
{
	struct pb_match_opts o = pb_match_defaults();

	o.motion = PB_BOT_DRIVE;
	o.body.localizer = localizer;
	o.nodes = 300;
	return o;
}

static void *
open_drive(const struct pb_match_opts *o, void *world, const char *name)
{
	void *m = NULL;

	check_int(pb_game_open(&pb_game_pacbot, &m, world, o, find(name), NULL),
	    PB_OK);
	pb_game_start(&pb_game_pacbot, m, 1, 2, NULL);
	return m;
}

/* Pac-Man's path is driven within a third of a cell, with room to the walls. */
test(driven_path)
{
	struct pb_match_opts o = driving(1);
	void *world = arena(&o);
	struct pb_match *m = open_drive(&o, world, "greedy");
	struct pb_pacbot_body *b = (struct pb_pacbot_body *)(void *)(m + 1);
	struct pb_at from = {23, 13, PB_LEFT};
	double off = 0;

	/* Seven cells to the left, from (23, 13) to a corner at (23, 6). */
	for (int t = 0; t < 80; t++) {
		if (t % 8 == 0) {
			from.col = (int8_t)pb_pacbot_body_estimate(b)->col;
			pb_pacbot_body_follow(b, from, PB_LEFT);
		}
		pb_pacbot_body_tick(b, t);
		off = fmax(off, fabs(b->at.x / 0.0889 - 23));
	}
	check(off < 0.1);
	check_near(b->at.y / 0.0889, 6, 0.3);
	check(b->driven > 6.5 * 0.0889 && b->driven < 8 * 0.0889);
	pb_game_close(&pb_game_pacbot, m);
	pb_game_discard(&pb_game_pacbot, world);
}

/* Every localizer plays, the better ones hardly ever in a wrong cell. */
test(localizers_play)
{
	for (int i = 0; i < 6; i++) {
		struct pb_match_opts o = driving(i);
		struct pb_trial r = {.bumps = -1};
		void *world, *m;

		o.body.particles = 100;
		world = arena(&o);
		m = open_drive(&o, world, "greedy");
		while (pb_game_step(&pb_game_pacbot, m, NULL))
			;
		pb_game_result(&pb_game_pacbot, m, &r);
		check(r.updates == r.decisions && r.updates > 100);
		check(r.collected > (i == 5 ? 5 : 100) && r.bumps >= 0);
		check(i == 5 || (r.pace > 9 && r.pace < 14));
		check(i != 1 || (r.wrong_cell == 0 && r.error_mean < 0.005));
		check(r.wrong_cell < r.updates / (i == 5 ? 1 : 10));
		pb_game_close(&pb_game_pacbot, m);
		pb_game_discard(&pb_game_pacbot, world);
	}
}

/* A copy goes on as the game does, whatever the other did before. */
test(copies_of_robots)
{
	struct pb_match_opts o = driving(1);
	void *world = arena(&o), *m = open_drive(&o, world, "search");
	void *n = open_drive(&o, world, "search");
	struct pb_trial a = {.time = 0}, b = a;

	for (int i = 0; i < 400; i++)
		pb_game_step(&pb_game_pacbot, m, NULL);
	for (int i = 0; i < 700; i++)
		pb_game_step(&pb_game_pacbot, n, NULL);
	pb_game_copy(&pb_game_pacbot, n, m);
	while (pb_game_step(&pb_game_pacbot, m, NULL))
		;
	while (pb_game_step(&pb_game_pacbot, n, NULL))
		;
	pb_game_result(&pb_game_pacbot, m, &a);
	pb_game_result(&pb_game_pacbot, n, &b);
	check(a.hash == b.hash && a.time == b.time);
	check(a.error_mean == b.error_mean && a.driven == b.driven);
	pb_game_close(&pb_game_pacbot, m);
	pb_game_close(&pb_game_pacbot, n);
	pb_game_discard(&pb_game_pacbot, world);
}

/* No sensor sees tape between two cells. */
test(walls_between_cells)
{
	struct pb_match_opts o = driving(1);
	struct pb_refusal no = {NULL, -1, -1};
	void *world = NULL;
	struct pb_maze z;
	const struct pb_ground g = {.maze = &z};

	pb_maze_standard("pacman", &z);
	pb_maze_side(&z, 1, 1, PB_RIGHT, true);
	for (o.motion = 0; o.motion <= PB_BOT_DRIVE; o.motion++) {
		check_int(pb_game_prepare(&pb_game_pacbot, &g, &o, &world, &no),
		    PB_EVALUE);
		check(no.why && strstr(no.why, "walls between cells"));
		check(world == NULL);
	}
}

/* Walls that hold a robot make it slower; those that do not, hardly. */
/* No life of a game draws what one of another seed does. */
test(lives_draw_apart)
{
	struct pb_match_opts o = driving(5);
	void *world = arena(&o);
	const struct pb_pacbot_arena *a =
	    ((struct pb_match_board *)world)->arena;
	const struct pb_at at = {23, 13, PB_RIGHT};
	size_t n = pb_pacbot_body_size(a);
	struct pb_pacbot_body *b[2];

	for (int i = 0; i < 2; i++) {
		b[i] = calloc(1, n);
		pb_pacbot_body_start(
		    b[i], a, &o.body, 0, 0, 2 - (uint64_t)i, 0);
		pb_pacbot_body_place(b[i], at, 0);
	}
	pb_pacbot_body_place(b[1], at, 0);
	check(memcmp(b[0]->localizer_mem, b[1]->localizer_mem,
		  n - sizeof(*b[0])) != 0);
	/* The first step that is not before the tick: 25 steps are 9 ticks. */
	pb_pacbot_body_place(b[1], at, 4);
	check_int(b[1]->steps, 12);
	free(b[0]);
	free(b[1]);
	pb_game_discard(&pb_game_pacbot, world);
}

/* Whether a board of n pellets, in the order of its cells, is taken. */
static bool
holds(int n)
{
	struct pb_maze z;
	int found = 0;

	pb_maze_standard("pacman", &z);
	for (int at = 0, k = 0; at < z.rows * z.cols; at++) {
		char *c = &z.cell[at / z.cols][at % z.cols];

		if (*c != PB_MAZE_WALL)
			*c = k++ < n ? PB_MAZE_PELLET : PB_MAZE_EMPTY;
	}
	return pb_match_board_wrong(&z, &found) == NULL ? found == 0
	                                                : found != n;
}

test(pellets_of_a_board)
{
	check(!holds(0) && holds(1));
	check(holds(255) && !holds(256));
}

test(what_fails_is_said)
{
	struct pb_match_opts o = driving(5);
	struct pb_refusal no = {NULL, -1, -1};
	void *world = NULL;
	struct pb_maze z;
	const struct pb_ground g = {.maze = &z};

	pb_maze_standard("pacman", &z);
	o.body.particles = 0;
	check_int(
	    pb_game_prepare(&pb_game_pacbot, &g, &o, &world, &no), PB_EVALUE);
	/* There is no more to say than the status does. */
	check(no.why == NULL && world == NULL);
}

test(stick)
{
	double pace[2];

	for (int i = 0; i < 2; i++) {
		struct pb_match_opts o = driving(0);
		struct pb_trial r = {.time = 0};
		void *world = arena(&o), *m = open_drive(&o, world, "greedy");

		o.body.stick = 3.0 * i;
		o.ghosts = 0;
		while (pb_game_step(&pb_game_pacbot, m, NULL))
			;
		pb_game_result(&pb_game_pacbot, m, &r);
		pace[i] = r.pace;
		pb_game_close(&pb_game_pacbot, m);
		pb_game_discard(&pb_game_pacbot, world);
	}
	check(pace[1] > pace[0]);
}

int
main(void)
{
	struct pb_maze z;

	pb_maze_standard("pacman", &z);
	check_int(pb_match_board_init(&board, &z), PB_OK);
	run_tests();
	pb_match_board_clear(&board);
	return done();
}
