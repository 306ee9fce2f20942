/* roomba_game.c - the Roomba game as a rule set. */
#include "game/roomba/roomba_game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/roomba/rplayer.h"
#include "pb/maze.h"

static const char *const bodies[] = {
    "pacman", "blinky", "pinky", "inky", "clyde", NULL};
static const char *const outcomes[] = {"cleared", "caught", "clock", NULL};

struct world {
	struct pb_roomba_board board;
	struct pb_maze maze;
};

/* With bodies s is a copy of the fleet's. */
struct state {
	struct pb_seat seat;
	struct pb_roomba s;
	struct pb_roomba_fleet fleet;
	double th; /* where Pac-Man's robot looks, in step (rad) */
};

static const struct pb_roomba_board *
board_of(const struct state *g)
{
	return &((const struct world *)g->seat.world)->board;
}

static const struct pb_roomba_opts *
opts_of(const struct state *g)
{
	return g->seat.opts;
}

static bool
has_bodies(const void *opts)
{
	return ((const struct pb_roomba_opts *)opts)->motion == PB_MOTION_DRIVE;
}

static bool
drives(const struct state *g)
{
	return has_bodies(g->seat.opts);
}

static void
defaults(void *opts)
{
	*(struct pb_roomba_opts *)opts = pb_roomba_defaults();
}

static int
count_bodies(const void *opts)
{
	return 1 + ((const struct pb_roomba_opts *)opts)->ghosts;
}

static enum pb_status
prepare(const struct pb_ground *ground, const void *opts, void **world,
    struct pb_refusal *no)
{
	const struct pb_roomba_opts *o = opts;
	struct world *w;

	*no = (struct pb_refusal){.row = -1, .col = -1};
	no->why = pb_roomba_board_wrong(ground->maze, &no->row, &no->col);
	if (!no->why)
		no->why = pb_roomba_fleet_wrong(ground->maze, o);
	if (!no->why && o->ghosts > ground->maze->ghosts)
		no->why = "has not so many places for ghosts; see --ghosts";
	if (no->why)
		return PB_EVALUE;
	w = calloc(1, sizeof(*w));
	if (!w || pb_roomba_board_init(&w->board, ground->maze) != PB_OK) {
		free(w);
		return PB_ENOMEM;
	}
	w->maze = *ground->maze;
	*world = w;
	return PB_OK;
}

static void
discard(void *world)
{
	struct world *w = world;

	if (w)
		pb_roomba_board_clear(&w->board);
	free(w);
}

static void
start(void *state, uint64_t seed, uint64_t trial, const struct pb_crew *c)
{
	struct state *g = state;

	(void)c;
	pb_seat_start(&g->seat, seed, trial);
	if (drives(g)) {
		pb_roomba_fleet_start(
		    &g->fleet, board_of(g), opts_of(g), seed, trial);
		g->s = g->fleet.s;
	} else {
		pb_roomba_start(&g->s, board_of(g), opts_of(g), seed, trial);
	}
	g->th = PB_PI / 2;
}

static bool
asks(const void *state)
{
	const struct state *g = state;

	return drives(g) ? pb_roomba_fleet_asks(&g->fleet) : g->s.stopped == 0;
}

/* Where the stick points, in what Pac-Man's player can see. */
static enum pb_dir
ask(struct state *g, const struct pb_crew *c)
{
	struct pb_roomba seen = g->s;
	struct pb_roomba_fleet fleet;
	const struct pb_roomba_view v = {&seen, board_of(g), opts_of(g),
	    &g->seat.rng, drives(g) ? &fleet : NULL};

	memset(seen.rng, 0, sizeof(seen.rng));
	if (drives(g))
		fleet = pb_roomba_fleet_seen(&g->fleet);
	return c && c->decide ? c->decide(c->ctx, &v)
	                      : pb_seat_ask(&g->seat, &v);
}

/* A step, and who decides in it. */
struct turn {
	struct state *g;
	const struct pb_crew *c; /* NULL: nobody */
	enum pb_dir stick;
};

/* A robot that is decided elsewhere, whose cell is `cell`. */
static bool
heard(const struct turn *t, int robot)
{
	return t->c && t->c->heard >> (1 + robot) & 1;
}

