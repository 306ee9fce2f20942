/* session.c - one pacmanbot game, set up and commanded by records. */
#include "io/session.h"

#include <math.h>
#include <string.h>

#include "io/msg.h"
#include "policy/rules_pacmanbot.h"

bool
pb_session_world(struct pb_session *s, struct pb_rec *r, struct pb_bad *bad)
{
	if (s->round == NULL)
		return pb_world_take(&s->world, r, bad);
	return pb_bad_set(bad, "%s: comes after the game has begun",
	    r->type == PB_REC_MAP ? "map" : "pellets");
}

/* Say why there is no arena. */
static bool
refuse(enum pb_status st, const char *why, struct pb_bad *bad)
{
	if (st != PB_ENOMEM)
		return pb_bad_set(
		    bad, "map: %s", why != NULL ? why : pb_status_text(st));
	pb_msg_system("no memory for the game");
	bad->text[0] = '\0';
	return false;
}

static bool
make_round(struct pb_session *s, struct pb_bad *bad)
{
	const struct pb_player *p = s->o.player;
	struct pb_round_opts *o = &s->o.game;
	const struct pb_pellets *set =
	    s->world.has_pellets ? &s->world.pellets : NULL;
	const char *why = NULL;
	enum pb_status st;

	st = pb_arena_new(&s->arena, &s->world.map, o, set, &why);
	if (st == PB_OK && p->learn != NULL)
		st = p->learn(s->arena, o, &s->known);
	if (st == PB_OK)
		st = pb_round_new(&s->round, s->arena, o, p, s->known);
	if (st != PB_OK)
		return refuse(st, why, bad);
	s->map_hash = pb_map_hash(&s->world.map);
	s->options = pb_rules_pacmanbot.fingerprint(o, set);
	return true;
}

/*
 * Press start, or wait with it until the robot knows where it is: pressed
 * before, the published system cannot drive home and falls back to its menu.
 */
static void
press_start(struct pb_session *s)
{
	if (!pb_round_localized(s->round))
		s->wants = true;
	else if (pb_round_press_start(s->round))
		s->started = true;
	else
		pb_msg_note("t %g: cannot start from state \"%s\"",
		    pb_round_time(s->round),
		    pb_state_name(pb_round_state(s->round)));
}

bool
pb_session_begin(struct pb_session *s, struct pb_bad *bad)
{
	if (s->round != NULL)
		return true;
	if (!s->world.has_map)
		return pb_bad_set(bad, "expected a map record first");
	if (!make_round(s, bad))
		return false;
	s->trace = (struct pb_trace){.out = s->out,
	    .kinds = s->o.trace,
	    .period = s->o.period,
	    .round = s->round,
	    .arena = s->arena};
	if (!pb_trace_begin(&s->trace))
		return refuse(PB_ENOMEM, NULL, bad);
	pb_round_start(s->round, s->o.seed, s->o.trial);
	if (!s->world.has_pellets)
		pb_trace_pellets(&s->trace, 0);
	if (s->o.autostart)
		press_start(s);
	return true;
}

/* The result of the round that has just ended. */
static void
note_result(struct pb_session *s)
{
	struct pb_outcome e = pb_round_outcome(s->round);
	struct pb_trial *t = &s->last;

	*t = (struct pb_trial){.map_hash = s->map_hash,
	    .options = s->options,
	    .seed = s->o.seed,
	    .trial = s->o.trial,
	    .round = e.round};
	PB_REC_SET(t->rules, pb_rules_pacmanbot.name);
	PB_REC_SET(t->policy, s->o.player->name);
	PB_REC_SET(t->map, s->world.map.name);
	pb_trial_ended(t, &e, s->o.game.duration);
	s->waits = true;
	s->played++;
}

static void
write_result(struct pb_session *s)
{
	struct pb_rec_result r = pb_rec_result_none();

	if (!s->waits)
		return;
	s->waits = false;
	r.trial = s->last;
	PB_REC_SET(r.version, PB_VERSION);
	if (s->o.preset != NULL)
		PB_REC_SET(r.preset, s->o.preset);
	pb_put_result(s->out, &r);
}

bool
pb_session_over(const struct pb_session *s)
{
	return s->o.autostart && s->played >= s->o.rounds && !s->waits;
}

/* One step, and what an operator would do after it. */
static void
step(struct pb_session *s)
{
	pb_round_step(s->round);
	if (pb_round_ended(s->round) > s->played)
		note_result(s);
	if (pb_round_state(s->round) != PB_MENU)
		return;
	write_result(s);
	if (s->wants && pb_round_localized(s->round)) {
		s->wants = false;
		press_start(s);
	} else if (s->o.autostart && s->started && s->played < s->o.rounds) {
		press_start(s);
	}
}

