/* match.c - a game of Pacbot between a player and the four ghosts. */
#include "pb/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/boards.h"
#include "game/pacbot/pacbot_body.h"
#include "game/pacbot/pacbot_frame.h"

/* Players trust the measured pace of a robot after this distance (cells). */
#define SHOWN 8

#define PB_PARAMS_OF struct pb_match_opts

#define DRIVE  "motion=drive"
#define RANGES DRIVE "&localizer!=camera"

static const struct pb_param params[] = {
    PB_COUNT("ticks-per-cell", ticks_per_cell, "ticks", 8, 1, PB_MATCH_CELL,
	"ticks that the robot takes for one cell", .group = "robot",
	.when = "mode=match|mode=client|mode=agent",
	.also = "cells|cell-time|ticks|tick"),
    PB_COUNT("turn-ticks", turn_ticks, "ticks", 0, 0, 1000,
	"further ticks before a cell in another direction",
	.when = "mode=match&motion=grid|mode=client|mode=agent",
	.also = "turn"),
    PB_COUNT("camera-delay", camera_delay, "ticks", 0, 0, PB_MATCH_DELAY,
	"mean age of the robot's cell as the player sees it",
	.when = "mode=match", .also = "delay|latency|lag"),
    PB_REAL("wrong-cell", wrong_cell, "", 0, 0, 1,
	"chance that the player sees a neighbouring cell", .when = "mode=match",
	.also = "error"),
    PB_COUNT("ghosts", ghosts, "", 4, 0, PB_ARCADE_GHOSTS, "number of ghosts",
	.group = "rules", .when = "mode!=client"),
    PB_COUNT("lives", lives, "", 3, 1, 3, "lives of Pac-Man",
	.when = "mode!=client", .also = "life"),
    PB_COUNT("levels", levels, "", 1, 0, 255, "to clear, 0: play until the end",
	.when = "mode!=serve"),
    PB_COUNT("nodes", nodes, "", 8000, 1, 100000000,
	"states that a searching player visits in a decision, at most",
	.group = "player", .when = "policy=search"),
    PB_CHOICE("motion", motion, "grid|drive",
	"a cell in a fixed time, or a body that senses and drives",
	.group = "robot", .when = "mode=match"),
    PB_CHOICE("localizer", body.localizer,
	"camera|fuse|region|corridor|cell-ray|particle",
	"that says where the robot is", .when = DRIVE),
    PB_BOOL("feed-forward", body.ahead, false,
	"the motors' controllers know what duty a speed takes", .when = DRIVE),
    PB_REAL("pursuit-speed", body.speed, "cells/s", 2.5, 0.1, 20,
	"of the robot, where it can", .when = DRIVE, .also = "speed|v-max"),
    PB_REAL("stick", body.stick, "", 0.5, 0, 100,
	"friction of walls, 0: it slides along them", .when = DRIVE),
    PB_REAL("motor-fast", body.fast, "", 0.08, 0, 1,
	"motors turn faster by 0 to this part", .when = DRIVE),
    PB_REAL("motor-lag", body.response, "s", 0.04, 0, 10,
	"time constant of the motors", .when = DRIVE),
    PB_REAL("slip", body.slip, "share", 0.05, 0, 1,
	"standard deviation of what the floor gets of a wheel's speed",
	.when = DRIVE, .also = "odom|odometry"),
    PB_REAL("heading-drift", body.drift, "rad/s", 0.0003, 0, 1,
	"standard deviation of the heading's drift", .when = DRIVE),
    PB_REAL("heading-noise", body.noise, "rad", 0, 0, 1,
	"standard deviation of the heading besides", .when = DRIVE),
    PB_CHOICE("range-sensors", body.sensors, "4|8",
	"four that reach 1.5 m, or eight that reach 0.255 m", .when = RANGES),
    PB_REAL("range-noise", body.ranges, "", 0.01, 0, 1,
	"a range is off by up to this part of it", .when = RANGES,
	.also = "noise"),
    PB_COUNT("camera-every", body.camera_every, "ticks", 2, 1, 240,
	"from picture to picture", .when = DRIVE),
    PB_COUNT("estimate-delay", body.late, "ticks", 0, 0, PB_MATCH_LATE,
	"age of the estimate by which it steers and plays", .when = DRIVE),
    PB_COUNT("particle-particles", body.particles, "", 1000, 1, 1000000,
	"of the localizer particle", .when = "motion=drive&localizer=particle",
	.group = "localizer"),
};

