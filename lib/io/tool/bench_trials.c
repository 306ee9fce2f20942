/* bench_trials.c - play many trials on all cores, results in order. */
#include "io/tool/bench_trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/play/program.h"
#include "io/stream/msg.h"
#include "pb/tally.h"

/* Add n to sum. */
static void
add_notes(struct pb_notes *sum, const struct pb_notes *n)
{
	sum->games += n->games;
	pb_heat_add(&sum->heat, &n->heat);
}

/*
 * One round: every trial of every player. Workers only read it.
 */
struct leg {
	const struct pb_trials *t;
	void *world;
	void *opts;   /* with this round; owned */
	void **known; /* of each player, what it learnt */
	struct pb_trial key;
	uint64_t before; /* trials taken in earlier legs */
	bool mixed;      /* some of its trials are known, and not the last */
};

struct result {
	struct pb_trial trial;
	bool fresh;
	char why[160]; /* a program ended it; "": none did */
};

static uint64_t
trials_of_shard(const struct pb_trials *t)
{
	if (t->shard.i >= t->trials)
		return 0;
	return (t->trials - t->shard.i - 1) / t->shard.n + 1;
}

uint64_t
pb_trials_count(const struct pb_trials *t)
{
	return trials_of_shard(t) * (uint64_t)t->players->n *
	       (uint64_t)t->rounds->n;
}

static const struct pb_player *
player_of(const struct pb_trials *t, int i)
{
	return t->rules->player[t->players->player[i]];
}

/* The programs of a game that player i plays; NULL: none. */
static const struct pb_outside *
outside_of(const struct pb_trials *t, int i)
{
	return t->agents
	           ? pb_bench_agents_of(t->agents, t->rules, player_of(t, i))
	           : NULL;
}

/* Memory for games of player i. */
static enum pb_status
open_seat(const struct leg *g, int i, void **seat)
{
	const struct pb_trials *t = g->t;

	return pb_game_open(t->rules->game, seat, g->world, g->opts,
	    player_of(t, i), g->known[i]);
}

/* One of a thread's seats, one a player. */
struct seat {
	void *game;
	struct pb_notes notes;
	struct pb_programs *programs; /* owned, NULL: nobody is one */
	bool running;                 /* they are */
};

static void
seats_close(void *ctx, void *state)
{
	const struct leg *g = ctx;
	struct seat *seat = state;

	for (int i = 0; i < g->t->players->n; i++) {
		if (seat[i].game)
			pb_game_close(g->t->rules->game, seat[i].game);
		if (seat[i].running)
			pb_programs_end(seat[i].programs);
		free(seat[i].programs);
		if (g->t->notes)
			add_notes(&g->t->notes[i], &seat[i].notes);
	}
	free(seat);
}

static void *
seats_open(void *ctx)
{
	const struct leg *g = ctx;
	const struct pb_trials *t = g->t;
	struct seat *seat = calloc((size_t)t->players->n, sizeof(*seat));

	for (int i = 0; seat && i < t->players->n; i++) {
		if (outside_of(t, i))
			seat[i].programs =
			    calloc(1, sizeof(struct pb_programs));
		if ((outside_of(t, i) && !seat[i].programs) ||
		    open_seat(g, i, &seat[i].game) != PB_OK) {
			seats_close(ctx, seat);
			return NULL;
		}
	}
	return seat;
}

/* What trial `number` of the shard is called, by player `who`. */
static struct pb_trial
trial_at(const struct leg *g, int who, uint64_t number)
{
	const struct pb_trials *t = g->t;
	struct pb_trial r = g->key;

	r.trial = number * t->shard.n + t->shard.i;
	pb_game_credit(t->rules->game, player_of(t, who), t->opts, &r);
	pb_outside_credit(outside_of(t, who), t->rules->game, &r);
	return r;
}

/*
 * Play it with programs. One that fails ends the trial, not the run: the next
 * one starts it again.
 */
static void
play_outside(const struct leg *g, int who, struct seat *s, struct result *r)
{
	const struct pb_game *game = g->t->rules->game;
	struct pb_programs *p = s->programs;
	struct pb_crew crew;

	if (!s->running)
		s->running = pb_programs_begin(p, game, outside_of(g->t, who),
		    g->t->agents->patience, &g->t->ground, NULL);
	if (s->running)
		pb_programs_reset(p, s->game, r->trial.seed, r->trial.trial);
	crew = pb_programs_crew(p);
	pb_game_play(game, s->game, &r->trial, &crew);
	if (!p->failed)
		pb_programs_eager(p);
	if (!p->failed)
		return;
	snprintf(r->why, sizeof(r->why), "%.150s", p->error.text);
	snprintf(r->trial.outcome, sizeof(r->trial.outcome), "%s",
	    p->who == 0 ? "forfeit" : "void");
	snprintf(r->trial.cause, sizeof(r->trial.cause), "%s",
	    pb_agent_fault_name(p->body[p->who].fault));
	r->trial.success = false;
	r->trial.hash = 0;
	pb_programs_end(p);
	s->running = false;
}

