/* stage.c - a game as the console commands it. */
#include "io/console/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/score.h"
#include "game/pellets.h"
#include "io/play/weights_opt.h"
#include "io/play/run.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"

/* Whether it is played on a map. */
static bool
on_map(const struct pb_stage *s)
{
	return s->p.game->board == NULL;
}

static void
see(void *user, const struct pb_seen *k)
{
	((struct pb_stage *)user)->k = *k;
}

static bool
ask(void *user, double t, enum pb_dir *stick)
{
	(void)t;
	*stick = ((const struct pb_stage *)user)->stick;
	return true;
}

void
pb_stage_steer(struct pb_stage *s, enum pb_dir d)
{
	s->pilot.ask = ask;
	s->stick = d;
}

/* Take what is wanted now; the options but for the constants. */
static void
take_opts(struct pb_stage *s)
{
	const struct pb_stage_opts *w = s->w;

	s->session = *w->session;
	s->o.player = pb_games[w->rules].player[*w->player];
	s->o.board = *w->map;
	s->o.heading = *w->heading;
}

/* Whether options go together, whatever the ground. */
static bool
check(const struct pb_stage *s, unsigned *who, struct pb_error *bad)
{
	const struct pb_stage_opts *w = s->w;
	const char *why;
	const char *field = pb_game_check(s->p.game, w->constants, &why);

	struct pb_error no;

	if (field != NULL)
		return pb_error_set(bad, "%s: %s", field, why);
	if (!pb_weights_suit(s->p.game, pb_games[w->rules].player[*w->player],
		w->constants, true, &no))
		return pb_error_set(bad, "policy: %.300s", no.text);
	if ((field = pb_sense_wrong(&w->session->senses.sense)) != NULL)
		return pb_error_set(bad, "%s", field);
	return pb_explorers_find(s->p.game, w->constants, *w->known, who, bad);
}

/* Another ground: its file, and what is in it. */
struct ground {
	char *path; /* owned; NULL: the present one */
	struct pb_maze maze;
	struct pb_world land;
};

/* Read the ground that is asked for, if it is not the present one. */
static bool
find_ground(const struct pb_stage *s, struct ground *g, struct pb_error *bad)
{
	const char *path = *s->w->map;
	struct pb_error why;

	if (path == NULL || (s->path != NULL && strcmp(path, s->path) == 0))
		return true;
	g->path = strdup(path);
	if (g->path == NULL)
		return pb_error_nomem(bad, path);
	return (on_map(s) ? pb_world_read(&g->land, path, &why)
			  : pb_world_maze_read(path, &g->maze, &why)) ||
	       pb_error_quote(bad, &why);
}

static struct pb_ground
ground_of(const struct pb_stage *s, const struct ground *g)
{
	if (g->path == NULL)
		return pb_play_ground(&s->p);
	if (on_map(s))
		return (struct pb_ground){
		    .map = &g->land.map, .truth = s->session.truth};
	return (struct pb_ground){.maze = &g->maze};
}

/* Play on that ground, with what is wanted now; if not, nothing changes. */
static bool
take_ground(struct pb_stage *s, struct ground *g, struct pb_error *bad)
{
	const struct pb_ground ground = ground_of(s, g);
	const struct pb_play_opts o = s->o;
	const struct pb_session_opts session = s->session;
	_Alignas(double) unsigned char opts[PB_RULES_OPTS];
	struct pb_error why;

	memcpy(opts, s->opts, sizeof(opts));
	memcpy(s->opts, s->w->constants, s->p.game->opts_size);
	take_opts(s);
	if (!pb_play_on(&s->p, &ground, &why)) {
		memcpy(s->opts, opts, sizeof(opts));
		s->o = o;
		s->session = session;
		*bad = why;
		return on_map(s) || why.text[0] == '\0'
		           ? false
		           : pb_error_set(bad, "map: %s", why.text);
	}
	if (g->path == NULL)
		return true;
	free(s->path);
	s->path = g->path;
	g->path = NULL;
	if (on_map(s)) {
		pb_world_clear(&s->p.land);
		s->p.land = g->land;
		g->land = (struct pb_world){.has_map = false};
		pb_rec_put(
		    &s->p.c.out, PB_REC_MAP, pb_stamp_none(), &s->p.land.map);
	}
	return true;
}

