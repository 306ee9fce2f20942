/* session.c - one pacmanbot game, set up and commanded by records. */
#include "io/sim/session.h"

#include <math.h>
#include <string.h>

#include "game/pacmanbot/pacmanbot_game.h"
#include "io/opt/constants.h"
#include "io/stream/build.h"
#include "io/stream/msg.h"
#include "pb/version.h"

bool
pb_session_world(struct pb_session *s, struct pb_rec *r, struct pb_error *bad)
{
	if (s->round == NULL)
		return pb_world_take(&s->world, r, bad);
	return pb_error_set(bad, "%s: comes after the game has begun",
	    r->type == PB_REC_MAP ? "map" : "pellets");
}

/* Say why there is no arena. */
static bool
refuse(enum pb_status st, const char *why, struct pb_error *bad)
{
	if (st != PB_ENOMEM)
		return pb_error_set(
		    bad, "map: %s", why != NULL ? why : pb_status_text(st));
	pb_msg_system("no memory for the game");
	bad->text[0] = '\0';
	return false;
}

/* What the player can know about the round that comes next. */
static enum pb_status
learn(struct pb_session *s, const struct pb_round_opts *o)
{
	const struct pb_player *p = s->o.player;
	void *known = NULL;
	enum pb_status st;

	if (p->learn == NULL)
		return PB_OK;
	st = p->learn(s->arena, o, &known);
	if (st == PB_OK && s->round != NULL)
		st = pb_round_teach(s->round, known);
	if (st != PB_OK) {
		if (known != NULL)
			p->forget(known);
		return st;
	}
	if (s->known != NULL)
		p->forget(s->known);
	s->known = known;
	s->learnt = *o;
	return PB_OK;
}

void
pb_session_learn(struct pb_session *s, const struct pb_round_opts *o)
{
	struct pb_round_opts next = s->learnt;

	if (s->known == NULL ||
	    (next.round == o->round && next.clyde_speed == o->clyde_speed))
		return;
	next.round = o->round;
	next.clyde_speed = o->clyde_speed;
	if (learn(s, &next) != PB_OK)
		pb_msg_system("no memory to prepare for round %d", o->round);
}

/* Clyde is faster than in the round that was prepared for: prepare anew. */
static void
learn_more(struct pb_session *s)
{
	const struct pb_controller *c = pb_round_controller(s->round);
	const struct pb_round_opts next = {
	    .round = c->round, .clyde_speed = c->base_speed};

	pb_session_learn(s, &next);
}

bool
pb_session_make(struct pb_session *s, struct pb_error *bad)
{
	const struct pb_player *p = s->o.player;
	struct pb_round_opts *o = &s->o.game;
	const struct pb_pellets *set =
	    s->world.has_pellets ? &s->world.pellets : NULL;
	const char *why = NULL;
	enum pb_status st;
	int beyond;

	st = pb_arena_new(&s->arena, &s->world.map, o, set, &why);
	if (st == PB_OK)
		st = learn(s, o);
	if (st == PB_OK)
		st = pb_round_new(&s->round, s->arena, o, p, s->known);
	if (st != PB_OK)
		return refuse(st, why, bad);
	beyond = s->arena->n - s->arena->reach;
	if (beyond > 0)
		pb_msg_note("%d pellet%s out of reach of the start; no round "
			    "is complete without",
		    beyond, beyond == 1 ? " is" : "s are");
	s->map_hash = pb_map_hash(&s->world.map);
	s->options = pb_game_fingerprint(&pb_game_pacmanbot, o, set);
	return true;
}

/* Keep the result if a round has just ended. */
static void
note_result(struct pb_session *s)
{
	struct pb_outcome e;
	struct pb_trial *t = &s->last;

	if (pb_round_ended(s->round) == s->played)
		return;
	e = pb_round_outcome(s->round);
	*t = pb_rec_result_none().trial;
	t->map_hash = s->map_hash;
	t->options = s->options;
	t->seed = s->o.seed;
	t->trial = s->o.trial;
	t->round = e.round;
	PB_REC_SET(t->rules, pb_game_pacmanbot.name);
	PB_REC_SET(t->policy, s->o.player->name);
	pb_agent_credit(s->o.outside, t);
	PB_REC_SET(t->map, s->world.map.name);
	pb_round_result(t, &e, s->o.game.duration);
	s->waits = true;
	s->played++;
}

/* Pressed too early, the published system cannot drive home. */
void
pb_session_start(struct pb_session *s)
{
	s->wants = !pb_round_localized(s->round);
	if (s->wants)
		return;
	if (pb_round_state(s->round) == PB_MENU)
		learn_more(s);
	if (pb_round_press_start(s->round))
		s->started = true;
	else
		pb_msg_note("t %g: cannot start from state \"%s\"",
		    pb_round_time(s->round),
		    pb_state_name(pb_round_state(s->round)));
	/* The way home may have failed at once. */
	note_result(s);
}

/* True poses come with what is sensed, so none are traced besides. */
static bool
begin_senses(struct pb_session *s)
{
	unsigned on = s->o.senses.sense.sensors;

	if (on != 0)
		s->trace.kinds &= ~(uint32_t)PB_TRACE_TRUTH;
	if (on & PB_SENSOR_ODOM)
		s->trace.kinds &= ~(uint32_t)PB_TRACE_ODOM;
	if (!pb_senses_begin(&s->senses, &s->o.senses, &s->arena->map,
		s->o.seed, s->o.trial, pb_round_truth(s->round), s->out))
		return false;
	pb_senses_step(&s->senses, 0, pb_round_truth(s->round), false);
	return true;
}

