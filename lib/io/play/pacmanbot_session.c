/* pacmanbot_session.c - one pacmanbot game, set up and commanded by records. */
#include "io/play/pacmanbot_session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/pacmanbot/pacmanbot_game.h"
#include "io/file/filter.h"
#include "io/opt/rules_opts.h"
#include "io/stream/build.h"
#include "io/stream/msg.h"
#include "pb/version.h"
#include "policy/pacmanbot_players.h"

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
	struct pb_rec_result none;
	struct pb_outcome e;
	struct pb_trial *t = &s->last;

	if (pb_round_ended(s->round) == s->played)
		return;
	e = pb_round_outcome(s->round);
	pb_rec_none(PB_REC_RESULT, &none);
	*t = none.trial;
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
	struct pb_rec_result r;

	pb_rec_none(PB_REC_RESULT, &r);
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
	pb_rec_put(s->out, PB_REC_RESULT, pb_stamp_none(), &r);
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

struct pb_session_copy {
	struct pb_round *round; /* owned */
	struct pb_sense *sense; /* owned, NULL: no sensors */
	struct pb_trace trace;  /* what it points to is the session's */
	struct pb_round_opts learnt;
	struct pb_trial last;
	int played;
	bool wants, started, waits;
};

void
pb_session_drop(struct pb_session_copy *c)
{
	if (c == NULL)
		return;
	pb_round_free(c->round);
	free(c->sense);
	free(c);
}

/* Room for a copy. */
static struct pb_session_copy *
new_copy(const struct pb_session *s)
{
	struct pb_session_copy *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return NULL;
	if (pb_round_new(&c->round, s->arena, &s->o.game, s->o.player,
		s->known) == PB_OK &&
	    pb_senses_save(&s->senses, &c->sense))
		return c;
	pb_session_drop(c);
	return NULL;
}

struct pb_session_copy *
pb_session_save(const struct pb_session *s)
{
	struct pb_session_copy *c = new_copy(s);

	if (c == NULL)
		return NULL;
	pb_round_slim(c->round);
	pb_round_copy(c->round, s->round);
	c->trace = s->trace;
	c->learnt = s->learnt;
	c->last = s->last;
	c->played = s->played;
	c->wants = s->wants;
	c->started = s->started;
	c->waits = s->waits;
	return c;
}

void
pb_session_load(struct pb_session *s, const struct pb_session_copy *c)
{
	pb_round_copy(s->round, c->round);
	pb_senses_load(&s->senses, c->sense);
	s->trace = c->trace;
	s->last = c->last;
	s->played = c->played;
	s->wants = c->wants;
	s->started = c->started;
	s->waits = c->waits;
	pb_session_learn(s, &c->learnt);
}

/* Hand the cues over: what they showed ends, the file of sounds goes on. */
static void
hand_over(struct pb_session *from, struct pb_session *to)
{
	pb_cues_again(&from->cues, &to->o.cues, 0, from->out);
	to->cues = from->cues;
	from->cues = (struct pb_cues){.o = NULL};
}

/* Drop a session that did not begin; the world is somebody else's. */
static struct pb_session *
give_up(struct pb_session *s)
{
	s->world = (struct pb_world){.has_map = false};
	pb_session_clear(s);
	free(s);
	return NULL;
}

struct pb_session *
pb_session_again(struct pb_session *s, const struct pb_session_opts *o,
    struct pb_world *world, struct pb_error *bad)
{
	struct pb_session *next = calloc(1, sizeof(*next));
	struct pb_world *from = world != NULL ? world : &s->world;

	if (next == NULL) {
		pb_error_nomem(bad, "the game");
		return NULL;
	}
	*next = (struct pb_session){.o = *o, .out = s->out, .world = *from};
	if (!pb_session_make(next, bad))
		return give_up(next);
	hand_over(s, next);
	if (world != NULL)
		pb_rec_put(s->out, PB_REC_MAP, pb_stamp_none(), &world->map);
	if (!pb_session_go(next, bad)) {
		hand_over(next, s);
		return give_up(next);
	}
	*from = (struct pb_world){.has_map = false};
	pb_session_clear(s);
	free(s);
	return next;
}

static void
start(struct pb_session *s, const struct pb_rec_cmd *c)
{
	(void)c;
	pb_session_start(s);
}

static void
reset(struct pb_session *s, const struct pb_rec_cmd *c)
{
	(void)c;
	s->wants = false;
	pb_round_press_reset(s->round);
}

