/* play.c - play one game of any rule set: deciders, output, and the operator's
 * start, commands and rounds. */
#include "io/play/play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file/filter.h"
#include "io/file/mapsource.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "pb/version.h"

static const char *
find_name(const struct pb_play *p, int body)
{
	return p->game->body[body];
}

/* Whether the game can go on: no failure, no signal, stdout open. */
static bool
can_go_on(const struct pb_play *p)
{
	return !p->failed && !p->c.failed && pb_msg_out_ok() &&
	       !pb_msg_stopped();
}

double
pb_play_time(const struct pb_play *p)
{
	return pb_game_time(p->game, p->state);
}

static struct pb_stamp
make_stamp(const struct pb_play *p, const char *id)
{
	return pb_stamp_at(pb_play_time(p), id);
}

/* Write the move of one of our bodies; others receive it only this way. */
static void
write_move(void *ctx, int body, enum pb_dir d)
{
	struct pb_play *p = ctx;
	struct pb_rec_move m;

	if (p->programs.failed || (!p->game->lockstep && body > 0))
		return;
	pb_cues_until(&p->cues, pb_play_time(p));
	PB_REC_SET(m.dir, pb_dir_word((int)d));
	pb_rec_put(&p->c.out, PB_REC_MOVE,
	    make_stamp(p, p->game->lockstep ? find_name(p, body) : NULL), &m);
	pb_lockstep_part(&p->c, body);
}

static enum pb_dir
ask_program(void *ctx, int body, unsigned ways, int drawn)
{
	struct pb_play *p = ctx;
	enum pb_dir d;

	if (p->game->lockstep && !(p->asked.bodies >> body & 1)) {
		pb_cues_until(&p->cues, pb_play_time(p));
		pb_lockstep_aside(&p->c);
		d = pb_lockstep_move(&p->c, body, pb_play_time(p), ways);
		if (pb_lockstep_lost(&p->c, body))
			p->game->on_board->fail_body(p->state, body);
		return d;
	}
	return p->asked.decide_body(&p->programs, body, ways, drawn);
}

/* Decide in place of the built-in player: by a script or a program. */
static enum pb_dir
ask_player(void *ctx, const void *view)
{
	struct pb_play *p = ctx;
	enum pb_dir d = p->move;

	p->move = PB_STAY;
	return p->scripted ? d : p->asked.decide(&p->programs, view);
}

/* Write an event of a game on a map at once. */
static void
write_event(void *ctx, const struct pb_event *n)
{
	struct pb_play *p = ctx;

	pb_cues_until(&p->cues, pb_play_time(p));
	pb_trace_put(&p->trace, n);
	if (n->kind == PB_EVENT_SIGNAL)
		pb_cues_play(&p->cues, PB_REC_EVENT, n->name);
	if (p->asked.emit)
		p->asked.emit(&p->programs, n);
}

static void
choose_pellet(void *ctx, const unsigned char *left, struct pb_answer *out)
{
	struct pb_play *p = ctx;

	p->asked.choose(&p->programs, left, out);
}

static void
place_ghost(void *ctx, const struct pb_ghost_event *n, struct pb_vec *at)
{
	struct pb_play *p = ctx;

	p->asked.place(&p->programs, n, at);
}

/* Greatest drift between two clocks, a few hundred times that of crystals
 * (s/s). */
#define DRIFT 1e-3

static void
write_twist(struct pb_twist u, double t, struct pb_text *out)
{
	const struct pb_rec_twist r = {u.v, u.w};

	pb_rec_put(out, PB_REC_TWIST, pb_stamp_at(t, "robot"), &r);
}

/* A stamp this far back means that the robot's clock was reset (s). */
#define ANEW 5

void
pb_robot_clock(struct pb_robot *b, double t)
{
	double behind = pb_pace_seconds() - t;

	if (isnan(t))
		return;
	if (!b->timed || t < b->stamp - ANEW) {
		b->knows = false;
		b->behind = behind;
		b->stamp = t;
	}
	b->timed = true;
	b->behind = fmin(behind, b->behind + DRIFT * fmax(t - b->stamp, 0));
	b->stamp = fmax(b->stamp, t);
}

void
pb_robot_hear(struct pb_robot *b, double t, const struct pb_rec_pose *p)
{
	pb_robot_clock(b, t);
	if (strcmp(p->source, "estimate") != 0 ||
	    (*p->status != '\0' && strcmp(p->status, "tracking") != 0) ||
	    (b->knows && t < b->posed))
		return;
	b->posed = t;
	b->heard = pb_pace_seconds();
	b->at = (struct pb_pose){p->x, p->y, p->theta};
	b->knows = b->fresh = true;
}

