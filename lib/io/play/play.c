/* play.c - one game being played, whichever: who decides, what is written. */
#include "io/play/play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/opt/rules_opts.h"
#include "io/play/steering.h"
#include "io/play/world.h"
#include "io/stream/msg.h"
#include "pb/version.h"

/* Whether there is a pilot who steers; p may be NULL. */
static bool
pilot_steers(const struct pb_pilot *p)
{
	return p != NULL && p->ask != NULL;
}

static void
pilot_over(const struct pb_pilot *p, const struct pb_rec_result *r)
{
	if (p != NULL && p->over != NULL)
		p->over(p->user, r);
}

static const char *
name_of(const struct pb_play *p, int body)
{
	return p->game->body[body];
}

/* Whether another process speaks for the player: we are another's body. */
static bool
hears_player(const struct pb_play *p)
{
	return pb_lockstep_hears(&p->c, 0);
}

bool
pb_play_goes_on(const struct pb_play *p)
{
	return !p->failed && !p->c.failed && pb_msg_out_ok() &&
	       !pb_msg_stopped();
}

double
pb_play_time(const struct pb_play *p)
{
	return p->game->time(p->state);
}

static struct pb_stamp
stamp(const struct pb_play *p, const char *id)
{
	return pb_stamp_at(pb_play_time(p), id);
}

/* The game knows from now on that a body is lost. */
static void
handle_lost(struct pb_play *p, int body)
{
	if (body > 0 && pb_lockstep_lost(&p->c, body))
		p->game->lose(p->state, body);
}

/* The record that was put together is this body's. */
static void
speaks(struct pb_play *p, int body)
{
	pb_lockstep_part(&p->c, body);
	handle_lost(p, body);
}

/* What one of our bodies does, where others cannot see it. */
static void
decided(void *ctx, int body, enum pb_dir d)
{
	struct pb_play *p = ctx;
	struct pb_rec_move m;

	if (p->programs.failed || (!p->game->lockstep && body > 0))
		return;
	pb_cues_until(&p->cues, pb_play_time(p));
	PB_REC_SET(m.dir, pb_dir_word((int)d));
	pb_rec_put(&p->c.out, PB_REC_MOVE,
	    stamp(p, p->game->lockstep ? name_of(p, body) : NULL), &m);
	speaks(p, body);
}

static enum pb_dir
hear(void *ctx, int body, unsigned ways, int drawn)
{
	struct pb_play *p = ctx;
	enum pb_dir d;

	if (p->game->lockstep && !(p->asked.heard >> body & 1)) {
		pb_cues_until(&p->cues, pb_play_time(p));
		pb_lockstep_aside(&p->c);
		d = pb_lockstep_move(&p->c, body, pb_play_time(p), ways);
		handle_lost(p, body);
		return d;
	}
	return p->asked.hear(&p->programs, body, ways, drawn);
}

/* Who decides in the player's place: a program, or a script. */
static enum pb_dir
decide(void *ctx, const void *view)
{
	struct pb_play *p = ctx;
	enum pb_dir d = p->move;

	p->move = PB_STAY;
	return p->scripted ? d : p->asked.decide(&p->programs, view);
}

/* Of games on maps: what happens is written at once. */
static void
tell(void *ctx, const struct pb_news *n)
{
	struct pb_play *p = ctx;

	pb_cues_until(&p->cues, pb_play_time(p));
	pb_trace_put(&p->trace, n);
	if (n->kind == PB_NEWS_EVENT)
		pb_cues_play(&p->cues, PB_REC_EVENT, n->name);
	if (p->asked.tell)
		p->asked.tell(&p->programs, n);
}

static void
choose(void *ctx, const unsigned char *left, struct pb_answer *out)
{
	struct pb_play *p = ctx;

	p->asked.choose(&p->programs, left, out);
}

static void
place(void *ctx, const struct pb_ghost_news *n, struct pb_vec *at)
{
	struct pb_play *p = ctx;

	p->asked.place(&p->programs, n, at);
}

static bool
drive(void *ctx, struct pb_twist *u, struct pb_pose *at)
{
	struct pb_play *p = ctx;

	return pb_robot_drive(&p->robot, pb_play_time(p), p->game->dt(p->state),
	    u, at, &p->c.out);
}