/* Number of rows before later additions, see struct pb_params. */
#define SETTLED 8

const char *
pb_match_ending_name(enum pb_match_ending e)
{
	static const char *const name[] = {
	    "playing", "cleared", "caught", "clock", "survived"};

	return name[e];
}

const struct pb_params pb_match_params = PB_PARAMS_SINCE(params, SETTLED);

const char *
pb_match_board_wrong(const struct pb_maze *z, int *found)
{
	int pellets = pb_count_pellets(z);

	*found = 0;
	if (z->rows > PB_PACBOT_ROWS || z->cols > PB_PACBOT_COLS)
		return "expected at most 31 x 28 cells";
	/* Ghost tables and published frames have no such walls. */
	if (pb_maze_sided(z))
		return "expected no walls between cells";
	if (pellets < 1 || pellets > UINT8_MAX) {
		*found = pellets;
		return "expected 1 to 255 pellets";
	}
	/* Pac-Man starts here, whatever the board says. */
	if (!pb_maze_open(z, 23, 13))
		return "Pac-Man's start, (23, 13) on every board, is a wall";
	if (!pb_maze_open(z, 11, 13))
		return "the red ghost's start, (11, 13) on every board, is a "
		       "wall";
	return NULL;
}

enum pb_status
pb_match_board_init(struct pb_match_board *b, const struct pb_maze *z)
{
	enum pb_status s;

	if (z->rows > PB_PACBOT_ROWS || z->cols > PB_PACBOT_COLS)
		return PB_ESIZE;
	if ((s = pb_cells_init(&b->cells, z)) != PB_OK)
		return s;
	pb_pacbot_rules_init(&b->rules, z);
	b->maze = *z;
	return PB_OK;
}

void
pb_match_board_clear(void *board)
{
	struct pb_match_board *b = board;

	pb_pacbot_arena_free(b->arena);
	pb_cells_clear(&b->cells);
	*b = (struct pb_match_board){0};
}

/* Turn a ghost that an agent decides. */
static int
turn_by_agents(void *ctx, int ghost, unsigned ways, int drawn)
{
	const struct pb_match *m = ctx;

	return (int)m->agents->decide_body(
	    m->agents->ctx, 1 + ghost, ways, drawn);
}

static struct pb_arcade_draw
ghost_draws(struct pb_match *m)
{
	struct pb_arcade_draw d = {
	    pb_arcade_any_way, &m->ghosts, {NULL, NULL, 0}};

	/* Agents decide for the first ghosts. */
	while (pb_agents_decide(m->agents, 1 + d.agents.n))
		d.agents.n++;
	if (d.agents.n > 0) {
		d.agents.turn = turn_by_agents;
		d.agents.ctx = m;
	}
	return d;
}

static void
send_play(struct pb_match *m)
{
	struct pb_arcade_draw d = ghost_draws(m);
	uint8_t cmd = 'P';

	pb_pacbot_command(&m->s, &m->board->rules, &d, &cmd, 1);
}

/*
 * Age of the cell that the camera shows: a picture takes up to twice the mean
 * delay, and the robot may be anywhere within its cell when the picture is
 * taken.
 */
static int
draw_camera_age(struct pb_match *m)
{
	const struct pb_match_opts *o = m->opts;

	if (o->camera_delay == 0)
		return 0;
	return (int)pb_rng_below(
		   &m->sensor, 2 * (uint32_t)o->camera_delay + 1) +
	       (int)pb_rng_below(&m->sensor, (uint32_t)o->ticks_per_cell);
}

