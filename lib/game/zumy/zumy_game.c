/* zumy_game.c - the Zumy game as a rule set: boards, options, adapter. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/zumy/zumy.h"

#define PB_PARAMS_OF struct pb_zumy_opts

#define DRIVE "motion=drive"

static const struct pb_param params[] = {
    PB_COUNT("patrols", patrols, "", 2, 0, PB_ZUMY_PATROLS, "number of patrols",
	.group = "rules", .also = "ghosts|robots"),
    PB_COUNT("cell-time", cell_time, "ticks", 28, 1, 1000,
	"time to drive a cell, 10 ticks a second",
	.when = "motion=grid|policy=sneak", .also = "cells|tick|step"),
    PB_COUNT("turn-time", turn_time, "ticks", 10, 0, 1000,
	"time for a quarter turn", .also = "turn|turn-rate"),
    PB_COUNT("ping", ping, "ticks", 50, 1, 1000000,
	"time between pings of the player's place"),
    PB_REAL("memory", memory, "share", 0.9, 0, 1,
	"of a patrol's belief that stays"),
    PB_REAL("stare", stare, "", 0.2, 0, 1, "belief above which a patrol stops"),
    PB_REAL(
	"win", win, "", 0.8, 0, 1, "belief above which the patrols have won"),
    PB_COUNT("range", range, "cells", 0, 0, PB_ZUMY_SIDE,
	"range of the cameras, 0: without limit"),
    PB_COUNT("start-distance", near, "steps", 4, 1, 1000,
	"patrols begin no nearer to the player"),
    PB_COUNT("draw", limit, "ticks", 6000, 1, 1000000,
	"time until the game is a draw",
	.also = "time|limit|duration|time-limit|timeout|ticks"),
    PB_BOOL("share", share, false, "patrols share what they know, and spread"),
    PB_CHOICE("compat", compat, "corrected|published",
	"mistakes of the published code: corrected, or made as there"),
    PB_COUNT("looks", nodes, "", 1000000, 1, 10000000,
	"moves that a search of sneak simulates, at most",
	.when = "policy=sneak", .group = "player"),
    PB_CHOICE("motion", motion, "grid|drive",
	"a cell in a fixed time, or bodies that turn and drive",
	.group = "robots"),
    PB_REAL("robot-speed", bodies.approach.v, "m/s", 0.05, 0.01, 10,
	"of robots, forwards", .when = DRIVE, .also = "speed|v-max"),
    PB_REAL("aim", bodies.approach.turn_until, "rad", 0.03 * PB_PI, 1e-6, PB_PI,
	"robots drive once their heading is off by less", .when = DRIVE),
    PB_REAL("correct", bodies.approach.gain, "1/s", 1.4, 0, 100,
	"turn rate by error of heading on the way", .when = DRIVE),
    PB_REAL("arrive", bodies.approach.near, "cells", 0.16, 0.001, 0.5,
	"robots have arrived when both coordinates are this near",
	.when = DRIVE),
    /* 2 degrees. */
    PB_REAL("tilt", bodies.tilt, "rad", 0.0349, 0, 0.5,
	"of robots' tags, which the unit axis is aligned by",
	.when = DRIVE "&compat=published"),
    PB_REAL("frame", bodies.frame, "s", 1.0 / PB_ZUMY_HZ, 0.001, 10,
	"from picture to picture that robots steer by", .when = DRIVE),
    PB_ROVER_ROWS(bodies.rover, "tick", 0.005, 0.02),
    PB_REAL("cell-noise", bodies.cell_noise, "share", 0.03, 0, 1,
	"standard deviation of a measured cell", .when = DRIVE),
    PB_CHOICE("cell-average", bodies.average, "fading|mean|axes",
	"of the measured cells; axes: of width and height apart",
	.when = DRIVE),
    PB_REAL("cell-fade", bodies.fade, "share", 0.05, 0.0001, 1,
	"weight of a new cell in the fading average", .when = DRIVE),
    PB_REAL("cell-odd", bodies.odd, "share", 0.15, 0, 1,
	"measured cells that differ by more do not count", .when = DRIVE),
    PB_REAL("cell-first", bodies.cell_first, "m", 0, 0, 10,
	"size of a cell before it is measured, 0: the board's", .when = DRIVE),
    PB_REAL("body", bodies.size, "m", 0.1, 0, 10,
	"diameter of robots, for counting collisions", .when = DRIVE,
	.also = "radius|size|diameter"),
    PB_ROVER_LOCALIZER_ROW(bodies.rover),
    PB_ONBOARD_MCL(bodies.mcl., "cells"),
};

