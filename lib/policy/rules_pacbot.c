/* rules_pacbot.c - trials of the pacbot rules. */
#include "policy/rules_pacbot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "policy/bots.h"

static const char *const outcomes[] = {
    "cleared", "survived", "caught", "clock", "forfeit", NULL};

static const char *
player_name(int i, const char **about)
{
	const struct pb_bot *b = pb_bot_number(i);

	*about = b ? b->summary : NULL;
	return b ? b->name : NULL;
}

static uint64_t
fingerprint(const void *opts, const struct pb_pellets *pellets)
{
	uint64_t h = PB_HASH_START;
	size_t n;
	const struct pb_param *p = pb_match_params(&n);

	for (size_t i = 0; i < n; i++) {
		const char *at = (const char *)opts + p[i].offset;

		h = pb_hash_bytes(h, p[i].name, strlen(p[i].name) + 1);
		if (p[i].kind == PB_PARAM_REAL)
			h = pb_hash_double(h, *(const double *)at);
		else
			h = pb_hash_u64(h, (uint64_t) * (const int *)at);
	}
	for (size_t i = 0; pellets && i < pellets->n; i++) {
		h = pb_hash_double(h, pellets->all[i].at.x);
		h = pb_hash_double(h, pellets->all[i].at.y);
		h = pb_hash_u64(h, pellets->all[i].kind == PB_PELLET_POWER);
	}
	return h;
}

enum pb_status
pb_rules_pacbot_board(
    const struct pb_maze *z, struct pb_map *m, struct pb_pellets *p)
{
	enum pb_status st = pb_maze_to_map(z, PB_MAZE_CELL, 1, m);
	size_t cells = (size_t)z->rows * (size_t)z->cols;

	if (st != PB_OK)
		return st;
	*p = (struct pb_pellets){
	    .all = calloc(cells, sizeof(*p->all)), .gone = calloc(cells, 1)};
	if (!p->all || !p->gone) {
		pb_pellets_clear(p);
		pb_map_clear(m);
		return PB_ENOMEM;
	}
	memcpy(m->name, z->name, sizeof(z->name));
	for (int row = 0; row < z->rows; row++)
		for (int col = 0; col < z->cols; col++) {
			char c = z->cell[row][col];
			struct pb_vec at = {(col + 0.5) * PB_MAZE_CELL,
			    (z->rows - 1 - row + 0.5) * PB_MAZE_CELL};

			if (c != PB_MAZE_PELLET && c != PB_MAZE_POWER)
				continue;
			p->all[p->n] = (struct pb_pellet){.id = (int)p->n,
			    .kind = c == PB_MAZE_POWER ? PB_PELLET_POWER
			                               : PB_PELLET_PLAIN,
			    .at = at,
			    .cell = pb_map_cell(m, at)};
			p->left = ++p->n;
		}
	return PB_OK;
}

/* The way back. */
static bool
maze_of(const struct pb_map *m, const struct pb_pellets *p, struct pb_maze *z)
{
	if (m->width > PB_PACBOT_COLS || m->height > PB_PACBOT_ROWS)
		return false;
	*z = (struct pb_maze){.rows = m->height, .cols = m->width};
	for (int row = 0; row < z->rows; row++)
		for (int col = 0; col < z->cols; col++) {
			int v = pb_map_at(
			    m, (struct pb_cell){col, m->height - 1 - row});

			z->cell[row][col] = v >= 0 && v <= PB_CELL_FREE
			                        ? PB_MAZE_EMPTY
			                        : PB_MAZE_WALL;
		}
	for (size_t i = 0; i < p->n; i++) {
		struct pb_cell c = pb_map_cell(m, p->all[i].at);
		bool power = p->all[i].kind == PB_PELLET_POWER;

		if (!pb_maze_open(z, z->rows - 1 - c.row, c.col))
			return false;
		z->cell[z->rows - 1 - c.row][c.col] =
		    power ? PB_MAZE_POWER : PB_MAZE_PELLET;
	}
	return true;
}

