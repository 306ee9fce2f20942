/* grid_roomba.c - the Roomba game for the console. */
#include <stdlib.h>

#include "io/console/grid.h"
#include "io/sim/roombaplay.h"
#include "io/sim/session.h"
#include "policy/roombas.h"

struct roomba {
	const struct pb_stage_opts *w;
	struct pb_roomba_opts o;  /* as the game began */
	struct pb_cues_opts cues; /* the same */
	struct pb_roombasim p;
	struct pb_roombaplay g;
};

struct copy {
	struct pb_roomba s;
	struct pb_roomba_fleet fleet;
	long poses;
	struct pb_rng rng;
};

static void
take_opts(struct roomba *r)
{
	r->o = *(const struct pb_roomba_opts *)r->w->constants;
	r->p.player = pb_roomba_player_at(*r->w->player);
	r->p.sim.seed = r->w->session->seed;
	r->p.sim.trial = r->w->session->trial;
	r->p.rate = 1 / r->w->session->period;
}

static bool
open_game(
    void *game, const struct pb_stage_opts *w, const struct pb_pilot *pilot)
{
	struct roomba *r = game;

	r->w = w;
	r->p = (struct pb_roombasim){.o = &r->o,
	    .sim = {.board = *w->map,
		.pilot = pilot,
		.senses = &w->session->senses,
		.cues = &r->cues,
		.common = w->common}};
	take_opts(r);
	r->g.p = &r->p;
	return pb_chorus_begin(
		   &r->g.c, NULL, pb_roombaplay_names, 1 + PB_ROOMBA_GHOSTS) &&
	       pb_roombaplay_open(&r->g);
}

static void
close_game(void *game)
{
	struct roomba *r = game;

	pb_senses_end(&r->g.senses);
	pb_roomba_board_clear(&r->g.board);
	pb_chorus_end(&r->g.c);
}

/* What is wrong with playing on z. */
static const char *
wrong(const struct pb_maze *z, const struct pb_roomba_opts *o)
{
	const char *why = pb_roomba_fleet_wrong(z, o);

	if (why == NULL && o->ghosts > z->ghosts)
		why = "ghosts: the board has no places for so many";
	return why;
}

/* Play on board z from now on. */
static bool
take_board(struct roomba *r, const struct pb_maze *z, struct pb_bad *bad)
{
	struct pb_roomba_board board;
	int row, col;
	const char *why = pb_roomba_board_wrong(z, &row, &col);

	if (why != NULL)
		return pb_bad_set(bad, "map: %s", why);
	if (pb_roomba_board_init(&board, z) != PB_OK)
		return pb_bad_nomem(bad, "the board");
	pb_roomba_board_clear(&r->g.board);
	r->g.board = board;
	r->g.z = *z;
	return true;
}

static bool
begin(void *game, const struct pb_maze *z, struct pb_bad *bad)
{
	struct roomba *r = game;
	const struct pb_session_opts *s = r->w->session;
	const char *why = wrong(z != NULL ? z : &r->g.z, r->w->constants);

	if (why == NULL)
		pb_sense_check(&s->senses.sense, &why);
	if (why != NULL)
		return pb_bad_set(bad, "%s", why);
	if (z != NULL && !take_board(r, z, bad))
		return false;
	take_opts(r);
	r->g.poses = 0;
	pb_senses_end(&r->g.senses);
	if (!pb_grid_cues(&r->g.cues, &r->cues, &s->cues, &r->g.c.out))
		return false;
	pb_roombaplay_begin(&r->g);
	return !r->g.c.failed;
}

static bool
step(void *game)
{
	struct roomba *r = game;
	bool on = pb_roombaplay_on(&r->g, pb_roombaplay_stick(&r->g));

	if (!on)
		pb_roombaplay_result(&r->g);
	return on;
}

static const char *
ending(const void *game)
{
	return pb_roomba_ending_name(
	    (enum pb_roomba_ending)((const struct roomba *)game)->g.s.ending);
}

static double
time_of(const void *game)
{
	const struct roomba *r = game;

	return pb_roombaplay_time(&r->g);
}

static double
pace(const void *game)
{
	const struct roomba *r = game;

	return pb_roombaplay_drives(&r->g)
	           ? pb_roomba_fleet_dt(&r->g.board, &r->o)
	           : 1;
}

static struct pb_cues *
cues(void *game)
{
	struct roomba *r = game;

	return &r->g.cues;
}

static struct pb_senses *
senses(void *game)
{
	struct roomba *r = game;

	return &r->g.senses;
}

static void *
save(const void *game)
{
	const struct pb_roombaplay *g = &((const struct roomba *)game)->g;
	struct copy *c = malloc(sizeof(*c));

	if (c != NULL)
		*c = (struct copy){g->s, g->fleet, g->poses, g->rng};
	return c;
}

static void
load(void *game, const void *saved)
{
	struct pb_roombaplay *g = &((struct roomba *)game)->g;
	const struct copy *c = saved;

	g->s = c->s;
	g->fleet = c->fleet;
	g->poses = c->poses;
	g->rng = c->rng;
}

const struct pb_grid_type pb_grid_roomba = {"roomba", sizeof(struct roomba),
    open_game, close_game, begin, step, ending, time_of, pace, cues, senses,
    save, load, free, .starts = true};