/* Number of rows before later additions (of bodies), see struct pb_params. */
#define SETTLED 32

const struct pb_params pb_zumy_params = PB_PARAMS_SINCE(params, SETTLED);

const char *
pb_zumy_board_wrong(const struct pb_maze *z)
{
	int goals = 0;

	if (z->rows > PB_ZUMY_SIDE || z->cols > PB_ZUMY_SIDE)
		return "expected at most 32 x 32 cells";
	if (pb_maze_sided(z))
		return "expected no walls between cells";
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			goals += z->cell[r][c] == PB_MAZE_GOAL;
	if (goals != 1)
		return "expected one goal";
	if (pb_maze_open_cells(z) < 2)
		return "expected a cell beside the goal";
	if (z->start.row >= 0 && !pb_maze_open(z, z->start.row, z->start.col))
		return "the player's start is in a wall";
	return NULL;
}

bool
pb_zumy_goal(const struct pb_maze *z, struct pb_zumy_cell *goal)
{
	for (int c = 0; c < z->cols; c++)
		for (int r = z->rows - 1; r >= 0; r--)
			if (z->cell[r][c] == PB_MAZE_GOAL) {
				*goal =
				    (struct pb_zumy_cell){(int8_t)r, (int8_t)c};
				return true;
			}
	return false;
}

/* The cell that is farthest from the goal and can reach it. */
static struct pb_zumy_cell
find_farthest(const struct pb_cells *c, struct pb_zumy_cell goal)
{
	int from = pb_cells_at(c, goal.row, goal.col), best = from;

	for (int i = 0; i < c->n; i++) {
		int d = pb_cells_dist(c, from, i);

		if (d != PB_FAR && d > pb_cells_dist(c, from, best))
			best = i;
	}
	return (struct pb_zumy_cell){c->cell[best].row, c->cell[best].col};
}

enum pb_status
pb_zumy_board_init(struct pb_zumy_board *b, const struct pb_maze *z)
{
	enum pb_status st;

	memset(b, 0, sizeof(*b));
	if ((st = pb_cells_init(&b->cells, z)) != PB_OK)
		return st;
	b->maze = *z;
	b->ground.rows = z->rows;
	b->ground.cols = z->cols;
	b->side = pb_maze_pitch(z);
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			if (pb_maze_open(z, r, c))
				pb_zumy_add(&b->ground.open, r, c);
	pb_zumy_goal(z, &b->ground.goal);
	b->start = z->start.row >= 0
	               ? (struct pb_zumy_cell){(int8_t)z->start.row,
			     (int8_t)z->start.col}
	               : find_farthest(&b->cells, b->ground.goal);
	return PB_OK;
}

void
pb_zumy_board_clear(void *board)
{
	struct pb_zumy_board *b = board;

	pb_cells_clear(&b->cells);
	*b = (struct pb_zumy_board){.start = {0, 0}};
}

static const char *const bodies[] = {"player", "patrol1", "patrol2", "patrol3",
    "patrol4", "patrol5", "patrol6", "patrol7", "patrol8", NULL};
static const char *const outcomes[] = {"reached", "seen", "draw", NULL};

/* The visible inputs of the decision of a patrol at rest. */
struct scene {
	struct pb_zumy_cell at[1 + PB_ZUMY_PATROLS];
	struct pb_zumy_cell to[1 + PB_ZUMY_PATROLS];
	struct pb_zumy_cell last; /* place of the player that it knows */
	uint64_t known;           /* sum over its map, which only grows */
	bool stood;               /* it has decided to stay */
};