/* The player's view: the game, with Pac-Man where the camera saw it. */
static struct pb_pacbot
camera_view(struct pb_match *m)
{
	int k;
	struct pb_pacbot seen = m->s;
	struct pb_at p = m->seen[(m->now + PB_MATCH_SEEN - draw_camera_age(m)) %
				 PB_MATCH_SEEN];

	m->misled =
	    p.row != m->s.pac.row || p.col != m->s.pac.col ? "seen-late" : NULL;
	if (m->opts->wrong_cell > 0 &&
	    pb_rng_unit(&m->sensor) < m->opts->wrong_cell) {
		int d = (int)pb_rng_below(&m->sensor, 4);

		if (m->board->rules.board.exits[p.row][p.col] >> d & 1) {
			p = pb_arcade_step(p, d);
			m->misled = "seen-wrong";
		}
	}
	k = pb_cells_at(&m->board->cells, p.row, p.col);
	if (k >= 0) {
		seen.pac.row = p.row;
		seen.pac.col = p.col;
	}
	return seen;
}

/* The robot's body, behind the match in memory; NULL on the grid. */
static struct pb_pacbot_body *
get_body(const struct pb_match *m)
{
	const struct pb_match_board *b = m->ps.world;

	return b->arena ? (struct pb_pacbot_body *)(void *)(m + 1) : NULL;
}

/* The cell of the body's pose estimate. */
static struct pb_at
estimated_cell(const struct pb_match *m)
{
	const struct pb_pacbot_estimate *g =
	    pb_pacbot_body_estimate(get_body(m));

	return (struct pb_at){(int8_t)g->row, (int8_t)g->col, m->s.pac.dir};
}

/*
 * The view of the player of a robot with a body. Players assume that a move
 * takes effect at once and that the next decision comes a cell later. A robot
 * with a body takes time to the next cell, and the camera shows it there only
 * after its delay. So the player is shown a forecast of the game for the moment
 * at which its move takes effect, with random turns of frightened ghosts. The
 * robot knows the camera's delay, and which of its cells the camera has not
 * shown yet.
 */
static struct pb_pacbot
forecast_view(struct pb_match *m)
{
	const struct pb_bot_body *o = &m->opts->body;
	const struct pb_pacbot_rules *k = &m->board->rules;
	struct pb_arcade_draw d = {
	    pb_arcade_any_way, &m->sensor, {NULL, NULL, 0}};
	int late = 0;
	/* When the player is asked, the robot has already driven part of the
	 * way to the next edge: the longer the camera's delay, the more. */
	int ticks = m->plan.ticks_per_cell * 2 / 3 - o->late;
	struct pb_pacbot then = m->s;

	if (m->board->arena->method)
		late = m->opts->camera_delay + o->camera_every / 2;
	for (int i = 0; i < ticks + late; i++) {
		int ago = i < late ? late - i : 0;
		struct pb_at p =
		    m->seen[(m->now + PB_MATCH_SEEN - ago) % PB_MATCH_SEEN];

		pb_pacbot_place(&then, k, p.row, p.col);
		pb_pacbot_end(&then);
		pb_pacbot_begin(&then, k, &d);
	}
	if (then.pac.row >= PB_ARCADE_OFF || then.paused ||
	    then.level != m->s.level)
		then = m->s;
	then.pac = estimated_cell(m);
	return then;
}

static void
forget_places(struct pb_match *m)
{
	if (get_body(m) && m->s.pac.row < PB_ARCADE_OFF)
		pb_pacbot_body_place(get_body(m), m->s.pac, m->out.ticks);
	for (int i = 0; i < PB_MATCH_SEEN; i++)
		m->seen[i] = m->s.pac;
	m->from = PB_NOWHERE;
}

/* The stick's direction if it is open, else straight on. */
static enum pb_dir
steer(const struct pb_match *m, const struct pb_pacbot *seen)
{
	struct pb_at pac = seen->pac;
	unsigned open = m->board->rules.board.exits[pac.row][pac.col];
	enum pb_dir d = m->agents->stick;

	if (d == PB_STAY || open >> d & 1)
		return d;
	return open >> pac.dir & 1 ? (enum pb_dir)pac.dir : PB_STAY;
}