bool
pb_robot_drive(struct pb_robot *b, double t, double dt, struct pb_twist *u,
    struct pb_pose *at, struct pb_text *out)
{
	bool fresh = b->fresh;
	double then = isnan(b->posed) ? b->heard : b->posed + b->behind;
	/* The next twist leaves after dt; the robot must stand by then. */
	bool dead = !b->knows || pb_pace_seconds() + dt - then > b->dead_man;

	if (dead)
		*u = (struct pb_twist){0, 0};
	write_twist(*u, t, out);
	if (fresh)
		*at = b->at;
	*at = pb_drive_move(*at, *u, dt);
	b->fresh = false;
	return fresh;
}

static bool
drive_robot(void *ctx, struct pb_twist *u, struct pb_pose *at)
{
	struct pb_play *p = ctx;

	return pb_robot_drive(&p->robot, pb_play_time(p),
	    pb_game_dt(p->game, p->state), u, at, &p->c.out);
}

/* End the game if a program has failed. */
static void
check_programs(struct pb_play *p)
{
	if (!p->programs.failed || p->forfeit || p->failed)
		return;
	pb_programs_complain(&p->programs);
	p->forfeit = p->programs.who == 0;
	p->failed = !p->forfeit;
}

static void
write_message(struct pb_play *p, const struct pb_event *n)
{
	struct pb_rec_message m;

	PB_REC_SET(m.name, n->name);
	PB_REC_SET(m.to, n->to ? n->to : "");
	PB_REC_SET(m.value, n->value ? n->value : "");
	pb_rec_put(&p->c.out, PB_REC_MESSAGE,
	    make_stamp(p, find_name(p, n->body)), &m);
	pb_lockstep_part(&p->c, n->body);
}

static void
write_tick(struct pb_play *p)
{
	const struct pb_pilot *pilot = p->o->pilot;
	struct pb_seen k;

	p->game->on_board->look(p->state, NULL, &k);
	pb_rec_put(&p->c.out, PB_REC_TICK, make_stamp(p, NULL), &k);
	pb_lockstep_part(&p->c, 0);
	if (pilot)
		pilot->show(pilot->user, &k);
}

static void
write_pose(struct pb_play *p, int body, struct pb_pose at, const char *source)
{
	pb_rec_put_pose(
	    &p->c.out, make_stamp(p, find_name(p, body)), at, source);
	pb_lockstep_part(&p->c, body);
}

/* Write the true poses of bodies if due, and the player's estimate. */
static void
write_poses(struct pb_play *p)
{
	double t = pb_play_time(p), rate = p->o->session->rate;
	struct pb_pose at;

	if (!pb_game_drives(p->game, p->o->opts) || t * rate < (double)p->poses)
		return;
	p->poses = (long)(t * rate) + 1;
	for (int i = 0; i < pb_game_bodies(p->game, p->o->opts); i++)
		write_pose(p, i, pb_game_pose(p->game, p->state, i), "truth");
	if (pb_game_estimate(p->game, p->state, &at))
		write_pose(p, 0, at, "estimate");
}

static void
write_senses(struct pb_play *p)
{
	struct pb_sense *s = p->senses.sense;
	struct pb_pose at;
	bool carried;

	if (!s)
		return;
	if (p->game->on_map)
		s->things = p->game->on_map->things(p->state, &s->thing);
	at = p->game->robot(p->state, p->o->heading, &carried);
	pb_senses_step(&p->senses, pb_play_time(p), at, carried);
	pb_lockstep_aside(&p->c);
}

/* Write the state, events and feedback of the last step. */
static void
write_step(struct pb_play *p)
{
	struct pb_event *event = p->event;
	int n;

	if (!p->game->on_board) {
		write_senses(p);
		return;
	}
	pb_cues_until(&p->cues, pb_play_time(p));
	n = p->game->on_board->events(p->state, event);
	for (int i = 0; i < n; i++)
		switch (event[i].kind) {
		case PB_EVENT_MESSAGE:
			write_message(p, &event[i]);
			break;
		case PB_EVENT_TICK:
			write_tick(p);
			break;
		case PB_EVENT_SIGNAL:
			pb_cues_put(&p->c.out, pb_play_time(p), event[i].name);
			pb_lockstep_part(&p->c, 0);
			pb_cues_play(&p->cues, PB_REC_EVENT, event[i].name);
			break;
		default: /* games on maps write these in write_event() */
			break;
		}
	write_poses(p);
	pb_lockstep_aside(&p->c);
	write_senses(p);
}

/* The agents of a step; steers: the pilot's stick points to d. */
static struct pb_agents
make_crew(struct pb_play *p, bool steers, enum pb_dir d)
{
	struct pb_agents agents = {.ctx = p,
	    .steers = steers,
	    .stick = d,
	    .decide = p->scripted || p->asked.decide ? ask_player : NULL,
	    .bodies = p->asked.bodies,
	    .decide_body = ask_program,
	    .decided = write_move,
	    .emit = write_event,
	    .choose = p->asked.choose ? choose_pellet : NULL,
	    .place = p->asked.place ? place_ghost : NULL,
	    .quits = p->asked.quits,
	    .drive = p->o->session->robot ? drive_robot : NULL};

	/* Bodies of other processes of a swarm. */
	for (int i = 0;
	     p->game->lockstep && i < pb_game_bodies(p->game, p->o->opts); i++)
		agents.bodies |= (unsigned)pb_lockstep_hears(&p->c, i) << i;
	return agents;
}