void
pb_play_look_after(struct pb_play *p)
{
	if (!p->programs.failed || p->forfeit || p->failed)
		return;
	pb_programs_complain(&p->programs);
	p->forfeit = p->programs.who == 0;
	p->failed = !p->forfeit;
}

/* Bodies that are decided elsewhere. */
static unsigned
heard(const struct pb_play *p)
{
	unsigned set = p->asked.heard;

	for (int i = 0; p->game->lockstep && i < p->game->bodies(p->o->opts);
	     i++)
		set |= (unsigned)pb_lockstep_hears(&p->c, i) << i;
	return set;
}

static void
put_message(struct pb_play *p, const struct pb_news *n)
{
	struct pb_rec_message m;

	PB_REC_SET(m.name, n->name);
	PB_REC_SET(m.to, n->to ? n->to : "");
	PB_REC_SET(m.value, n->value ? n->value : "");
	pb_rec_put(
	    &p->c.out, PB_REC_MESSAGE, stamp(p, name_of(p, n->body)), &m);
	speaks(p, n->body);
}

static void
put_tick(struct pb_play *p)
{
	const struct pb_pilot *pilot = p->o->pilot;
	struct pb_seen k;

	p->game->look(p->state, NULL, &k);
	pb_rec_put(&p->c.out, PB_REC_TICK, stamp(p, NULL), &k);
	speaks(p, 0);
	if (pilot)
		pilot->show(pilot->user, &k);
}

static void
put_event(struct pb_play *p, const char *name)
{
	pb_cues_put(&p->c.out, pb_play_time(p), name);
	speaks(p, 0);
	pb_cues_play(&p->cues, PB_REC_EVENT, name);
}

static void
put_pose(struct pb_play *p, int body, struct pb_pose at, const char *source)
{
	pb_rec_put_pose(&p->c.out, stamp(p, name_of(p, body)), at, source);
	speaks(p, body);
}

/* The true poses of bodies, if they are due, and where the player's believes
 * to be. */
static void
put_poses(struct pb_play *p)
{
	double t = pb_play_time(p), rate = p->o->session->rate;
	struct pb_pose at;

	if (!pb_game_drives(p->game, p->o->opts) || t * rate < (double)p->poses)
		return;
	p->poses = (long)(t * rate) + 1;
	for (int i = 0; i < p->game->bodies(p->o->opts); i++)
		put_pose(p, i, p->game->pose(p->state, i), "truth");
	if (p->game->estimate && p->game->estimate(p->state, &at))
		put_pose(p, 0, at, "estimate");
}

static void
sense(struct pb_play *p)
{
	struct pb_sense *s = p->senses.sense;
	struct pb_pose at;
	bool carried;

	if (!s)
		return;
	if (p->game->things)
		s->things = p->game->things(p->state, &s->thing);
	at = p->game->robot(p->state, p->o->heading, &carried);
	pb_senses_step(&p->senses, pb_play_time(p), at, carried);
	pb_lockstep_aside(&p->c);
}

/* What is to be seen and heard of the last step. */
static void
show_step(struct pb_play *p)
{
	struct pb_news news[PB_NEWS];
	int n;

	if (!p->game->news) {
		sense(p);
		return;
	}
	pb_cues_until(&p->cues, pb_play_time(p));
	n = p->game->news(p->state, news);
	for (int i = 0; i < n; i++)
		switch (news[i].kind) {
		case PB_NEWS_MESSAGE:
			put_message(p, &news[i]);
			break;
		case PB_NEWS_TICK:
			put_tick(p);
			break;
		case PB_NEWS_EVENT:
			put_event(p, news[i].name);
			break;
		default: /* of games that tell at once */
			break;
		}
	put_poses(p);
	pb_explorers_put(&p->explorers, p->game, p->state, pb_play_time(p));
	pb_lockstep_aside(&p->c);
	sense(p);
}

