/* pacmanbot_game.c - the PacManBot game as a rule set. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/pacmanbot/round_state.h"
#include "game/score.h"

static const char *const bodies[] = {"robot", "clyde", NULL};

static const struct pb_game_place places[] = {
    {"start", "where the robot starts and has its home (m, rad)", true,
	offsetof(struct pb_round_opts, start),
	offsetof(struct pb_round_opts, has_start)},
    {"spawn-at", "where Clyde appears, as by a click (m)", false,
	offsetof(struct pb_round_opts, spawn),
	offsetof(struct pb_round_opts, has_spawn)},
    {NULL, NULL, false, 0, 0},
};

static uint64_t
fingerprint(
    const void *opts, const struct pb_pellets *pellets, const char *player)
{
	const struct pb_fact who = {"policy", player};
	const struct pb_round_opts *o = opts;
	uint64_t h = PB_HASH_START;
	const struct pb_params all = pb_round_params;

	for (size_t i = 0; i < all.n; i++)
		if (strcmp(all.row[i].name, "round") != 0)
			h = pb_params_hash_row(h, all, i, o, &who, 1);
	h = pb_hash_u64(h, o->has_start);
	if (o->has_start)
		h = pb_hash_pose(h, o->start);
	h = pb_hash_u64(h, o->has_spawn);
	if (o->has_spawn)
		h = pb_hash_vec(h, o->spawn);
	h = pb_hash_u64(h, pellets ? pellets->n : 0);
	for (size_t i = 0; pellets && i < pellets->n; i++)
		h = pb_hash_vec(h, pellets->all[i].at);
	return h;
}

static enum pb_status
prepare(const struct pb_ground *g, const void *opts, void **world,
    struct pb_refusal *no)
{
	struct pb_arena *a;
	enum pb_status st;

	st = pb_arena_new(&a, g->map, opts, g->pellets, &no->why);
	if (st == PB_OK && (g->truth != NULL || pb_round_scans(opts)) &&
	    (st = pb_arena_surround(a, g->map, g->truth, opts, &no->why)) !=
		PB_OK)
		pb_arena_free(a);
	if (st == PB_OK)
		*world = a;
	return st;
}

static int
count_unreachable(const void *world, int *left_out)
{
	const struct pb_arena *a = world;

	*left_out = a->left_out;
	return a->n - a->reach;
}

/* The player's memory is the round's own. */
static enum pb_status
open_state(void **state, const struct pb_player_state *ps)
{
	struct pb_round *r;
	enum pb_status st =
	    pb_round_new(&r, ps->world, ps->opts, ps->player, ps->model);

	if (st == PB_OK)
		*state = r;
	return st;
}

static void
fill_result(struct pb_trial *r, const struct pb_outcome *e,
    const struct pb_round_opts *o)
{
	const char *name = pb_ending_name(e->ending);

	memcpy(r->outcome, name, strlen(name) + 1);
	r->collected = e->collected;
	r->total = e->spawned;
	r->score = e->score;
	r->time = e->time;
	r->limit = o->duration;
	r->success = e->ending == PB_DONE;
	r->removed = e->removed;
	r->deaths = r->levels = r->eaten = r->decisions = -1;
	memcpy(r->cause, e->cause, strlen(e->cause) + 1);
	r->bumps = e->bumps;
	pb_onboard_report(&e->localized, 1, r);
	r->wrong_cell = -1; /* no mazes */
	r->driven = e->distance;
	r->nearest = isfinite(e->nearest) ? e->nearest : NAN;
	r->hash = e->hash;
}

/* Set the agents for the call that begins. */
static struct pb_round *
with_agents(void *state, const struct pb_agents *c)
{
	pb_round_set_agents(state, c);
	return state;
}

static void
play(void *state, struct pb_trial *r, const struct pb_agents *c)
{
	struct pb_round *round = with_agents(state, c);
	struct pb_outcome e = pb_round_play(round, r->seed, r->trial);

	fill_result(r, &e, &round->o);
}

static void
start(void *state, uint64_t seed, uint64_t trial, const struct pb_agents *c)
{
	pb_round_start(with_agents(state, c), seed, trial);
}

static bool
step(void *state, const struct pb_agents *c)
{
	pb_round_step(with_agents(state, c));
	return true;
}

static double
dt(const void *state)
{
	return ((const struct pb_round *)state)->o.dt;
}

static const char *
ending(const void *state)
{
	const struct pb_tracker *k = &((const struct pb_round *)state)->g.track;

	return k->ended > 0 ? pb_ending_name(k->last.ending) : "";
}

static void
result(const void *state, struct pb_trial *r)
{
	const struct pb_round *round = state;

	r->round = round->g.track.last.round;
	fill_result(r, &round->g.track.last, &round->o);
}

static struct pb_pose
pose(const void *state, int body)
{
	const struct pb_round *r = state;

	if (body == 0)
		return r->g.truth;
	return (struct pb_pose){r->clyde.at.x, r->clyde.at.y, 0};
}

static struct pb_pose
robot(void *state, double heading, bool *carried)
{
	(void)heading;
	*carried = false;
	return pose(state, 0);
}

static enum pb_status
solid(const void *state, struct pb_map *m)
{
	const struct pb_round *r = state;
	const struct pb_arena *a = r->arena;

	return pb_map_copy(
	    m, a->around.world.cell ? &a->around.world : &a->map);
}

static int
things(const void *state, const struct pb_thing **t)
{
	const struct pb_round *r = state;

	*t = r->g.thing;
	return r->g.things;
}

enum command {
	START,
	RESET,
	BASE_SPEED,
	SPEED,
	SPAWN,
	RESET_GHOSTS,
	REMOVE_PELLET,
	RESET_PELLETS
};

