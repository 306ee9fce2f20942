/* episode.c - one game after another, from decision to decision. */
#include "env/episode.h"

#include <string.h>

/* Somebody decides in a step, or finds out that he has to. */
struct asking {
	const struct pb_episodes *e;
	const void *state;
	const struct pb_turn *t;
	bool answers;
	unsigned asked; /* bit k: the caller's k-th body was */
	struct pb_crew crew;
};

/* The place of a body among those that the caller decides. */
static int
place_of(const struct pb_episodes *e, int body)
{
	int k = 0;

	for (int i = 0; i < body; i++)
		k += e->decided >> i & 1;
	return k;
}

/* One that the caller decides is asked; its part of the mask, or NULL. */
static uint8_t *
note(struct asking *a, int k)
{
	const struct pb_turn *t = a->t;

	a->asked |= 1u << k;
	if (t->asked)
		t->asked[k] = 1;
	return t->mask ? t->mask + k * a->e->actions : NULL;
}

static void
note_ways(struct asking *a, int k, unsigned ways, bool stay)
{
	uint8_t *mask = note(a, k);

	for (int d = 0; mask && d < PB_STAY; d++)
		mask[d] = ways >> d & 1;
	if (mask)
		mask[PB_STAY] = stay || ways == 0;
}

static void
note_player(struct asking *a, const void *view)
{
	const struct pb_game *g = a->e->game;

	note_ways(a, 0, g->ways ? g->ways(a->state, view) : 15, true);
	pb_observation_write(&a->e->look, a->state, view, a->t->seen);
}

static enum pb_dir
decide(void *ctx, const void *view)
{
	struct asking *a = ctx;

	if (a->answers)
		return (enum pb_dir)a->t->action[0];
	note_player(a, view);
	return PB_STAY;
}

/* Ghosts of games in step may stand; others turn where they can. */
static enum pb_dir
hear(void *ctx, int body, unsigned ways, int drawn)
{
	struct asking *a = ctx;
	int k = place_of(a->e, body), d = 0;

	(void)drawn;
	if (!a->answers)
		note_ways(a, k, ways, a->e->game->lockstep);
	else if (ways >> a->t->action[k] & 1)
		return (enum pb_dir)a->t->action[k];
	if (a->e->game->lockstep)
		return PB_STAY;
	while (d < PB_STAY && !(ways >> d & 1))
		d++;
	return (enum pb_dir)d;
}

/* The action after the last pellet is to go on. */
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
	mask = note(a, 0);
	if (mask)
		memcpy(mask, left, (size_t)pellets);
	pb_observation_write(&a->e->look, a->state, NULL, a->t->seen);
}

static void
ask(struct asking *a, const struct pb_episodes *e, const void *state,
    const struct pb_turn *t, bool answers)
{
	bool player = e->decided & 1;

	*a = (struct asking){e, state, t, answers, 0,
	    {.ctx = a,
		.decide = player ? decide : NULL,
		.heard = e->decided & ~1u,
		.hear = hear,
		.choose = player ? choose : NULL}};
}

/* A step; an operator would press start as soon as that can be. */
static bool
step(const struct pb_episodes *e, void *state, struct asking *a)
{
	const struct pb_game *g = e->game;
	const struct pb_command_value none = {.pellet = -1};
	struct pb_pose at;
	bool on = g->step(state, &a->crew);

	if (!g->commands)
		return on;
	if (g->ended(state) > 0)
		return false;
	if (g->idle(state) && g->estimate(state, &at))
		g->command(state, e->start, &none, &a->crew);
	return true;
}

/* Nobody is asked so far. */
static void
ask_nobody(const struct pb_episodes *e, const struct pb_turn *t)
{
	if (t->asked)
		memset(t->asked, 0, (size_t)e->n);
	if (t->mask)
		memset(t->mask, 0, (size_t)(e->n * e->actions));
	for (int k = 1; t->mask && k <= e->n; k++)
		t->mask[k * e->actions - 1] = 1;
}

static bool
impatient(const struct pb_episode *p, const struct pb_episodes *e)
{
	const struct pb_game *g = e->game;

	return g->patience &&
	       g->time(p->state) - p->asked_at > g->patience(e->opts);
}

/* Find out who is asked in the next step, which is made if it is nobody and
 * the caller need not see each; false: it was the last. */
static bool
try_step(struct pb_episode *p, const struct pb_episodes *e, struct asking *a)
{
	bool on;

	if (e->foretold) {
		if (e->game->asks(p->state))
			note_player(a, NULL);
		return a->asked != 0 || e->ticks || step(e, p->state, a);
	}
	pb_game_copy(e->game, p->before, p->state);
	on = step(e, p->state, a);
	if (a->asked == 0 && !e->ticks)
		return on;
	pb_game_copy(e->game, p->state, p->before);
	return true;
}