/* Who decides; `steers`: somebody's stick points to d. */
static struct pb_crew
crew_of(struct pb_play *p, bool steers, enum pb_dir d)
{
	return (struct pb_crew){.ctx = p,
	    .steers = steers,
	    .stick = d,
	    .decide = p->scripted || p->asked.decide ? decide : NULL,
	    .heard = heard(p),
	    .hear = hear,
	    .decided = decided,
	    .tell = tell,
	    .choose = p->asked.choose ? choose : NULL,
	    .place = p->asked.place ? place : NULL,
	    .quits = p->asked.quits,
	    .drive = p->o->session->robot ? drive : NULL};
}

struct pb_crew
pb_play_crew(struct pb_play *p)
{
	return crew_of(p, false, PB_STAY);
}

static bool
step(struct pb_play *p, bool steers, enum pb_dir d)
{
	const struct pb_crew crew = crew_of(p, steers, d);
	bool on;

	on = p->game->step(p->state, &crew);
	pb_play_look_after(p);
	on = on && !p->forfeit;
	p->over = !on;
	if (p->failed || p->c.failed)
		return false;
	show_step(p);
	return on;
}

bool
pb_play_sit_out(struct pb_play *p)
{
	bool on = true;

	while (on && !p->game->asks(p->state) && pb_play_goes_on(p))
		on = step(p, false, PB_STAY);
	return on;
}

bool
pb_play_move(void *game, enum pb_dir d)
{
	struct pb_play *p = game;

	p->move = d;
	return step(p, false, d) && pb_play_sit_out(p);
}

/* From the beginning again, to wait for START. */
static void
reset(struct pb_play *p)
{
	if ((p->o->robots && p->o->robots->n > 0) ||
	    pb_outside_ghosts(p->o->programs)) {
		pb_msg_note("RESET: ghosts that are programs know none");
		return;
	}
	p->joy = pb_joy_still();
	p->waits = true;
	if (pb_cues_again(&p->cues, &p->o->session->cues, &p->c.out))
		pb_play_begin(p);
	else
		p->failed = true;
}

/* What the buttons do that were pressed at time t of the stick. */
static void
press(struct pb_play *p, unsigned pressed, double t)
{
	if (pressed & PB_JOY_RESET)
		reset(p);
	if (p->waits && (pressed & PB_JOY_START)) {
		p->waits = false;
		p->joy_since = t;
	}
}

static bool
joy_step(struct pb_play *p)
{
	return step(p, true, pb_joy_dir(&p->joy, p->game->asks(p->state)));
}

/*
 * The joystick of a stream. With stamps the game goes on up to each, counted
 * from START; without, a record is for one decision, as a move is.
 */
bool
pb_play_joy(void *game, double t, const struct pb_rec_joy *j)
{
	struct pb_play *p = game;
	bool on = true;

	if (!p->has_joy) {
		p->has_joy = true;
		p->joy = pb_joy_still();
		p->joy_since = t;
		p->waits = j->buttons > 0;
	}
	while (!p->waits && on && pb_play_goes_on(p) &&
	       pb_play_time(p) < t - p->joy_since - 1e-9)
		on = joy_step(p);
	press(p, pb_joy_take(&p->joy, j), t);
	if (!p->waits && on && isnan(t))
		on = joy_step(p) && pb_play_sit_out(p);
	return on && pb_play_goes_on(p);
}

/* Where the joystick of the device points, when the time has come. */
static enum pb_dir
live_stick(struct pb_play *p)
{
	do {
		unsigned pressed = 0;

		fflush(stdout);
		p->left = !pb_joystick_until(p->o->joystick,
		    p->waits ? INFINITY : pb_play_time(p), &p->joy, &pressed);
		press(p, pressed, 0);
	} while (!p->left && p->waits && pb_play_goes_on(p));
	return pb_joy_dir(&p->joy, p->game->asks(p->state));
}

bool
pb_play_step(struct pb_play *p)
{
	const struct pb_pilot *pilot = p->o->pilot;
	enum pb_dir d = PB_STAY;
	bool steers = true;

	if (p->o->joystick)
		d = live_stick(p);
	else if (pilot_steers(pilot))
		p->left = !pilot->ask(pilot->user, pb_play_time(p), &d);
	else
		steers = false;
	return !p->left && step(p, steers, d);
}