static const struct pb_command commands[] = {
    [START] = {"start", "controller", PB_TAKES_NOTHING},
    [RESET] = {"reset", "controller", PB_TAKES_NOTHING},
    [BASE_SPEED] = {"base_speed", "controller", PB_TAKES_SPEED},
    [SPEED] = {"speed", "clyde", PB_TAKES_SPEED},
    [SPAWN] = {"spawn", "clyde", PB_TAKES_POINT},
    [RESET_GHOSTS] = {"reset_ghosts", "clyde", PB_TAKES_NOTHING},
    [REMOVE_PELLET] = {"remove_pellet", "pellets", PB_TAKES_PELLET},
    [RESET_PELLETS] = {"reset_pellets", "pellets", PB_TAKES_NOTHING},
    {NULL, NULL, PB_TAKES_NOTHING},
};

/* As published: a click while Clyde runs is ignored; one into a wall is not. */
static const char *
cannot(const void *state, int i, const struct pb_command_value *v)
{
	const struct pb_round *r = state;
	const struct pb_clyde_world *w = &r->arena->clyde;

	if (i != SPAWN || r->g.ctl.state == PB_RUNNING ||
	    pb_clyde_safe(w, pb_clyde_cell(w, v->at)))
		return NULL;
	return "is no place for Clyde: a wall, too near one, or outside the "
	       "map";
}

static const char *
command(void *state, int i, const struct pb_command_value *v,
    const struct pb_agents *c)
{
	struct pb_round *r = with_agents(state, c);

	switch ((enum command)i) {
	case START:
		return pb_round_press_start(r) ? NULL : "cannot start";
	case RESET:
		pb_round_press_reset(r);
		break;
	case BASE_SPEED:
		pb_round_base_speed(r, v->speed);
		break;
	case SPEED:
		pb_round_clyde_speed(r, v->speed);
		break;
	case SPAWN:
		return pb_round_click(r, v->at) == PB_OK
		           ? NULL
		           : "ignored: the round is running";
	case RESET_GHOSTS:
		pb_round_reset_clyde(r);
		break;
	case REMOVE_PELLET:
		return pb_round_remove(r, v->pellet) == PB_OK
		           ? NULL
		           : "is gone already";
	case RESET_PELLETS:
		pb_round_reset_pellets(r);
		break;
	}
	return NULL;
}

static bool
idle(const void *state)
{
	return ((const struct pb_round *)state)->g.ctl.state == PB_MENU;
}

static int
ended(const void *state)
{
	return ((const struct pb_round *)state)->g.track.ended;
}

/* Limit of navigation or localization, which else might never end (s). */
#define NAVIGATION_MOST 3600.0

static double
patience(const void *opts)
{
	const struct pb_round_opts *o = opts;

	return o->duration + o->theatrical + o->death_show + NAVIGATION_MOST;
}

static void
standing(const void *state, struct pb_standing *out)
{
	const struct pb_controller *c =
	    &((const struct pb_round *)state)->g.ctl;

	*out =
	    (struct pb_standing){pb_state_name(c->state), c->round, c->spawned,
		c->collected, c->score, c->result, pb_controller_speed(c)};
}

/* Clyde is faster in each round. */
static void
set_next_opts(const void *state, void *opts)
{
	const struct pb_controller *c =
	    &((const struct pb_round *)state)->g.ctl;
	struct pb_round_opts *o = opts;

	o->round = c->round;
	o->clyde_speed = c->base_speed;
}

static enum pb_status
set_model(void *state, const void *model)
{
	struct pb_player_state *t = &((struct pb_round *)state)->ps;
	const struct pb_player *p = t->player;

	if (p->memory && p->memory(t->world, t->opts, model) != t->mem_size)
		return PB_EVALUE;
	t->model = model;
	return PB_OK;
}

static bool
estimate(const void *state, struct pb_pose *out)
{
	const struct pb_estimator *e = &((const struct pb_round *)state)->g.est;

	*out = e->pose;
	return e->ever;
}

static const struct pb_pellet *
pellets(const void *state, int *n, const unsigned char **left)
{
	const struct pb_arena *a = ((const struct pb_round *)state)->arena;

	*n = a->n;
	*left = pb_round_left(state);
	return a->pellet;
}

static bool
still(const void *opts)
{
	return !((const struct pb_round_opts *)opts)->spin;
}

static const struct pb_map_game on_map = {
    .place = places,
    .beyond = count_unreachable,
    .spacing = pb_arena_spacing,
    .commands = commands,
    .cannot = cannot,
    .command = command,
    .idle = idle,
    .ended = ended,
    .patience = patience,
    .standing = standing,
    .next_opts = set_next_opts,
    .set_model = set_model,
    .pellets = pellets,
    .things = things,
    .still = still,
    .slim = pb_round_slim,
};

const struct pb_game pb_game_pacmanbot = {
    .name = "pacmanbot",
    .summary = "a house, a robot, one ghost",
    .usual = "seed",
    .behaviour = "clyde",
    .body = bodies,
    .outcome = pb_endings,
    .rounds = 10,
    .on_map = &on_map,
    .opts_size = sizeof(struct pb_round_opts),
    .params = &pb_round_params,
    .check = pb_round_wrong,
    .preset = pb_round_presets,
    .fingerprint = fingerprint,
    .prepare = prepare,
    .discard = pb_arena_free,
    .open = open_state,
    .close = pb_round_free,
    .copy = pb_round_copy,
    .play = play,
    .start = start,
    .step = step,
    .time = pb_round_time,
    .dt = dt,
    .ending = ending,
    .pose = pose,
    .estimate = estimate,
    .robot = robot,
    .solid = solid,
    .result = result,
};
