/* roomba_game.c - the Roomba game as a rule set: boards, options, adapter. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/roomba/roomba.h"

#define PB_PARAMS_OF struct pb_roomba_opts
#define NATURE(ghost, i, home, chase, flee, aside)                          \
	PB_REAL(ghost "-search", nature[i].search, "chance", home, 0, 1,    \
	    "that it goes home while it searches"),                         \
	    PB_REAL(ghost "-track", nature[i].track, "chance", chase, 0, 1, \
		"that it goes towards Pac-Man while it tracks"),            \
	    PB_REAL(ghost "-run", nature[i].run, "chance", flee, 0, 1,      \
		"that it runs when it is afraid"),                          \
	    PB_BOOL(ghost "-away", nature[i].away, aside,                   \
		"it tracks away from Pac-Man")

#define DRIVE "motion=drive"

static const struct pb_param params[] = {
    PB_COUNT("ghosts", ghosts, "", 4, 0, PB_ROOMBA_GHOSTS, "ghosts that play",
	.group = "rules", .also = "robots|patrols"),
    PB_COUNT("lives", lives, "", 3, 0, 1000,
	"lives of Pac-Man, 0: without limit", .also = "life"),
    PB_COUNT("sense", sense, "", 3, 0, PB_ROOMBA_SIDE,
	"cells within which a ghost tracks Pac-Man"),
    PB_COUNT(
	"power-time", power_time, "", 20, 1, 10000, "ticks that a pill lasts"),
    PB_COUNT("delay", delay, "", 5, 1, 10000, "ticks from a kill to the reset"),
    PB_COUNT("limit", limit, "", 3000, 1, 1000000, "ticks until the game ends",
	.also = "time|duration|time-limit|timeout|ticks|draw"),
    PB_COUNT("rollouts", rollouts, "", 16, 1, 100000,
	"rollouts of the player plan for each direction", .when = "policy=plan",
	.group = "player"),
    PB_CHOICE("motion", motion, "grid|drive",
	"a cell a tick, or bodies that turn and drive", .group = "robots"),
    /* The aim is published; the rest is ours, for cells of some 0.4 m. */
    PB_REAL("robot-speed", bodies.way.v, "m/s", 0.3, 0.01, 10,
	"of robots, forwards", .when = DRIVE, .also = "speed|v-max"),
    PB_REAL("robot-turn", bodies.way.w, "rad/s", 1.5, 0, 100,
	"of robots, 0: turning takes no time", .when = DRIVE,
	.also = "turn|turn-rate|w-max"),
    PB_REAL("aim", bodies.way.aim, "rad", PB_PI / 18, 1e-6, PB_PI,
	"robots drive once their heading is off by less", .when = DRIVE),
    PB_REAL("correct", bodies.way.correct, "1/s", 2, 0, 100,
	"turn rate by error of heading on the way", .when = DRIVE),
    PB_REAL("centre", bodies.way.near, "m", 0.05, 1e-6, 1,
	"robots have arrived this near to a centre", .when = DRIVE),
    PB_COUNT("steps", bodies.steps, "", 20, 2, 1000,
	"of the controllers, in the time of a cell", .when = DRIVE),
    PB_ROVER_ROWS(bodies.rover, "step", 0.01, 0.01),
    PB_REAL("touch", bodies.touch, "cells", 0.5, 0.001, 1,
	"a ghost that is nearer touches Pac-Man", .when = DRIVE,
	.also = "radius|death-radius|kill|death"),
    PB_REAL("body", bodies.size, "m", 0.34, 0, 10,
	"diameter of robots, for counting collisions", .when = DRIVE,
	.also = "size|diameter"),
    NATURE("blinky", PB_BLINKY, 0.80, 1.00, 0.90, false),
    NATURE("pinky", PB_PINKY, 0.80, 0.80, 0.90, false),
    NATURE("inky", PB_INKY, 0.70, 0.60, 0.85, false),
    NATURE("clyde", PB_CLYDE, 0.60, 0.70, 0.85, true),
    PB_ROVER_LOCALIZER_ROW(bodies.rover),
    PB_ONBOARD_MCL(bodies.mcl., "cells"),
};