/* True poses come with what is sensed, so none are traced besides. */
static void
leave_to_senses(uint32_t *kinds, unsigned sensors)
{
	if (sensors != 0)
		*kinds &= ~(uint32_t)PB_TRACE_TRUTH;
	if (sensors & PB_SENSOR_ODOM)
		*kinds &= ~(uint32_t)PB_TRACE_ODOM;
}

/* Of a real robot nobody knows the truth; its twists are written at each step.
 */
static void
leave_to_robot(uint32_t *kinds)
{
	*kinds &= ~(uint32_t)(PB_TRACE_TRUTH | PB_TRACE_ODOM | PB_TRACE_TWIST);
}

/* Sensors see the ground as it is, and begin where the robot is. */
static bool
begin_senses(struct pb_play *p)
{
	const struct pb_session_opts *o = p->o->session;
	struct pb_map m;
	bool carried, ok;

	pb_senses_end(&p->senses);
	leave_to_senses(&p->trace.kinds, o->senses.sense.sensors);
	if (o->senses.sense.sensors == 0)
		return true;
	ok = p->game->solid(p->state, &m) == PB_OK;
	if (ok) {
		ok = pb_senses_begin(&p->senses, &o->senses, &m, o->seed,
		    o->trial, p->game->robot(p->state, p->o->heading, &carried),
		    &p->c.out);
		pb_map_clear(&m);
	}
	if (!ok)
		pb_msg_system("no memory for the sensors");
	return ok;
}

/* Watch a game on a map. */
static void
begin_trace(struct pb_play *p)
{
	const struct pb_play_opts *o = p->o;

	pb_trace_end(&p->trace);
	p->trace = (struct pb_trace){.out = &p->c.out,
	    .kinds = o->session->trace,
	    .period = 1 / o->session->rate,
	    .game = p->game,
	    .state = p->state,
	    .id = p->land.has_pellets ? p->land.id : NULL};
	if (o->session->robot)
		leave_to_robot(&p->trace.kinds);
	pb_trace_begin(&p->trace);
}

/* Programs are started where the game is played, and told of each game. */
static bool
begin_programs(struct pb_play *p)
{
	const struct pb_session_opts *s = p->o->session;
	const struct pb_ground ground = pb_play_ground(p);

	p->programs.failed = false;
	if (!p->programs.game &&
	    !pb_programs_begin(&p->programs, p->game, p->o->programs,
		p->o->patience, &ground,
		p->land.has_pellets ? p->land.id : NULL)) {
		pb_programs_complain(&p->programs);
		return false;
	}
	pb_programs_reset(&p->programs, p->state, s->seed, s->trial);
	p->asked = pb_programs_crew(&p->programs);
	return true;
}

/* Show the board, or the pellets that were laid, to whoever looks on. */
static void
show_ground(struct pb_play *p)
{
	const struct pb_pilot *pilot = p->o->pilot;

	if (!p->game->board) {
		if (!p->land.has_pellets)
			pb_trace_pellets(&p->trace, NULL, &p->c.out);
		return;
	}
	if (!hears_player(p)) {
		pb_rec_put(&p->c.out, PB_REC_MAZE, pb_stamp_none(), &p->maze);
		speaks(p, 0);
	}
	if (pilot) {
		if (pilot->board)
			pilot->board(pilot->user, &p->maze);
		pb_cues_watch(&p->cues, pilot->light, pilot->user);
	}
}

bool
pb_play_begin(struct pb_play *p)
{
	const struct pb_play_opts *o = p->o;
	const struct pb_session_opts *s = o->session;
	struct pb_crew crew;

	p->poses = 0;
	p->move = PB_STAY;
	p->forfeit = p->over = p->wants = p->started = false;
	p->told = 0;
	if (!p->game->board)
		begin_trace(p);
	p->failed =
	    !(p->cues.o || pb_cues_begin(&p->cues, &s->cues, 0, &p->c.out)) ||
	    !begin_programs(p);
	if (p->failed)
		return false;
	p->cues.f.still = p->game->still && p->game->still(o->opts);
	crew = crew_of(p, false, PB_STAY);
	p->game->start(p->state, s->seed, s->trial, &crew);
	if (!begin_senses(p)) {
		p->failed = true;
		return false;
	}
	show_ground(p);
	p->explorers = (struct pb_explorers){o->explorers, &p->c.out};
	show_step(p);
	return !p->c.failed;
}