/* Lights and sounds of the next game; the file of sounds goes on. */
static bool
take_cues(struct pb_stage *s)
{
	const struct pb_cues_opts *next = &s->w->session->cues;
	bool ok = pb_cues_again(&s->p.cues, next, &s->p.c.out);

	s->cues = *next;
	s->p.cues.o = &s->cues;
	return ok;
}

bool
pb_stage_begin(struct pb_stage *s, struct pb_error *bad)
{
	struct ground g = {.path = NULL};
	unsigned who;
	bool ok = check(s, &who, bad) && find_ground(s, &g, bad) &&
	          take_ground(s, &g, bad);

	free(g.path);
	pb_world_clear(&g.land);
	if (!ok)
		return false;
	s->o.explorers = who;
	s->pilot.ask = NULL;
	s->waits = false;
	s->stick = PB_STAY;
	bad->text[0] = '\0';
	return take_cues(s) && pb_play_begin(&s->p);
}

bool
pb_stage_hold(struct pb_stage *s, bool on)
{
	bool was = s->waits;

	s->waits = on;
	return was;
}

bool
pb_stage_step(struct pb_stage *s)
{
	if (on_map(s)) {
		if (pb_operator_over(&s->p))
			return false;
		pb_operator_step(&s->p);
		return true;
	}
	if (s->p.over || s->waits)
		return false;
	if (!pb_play_step(&s->p)) {
		s->p.over = true;
		pb_play_result(&s->p);
	}
	return true;
}

bool
pb_stage_idle(const struct pb_stage *s)
{
	return on_map(s) ? pb_operator_idle(&s->p) || pb_operator_over(&s->p)
	                 : s->p.over || s->waits;
}

/* What is known of a game, by board and by map. */
enum value {
	TIME,
	STATE,
	ROUND,
	SPAWNED,
	COLLECTED,
	LEFT,
	SCORE,
	RESULT,
	LOCALIZED,
	SPEED,
	ROBOT,
	GHOST,
	ENDED,
	LIVES,
	LEVEL,
	MODE,
	PLAYER,
	OUTCOME,
	NONE
};

static const char *const name[] = {"t", "state", "round", "spawned",
    "collected", "left", "score", "result", "localized", "clyde-speed", "robot",
    "clyde", "ended", "lives", "level", "mode", "player", "outcome", NULL};

/* Value i of those that the game has. */
static enum value
value_at(const struct pb_stage *s, int i)
{
	static const enum value board[] = {TIME, STATE, SCORE, LIVES, LEFT,
	    LEVEL, MODE, PLAYER, OUTCOME, NONE};
	static const enum value map[] = {TIME, STATE, ROUND, SPAWNED, COLLECTED,
	    LEFT, SCORE, RESULT, LOCALIZED, SPEED, ROBOT, GHOST, ENDED, OUTCOME,
	    NONE};

	return on_map(s) ? map[i] : board[i];
}

const char *
pb_stage_name(const struct pb_stage *s, int i)
{
	return name[value_at(s, i)];
}

static int
pellets_left(const struct pb_stage *s)
{
	const unsigned char *left;
	int all, n = 0;

	s->p.game->pellets(s->p.state, &all, &left);
	for (int i = 0; i < all; i++)
		n += left[i];
	return n;
}

/* A word; without one a number, -1: it is not known. */
static void
tell_word(const char *word, long n, char *out, size_t size)
{
	if (word != NULL)
		snprintf(out, size, "%s", word);
	else if (n >= 0)
		snprintf(out, size, "%ld", n);
	else
		out[0] = '\0';
}

static void
tell_place(struct pb_pose p, char *out, size_t size)
{
	if (isnan(p.x))
		snprintf(out, size, "none");
	else
		snprintf(out, size, "%.2f,%.2f", p.x, p.y);
}

static void
tell_on_map(const struct pb_stage *s, enum value v, char *out, size_t size)
{
	const struct pb_game *g = s->p.game;
	const void *state = s->p.state;
	struct pb_standing now;
	struct pb_pose at;
	bool localized = g->estimate(state, &at);

	g->standing(state, &now);
	const char *const word[NONE] = {[STATE] = now.phase,
	    [RESULT] = now.result,
	    [LOCALIZED] = localized ? "yes" : "no",
	    [ROBOT] = "unknown",
	    [OUTCOME] = g->ending(state)};
	const long n[NONE] = {[ROUND] = now.round,
	    [SPAWNED] = now.spawned,
	    [COLLECTED] = now.collected,
	    [LEFT] = pellets_left(s),
	    [SCORE] = now.score,
	    [ENDED] = g->ended(state)};

	if (v == SPEED)
		snprintf(out, size, "%.4g", now.ghost_speed);
	else if (v == GHOST)
		tell_place(g->pose(state, 1), out, size);
	else if (v == ROBOT && localized)
		tell_place(at, out, size);
	else
		tell_word(word[v], n[v], out, size);
}