/* Number of rows before later additions, see struct pb_params. */
#define SETTLED 38

const struct pb_params pb_roomba_params = PB_PARAMS_SINCE(params, SETTLED);

/*
 * Check a place that robots need: it exists, is open, and is no other robot's.
 */
static const char *
place_wrong(const struct pb_maze *z, const struct pb_maze_place *p)
{
	if (!pb_maze_open(z, p->row, p->col))
		return "is in a wall";
	for (int i = 0; i < z->ghosts; i++)
		if (p != &z->ghost[i] && z->ghost[i].row == p->row &&
		    z->ghost[i].col == p->col)
			return "is where another robot is";
	return NULL;
}

/* The first pellet, reset point or home that cannot be reached. */
static const char *
find_unreachable(const struct pb_maze *z, int *row, int *col)
{
	bool seen[PB_MAZE_SIDE][PB_MAZE_SIDE] = {{false}};
	short order[PB_MAZE_SIDE * PB_MAZE_SIDE];

	pb_maze_reach(z, z->start.row, z->start.col, seen, order);
	for (int i = 0; i < z->ghosts + z->homes; i++) {
		const struct pb_maze_place *p =
		    i < z->ghosts ? &z->ghost[i] : &z->home[i - z->ghosts];

		*row = p->row;
		*col = p->col;
		if (!seen[p->row][p->col])
			return i < z->ghosts ? "ghost cannot reach Pac-Man"
			                     : "home cannot be reached";
	}
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++) {
			*row = r;
			*col = c;
			if (!seen[r][c] && pb_has_pellet(z, r, c))
				return "pellet cannot be reached";
		}
	*row = *col = -1;
	return NULL;
}

const char *
pb_roomba_board_wrong(const struct pb_maze *z, int *row, int *col)
{
	const char *why;

	*row = *col = -1;
	if (z->rows > PB_ROOMBA_SIDE || z->cols > PB_ROOMBA_SIDE)
		return "expected at most 32 x 32 cells";
	if (z->start.row < 0)
		return "expected a start of Pac-Man";
	if (pb_count_pellets(z) == 0)
		return "expected a pellet";
	for (int i = -1; i < z->ghosts; i++) {
		const struct pb_maze_place *p =
		    i < 0 ? &z->start : &z->ghost[i];

		why = place_wrong(z, p);
		*row = p->row;
		*col = p->col;
		if (why)
			return why;
	}
	for (int i = 0; i < z->homes; i++) {
		*row = z->home[i].row;
		*col = z->home[i].col;
		if (!pb_maze_open(z, *row, *col))
			return "home is in a wall";
	}
	return find_unreachable(z, row, col);
}

static int
cell_of(const struct pb_roomba_board *b, const struct pb_maze_place *p)
{
	return pb_cells_at(&b->cells, p->row, p->col);
}

enum pb_status
pb_roomba_board_init(struct pb_roomba_board *b, const struct pb_maze *z)
{
	enum pb_status st;

	memset(b, 0, sizeof(*b));
	if ((st = pb_cells_init(&b->cells, z)) != PB_OK)
		return st;
	b->maze = *z;
	b->side = pb_maze_pitch(z);
	b->start = cell_of(b, &z->start);
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++) {
		b->reset[i] = i < z->ghosts ? cell_of(b, &z->ghost[i]) : -1;
		b->home[i] = i < z->homes ? cell_of(b, &z->home[i]) : -1;
	}
	for (int i = 0; i < b->cells.n; i++) {
		const struct pb_cell_at *c = &b->cells.cell[i];
		bool power = z->cell[c->row][c->col] == PB_MAZE_POWER;

		if (!pb_has_pellet(z, c->row, c->col))
			continue;
		b->dot[i / 64] |= UINT64_C(1) << i % 64;
		b->power[i / 64] |= (uint64_t)power << i % 64;
		b->pellets++;
	}
	return PB_OK;
}

void
pb_roomba_board_clear(void *board)
{
	struct pb_roomba_board *b = board;

	pb_cells_clear(&b->cells);
	*b = (struct pb_roomba_board){.pellets = 0};
}

