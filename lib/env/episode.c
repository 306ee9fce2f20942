/* episode.c - one game after another, from decision to decision. */
#include "env/episode.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "game/pellets.h"

/* Indices of planes: of the board, then of each body. */
enum { WALL, PELLET, POWER, GOAL, GROUND, SIDED = GROUND + 4 };
enum { AT, AHEAD, AFRAID, BODY };

/* Indices of features of a board, then of each body. */
enum { SCATTER = 10, OPEN, BOARD_FEATURES = OPEN + 4 };
enum { ROW, COL, LOOKS, SCARED = LOOKS + 4, OUT, NEXT, BODY_FEATURES = 10 };

/* Numbers of features of a map, and of each other body and pellet. */
enum { MAP_FEATURES = 6, PLACED = 3 };

static int
ground_planes(const struct pb_observation *o)
{
	return o->sides ? SIDED : GROUND;
}

bool
pb_observation_init(
    struct pb_observation *o, const void *opts, const void *state)
{
	const unsigned char *left;
	bool planes = o->form == PB_SEE_PLANES;

	o->each = o->form == PB_SEE_FRAME || (planes && !o->floats)
	              ? 1
	              : sizeof(float);
	o->bodies = pb_game_bodies(o->game, opts);
	o->pellets = 0;
	if (!o->maze)
		o->game->on_map->pellets(state, &o->pellets, &left);
	o->sides = o->maze && pb_maze_sided(o->maze);
	o->rows = planes && o->maze ? o->maze->rows : 0;
	o->cols = planes && o->maze ? o->maze->cols : 0;
	if (o->form == PB_SEE_FRAME)
		o->parts = (int)o->game->on_board->frame_size;
	else if (planes)
		o->parts = ground_planes(o) + BODY * o->bodies;
	else if (o->maze)
		o->parts = BOARD_FEATURES + BODY_FEATURES * o->bodies;
	else
		o->parts = MAP_FEATURES + PLACED * (o->bodies - 1 + o->pellets);
	o->bytes = (size_t)o->parts * o->each;
	if (planes)
		o->bytes *= (size_t)(o->rows * o->cols);
	return o->bytes > 0;
}

/* Write v to a cell of a plane, if it is on the board. */
static void
set_plane_cell(const struct pb_observation *o, void *out, int plane, int row,
    int col, int v)
{
	size_t i;

	if (row < 0 || col < 0 || row >= o->rows || col >= o->cols)
		return;
	i = (size_t)((plane * o->rows + row) * o->cols + col);
	if (o->floats)
		((float *)out)[i] = (float)v;
	else
		((uint8_t *)out)[i] = (uint8_t)(v < 255 ? v : 255);
}

static int
is_afraid(const struct pb_seen_body *b)
{
	if (b->fright > 0)
		return b->fright;
	return strcmp(b->mode, "frightened") == 0 ||
	       strcmp(b->mode, "running") == 0;
}

/* The next cell of a body, as far as it is visible. */
static void
next_cell(const struct pb_seen_body *b, int *row, int *col)
{
	int d = pb_dir_of(b->dir);

	*row = b->has_next ? b->next_row : b->row;
	*col = b->has_next ? b->next_col : b->col;
	if (!b->has_next && d < PB_STAY) {
		*row += pb_dir_row[d];
		*col += pb_dir_col[d];
	}
}

static void
mark_cell(const struct pb_observation *o, const struct pb_maze *z, int row,
    int col, void *out)
{
	char c = z->cell[row][col];

	if (c != PB_MAZE_EMPTY)
		set_plane_cell(o, out,
		    c == PB_MAZE_WALL     ? WALL
		    : c == PB_MAZE_PELLET ? PELLET
		    : c == PB_MAZE_POWER  ? POWER
					  : GOAL,
		    row, col, 1);
	for (int d = 0; o->sides && d < PB_STAY; d++)
		set_plane_cell(
		    o, out, GROUND + d, row, col, z->side[row][col] >> d & 1);
}

static void
write_planes(const struct pb_observation *o, const struct pb_seen *k, void *out)
{
	const struct pb_maze *z = k->board.rows > 0 ? &k->board : o->maze;
	int plane = ground_planes(o), row, col;

	memset(out, 0, o->bytes);
	for (row = 0; row < o->rows; row++)
		for (col = 0; col < o->cols; col++)
			mark_cell(o, z, row, col, out);
	for (int i = 0; i < k->bodies; i++, plane += BODY) {
		const struct pb_seen_body *b = &k->body[i];

		set_plane_cell(o, out, plane + AT, b->row, b->col, 1);
		next_cell(b, &row, &col);
		set_plane_cell(o, out, plane + AHEAD, row, col, 1);
		set_plane_cell(
		    o, out, plane + AFRAID, b->row, b->col, is_afraid(b));
	}
}