static const char *
who_plays(const struct pb_play *p)
{
	return p->o->joystick || pilot_steers(p->o->pilot) ? "human"
	       : p->scripted                               ? "script"
	                                                   : p->o->player->name;
}

void
pb_play_who(const struct pb_play *p, char who[PB_TRIAL_NAME])
{
	if (pb_programs_have(&p->programs, 0) && p->game->board)
		pb_agent_name(p->o->programs->body[0], who, PB_TRIAL_NAME);
	else
		snprintf(who, PB_TRIAL_NAME, "%s", who_plays(p));
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
    const char *who, const struct pb_outside *x, struct pb_told_room *told,
    struct pb_rec_result *r)
{
	const struct pb_session_opts *s = o->session;

	pb_rec_none(PB_REC_RESULT, r);
	PB_REC_SET(r->version, PB_VERSION);
	r->trial = pb_game_key(o->game, ground, o->opts, 1);
	r->trial.build = pb_build_digest();
	if (s->preset)
		PB_REC_SET(r->trial.preset, s->preset);
	*told = (struct pb_told_room){NULL, 0};
	if (!pb_constants_tell(o->game, o->opts, s->preset, NULL, told))
		pb_msg_nomem("constants");
	r->trial.seed = s->seed;
	r->trial.trial = s->trial;
	PB_REC_SET(r->trial.policy, who);
	pb_outside_credit(x, o->game, &r->trial);
	/* The player of the rules, and nobody in his place. */
	if (!(x && x->body[0]) && who == o->player->name)
		pb_game_credit(o->game, o->player, o->opts, &r->trial);
	r->trial.told = pb_constants_told(told, r->trial.weights);
}

void
pb_play_result(struct pb_play *p)
{
	struct pb_rec_result r;
	struct pb_told_room told;
	const struct pb_play_opts *o = p->o;
	const struct pb_ground ground = pb_play_ground(p);

	pb_play_sign(o, &ground, who_plays(p), o->outside, &told, &r);
	pb_game_result(p->game, p->state, &r.trial);
	if (p->forfeit) {
		PB_REC_SET(r.trial.outcome, "forfeit");
		*r.trial.cause = '\0';
		r.trial.success = false;
	}
	pb_rec_put(&p->c.out, PB_REC_RESULT, pb_stamp_none(), &r);
	free(told.at);
	r.trial.told = (struct pb_told_list){NULL, 0};
	pilot_over(o->pilot, &r);
	speaks(p, 0);
	p->c.over = true;
}

/* A text for people of what keeps a game from its ground. */
static bool
refuse(const struct pb_play *p, enum pb_status st, const struct pb_refusal *no,
    struct pb_error *bad)
{
	const char *why = no->why ? no->why : pb_status_text(st);

	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	if (!p->game->board)
		return pb_error_set(bad, "map: %s", why);
	if (no->found > 0)
		return pb_error_set(bad, "%s, got %d", why, no->found);
	if (no->row < 0)
		return pb_error_set(bad, "%s", why);
	return pb_error_set(bad, "(%d, %d): %s", no->row, no->col, why);
}

/* What a game is made of; see pb_play. */
struct parts {
	void *world, *known, *state;
};

/* Forget a game, and what belongs to its ground. */
static void
forget(const struct pb_play_opts *o, const struct parts *s)
{
	pb_game_close(o->game, s->state);
	pb_game_forget(o->game, o->player, s->known);
	if (s->world)
		o->game->discard(s->world);
}

/* Make one, with o's options; on failure `no` may be filled in. */
static enum pb_status
make(const struct pb_play_opts *o, const struct pb_ground *ground,
    struct parts *s, struct pb_refusal *no)
{
	const struct pb_game *g = o->game;
	enum pb_status st = g->prepare(ground, o->opts, &s->world, no);

	if (st == PB_OK)
		st = pb_game_learn(g, o->player, s->world, o->opts, &s->known);
	if (st == PB_OK)
		st = pb_game_open(
		    g, &s->state, s->world, o->opts, o->player, s->known);
	if (st != PB_OK)
		forget(o, s);
	return st;
}

