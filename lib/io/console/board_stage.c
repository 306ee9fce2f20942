/* board_stage.c - a game on a board of cells for the console. */
#include "io/console/board_stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/play/pacmanbot_session.h"
#include "io/play/play.h"
#include "io/play/world.h"
#include "io/rec/rec.h"

struct grid {
	struct pb_stage_type stage; /* ours, with the rules' name */
	const struct pb_game *game;
	const struct pb_stage_opts *w;
	struct pb_play_opts o;    /* as the game began */
	struct pb_cues_opts cues; /* the same */
	_Alignas(double) unsigned char opts[PB_RULES_OPTS];
	struct pb_play p;
	char *path; /* of the board, owned; NULL: the standard one */
	struct pb_pilot pilot;
	enum pb_dir stick;
	bool over;
	bool waits;       /* for start, after a reset */
	struct pb_seen k; /* the state as last shown */
};

struct copy {
	struct pb_seen k;
	enum pb_dir stick;
	bool steers, over, waits;
	struct pb_play_copy *game; /* owned */
};

enum value { TIME, STATE, SCORE, LIVES, LEFT, LEVEL, MODE, PLAYER, OUTCOME };

static const char *const known[] = {"t", "state", "score", "lives", "left",
    "level", "mode", "player", "outcome", NULL};

static void
see_board(void *user, const struct pb_maze *z)
{
	(void)user;
	(void)z;
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

/* What is wanted now. */
static void
take_opts(struct grid *g)
{
	const struct pb_stage_opts *w = g->w;
	const struct pb_session_opts *s = w->session;

	memcpy(g->opts, w->constants, g->game->opts_size);
	g->o = (struct pb_play_opts){.game = g->game,
	    .player = pb_games[w->rules].player[*w->player],
	    .opts = g->opts,
	    .board = *w->map,
	    .seed = s->seed,
	    .trial = s->trial,
	    .rate = 1 / s->period,
	    .heading = *w->heading,
	    .senses = &s->senses,
	    .cues = &g->cues,
	    .pilot = &g->pilot,
	    .common = w->common};
}

/* Whether options go together, whatever the board. */
static bool
check(const struct grid *g, unsigned *who, struct pb_error *bad)
{
	const struct pb_stage_opts *w = g->w;
	const char *field = pb_game_check(g->game, w->constants);

	if (field != NULL)
		return pb_error_set(bad, "%s: out of range", field);
	if (pb_sense_check(&w->session->senses.sense, &field) != PB_OK)
		return pb_error_set(bad, "%s", field);
	return pb_explorers_find(g->game, w->constants, *w->known, who, bad);
}

/* Whether a board is asked for that is not the present one. */
static bool
moves(const struct grid *g)
{
	const char *path = *g->w->map;

	return path != NULL && (g->path == NULL || strcmp(path, g->path) != 0);
}

/* The board that is asked for. */
static bool
find_board(const struct grid *g, struct pb_maze *z, struct pb_error *bad)
{
	struct pb_error f;

	if (moves(g))
		return pb_world_maze_read(*g->w->map, z, &f) ||
		       pb_error_quote(bad, &f);
	*z = g->p.maze;
	return true;
}

/* Play on that board with the options as they are now. */
static bool
take_board(
    struct grid *g, const struct pb_maze *z, unsigned who, struct pb_error *bad)
{
	char *path = *g->w->map != NULL ? strdup(*g->w->map) : NULL;
	struct pb_error why;
	_Alignas(double) unsigned char was[PB_RULES_OPTS];

	if (*g->w->map != NULL && path == NULL)
		return pb_error_nomem(bad, *g->w->map);
	memcpy(was, g->opts, sizeof(was));
	memcpy(g->opts, g->w->constants, g->game->opts_size);
	if (!pb_play_on_board(&g->p, z, &why)) {
		memcpy(g->opts, was, sizeof(was));
		free(path);
		return pb_error_set(bad, "map: %s", why.text);
	}
	free(g->path);
	g->path = path;
	take_opts(g);
	g->o.explorers = who;
	return true;
}

static bool
begin(void *game, struct pb_error *bad)
{
	struct grid *g = game;
	bool steered = g->pilot.ask != NULL;
	struct pb_cues_opts cues = g->w->session->cues;
	unsigned who;
	struct pb_maze z;

	g->pilot.ask = NULL;
	if (!check(g, &who, bad) || !find_board(g, &z, bad) ||
	    !take_board(g, &z, who, bad)) {
		g->pilot.ask = steered ? ask : NULL;
		return false;
	}
	if (!pb_cues_again(&g->p.cues, &cues, 0, &g->p.c.out))
		g->p.failed = true;
	g->cues = cues;
	g->p.cues.o = &g->cues;
	g->over = g->waits = false;
	g->stick = PB_STAY;
	bad->text[0] = '\0';
	return !g->p.failed && pb_play_begin(&g->p);
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
	g->over = !pb_play_step(&g->p);
	if (g->over)
		pb_play_result(&g->p);
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

	return pb_play_time(&g->p);
}

static double
pace(const void *game)
{
	const struct grid *g = game;

	return g->game->dt(g->p.state);
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
		snprintf(out, size, "%s",
		    g->over ? g->game->ending(g->p.state) : "");
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
		pb_rec_put(o, PB_REC_MAZE, pb_stamp_none(), &g->p.maze);
	pb_rec_put(o, PB_REC_TICK, pb_stamp_at(time_of(g), NULL), &g->k);
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

	return &g->p.cues;
}

static void
drop(void *saved)
{
	struct copy *c = saved;

	pb_play_drop(c->game);
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
	    g->waits, pb_play_save(&g->p)};
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

	pb_play_load(&g->p, c->game);
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

/* Read the board and begin. */
static bool
open_game(struct grid *g)
{
	struct pb_error bad = {""};

	take_opts(g);
	if (!pb_play_open(&g->p, &g->o))
		return false;
	if (*g->w->map != NULL && (g->path = strdup(*g->w->map)) == NULL) {
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
pb_grid_new(const struct pb_stage_opts *o, struct pb_stage *stage)
{
	struct grid *g = calloc(1, sizeof(*g));

	*stage = (struct pb_stage){NULL, NULL};
	if (g == NULL) {
		pb_msg_system("no memory for the game");
		return false;
	}
	g->game = pb_games[o->rules].game;
	g->stage = (struct pb_stage_type){g->game->name, known, begin, step,
	    idle, time_of, pace, tell, put, NULL, g->game->starts ? hold : NULL,
	    cues, steer, save, load, drop, leave};
	g->w = o;
	g->p.game = g->game;
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
	pb_play_close(&g->p);
	free(g->path);
	free(g);
	*stage = (struct pb_stage){NULL, NULL};
}