static const char *const bodies[] = {
    "pacman", "blinky", "pinky", "inky", "clyde", NULL};
static const char *const outcomes[] = {"cleared", "caught", "clock", NULL};

/* Names of enum pb_roomba_state. */
static const char *const modes[] = {
    "searching", "tracking", "running", "killed", "lost"};

/* The state; in lock-step only fleet.s is used. */
struct state {
	struct pb_player_state ps;
	struct pb_roomba_fleet fleet;
	double th; /* heading of Pac-Man's robot, in lock-step (rad) */
};

static bool
drives(const void *opts)
{
	return ((const struct pb_roomba_opts *)opts)->motion == PB_MOTION_DRIVE;
}

static enum pb_status
prepare(const struct pb_ground *ground, const void *opts, void **world,
    struct pb_refusal *no)
{
	const struct pb_roomba_opts *o = opts;
	const struct pb_maze *z = ground->maze;
	struct pb_roomba_board *b = *world;
	enum pb_status st;

	no->why = pb_roomba_board_wrong(z, &no->row, &no->col);
	if (!no->why)
		no->why = pb_roomba_fleet_wrong(z, o);
	if (!no->why && o->ghosts > z->ghosts)
		no->why = "has fewer places for ghosts; see ghosts";
	if (no->why)
		return PB_EVALUE;
	st = pb_roomba_board_init(b, z);
	if (st == PB_OK)
		st = pb_onboard_new(z, o->bodies.rover.localizer,
		    o->bodies.size, pb_roomba_params, o, &b->onboard);
	return st;
}

static void
start(void *state, uint64_t seed, uint64_t trial, const struct pb_agents *c)
{
	struct state *g = state;
	const void *world = g->ps.world, *opts = g->ps.opts;

	(void)c;
	if (drives(opts))
		pb_roomba_fleet_start(&g->fleet, world, opts, seed, trial);
	else
		pb_roomba_start(&g->fleet.s, world, opts, seed, trial);
	g->th = PB_PI / 2;
}

static bool
asks(const void *state)
{
	const struct state *g = state;

	return drives(g->ps.opts) ? pb_roomba_fleet_asks(&g->fleet)
	                          : g->fleet.s.ending == PB_ROOMBA_ON &&
	                                g->fleet.s.stopped == 0;
}

/* The state that players see: estimated poses, without random streams and
 * future errors. */
static struct pb_roomba_fleet
published(const struct pb_roomba_fleet *f)
{
	struct pb_roomba_fleet n = *f;

	n.onboard = (struct pb_onboard_robots){.b = NULL};
	for (int i = 0; i < PB_ROOMBA_ROBOTS; i++) {
		struct pb_rover *r = &n.rover[i];

		*r = (struct pb_rover){
		    .pose = r->seen, .seen = r->seen, .twist = r->twist};
	}
	return n;
}

/* Ask Pac-Man's player for the direction of the stick, by its view. */
static enum pb_dir
ask(void *state, const struct pb_agents *c)
{
	struct state *g = state;
	bool rolls = drives(g->ps.opts);
	struct pb_roomba seen = g->fleet.s;
	struct pb_roomba_fleet fleet;

	memset(seen.rng, 0, sizeof(seen.rng));
	if (rolls) {
		fleet = published(&g->fleet);
		fleet.s = seen;
	}
	return pb_player_decide(&g->ps, c,
	    &(struct pb_roomba_view){&seen, &g->ps.rng, rolls ? &fleet : NULL});
}

/* Count where Pac-Man is, once a tick, and where it has died. */
static void
count_heat(struct state *g)
{
	const struct pb_roomba *s = &g->fleet.s;
	const struct pb_roomba_board *b = s->board;
	int row = b->cells.cell[s->pacman].row, rows = b->cells.rows;
	int col = b->cells.cell[s->pacman].col, cols = b->cells.cols;
	bool tick = true;

	if (drives(g->ps.opts)) {
		struct pb_vec p = pb_pose_vec(g->fleet.rover[0].pose);

		row = rows - 1 - (int)fmin(fmax(p.y / b->side, 0), rows - 1);
		col = (int)fmin(fmax(p.x / b->side, 0), cols - 1);
		tick = g->fleet.step % s->opts->bodies.steps == 0;
	}
	g->ps.heat.here[row][col] += tick && s->stopped == 0;
	g->ps.heat.died[row][col] += s->events / PB_ROOMBA_KILLS % 16 != 0;
}

