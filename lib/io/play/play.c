/* play.c - one game being played, whichever: who decides, what is written. */
#include "io/play/play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/opt/rules_opts.h"
#include "io/play/steering.h"
#include "io/play/world.h"
#include "io/stream/build.h"
#include "io/stream/msg.h"
#include "pb/version.h"

static const char *
name_of(const struct pb_play *p, int body)
{
	return p->game->body[body];
}

/* Whether another process speaks for the player: we are another's body. */
static bool
hears_player(const struct pb_play *p)
{
	return pb_lockstep_hears(&p->c, name_of(p, 0));
}

/* Whether the world lets us play. */
static bool
goes_on(const struct pb_play *p)
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
	if (body > 0 && pb_lockstep_lost(&p->c, name_of(p, body)))
		p->game->lose(p->state, body);
}

/* The record that was put together is this body's. */
static void
speaks(struct pb_play *p, int body)
{
	pb_lockstep_part(&p->c, name_of(p, body));
	handle_lost(p, body);
}

/* What one of our bodies does, where others cannot see it. */
static void
decided(void *ctx, int body, enum pb_dir d)
{
	struct pb_play *p = ctx;
	struct pb_rec_move m;

	if (p->o->frame || p->forfeit || (!p->game->lockstep && body > 0))
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
	struct pb_seen k;
	enum pb_dir d;

	if (p->game->lockstep) {
		d = pb_lockstep_move(
		    &p->c, name_of(p, body), pb_play_time(p), ways);
		handle_lost(p, body);
		return d;
	}
	if (p->failed)
		return pb_programs_first(ways);
	p->game->look(p->state, NULL, &k);
	if (pb_programs_turn(&p->programs, name_of(p, body), pb_play_time(p),
		body - 1, &k, ways, drawn, &d))
		return d;
	p->failed = true;
	return pb_programs_first(ways);
}

/* Who decides in the player's place: a program, or a script. */
static enum pb_dir
decide(void *ctx, const void *view)
{
	struct pb_play *p = ctx;
	struct pb_seen k;
	enum pb_dir d = p->move;

	p->move = PB_STAY;
	if (p->scripted)
		return d;
	p->game->look(p->state, view, &k);
	p->forfeit = !pb_programs_ask(&p->programs, pb_play_time(p), &k, &d);
	return p->forfeit ? PB_STAY : d;
}