void
pb_session_until(struct pb_session *s, double t)
{
	/* Steps are multiples of dt: half of one is no difference. */
	double end = t - s->o.game.dt / 2;

	while (pb_round_time(s->round) < end && !pb_session_over(s) &&
	       pb_msg_out_ok() && !pb_msg_stopped())
		step(s);
}

static bool
number(const struct pb_rec_cmd *c, struct pb_bad *bad)
{
	return c->kind == PB_VALUE_NUM ||
	       pb_bad_set(bad, "value: %s takes a number", c->name);
}

static bool
remove_pellet(
    struct pb_session *s, const struct pb_rec_cmd *c, struct pb_bad *bad)
{
	if (!number(c, bad))
		return false;
	if (c->num != floor(c->num) || c->num < 0 || c->num >= s->arena->n)
		return pb_bad_set(bad,
		    "value: no pellet %.15g; they are numbered 0 to %d", c->num,
		    s->arena->n - 1);
	if (pb_round_remove(s->round, (int)c->num) != PB_OK)
		pb_msg_note("pellet %.0f is gone already", c->num);
	return true;
}

static bool
click(struct pb_session *s, const struct pb_rec_cmd *c, struct pb_bad *bad)
{
	if (c->kind != PB_VALUE_POINT)
		return pb_bad_set(bad, "value: spawn takes a point [x, y]");
	if (pb_round_click(s->round, c->point) == PB_OK)
		return true;
	return pb_bad_set(bad, "value: (%g, %g) is no place for Clyde %s",
	    c->point.x, c->point.y,
	    pb_round_state(s->round) == PB_RUNNING
		? "while the round runs"
		: "(a wall, or too near one)");
}

/* Speed messages: to Clyde's node at once, to the controller for later. */
static bool
speed(struct pb_session *s, const struct pb_rec_cmd *c, struct pb_bad *bad,
    void (*set)(struct pb_round *, double))
{
	if (!number(c, bad))
		return false;
	if (!(c->num > 0 && c->num <= 100))
		return pb_bad_set(bad,
		    "value: expected a speed above 0 and up to 100 m/s, "
		    "got %g",
		    c->num);
	set(s->round, c->num);
	return true;
}

bool
pb_session_command(struct pb_session *s, const struct pb_rec_cmd *c,
    const char *id, struct pb_bad *bad)
{
	/* What nodes of a recorded game said to each other is for them. */
	if (strcmp(id, "planner") == 0 || strcmp(id, "controller") == 0)
		return true;
	if (strcmp(c->name, "start") == 0)
		press_start(s);
	else if (strcmp(c->name, "reset") == 0)
		pb_round_press_reset(s->round);
	else if (strcmp(c->name, "reset_pellets") == 0)
		pb_round_reset_pellets(s->round);
	else if (strcmp(c->name, "reset_ghosts") == 0)
		pb_round_reset_clyde(s->round);
	else if (strcmp(c->name, "remove_pellet") == 0)
		return remove_pellet(s, c, bad);
	else if (strcmp(c->name, "spawn") == 0)
		return click(s, c, bad);
	else if (strcmp(c->name, "speed") == 0)
		return speed(s, c, bad, pb_round_clyde_speed);
	else if (strcmp(c->name, "base_speed") == 0)
		return speed(s, c, bad, pb_round_base_speed);
	return true;
}

/*
 * Without autostart nobody presses start again: the game ends when the robot
 * is back in the menu.
 */
static bool
idle(const struct pb_session *s)
{
	return !s->o.autostart && !s->wants &&
	       pb_round_state(s->round) == PB_MENU;
}

void
pb_session_finish(struct pb_session *s)
{
	double last = pb_round_time(s->round);
	enum pb_state state = pb_round_state(s->round);

	if (!s->started && !s->wants)
		pb_msg_note("nobody pressed start: give --autostart or a "
			    "cmd record \"start\"");
	while (!pb_session_over(s) && !idle(s) && pb_msg_out_ok() &&
	       !pb_msg_stopped()) {
		step(s);
		if (pb_round_state(s->round) != state) {
			state = pb_round_state(s->round);
			last = pb_round_time(s->round);
		}
		if (pb_round_time(s->round) - last > s->o.patience) {
			pb_msg_note("t %g: no way out of state \"%s\"",
			    pb_round_time(s->round), pb_state_name(state));
			break;
		}
	}
	write_result(s);
}

void
pb_session_clear(struct pb_session *s)
{
	const struct pb_player *p = s->o.player;

	pb_trace_end(&s->trace);
	pb_round_free(s->round);
	if (s->known != NULL && p->forget != NULL)
		p->forget(s->known);
	pb_arena_free(s->arena);
	pb_world_clear(&s->world);
	s->round = NULL;
	s->arena = NULL;
	s->known = NULL;
}
