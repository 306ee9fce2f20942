/* chase.c - a small fifth rule set: collect all pellets before you are met. */
#include "chase.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/boards.h"

enum { CELLS = 1024 };

struct state {
	struct pb_player_state ps;
	int tick, left, total;
	int at[1 + PB_CHASERS]; /* cells; the player's first */
	int dir[1 + PB_CHASERS];
	bool pellet[CELLS], ate, met;
};

static const char *const bodies[] = {"mouse", "cat1", "cat2", "cat3", NULL};
static const char *const outcomes[] = {"cleared", "caught", "clock", NULL};

#define PB_PARAMS_OF struct pb_chase_opts
static const struct pb_param rows[] = {
    PB_COUNT("cats", chasers, "", 2, 0, PB_CHASERS, "that chase"),
    PB_COUNT(
	"cat-period", period, "ticks", 2, 1, 100, "between two steps of cats"),
    PB_COUNT(
	"cat-limit", limit, "ticks", 2000, 1, 1000000, "after which it ends"),
};

static const struct pb_params params = PB_PARAMS(rows);

static enum pb_status
prepare(const struct pb_ground *g, const void *opts, void **world,
    struct pb_refusal *no)
{
	const struct pb_chase_opts *o = opts;
	struct pb_chase_world *w = *world;

	if (g->maze->ghosts < o->chasers)
		no->why = "has not so many places for cats; see --cats";
	for (int i = 0; !no->why && i <= o->chasers; i++) {
		const struct pb_maze_place *p =
		    i > 0 ? &g->maze->ghost[i - 1] : &g->maze->start;

		if (!pb_maze_open(g->maze, p->row, p->col))
			*no = (struct pb_refusal){
			    "a place in a wall", p->row, p->col};
	}
	if (no->why)
		return PB_EVALUE;
	w->maze = *g->maze;
	return pb_cells_init(&w->cells, g->maze);
}

static void
discard(void *world)
{
	pb_cells_clear(&((struct pb_chase_world *)world)->cells);
}

static int
cell_of(const struct pb_chase_world *w, const struct pb_maze_place *p)
{
	return pb_cells_at(&w->cells, p->row, p->col);
}

static void
start(void *state, uint64_t seed, uint64_t trial, const struct pb_agents *c)
{
	struct state *s = state;
	const struct pb_chase_world *w = s->ps.world;

	(void)c;
	(void)seed;
	(void)trial;
	s->tick = s->left = 0;
	s->ate = s->met = false;
	for (int i = 0; i < w->cells.n; i++) {
		const struct pb_cell_at *p = &w->cells.cell[i];

		s->pellet[i] = pb_has_pellet(&w->maze, p->row, p->col);
		s->left += s->pellet[i];
	}
	s->total = s->left;
	s->at[0] = cell_of(w, &w->maze.start);
	for (int i = 0; i < PB_CHASERS; i++)
		s->at[1 + i] =
		    i < ((const struct pb_chase_opts *)s->ps.opts)->chasers
			? cell_of(w, &w->maze.ghost[i])
			: s->at[0];
	for (int i = 0; i <= PB_CHASERS; i++)
		s->dir[i] = PB_STAY;
}

/* The way to the player, by the shortest. */
static enum pb_dir
chase(const struct state *s, int i)
{
	const struct pb_chase_world *w = s->ps.world;
	unsigned first = pb_cells_first(&w->cells, s->at[i], s->at[0]);

	for (int d = 0; d < 4; d++)
		if (first >> d & 1)
			return (enum pb_dir)d;
	return PB_STAY;
}

static void
move(struct state *s, const struct pb_agents *c, int i, enum pb_dir d)
{
	const struct pb_chase_world *w = s->ps.world;
	const struct pb_cell_at *p = &w->cells.cell[s->at[i]];

	d = pb_agents_decide(c, i) ? c->decide_body(c->ctx, i, p->exits, -1)
	                           : pb_agents_notify(c, i, d);
	s->dir[i] = d;
	if (d != PB_STAY && p->exits >> d & 1)
		s->at[i] = p->to[d];
	if (i > 0)
		s->met |= s->at[i] == s->at[0];
}

static enum pb_dir
ask(void *state, const struct pb_agents *c)
{
	struct state *s = state;
	const struct pb_chase_view v = {
	    s->ps.world, &s->ps.rng, s->at[0], s->pellet};

	return pb_player_decide(&s->ps, c, &v);
}

