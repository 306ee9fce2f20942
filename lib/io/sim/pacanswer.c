/* pacanswer.c - a player of Pacbot for somebody else's match. */
#include <stdlib.h>

#include "io/sim/pacplay.h"
#include "io/sim/pactick.h"
#include "io/stream/filter.h"

/* Somebody else's match, seen tick by tick. */
struct answers {
	const struct pb_pacsim *p;
	const struct pb_match_board *b;
	struct pb_rng rng;
	void *mem; /* owned */
	bool begun;
};

static bool
answer(struct pb_filter *f, struct pb_rec *r, struct pb_bad *bad)
{
	struct answers *a = f->user;
	struct pb_pacbot s;
	struct pb_bot_view v = {&s, a->b, &a->p->o->game, &a->rng};
	struct pb_rec_move move;

	if (!pb_pactick_read(&r->tick, &a->b->rules, &s, bad))
		return false;
	if (pb_cells_at(&a->b->cells, s.pac.row, s.pac.col) < 0)
		return pb_bad_set(bad, "tick: pacman is in a wall");
	if (!a->begun && a->p->bot->reset)
		a->p->bot->reset(a->mem, &v);
	a->begun = true;
	PB_REC_SET(move.dir, pb_pactick_dir(a->p->bot->decide(a->mem, &v)));
	pb_put_move(&f->out, r->stamp, &move);
	return true;
}

void
pb_pacplay_answer(const struct pb_pacsim *p, const struct pb_match_board *b,
    char *const *files, int n)
{
	struct answers a = {.p = p, .b = b};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_TICK),
	    .common = p->sim.common,
	    .take = answer,
	    .user = &a};

	a.mem = malloc(p->bot->memory ? p->bot->memory(&p->o->game) : 1);
	if (!a.mem) {
		pb_msg_system("no memory for the player");
		return;
	}
	pb_rng_start(&a.rng, p->sim.seed, p->sim.trial, PB_FOR_PLAYER, 0);
	pb_filter_run(&f, files, n);
	pb_filter_clear(&f);
	free(a.mem);
}
