/* grid_zumy.c - the Zumy game for the console. */
#include <stdlib.h>
#include <string.h>

#include "io/console/grid.h"
#include "io/sim/session.h"
#include "io/sim/zumyplay.h"
#include "policy/zumys.h"

struct zumy {
	const struct pb_stage_opts *w;
	struct pb_zumy_opts o;    /* as the game began */
	struct pb_cues_opts cues; /* the same */
	struct pb_zumysim p;
	struct pb_zumyplay g;
};

struct copy {
	struct pb_zumy s, was;
	struct pb_zumy_fleet fleet;
	long poses;
	struct pb_rng rng;
	struct pb_zumyplay_scene scene[PB_ZUMY_PATROLS];
	struct pb_zumyknown known;
};

static void
take_opts(struct zumy *z)
{
	z->o = *(const struct pb_zumy_opts *)z->w->constants;
	z->p.player = pb_zumy_player_at(*z->w->player);
	z->p.sim.seed = z->w->session->seed;
	z->p.sim.trial = z->w->session->trial;
	z->p.rate = 1 / z->w->session->period;
}

static bool
open_game(
    void *game, const struct pb_stage_opts *w, const struct pb_pilot *pilot)
{
	struct zumy *z = game;

	z->w = w;
	z->p = (struct pb_zumysim){.o = &z->o,
	    .sim = {.board = *w->map,
		.pilot = pilot,
		.senses = &w->session->senses,
		.cues = &z->cues,
		.common = w->common}};
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

	pb_senses_end(&z->g.senses);
	pb_zumyplay_close(&z->g);
	pb_chorus_end(&z->g.c);
}

/* What the tables of another board are; freed if they are not taken. */
static bool
read_board(
    const struct pb_maze *maze, struct pb_zumy_board *board, struct pb_bad *bad)
{
	const char *why = pb_zumy_board_wrong(maze);

	if (why != NULL)
		return pb_bad_set(bad, "map: %s", why);
	return pb_zumy_board_init(board, maze) == PB_OK ||
	       pb_bad_nomem(bad, "the board");
}

/* Whether the game can be played as it is wanted. */
static bool
check(const struct zumy *z, const struct pb_maze *maze,
    const struct pb_zumy_board *board, struct pb_bad *bad)
{
	const struct pb_zumy_opts *o = z->w->constants;
	const char *why = pb_zumy_fleet_wrong(maze, o);

	if (why == NULL)
		pb_sense_check(&z->w->session->senses.sense, &why);
	if (why == NULL && pb_zumy_room(board, o) < o->patrols)
		why = "patrols: the board has no room for so many";
	return why == NULL || pb_bad_set(bad, "%s", why);
}

/* Play on that board from now on. */
static bool
take_board(struct zumy *z, const struct pb_maze *maze, struct pb_bad *bad)
{
	struct pb_zumy_board board;

	if (!read_board(maze, &board, bad))
		return false;
	if (!check(z, maze, &board, bad)) {
		pb_zumy_board_clear(&board);
		return false;
	}
	pb_zumy_board_clear(&z->g.board);
	z->g.board = board;
	z->g.z = *maze;
	return true;
}

static bool
begin(void *game, const struct pb_maze *maze, struct pb_bad *bad)
{
	struct zumy *z = game;
	const struct pb_stage_opts *w = z->w;
	const struct pb_zumy_opts *o = w->constants;
	int who;

	if (!pb_zumyknown_find(*w->known, o->patrols, &who, bad))
		return false;
	if (!(maze != NULL ? take_board(z, maze, bad)
			   : check(z, &z->g.z, &z->g.board, bad)))
		return false;
	take_opts(z);
	z->p.known = who;
	z->g.poses = 0;
	memset(z->g.scene, 0, sizeof(z->g.scene));
	pb_senses_end(&z->g.senses);
	if (!pb_grid_cues(&z->g.cues, &z->cues, &w->session->cues, &z->g.c.out))
		return false;
	pb_zumyplay_begin(&z->g);
	return !z->g.c.failed;
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

static const char *
ending(const void *game)
{
	return pb_zumy_ending_name(
	    (enum pb_zumy_ending)((const struct zumy *)game)->g.s.ending);
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

static struct pb_cues *
cues(void *game)
{
	struct zumy *z = game;

	return &z->g.cues;
}

static struct pb_senses *
senses(void *game)
{
	struct zumy *z = game;

	return &z->g.senses;
}

static void *
save(const void *game)
{
	const struct pb_zumyplay *g = &((const struct zumy *)game)->g;
	struct copy *c = malloc(sizeof(*c));

	if (c == NULL)
		return NULL;
	*c = (struct copy){g->s, g->was, g->fleet, g->poses, g->rng};
	c->known = g->known;
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
	g->known = c->known;
}

const struct pb_grid_type pb_grid_zumy = {"zumy", sizeof(struct zumy),
    open_game, close_game, begin, step, ending, time_of, pace, cues, senses,
    save, load, free};