/* The state; in lock-step only fleet.s is used. */
struct state {
	struct pb_player_state ps;
	struct pb_zumy_fleet fleet;
	struct pb_zumy shown; /* state at the last events() */
	struct scene scene[PB_ZUMY_PATROLS];
};

static bool
drives(const void *opts)
{
	return ((const struct pb_zumy_opts *)opts)->motion == PB_ZUMY_DRIVE;
}

static enum pb_status
prepare(const struct pb_ground *ground, const void *opts, void **world,
    struct pb_refusal *no)
{
	const struct pb_zumy_opts *o = opts;
	struct pb_zumy_board *b = *world;
	enum pb_status st;

	no->why = pb_zumy_board_wrong(ground->maze);
	if (!no->why)
		no->why = pb_zumy_fleet_wrong(ground->maze, opts);
	if (no->why)
		return PB_EVALUE;
	st = pb_zumy_board_init(b, ground->maze);
	if (st == PB_OK)
		st = pb_onboard_new(ground->maze, o->bodies.rover.localizer,
		    o->bodies.size, pb_zumy_params, o, &b->onboard);
	if (st == PB_OK && pb_zumy_room(b, o) < o->patrols) {
		no->why =
		    "has no room for all patrols; see patrols, start-distance";
		st = PB_EVALUE;
	}
	return st;
}

static struct pb_zumy_view
view_of(struct state *g)
{
	return (struct pb_zumy_view){
	    &g->fleet.s, &g->ps.rng, drives(g->ps.opts) ? &g->fleet : NULL};
}

static void
start(void *state, uint64_t seed, uint64_t trial, const struct pb_agents *c)
{
	struct state *g = state;
	struct pb_zumy_view v;

	(void)c;
	memset(g->scene, 0, sizeof(g->scene));
	pb_zumy_fleet_start(&g->fleet, g->ps.world, g->ps.opts, seed, trial);
	g->shown = (struct pb_zumy){.tick = -1};
	v = view_of(g);
	pb_player_reset(&g->ps, &v);
}

static bool
asks(const void *state)
{
	return pb_zumy_asks(&((const struct state *)state)->fleet.s);
}

/* A step, and the agents that decide in it. */
struct turn {
	struct state *g;
	const struct pb_agents *c; /* NULL: no agent decides */
	enum pb_dir stick;
};

static unsigned
ways_of(const struct pb_zumy *s, int robot)
{
	unsigned set = 0;

	for (int d = 0; d < PB_STAY; d++)
		set |= (unsigned)pb_zumy_can_drive(s, robot, (enum pb_dir)d)
		       << d;
	return set;
}

static unsigned
ways(const void *state, const void *view)
{
	(void)view;
	return ways_of(&((const struct state *)state)->fleet.s, 0);
}

/* Whether patrol i has announced that it stays, for the same inputs: then it
 * does not announce it again. */
static bool
has_announced_stay(struct state *g, const struct pb_zumy *s, int i)
{
	struct scene now = {.stood = true}, *was = &g->scene[i];
	bool same;

	now.at[0] = s->player.at;
	now.to[0] = s->player.to;
	for (int k = 0; k < s->opts->patrols; k++) {
		now.at[1 + k] = s->patrol[k].body.at;
		now.to[1 + k] = s->patrol[k].body.to;
	}
	now.last = s->patrol[i].map.last;
	for (int r = 0; r < PB_ZUMY_SIDE; r++)
		now.known += s->patrol[i].map.known.row[r];
	same = was->stood && was->known == now.known &&
	       memcmp(was->at, now.at, sizeof(now.at)) == 0 &&
	       memcmp(was->to, now.to, sizeof(now.to)) == 0 &&
	       memcmp(&was->last, &now.last, sizeof(now.last)) == 0;
	*was = now;
	return same;
}

