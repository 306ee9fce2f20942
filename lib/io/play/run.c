/* run.c - one game from the first byte of its streams to its end, and the
 * operator who leads it: start, commands, round after round. */
#include "io/play/run.h"

#include <string.h>

#include "io/file/filter.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"

/* The number of a command of that name, -1: it is for nobody here. */
static int
find_command(const struct pb_play *p, const char *name, const char *id)
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
	int i = find_command(p, c->name, id);
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
	if (carry_out(p, &c, find_command(p, c.name, "")))
		p->started = true;
}

void
pb_operator_command(
    struct pb_play *p, const struct pb_rec_cmd *c, const char *id)
{
	int i = find_command(p, c->name, id);

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

/* Moves and joysticks out of streams, until the game is over. */
static bool
play_script(struct pb_play *p, char *const *files, int n)
{
	const struct pb_script script = {p->game->body, pb_play_move,
	    p->game->starts ? pb_play_joy : NULL, p};

	p->scripted = true;
	if (!pb_play_sit_out(p) ||
	    !pb_script_play(&script, files, n, p->o->common))
		return false;
	if (p->waits)
		pb_msg_note("START, button 0, was never pressed: no game");
	return !p->waits;
}

/* Play on a board, which is open. */
static void
run_board(struct pb_play *p, char *const *files, int n)
{
	struct pb_rec r = {.type = PB_REC_OTHER};

	p->joy = pb_joy_still();
	p->waits = p->o->joystick != NULL;
	if (!pb_play_begin(p) || (n > 0 && !play_script(p, files, n)))
		return;
	while (!p->over && !p->left && pb_play_goes_on(p))
		pb_play_step(p);
	if (pb_lockstep_hears(&p->c, 0))
		pb_lockstep_next(&p->c, PB_REC_RESULT, &r);
	else if (pb_play_goes_on(p) && !p->left)
		pb_play_result(p);
	pb_cues_finish(&p->cues);
	pb_rec_clear(&r);
}

/* A game, and where its map came from: what is wrong with it is said there. */
struct on_map {
	struct pb_play *p;
	struct pb_place map;
	double zero; /* of a real robot: when the game's time was 0 */
};

bool
pb_play_on_map(struct pb_play *p, struct pb_place map)
{
	const struct pb_ground ground = pb_play_ground(p);
	struct pb_error bad = {""};

	if (pb_play_on(p, &ground, &bad))
		return pb_play_begin(p);
	if (bad.text[0] != '\0')
		pb_msg_error_at(map, &bad);
	return false;
}

/* Begin if the game has not begun: the ground is complete. */
static bool
begin(struct on_map *g)
{
	return g->p->state != NULL || pb_play_on_map(g->p, g->map);
}

static bool
take_ground(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct on_map *g = f->user;
	bool map = r->type == PB_REC_MAP;

	if (g->p->state != NULL)
		return pb_error_set(bad, "%s: comes after the game has begun",
		    pb_rec_name(r->type));
	if (!pb_world_take(&g->p->land, r, bad))
		return false;
	if (map)
		g->map = f->line.at;
	pb_filter_pass(f);
	return true;
}

/* A real robot's game goes as the clock does, looked at so often (s). */
#define TURN 0.005

/* What time passes without it, because we were stopped, is no part of it. */
static void
keep_up(struct on_map *g)
{
	struct pb_play *p = g->p;
	double t;

	if (p->state == NULL)
		return;
	t = pb_play_time(p);
	g->zero = pb_pace_due(g->zero + t, pb_pace_seconds()) - t;
	while (!pb_operator_over(p) && pb_play_goes_on(p) &&
	       pb_play_time(p) < pb_pace_seconds() - g->zero)
		pb_operator_step(p);
	fflush(stdout);
}

static void
keep_up_meanwhile(void *user)
{
	pb_pace_wait(pb_pace_now(), TURN);
	keep_up(user);
}

static void
see(struct pb_filter *f, const struct pb_rec *r)
{
	struct on_map *g = f->user;

	(void)r;
	keep_up(g);
	f->stop = g->p->state != NULL && pb_operator_over(g->p);
}

/* What a real robot says: where it is, on what map. */
static bool
take_real(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct on_map *g = f->user;
	struct pb_play *p = g->p;

	if (r->type != PB_REC_POSE)
		return take_ground(f, r, bad);
	if (pb_filter_is_of(r, p->game->body[0]) && p->land.has_map)
		pb_robot_hear(&p->robot, r->stamp.t, &r->pose);
	if (p->state == NULL && p->robot.knows) {
		if (!begin(g))
			return false;
		g->zero = pb_pace_seconds();
	}
	see(f, r);
	return !p->failed;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct on_map *g = f->user;
	struct pb_play *p = g->p;

	if (r->type == PB_REC_MAP || r->type == PB_REC_PELLETS)
		return take_ground(f, r, bad);
	if (!p->land.has_map)
		return pb_error_set(bad, "%s: %s comes before any map",
		    pb_rec_name(r->type),
		    r->type == PB_REC_CMD ? r->cmd.name : r->event.name);
	/* Nothing is to follow what was said of a beginning, or a program. */
	bad->text[0] = '\0';
	if (!begin(g) || !pb_operator_until(p, r->stamp.t, bad) ||
	    (r->type == PB_REC_CMD &&
		!pb_operator_takes(p, &r->cmd, r->stamp.id, bad)))
		return false;
	bad->text[0] = '\0';
	if (p->failed)
		return false;
	pb_filter_pass(f);
	pb_cues_hear(&p->cues, r, f->line.at);
	if (r->type == PB_REC_CMD)
		pb_operator_command(p, &r->cmd, r->stamp.id);
	return true;
}

/* Read records of the types wanted, of which a map has to be one. */
static bool
read_map(struct on_map *g, uint64_t want,
    bool (*fn)(struct pb_filter *, struct pb_rec *, struct pb_error *),
    char *const *files, int n)
{
	struct pb_filter f = {
	    .want = want | PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_PELLETS),
	    .passes = fn != take_real,
	    .common = g->p->o->common,
	    .take = fn,
	    .see = fn == take_real ? see : NULL,
	    .user = g};
	bool ok = pb_filter_run(&f, files, n);

