/* pacbot.c - speed of the Pacbot engine and of its players. */
#include "bench.h"

#include "io/play/program.h"
#include "pb/match.h"
#include "pb/games.h"
#include "../unit/usual.h"

/* Moves of one piece of work. */
#define MOVES 1000000

/* The engine alone, with the cheapest player there is. */
struct engine {
	struct pb_match_board board;
	struct pb_rng rng;
	uint8_t dir[4096]; /* moves, drawn beforehand: any direction */
};

static void
start(
    struct pb_pacbot *s, const struct engine *e, const struct pb_arcade_draw *d)
{
	const uint8_t play = 'P';

	if (s->lives == 0 || s->tick == UINT16_MAX) {
		pb_pacbot_init(s, &e->board.rules, PB_ARCADE_GHOSTS);
		pb_pacbot_begin(s, &e->board.rules, d);
	}
	pb_pacbot_command(s, &e->board.rules, d, &play, 1);
}

static double
run(struct engine *e, double *ticks)
{
	const struct pb_arcade_draw d = {pb_arcade_any_way, &e->rng};
	struct pb_pacbot s;

	pb_rng_start(&e->rng, 1, 0, PB_FOR_GHOST, 0);
	pb_pacbot_init(&s, &e->board.rules, PB_ARCADE_GHOSTS);
	pb_pacbot_begin(&s, &e->board.rules, &d);
	for (int i = 0; i < MOVES; i++) {
		if (s.paused)
			start(&s, e, &d);
		pb_pacbot_move(&s, &e->board.rules, e->dir[i % 4096]);
		*ticks += pacbot_update(&s, &e->board.rules, &d);
	}
	return MOVES;
}

static double
ticks(void *arg)
{
	double n = 0;

	run(arg, &n);
	return n;
}

static double
decisions(void *arg)
{
	double n = 0;

	for (int i = 0; i < 3; i++) {
		struct pb_trial r = {.seed = 1, .trial = (uint64_t)i};

		pb_game_play(&pb_game_pacbot, arg, &r, NULL);
		n += r.decisions;
	}
	return n;
}

static void
bench_player(const struct engine *e, const char *name, const char *row)
{
	const struct pb_match_opts o = pb_match_defaults();
	const struct pb_rules *r = pb_rules_find("pacbot");
	void *m;

	if (pb_game_open(&pb_game_pacbot, &m, &e->board, &o,
		r->player[pb_rules_player(r, name)], NULL) != PB_OK)
		bench_stop("cannot make a match");
	bench_row(row, "decisions", decisions, m);
	pb_game_close(&pb_game_pacbot, m);
}

struct outside {
	struct pb_programs p;
	void *match;
};

static double
answers(void *arg)
{
	struct outside *o = arg;
	struct pb_agents agents = pb_programs_agents(&o->p);
	double n = 0;

	for (int i = 0; i < 20; i++) {
		struct pb_trial r = {.seed = 1, .trial = (uint64_t)i};

		pb_programs_reset(&o->p, o->match, r.seed, r.trial);
		pb_game_play(&pb_game_pacbot, o->match, &r, &agents);
		n += (double)o->p.decisions;
	}
	if (o->p.failed)
		bench_stop(o->p.body[o->p.who].bad.text);
	return n;
}

/* The bot of man/examples in C, behind pipes. */
static void
bench_program(struct engine *e, const struct pb_maze *z)
{
	const struct pb_match_opts m = pb_match_defaults();
	const struct pb_ground ground = {.maze = z};
	const struct pb_outside x = {.body = {BENCH_BUILD "/tests/bench/bot"}};
	struct outside o;

	if (pb_game_open(&pb_game_pacbot, &o.match, &e->board, &m,
		pb_rules_find("pacbot")->player[0], NULL) != PB_OK)
		bench_stop("cannot make a match");
	pb_programs_begin(&o.p, &pb_game_pacbot, &x, 10, &ground, NULL);
	bench_row_with(
	    "pacbot, a program that plays: bot.c", "decisions", answers, &o);
	pb_programs_end(&o.p);
	pb_game_close(&pb_game_pacbot, o.match);
}

/* Minutes of games of three lives. */
static double
minutes(void *arg)
{
	double n = 0;

	for (int i = 0; i < 2; i++) {
		struct pb_trial r = {.seed = 1, .trial = (uint64_t)i};

		pb_game_play(&pb_game_pacbot, arg, &r, NULL);
		n += r.time / 60;
	}
	return n;
}

/* A robot that drives, and senses where it is. */
static void
bench_body(const struct pb_maze *z)
{
	struct pb_match_opts o = pb_match_defaults();
	const struct pb_rules *r = pb_rules_find("pacbot");
	const struct pb_ground ground = {.maze = z};
	struct pb_refusal no;
	void *world, *m;

	o.motion = PB_BOT_DRIVE;
	o.body.localizer = 1; /* fuse, in the row's words */
	if (pb_game_prepare(&pb_game_pacbot, &ground, &o, &world, &no) !=
		PB_OK ||
	    pb_game_open(&pb_game_pacbot, &m, world, &o,
		r->player[pb_rules_player(r, "power")], NULL) != PB_OK)
		bench_stop("cannot make a match with a body");
	bench_row(
	    "pacbot, power, drive by fuse, games of 60 s", "games", minutes, m);
	pb_game_close(&pb_game_pacbot, m);
	pb_game_discard(&pb_game_pacbot, world);
}

void
bench_pacbot(void)
{
	static struct engine e;
	struct pb_maze z;

	if (pb_maze_standard("pacman", &z) != PB_OK ||
	    pb_match_board_init(&e.board, &z) != PB_OK)
		bench_stop("cannot make a board");
	pb_rng_start(&e.rng, 1, 0, PB_FOR_PLAYER, 0);
	for (int i = 0; i < 4096; i++)
		e.dir[i] = (uint8_t)pb_rng_below(&e.rng, 4);
	bench_row("pacbot, tick by tick", "ticks", ticks, &e);
	bench_player(&e, "random", "pacbot, moves by chance");
	bench_player(&e, "power", "pacbot, player power");
	bench_player(&e, "search", "pacbot, player search, 8000 nodes");
	bench_program(&e, &z);
	bench_body(&z);
	pb_match_board_clear(&e.board);
}