/* Decide for a robot, by an agent or by the rules. */
static enum pb_dir
decide(void *ctx, struct pb_zumy *s, int robot)
{
	const struct turn *t = ctx;
	enum pb_dir d = t->stick;

	if (robot > 0 && has_announced_stay(t->g, s, robot - 1))
		return PB_STAY;
	if (pb_agents_decide(t->c, robot)) {
		d = t->c->decide_body(t->c->ctx, robot, ways_of(s, robot), -1);
	} else {
		if (robot > 0)
			d = pb_zumy_choose(s, robot - 1);
		else if (!pb_zumy_can_drive(s, robot, d))
			d = PB_STAY;
		pb_agents_notify(t->c, robot, d);
	}
	if (robot > 0)
		t->g->scene[robot - 1].stood = d == PB_STAY;
	return d;
}

static enum pb_dir
ask(void *state, const struct pb_agents *c)
{
	struct state *g = state;
	const struct pb_zumy_view v = view_of(g);

	return pb_player_decide(&g->ps, c, &v);
}

static bool
move(void *state, enum pb_dir stick, const struct pb_agents *c)
{
	struct state *g = state;
	struct pb_zumy *s = &g->fleet.s;
	struct turn t = {g, c, stick};
	const struct pb_zumy_agents agents = {decide, &t};
	struct pb_heat *h = &g->ps.heat;
	bool on = drives(g->ps.opts)
	              ? pb_zumy_fleet_tick(&g->fleet, stick, c ? &agents : NULL)
	              : pb_zumy_tick(s, stick, c ? &agents : NULL, NULL);

	h->here[s->player.at.row][s->player.at.col]++;
	h->died[s->player.at.row][s->player.at.col] +=
	    s->ending == PB_ZUMY_SEEN;
	return on;
}

static void
look(const void *state, const void *view, struct pb_seen *k)
{
	const struct state *g = state;
	const struct pb_zumy *s = &g->fleet.s;

	(void)view;
	*k = pb_seen_none();
	k->tick = s->tick;
	pb_seen_add(k, bodies[0], s->player.at.row, s->player.at.col,
	    s->player.facing, "");
	for (int i = 0; i < s->opts->patrols; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		pb_seen_add(k, bodies[1 + i], p->body.at.row, p->body.at.col,
		    p->body.facing,
		    p->lost     ? "lost"
		    : p->stares ? "staring"
				: "patrolling");
	}
}

static const char *
ending(const void *state)
{
	int e = ((const struct state *)state)->fleet.s.ending;

	return e == PB_ZUMY_ON ? "playing" : outcomes[e - 1];
}

static bool
has_moved(const struct pb_zumy_body *a, const struct pb_zumy_body *b)
{
	return a->at.row != b->at.row || a->at.col != b->at.col ||
	       a->facing != b->facing;
}

/* List the messages between robots; *change: whether a robot changed. */
static int
messages(const struct state *g, struct pb_event *out, bool *change)
{
	const struct pb_zumy *s = &g->fleet.s, *was = &g->shown;
	int n = 0;

	*change =
	    has_moved(&s->player, &was->player) || s->ending != PB_ZUMY_ON;
	if (s->events & PB_ZUMY_PING)
		pb_add_message(out, &n, 0, "PING");
	for (int i = 0; i < s->opts->patrols; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		if (s->events & (unsigned)PB_ZUMY_ASKED << i)
			pb_add_message(out, &n, 1 + i, "PING");
		if (s->events & (unsigned)PB_ZUMY_STARE << i)
			pb_add_message(out, &n, 1 + i, "STOP");
		if (s->events & (unsigned)PB_ZUMY_RESUME << i)
			pb_add_message(out, &n, 1 + i, "START");
		*change |= has_moved(&p->body, &was->patrol[i].body) ||
		           p->stares != was->patrol[i].stares ||
		           p->lost != was->patrol[i].lost;
	}
	if (s->by >= 0)
		pb_add_message(out, &n, 1 + s->by, "WON");
	return n;
}