	if (ok && !g->p->land.has_map)
		pb_world_no_map(files, n, f.seen);
	return ok && g->p->land.has_map;
}

bool
pb_play_read_map(
    struct pb_play *p, char *const *files, int n, struct pb_place *map)
{
	struct on_map g = {p, {p->o->board, 0}};
	bool ok = (n == 0 && p->o->board != NULL) ||
	          read_map(&g, 0, take_ground, files, n);

	*map = g.map;
	return ok;
}

/* Where the input ends, the robot stands, and the game is over. */
static void
run_real(struct on_map *g, char *const *files, int n)
{
	struct pb_play *p = g->p;

	p->robot.dead_man = p->o->session->dead_man;
	pb_wait_meanwhile(keep_up_meanwhile, g);
	read_map(g, PB_REC_BIT(PB_REC_POSE), take_real, files, n);
	pb_wait_meanwhile(NULL, NULL);
	if (p->state == NULL)
		return;
	pb_robot_stop(pb_play_time(p), &p->c.out);
	pb_operator_leave(p);
	pb_cues_finish(&p->cues);
}

/*
 * With a map and somebody who presses start nothing is missing: standard input
 * is read only if it is named.
 */
static void
run_map(struct pb_play *p, char *const *files, int n)
{
	const struct pb_session_opts *s = p->o->session;
	struct on_map g = {p, {p->o->board, 0}};
	uint64_t want = PB_REC_BIT(PB_REC_CMD) | pb_cues_want(&s->cues);

	if (s->robot) {
		run_real(&g, files, n);
		return;
	}
	if (((p->o->board != NULL && n == 0 && s->autostart) ||
		read_map(&g, want, take, files, n)) &&
	    begin(&g))
		pb_operator_finish(p);
}

void
pb_play_run(const struct pb_play_opts *o, char *const *files, int n,
    struct pb_play_left *left)
{
	struct pb_play p;

	pb_msg_catch();
	if (pb_play_open(&p, o)) {
		if (o->game->board != NULL)
			run_board(&p, files, n);
		else
			run_map(&p, files, n);
	}
	if (left != NULL && p.state != NULL) {
		left->maze = p.maze;
		left->heat = ((const struct pb_seat *)p.state)->heat;
		pb_play_who(&p, left->who);
	}
	pb_play_close(&p);
}