static enum pb_status
world_new(void **world, const struct pb_map *m, const void *opts,
    const struct pb_pellets *p, const char **why)
{
	struct pb_match_board *b;
	struct pb_maze z;
	enum pb_status st;

	(void)opts;
	*why = NULL;
	if (!p || !maze_of(m, p, &z))
		*why = "expected a maze of at most 31 x 28 cells";
	else
		*why = pb_match_board_wrong(&z);
	if (*why)
		return PB_EVALUE;
	b = calloc(1, sizeof(*b));
	if (!b)
		return PB_ENOMEM;
	st = pb_match_board_init(b, &z);
	if (st == PB_OK)
		*world = b;
	else
		free(b);
	return st;
}

static void
world_free(void *world)
{
	if (world)
		pb_match_board_clear(world);
	free(world);
}

static enum pb_status
lesson_new(
    void **lesson, const void *world, const void *opts, int player, int round)
{
	(void)world;
	(void)opts;
	(void)player;
	(void)round;
	*lesson = NULL;
	return PB_OK;
}

static void
lesson_free(void *lesson, int player)
{
	(void)lesson;
	(void)player;
}

static enum pb_status
seat_new(void **seat, const void *world, const void *opts, int player,
    int round, const void *lesson)
{
	struct pb_match *m = calloc(1, sizeof(*m));
	enum pb_status st = PB_ENOMEM;

	(void)round;
	(void)lesson;
	if (m)
		st = pb_match_init(m, world, opts, pb_bot_number(player));
	if (st == PB_OK)
		*seat = m;
	else
		free(m);
	return st;
}

static void
seat_free(void *seat)
{
	if (seat)
		pb_match_clear(seat);
	free(seat);
}

void
pb_rules_pacbot_key(struct pb_trial *r, const struct pb_map *m,
    const struct pb_pellets *p, const struct pb_match_opts *o)
{
	memcpy(r->rules, "pacbot", sizeof("pacbot"));
	memcpy(r->map, m->name, sizeof(r->map));
	r->map_hash = pb_map_hash(m);
	r->options = fingerprint(o, p);
	r->round = 1;
}

void
pb_rules_pacbot_ended(struct pb_trial *r, const struct pb_match *m)
{
	const struct pb_match_outcome *e = &m->out;
	const char *name = pb_match_ending_name(e->ending);
	uint8_t frame[PB_PACBOT_FRAME];
	int levels = m->opts->levels > 0 ? m->opts->levels : e->cleared + 1;

	pb_pacbot_frame(&m->s, frame);
	memcpy(r->outcome, name, strlen(name) + 1);
	r->collected = e->pellets;
	r->total = levels * m->board->rules.dots;
	r->score = e->score;
	r->time = (double)e->ticks / PB_PACBOT_FPS;
	r->limit = (double)UINT16_MAX / PB_PACBOT_FPS;
	r->success = e->ending == PB_MATCH_CLEARED ||
	             e->ending == PB_MATCH_SURVIVED;
	r->removed = -1;
	r->driven = r->nearest = NAN;
	r->deaths = e->deaths;
	r->levels = e->cleared;
	r->eaten = e->eaten;
	r->decisions = e->decisions;
	r->hash = pb_hash_bytes(PB_HASH_START, frame, sizeof(frame));
}

static void
play(void *seat, struct pb_trial *r)
{
	pb_match_play(seat, r->seed, r->trial);
	pb_rules_pacbot_ended(r, seat);
}

const struct pb_rules pb_rules_pacbot = {
    .name = "pacbot",
    .summary = "the competition's board, four ghosts",
    .outcome = outcomes,
    .rounds = 1,
    .board = pb_rules_pacbot_board,
    .player = player_name,
    .fingerprint = fingerprint,
    .world = world_new,
    .world_free = world_free,
    .lesson = lesson_new,
    .lesson_free = lesson_free,
    .seat = seat_new,
    .seat_free = seat_free,
    .play = play,
};
