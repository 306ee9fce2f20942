/*
 * zumy.c - any bytes as a random board, options and moves of the Zumy game:
 * after each tick the game is one that the rules know.
 */
#include "fuzz.h"
#include "../unit/usual.h"

#include "game/zumy/zumy.h"
#include "map/board.h"
#include "pb/maze.h"

/* So long may one input play, or few could (ticks). */
enum { MOST = 300 };

static bool
make_board(struct fuzz_script *in, struct pb_maze *z)
{
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_ZUMY);

	o.rows = PB_BOARD_SIDE_MIN + fuzz_byte(in) % 10;
	o.cols = PB_BOARD_SIDE_MIN + fuzz_byte(in) % 10;
	o.seed = (unsigned)fuzz_byte(in);
	o.obstacles = fuzz_byte(in) % 60 / 100.;
	return pb_gen_board(&o, z) == PB_OK;
}

static struct pb_zumy_opts
make_opts(struct fuzz_script *in, const struct pb_zumy_board *b)
{
	struct pb_zumy_opts o = pb_zumy_defaults();
	int flags = fuzz_byte(in);

	o.patrols = fuzz_byte(in) % (PB_ZUMY_PATROLS + 1);
	o.cell_time = 1 + fuzz_byte(in) % 16;
	o.turn_time = fuzz_byte(in) % 8;
	o.ping = 1 + fuzz_byte(in);
	o.range = fuzz_byte(in) % 5;
	o.near = 1 + fuzz_byte(in) % 7;
	o.limit = 1 + 16 * fuzz_byte(in);
	o.memory = fuzz_byte(in) / 256.;
	o.share = flags & 1;
	o.compat = flags >> 1 & 1;
	must(pb_params_check(pb_zumy_params, &o) == NULL);
	while (o.patrols > pb_zumy_room(b, &o))
		o.patrols--;
	return o;
}

/* On the board, or on the copies of it that patrols may plan over. */
static bool
on_board(const struct pb_zumy_board *b, struct pb_zumy_cell c, bool wraps)
{
	if (wraps && c.col < 0)
		c.col = (int8_t)(c.col + b->ground.cols);
	if (wraps && c.row >= b->ground.rows)
		c.row = (int8_t)(c.row - b->ground.rows);
	return c.row >= 0 && c.row < b->ground.rows && c.col >= 0 &&
	       c.col < b->ground.cols &&
	       pb_zumy_has(&b->ground.open, c.row, c.col);
}

static bool
same(struct pb_zumy_cell a, struct pb_zumy_cell b)
{
	return a.row == b.row && a.col == b.col;
}

static void
check_body(
    const struct pb_zumy_body *p, const struct pb_zumy_board *b, bool wraps)
{
	must(on_board(b, p->at, wraps) && on_board(b, p->to, wraps));
	must(pb_zumy_manhattan(p->at, p->to) <= 1);
	must(p->turn >= 0 && p->drive >= 0);
	must(p->facing >= 0 && p->facing < 4);
}

static void
check_game(const struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o)
{
	check_body(&s->player, b, false);
	must(s->tick <= o->limit && s->by >= -1 && s->by < o->patrols);
	for (int i = 0; i < o->patrols; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		check_body(&p->body, b, o->compat);
		must(p->s >= 0 && p->s <= 1);
		must(o->compat || !same(p->body.at, s->player.at));
		for (int k = 0; k < i; k++)
			must(o->compat ||
			     !same(p->body.at, s->patrol[k].body.at));
	}
}

static void
play(struct fuzz_script *in, const struct pb_zumy_board *b)
{
	struct pb_zumy_opts o = make_opts(in, b);
	struct pb_zumy s;
	bool on = true;

	o.limit = o.limit < MOST ? o.limit : MOST;
	pb_zumy_start(&s, b, &o, (unsigned)fuzz_byte(in), 0);
	check_game(&s, b, &o);
	while (on && in->at < in->end) {
		int byte = fuzz_byte(in), tick = s.tick;

		for (int i = byte >> 3; on && i >= 0; i--) {
			on = pb_zumy_tick(
			    &s, (enum pb_dir)(byte % 8 % 5), NULL, NULL);
			must(on == (s.ending == PB_ZUMY_ON));
			must(s.tick > tick);
			check_game(&s, b, &o);
		}
	}
	if (!on)
		must(!pb_zumy_tick(&s, PB_UP, NULL, NULL));
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	struct fuzz_script in = {bytes, bytes + n};
	struct pb_zumy_board b;
	struct pb_maze z;

	if (!make_board(&in, &z))
		return 0;
	must(pb_zumy_board_wrong(&z) == NULL);
	must(pb_zumy_board_init(&b, &z) == PB_OK);
	play(&in, &b);
	pb_zumy_board_clear(&b);
	return 0;
}
