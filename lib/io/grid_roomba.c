/* grid_roomba.c - the Roomba game for the console. */
#include <stdlib.h>

#include "io/grid.h"
#include "io/roombaplay.h"
#include "policy/roombas.h"

struct roomba {
	const struct pb_grid_opts *w;
	struct pb_roomba_opts o; /* as the game began */
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
	r->p.seed = *r->w->seed;
	r->p.trial = *r->w->trial;
}

static bool
open_game(
    void *game, const struct pb_grid_opts *w, const struct pb_pilot *pilot)
{
	struct roomba *r = game;

	r->w = w;
	r->p = (struct pb_roombasim){.o = &r->o,
	    .board = w->board,
	    .rate = w->rate,
	    .pilot = pilot,
	    .common = w->common};
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

	pb_roomba_board_clear(&r->g.board);
	pb_chorus_end(&r->g.c);
}

static bool
begin(void *game, struct pb_bad *bad)
{
	struct roomba *r = game;
	const struct pb_roomba_opts *o = r->w->constants;
	const char *why = pb_roomba_fleet_wrong(&r->g.z, o);

	if (why != NULL)
		return pb_bad_set(bad, "%s", why);
	if (o->ghosts > r->g.z.ghosts)
		return pb_bad_set(
		    bad, "ghosts: the board has places for %d", r->g.z.ghosts);
	take_opts(r);
	r->g.poses = 0;
	pb_roombaplay_begin(&r->g);
	return true;
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
    open_game, close_game, begin, step, time_of, pace, save, load, free};