static bool
play_job(void *ctx, void *state, uint64_t number, void *out)
{
	const struct leg *g = ctx;
	const struct pb_trials *t = g->t;
	uint64_t players = (uint64_t)t->players->n;
	int who = (int)(number % players);
	struct seat *seat = (struct seat *)state + who;
	struct result *r = out;
	struct pb_trial known = trial_at(g, who, number / players);

	r->trial = known;
	r->fresh = !t->known || !pb_tally_get(t->known, &known);
	r->why[0] = '\0';
	if (!r->fresh && (number >= players || !g->mixed)) {
		r->trial = known;
		return true;
	}
	if (seat->programs)
		play_outside(g, who, seat, r);
	else
		pb_game_play(t->rules->game, seat->game, &r->trial, NULL);
	if (t->notes) {
		seat->notes.games++;
		pb_heat_add(
		    &seat->notes.heat, &((struct pb_seat *)seat->game)->heat);
	}
	return true;
}

static bool
take_result(void *ctx, uint64_t number, const void *result)
{
	struct leg *g = ctx;
	const struct pb_trials *t = g->t;
	const struct result *r = result;

	(void)number;
	/* Who is asked to stop may have stopped a program, too. */
	if (*r->why && pb_msg_stopped())
		return false;
	if (*r->why)
		t->failed(t->ctx, &r->trial, r->why);
	return t->take(t->ctx, &r->trial, r->fresh);
}

static bool
leg_pause(void *ctx, uint64_t emitted)
{
	const struct leg *g = ctx;

	return !g->t->pause || g->t->pause(g->t->ctx, g->before + emitted);
}

/* What each player can know beforehand; and a seat is tried first, where its
 * failure can be told apart. */
static enum pb_status
learn(struct leg *g)
{
	const struct pb_trials *t = g->t;
	enum pb_status s = PB_OK;
	void *seat;

	pb_msg_at_once(true);
	for (int i = 0; s == PB_OK && i < t->players->n; i++)
		s = pb_game_learn(t->rules->game, player_of(t, i), g->world,
		    g->opts, &g->known[i]);
	pb_msg_at_once(false);
	for (int i = 0; s == PB_OK && i < t->players->n; i++) {
		s = open_seat(g, i, &seat);
		if (s == PB_OK)
			pb_game_close(t->rules->game, seat);
	}
	return s;
}

static void
forget(struct leg *g)
{
	for (int i = 0; i < g->t->players->n; i++) {
		pb_game_forget(
		    g->t->rules->game, player_of(g->t, i), g->known[i]);
		g->known[i] = NULL;
	}
}

static void
run_leg(struct leg *g, int round, struct pb_trials_end *e)
{
	const struct pb_trials *t = g->t;
	struct pb_work w = {
	    .count = trials_of_shard(t) * (uint64_t)t->players->n,
	    .threads = t->threads,
	    .size = sizeof(struct result),
	    .ctx = g,
	    .open = seats_open,
	    .close = seats_close,
	    .job = play_job,
	    .emit = take_result,
	    .pause = leg_pause};
	struct pb_trial last;
	uint64_t emitted;

	pb_game_set_round(t->rules->game, g->opts, round);
	g->key = pb_game_key(t->rules->game, &t->ground, t->opts, round);
	g->key.seed = t->seed;
	g->before = e->taken;
	if (t->known && w.count > 0) {
		last = trial_at(g, t->players->n - 1, trials_of_shard(t) - 1);
		g->mixed = !pb_tally_get(t->known, &last);
	}
	e->status = learn(g);
	if (e->status == PB_OK) {
		e->end = pb_work_run(&w, &emitted);
		e->taken += emitted;
	}
	forget(g);
}

struct pb_trials_end
pb_trials_run(const struct pb_trials *t)
{
	struct pb_trials_end e = {.end = PB_WORK_DONE, .no.row = -1};
	const struct pb_game *game = t->rules->game;
	struct leg g = {.t = t};

	g.known = calloc((size_t)t->players->n, sizeof(*g.known));
	g.opts = malloc(game->opts_size);
	e.status = PB_ENOMEM;
	pb_msg_at_once(true);
	if (g.known && g.opts) {
		memcpy(g.opts, t->opts, game->opts_size);
		e.status = game->prepare(&t->ground, g.opts, &g.world, &e.no);
	}
	pb_msg_at_once(false);
	if (e.status == PB_OK && game->beyond)
		e.beyond = game->beyond(g.world);
	for (int i = 0;
	     e.status == PB_OK && e.end == PB_WORK_DONE && i < t->rounds->n;
	     i++)
		run_leg(&g, t->rounds->v[i], &e);
	if (g.world)
		game->discard(g.world);
	free(g.opts);
	free(g.known);
	return e;
}