static void
decide(struct pb_match *m)
{
	const struct pb_agents *c = m->agents;
	struct pb_pacbot seen = get_body(m) ? forecast_view(m) : camera_view(m);
	struct pb_bot_view v = {
	    &seen, m->board, get_body(m) ? &m->plan : m->opts, &m->ps.rng};

	m->move = pb_agents_notify(c, 0,
	    c && c->steers ? steer(m, &seen) : pb_player_decide(&m->ps, c, &v));
	m->out.decisions++;
	m->wait = m->move != PB_STAY && m->move != m->s.pac.dir
	              ? m->opts->turn_ticks
	              : 0;
	m->cell_time = m->opts->ticks_per_cell;
}

/* Set the plan options of a robot with a body: its cell is trusted, and its
 * time for a cell is the measured mean. */
static void
plan(struct pb_match *m)
{
	double pace = pb_pacbot_body_pace(get_body(m));

	m->plan = *m->opts;
	m->plan.turn_ticks = m->plan.camera_delay = 0;
	m->plan.wrong_cell = 0;
	if (get_body(m)->driven > SHOWN * m->board->arena->w.cell)
		m->plan.ticks_per_cell = (int)fmin(fmax(1, round(pace)), 1000);
}

static void
start(
    void *state, uint64_t seed, uint64_t trial, const struct pb_agents *agents)
{
	struct pb_match *m = state;
	struct pb_bot_view v = {&m->s, NULL, NULL, &m->ps.rng};
	struct pb_arcade_draw d;

	v.board = m->board = m->ps.world;
	v.opts = m->opts = m->ps.opts;
	if (get_body(m)) {
		pb_pacbot_body_start(get_body(m), m->board->arena,
		    &m->opts->body, m->opts->camera_delay, m->opts->wrong_cell,
		    seed, trial);
		plan(m);
		v.opts = &m->plan;
	}
	m->agents = agents;
	d = ghost_draws(m);
	pb_rng_start(&m->ghosts, seed, trial, PB_FOR_GHOST, 0);
	pb_rng_start(&m->sensor, seed, trial, PB_FOR_SENSOR, 0);
	pb_pacbot_init(&m->s, &m->board->rules, m->opts->ghosts);
	m->s.lives = (uint8_t)m->opts->lives;
	pb_pacbot_begin(&m->s, &m->board->rules, &d);
	send_play(m);
	m->out = (struct pb_match_outcome){.ending = PB_MATCH_ON};
	m->motion = (struct pb_cell_motion){.placed = false};
	m->reported = m->s;
	memset(m->shown, 0, sizeof(m->shown));
	m->now = 0;
	m->wait = m->cell_time = 0;
	m->move = PB_STAY;
	m->misled = NULL;
	forget_places(m);
	pb_player_reset(&m->ps, &v);
}

/* Why the robot died; shown: the cell that the game had for it. */
static const char *
find_cause(const struct pb_match *m, struct pb_at shown)
{
	struct pb_at at;

	if (!get_body(m))
		return m->misled ? m->misled : "caught";
	at = pb_pacbot_body_cell(get_body(m));
	if (pb_pacbot_body_error(get_body(m)) > m->board->arena->w.cell / 2)
		return "lost";
	return shown.row != at.row || shown.col != at.col ? "seen-late"
	                                                  : "caught";
}

/* Update the outcome after a possible change of lives or level; `at`: where. */
static void
count_changes(
    struct pb_match *m, const struct pb_pacbot *before, struct pb_at at)
{
	const struct pb_pacbot *s = &m->s;