static enum pb_dir
hear(const struct turn *t, int robot, int cell)
{
	return t->c->hear(
	    t->c->ctx, 1 + robot, board_of(t->g)->cells.cell[cell].exits, -1);
}

static enum pb_dir
decided(const struct turn *t, int robot, enum pb_dir d)
{
	if (t->c && t->c->decided)
		t->c->decided(t->c->ctx, 1 + robot, d);
	return d;
}

/* What a robot in step does, -1: Pac-Man; m has the moves of those before. */
static enum pb_dir
move(const struct turn *t, int robot, const struct pb_roomba_moves *m)
{
	struct state *g = t->g;
	struct pb_roomba *s = &g->s;
	const struct pb_roomba_board *b = board_of(g);
	const struct pb_cell_at *c = &b->cells.cell[s->pacman];

	if (robot >= 0 && s->ghost[robot].state == PB_ROOMBA_LOST)
		return PB_STAY;
	if (heard(t, robot)) {
		if (robot < 0)
			return hear(t, robot, s->pacman);
		pb_roomba_ghost_look(s, b, opts_of(g), robot,
		    m->pacman == PB_STAY ? s->pacman : c->to[m->pacman]);
		return hear(t, robot, s->ghost[robot].at);
	}
	return decided(t, robot,
	    robot < 0 ? pb_roomba_steer(s, b, t->stick)
		      : pb_roomba_ghost_move(s, b, opts_of(g), robot, m));
}

/* A robot with a body decides. */
static enum pb_dir
decide(void *ctx, struct pb_roomba_fleet *f, int robot)
{
	const struct turn *t = ctx;
	const struct pb_roomba_board *b = board_of(t->g);
	const struct pb_roomba_opts *o = opts_of(t->g);

	if (heard(t, robot)) {
		if (robot < 0)
			return hear(t, robot, f->s.pacman);
		pb_roomba_ghost_look(&f->s, b, o, robot, f->s.pacman);
		return hear(t, robot, f->s.ghost[robot].at);
	}
	return decided(t, robot,
	    robot < 0 ? pb_roomba_steer(&f->s, b, t->stick)
		      : pb_roomba_fleet_choose(f, b, o, robot));
}

static bool
step_grid(const struct turn *t)
{
	struct state *g = t->g;
	struct pb_roomba_moves m = {.pacman = PB_STAY};
	bool on;

	if (g->s.ending != PB_ROOMBA_ON)
		return false;
	if (g->s.stopped == 0) {
		m.pacman = move(t, -1, &m);
		for (int i = 0; i < opts_of(g)->ghosts; i++)
			m.ghost[i] = move(t, i, &m);
	}
	on = pb_roomba_drive(&g->s, board_of(g), opts_of(g), &m);
	pb_roomba_heat(&g->s, board_of(g), NULL, true, &g->seat.heat);
	return on;
}

static bool
step_bodies(struct turn *t)
{
	struct state *g = t->g;
	struct pb_roomba_fleet *f = &g->fleet;
	const struct pb_roomba_crew crew = {decide, t};
	bool on;

	pb_roomba_push(&f->s, board_of(g), t->stick);
	on = pb_roomba_fleet_crew(f, board_of(g), opts_of(g), &crew);
	g->s = f->s;
	pb_roomba_heat(&g->s, board_of(g), &f->bot[0].rover.pose,
	    f->step % opts_of(g)->bodies.steps == 0, &g->seat.heat);
	return on;
}

static bool
step(void *state, const struct pb_crew *c)
{
	struct turn t = {state, c, PB_STAY};

	if (c && c->steers)
		t.stick = c->stick;
	else if (asks(state) && !heard(&t, -1))
		t.stick = ask(state, c);
	return drives(t.g) ? step_bodies(&t) : step_grid(&t);
}

static double
time_of(const void *state)
{
	const struct state *g = state;

	return drives(g)
	           ? pb_roomba_fleet_time(&g->fleet, board_of(g), opts_of(g))
	           : g->s.tick;
}

static double
dt_of(const void *state)
{
	const struct state *g = state;

	return drives(g) ? pb_roomba_fleet_dt(board_of(g), opts_of(g)) : 1;
}