static void
tell_on_board(const struct pb_stage *s, enum value v, char *out, size_t size)
{
	const struct pb_seen *k = &s->k;
	const char *const word[NONE] = {[STATE] = s->p.over  ? "over"
	                                          : s->waits ? "ready"
	                                                     : "playing",
	    [MODE] = k->mode,
	    [OUTCOME] = s->p.over ? s->p.game->ending(s->p.state) : ""};
	const long n[NONE] = {[SCORE] = k->score,
	    [LIVES] = k->lives,
	    [LEFT] = k->left,
	    [LEVEL] = k->level};

	if (v == PLAYER)
		snprintf(out, size, "%d,%d", k->body[0].row, k->body[0].col);
	else
		tell_word(word[v], n[v], out, size);
}

void
pb_stage_value(const struct pb_stage *s, int i, char *out, size_t size)
{
	enum value v = value_at(s, i);

	if (v == TIME)
		snprintf(out, size, "%.6g", pb_play_time(&s->p));
	else if (on_map(s))
		tell_on_map(s, v, out, size);
	else
		tell_on_board(s, v, out, size);
}

static void
put_target(const struct pb_stage *s, const struct pb_choice *c,
    const struct pb_pellet *all, const struct pb_score *score,
    struct pb_text *o)
{
	struct pb_rec_target t;

	pb_rec_none(PB_REC_TARGET, &t);
	if (c->index >= 0) {
		t.pellet = pb_trace_id(&s->p.trace, (int)c->index);
		t.x = all[c->index].at.x;
		t.y = all[c->index].at.y;
		t.total = score[c->index].total;
	}
	PB_REC_SET(t.why, pb_why_name(c->why));
	t.threat = c->threat;
	pb_rec_put(o, PB_REC_TARGET,
	    pb_stamp_at(pb_play_time(&s->p), s->p.game->body[0]), &t);
}

static void
put_scored(const struct pb_stage *s, const struct pb_choice *c,
    struct pb_score *score, struct pb_rec_score *row, struct pb_text *o)
{
	struct pb_rec_scored r = {.pellet = row, .threat = c->threat};
	const unsigned char *left;
	int n;
	const struct pb_pellet *all = s->p.game->pellets(s->p.state, &n, &left);

	for (int i = 0; i < n; i++)
		if (left[i])
			row[r.n++] = (struct pb_rec_score){
			    pb_trace_id(&s->p.trace, i), all[i].at.x,
			    all[i].at.y, score[i].distance, score[i].risk,
			    score[i].direction, score[i].total, score[i].safe,
			    score[i].excluded};
	pb_rec_put(o, PB_REC_SCORED,
	    pb_stamp_at(pb_play_time(&s->p), s->p.game->body[0]), &r);
	put_target(s, c, all, score, o);
}

/* What the published planner would choose now. */
static bool
put_scores(const struct pb_stage *s, struct pb_text *o)
{
	const unsigned char *left;
	struct pb_choice c;
	struct pb_rec_score *row;
	struct pb_score *score;
	bool ok;
	int n;

	s->p.game->pellets(s->p.state, &n, &left);
	score = calloc((size_t)n, sizeof(*score));
	row = calloc((size_t)n, sizeof(*row));
	ok = score != NULL && row != NULL &&
	     s->p.game->scores(s->p.state, score, &c);
	if (ok)
		put_scored(s, &c, score, row, o);
	free(score);
	free(row);
	return ok;
}

static bool
put_on_map(const struct pb_stage *s, enum pb_stage_view v, struct pb_text *o)
{
	if (v == PB_STAGE_SCORES)
		return put_scores(s, o);
	if (v == PB_STAGE_PICTURE)
		pb_rec_put(o, PB_REC_MAP, pb_stamp_none(), &s->p.land.map);
	if (v != PB_STAGE_PELLETS)
		pb_trace_state(&s->p.trace, o);
	if (v != PB_STAGE_STATE)
		pb_trace_pellets(&s->p.trace, NULL, o);
	if (v == PB_STAGE_NOW || v == PB_STAGE_PICTURE)
		pb_trace_poses(&s->p.trace, o);
	return true;
}