static void
reset_pellets(struct pb_session *s, const struct pb_rec_cmd *c)
{
	(void)c;
	pb_round_reset_pellets(s->round);
}

static void
reset_ghosts(struct pb_session *s, const struct pb_rec_cmd *c)
{
	(void)c;
	pb_round_reset_clyde(s->round);
}

/* Index of the pellet with that id, -1 if there is none. */
static int
pellet_of(const struct pb_session *s, double id)
{
	for (int i = 0; i < s->arena->n; i++)
		if ((double)pb_trace_id(&s->trace, i) == id)
			return i;
	return -1;
}

static bool
is_pellet(const struct pb_session *s, const struct pb_rec_cmd *c,
    struct pb_error *bad)
{
	if (c->kind != PB_VALUE_NUM)
		return pb_error_set(
		    bad, "cmd.value: expected the number of a pellet");
	return pellet_of(s, c->num) >= 0 ||
	       pb_error_set(bad, "cmd.value: no pellet %.15g", c->num);
}

static void
remove_pellet(struct pb_session *s, const struct pb_rec_cmd *c)
{
	if (pb_round_remove(s->round, pellet_of(s, c->num)) != PB_OK)
		pb_msg_note("t %g: pellet %.0f is gone already",
		    pb_round_time(s->round), c->num);
}

/* As published: a click while he runs is ignored, one into a wall is not. */
static bool
is_place(const struct pb_session *s, const struct pb_rec_cmd *c,
    struct pb_error *bad)
{
	struct pb_cell at;

	if (c->kind != PB_VALUE_POINT)
		return pb_error_set(bad, "cmd.value: expected a point [x, y]");
	at = pb_clyde_cell(&s->arena->clyde, c->point);
	return pb_clyde_safe(&s->arena->clyde, at) ||
	       pb_round_state(s->round) == PB_RUNNING ||
	       pb_error_set(bad,
		   "cmd.value: (%g, %g) is no place for Clyde: a wall, too "
		   "near one, or outside the map",
		   c->point.x, c->point.y);
}

static void
spawn(struct pb_session *s, const struct pb_rec_cmd *c)
{
	if (pb_round_click(s->round, c->point) != PB_OK)
		pb_msg_note("t %g: spawn ignored: the round is running",
		    pb_round_time(s->round));
}

static bool
is_speed(const struct pb_session *s, const struct pb_rec_cmd *c,
    struct pb_error *bad)
{
	(void)s;
	if (c->kind != PB_VALUE_NUM)
		return pb_error_set(bad, "cmd.value: expected a speed in m/s");
	return (c->num > 0 && c->num <= 100) ||
	       pb_error_set(bad,
		   "cmd.value: expected a speed above 0 and up to 100 m/s, "
		   "got %g",
		   c->num);
}

static void
speed(struct pb_session *s, const struct pb_rec_cmd *c)
{
	pb_round_clyde_speed(s->round, c->num);
}

static void
base_speed(struct pb_session *s, const struct pb_rec_cmd *c)
{
	pb_round_base_speed(s->round, c->num);
}

/*
 * What an operator can say, the node whose id it may carry, which values it
 * can take (NULL: whatever), and what it does.
 */
static const struct command {
	const char *name, *node;
	bool (*takes)(const struct pb_session *s, const struct pb_rec_cmd *c,
	    struct pb_error *bad);
	void (*act)(struct pb_session *s, const struct pb_rec_cmd *c);
} command[] = {
    {"start", "controller", NULL, start},
    {"reset", "controller", NULL, reset},
    {"base_speed", "controller", is_speed, base_speed},
    {"speed", "clyde", is_speed, speed},
    {"spawn", "clyde", is_place, spawn},
    {"reset_ghosts", "clyde", NULL, reset_ghosts},
    {"remove_pellet", "pellets", is_pellet, remove_pellet},
    {"reset_pellets", "pellets", NULL, reset_pellets},
};

/* The command meant, NULL if it is for nobody here. */
static const struct command *
find(const char *name, const char *id)
{
	for (size_t i = 0; i < sizeof(command) / sizeof(*command); i++)
		if (strcmp(name, command[i].name) == 0 &&
		    (id[0] == '\0' || strcmp(id, command[i].node) == 0))
			return &command[i];
	return NULL;
}