static void
write_body(const struct pb_seen_body *b, float *f)
{
	int d = pb_dir_of(b->dir), row, col;

	f[ROW] = (float)b->row;
	f[COL] = (float)b->col;
	for (int k = 0; k < PB_STAY; k++)
		f[LOOKS + k] = (float)(d == k);
	f[SCARED] = (float)is_afraid(b);
	/* Not in play: off the board, returning, or failed. */
	f[OUT] = b->eaten || b->spawning || strcmp(b->mode, "killed") == 0 ||
	         strcmp(b->mode, "lost") == 0;
	next_cell(b, &row, &col);
	f[NEXT] = (float)row;
	f[NEXT + 1] = (float)col;
}

static void
write_board(const struct pb_seen *k, unsigned open, float *f)
{
	const long seen[] = {k->tick, k->score, k->lives, k->left, k->level,
	    k->combo, k->period, k->mode_steps, k->level_steps, k->fruit};

	for (int i = 0; i < SCATTER; i++)
		f[i] = (float)seen[i];
	f[SCATTER] = (float)(strcmp(k->mode, "scatter") == 0);
	for (int d = 0; d < PB_STAY; d++)
		f[OPEN + d] = (float)(open >> d & 1);
	f += BOARD_FEATURES;
	for (int i = 0; i < k->bodies; i++, f += BODY_FEATURES)
		write_body(&k->body[i], f);
}

/* Write a ghost or pellet; zeros if it is absent. */
static float *
write_placed(float *f, int there, struct pb_vec at)
{
	f[0] = (float)there;
	f[1] = there ? (float)at.x : 0;
	f[2] = there ? (float)at.y : 0;
	return f + PLACED;
}

/* The robot's own pose is its estimate. */
static void
write_map(const struct pb_observation *o, const void *state, float *f)
{
	const struct pb_game *g = o->game;
	const unsigned char *left;
	const struct pb_pellet *p;
	struct pb_pose at;
	int n;
	bool known = pb_game_estimate(g, state, &at);

	f[0] = (float)pb_game_time(g, state);
	f[1] = (float)known;
	f[2] = known ? (float)at.x : 0;
	f[3] = known ? (float)at.y : 0;
	f[4] = known ? (float)pb_cos(at.th) : 0;
	f[5] = known ? (float)pb_sin(at.th) : 0;
	f += MAP_FEATURES;
	for (int i = 1; i < o->bodies; i++) {
		at = pb_game_pose(g, state, i);
		f = write_placed(f, true, pb_pose_vec(at));
	}
	p = g->on_map->pellets(state, &n, &left);
	for (int i = 0; i < n; i++)
		f = write_placed(f, left[i], p[i].at);
}

/* Directions open to the player's body, all if unknown. */
static unsigned
open_ways(const struct pb_game *g, const void *state, const void *view)
{
	return g->on_board->ways ? g->on_board->ways(state, view) : 15;
}

/* Write an observation; view NULL: of the true state. */
static void
observation_write(const struct pb_observation *o, const void *state,
    const void *view, void *out)
{
	const struct pb_game *g = o->game;
	struct pb_seen k;

	if (o->form == PB_SEE_FRAME) {
		g->on_board->frame(state, view, out);
		return;
	}
	if (!o->maze) {
		write_map(o, state, out);
		return;
	}
	g->on_board->look(state, view, &k);
	if (o->form == PB_SEE_PLANES)
		write_planes(o, &k, out);
	else
		write_board(&k, open_ways(g, state, view), out);
}

/* Answers a game's questions in a step, or records which are asked. */
struct asking {
	const struct pb_episodes *e;
	const void *state;
	const struct pb_turn *t;
	bool answers;
	unsigned asked; /* bit k: the caller's k-th body was */
	struct pb_agents agents;
};

/* Record that the caller's k-th body is asked; returns its part of the mask, or
 * NULL. */
static uint8_t *
record_asked(struct asking *a, int k)
{
	const struct pb_turn *t = a->t;

	a->asked |= 1u << k;
	if (t->asked)
		t->asked[k] = 1;
	return t->mask ? t->mask + k * a->e->actions : NULL;
}

static void
record_ways(struct asking *a, int k, unsigned ways, bool stay)
{
	uint8_t *mask = record_asked(a, k);

	for (int d = 0; mask && d < PB_STAY; d++)
		mask[d] = ways >> d & 1;
	if (mask)
		mask[PB_STAY] = stay || ways == 0;
}

static void
record_player(struct asking *a, const void *view)
{
	const struct pb_game *g = a->e->game;

	record_ways(a, 0, open_ways(g, a->state, view), true);
	observation_write(&a->e->look, a->state, view, a->t->seen);
}