	m->out.score = s->score;
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		m->out.eaten += s->ghost[i].eaten && !before->ghost[i].eaten;
	if (s->lives < before->lives) {
		m->out.deaths++;
		m->out.cause = find_cause(m, before->pac);
		if (at.row < PB_PACBOT_ROWS)
			m->ps.heat.died[at.row][at.col]++;
	}
	if (s->level == before->level) {
		m->out.pellets += before->left - s->left;
		return;
	}
	m->out.cleared++;
	m->out.pellets += before->left;
	if (m->out.cleared == m->opts->levels)
		m->out.ending = PB_MATCH_CLEARED;
}

/* The player's turn: a decision when one is due, a move when it is ready. */
static void
play_turn(struct pb_match *m)
{
	struct pb_pacbot before = m->s;
	struct pb_at at = m->s.pac;

	if (m->s.pause_on_update || m->s.pac.row >= PB_ARCADE_OFF)
		return;
	if (m->wait > 0) {
		m->wait--;
		return;
	}
	if (m->cell_time == 0)
		decide(m);
	if (m->wait > 0) {
		m->wait--;
		return;
	}
	if (m->move != PB_STAY) {
		if (m->board->rules.board.exits[at.row][at.col] >> m->move & 1)
			at = pb_arcade_step(at, m->move);
		pb_pacbot_move(&m->s, &m->board->rules, m->move);
	}
	m->move = PB_STAY;
	m->wait = m->cell_time - 1;
	m->cell_time = 0;
	count_changes(m, &before, at);
}

/* Whether a robot with a body decides: in a new cell, or after a while without
 * progress. */
static bool
is_due_to_decide(const struct pb_match *m)
{
	struct pb_at p = estimated_cell(m);

	return m->wait == 0 || p.row != m->from.row || p.col != m->from.col;
}

/* The turn of a robot with a body, which drives all the time; Pac-Man is moved
 * to the cell that the camera saw. */
static void
drive_turn(struct pb_match *m)
{
	struct pb_pacbot before;
	struct pb_at at;

	if (m->s.pause_on_update || m->s.pac.row >= PB_ARCADE_OFF)
		return;
	if (is_due_to_decide(m)) {
		plan(m);
		pb_pacbot_body_count_error(get_body(m));
		decide(m);
		m->from = estimated_cell(m);
		m->wait =
		    m->move == PB_STAY ? m->plan.ticks_per_cell : PB_PACBOT_FPS;
		pb_pacbot_body_follow(get_body(m), m->from, m->move);
	}
	m->wait--;
	pb_pacbot_body_tick(get_body(m), m->out.ticks);
	while (pb_pacbot_body_seen(get_body(m), m->out.ticks, &at)) {
		before = m->s;
		pb_pacbot_place(&m->s, &m->board->rules, at.row, at.col);
		count_changes(m, &before, at);
	}
}

static bool
step(void *state, const struct pb_agents *agents)
{
	struct pb_match *m = state;
	struct pb_arcade_draw d;
	struct pb_pacbot before;

	if (m->out.ending != PB_MATCH_ON)
		return false;
	m->agents = agents;
	d = ghost_draws(m);
	if (get_body(m))
		drive_turn(m);
	else
		play_turn(m);
	if (m->out.ending != PB_MATCH_ON)
		return false;
	before = m->s;
	if (before.pac.row < PB_PACBOT_ROWS)
		m->ps.heat.here[before.pac.row][before.pac.col]++;
	pb_pacbot_end(&m->s);
	m->out.ticks++;
	pb_pacbot_begin(&m->s, &m->board->rules, &d);
	count_changes(m, &before, before.pac);
	m->now = (m->now + 1) % PB_MATCH_SEEN;
	m->seen[m->now] = get_body(m) ? estimated_cell(m) : m->s.pac;
	if (m->s.lives == 0)
		m->out.ending = PB_MATCH_DEAD;
	else if (m->s.paused && m->s.tick == UINT16_MAX)
		m->out.ending =
		    m->opts->levels ? PB_MATCH_CLOCK : PB_MATCH_SURVIVED;
	else if (m->s.paused) {
		/* Pac-Man is back at its start: the referee presses play. */
		send_play(m);
		m->wait = m->cell_time = 0;
		m->move = PB_STAY;
		forget_places(m);
	}
	return m->out.ending == PB_MATCH_ON;
}

