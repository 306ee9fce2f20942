/* operator.c - a game that somebody leads: start, commands, round after round.
 */
#include "io/play/operator.h"

#include <string.h>

#include "io/stream/msg.h"

/* The number of a command of that name, -1: it is for nobody here. */
static int
find(const struct pb_play *p, const char *name, const char *id)
{
	const struct pb_command *v = p->game->commands;

	for (int i = 0; v[i].name; i++)
		if (strcmp(name, v[i].name) == 0 &&
		    (id[0] == '\0' || strcmp(id, v[i].to) == 0))
			return i;
	return -1;
}

static bool
read_number(const struct pb_rec_cmd *c, const char *what, struct pb_error *bad)
{
	return c->kind == PB_VALUE_NUM ||
	       pb_error_set(bad, "cmd.value: expected %s", what);
}

/* The value of a command that takes such. */
static bool
read_value(const struct pb_play *p, const struct pb_rec_cmd *c,
    enum pb_command_takes takes, struct pb_command_value *v,
    struct pb_error *bad)
{
	*v = (struct pb_command_value){
	    .speed = c->num, .at = c->point, .pellet = -1};
	switch (takes) {
	case PB_TAKES_NOTHING:
		return true;
	case PB_TAKES_SPEED:
		return read_number(c, "a speed in m/s", bad) &&
		       ((c->num > 0 && c->num <= PB_COMMAND_SPEED) ||
			   pb_error_set(bad,
			       "cmd.value: expected a speed above 0 and up to "
			       "%g m/s, got %g",
			       PB_COMMAND_SPEED, c->num));
	case PB_TAKES_POINT:
		return c->kind == PB_VALUE_POINT ||
		       pb_error_set(bad, "cmd.value: expected a point [x, y]");
	case PB_TAKES_PELLET:
		if (!read_number(c, "the number of a pellet", bad))
			return false;
		v->pellet = pb_trace_pellet(&p->trace, c->num);
		return v->pellet >= 0 ||
		       pb_error_set(bad, "cmd.value: no pellet %.15g", c->num);
	}
	return false;
}

bool
pb_operator_takes(const struct pb_play *p, const struct pb_rec_cmd *c,
    const char *id, struct pb_error *bad)
{
	int i = find(p, c->name, id);
	struct pb_command_value v;
	const char *why;

	if (i < 0)
		return true;
	if (!read_value(p, c, p->game->commands[i].takes, &v, bad))
		return false;
	why = p->game->cannot(p->state, i, &v);
	return why == NULL ||
	       pb_error_set(bad, "cmd.value: (%g, %g) %s", v.at.x, v.at.y, why);
}

/* Say why nothing came of a command. */
static void
note(const struct pb_play *p, const struct pb_command *k,
    const struct pb_rec_cmd *c, const char *why)
{
	struct pb_standing now;
	double t = pb_play_time(p);

	p->game->standing(p->state, &now);
	if (k->takes == PB_TAKES_PELLET)
		pb_msg_note("t %g: pellet %.0f %s", t, c->num, why);
	else if (k->takes == PB_TAKES_NOTHING)
		pb_msg_note("t %g: %s from state \"%s\"", t, why, now.phase);
	else
		pb_msg_note("t %g: %s %s", t, k->name, why);
}

/* Whether something came of it; if not, why was said. */
static bool
carry_out(struct pb_play *p, const struct pb_rec_cmd *c, int i)
{
	const struct pb_crew crew = pb_play_crew(p);
	const struct pb_command *k = &p->game->commands[i];
	struct pb_command_value v;
	struct pb_error bad;
	const char *why;

	read_value(p, c, k->takes, &v, &bad);
	why = p->game->command(p->state, i, &v, &crew);
	pb_play_look_after(p);
	if (why != NULL)
		note(p, k, c, why);
	return why == NULL;
}

/* Pressed too early, the published system cannot drive home. */
static void
press_start(struct pb_play *p)
{
	const struct pb_rec_cmd c = {.name = "start", .kind = PB_VALUE_NONE};
	_Alignas(double) unsigned char next[PB_RULES_OPTS];
	struct pb_pose at;

	p->wants = !p->game->estimate(p->state, &at);
	if (p->wants)
		return;
	if (p->game->idle(p->state)) {
		memcpy(next, p->learnt, p->game->opts_size);
		p->game->coming(p->state, next);
		pb_play_learn(p, next);
	}
	if (carry_out(p, &c, find(p, c.name, "")))
		p->started = true;
}

void
pb_operator_command(
    struct pb_play *p, const struct pb_rec_cmd *c, const char *id)
{
	int i = find(p, c->name, id);

	if (i < 0 || pb_operator_over(p))
		return;
	if (strcmp(c->name, "start") == 0) {
		press_start(p);
		return;
	}
	if (strcmp(c->name, "reset") == 0)
		p->wants = false;
	carry_out(p, c, i);
}

void
pb_operator_leave(struct pb_play *p)
{
	if (p->failed || p->game->ended(p->state) == p->told)
		return;
	p->told = p->game->ended(p->state);
	pb_play_result(p);
}

/* Whether autostart is to press start again. */
static bool
next_round(const struct pb_play *p)
{
	const struct pb_session_opts *o = p->o->session;

	return o->autostart && p->game->ended(p->state) < o->rounds;
}

bool
pb_operator_over(const struct pb_play *p)
{
	return p->over || (p->o->session->autostart && !next_round(p) &&
			      p->game->ended(p->state) == p->told);
}

bool
pb_operator_idle(const struct pb_play *p)
{
	return !p->o->session->autostart && !p->wants &&
	       p->game->idle(p->state);
}

void
pb_operator_step(struct pb_play *p)
{
	pb_play_step(p);
	if (!p->game->idle(p->state))
		return;
	pb_operator_leave(p);
	if (!p->over && (p->wants || next_round(p)))
		press_start(p);
}

/* Whether nothing forbids another step. */
static bool
goes_on(const struct pb_play *p)
{
	return !pb_operator_over(p) && pb_play_goes_on(p);
}

bool
pb_operator_until(struct pb_play *p, double t, struct pb_error *bad)
{
	double gap = p->o->session->max_gap, now = pb_play_time(p);
	/* Steps are multiples of dt: half of one is no difference. */
	double end = t - p->game->dt(p->state) / 2;

	if (t - now > gap)
		return pb_error_set(bad,
		    "cmd.t: %.15g is more than %g s after the game's time %g",
		    t, gap, now);
	while (pb_play_time(p) < end && goes_on(p))
		pb_operator_step(p);
	return true;
}

void
pb_operator_finish(struct pb_play *p)
{
	double last = pb_play_time(p), patience = p->game->patience(p->o->opts);
	struct pb_standing now;
	const char *phase;

	p->game->standing(p->state, &now);
	phase = now.phase;
	if (!p->o->session->autostart && !p->started && !p->wants)
		pb_msg_note("nobody pressed start: give --autostart or a "
			    "cmd record \"start\"");
	while (goes_on(p) && !pb_operator_idle(p)) {
		pb_operator_step(p);
		p->game->standing(p->state, &now);
		if (strcmp(now.phase, phase) != 0) {
			phase = now.phase;
			last = pb_play_time(p);
		}
		if (pb_play_time(p) - last > patience) {
			pb_msg_note("t %g: no way out of state \"%s\"",
			    pb_play_time(p), phase);
			break;
		}
	}
	pb_operator_leave(p);
	pb_cues_finish(&p->cues);
}