static bool
step_game(struct pb_play *p, bool steers, enum pb_dir d)
{
	const struct pb_agents agents = make_crew(p, steers, d);
	bool on;

	on = pb_game_step(p->game, p->state, &agents);
	check_programs(p);
	on = on && !p->forfeit;
	p->over = !on;
	if (p->failed || p->c.failed)
		return false;
	write_step(p);
	return on;
}

/* Take a step in which the player does not decide; false: it decides. */
static bool
skip_decision(struct pb_play *p)
{
	bool on = true;

	while (on && !p->game->on_board->asks(p->state) && can_go_on(p))
		on = step_game(p, false, PB_STAY);
	return on;
}

/* Reset the game, to wait for START. */
static void
reset_game(struct pb_play *p)
{
	if ((p->o->robots && p->o->robots->n > 0) ||
	    pb_outside_ghosts(p->o->programs)) {
		pb_msg_note(
		    "RESET ignored: ghosts that are programs cannot be reset");
		return;
	}
	p->joy = pb_joy_still();
	p->waits = true;
	pb_play_begin(p);
}

/* Handle buttons that were pressed at time t of the joystick's clock. */
static void
handle_buttons(struct pb_play *p, unsigned pressed, double t)
{
	if (pressed & PB_JOY_RESET)
		reset_game(p);
	if (p->waits && (pressed & PB_JOY_START)) {
		p->waits = false;
		p->joy_since = t;
	}
}

static bool
step_by_joystick(struct pb_play *p)
{
	return step_game(
	    p, true, pb_joy_dir(&p->joy, p->game->on_board->asks(p->state)));
}

/*
 * Play by a joystick record at t of its clock (s; NAN: none). With stamps, play
 * up to each, counted from START; without, a record steers one decision, as a
 * move does.
 */
static bool
follow_joystick(struct pb_play *p, double t, const struct pb_rec_joy *j)
{
	bool on = true;

	if (!p->has_joy) {
		p->has_joy = true;
		p->joy = pb_joy_still();
		p->joy_since = t;
		p->waits = j->buttons > 0;
	}
	while (!p->waits && on && can_go_on(p) &&
	       pb_play_time(p) < t - p->joy_since - 1e-9)
		on = step_by_joystick(p);
	handle_buttons(p, pb_joy_take(&p->joy, j), t);
	if (!p->waits && on && isnan(t))
		on = step_by_joystick(p) && skip_decision(p);
	return on && can_go_on(p);
}

/* Read the joystick's direction when the step is due. */
static enum pb_dir
read_joystick(struct pb_play *p)
{
	do {
		unsigned pressed = 0;

		fflush(stdout);
		p->left = !pb_joystick_until(p->o->joystick,
		    p->waits ? INFINITY : pb_play_time(p), &p->joy, &pressed);
		handle_buttons(p, pressed, 0);
	} while (!p->left && p->waits && can_go_on(p));
	return pb_joy_dir(&p->joy, p->game->on_board->asks(p->state));
}

/* Play a step. False: the game is over, or the pilot has left. */
static bool
play_step(struct pb_play *p)
{
	const struct pb_pilot *pilot = p->o->pilot;
	enum pb_dir d = PB_STAY;
	bool steers = true;

	if (p->o->joystick)
		d = read_joystick(p);
	else if (pilot && pilot->ask)
		p->left = !pilot->ask(pilot->user, pb_play_time(p), &d);
	else
		steers = false;
	return !p->left && step_game(p, steers, d);
}

/* Sensors measure the true map, from where the robot is. They write true poses,
 * so the trace does not. */
static void
begin_senses(struct pb_play *p)
{
	const struct pb_session_opts *o = p->o->session;
	unsigned sensors = o->senses.sensors;
	struct pb_map m;
	bool carried;

	pb_senses_end(&p->senses);
	if (sensors == 0)
		return;
	p->trace.kinds &= ~(uint32_t)PB_TRACE_TRUTH;
	if (sensors & PB_SENSOR_ODOM)
		p->trace.kinds &= ~(uint32_t)PB_TRACE_ODOM;
	if ((p->game->solid ? p->game->solid(p->state, &m)
			    : pb_maze_walled(&p->maze, &m)) != PB_OK)
		pb_msg_end_memory();
	pb_senses_begin(&p->senses, &o->senses, &m, o->seed, o->trial,
	    p->game->robot(p->state, p->o->heading, &carried), &p->c.out);
	pb_map_clear(&m);
}

