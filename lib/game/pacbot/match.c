/* match.c - one game of Pacbot between a player and the four ghosts. */
#include "pb/match.h"

#include <stdlib.h>
#include <string.h>

#define PB_PARAMS_OF struct pb_match_opts

static const struct pb_param params[] = {
    PB_COUNT("ticks-per-cell", ticks_per_cell, "ticks", 1, 1000,
	"that the robot takes for one cell"),
    PB_COUNT("turn-ticks", turn_ticks, "ticks", 0, 1000,
	"more, before a cell in another direction"),
    PB_COUNT("camera-delay", camera_delay, "ticks", 0, PB_MATCH_DELAY,
	"age of the robot's cell as the player sees it"),
    PB_REAL("wrong-cell", wrong_cell, "", 0, 1,
	"chance that the player sees a neighbouring cell"),
    PB_COUNT("ghosts", ghosts, "", 0, PB_ARCADE_GHOSTS, "that play"),
    PB_COUNT("lives", lives, "", 1, 3, "of Pac-Man"),
    PB_COUNT("levels", levels, "", 0, 255, "to clear, 0: play until the end"),
    PB_COUNT("nodes", nodes, "", 1, 100000000,
	"states that a searching player may look at in a decision"),
};

const char *
pb_match_ending_name(enum pb_match_ending e)
{
	static const char *const name[] = {
	    "playing", "cleared", "caught", "clock", "survived"};

	return name[e];
}

struct pb_match_opts
pb_match_defaults(void)
{
	return (struct pb_match_opts){
	    .ticks_per_cell = 8,
	    .ghosts = 4,
	    .lives = 3,
	    .levels = 1,
	    .nodes = 8000,
	};
}

const struct pb_param *
pb_match_params(size_t *n)
{
	*n = sizeof(params) / sizeof(*params);
	return params;
}

enum pb_status
pb_match_check(const struct pb_match_opts *o, const char **field)
{
	const struct pb_param *wrong =
	    pb_params_check(params, sizeof(params) / sizeof(*params), o);

	if (wrong == NULL)
		return PB_OK;
	if (field != NULL)
		*field = wrong->name;
	return PB_EVALUE;
}

const char *
pb_match_board_wrong(const struct pb_maze *z)
{
	int pellets = 0;

	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			pellets += z->cell[r][c] == PB_MAZE_PELLET ||
			           z->cell[r][c] == PB_MAZE_POWER;
	if (z->rows > PB_PACBOT_ROWS || z->cols > PB_PACBOT_COLS)
		return "expected at most 31 x 28 cells";
	if (pellets < 1 || pellets > UINT8_MAX)
		return "expected 1 to 255 pellets";
	if (!pb_maze_open(z, 23, 13))
		return "Pac-Man's start (23, 13) is a wall";
	if (!pb_maze_open(z, 11, 13))
		return "the red ghost's start (11, 13) is a wall";
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
	return PB_OK;
}

void
pb_match_board_clear(struct pb_match_board *b)
{
	pb_cells_clear(&b->cells);
	*b = (struct pb_match_board){0};
}

enum pb_status
pb_match_init(struct pb_match *m, const struct pb_match_board *b,
    const struct pb_match_opts *o, const struct pb_bot *bot)
{
	size_t size = bot->memory != NULL ? bot->memory(o) : 0;
	void *mem = NULL;

	if (size > 0 && (mem = malloc(size)) == NULL)
		return PB_ENOMEM;
	*m = (struct pb_match){.board = b, .opts = o, .bot = bot, .mem = mem};
	return PB_OK;
}

void
pb_match_clear(struct pb_match *m)
{
	free(m->mem);
	*m = (struct pb_match){0};
}

static int
pick(void *ctx, int ghost, int n)
{
	(void)ghost;
	return (int)pb_rng_below(ctx, (uint32_t)n);
}

static struct pb_arcade_draw
draws(struct pb_match *m)
{
	return (struct pb_arcade_draw){pick, &m->ghosts, m->crew};
}

static void
play(struct pb_match *m)
{
	struct pb_arcade_draw d = draws(m);
	uint8_t cmd = 'P';

	pb_pacbot_command(&m->s, &m->board->rules, &d, &cmd, 1);
}