bool
pb_session_takes(const struct pb_session *s, const struct pb_rec_cmd *c,
    const char *id, struct pb_error *bad)
{
	const struct command *v = find(c->name, id);

	return v == NULL || v->takes == NULL || v->takes(s, c, bad);
}

void
pb_session_command(
    struct pb_session *s, const struct pb_rec_cmd *c, const char *id)
{
	const struct command *v = find(c->name, id);

	if (v != NULL && !pb_session_over(s))
		v->act(s, c);
}

bool
pb_botsim_check(struct pb_session_opts *o, int player, double rate)
{
	o->player = pb_pacmanbot_players[player];
	o->period = 1 / rate;
	return true;
}

/* A game, and where its map came from: what is wrong with it is said there. */
struct game {
	struct pb_session *s;
	struct pb_place map;
};

static bool
begin(struct game *g)
{
	struct pb_error bad = {""};

	if (pb_session_begin(g->s, &bad))
		return true;
	if (bad.text[0] != '\0')
		pb_msg_error_at(g->map, &bad);
	return false;
}

static bool
take_world(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct game *g = f->user;
	bool map = r->type == PB_REC_MAP;

	if (!pb_session_world(g->s, r, bad))
		return false;
	if (map)
		g->map = f->line.at;
	pb_filter_pass(f);
	return true;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct game *g = f->user;

	if (r->type == PB_REC_MAP || r->type == PB_REC_PELLETS)
		return take_world(f, r, bad);
	if (!g->s->world.has_map)
		return pb_error_set(bad, "%s: %s comes before any map",
		    pb_rec_name(r->type),
		    r->type == PB_REC_CMD ? r->cmd.name : r->event.name);
	if (!begin(g) || !pb_session_until(g->s, r->stamp.t, bad) ||
	    (r->type == PB_REC_CMD &&
		!pb_session_takes(g->s, &r->cmd, r->stamp.id, bad)))
		return false;
	/* Nothing is to follow what has been said of a program. */
	bad->text[0] = '\0';
	if (pb_session_failed(g->s))
		return false;
	pb_filter_pass(f);
	pb_cues_hear(&g->s->cues, r, f->line.at);
	if (r->type == PB_REC_CMD)
		pb_session_command(g->s, &r->cmd, r->stamp.id);
	return true;
}

/* The map of a file in place of a record. */
static bool
load_map(struct game *g, const char *path)
{
	if (!pb_world_file(&g->s->world, path))
		return false;
	g->map.file = path;
	pb_rec_put(g->s->out, PB_REC_MAP, pb_stamp_none(), &g->s->world.map);
	return true;
}

bool
pb_botsim_read(const struct pb_botsim *p, struct pb_session *s,
    char *const *files, int n, struct pb_place *map)
{
	struct game g = {.s = s};
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_PELLETS),
	    .passes = true,
	    .common = p->common,
	    .take = take_world,
	    .user = &g};
	bool ok = p->map == NULL || load_map(&g, p->map);

	if (ok && (n > 0 || p->map == NULL)) {
		ok = pb_filter_run(&f, files, n);
		pb_filter_clear(&f);
		if (ok && !s->world.has_map)
			pb_world_no_map(files, n, f.seen);
	}
	*map = g.map;
	return ok && s->world.has_map;
}

/*
 * With a map and somebody who presses start nothing is missing: standard input
 * is read only if it is named.
 */
static bool
read_input(const struct pb_botsim *p, struct game *g, char *const *files, int n)
{
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_PELLETS) |
	            PB_REC_BIT(PB_REC_CMD) | pb_cues_want(&p->o->cues),
	    .passes = true,
	    .common = p->common,
	    .take = take,
	    .user = g};
	bool ok;

	if (p->map != NULL && n == 0 && p->o->autostart)
		return true;
	ok = pb_filter_run(&f, files, n);
	pb_filter_clear(&f);
	if (ok && !g->s->world.has_map)
		pb_world_no_map(files, n, f.seen);
	return ok && g->s->world.has_map;
}

void
pb_botsim_run(const struct pb_botsim *p, char *const *files, int n)
{
	struct pb_text out = {.to = stdout};
	struct pb_session s = {.o = *p->o, .out = &out};
	struct game g = {.s = &s};

	pb_msg_catch();
	if ((p->map == NULL || load_map(&g, p->map)) &&
	    read_input(p, &g, files, n) && begin(&g))
		pb_session_finish(&s);
	pb_session_clear(&s);
	pb_text_clear(&out);
}