static void
add_body(struct pb_seen *k, const struct state *g, int cell, int dir,
    const char *mode)
{
	const struct pb_cell_at *c = &board_of(g)->cells.cell[cell];

	pb_seen_add(k, bodies[k->bodies], c->row, c->col, dir, mode);
}

static void
look(const void *state, const void *view, struct pb_seen *k)
{
	const struct state *g = state;
	const struct pb_roomba_view *v = view;
	const struct pb_roomba *s = v ? v->s : &g->s;
	const struct pb_roomba_board *b = board_of(g);

	*k = pb_seen_none();
	k->tick = s->tick;
	k->score = s->score;
	k->lives = s->lives > 0 ? s->lives : 0;
	k->left = s->left;
	k->combo = s->combo;
	k->paused = s->stopped > 0;
	if (s->power > 0)
		memcpy(k->mode, "power", sizeof("power"));
	k->board = ((const struct world *)g->seat.world)->maze;
	for (int i = 0; i < b->cells.n; i++)
		if (!pb_roomba_dot(s, i))
			k->board
			    .cell[b->cells.cell[i].row][b->cells.cell[i].col] =
			    PB_MAZE_EMPTY;
	add_body(k, g, s->pacman, s->dir, "");
	for (int i = 0; i < opts_of(g)->ghosts; i++)
		add_body(k, g, s->ghost[i].at, s->ghost[i].last,
		    pb_roomba_state_name[s->ghost[i].state]);
}

static const char *
ending(const void *state)
{
	return pb_roomba_ending_name(
	    (enum pb_roomba_ending)((const struct state *)state)->s.ending);
}

/* What the robots told each other. */
static int
messages(const struct pb_roomba *s, struct pb_news *out)
{
	unsigned e = s->events;
	int n = 0;

	if (e & PB_ROOMBA_POWER_OFF)
		out[n++] = (struct pb_news){.name = "POWER", .value = "off"};
	if (e & PB_ROOMBA_POWER_ON)
		out[n++] = (struct pb_news){.name = "POWER", .value = "on"};
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		if (e & (unsigned)PB_ROOMBA_EATEN << i)
			out[n++] = (struct pb_news){
			    .name = "EATEN", .to = pb_roomba_name[i]};
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		if (e & (unsigned)PB_ROOMBA_KILLS << i) {
			out[n++] = (struct pb_news){
			    .body = 1 + i, .name = "KILLED", .to = bodies[0]};
			out[n++] =
			    (struct pb_news){.body = 1 + i, .name = "STOP"};
		}
	if (e & PB_ROOMBA_RESET)
		out[n++] =
		    (struct pb_news){.name = s->tick > 0 ? "RESET" : "START"};
	return n;
}

static void
add_event(struct pb_news *out, int *n, const char *name)
{
	out[(*n)++] = (struct pb_news){.kind = PB_NEWS_EVENT, .name = name};
}

static int
events(const struct pb_roomba *s, struct pb_news *out)
{
	static const char *const caught[] = {
	    "blinky caught", "pinky caught", "inky caught", "clyde caught"};
	static const char *const killed[] = {
	    "blinky killed", "pinky killed", "inky killed", "clyde killed"};
	unsigned e = s->events;
	int n = 0;

	if (e & PB_ROOMBA_RESET)
		add_event(out, &n, s->tick > 0 ? "reset" : "start");
	if (e & PB_ROOMBA_POWER_ON)
		add_event(out, &n, "power pellet");
	else if (e & PB_ROOMBA_PELLET)
		add_event(out, &n, "pellet");
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		if (e & (unsigned)PB_ROOMBA_EATEN << i)
			add_event(out, &n, caught[i]);
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		if (e & (unsigned)PB_ROOMBA_KILLS << i)
			add_event(out, &n, killed[i]);
	if (s->ending != PB_ROOMBA_ON)
		add_event(out, &n,
		    s->ending == PB_ROOMBA_CLEARED ? "win" : "game over");
	return n;
}