static bool
move(void *state, enum pb_dir stick, const struct pb_agents *c)
{
	struct state *g = state;
	bool on = drives(g->ps.opts) ? pb_roomba_fleet_step(&g->fleet, stick, c)
	                             : pb_roomba_step(&g->fleet.s, stick, c);

	count_heat(g);
	return on;
}

static double
time_of(const void *state)
{
	const struct state *g = state;

	return drives(g->ps.opts) ? pb_roomba_fleet_time(&g->fleet)
	                          : g->fleet.s.tick;
}

static double
dt_of(const void *state)
{
	const struct state *g = state;

	return drives(g->ps.opts) ? pb_roomba_fleet_dt(g->ps.world, g->ps.opts)
	                          : 1;
}

static void
look(const void *state, const void *view, struct pb_seen *k)
{
	const struct pb_roomba_view *v = view;
	const struct pb_roomba *s =
	    v ? v->s : &((const struct state *)state)->fleet.s;
	const struct pb_cell_at *cell = s->board->cells.cell;

	*k = pb_seen_none();
	k->tick = s->tick;
	k->score = s->score;
	k->lives = s->lives > 0 ? s->lives : 0;
	k->left = s->left;
	k->combo = s->combo;
	k->paused = s->stopped > 0;
	if (s->power > 0)
		pb_seen_set_word(k->mode, "power");
	k->board = s->board->maze;
	for (int i = 0; i < s->board->cells.n; i++)
		if (!pb_roomba_dot(s, i))
			k->board.cell[cell[i].row][cell[i].col] = PB_MAZE_EMPTY;
	for (int i = 0; i < pb_roomba_robots(s); i++) {
		const struct pb_roomba_ghost *g = &s->ghost[i - (i > 0)];
		const struct pb_cell_at *at = &cell[pb_roomba_cell(s, i)];

		pb_seen_add(k, bodies[i], at->row, at->col,
		    i > 0 ? g->last : s->dir, i > 0 ? modes[g->state] : "");
	}
}

static unsigned
ways(const void *state, const void *view)
{
	const struct pb_roomba *s = &((const struct state *)state)->fleet.s;

	(void)view;
	return s->board->cells.cell[s->pacman].exits;
}

static const char *
ending(const void *state)
{
	int e = ((const struct state *)state)->fleet.s.ending;

	return e == PB_ROOMBA_ON ? "playing" : outcomes[e - 1];
}

/* List the messages between robots. */
static int
messages(const struct pb_roomba *s, struct pb_event *out)
{
	unsigned e = s->events;
	int n = 0;

	if (e & PB_ROOMBA_POWER_OFF)
		out[n++] = (struct pb_event){.name = "POWER", .value = "off"};
	if (e & PB_ROOMBA_POWER_ON)
		out[n++] = (struct pb_event){.name = "POWER", .value = "on"};
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		if (e & (unsigned)PB_ROOMBA_EATEN << i)
			out[n++] = (struct pb_event){
			    .name = "EATEN", .to = bodies[1 + i]};
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		if (e & (unsigned)PB_ROOMBA_KILLS << i) {
			out[n++] = (struct pb_event){
			    .body = 1 + i, .name = "KILLED", .to = bodies[0]};
			out[n++] =
			    (struct pb_event){.body = 1 + i, .name = "STOP"};
		}
	if (e & PB_ROOMBA_RESET)
		out[n++] =
		    (struct pb_event){.name = s->tick > 0 ? "RESET" : "START"};
	return n;
}