static bool
drives(const void *opts)
{
	return ((const struct pb_match_opts *)opts)->motion == PB_BOT_DRIVE;
}

static enum pb_status
prepare(const struct pb_ground *ground, const void *opts, void **world,
    struct pb_refusal *no)
{
	struct pb_match_board *b = *world;
	enum pb_status st;

	no->why = pb_match_board_wrong(ground->maze, &no->found);
	if (no->why)
		return PB_EVALUE;
	st = pb_match_board_init(b, ground->maze);
	if (st == PB_OK && drives(opts))
		st = pb_pacbot_arena_new(&b->arena, &b->maze, &b->cells,
		    &((const struct pb_match_opts *)opts)->body,
		    pb_match_params, opts);
	return st;
}

static size_t
more(const void *world, const void *opts)
{
	const struct pb_match_board *b = world;

	(void)opts;
	return b->arena ? pb_pacbot_body_size(b->arena) : 0;
}

static bool
asks(const void *state)
{
	const struct pb_match *m = state;

	return m->out.ending == PB_MATCH_ON && !m->s.pause_on_update &&
	       m->s.pac.row < PB_ARCADE_OFF &&
	       (get_body(m) ? is_due_to_decide(m)
			    : m->wait == 0 && m->cell_time == 0);
}

const char *const pb_pacbot_ghost[PB_ARCADE_GHOSTS] = {
    "red", "pink", "cyan", "orange"};

static void
add_ghost(struct pb_seen *k, const struct pb_pacbot *s, int i)
{
	const struct pb_arcade *g = &s->ghost[i];
	struct pb_seen_body *b = pb_seen_add(k, pb_pacbot_ghost[i], g->loc.row,
	    g->loc.col, g->loc.dir,
	    g->eaten              ? "eaten"
	    : g->fright > 0       ? "frightened"
	    : s->mode == PB_CHASE ? "chase"
				  : "scatter");

	b->fright = g->fright;
	b->trapped = g->trapped;
	b->spawning = g->spawning;
	b->eaten = g->eaten;
	b->has_next = true;
	b->next_row = g->next.row;
	b->next_col = g->next.col;
	pb_seen_set_word(b->next_dir, pb_dir_word(g->next.dir));
}

static void
add_board(struct pb_seen *k, const struct pb_pacbot *s, const struct pb_maze *z,
    const struct pb_pacbot_rules *rules)
{
	k->board = *z;
	for (int row = 0; row < z->rows; row++)
		for (int col = 0; col < z->cols; col++) {
			char *c = &k->board.cell[row][col];

			if (*c == PB_MAZE_WALL)
				continue;
			*c = PB_MAZE_EMPTY;
			if (s->pellets[row] >> col & 1)
				*c = rules->power[row] >> col & 1
				         ? PB_MAZE_POWER
				         : PB_MAZE_PELLET;
		}
}

void
pb_pacbot_observe(struct pb_seen *k, const struct pb_pacbot *s,
    const struct pb_maze *z, const struct pb_pacbot_rules *rules)
{
	*k = pb_seen_none();
	k->tick = s->tick;
	k->score = s->score;
	k->lives = s->lives;
	k->left = s->left;
	k->level = s->level;
	k->combo = s->combo;
	k->period = s->period;
	k->mode_steps = s->mode_steps;
	k->level_steps = s->level_steps;
	k->fruit = s->fruit_steps;
	pb_seen_set_word(k->mode, s->mode == PB_CHASE ? "chase" : "scatter");
	k->paused = s->paused;
	k->pausing = s->pause_on_update;
	add_board(k, s, z, rules);
	pb_seen_add(k, "pacman", s->pac.row, s->pac.col, s->pac.dir, "");
	for (int i = 0; i < s->active; i++)
		add_ghost(k, s, i);
}