bool
pb_play_on(
    struct pb_play *p, const struct pb_ground *ground, struct pb_error *bad)
{
	const struct pb_game *g = p->game;
	struct parts next = {NULL}, last = {p->world, p->known, p->state};
	struct pb_refusal no = {NULL, -1, -1};
	enum pb_status st = make(p->o, ground, &next, &no);
	int beyond;

	if (st != PB_OK)
		return refuse(p, st, &no, bad);
	beyond = g->beyond ? g->beyond(next.world) : 0;
	if (beyond > 0)
		pb_msg_note("%d pellet%s out of reach of the start; no round "
			    "is complete without",
		    beyond, beyond == 1 ? " is" : "s are");
	forget(p->o, &last);
	p->world = next.world;
	p->known = next.known;
	p->state = next.state;
	memcpy(p->learnt, p->o->opts, g->opts_size);
	/* They are told of the ground when they are started. */
	pb_programs_end(&p->programs);
	p->programs = (struct pb_programs){.game = NULL};
	p->asked = (struct pb_crew){.ctx = NULL};
	if (ground->maze)
		p->maze = *ground->maze;
	return true;
}

void
pb_play_learn(struct pb_play *p, const void *opts)
{
	const struct pb_game *g = p->game;
	void *known;
	enum pb_status st;

	if (!p->known || memcmp(opts, p->learnt, g->opts_size) == 0)
		return;
	st = pb_game_learn(g, p->o->player, p->world, opts, &known);
	if (st == PB_OK && (st = g->teach(p->state, known)) != PB_OK)
		pb_game_forget(g, p->o->player, known);
	if (st != PB_OK) {
		pb_msg_system("no memory to prepare for round %d",
		    pb_game_round(g, opts));
		return;
	}
	pb_game_forget(g, p->o->player, p->known);
	p->known = known;
	memcpy(p->learnt, opts, g->opts_size);
}

/* The board of a swarm; from: where it was read. */
static bool
hear_board(struct pb_play *p, struct pb_maze *z, struct pb_place *from)
{
	struct pb_rec r;

	if (!pb_lockstep_next(&p->c, PB_REC_MAZE, &r))
		return false;
	*from = p->c.line.at;
	*z = r.maze;
	pb_rec_clear(&r);
	return true;
}

static bool
open_board(struct pb_play *p)
{
	struct pb_place from = {p->o->board ? p->o->board : p->game->board, 0};
	struct pb_maze z;
	const struct pb_ground ground = {.maze = &z};
	struct pb_error bad;

	if (!(hears_player(p) ? hear_board(p, &z, &from)
			      : pb_world_maze(from.file, &z)))
		return false;
	if (!pb_play_on(p, &ground, &bad))
		return pb_msg_error_at(from, &bad);
	return true;
}

/* The map of a file in place of a record. */
static bool
open_map(struct pb_play *p)
{
	if (!p->o->board)
		return true;
	if (!pb_world_file(&p->land, p->o->board))
		return false;
	pb_rec_put(&p->c.out, PB_REC_MAP, pb_stamp_none(), &p->land.map);
	return true;
}

bool
pb_play_open(struct pb_play *p, const struct pb_play_opts *o)
{
	const struct pb_game *g = o->game;

	*p = (struct pb_play){.o = o, .game = g, .move = PB_STAY};
	if (!pb_lockstep_begin(&p->c, o->as, g->body, g->bodies(o->opts)))
		return false;
	if (!g->board)
		return open_map(p);
	return open_board(p) && (!g->lockstep || pb_lockstep_lead(&p->c,
						     o->robots, o->patience));
}

void
pb_play_close(struct pb_play *p)
{
	struct parts last = {p->world, p->known, p->state};

	pb_cues_finish(&p->cues);
	pb_trace_end(&p->trace);
	pb_senses_end(&p->senses);
	forget(p->o, &last);
	pb_world_clear(&p->land);
	if (!p->forfeit && pb_programs_have(&p->programs, 0) &&
	    pb_programs_eager(&p->programs))
		pb_msg_warn((struct pb_place){p->programs.at.file, 0}, "%s",
		    p->programs.error.text);
	pb_programs_end(&p->programs);
	pb_lockstep_end(&p->c);
}