/* No messages at the start. */
static int
list_events(void *state, struct pb_event *out)
{
	struct state *g = state;
	const struct pb_zumy *s = &g->fleet.s;
	bool change = true;
	int n = s->tick > 0 ? messages(g, out, &change) : 0;

	if (change) {
		out[n++] = (struct pb_event){.kind = PB_EVENT_TICK};
		g->shown = *s;
	}
	if (s->tick == 0)
		pb_add_signal(out, &n, "start");
	if (s->ending != PB_ZUMY_ON)
		pb_add_signal(out, &n,
		    s->ending == PB_ZUMY_REACHED ? "win" : "game over");
	return n;
}

static struct pb_pose
robot(void *state, double heading, bool *carried)
{
	const struct state *g = state;
	const struct pb_zumy_body *b = &g->fleet.s.player;

	(void)heading;
	*carried = false;
	if (drives(g->ps.opts))
		return g->fleet.rover[0].pose;
	return pb_maze_pose(&g->fleet.s.board->maze, b->at.row, b->at.col,
	    (enum pb_dir)b->facing, 0);
}

static void
fail_body(void *state, int body)
{
	pb_zumy_fail_patrol(&((struct state *)state)->fleet.s, body - 1);
}

static uint64_t
hash_of(const struct pb_zumy *s)
{
	uint64_t h = pb_hash_u64(PB_HASH_START, (uint64_t)s->tick);

	h = pb_hash_u64(h, (uint64_t)s->player.at.row);
	h = pb_hash_u64(h, (uint64_t)s->player.at.col);
	for (int i = 0; i < s->opts->patrols; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		h = pb_hash_u64(h, (uint64_t)p->body.at.row);
		h = pb_hash_u64(h, (uint64_t)p->body.at.col);
		h = pb_hash_double(h, p->s);
		for (int r = 0; r < PB_ZUMY_SIDE; r++)
			h = pb_hash_u64(h, p->map.known.row[r]);
	}
	return h;
}

static void
result(const void *state, struct pb_trial *r)
{
	const struct state *g = state;
	const struct pb_zumy *s = &g->fleet.s;

	r->success = s->ending == PB_ZUMY_REACHED;
	r->total = 1; /* the goal */
	r->collected = r->success;
	r->score = r->success;
	r->limit = (double)s->opts->limit / PB_ZUMY_HZ;
	r->deaths = s->ending == PB_ZUMY_SEEN;
	r->killers = s->opts->patrols;
	if (s->ending == PB_ZUMY_SEEN)
		r->killed[s->by] = 1;
	r->decisions = g->ps.decisions;
	r->hash = hash_of(s);
	if (drives(s->opts))
		r->collisions = g->fleet.collisions;
}

static const struct pb_board_game on_board = {
    .others = offsetof(struct pb_zumy_opts, patrols),
    .motion = offsetof(struct pb_zumy_opts, motion),
    .asks = asks,
    .ask = ask,
    .move = move,
    .look = look,
    .events = list_events,
    .ways = ways,
    .fail_body = fail_body,
};

const struct pb_game pb_game_zumy = {
    .name = "zumy",
    .summary = "reach the goal unseen by patrols that explore",
    .board = "zumy",
    .usual = "sneak",
    .body = bodies,
    .outcome = outcomes,
    .killer = bodies + 1,
    .behaviour = "patrol",
    .rounds = 1,
    .on_board = &on_board,
    .opts_size = sizeof(struct pb_zumy_opts),
    .params = &pb_zumy_params,
    .world_size = sizeof(struct pb_zumy_board),
    .prepare = prepare,
    .discard = pb_zumy_board_clear,
    .onboard = offsetof(struct pb_zumy_board, onboard),
    .robots = offsetof(struct state, fleet.onboard),
    .rovers = offsetof(struct state, fleet.rover),
    .size = sizeof(struct state),
    .start = start,
    .tick = offsetof(struct state, fleet.s.tick),
    .hz = PB_ZUMY_HZ,
    .ending = ending,
    .robot = robot,
    .result = result,
    .lockstep = true,
};