static void
observe(const void *state, const void *view, struct pb_seen *k)
{
	const struct pb_match *m = state;
	const struct pb_bot_view *v = view;

	pb_pacbot_observe(
	    k, v ? v->s : &m->s, &m->board->maze, &m->board->rules);
}

static void
frame(const void *state, const void *view, uint8_t *out)
{
	const struct pb_match *m = state;
	const struct pb_bot_view *v = view;

	pb_pacbot_frame(v ? v->s : &m->s, out);
}

static unsigned
ways(const void *state, const void *view)
{
	const struct pb_match *m = state;
	const struct pb_bot_view *v = view;
	struct pb_at p = v ? v->s->pac : m->s.pac;

	return p.row < PB_ARCADE_OFF ? m->board->rules.board.exits[p.row][p.col]
	                             : 0;
}

static bool
is_partly_seen(const void *opts)
{
	const struct pb_match_opts *o = opts;

	return drives(o) || o->camera_delay > 0 || o->wrong_cell > 0;
}

static const char *
ending(const void *state)
{
	return pb_match_ending_name(
	    ((const struct pb_match *)state)->out.ending);
}

/* Add the signals between state a and the next one, b. */
static int
add_signals(const struct pb_pacbot *a, const struct pb_pacbot *b,
    const struct pb_pacbot_rules *k, struct pb_event *out)
{
	static const uint32_t none[PB_PACBOT_ROWS];
	/* The last pellets of a level are back in the same tick. */
	const uint32_t *left = b->level > a->level ? none : b->pellets;
	int n = 0;

	if (pb_pacbot_eaten(a->pellets, left, k->power))
		pb_add_signal(out, &n, "power pellet");
	else if (pb_pacbot_eaten(a->pellets, left, k->pellets))
		pb_add_signal(out, &n, "pellet");
	for (int i = 0; i < b->active; i++)
		if (b->ghost[i].eaten && !a->ghost[i].eaten)
			pb_add_signal(out, &n, pb_ghost_caught[i]);
	if (b->lives < a->lives)
		pb_add_signal(out, &n, b->lives > 0 ? "killed" : "game over");
	if (b->level > a->level)
		pb_add_signal(out, &n, "win");
	if (a->pac.row == PB_ARCADE_OFF && b->pac.row != PB_ARCADE_OFF)
		pb_add_signal(out, &n, "reset");
	return n;
}

/* A frame in which only the tick (two bytes) changed is no event. */
static int
list_events(void *state, struct pb_event *out)
{
	struct pb_match *m = state;
	uint8_t now[PB_PACBOT_FRAME];
	int n = 0;

	frame(m, NULL, now);
	if (memcmp(now + 2, m->shown + 2, sizeof(now) - 2) != 0) {
		memcpy(m->shown, now, sizeof(now));
		out[n++] = (struct pb_event){.kind = PB_EVENT_TICK};
	}
	n += add_signals(&m->reported, &m->s, &m->board->rules, out + n);
	if (m->out.ticks == 0)
		pb_add_signal(out, &n, "start");
	m->reported = m->s;
	return n;
}

/* A dead robot stays where it died. */
static struct pb_pose
robot(void *state, double heading, bool *carried)
{
	struct pb_match *m = state;
	const struct pb_maze *z = &m->board->maze;
	struct pb_at pac = m->s.pac;
	struct pb_vec to = pb_cells_xy(pac.row, pac.col), at;
	double cell = pb_maze_pitch(z);

	if (get_body(m)) {
		*carried = m->motion.k != get_body(m)->carried;
		m->motion.k = get_body(m)->carried;
		return pb_pacbot_body_true_pose(get_body(m));
	}
	if (pac.row >= PB_ARCADE_OFF)
		to = m->motion.to;
	*carried = pb_cell_motion_step(&m->motion, to, m->opts->ticks_per_cell);
	at = pb_vec_from(pb_maze_frame(z->rows), m->motion.at);
	return (struct pb_pose){at.x * cell, at.y * cell, pb_wrap(heading)};
}