bool
pb_stage_put(const struct pb_stage *s, enum pb_stage_view v, struct pb_text *o)
{
	if (on_map(s))
		return put_on_map(s, v, o);
	if (v == PB_STAGE_SCORES || v == PB_STAGE_PELLETS)
		return false;
	if (v == PB_STAGE_PICTURE)
		pb_rec_put(o, PB_REC_MAZE, pb_stamp_none(), &s->p.maze);
	pb_rec_put(
	    o, PB_REC_TICK, pb_stamp_at(pb_play_time(&s->p), NULL), &s->k);
	return true;
}

bool
pb_stage_command(
    struct pb_stage *s, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	struct pb_play *p = &s->p;
	bool start = strcmp(c->name, "start") == 0;
	struct pb_standing now;
	struct pb_pose at;

	if (!pb_operator_takes(p, c, "", bad))
		return false;
	p->game->standing(p->state, &now);
	if (start && p->game->estimate(p->state, &at) &&
	    !p->game->idle(p->state))
		return pb_error_set(
		    bad, "cannot start from state \"%s\"", now.phase);
	pb_rec_put(
	    &p->c.out, PB_REC_CMD, pb_stamp_at(pb_play_time(&s->p), NULL), c);
	pb_operator_command(p, c, "");
	if (start && p->wants)
		fprintf(stderr, "the robot does not know where it is yet: "
				"start waits for that\n");
	return true;
}

/* A game, and how it is steered. */
struct copy {
	struct pb_seen k;
	enum pb_dir stick;
	bool steers, over, waits;
	struct pb_play_copy *game; /* owned */
};

void
pb_stage_drop(void *saved)
{
	struct copy *c = saved;

	pb_play_drop(c->game);
	free(c);
}

void *
pb_stage_save(const struct pb_stage *s)
{
	struct copy *c = malloc(sizeof(*c));

	if (c == NULL)
		return NULL;
	*c = (struct copy){s->k, s->stick, s->pilot.ask != NULL, s->p.over,
	    s->waits, pb_play_save(&s->p)};
	if (c->game != NULL)
		return c;
	free(c);
	return NULL;
}

void
pb_stage_load(struct pb_stage *s, const void *saved)
{
	const struct copy *c = saved;

	pb_play_load(&s->p, c->game);
	s->k = c->k;
	s->stick = c->stick;
	s->p.over = c->over;
	s->waits = c->waits;
	s->pilot.ask = c->steers ? ask : NULL;
}

void
pb_stage_leave(struct pb_stage *s)
{
	if (on_map(s))
		pb_operator_leave(&s->p);
	pb_cues_finish(&s->p.cues);
}

/* Begin on a map, which may be in a file or come as a record. */
static bool
open_on_map(struct pb_stage *s, char *const *files, int n)
{
	struct pb_place map;

	if (!pb_play_read_map(&s->p, files, n, &map) ||
	    !pb_play_on_map(&s->p, map))
		return false;
	s->cues = s->session.cues;
	s->p.cues.o = &s->cues;
	return true;
}

static bool
open_on_board(struct pb_stage *s)
{
	struct pb_error bad = {""};

	if (pb_stage_begin(s, &bad))
		return true;
	if (bad.text[0] != '\0')
		pb_msg_usage("--%s", bad.text);
	return false;
}

bool
pb_stage_open(struct pb_stage *s, const struct pb_stage_opts *w,
    char *const *files, int n)
{
	const struct pb_game *game = pb_games[w->rules].game;

	*s = (struct pb_stage){.w = w};
	s->pilot = (struct pb_pilot){.user = s, .show = see};
	s->o = (struct pb_play_opts){.game = game,
	    .opts = s->opts,
	    .session = &s->session,
	    .pilot = game->board != NULL ? &s->pilot : NULL,
	    .common = w->common};
	memcpy(s->opts, w->constants, game->opts_size);
	take_opts(s);
	if (!pb_play_open(&s->p, &s->o))
		return false;
	if (*w->map != NULL && (s->path = strdup(*w->map)) == NULL)
		return pb_msg_system("no memory for the game");
	return on_map(s) ? open_on_map(s, files, n) : open_on_board(s);
}

void
pb_stage_close(struct pb_stage *s)
{
	if (s->p.game != NULL)
		pb_play_close(&s->p);
	free(s->path);
}