/* Trace a game on a map. A real robot has no true pose; its twists are written
 * at each step. */
static void
begin_trace(struct pb_play *p)
{
	const struct pb_session_opts *s = p->o->session;
	uint32_t kinds = s->trace;

	if (s->robot)
		kinds &= ~(
		    uint32_t)(PB_TRACE_TRUTH | PB_TRACE_ODOM | PB_TRACE_TWIST);
	p->trace.game = p->game;
	p->trace.id = p->land.id;
	p->trace.period = 1 / s->rate;
	pb_trace_begin(&p->trace, &p->c.out, kinds, p->state);
}

/* Start the programs on this ground, or reset them for the next game. */
static void
begin_programs(struct pb_play *p)
{
	const struct pb_session_opts *s = p->o->session;
	const struct pb_ground ground = pb_play_ground(p);

	p->programs.failed = false;
	if (!p->programs.game)
		pb_programs_begin(&p->programs, p->game, p->o->programs,
		    p->o->patience, &ground, p->land.id);
	pb_programs_reset(&p->programs, p->state, s->seed, s->trial);
	p->asked = pb_programs_agents(&p->programs);
}

/* Write the board, or the pellets, for observers. */
static void
write_ground(struct pb_play *p)
{
	const struct pb_pilot *pilot = p->o->pilot;

	if (!p->game->board) {
		if (!p->land.has_pellets)
			pb_trace_pellets(&p->trace, NULL, &p->c.out);
		return;
	}
	if (!pb_lockstep_hears(&p->c, 0)) {
		pb_rec_put(&p->c.out, PB_REC_MAZE, pb_stamp_none(), &p->maze);
		pb_lockstep_part(&p->c, 0);
	}
	if (pilot) {
		if (pilot->board)
			pilot->board(pilot->user, &p->maze);
		p->cues.see = pilot->light;
		p->cues.user = pilot->user;
	}
}

bool
pb_play_begin(struct pb_play *p)
{
	const struct pb_play_opts *o = p->o;
	const struct pb_session_opts *s = o->session;
	struct pb_agents agents;

	p->poses = 0;
	p->move = PB_STAY;
	p->forfeit = p->over = p->wants = p->started = false;
	p->reported = 0;
	if (!p->game->board)
		begin_trace(p);
	p->failed = !pb_cues_begin(&p->cues, &s->cues, 0, &p->c.out);
	if (p->failed)
		return false;
	begin_programs(p);
	p->cues.f.still = p->game->on_map && p->game->on_map->still(o->opts);
	agents = make_crew(p, false, PB_STAY);
	pb_game_start(p->game, p->state, s->seed, s->trial, &agents);
	begin_senses(p);
	write_ground(p);
	write_step(p);
	return !p->c.failed;
}

static const char *
name_player(const struct pb_play *p)
{
	const struct pb_play_opts *o = p->o;

	return o->joystick || (o->pilot && o->pilot->ask) ? "human"
	       : p->scripted                              ? "script"
	                                                  : o->player->name;
}

struct pb_ground
pb_play_ground(const struct pb_play *p)
{
	if (p->game->board)
		return (struct pb_ground){.maze = &p->maze};
	return (struct pb_ground){.map = &p->land.map,
	    .truth = p->o->session->truth,
	    .pellets = p->land.has_pellets ? &p->land.pellets : NULL};
}

void
pb_play_sign(const struct pb_play_opts *o, const struct pb_ground *ground,
    const char *who, const struct pb_outside *x,
    struct pb_settings_room *settings, struct pb_rec_result *r)
{
	const struct pb_session_opts *s = o->session;
	/* The built-in player plays, and no program replaces it. */
	bool ours = !(x && x->body[0]) && who == o->player->name;

	pb_rec_none(PB_REC_RESULT, r);
	PB_REC_SET(r->version, PB_VERSION);
	r->trial = pb_game_key(o->game, ground, o->opts, 1);
	r->trial.build = pb_build_digest();
	if (s->preset)
		PB_REC_SET(r->trial.preset, s->preset);
	*settings = (struct pb_settings_room){NULL, 0};
	pb_constants_tell(
	    o->game, o->opts, ours ? who : "", s->preset, NULL, settings);
	r->trial.seed = s->seed;
	r->trial.trial = s->trial;
	PB_REC_SET(r->trial.policy, who);
	pb_outside_credit(x, o->game, &r->trial);
	if (ours)
		pb_game_credit(o->game, o->player, o->opts, &r->trial);
	r->trial.settings = pb_constants_settings(settings, r->trial.weights);
}