/* What the player sees: the game, but Pac-Man where the camera had him. */
static struct pb_pacbot
look(struct pb_match *m)
{
	int ring = PB_MATCH_DELAY + 1, k;
	struct pb_pacbot seen = m->s;
	struct pb_at p =
	    m->seen[(m->now + ring - m->opts->camera_delay) % ring];

	if (m->opts->wrong_cell > 0 &&
	    pb_rng_unit(&m->sensor) < m->opts->wrong_cell) {
		int d = (int)pb_rng_below(&m->sensor, 4);

		if (m->board->rules.board.exits[p.row][p.col] >> d & 1)
			p = pb_arcade_step(p, d);
	}
	k = pb_cells_at(&m->board->cells, p.row, p.col);
	if (k >= 0) {
		seen.pac.row = p.row;
		seen.pac.col = p.col;
	}
	return seen;
}

static void
forget_places(struct pb_match *m)
{
	for (int i = 0; i <= PB_MATCH_DELAY; i++)
		m->seen[i] = m->s.pac;
}

static void
decide(struct pb_match *m)
{
	struct pb_pacbot seen = look(m);
	struct pb_bot_view v = {&seen, m->board, m->opts, &m->player};

	if (m->watch.around)
		m->watch.around(m->watch.ctx, true);
	m->move = m->bot->decide(m->mem, &v);
	if (m->watch.around)
		m->watch.around(m->watch.ctx, false);
	m->out.decisions++;
	m->wait = m->move != PB_STAY && m->move != m->s.pac.dir
	              ? m->opts->turn_ticks
	              : 0;
	m->cell_time = m->opts->ticks_per_cell;
}

void
pb_match_start(struct pb_match *m, uint64_t seed, uint64_t trial)
{
	struct pb_bot_view v = {&m->s, m->board, m->opts, &m->player};
	struct pb_arcade_draw d = draws(m);

	pb_rng_start(&m->ghosts, seed, trial, PB_FOR_GHOST, 0);
	pb_rng_start(&m->sensor, seed, trial, PB_FOR_SENSOR, 0);
	pb_rng_start(&m->player, seed, trial, PB_FOR_PLAYER, 0);
	pb_pacbot_init(&m->s, &m->board->rules, m->opts->ghosts);
	m->s.lives = (uint8_t)m->opts->lives;
	pb_pacbot_begin(&m->s, &m->board->rules, &d);
	play(m);
	m->out = (struct pb_match_outcome){.ending = PB_MATCH_ON};
	m->heat = (struct pb_heat){0};
	m->now = 0;
	m->wait = m->cell_time = 0;
	m->move = PB_STAY;
	forget_places(m);
	if (m->bot->reset != NULL)
		m->bot->reset(m->mem, &v);
}

/*
 * Keep the books after anything that may have changed lives or level: `at` is
 * where that happened.
 */
static void
account(struct pb_match *m, const struct pb_pacbot *before, struct pb_at at)
{
	const struct pb_pacbot *s = &m->s;

	m->out.score = s->score;
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		m->out.eaten += s->ghost[i].eaten && !before->ghost[i].eaten;
	if (s->lives < before->lives) {
		m->out.deaths++;
		if (at.row < PB_PACBOT_ROWS)
			m->heat.died[at.row][at.col]++;
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

/* The player's turn: a decision when one is due, a move when he is ready. */
static void
act(struct pb_match *m)
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
	account(m, &before, at);
}

bool
pb_match_step(struct pb_match *m)
{
	struct pb_arcade_draw d = draws(m);
	struct pb_pacbot before;

	if (m->out.ending != PB_MATCH_ON)
		return false;
	act(m);
	if (m->out.ending != PB_MATCH_ON)
		return false;
	before = m->s;
	if (before.pac.row < PB_PACBOT_ROWS)
		m->heat.here[before.pac.row][before.pac.col]++;
	pb_pacbot_end(&m->s);
	m->out.ticks++;
	pb_pacbot_begin(&m->s, &m->board->rules, &d);
	account(m, &before, before.pac);
	m->now = (m->now + 1) % (PB_MATCH_DELAY + 1);
	m->seen[m->now] = m->s.pac;
	if (m->s.lives == 0)
		m->out.ending = PB_MATCH_DEAD;
	else if (m->s.paused && m->s.tick == UINT16_MAX)
		m->out.ending =
		    m->opts->levels ? PB_MATCH_CLOCK : PB_MATCH_SURVIVED;
	else if (m->s.paused) {
		/* He is back at his place: the referee starts again. */
		play(m);
		m->wait = m->cell_time = 0;
		m->move = PB_STAY;
		forget_places(m);
	}
	return m->out.ending == PB_MATCH_ON;
}

struct pb_match_outcome
pb_match_play(struct pb_match *m, uint64_t seed, uint64_t trial)
{
	pb_match_start(m, seed, trial);
	while (pb_match_step(m))
		;
	return m->out;
}
