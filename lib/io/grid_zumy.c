/* grid_zumy.c - the Zumy game for the console. */
#include <stdlib.h>
#include <string.h>

#include "io/grid.h"
#include "io/zumyplay.h"
#include "policy/zumys.h"

struct zumy {
	const struct pb_grid_opts *w;
	struct pb_zumy_opts o; /* as the game began */
	struct pb_zumysim p;
	struct pb_zumyplay g;
};

struct copy {
	struct pb_zumy s, was;
	struct pb_zumy_fleet fleet;
	long poses;
	struct pb_rng rng;
	struct pb_zumyplay_scene scene[PB_ZUMY_PATROLS];
};

static void
take_opts(struct zumy *z)
{
	z->o = *(const struct pb_zumy_opts *)z->w->constants;
	z->p.player = pb_zumy_player_at(*z->w->player);
	z->p.seed = *z->w->seed;
	z->p.trial = *z->w->trial;
}

static bool
open_game(
    void *game, const struct pb_grid_opts *w, const struct pb_pilot *pilot)
{
	struct zumy *z = game;

	z->w = w;
	z->p = (struct pb_zumysim){.o = &z->o,
	    .board = w->board,
	    .rate = w->rate,
	    .known = PB_ZUMYKNOWN_NONE,
	    .pilot = pilot,
	    .common = w->common};
	take_opts(z);
	z->g.p = &z->p;
	return pb_chorus_begin(
		   &z->g.c, NULL, pb_zumyplay_names, 1 + PB_ZUMY_PATROLS) &&
	       pb_zumyplay_open(&z->g);
}

static void
close_game(void *game)
{
	struct zumy *z = game;

	pb_zumy_board_clear(&z->g.board);
	pb_chorus_end(&z->g.c);
}

static bool
begin(void *game, struct pb_bad *bad)
{
	struct zumy *z = game;
	const struct pb_zumy_opts *o = z->w->constants;
	const char *why = pb_zumy_fleet_wrong(&z->g.z, o);

	if (why != NULL)
		return pb_bad_set(bad, "%s", why);
	if (pb_zumy_room(&z->g.board, o) < o->patrols)
		return pb_bad_set(
		    bad, "patrols: the board has no room for so many");
	take_opts(z);
	z->g.poses = 0;
	memset(z->g.scene, 0, sizeof(z->g.scene));
	pb_zumyplay_begin(&z->g);
	return true;
}

static bool
step(void *game)
{
	struct zumy *z = game;

	pb_zumyplay_on(&z->g, pb_zumyplay_steer(&z->g));
	if (z->g.s.ending != PB_ZUMY_ON)
		pb_zumyplay_result(&z->g);
	return z->g.s.ending == PB_ZUMY_ON;
}

static double
time_of(const void *game)
{
	const struct zumy *z = game;

	return (double)z->g.s.tick / PB_ZUMY_HZ;
}

static double
pace(const void *game)
{
	(void)game;
	return 1.0 / PB_ZUMY_HZ;
}

static void *
save(const void *game)
{
	const struct pb_zumyplay *g = &((const struct zumy *)game)->g;
	struct copy *c = malloc(sizeof(*c));

	if (c == NULL)
		return NULL;
	*c = (struct copy){g->s, g->was, g->fleet, g->poses, g->rng};
	memcpy(c->scene, g->scene, sizeof(c->scene));
	return c;
}

static void
load(void *game, const void *saved)
{
	struct pb_zumyplay *g = &((struct zumy *)game)->g;
	const struct copy *c = saved;

	g->s = c->s;
	g->was = c->was;
	g->fleet = c->fleet;
	g->poses = c->poses;
	g->rng = c->rng;
	memcpy(g->scene, c->scene, sizeof(g->scene));
}

const struct pb_grid_type pb_grid_zumy = {"zumy", sizeof(struct zumy),
    open_game, close_game, begin, step, time_of, pace, save, load, free};
