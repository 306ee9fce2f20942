/* grid_pacbot.c - a match of Pacbot for the console. */
#include <stdlib.h>
#include <string.h>

#include "io/console/grid.h"
#include "io/sim/pacgame.h"
#include "io/sim/pactick.h"
#include "io/sim/session.h"
#include "pb/bots.h"

struct pacbot {
	const struct pb_stage_opts *w;
	struct pb_pacsim_opts o;  /* as the match began */
	struct pb_cues_opts cues; /* the same */
	struct pb_pacsim p;
	struct pb_maze z;
	struct pb_match_board board; /* owned */
	struct pb_pacgame g;
	bool opened;
};

struct copy {
	struct pb_match match; /* its memory is the game's */
	uint8_t shown[PB_PACBOT_FRAME];
	struct pb_cell_motion hop;
	struct pb_pacbot was;
	bool forfeit;
	unsigned char mem[]; /* of the player */
};

static size_t
memory(const struct pacbot *b)
{
	return b->p.bot->memory ? b->p.bot->memory(&b->o.game) : 1;
}

static bool
open_game(
    void *game, const struct pb_stage_opts *w, const struct pb_pilot *pilot)
{
	struct pacbot *b = game;

	b->w = w;
	b->o = pb_pacsim_defaults();
	b->p = (struct pb_pacsim){.o = &b->o,
	    .sim = {.board = *w->map,
		.pilot = pilot,
		.senses = &w->session->senses,
		.cues = &b->cues,
		.common = w->common}};
	return pb_pacsim_board(*w->map, &b->z, &b->board);
}

static void
close_game(void *game)
{
	struct pacbot *b = game;

	if (b->opened)
		pb_pacgame_close(&b->g);
	pb_match_board_clear(&b->board);
}

/* Play on board z from now on. */
static bool
take_board(struct pacbot *b, const struct pb_maze *z, struct pb_bad *bad)
{
	const char *why = pb_match_board_wrong(z);
	struct pb_match_board board;

	if (why != NULL)
		return pb_bad_set(bad, "map: %s", why);
	if (pb_match_board_init(&board, z) != PB_OK)
		return pb_bad_nomem(bad, "the board");
	pb_match_board_clear(&b->board);
	b->z = *z;
	b->board = board;
	return true;
}

/* Open another match, which goes on with the cues of the last one. */
static bool
open_match(struct pacbot *b)
{
	struct pb_cues cues = b->g.cues;
	bool ok;

	b->g.cues = (struct pb_cues){.o = NULL};
	if (b->opened)
		pb_pacgame_close(&b->g);
	b->opened = true;
	ok = pb_pacgame_open(&b->g, &b->p, &b->z, &b->board, b->w->out);
	b->g.cues = cues;
	return ok;
}

static bool
begin(void *game, const struct pb_maze *z, struct pb_bad *bad)
{
	struct pacbot *b = game;
	const struct pb_session_opts *s = b->w->session;
	const struct pb_match_opts *o = b->w->constants;
	const char *field;

	if (pb_match_check(o, &field) != PB_OK)
		return pb_bad_set(bad, "%s: out of range", field);
	if (pb_sense_check(&s->senses.sense, &field) != PB_OK)
		return pb_bad_set(bad, "%s", field);
	if (z != NULL && !take_board(b, z, bad))
		return false;
	b->o.game = *o;
	b->o.heading = *b->w->heading;
	b->p.bot = pb_bot_at(*b->w->player);
	b->p.sim.seed = s->seed;
	b->p.sim.trial = s->trial;
	return open_match(b) &&
	       pb_grid_cues(&b->g.cues, &b->cues, &s->cues, b->w->out) &&
	       pb_pacgame_begin(&b->g);
}

static bool
step(void *game)
{
	struct pacbot *b = game;
	bool on = pb_pacgame_step(&b->g);

	if (!on)
		pb_pacgame_result(&b->g);
	return on;
}

static const char *
ending(const void *game)
{
	return pb_match_ending_name(
	    ((const struct pacbot *)game)->g.match.out.ending);
}

static double
time_of(const void *game)
{
	const struct pacbot *b = game;

	return pb_pactick_stamp(b->g.match.out.ticks).t;
}

static double
pace(const void *game)
{
	(void)game;
	return 1.0 / PB_PACBOT_FPS;
}

static struct pb_cues *
cues(void *game)
{
	struct pacbot *b = game;

	return &b->g.cues;
}

static struct pb_senses *
senses(void *game)
{
	struct pacbot *b = game;

	return &b->g.senses;
}

static void *
save(const void *game)
{
	const struct pacbot *b = game;
	size_t n = memory(b);
	struct copy *c = malloc(sizeof(*c) + n);

	if (c == NULL)
		return NULL;
	c->match = b->g.match;
	memcpy(c->shown, b->g.shown, sizeof(c->shown));
	c->hop = b->g.hop;
	c->was = b->g.was;
	c->forfeit = b->g.forfeit;
	memcpy(c->mem, b->g.mem, n);
	return c;
}

static void
load(void *game, const void *saved)
{
	struct pacbot *b = game;
	const struct copy *c = saved;

	b->g.match = c->match;
	memcpy(b->g.shown, c->shown, sizeof(c->shown));
	b->g.hop = c->hop;
	b->g.was = c->was;
	b->g.forfeit = c->forfeit;
	memcpy(b->g.mem, c->mem, memory(b));
}

const struct pb_grid_type pb_grid_pacbot = {"pacbot", sizeof(struct pacbot),
    open_game, close_game, begin, step, ending, time_of, pace, cues, senses,
    save, load, free};