/* Let time pass until somebody is asked, who is told what he sees; false: the
 * game is over. */
static bool
until_asked(
    struct pb_episode *p, const struct pb_episodes *e, const struct pb_turn *t)
{
	struct asking a;

	ask(&a, e, p->state, t, false);
	ask_nobody(e, t);
	do {
		if (!try_step(p, e, &a))
			return false;
	} while (a.asked == 0 && !e->ticks && !impatient(p, e));
	p->asked = a.asked;
	/* The player sees what he is asked about; others see the state. */
	if (!(e->decided & 1 && a.asked & 1))
		pb_observation_write(&e->look, p->state, NULL, t->seen);
	return true;
}

static int
known(int count)
{
	return count > 0 ? count : 0;
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
add_up(const struct pb_episode *p, const struct pb_episodes *e, bool over,
    double sum[PB_TERMS])
{
	const struct pb_game *g = e->game;
	struct pb_trial r = e->key;
	struct pb_standing now;

	if (g->standing && g->ended(p->state) == 0) {
		g->standing(p->state, &now);
		r.score = now.score;
		r.collected = now.collected;
	} else {
		g->result(p->state, &r);
	}
	sum[PB_TERM_SCORE] = r.score;
	sum[PB_TERM_PELLET] = r.collected;
	sum[PB_TERM_GHOST] = known(r.eaten);
	sum[PB_TERM_LEVEL] = known(r.levels);
	sum[PB_TERM_DEATH] = known(r.deaths);
	sum[PB_TERM_TIME] = g->time(p->state);
	sum[PB_TERM_DECISION] = p->decisions;
	sum[PB_TERM_WIN] = over && r.success;
	sum[PB_TERM_LOSS] = over && !r.success;
}

/* What the last decision has brought. */
static double
reward(struct pb_episode *p, const struct pb_episodes *e, bool over)
{
	double now[PB_TERMS], sum = 0;

	add_up(p, e, over, now);
	for (int i = 0; i < PB_TERMS; i++)
		if (e->weight[i] != 0)
			sum += e->weight[i] * (now[i] - p->sum[i]);
	memcpy(p->sum, now, sizeof(now));
	return sum;
}

/* The next game begins; false: it is over before anybody is asked. */
static bool
begin(
    struct pb_episode *p, const struct pb_episodes *e, const struct pb_turn *t)
{
	p->trial = p->games++;
	p->decisions = 0;
	p->asked_at = 0;
	e->game->start(p->state, p->seed, p->trial, NULL);
	add_up(p, e, false, p->sum);
	return until_asked(p, e, t);
}

void
pb_episode_reset(struct pb_episode *p, const struct pb_episodes *e,
    const uint64_t *seed, const struct pb_turn *t)
{
	if (seed) {
		p->seed = *seed;
		p->games = 0;
	}
	/* One in which nobody is asked is for nobody to see. */
	for (int i = 0; i < PB_BODIES && !begin(p, e, t); i++)
		;
	*t->reward = 0;
	*t->terminated = *t->truncated = 0;
}

static void
finish(
    struct pb_episode *p, const struct pb_episodes *e, const struct pb_turn *t)
{
	double got = *t->reward;
	uint8_t ended = *t->terminated, cut = *t->truncated;

	if (t->final && cut)
		memcpy(t->final, t->seen, e->look.bytes);
	else if (t->final)
		pb_observation_write(&e->look, p->state, NULL, t->final);
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

	ask(&a, e, p->state, t, true);
	if (p->asked != 0) {
		p->decisions++;
		p->asked_at = e->game->time(p->state);
	}
	if (e->ticks || p->asked != 0)
		on = step(e, p->state, &a);
	on = on && until_asked(p, e, t);
	*t->terminated = !on;
	*t->truncated =
	    on && (impatient(p, e) || (e->most > 0 && p->decisions >= e->most));
	*t->reward = reward(p, e, !on);
	if (!on || *t->truncated)
		finish(p, e, t);
}

enum pb_status
pb_episode_open(struct pb_episode *p, const struct pb_episodes *e)
{
	const struct pb_game *g = e->game;
	enum pb_status st;

	st = pb_game_open(g, &p->state, e->world, e->opts, e->player, e->known);
	if (st != PB_OK || e->foretold)
		return st;
	st =
	    pb_game_open(g, &p->before, e->world, e->opts, e->player, e->known);
	if (st == PB_OK && g->slim)
		g->slim(p->before);
	return st;
}

void
pb_episode_close(struct pb_episode *p, const struct pb_episodes *e)
{
	pb_game_close(e->game, p->state);
	pb_game_close(e->game, p->before);
	p->state = p->before = NULL;
}