static enum pb_dir
decide(void *ctx, const void *view)
{
	struct asking *a = ctx;

	if (a->answers)
		return (enum pb_dir)a->t->action[0];
	record_player(a, view);
	return PB_STAY;
}

/* In lock-step ghosts may stay; else they turn where they can. */
static enum pb_dir
decide_body(void *ctx, int body, unsigned ways, int drawn)
{
	struct asking *a = ctx;
	int k = 0, d = 0; /* the body's place among the caller's; where to */

	(void)drawn;
	for (int i = 0; i < body; i++)
		k += a->e->decided >> i & 1;
	if (!a->answers)
		record_ways(a, k, ways, a->e->game->lockstep);
	else if (ways >> a->t->action[k] & 1)
		return (enum pb_dir)a->t->action[k];
	if (a->e->game->lockstep)
		return PB_STAY;
	while (d < PB_STAY && !(ways >> d & 1))
		d++;
	return (enum pb_dir)d;
}

/* The action after those of the pellets is to go on. */
static void
choose(void *ctx, const unsigned char *left, struct pb_answer *out)
{
	struct asking *a = ctx;
	int pellets = a->e->actions - 1;
	uint8_t *mask;

	if (a->answers) {
		if (a->t->action[0] == pellets)
			return;
		out->kind = PB_GO_PELLET;
		out->pellet = a->t->action[0];
		return;
	}
	mask = record_asked(a, 0);
	if (mask)
		memcpy(mask, left, (size_t)pellets);
	observation_write(&a->e->look, a->state, NULL, a->t->seen);
}

static void
begin_asking(struct asking *a, const struct pb_episodes *e, const void *state,
    const struct pb_turn *t, bool answers)
{
	bool player = e->decided & 1;

	*a = (struct asking){e, state, t, answers, 0,
	    {.ctx = a,
		.decide = player ? decide : NULL,
		.bodies = e->decided & ~1u,
		.decide_body = decide_body,
		.choose = player ? choose : NULL}};
}

/* Step the game, and press start when it waits for that. */
static bool
step(const struct pb_episodes *e, void *state, struct asking *a)
{
	const struct pb_map_game *m = e->game->on_map;
	const struct pb_command_value none = {.pellet = -1};
	struct pb_pose at;
	bool on = pb_game_step(e->game, state, &a->agents);

	if (!m)
		return on;
	if (m->ended(state) > 0)
		return false;
	if (m->idle(state) && pb_game_estimate(e->game, state, &at))
		m->command(state, e->start, &none, &a->agents);
	return true;
}

static bool
is_over_limit(const struct pb_episode *p, const struct pb_episodes *e)
{
	const struct pb_map_game *m = e->game->on_map;

	return m && pb_game_time(e->game, p->state) - p->asked_at >
	                m->patience(e->opts);
}

/* Find out which bodies are asked in the next step; if none and the caller does
 * not want each step, make it. Returns false after the last step. */
static bool
try_step(struct pb_episode *p, const struct pb_episodes *e, struct asking *a)
{
	bool on;

	if (e->knows_next) {
		if (e->game->on_board->asks(p->state))
			record_player(a, NULL);
		return a->asked != 0 || e->ticks || step(e, p->state, a);
	}
	pb_game_copy(e->game, p->before, p->state);
	on = step(e, p->state, a);
	if (a->asked == 0 && !e->ticks)
		return on;
	pb_game_copy(e->game, p->state, p->before);
	return true;
}

/* Run until a body is asked, and write its observation. Returns false if the
 * game ended. */
static bool
run_to_decision(
    struct pb_episode *p, const struct pb_episodes *e, const struct pb_turn *t)
{
	struct asking a;

	begin_asking(&a, e, p->state, t, false);
	/* No body has been asked yet. */
	if (t->asked)
		memset(t->asked, 0, (size_t)e->n);
	if (t->mask)
		memset(t->mask, 0, (size_t)(e->n * e->actions));
	for (int k = 1; t->mask && k <= e->n; k++)
		t->mask[k * e->actions - 1] = 1;
	do {
		if (!try_step(p, e, &a))
			return false;
	} while (a.asked == 0 && !e->ticks && !is_over_limit(p, e));
	p->asked = a.asked;
	/* The player gets the view that it is asked by; others the state. */
	if (!(e->decided & 1 && a.asked & 1))
		observation_write(&e->look, p->state, NULL, t->seen);
	return true;
}

bool
pb_episode_lacks(const struct pb_episode *p, const struct pb_episodes *e,
    enum pb_env_term term)
{
	struct pb_trial r = e->key;