static void
write_result(struct pb_play *p)
{
	struct pb_rec_result r;
	struct pb_settings_room settings;
	const struct pb_play_opts *o = p->o;
	const struct pb_ground ground = pb_play_ground(p);

	pb_play_sign(o, &ground, name_player(p), o->outside, &settings, &r);
	pb_game_result(p->game, p->state, &r.trial);
	if (p->forfeit) {
		PB_REC_SET(r.trial.outcome, "forfeit");
		*r.trial.cause = '\0';
		r.trial.success = false;
	}
	pb_rec_put(&p->c.out, PB_REC_RESULT, pb_stamp_none(), &r);
	if (o->summary)
		pb_msg_note("%s, round %d: %s, %d of %d pellets, %.1f s",
		    r.trial.policy, r.trial.round, r.trial.outcome,
		    r.trial.collected, r.trial.total, r.trial.time);
	free(settings.at);
	r.trial.settings = (struct pb_settings){NULL, 0};
	if (o->pilot && o->pilot->over)
		o->pilot->over(o->pilot->user, &r);
	pb_lockstep_part(&p->c, 0);
	p->c.over = true;
}

/* The tables and state of a game; see struct pb_play. */
struct parts {
	void *world, *known, *state;
	const struct pb_player *player;
};

/* Forget a game, and what belongs to its ground. */
static void
free_parts(const struct pb_play_opts *o, const struct parts *s)
{
	pb_game_close(o->game, s->state);
	pb_game_forget(o->game, s->player, s->known);
	if (s->world)
		pb_game_discard(o->game, s->world);
}

/* Make the tables and state with o's options; on failure `no` may be filled
 * in. */
static enum pb_status
make_parts(const struct pb_play_opts *o, const struct pb_ground *ground,
    struct parts *s, struct pb_refusal *no)
{
	const struct pb_game *g = o->game;
	enum pb_status st = pb_game_prepare(g, ground, o->opts, &s->world, no);

	if (st == PB_OK)
		st = pb_game_learn(g, o->player, s->world, o->opts, &s->known);
	if (st == PB_OK)
		st = pb_game_open(
		    g, &s->state, s->world, o->opts, o->player, s->known);
	if (st != PB_OK)
		free_parts(o, s);
	return st;
}

bool
pb_play_on(
    struct pb_play *p, const struct pb_ground *ground, struct pb_error *bad)
{
	const struct pb_game *g = p->game;
	struct parts next = {.player = p->o->player};
	struct parts last = {p->world, p->known, p->state, p->player};
	struct pb_refusal no = {NULL, -1, -1};
	enum pb_status st = make_parts(p->o, ground, &next, &no);
	struct pb_error why;

	if (st != PB_OK)
		return pb_error_set(bad, "%s%s", g->board ? "" : "map: ",
		    pb_world_refuse(g, ground, p->o->opts, st, &no, &why));
	if (g->on_map)
		pb_world_tell_reach("", pb_world_reach(g, next.world));
	free_parts(p->o, &last);
	p->world = next.world;
	p->known = next.known;
	p->player = next.player;
	p->state = next.state;
	memcpy(p->learnt, p->o->opts, g->opts_size);
	/* Programs receive the map or board when they start: start them anew.
	 */
	pb_programs_end(&p->programs);
	p->programs = (struct pb_programs){.game = NULL};
	p->asked = (struct pb_agents){.ctx = NULL};
	return true;
}

/* Let the player compute what it can before the round. */
static void
prepare_player(struct pb_play *p, const void *opts)
{
	const struct pb_game *g = p->game;
	void *known;
	enum pb_status st;

	if (!p->known || memcmp(opts, p->learnt, g->opts_size) == 0)
		return;
	st = pb_game_learn(g, p->o->player, p->world, opts, &known);
	if (st == PB_OK &&
	    (st = g->on_map->set_model(p->state, known)) != PB_OK)
		pb_game_forget(g, p->o->player, known);
	if (st != PB_OK) {
		pb_msg_refuse((struct pb_place){NULL, 0},
		    "%s cannot prepare for round %d: %s", p->o->player->name,
		    pb_game_round(g, opts), pb_status_text(st));
		return;
	}
	pb_game_forget(g, p->o->player, p->known);
	p->known = known;
	memcpy(p->learnt, opts, g->opts_size);
}

/* Load the board of o, or receive that of a swarm. */
static bool
open_board(struct pb_play *p)
{
	const struct pb_ground ground = {.maze = &p->maze};
	struct pb_error bad;

	if (!pb_lockstep_hears(&p->c, 0)) {
		if (!pb_world_maze(p->from.file, &p->maze, &bad))
			return pb_msg_error(&bad);
	} else if (pb_lockstep_next(&p->c, PB_REC_MAZE)) {
		p->from = p->c.line.at;
		p->maze = p->c.rec.maze;
		pb_rec_clear(&p->c.rec);
	} else {
		return false;
	}
	return pb_play_on(p, &ground, &bad) || pb_msg_error_at(p->from, &bad);
}

