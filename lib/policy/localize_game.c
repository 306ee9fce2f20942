/* localize_game.c - trials of localization methods as a rule set. */
#include "policy/localize_game.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* A map or a maze. */
struct world {
	struct pb_loc_world w;
	struct pb_cells cells;
	struct pb_lattice maze;
};

struct state {
	const struct pb_localize_game_opts *o;
	const struct world *w;
	struct pb_loc_instance a; /* its memory owned, as that below */
	double *errors;
};

/* Index of a player's method. */
static int
number(const struct pb_player *p)
{
	int i = 0;

	while (strcmp(pb_localizer_at(i)->name, p->name) != 0)
		i++;
	return i;
}

static uint64_t
fingerprint(
    const void *opts, const struct pb_pellets *pellets, const char *player)
{
	const struct pb_localize_game_opts *o = opts;
	const struct pb_fact how = {
	    "protocol", pb_loc_protocols[o->trial.protocol]};
	const struct pb_localizer *m;
	uint64_t h = PB_HASH_START;

	(void)pellets;
	for (int i = 0; (m = pb_localizer_at(i)) != NULL; i++) {
		bool plays = strcmp(m->name, player) == 0;

		h = pb_hash_u64(h, (uint64_t)i);
		h = pb_params_hash(
		    h, m->params, plays ? o->constants[i] : NULL, NULL, 0);
	}
	h = pb_params_hash(h, pb_loc_protocol_params, &o->trial, NULL, 0);
	h = pb_params_hash(h, pb_loc_trial_params, &o->trial, &how, 1);
	if (o->in_maze) {
		h = pb_params_hash(h, pb_maze_trial_params, &o->maze, NULL, 0);
		h = pb_hash_double(h, o->trial.near_turn);
		return pb_params_hash(
		    h, pb_maze_drive_params, &o->maze.drive, NULL, 0);
	}
	h = pb_hash_double(h, o->trial.near);
	h = pb_hash_double(h, o->trial.near_turn);
	return pb_hash_u64(h, o->drive_hash);
}

static void
discard(void *world)
{
	struct world *w = world;

	pb_regions_clear(&w->maze.g);
	pb_cells_clear(&w->cells);
}

static enum pb_status
make_maze(struct world *w, const struct pb_maze *z, const char **why)
{
	enum pb_status st;

	w->w = (struct pb_loc_world){
	    .maze = z, .cells = &w->cells, .cell = pb_maze_pitch(z)};
	w->maze = (struct pb_lattice){.c = &w->cells, .cell = w->w.cell};
	st = pb_cells_init(&w->cells, z);
	if (st == PB_OK && (st = pb_tof_world(&w->w)) == PB_EEMPTY)
		*why = "walls between cells are tape, which no sensor sees";
	return st == PB_OK ? pb_regions_init(&w->maze.g, &w->cells) : st;
}

static enum pb_status
prepare(const struct pb_ground *g, const void *opts, void **world,
    struct pb_refusal *no)
{
	struct world *w = *world;

	(void)opts;
	w->w.map = g->map;
	return g->maze != NULL ? make_maze(w, g->maze, &no->why) : PB_OK;
}

static enum pb_status
learn(const struct pb_player *p, const void *world, const void *opts,
    void **model)
{
	const struct pb_localize_game_opts *o = opts;
	int i = number(p);
	const struct pb_localizer *m = pb_localizer_at(i);

	return m->learn(
	    m, &((const struct world *)world)->w, o->constants[i], model);
}

static void
forget(const struct pb_player *p, void *model)
{
	pb_localizer_at(number(p))->forget(model);
}

static void
close_state(void *state)
{
	struct state *s = state;

	if (s != NULL) {
		free(s->a.mem);
		free(s->errors);
	}
	free(s);
}

static enum pb_status
open_state(void **state, const struct pb_player_state *ps)
{
	struct state *s = calloc(1, sizeof(*s));
	int updates;

	if (s == NULL)
		return PB_ENOMEM;
	s->o = ps->opts;
	s->w = ps->world;
	s->a.m = pb_localizer_at(number(ps->player));
	s->a.model = ps->model;
	s->a.mem = calloc(1, pb_localizer_memory(s->a.m, s->a.model));
	updates =
	    s->w->w.maze != NULL ? s->o->maze.updates : s->o->trial.updates;
	s->errors = calloc((size_t)updates, sizeof(*s->errors));
	if (s->a.mem == NULL || s->errors == NULL) {
		close_state(s);
		return PB_ENOMEM;
	}
	*state = s;
	return PB_OK;
}

static void
play(void *state, struct pb_trial *t, const struct pb_agents *c)
{
	struct state *s = state;
	const struct pb_localize_game_opts *o = s->o;

	(void)c;
	if (s->w->w.maze != NULL)
		pb_maze_trial(
		    s->a, &s->w->maze, &o->maze, &o->trial, s->errors, t);
	else
		pb_loc_trial(s->a, o->drive, &o->trial, s->errors, t);
}

const struct pb_game pb_game_localize = {
    .name = "localize",
    .summary = "where a robot is, on a map or in a maze, by its sensors",
    .usual = "mcl",
    .outcome = pb_loc_outcomes,
    .rounds = 1,
    .opts_size = sizeof(struct pb_localize_game_opts),
    .fingerprint = fingerprint,
    .world_size = sizeof(struct world),
    .prepare = prepare,
    .discard = discard,
    .learn = learn,
    .forget = forget,
    .open = open_state,
    .close = close_state,
    .play = play,
};

void
pb_localize_rules(struct pb_localize_rules *r, bool maze)
{
	const struct pb_localizer *m;

	*r = (struct pb_localize_rules){
	    .rules = {&r->game, r->list}, .game = pb_game_localize};
	if (maze) {
		r->game.board = "pacman";
		r->game.usual = "fuse";
	}
	for (int n = 0; (m = pb_localizer_at(n)) != NULL; n++) {
		r->player[n].name = m->name;
		r->player[n].summary = m->summary;
		r->list[n] = &r->player[n];
	}
}