static bool
begin_programs(struct pb_session *s)
{
	const struct pb_session_opts *o = &s->o;

	return (o->ghost == NULL ||
		   pb_botghost_begin(&s->ghost, o->ghost, o->patience,
		       &s->world.map, s->round)) &&
	       (o->score == NULL ||
		   pb_botscore_begin(&s->score, o->score, o->patience, s->arena,
		       s->trace.id, s->round));
}

bool
pb_session_go(struct pb_session *s, struct pb_error *bad)
{
	bad->text[0] = '\0';
	if (s->cues.o == NULL &&
	    !pb_cues_begin(&s->cues, &s->o.cues, 0, s->out))
		return false;
	s->cues.f.still = !s->o.game.spin;
	s->trace = (struct pb_trace){.out = s->out,
	    .kinds = s->o.trace,
	    .period = s->o.period,
	    .round = s->round,
	    .arena = s->arena,
	    .radius = s->o.game.clyde_radius,
	    .cues = &s->cues,
	    .id = s->world.has_pellets ? s->world.id : NULL};
	if (!pb_trace_begin(&s->trace))
		return refuse(PB_ENOMEM, NULL, bad);
	if (!begin_programs(s))
		return false;
	pb_round_start(s->round, s->o.seed, s->o.trial);
	if (!s->world.has_pellets)
		pb_trace_pellets(&s->trace, 0);
	if (!begin_senses(s))
		return refuse(PB_ENOMEM, NULL, bad);
	return true;
}

bool
pb_session_begin(struct pb_session *s, struct pb_error *bad)
{
	if (s->round != NULL)
		return true;
	if (!s->world.has_map)
		return pb_error_set(bad, "expected a map record first");
	return pb_session_make(s, bad) && pb_session_go(s, bad);
}

void
pb_session_leave(struct pb_session *s)
{
	struct pb_rec_result r = pb_rec_result_none();

	if (!s->waits || pb_session_failed(s))
		return;
	s->waits = false;
	r.trial = s->last;
	PB_REC_SET(r.version, PB_VERSION);
	r.build = pb_build_digest();
	if (s->o.preset != NULL)
		PB_REC_SET(r.trial.preset, s->o.preset);
	pb_constants_tell(
	    &pb_game_pacmanbot, &s->o.game, s->o.preset, NULL, r.trial.told);
	pb_put_result(s->out, &r);
}

bool
pb_session_failed(const struct pb_session *s)
{
	return s->ghost.failed || s->score.failed;
}

bool
pb_session_over(const struct pb_session *s)
{
	return s->o.autostart && s->played >= s->o.rounds && !s->waits;
}

void
pb_session_step(struct pb_session *s)
{
	pb_round_step(s->round);
	pb_senses_step(&s->senses, pb_round_time(s->round),
	    pb_round_truth(s->round), false);
	note_result(s);
	if (pb_round_state(s->round) != PB_MENU)
		return;
	pb_session_leave(s);
	if (s->wants || (s->o.autostart && s->played < s->o.rounds))
		pb_session_start(s);
}

/* Whether nothing forbids another step. */
static bool
goes_on(const struct pb_session *s)
{
	return !pb_session_over(s) && !pb_session_failed(s) &&
	       pb_msg_out_ok() && !pb_msg_stopped();
}

bool
pb_session_until(struct pb_session *s, double t, struct pb_error *bad)
{
	/* Steps are multiples of dt: half of one is no difference. */
	double end = t - s->o.game.dt / 2, now = pb_round_time(s->round);

	if (t - now > s->o.max_gap)
		return pb_error_set(bad,
		    "cmd.t: %.15g is more than %g s after the game's time %g",
		    t, s->o.max_gap, now);
	while (pb_round_time(s->round) < end && goes_on(s))
		pb_session_step(s);
	return true;
}

/* Navigation and localization take less than this, or never end (s). */
#define DAWDLE 3600.0

/* How long the game may stay in one state before it is given up (s). */
static double
patience(const struct pb_round_opts *o)
{
	return o->duration + o->theatrical + o->death_show + DAWDLE;
}

/*
 * Without autostart nobody presses start again: the game ends when the robot
 * is back in the menu.
 */
bool
pb_session_idle(const struct pb_session *s)
{
	return !s->o.autostart && !s->wants &&
	       pb_round_state(s->round) == PB_MENU;
}

void
pb_session_finish(struct pb_session *s)
{
	double last = pb_round_time(s->round);
	enum pb_state state = pb_round_state(s->round);

	if (!s->o.autostart && !s->started && !s->wants)
		pb_msg_note("nobody pressed start: give --autostart or a "
			    "cmd record \"start\"");
	while (goes_on(s) && !pb_session_idle(s)) {
		pb_session_step(s);
		if (pb_round_state(s->round) != state) {
			state = pb_round_state(s->round);
			last = pb_round_time(s->round);
		}
		if (pb_round_time(s->round) - last > patience(&s->o.game)) {
			pb_msg_note("t %g: no way out of state \"%s\"",
			    pb_round_time(s->round), pb_state_name(state));
			break;
		}
	}
	pb_session_leave(s);
	pb_cues_finish(&s->cues);
}

void
pb_session_clear(struct pb_session *s)
{
	const struct pb_player *p = s->o.player;

	pb_cues_finish(&s->cues);
	pb_botghost_end(&s->ghost);
	pb_botscore_end(&s->score);
	pb_trace_end(&s->trace);
	pb_senses_end(&s->senses);
	pb_round_free(s->round);
	if (s->known != NULL && p->forget != NULL)
		p->forget(s->known);
	pb_arena_free(s->arena);
	pb_world_clear(&s->world);
	s->round = NULL;
	s->arena = NULL;
	s->known = NULL;
}