static int
add_signals(const struct pb_roomba *s, struct pb_event *out)
{
	unsigned e = s->events;
	int n = 0;

	if (e & PB_ROOMBA_RESET)
		pb_add_signal(out, &n, s->tick > 0 ? "reset" : "start");
	if (e & PB_ROOMBA_POWER_ON)
		pb_add_signal(out, &n, "power pellet");
	else if (e & PB_ROOMBA_PELLET)
		pb_add_signal(out, &n, "pellet");
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		if (e & (unsigned)PB_ROOMBA_EATEN << i)
			pb_add_signal(out, &n, pb_ghost_caught[i]);
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		if (e & (unsigned)PB_ROOMBA_KILLS << i)
			pb_add_signal(out, &n, pb_ghost_killed[i]);
	if (s->ending != PB_ROOMBA_ON)
		pb_add_signal(out, &n,
		    s->ending == PB_ROOMBA_CLEARED ? "win" : "game over");
	return n;
}

static int
list_events(void *state, struct pb_event *out)
{
	const struct state *g = state;
	const struct pb_roomba *s = &g->fleet.s;
	int n = messages(s, out);

	if (!drives(s->opts) || g->fleet.decided != 0 || s->events != 0 ||
	    s->ending != PB_ROOMBA_ON)
		out[n++] = (struct pb_event){.kind = PB_EVENT_TICK};
	return n + add_signals(s, out + n);
}

/* Before its first move Pac-Man faces up. */
static struct pb_pose
robot(void *state, double heading, bool *carried)
{
	struct state *g = state;
	const struct pb_roomba *s = &g->fleet.s;
	const struct pb_cell_at *c = &s->board->cells.cell[s->pacman];
	struct pb_pose p;

	(void)heading;
	*carried = s->events & PB_ROOMBA_RESET;
	if (drives(s->opts))
		return g->fleet.rover[0].pose;
	if (*carried)
		g->th = PB_PI / 2;
	p = pb_maze_pose(
	    &s->board->maze, c->row, c->col, (enum pb_dir)s->dir, g->th);
	g->th = p.th;
	return p;
}

static void
fail_body(void *state, int body)
{
	pb_roomba_fleet_fail_ghost(&((struct state *)state)->fleet, body - 1);
}

static uint64_t
hash_of(const struct pb_roomba *s)
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
	const struct pb_roomba *s = &g->fleet.s;
	const struct pb_roomba_board *b = s->board;
	const struct pb_roomba_opts *o = s->opts;

	r->success = s->ending == PB_ROOMBA_CLEARED;
	r->total = b->pellets;
	r->collected = b->pellets - s->left;
	r->score = s->score;
	r->limit = drives(o) ? o->limit * b->side / o->bodies.way.v : o->limit;
	r->deaths = s->deaths;
	r->killers = o->ghosts;
	for (int i = 0; i < o->ghosts; i++)
		r->killed[i] = s->kills[i];
	r->eaten = s->eaten;
	r->decisions = g->ps.decisions;
	r->collisions = s->collisions;
	r->hash = hash_of(s);
}

static const struct pb_board_game on_board = {
    .others = offsetof(struct pb_roomba_opts, ghosts),
    .motion = offsetof(struct pb_roomba_opts, motion),
    .asks = asks,
    .ask = ask,
    .move = move,
    .look = look,
    .events = list_events,
    .ways = ways,
    .fail_body = fail_body,
};

const struct pb_game pb_game_roomba = {
    .name = "roomba",
    .summary = "a board with walls between cells, ghosts without a master",
    .board = "roomba",
    .usual = "plan",
    .body = bodies,
    .outcome = outcomes,
    .killer = bodies + 1,
    .behaviour = "roomba",
    .rounds = 1,
    .on_board = &on_board,
    .opts_size = sizeof(struct pb_roomba_opts),
    .params = &pb_roomba_params,
    .world_size = sizeof(struct pb_roomba_board),
    .prepare = prepare,
    .discard = pb_roomba_board_clear,
    .onboard = offsetof(struct pb_roomba_board, onboard),
    .robots = offsetof(struct state, fleet.onboard),
    .rovers = offsetof(struct state, fleet.rover),
    .size = sizeof(struct state),
    .start = start,
    .time = time_of,
    .dt = dt_of,
    .ending = ending,
    .robot = robot,
    .result = result,
    .lockstep = true,
    .starts = true,
};