bool
pb_play_open(struct pb_play *p, const struct pb_play_opts *o)
{
	const struct pb_game *g = o->game;

	*p = (struct pb_play){.o = o,
	    .game = g,
	    .from.file = o->board ? o->board : g->board,
	    .presses = o->session->autostart,
	    .move = PB_STAY};
	pb_lockstep_begin(&p->c, o->as, g->body, pb_game_bodies(g, o->opts));
	if (g->board && !open_board(p))
		return false;
	if (g->lockstep)
		pb_lockstep_lead(&p->c, o->robots, o->patience);
	if (g->board || !o->board)
		return true;
	/* Load the map of a file, unless one comes as a record. */
	if (!pb_world_file(&p->land, o->board, o->pixels))
		return false;
	pb_rec_put(&p->c.out, PB_REC_MAP, pb_stamp_none(), &p->land.map);
	return true;
}

void
pb_play_close(struct pb_play *p)
{
	struct parts last = {p->world, p->known, p->state, p->player};

	pb_cues_finish(&p->cues);
	pb_trace_end(&p->trace);
	pb_senses_end(&p->senses);
	free_parts(p->o, &last);
	pb_world_clear(&p->land);
	pb_programs_leave(&p->programs);
	pb_lockstep_end(&p->c);
}

/* Returns the index of the command with that name and id, -1: none. */
static int
find_command(const struct pb_play *p, const char *name, const char *id)
{
	const struct pb_command *v = p->game->on_map->commands;

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

/* Read the value of a command. */
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
		       pb_error_set(
			   bad, "cmd.value: there is no pellet %.15g", c->num);
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
	if (!read_value(p, c, p->game->on_map->commands[i].takes, &v, bad))
		return false;
	why = p->game->on_map->cannot(p->state, i, &v);
	return why == NULL ||
	       pb_error_set(bad, "cmd.value: (%g, %g) %s", v.at.x, v.at.y, why);
}

/* Carry out a command. False: a message was printed. */
static bool
carry_out(struct pb_play *p, const struct pb_rec_cmd *c, int i)
{
	const struct pb_agents agents = make_crew(p, false, PB_STAY);
	const struct pb_command *k = &p->game->on_map->commands[i];
	struct pb_command_value v;
	struct pb_standing now;
	struct pb_error bad;
	const char *why;
	double t;

	read_value(p, c, k->takes, &v, &bad);
	why = p->game->on_map->command(p->state, i, &v, &agents);
	check_programs(p);
	if (why == NULL)
		return true;
	t = pb_play_time(p);
	p->game->on_map->standing(p->state, &now);
	if (k->takes == PB_TAKES_PELLET)
		pb_msg_note("t %g: pellet %.0f %s", t, c->num, why);
	else if (k->takes == PB_TAKES_NOTHING)
		pb_msg_note("t %g: %s from state \"%s\"", t, why, now.phase);
	else
		pb_msg_note("t %g: %s %s", t, k->name, why);
	return false;
}

/* Press start. If the robot is not localized yet, the published system cannot
 * drive home, so wait. */
