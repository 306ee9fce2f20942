/* grid.c - a game on a board of cells for the console. */
#include "io/console/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/sim/world.h"

#include "io/rec/map_records.h"

struct grid {
	struct pb_stage_type stage; /* ours, with the rules' name */
	const struct pb_grid_type *type;
	const struct pb_stage_opts *w;
	void *game; /* owned */
	char *path; /* of the board, owned; NULL: the standard one */
	struct pb_pilot pilot;
	enum pb_dir stick;
	bool over;
	bool waits; /* for start, after a reset */
	struct pb_maze board;
	struct pb_seen k; /* the state as last shown */
};

struct copy {
	struct pb_seen k;
	enum pb_dir stick;
	bool steers, over, waits;
	void *game; /* owned by its type */
	const struct pb_grid_type *type;
	struct pb_sense *sense; /* owned, NULL: no sensors */
};

enum value { TIME, STATE, SCORE, LIVES, LEFT, LEVEL, MODE, PLAYER, OUTCOME };

static const char *const known[] = {"t", "state", "score", "lives", "left",
    "level", "mode", "player", "outcome", NULL};

static void
see_board(void *user, const struct pb_maze *z)
{
	struct grid *g = user;

	g->board = *z;
}

static void
see(void *user, const struct pb_seen *k)
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

/* Whether a board is asked for that is not the present one. */
static bool
moves(const struct grid *g)
{
	const char *path = *g->w->map;

	return path != NULL && (g->path == NULL || strcmp(path, g->path) != 0);
}

/* Begin on the board that is asked for. */
static bool
begin_there(struct grid *g, struct pb_bad *bad)
{
	const char *path = *g->w->map;
	char *copy = strdup(path);
	struct pb_maze z;
	struct pb_fault f;
	bool ok;

	if (copy == NULL)
		return pb_bad_nomem(bad, path);
	ok = pb_world_maze_read(path, &z, &f) ? g->type->begin(g->game, &z, bad)
	                                      : pb_bad_fault(bad, &f);
	if (!ok) {
		free(copy);
		return false;
	}
	free(g->path);
	g->path = copy;
	return true;
}

static bool
begin(void *game, struct pb_bad *bad)
{
	struct grid *g = game;
	bool steered = g->pilot.ask != NULL;

	g->pilot.ask = NULL;
	if (!(moves(g) ? begin_there(g, bad)
		       : g->type->begin(g->game, NULL, bad))) {
		g->pilot.ask = steered ? ask : NULL;
		return false;
	}
	g->over = g->waits = false;
	g->stick = PB_STAY;
	return true;
}

static bool
hold(void *game, bool on)
{
	struct grid *g = game;
	bool was = g->waits;

	g->waits = on;
	return was;
}

static bool
step(void *game)
{
	struct grid *g = game;

	if (g->over || g->waits)
		return false;
	g->over = !g->type->step(g->game);
	return true;
}

static bool
idle(const void *game)
{
	const struct grid *g = game;

	return g->over || g->waits;
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
		snprintf(out, size, "%s",
		    g->over    ? "over"
		    : g->waits ? "ready"
			       : "playing");
		break;
	case OUTCOME:
		snprintf(
		    out, size, "%s", g->over ? g->type->ending(g->game) : "");
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

static struct pb_cues *
cues(void *game)
{
	struct grid *g = game;

	return g->type->cues(g->game);
}

static void
drop(void *saved)
{
	struct copy *c = saved;

	c->type->drop(c->game);
	free(c->sense);
	free(c);
}

static void *
save(const void *game)
{
	const struct grid *g = game;
	struct copy *c = malloc(sizeof(*c));

	if (c == NULL)
		return NULL;
	*c = (struct copy){g->k, g->stick, g->pilot.ask != NULL, g->over,
	    g->waits, g->type->save(g->game), g->type, NULL};
	if (c->game != NULL &&
	    pb_senses_save(g->type->senses(g->game), &c->sense))
		return c;
	drop(c);
	return NULL;
}

static void
load(void *game, const void *saved)
{
	struct grid *g = game;
	const struct copy *c = saved;

	g->type->load(g->game, c->game);
	pb_senses_load(g->type->senses(g->game), c->sense);
	g->k = c->k;
	g->stick = c->stick;
	g->over = c->over;
	g->waits = c->waits;
	g->pilot.ask = c->steers ? ask : NULL;
}

/* The result comes with the last step. */
static void
leave(void *game)
{
	pb_cues_finish(cues(game));
}

bool
pb_grid_cues(struct pb_cues *c, struct pb_cues_opts *o,
    const struct pb_cues_opts *wanted, struct pb_text *out)
{
	struct pb_cues_opts next = *wanted;
	bool ok = pb_cues_again(c, &next, 0, out);

	*o = next;
	c->o = o;
	return ok;
}

/* Read the board and begin. */
static bool
open_game(struct grid *g)
{
	struct pb_bad bad = {""};
	const char *path = *g->w->map;

	if (!g->type->open(g->game, g->w, &g->pilot))
		return false;
	if (path != NULL && (g->path = strdup(path)) == NULL) {
		pb_msg_system("no memory for the game");
		return false;
	}
	if (begin(g, &bad))
		return true;
	if (bad.text[0] != '\0')
		pb_msg_usage("--%s", bad.text);
	return false;
}

bool
pb_grid_new(const struct pb_grid_type *t, const struct pb_stage_opts *o,
    struct pb_stage *stage)
{
	struct grid *g = calloc(1, sizeof(*g));

	*stage = (struct pb_stage){NULL, NULL};
	if (g == NULL || (g->game = calloc(1, t->size)) == NULL) {
		pb_msg_system("no memory for the game");
		free(g);
		return false;
	}
	g->stage = (struct pb_stage_type){t->rules, known, begin, step, idle,
	    time_of, pace, tell, put, NULL, t->starts ? hold : NULL, cues,
	    steer, save, load, drop, leave};
	g->type = t;
	g->w = o;
	g->pilot = (struct pb_pilot){g, see_board, see, NULL, NULL, NULL};
	stage->type = &g->stage;
	stage->game = g;
	return open_game(g);
}

void
pb_grid_free(struct pb_stage *stage)
{
	struct grid *g = stage->game;

	if (g == NULL)
		return;
	pb_cues_finish(cues(g));
	g->type->close(g->game);
	free(g->game);
	free(g->path);
	free(g);
	*stage = (struct pb_stage){NULL, NULL};
}
