/* grid.c - a game on a board of cells for the console. */
#include "io/grid.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/rec/map.h"

struct grid {
	struct pb_stage_type stage; /* ours, with the rules' name */
	const struct pb_grid_type *type;
	void *game; /* owned */
	struct pb_pilot pilot;
	enum pb_dir stick;
	bool over;
	struct pb_maze board;
	struct pb_rec_tick k; /* the state as last shown */
};

struct copy {
	struct pb_rec_tick k;
	enum pb_dir stick;
	bool steers, over;
	void *game; /* owned by its type */
	const struct pb_grid_type *type;
};

enum value { TIME, STATE, SCORE, LIVES, LEFT, LEVEL, MODE, PLAYER };

static const char *const known[] = {
    "t", "state", "score", "lives", "left", "level", "mode", "player", NULL};

static void
see_board(void *user, const struct pb_maze *z)
{
	struct grid *g = user;

	g->board = *z;
}

static void
see(void *user, const struct pb_rec_tick *k)
{
	struct grid *g = user;

	g->k = *k;
}

static bool
ask(void *user, double t, enum pb_dir *stick)
{
	const struct grid *g = user;

	(void)t;
	*stick = g->stick;
	return true;
}

static bool
begin(void *game, struct pb_bad *bad)
{
	struct grid *g = game;
	bool steered = g->pilot.ask != NULL;

	g->pilot.ask = NULL;
	if (!g->type->begin(g->game, bad)) {
		g->pilot.ask = steered ? ask : NULL;
		return false;
	}
	g->over = false;
	g->stick = PB_STAY;
	return true;
}

static bool
step(void *game)
{
	struct grid *g = game;

	if (g->over)
		return false;
	g->over = !g->type->step(g->game);
	return true;
}

static bool
idle(const void *game)
{
	return ((const struct grid *)game)->over;
}

static double
time_of(const void *game)
{
	const struct grid *g = game;

	return g->type->time(g->game);
}

static double
pace(const void *game)
{
	const struct grid *g = game;

	return g->type->pace(g->game);
}

static void
tell_count(long n, char *out, size_t size)
{
	if (n >= 0)
		snprintf(out, size, "%ld", n);
	else
		out[0] = '\0';
}

static void
tell(const void *game, int i, char *out, size_t size)
{
	const struct grid *g = game;
	const long n[] = {[SCORE] = g->k.score,
	    [LIVES] = g->k.lives,
	    [LEFT] = g->k.left,
	    [LEVEL] = g->k.level};

	switch (i) {
	case TIME:
		snprintf(out, size, "%.6g", time_of(g));
		break;
	case STATE:
		snprintf(out, size, "%s", g->over ? "over" : "playing");
		break;
	case MODE:
		snprintf(out, size, "%s", g->k.mode);
		break;
	case PLAYER:
		snprintf(
		    out, size, "%d,%d", g->k.body[0].row, g->k.body[0].col);
		break;
	default:
		tell_count(n[i], out, size);
	}
}

static bool
put(void *game, enum pb_stage_view v, struct pb_text *o)
{
	const struct grid *g = game;

	if (v == PB_STAGE_SCORES || v == PB_STAGE_PELLETS)
		return false;
	if (v == PB_STAGE_PICTURE)
		pb_put_maze(o, &g->board);
	pb_put_tick(o, pb_stamp_at(time_of(g), NULL), &g->k);
	return true;
}

static void
steer(void *game, enum pb_dir d)
{
	struct grid *g = game;

	g->pilot.ask = ask;
	g->stick = d;
}

static void *
save(const void *game)
{
	const struct grid *g = game;
	struct copy *c = malloc(sizeof(*c));

	if (c == NULL)
		return NULL;
	*c = (struct copy){g->k, g->stick, g->pilot.ask != NULL, g->over,
	    g->type->save(g->game), g->type};
	if (c->game != NULL)
		return c;
	free(c);
	return NULL;
}

static void
load(void *game, const void *saved)
{
	struct grid *g = game;
	const struct copy *c = saved;

	g->type->load(g->game, c->game);
	g->k = c->k;
	g->stick = c->stick;
	g->over = c->over;
	g->pilot.ask = c->steers ? ask : NULL;
}

static void
drop(void *saved)
{
	struct copy *c = saved;

	c->type->drop(c->game);
	free(c);
}

static void
leave(void *game)
{
	(void)game; /* the result comes with the last step */
}

bool
pb_grid_new(const struct pb_grid_type *t, const struct pb_grid_opts *o,
    struct pb_stage *stage)
{
	struct grid *g = calloc(1, sizeof(*g));
	struct pb_bad bad = {""};

	*stage = (struct pb_stage){NULL, NULL};
	if (g == NULL || (g->game = calloc(1, t->size)) == NULL) {
		pb_msg_system("no memory for the game");
		free(g);
		return false;
	}
	g->stage = (struct pb_stage_type){t->rules, known, begin, step, idle,
	    time_of, pace, tell, put, NULL, steer, save, load, drop, leave};
	g->type = t;
	g->pilot = (struct pb_pilot){g, see_board, see, NULL};
	stage->type = &g->stage;
	stage->game = g;
	if (!t->open(g->game, o, &g->pilot))
		return false;
	if (begin(g, &bad))
		return true;
	if (bad.text[0] != '\0')
		pb_msg_usage("--%s", bad.text);
	return false;
}

void
pb_grid_free(struct pb_stage *stage)
{
	struct grid *g = stage->game;

	if (g == NULL)
		return;
	g->type->close(g->game);
	free(g->game);
	free(g);
	*stage = (struct pb_stage){NULL, NULL};
}