	e->game->result(p->state, &r);
	return (term == PB_TERM_GHOST && r.eaten < 0) ||
	       (term == PB_TERM_LEVEL && r.levels < 0) ||
	       (term == PB_TERM_DEATH && r.deaths < 0);
}

static void
sum_terms(const struct pb_episode *p, const struct pb_episodes *e, bool over,
    double sum[PB_TERMS])
{
	const struct pb_game *g = e->game;
	struct pb_trial r = e->key;
	struct pb_standing now;

	if (g->on_map && g->on_map->ended(p->state) == 0) {
		g->on_map->standing(p->state, &now);
		r.score = now.score;
		r.collected = now.collected;
	} else {
		g->result(p->state, &r);
	}
	sum[PB_TERM_SCORE] = r.score;
	sum[PB_TERM_PELLET] = r.collected;
	sum[PB_TERM_GHOST] = fmax(r.eaten, 0);
	sum[PB_TERM_LEVEL] = fmax(r.levels, 0);
	sum[PB_TERM_DEATH] = fmax(r.deaths, 0);
	sum[PB_TERM_TIME] = pb_game_time(g, p->state);
	sum[PB_TERM_DECISION] = p->decisions;
	sum[PB_TERM_WIN] = over && r.success;
	sum[PB_TERM_LOSS] = over && !r.success;
}

static double
reward(struct pb_episode *p, const struct pb_episodes *e, bool over)
{
	double now[PB_TERMS], sum = 0;

	sum_terms(p, e, over, now);
	for (int i = 0; i < PB_TERMS; i++)
		if (e->weight[i] != 0)
			sum += e->weight[i] * (now[i] - p->sum[i]);
	memcpy(p->sum, now, sizeof(now));
	return sum;
}

/* Begin the next game. Returns false if it ends before any decision. */
static bool
begin_game(
    struct pb_episode *p, const struct pb_episodes *e, const struct pb_turn *t)
{
	p->trial = p->games++;
	p->decisions = 0;
	p->asked_at = 0;
	pb_game_start(e->game, p->state, p->seed, p->trial, NULL);
	sum_terms(p, e, false, p->sum);
	return run_to_decision(p, e, t);
}

void
pb_episode_reset(struct pb_episode *p, const struct pb_episodes *e,
    const uint64_t *seed, const struct pb_turn *t)
{
	if (seed) {
		p->seed = *seed;
		p->games = 0;
	}
	/* Skip games without decisions. */
	for (int i = 0; i < PB_BODIES && !begin_game(p, e, t); i++)
		;
	*t->reward = 0;
	*t->terminated = *t->truncated = 0;
}

static void
finish_game(
    struct pb_episode *p, const struct pb_episodes *e, const struct pb_turn *t)
{
	double got = *t->reward;
	uint8_t ended = *t->terminated, cut = *t->truncated;

	if (t->final && cut)
		memcpy(t->final, t->seen, e->look.bytes);
	else if (t->final)
		observation_write(&e->look, p->state, NULL, t->final);
	p->ended = true;
	p->done = e->key;
	p->done.seed = p->seed;
	p->done.trial = p->trial;
	pb_game_result(e->game, p->state, &p->done);
	p->done.decisions = p->decisions;
	pb_episode_reset(p, e, NULL, t);
	*t->reward = got;
	*t->terminated = ended;
	*t->truncated = cut;
}

void
pb_episode_step(
    struct pb_episode *p, const struct pb_episodes *e, const struct pb_turn *t)
{
	struct asking a;
	bool on = true;

	begin_asking(&a, e, p->state, t, true);
	if (p->asked != 0) {
		p->decisions++;
		p->asked_at = pb_game_time(e->game, p->state);
	}
	if (e->ticks || p->asked != 0)
		on = step(e, p->state, &a);
	on = on && run_to_decision(p, e, t);
	*t->terminated = !on;
	*t->truncated = on && (is_over_limit(p, e) ||
				  (e->most > 0 && p->decisions >= e->most));
	*t->reward = reward(p, e, !on);
	if (!on || *t->truncated)
		finish_game(p, e, t);
}

enum pb_status
pb_episode_open(struct pb_episode *p, const struct pb_episodes *e)
{
	const struct pb_game *g = e->game;
	enum pb_status st;

	st = pb_game_open(g, &p->state, e->world, e->opts, e->player, e->model);
	if (st != PB_OK || e->knows_next)
		return st;
	st =
	    pb_game_open(g, &p->before, e->world, e->opts, e->player, e->model);
	if (st == PB_OK && g->on_map)
		g->on_map->slim(p->before);
	return st;
}

void
pb_episode_close(struct pb_episode *p, const struct pb_episodes *e)
{
	pb_game_close(e->game, p->state);
	pb_game_close(e->game, p->before);
	p->state = p->before = NULL;
}
