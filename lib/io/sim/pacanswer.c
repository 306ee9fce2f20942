/* pacanswer.c - a player of Pacbot for somebody else's match. */
#include "io/file/filter.h"
#include "io/sim/pacsim.h"
#include "io/sim/pactick.h"

/* Somebody else's match, seen tick by tick. */
struct answers {
	const struct pb_match_board *b;
	struct pb_seat seat;
	bool begun;
};

static bool
answer(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct answers *a = f->user;
	struct pb_pacbot s;
	struct pb_bot_view v = {&s, a->b, a->seat.opts, &a->seat.rng};
	struct pb_rec_move move;

	if (!pb_pactick_read(&r->tick, &a->b->rules, &s, bad))
		return false;
	if (pb_cells_at(&a->b->cells, s.pac.row, s.pac.col) < 0)
		return pb_error_set(bad, "tick: pacman is in a wall");
	if (!a->begun)
		pb_seat_reset(&a->seat, &v);
	a->begun = true;
	PB_REC_SET(move.dir, pb_dir_word((int)pb_seat_ask(&a->seat, &v)));
	pb_put_move(&f->out, r->stamp, &move);
	return true;
}

void
pb_pacsim_answer(const struct pb_pacsim *p, const struct pb_match_board *b,
    char *const *files, int n)
{
	const struct pb_play_opts *o = p->play;
	struct answers a = {
	    .b = b, .seat = {.world = b, .opts = o->opts, .player = o->player}};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_TICK),
	    .common = o->common,
	    .take = answer,
	    .user = &a};

	if (pb_seat_open(&a.seat) != PB_OK) {
		pb_msg_system("no memory for the player");
		return;
	}
	pb_seat_start(&a.seat, o->seed, o->trial);
	pb_filter_run(&f, files, n);
	pb_filter_clear(&f);
	pb_seat_close(&a.seat);
}