/* Bodies that are decided elsewhere. */
static unsigned
heard(const struct pb_play *p)
{
	unsigned set = 0;

	if (!p->game->lockstep)
		return p->o->programs ? ((1u << p->o->programs->n) - 1) << 1
		                      : 0;
	for (int i = 0; i < p->game->bodies(p->o->opts); i++)
		set |= (unsigned)pb_lockstep_hears(&p->c, name_of(p, i)) << i;
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

/* The true poses of bodies, if they are due. */
static void
put_poses(struct pb_play *p)
{
	double t = pb_play_time(p);

	if (!pb_game_drives(p->game, p->o->opts) ||
	    t * p->o->rate < (double)p->poses)
		return;
	p->poses = (long)(t * p->o->rate) + 1;
	for (int i = 0; i < p->game->bodies(p->o->opts); i++) {
		struct pb_pose at = p->game->pose(p->state, i);
		struct pb_rec_pose r = {.x = at.x, .y = at.y, .theta = at.th};

		PB_REC_SET(r.source, "truth");
		pb_rec_put(&p->c.out, PB_REC_POSE, stamp(p, name_of(p, i)), &r);
		speaks(p, i);
	}
}

static void
sense(struct pb_play *p)
{
	struct pb_pose at;
	bool carried;

	if (!p->senses.sense)
		return;
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

	if (p->o->frame) {
		p->o->frame(p->state);
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
	    .decide = p->scripted || p->o->agent ? decide : NULL,
	    .heard = heard(p),
	    .hear = hear,
	    .decided = decided};
}

static bool
step(struct pb_play *p, bool steers, enum pb_dir d)
{
	const struct pb_crew crew = crew_of(p, steers, d);
	bool on;

	on = p->game->step(p->state, &crew) && !p->forfeit;
	p->over = !on;
	if (p->failed || p->c.failed)
		return false;
	show_step(p);
	return on;
}

/* While the player does not decide he needs no move. */
static bool
sit_out(struct pb_play *p)
{
	bool on = true;

	while (on && !p->game->asks(p->state) && goes_on(p))
		on = step(p, false, PB_STAY);
	return on;
}

/* A move of the script, and what passes until he decides again. */
static bool
play_move(void *game, enum pb_dir d)
{
	struct pb_play *p = game;

	p->move = d;
	return step(p, false, d) && sit_out(p);
}

/* From the beginning again, to wait for START. */
static void
reset(struct pb_play *p)
{
	struct pb_cues_opts next = *p->o->cues;

	if (p->o->programs && p->o->programs->n > 0) {
		pb_msg_note("RESET: ghosts that are programs know none");
		return;
	}
	p->joy = pb_joy_still();
	p->waits = true;
	if (!pb_cues_again(&p->cues, &next, 0, &p->c.out))
		p->failed = true;
	p->cues.o = p->o->cues;
	if (!p->failed)
		pb_play_begin(p);
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
static bool
play_joy(void *game, double t, const struct pb_rec_joy *j)
{
	struct pb_play *p = game;
	bool on = true;

	if (!p->has_joy) {
		p->has_joy = true;
		p->joy = pb_joy_still();
		p->joy_since = t;
		p->waits = j->buttons > 0;
	}
	while (!p->waits && on && goes_on(p) &&
	       pb_play_time(p) < t - p->joy_since - 1e-9)
		on = joy_step(p);
	press(p, pb_joy_take(&p->joy, j), t);
	if (!p->waits && on && isnan(t))
		on = joy_step(p) && sit_out(p);
	return on && goes_on(p);
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
	} while (!p->left && p->waits && goes_on(p));
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
	else if (pb_pilot_steers(pilot))
		p->left = !pilot->ask(pilot->user, pb_play_time(p), &d);
	else
		steers = false;
	return !p->left && step(p, steers, d);
}

/* Sensors see the board as it is, and begin where the robot is. */
static bool
begin_senses(struct pb_play *p)
{
	struct pb_map m;
	bool carried, ok;

	pb_senses_end(&p->senses);
	if (!p->o->senses || p->o->senses->sense.sensors == 0)
		return true;
	ok = p->game->solid(p->state, &m) == PB_OK;
	if (ok) {
		ok = pb_senses_begin(&p->senses, p->o->senses, &m, p->o->seed,
		    p->o->trial,
		    p->game->robot(p->state, p->o->heading, &carried),
		    &p->c.out);
		pb_map_clear(&m);
	}
	if (!ok)
		pb_msg_system("no memory for the sensors");
	return ok;
}

bool
pb_play_begin(struct pb_play *p)
{
	const struct pb_play_opts *o = p->o;
	const struct pb_pilot *pilot = o->pilot;
	const struct pb_crew crew = crew_of(p, false, PB_STAY);

	p->poses = 0;
	p->move = PB_STAY;
	p->forfeit = p->over = false;
	pb_game_close(p->game, p->state);
	p->state = NULL;
	if (pb_game_open(p->game, &p->state, p->world, o->opts, o->player,
		NULL) != PB_OK) {
		pb_msg_system("no memory for the game");
		p->failed = true;
		return false;
	}
	p->game->start(p->state, o->seed, o->trial, &crew);
	if (!begin_senses(p)) {
		p->failed = true;
		return false;
	}
	if (!hears_player(p) && !o->frame) {
		pb_rec_put(&p->c.out, PB_REC_MAZE, pb_stamp_none(), &p->maze);
		speaks(p, 0);
	}
	if (pilot) {
		pilot->board(pilot->user, &p->maze);
		pb_cues_watch(&p->cues, pilot->light, pilot->user);
	}
	p->explorers = (struct pb_explorers){o->explorers, &p->c.out};
	show_step(p);
	return !p->c.failed;
}

static const char *
who_plays(const struct pb_play *p)
{
	return p->o->joystick || pb_pilot_steers(p->o->pilot) ? "human"
	       : p->scripted                                  ? "script"
	                     : p->o->player->name;
}

/* The same, or the name of the program. */
static void
put_who(const struct pb_play *p, char who[PB_TRIAL_NAME])
{
	if (p->o->agent)
		pb_agent_name(p->o->agent, who, PB_TRIAL_NAME);
	else
		snprintf(who, PB_TRIAL_NAME, "%s", who_plays(p));
}

void
pb_play_result(struct pb_play *p)
{
	struct pb_rec_result r;
	const struct pb_play_opts *o = p->o;
	const struct pb_ground ground = {.maze = &p->maze};

	pb_rec_none(PB_REC_RESULT, &r);
	PB_REC_SET(r.version, PB_VERSION);
	r.build = pb_build_digest();
	r.trial = pb_game_key(p->game, &ground, o->opts, 1);
	pb_constants_tell(p->game, o->opts, NULL, NULL, r.trial.told);
	r.trial.seed = o->seed;
	r.trial.trial = o->trial;
	PB_REC_SET(r.trial.policy, who_plays(p));
	pb_agent_credit(o->outside, &r.trial);
	pb_game_result(p->game, p->state, &r.trial);
	if (p->forfeit) {
		PB_REC_SET(r.trial.outcome, "forfeit");
		r.trial.success = false;
	}
	pb_rec_put(&p->c.out, PB_REC_RESULT, pb_stamp_none(), &r);
	pb_pilot_over(o->pilot, &r);
	speaks(p, 0);
	p->c.over = true;
}

/* Moves and joysticks out of streams, until the game is over. */
static bool
play_script(struct pb_play *p, char *const *files, int n)
{
	const struct pb_script script = {
	    name_of(p, 0), play_move, p->game->starts ? play_joy : NULL, p};

	p->scripted = true;
	if (!sit_out(p) || !pb_script_play(&script, files, n, p->o->common))
		return false;
	if (p->waits)
		pb_msg_note("START, button 0, was never pressed: no game");
	return !p->waits;
}

static void
play(struct pb_play *p, char *const *files, int n)
{
	struct pb_rec r = {.type = PB_REC_OTHER};

	p->joy = pb_joy_still();
	p->waits = p->o->joystick != NULL;
	if (!pb_play_begin(p) || (n > 0 && !play_script(p, files, n)))
		return;
	while (!p->over && !p->left && goes_on(p))
		pb_play_step(p);
	pb_cues_finish(&p->cues);
	if (hears_player(p))
		pb_lockstep_next(&p->c, PB_REC_RESULT, "", &r);
	else if (goes_on(p) && !p->left && !p->o->frame)
		pb_play_result(p);
	pb_rec_clear(&r);
}

/* A text for people. */
static void
say_refusal(const struct pb_refusal *no, char *text, size_t size)
{
	if (no->row >= 0)
		snprintf(text, size, "(%d, %d): %s", no->row, no->col, no->why);
	else
		snprintf(text, size, "%s", no->why);
}

bool
pb_play_on_board(
    struct pb_play *p, const struct pb_maze *z, struct pb_error *bad)
{
	const struct pb_ground ground = {.maze = z};
	struct pb_refusal no;
	char text[160];
	void *world;
	enum pb_status st = p->game->prepare(&ground, p->o->opts, &world, &no);

	if (st == PB_ENOMEM)
		return pb_error_nomem(bad, "the board");
	if (st != PB_OK) {
		say_refusal(&no, text, sizeof(text));
		return pb_error_set(bad, "%s", text);
	}
	pb_game_close(p->game, p->state);
	p->state = NULL;
	p->game->discard(p->world);
	p->world = world;
	p->maze = *z;
	return true;
}

static bool
open_board(struct pb_play *p)
{
	struct pb_place from = {p->o->board ? p->o->board : p->game->board, 0};
	struct pb_maze z;
	struct pb_error bad;

	if (!(hears_player(p) ? pb_lockstep_board(&p->c, &z, &from)
			      : pb_world_maze(from.file, &z)))
		return false;
	if (!pb_play_on_board(p, &z, &bad)) {
		pb_msg_error_at(from, &bad);
		return false;
	}
	return true;
}

bool
pb_play_open(struct pb_play *p, const struct pb_play_opts *o)
{
	const struct pb_game *g = o->game;

	*p = (struct pb_play){.o = o, .game = g, .move = PB_STAY};
	if (!pb_lockstep_begin(&p->c, o->as, g->body, g->bodies(o->opts)) ||
	    !open_board(p))
		return false;
	return (!g->lockstep ||
		   pb_lockstep_lead(&p->c, o->programs, o->patience)) &&
	       pb_programs_begin(&p->programs, o->agent,
		   g->lockstep ? NULL : o->programs, o->patience, &p->maze);
}

void
pb_play_close(struct pb_play *p)
{
	pb_cues_finish(&p->cues);
	pb_senses_end(&p->senses);
	pb_game_close(p->game, p->state);
	if (p->world)
		p->game->discard(p->world);
	pb_programs_end(&p->programs, p->forfeit);
	pb_lockstep_end(&p->c);
}

struct pb_play_copy {
	void *state;            /* owned */
	struct pb_sense *sense; /* owned, NULL: no sensors */
	const struct pb_game *game;
	struct pb_explorers explorers;
	long poses;
	bool forfeit;
};

void
pb_play_drop(struct pb_play_copy *c)
{
	if (!c)
		return;
	pb_game_close(c->game, c->state);
	free(c->sense);
	free(c);
}

struct pb_play_copy *
pb_play_save(const struct pb_play *p)
{
	const struct pb_seat *t = p->state;
	struct pb_play_copy *c = malloc(sizeof(*c));

	if (!c)
		return NULL;
	*c = (struct pb_play_copy){.game = p->game,
	    .explorers = p->explorers,
	    .poses = p->poses,
	    .forfeit = p->forfeit};
	if (pb_game_open(p->game, &c->state, t->world, t->opts, t->player,
		t->known) != PB_OK ||
	    !pb_senses_save(&p->senses, &c->sense)) {
		pb_play_drop(c);
		return NULL;
	}
	pb_game_copy(p->game, c->state, p->state);
	return c;
}

void
pb_play_load(struct pb_play *p, const struct pb_play_copy *c)
{
	pb_game_copy(p->game, p->state, c->state);
	pb_senses_load(&p->senses, c->sense);
	p->explorers = c->explorers;
	p->poses = c->poses;
	p->forfeit = c->forfeit;
}

void
pb_play_run(const struct pb_play_opts *o, char *const *files, int n,
    struct pb_play_left *left)
{
	struct pb_play p;

	pb_msg_catch();
	if (pb_play_open(&p, o) &&
	    pb_cues_begin(&p.cues, o->cues, 0, &p.c.out)) {
		play(&p, files, n);
		if (left && p.state) {
			left->maze = p.maze;
			left->heat = ((const struct pb_seat *)p.state)->heat;
			put_who(&p, left->who);
		}
	}
	pb_play_close(&p);
}