static void
press_start(struct pb_play *p)
{
	const struct pb_rec_cmd c = {.name = "start", .kind = PB_VALUE_NONE};
	_Alignas(double) unsigned char next[PB_RULES_OPTS];
	struct pb_pose at;

	p->wants = !pb_game_estimate(p->game, p->state, &at);
	if (p->wants)
		return;
	if (p->game->on_map->idle(p->state)) {
		memcpy(next, p->learnt, p->game->opts_size);
		p->game->on_map->next_opts(p->state, next);
		prepare_player(p, next);
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
	if (p->failed || p->game->on_map->ended(p->state) == p->reported)
		return;
	p->reported = p->game->on_map->ended(p->state);
	write_result(p);
}

/* Whether to press start for another round. */
static bool
needs_start(const struct pb_play *p)
{
	return p->presses &&
	       p->game->on_map->ended(p->state) < p->o->session->rounds;
}

bool
pb_operator_over(const struct pb_play *p)
{
	return p->over || (p->presses && !needs_start(p) &&
			      p->game->on_map->ended(p->state) == p->reported);
}

bool
pb_operator_idle(const struct pb_play *p)
{
	return !p->presses && !p->wants && p->game->on_map->idle(p->state);
}

void
pb_operator_step(struct pb_play *p)
{
	play_step(p);
	if (!p->game->on_map->idle(p->state))
		return;
	pb_operator_leave(p);
	if (!p->over && (p->wants || needs_start(p)))
		press_start(p);
}

/* Whether another step may follow. */
static bool
may_step(const struct pb_play *p)
{
	return !pb_operator_over(p) && can_go_on(p);
}

/* A command farther ahead of the game is refused as a mistake (s). */
#define FAR 3600

bool
pb_operator_until(struct pb_play *p, double t, struct pb_error *bad)
{
	double now = pb_play_time(p);
	/* Stop within half a step of t: steps are multiples of dt. */
	double end = t - pb_game_dt(p->game, p->state) / 2;

	if (t - now > FAR)
		return pb_error_set(bad,
		    "cmd.t: %.15g is more than %d s after the game's time %g",
		    t, FAR, now);
	while (pb_play_time(p) < end && may_step(p))
		pb_operator_step(p);
	return true;
}

void
pb_operator_finish(struct pb_play *p)
{
	double last = pb_play_time(p),
	       patience = p->game->on_map->patience(p->o->opts);
	struct pb_standing now;
	const char *phase;

	p->game->on_map->standing(p->state, &now);
	phase = now.phase;
	if (!p->started && !p->wants && !p->o->session->wait_start)
		p->presses = true;
	if (!p->presses && !p->started && !p->wants)
		pb_msg_note("--wait-start: no cmd record \"start\" came");
	while (may_step(p) && !pb_operator_idle(p)) {
		pb_operator_step(p);
		p->game->on_map->standing(p->state, &now);
		if (strcmp(now.phase, phase) != 0) {
			phase = now.phase;
			last = pb_play_time(p);
		}
		if (pb_play_time(p) - last > patience) {
			pb_msg_note("t %g: stuck in state \"%s\"; the game "
				    "is ended",
			    pb_play_time(p), phase);
			break;
		}
	}
	pb_operator_leave(p);
	pb_cues_finish(&p->cues);
}

static bool
play_move(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct pb_play *p = f->user;
	const char *const *body = p->game->body, *id = r->stamp.id;
	int d, i = 0;

	/* A record without id is for the player; other bodies follow their
	 * rules. */
	while (*id != '\0' && body[i] && strcmp(id, body[i]) != 0)
		i++;
	if (!body[i] || (i > 0 && r->type != PB_REC_MOVE))
		return pb_error_set(bad,
		    "%s: expected one of %s, got one of \"%s\"",
		    pb_rec_name(r->type), body[0], id);
	if (i > 0)
		return true;
	if (r->type == PB_REC_JOY) {
		f->stop = !follow_joystick(p, r->stamp.t, &r->joy);
		return true;
	}
	if ((d = pb_move_dir(&r->move, bad)) < 0)
		return false;
	p->move = (enum pb_dir)d;
	f->stop = !step_game(p, false, p->move) || !skip_decision(p);
	return true;
}

/*
 * Play by the moves and joysticks of streams, one after the other, until the
 * game is over. False, with a message: a record was refused, or START never
 * came.
 */
static bool
play_script(struct pb_play *p, char *const *files, int n)
{
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_MOVE) |
	            (p->game->starts ? PB_REC_BIT(PB_REC_JOY) : 0),
	    .common = p->o->common,
	    .take = play_move,
	    .user = p};

	p->scripted = true;
	if (!skip_decision(p) || !pb_filter_run(&f, files, n))
		return false;
	if (p->waits)
		pb_msg_note("START, button 0, was never pressed: no game");
	return !p->waits;
}

/* Play on a board, already open. */
static void
run_board(struct pb_play *p, char *const *files, int n)
{
	struct pb_trial t;

	p->joy = pb_joy_still();
	p->waits = p->o->joystick != NULL;
	if (!pb_play_begin(p) || (n > 0 && !play_script(p, files, n)))
		return;
	while (!p->over && !p->left && can_go_on(p))
		play_step(p);
	if (pb_lockstep_hears(&p->c, 0)) {
		pb_game_result(p->game, p->state, &t);
		pb_lockstep_agrees(&p->c, t.hash);
	} else if (can_go_on(p) && !p->left) {
		write_result(p);
	}
	pb_cues_finish(&p->cues);
}

bool
pb_play_on_map(struct pb_play *p)
{
	const struct pb_ground ground = pb_play_ground(p);
	struct pb_error bad = {""};

	if (p->state != NULL)
		return true;
	if (pb_play_on(p, &ground, &bad))
		return pb_play_begin(p);
	if (bad.text[0] != '\0')
		pb_msg_error_at(p->from, &bad);
	return false;
}

static bool
read_ground(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct pb_play *p = f->user;
	bool map = r->type == PB_REC_MAP;

	if (p->state != NULL)
		return pb_error_set(bad, "%s: comes after the game has begun",
		    pb_rec_name(r->type));
	if (!pb_world_take(&p->land, r, bad))
		return false;
	if (map)
		p->from = f->line.at;
	pb_filter_pass(f);
	return true;
}

/* A real robot's game follows the clock, checked this often (s). */
#define TURN 0.005

/* Step the game up to the clock. Time during which the process was stopped does
 * not count. */
static void
follow_clock(struct pb_play *p)
{
	double *zero = &p->robot.zero, t;

	if (p->state == NULL)
		return;
	t = pb_play_time(p);
	*zero = pb_pace_due(*zero + t, pb_pace_seconds()) - t;
	while (may_step(p) && pb_play_time(p) < pb_pace_seconds() - *zero)
		pb_operator_step(p);
	fflush(stdout);
}