/* Ghosts have no bodies: the pose of their cell; of a ghost off the board, the
 * cell where it enters. */
static struct pb_pose
pose(const void *state, int body)
{
	const struct pb_match *m = state;
	struct pb_at p = body > 0 ? m->s.ghost[body - 1].loc : m->s.pac;

	if (body == 0)
		return pb_pacbot_body_true_pose(get_body(m));
	if (p.row >= PB_ARCADE_OFF)
		p = m->s.ghost[body - 1].next;
	return pb_maze_pose(
	    &m->board->maze, p.row, p.col, (enum pb_dir)p.dir, 0);
}

static bool
estimate(const void *state, struct pb_pose *out)
{
	const struct pb_match *m = state;

	if (get_body(m))
		*out = pb_pacbot_body_estimated_pose(get_body(m));
	return get_body(m) != NULL;
}

static enum pb_status
solid(const void *state, struct pb_map *m)
{
	const struct pb_maze *z =
	    &((const struct pb_match *)state)->board->maze;

	return pb_maze_solid(z, pb_maze_pitch(z), m);
}

static void
result(const void *state, struct pb_trial *r)
{
	const struct pb_match *m = state;
	const struct pb_match_outcome *e = &m->out;
	const struct pb_pacbot_body *b = get_body(m);
	uint8_t shown[PB_PACBOT_FRAME];
	int levels = m->opts->levels > 0 ? m->opts->levels : e->cleared + 1;

	r->collected = e->pellets;
	r->total = levels * m->board->rules.dots;
	r->score = e->score;
	r->limit = (double)UINT16_MAX / PB_PACBOT_FPS;
	r->success =
	    e->ending == PB_MATCH_CLEARED || e->ending == PB_MATCH_SURVIVED;
	r->deaths = e->deaths;
	r->levels = e->cleared;
	r->eaten = e->eaten;
	r->decisions = e->decisions;
	pb_pacbot_frame(&m->s, shown);
	r->hash = pb_hash_bytes(PB_HASH_START, shown, sizeof(shown));
	/* Errors of the estimates at decisions. */
	if (b) {
		pb_onboard_report(&b->score, 1, r);
		r->driven = b->driven;
		r->bumps = b->bumps;
		r->pace = pb_pacbot_body_pace(b);
	}
	if (m->out.ending == PB_MATCH_DEAD && m->out.cause)
		memcpy(r->cause, m->out.cause, strlen(m->out.cause) + 1);
}

static const char *const bodies[] = {
    "pacman", "red", "pink", "cyan", "orange", NULL};
static const char *const outcomes[] = {
    "cleared", "survived", "caught", "clock", "forfeit", NULL};

static const struct pb_board_game on_board = {
    .others = offsetof(struct pb_match_opts, ghosts),
    .motion = offsetof(struct pb_match_opts, motion),
    .asks = asks,
    .look = observe,
    .events = list_events,
    .ways = ways,
    .frame_size = PB_PACBOT_FRAME,
    .frame = frame,
    .partly_seen = is_partly_seen,
};

const struct pb_game pb_game_pacbot = {
    .name = "pacbot",
    .summary = "the competition's board, four ghosts",
    .board = "pacman",
    .usual = "search",
    .body = bodies,
    .outcome = outcomes,
    .decides = PB_BY_RANK,
    .behaviour = "arcade",
    .rounds = 1,
    .on_board = &on_board,
    .opts_size = sizeof(struct pb_match_opts),
    .params = &pb_match_params,
    .weights = offsetof(struct pb_match_opts, weights),
    .world_size = sizeof(struct pb_match_board),
    .prepare = prepare,
    .discard = pb_match_board_clear,
    .size = sizeof(struct pb_match),
    .more = more,
    .start = start,
    .step = step,
    .tick = offsetof(struct pb_match, out.ticks),
    .hz = PB_PACBOT_FPS,
    .ending = ending,
    .pose = pose,
    .estimate = estimate,
    .robot = robot,
    .solid = solid,
    .result = result,
    .held = true,
};
