/*
 * roomba.c - any bytes as a random board, options and moves of the Roomba
 * game: after each tick the game is one that the rules know.
 */
#include "fuzz.h"
#include "../unit/usual.h"

#include "game/roomba/roomba.h"
#include "map/board.h"
#include "pb/maze.h"

/* So long may one input play, or few could (ticks). */
enum { MOST = 500 };

static bool
make_board(struct fuzz_script *in, struct pb_maze *z)
{
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_ROOMBA);

	o.rows = PB_BOARD_SIDE_MIN + fuzz_byte(in) % 10;
	o.cols = PB_BOARD_SIDE_MIN + fuzz_byte(in) % 10;
	o.seed = (unsigned)fuzz_byte(in);
	o.loops = fuzz_byte(in) / 255.;
	o.dead_ends = fuzz_byte(in) & 1;
	o.power = fuzz_byte(in) % 5;
	return pb_gen_board(&o, z) == PB_OK;
}

static struct pb_roomba_opts
make_opts(struct fuzz_script *in, const struct pb_roomba_board *b)
{
	struct pb_roomba_opts o = pb_roomba_defaults();

	o.ghosts = fuzz_byte(in) % (b->maze.ghosts + 1);
	o.lives = fuzz_byte(in) % 4;
	o.sense = fuzz_byte(in) % 8;
	o.power_time = 1 + fuzz_byte(in);
	o.delay = 1 + fuzz_byte(in) % 8;
	o.limit = 1 + 8 * fuzz_byte(in);
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++) {
		o.nature[i].track = fuzz_byte(in) / 255.;
		o.nature[i].away = fuzz_byte(in) & 1;
	}
	must(pb_params_check(pb_roomba_params, &o) == NULL);
	return o;
}

static bool
joined(const struct pb_roomba_board *b, int from, int to)
{
	return from == to || pb_cells_dist(&b->cells, from, to) == 1;
}

static void
check_ghosts(const struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o)
{
	for (int i = 0; i < o->ghosts; i++) {
		const struct pb_roomba_ghost *g = &s->ghost[i];

		must(g->at >= 0 && g->at < b->cells.n);
		must(g->state >= PB_ROOMBA_SEARCH &&
		     g->state <= PB_ROOMBA_KILLED);
		must(!g->afraid || s->power > 0);
		for (int k = 0; k < i; k++)
			must(s->ghost[k].at != g->at);
	}
}

static void
check_game(const struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o)
{
	int left = 0;

	must(s->pacman >= 0 && s->pacman < b->cells.n);
	for (int i = 0; i < b->cells.n; i++)
		left += pb_roomba_dot(s, i);
	must(left == s->left && left <= b->pellets);
	must(s->tick <= o->limit && s->power >= 0);
	must(s->power <= o->power_time && s->stopped <= o->delay);
	must(s->combo >= 0 && s->combo <= PB_ROOMBA_GHOSTS);
	must(s->lives == o->lives - s->deaths);
	must((s->ending == PB_ROOMBA_CLEARED) <= (s->left == 0));
	check_ghosts(s, b, o);
}

/* Nobody jumps but to where he begins, and points only grow. */
static void
check_step(const struct pb_roomba *was, const struct pb_roomba *s,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o)
{
	must(s->tick == was->tick + 1);
	must(s->score >= was->score && s->left <= was->left);
	if (s->events & PB_ROOMBA_RESET)
		return;
	must(joined(b, was->pacman, s->pacman));
	for (int i = 0; i < o->ghosts; i++)
		must(joined(b, was->ghost[i].at, s->ghost[i].at));
}

static void
play(struct fuzz_script *in, const struct pb_roomba_board *b)
{
	struct pb_roomba_opts o = make_opts(in, b);
	struct pb_roomba s, was;
	bool on = true;

	o.limit = o.limit < MOST ? o.limit : MOST;
	pb_roomba_start(&s, b, &o, (unsigned)fuzz_byte(in), 0);
	check_game(&s, b, &o);
	while (on && in->at < in->end) {
		int byte = fuzz_byte(in);

		for (int i = byte >> 4; on && i >= 0; i--) {
			was = s;
			on = pb_roomba_step(
			    &s, (enum pb_dir)(byte % 16 % 5), NULL);
			must(on == (s.ending == PB_ROOMBA_ON));
			check_step(&was, &s, b, &o);
			check_game(&s, b, &o);
		}
	}
	was = s;
	if (!on)
		must(!pb_roomba_step(&s, PB_UP, NULL) && s.tick == was.tick);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	struct fuzz_script in = {bytes, bytes + n};
	struct pb_roomba_board b;
	struct pb_maze z;
	int row, col;

	if (!make_board(&in, &z))
		return 0;
	must(pb_roomba_board_wrong(&z, &row, &col) == NULL);
	must(pb_roomba_board_init(&b, &z) == PB_OK);
	play(&in, &b);
	pb_roomba_board_clear(&b);
	return 0;
}