static int
news(void *state, struct pb_news *out)
{
	const struct state *g = state;
	int n = messages(&g->s, out);

	if (!drives(g) || g->fleet.decided != 0 || g->s.events != 0 ||
	    g->s.ending != PB_ROOMBA_ON)
		out[n++] = (struct pb_news){.kind = PB_NEWS_TICK};
	return n + events(&g->s, out + n);
}

static struct pb_pose
pose(const void *state, int body)
{
	return ((const struct state *)state)->fleet.bot[body].rover.pose;
}

/* Before he has moved he looks up. */
static struct pb_pose
robot(void *state, double heading, bool *carried)
{
	struct state *g = state;
	const struct pb_cell_at *c = &board_of(g)->cells.cell[g->s.pacman];
	struct pb_pose p;

	(void)heading;
	*carried = g->s.events & PB_ROOMBA_RESET;
	if (drives(g))
		return pose(state, 0);
	if (*carried)
		g->th = PB_PI / 2;
	p = pb_maze_pose(&((const struct world *)g->seat.world)->maze, c->row,
	    c->col, (enum pb_dir)g->s.dir, g->th);
	g->th = p.th;
	return p;
}

static enum pb_status
solid(const void *state, struct pb_map *m)
{
	const struct state *g = state;

	return pb_maze_walled(&((const struct world *)g->seat.world)->maze, m);
}

static void
lose(void *state, int body)
{
	struct state *g = state;

	pb_roomba_lose(&g->s, body - 1);
	pb_roomba_fleet_lose(&g->fleet, body - 1);
}

static uint64_t
hash_state(const struct pb_roomba *s)
{
	uint64_t h = pb_hash_u64(PB_HASH_START, (uint64_t)s->tick);

	h = pb_hash_u64(h, (uint64_t)s->pacman);
	h = pb_hash_u64(h, (uint64_t)s->score);
	for (int i = 0; i < PB_ROOMBA_WORDS; i++)
		h = pb_hash_u64(h, s->dot[i]);
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++) {
		h = pb_hash_u64(h, (uint64_t)s->ghost[i].at);
		h = pb_hash_u64(h, (uint64_t)s->ghost[i].state);
	}
	return h;
}

static void
result(const void *state, struct pb_trial *r)
{
	const struct state *g = state;
	const struct pb_roomba *s = &g->s;
	const struct pb_roomba_board *b = board_of(g);
	const struct pb_roomba_opts *o = opts_of(g);
	const char *name = ending(state);

	memcpy(r->outcome, name, strlen(name) + 1);
	r->success = s->ending == PB_ROOMBA_CLEARED;
	r->total = b->pellets;
	r->collected = b->pellets - s->left;
	r->score = s->score;
	r->time = time_of(state);
	r->limit = drives(g) ? o->limit * b->side / o->bodies.way.v : o->limit;
	r->removed = -1;
	r->driven = r->nearest = NAN;
	r->deaths = s->deaths;
	r->killers = o->ghosts;
	memset(r->killed, 0, sizeof(r->killed));
	for (int i = 0; i < o->ghosts; i++)
		r->killed[i] = s->kills[i];
	r->eaten = s->eaten;
	r->decisions = s->tick;
	r->collisions = s->collisions;
	r->hash = hash_state(s);
}

const struct pb_game pb_game_roomba = {
    .name = "roomba",
    .summary = "a board with walls between cells, ghosts without a master",
    .board = "roomba",
    .usual = "plan",
    .body = bodies,
    .outcome = outcomes,
    .killer = pb_roomba_name,
    .behaviour = "roomba",
    .rounds = 1,
    .heading = "Constants of roomba",
    .with = "rules=roomba",
    .opts_size = sizeof(struct pb_roomba_opts),
    .params = pb_roomba_params,
    .defaults = defaults,
    .bodies = count_bodies,
    .drives = has_bodies,
    .prepare = prepare,
    .discard = discard,
    .size = sizeof(struct state),
    .start = start,
    .asks = asks,
    .step = step,
    .time = time_of,
    .dt = dt_of,
    .look = look,
    .ending = ending,
    .news = news,
    .pose = pose,
    .robot = robot,
    .solid = solid,
    .lose = lose,
    .result = result,
    .lockstep = true,
    .starts = true,
};