static const char *
ending(const void *state)
{
	const struct state *s = state;
	const struct pb_chase_opts *o = s->ps.opts;

	return s->met                ? "caught"
	       : s->left == 0        ? "cleared"
	       : s->tick >= o->limit ? "clock"
	                             : "playing";
}

static bool
asks(const void *state)
{
	return strcmp(ending(state), "playing") == 0;
}

static bool
step(void *state, enum pb_dir stick, const struct pb_agents *c)
{
	struct state *s = state;
	const struct pb_chase_opts *o = s->ps.opts;
	const struct pb_chase_world *w = s->ps.world;
	const struct pb_cell_at *p;

	s->tick++;
	move(s, c, 0, stick);
	for (int i = 1; i <= o->chasers; i++) {
		s->met |= s->at[i] == s->at[0];
		if (s->tick % o->period == 0)
			move(s, c, i, chase(s, i));
	}
	p = &w->cells.cell[s->at[0]];
	s->ps.heat.here[p->row][p->col]++;
	s->ps.heat.died[p->row][p->col] += s->met;
	s->ate = s->pellet[s->at[0]];
	s->left -= s->ate;
	s->pellet[s->at[0]] = false;
	return asks(s);
}

static void
look(const void *state, const void *view, struct pb_seen *k)
{
	const struct state *s = state;
	const struct pb_chase_world *w = s->ps.world;

	(void)view;
	*k = pb_seen_none();
	k->tick = s->tick;
	k->left = s->left;
	k->score = s->total - s->left;
	k->board = w->maze;
	for (int i = 0; i < w->cells.n; i++)
		if (!s->pellet[i])
			k->board
			    .cell[w->cells.cell[i].row][w->cells.cell[i].col] =
			    PB_MAZE_EMPTY;
	for (int i = 0; i < pb_game_bodies(&pb_game_chase, s->ps.opts); i++)
		pb_seen_add(k, bodies[i], w->cells.cell[s->at[i]].row,
		    w->cells.cell[s->at[i]].col, s->dir[i], "");
}

static int
list_events(void *state, struct pb_event *out)
{
	const struct state *s = state;
	const char *end = ending(s);
	int n = 0;

	out[n++] = (struct pb_event){.kind = PB_EVENT_TICK};
	if (s->tick == 0)
		pb_add_signal(out, &n, "start");
	if (s->ate)
		pb_add_signal(out, &n, "pellet");
	if (strcmp(end, "playing") != 0)
		pb_add_signal(out, &n, s->left == 0 ? "win" : "game over");
	return n;
}

static struct pb_pose
robot(void *state, double heading, bool *carried)
{
	const struct state *s = state;
	const struct pb_chase_world *w = s->ps.world;
	const struct pb_cell_at *p = &w->cells.cell[s->at[0]];

	*carried = s->tick == 0;
	return pb_maze_pose(
	    &w->maze, p->row, p->col, (enum pb_dir)s->dir[0], heading);
}

static void
fail_body(void *state, int body)
{
	(void)state;
	(void)body;
}

static void
result(const void *state, struct pb_trial *r)
{
	const struct state *s = state;

	r->success = s->left == 0 && !s->met;
	r->total = s->total;
	r->score = r->collected = s->total - s->left;
	r->limit = ((const struct pb_chase_opts *)s->ps.opts)->limit;
	r->deaths = s->met;
	r->decisions = s->ps.decisions;
	r->hash = pb_hash_u64(PB_HASH_START, (uint64_t)s->tick);
	for (int i = 0; i <= PB_CHASERS; i++)
		r->hash = pb_hash_u64(r->hash, (uint64_t)s->at[i]);
}

static const struct pb_board_game on_board = {
    .others = offsetof(struct pb_chase_opts, chasers),
    .asks = asks,
    .ask = ask,
    .move = step,
    .look = look,
    .events = list_events,
    .fail_body = fail_body,
};

const struct pb_game pb_game_chase = {
    .name = "chase",
    .summary = "cats that know the way, and a mouse",
    .board = "roomba",
    .usual = "hungry",
    .body = bodies,
    .outcome = outcomes,
    .rounds = 1,
    .on_board = &on_board,
    .opts_size = sizeof(struct pb_chase_opts),
    .params = &params,
    .world_size = sizeof(struct pb_chase_world),
    .prepare = prepare,
    .discard = discard,
    .size = sizeof(struct state),
    .start = start,
    .tick = offsetof(struct state, tick),
    .hz = 1,
    .ending = ending,
    .robot = robot,
    .result = result,
    .behaviour = "chase",
    .lockstep = true,
};