static void
follow_clock_meanwhile(void *user)
{
	pb_pace_wait(pb_pace_now(), TURN);
	follow_clock(user);
}

static void
note_record(struct pb_filter *f, const struct pb_rec *r)
{
	struct pb_play *p = f->user;

	/* Odometry and scans are used for their time only. */
	if ((r->type == PB_REC_ODOM || r->type == PB_REC_SCAN) &&
	    pb_filter_is_of(r, p->game->body[0]))
		pb_robot_clock(&p->robot, r->stamp.t);
	follow_clock(p);
	f->stop = p->state != NULL && pb_operator_over(p);
}

/* Use a record of a real robot: its pose, or its map. */
static bool
play_real(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct pb_play *p = f->user;

	if (r->type != PB_REC_POSE)
		return read_ground(f, r, bad);
	if (pb_filter_is_of(r, p->game->body[0]) && p->land.has_map)
		pb_robot_hear(&p->robot, r->stamp.t, &r->pose);
	if (p->state == NULL && p->robot.knows) {
		if (!pb_play_on_map(p))
			return false;
		p->robot.zero = pb_pace_seconds();
	}
	note_record(f, r);
	return !p->failed;
}

static bool
play_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct pb_play *p = f->user;

	if (r->type == PB_REC_MAP || r->type == PB_REC_PELLETS)
		return read_ground(f, r, bad);
	if (!p->land.has_map)
		return pb_error_set(bad, "%s: %s comes before any map",
		    pb_rec_name(r->type),
		    r->type == PB_REC_CMD ? r->cmd.name : r->event.name);
	/* The message was already printed. */
	bad->text[0] = '\0';
	if (!pb_play_on_map(p) || !pb_operator_until(p, r->stamp.t, bad) ||
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

/* Read records of the wanted types; one must be a map. */
static bool
read_map(struct pb_play *p, uint64_t want,
    bool (*fn)(struct pb_filter *, struct pb_rec *, struct pb_error *),
    char *const *files, int n)
{
	struct pb_filter f = {
	    .want = want | PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_PELLETS),
	    .passes = fn != play_real,
	    .common = p->o->common,
	    .take = fn,
	    .see = fn == play_real ? note_record : NULL,
	    .user = p};
	bool ok = pb_filter_run(&f, files, n);

	if (ok && !p->land.has_map)
		pb_world_no_map(files, n, f.seen);
	return ok && p->land.has_map;
}

bool
pb_play_read_map(struct pb_play *p, char *const *files, int n)
{
	return (n == 0 && p->o->board != NULL) ||
	       read_map(p, 0, read_ground, files, n);
}

/* Play with a real robot. When the input ends, it stands, and the game is
 * over. */
static void
run_real(struct pb_play *p, char *const *files, int n)
{
	p->robot.dead_man = p->o->session->dead_man;
	pb_wait_meanwhile(follow_clock_meanwhile, p);
	read_map(p, PB_REC_BIT(PB_REC_POSE), play_real, files, n);
	pb_wait_meanwhile(NULL, NULL);
	if (p->state == NULL)
		return;
	write_twist((struct pb_twist){0, 0}, pb_play_time(p), &p->c.out);
	pb_operator_leave(p);
	pb_cues_finish(&p->cues);
}

/* Input that is silent for this long may be no stream of commands (s). */
#define SILENT 2

/*
 * Whether to read commands from standard input without an operand "-", when the
 * map comes from elsewhere: not with autostart, and from a terminal only if
 * start must come from there.
 */
static bool
reads_stdin(const struct pb_session_opts *s)
{
	if (s->autostart || isatty(STDIN_FILENO))
		return s->wait_start;
	if (!pb_keys_wait(STDIN_FILENO, SILENT, NULL))
		pb_msg_note("waiting for commands on standard input; "
			    "--autostart starts without them");
	return true;
}

static void
run_map(struct pb_play *p, char *const *files, int n)
{
	const struct pb_session_opts *s = p->o->session;
	uint64_t want = PB_REC_BIT(PB_REC_CMD) | pb_cues_want(&s->cues);

	if (s->robot)
		run_real(p, files, n);
	else if (((p->o->board != NULL && n == 0 && !reads_stdin(s)) ||
		     read_map(p, want, play_record, files, n)) &&
		 pb_play_on_map(p))
		pb_operator_finish(p);
}

void
pb_play_run(const struct pb_play_opts *o, char *const *files, int n)
{
	struct pb_play *p = pb_alloc(1, sizeof(*p));

	pb_msg_catch();
	if (pb_play_open(p, o)) {
		if (o->game->board != NULL)
			run_board(p, files, n);
		else
			run_map(p, files, n);
	}
	pb_play_close(p);
	free(p);
}
