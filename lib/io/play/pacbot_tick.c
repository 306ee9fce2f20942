/* pacbot_tick.c - a game of Pacbot out of a tick record. */
#include "io/play/pacbot_tick.h"

#include <string.h>

#include "pb/match.h"

/* A place out of a record: on the board, or nowhere. */
static bool
read_at(int row, int col, const char *dir, struct pb_at *at)
{
	int d = pb_dir_of(dir);
	bool off = row == PB_ARCADE_OFF && col == PB_ARCADE_OFF;

	if (d > PB_STAY || (!off && (row < 0 || row >= PB_PACBOT_ROWS ||
					col < 0 || col >= PB_PACBOT_COLS)))
		return false;
	*at = (struct pb_at){(int8_t)row, (int8_t)col, (uint8_t)d};
	return true;
}

static bool
read_ghost(
    const struct pb_seen_body *b, struct pb_arcade *g, struct pb_error *bad)
{
	if (!b->has_next || b->fright < 0 || b->trapped < 0)
		return pb_error_set(
		    bad, "tick: %s has no next_row, fright or trapped", b->id);
	if (!read_at(b->row, b->col, b->dir, &g->loc) ||
	    !read_at(b->next_row, b->next_col, b->next_dir, &g->next))
		return pb_error_set(bad, "tick: %s is off the board", b->id);
	g->fright = (uint8_t)b->fright;
	g->trapped = (uint8_t)b->trapped;
	g->spawning = b->spawning;
	g->eaten = b->eaten;
	return true;
}

static bool
read_bodies(const struct pb_seen *r, struct pb_pacbot *s, struct pb_error *bad)
{
	bool pac = false;

	for (int i = 0; i < r->bodies; i++) {
		const struct pb_seen_body *b = &r->body[i];

		if (strcmp(b->id, "pacman") == 0) {
			pac = read_at(b->row, b->col, b->dir, &s->pac);
			continue;
		}
		if (s->active == PB_ARCADE_GHOSTS ||
		    strcmp(b->id, pb_pacbot_ghost[s->active]) != 0)
			return pb_error_set(bad,
			    "tick.bodies[%d].id: expected pacman and the "
			    "ghosts in their order, got \"%.32s\"",
			    i, b->id);
		if (!read_ghost(b, &s->ghost[s->active++], bad))
			return false;
	}
	if (!pac)
		return pb_error_set(bad, "tick: expected pacman on the board");
	return true;
}

/* The pellets; false if one lies on a wall. */
static bool
read_board(const struct pb_seen *r, const struct pb_pacbot_rules *k,
    struct pb_pacbot *s)
{
	for (int row = 0; row < r->board.rows; row++)
		for (int col = 0; col < r->board.cols; col++) {
			char c = r->board.cell[row][col];

			if (c != PB_MAZE_PELLET && c != PB_MAZE_POWER)
				continue;
			if (row >= PB_PACBOT_ROWS || col >= PB_PACBOT_COLS ||
			    !(k->pellets[row] >> col & 1))
				return false;
			s->pellets[row] |= (uint32_t)1 << col;
			s->left++;
		}
	return true;
}

bool
pb_pactick_read(const struct pb_seen *r, const struct pb_pacbot_rules *k,
    struct pb_pacbot *s, struct pb_error *bad)
{
	const long need[] = {r->score, r->lives, r->level, r->combo, r->period,
	    r->mode_steps, r->level_steps, r->fruit};

	*s = (struct pb_pacbot){.paused = r->paused,
	    .pause_on_update = r->pausing,
	    .pac = PB_NOWHERE};
	for (size_t i = 0; i < sizeof(need) / sizeof(*need); i++)
		if (need[i] < 0 || need[i] > UINT16_MAX)
			return pb_error_set(bad, "tick: a count is missing");
	s->tick = (uint16_t)r->tick;
	s->score = (uint16_t)r->score;
	s->lives = (uint8_t)r->lives;
	s->level = (uint8_t)r->level;
	s->combo = (uint8_t)r->combo;
	s->period = (uint8_t)r->period;
	s->mode_steps = (uint8_t)r->mode_steps;
	s->level_steps = (uint16_t)r->level_steps;
	s->fruit_steps = (uint8_t)r->fruit;
	s->mode = strcmp(r->mode, "chase") == 0 ? PB_CHASE : PB_SCATTER;
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		s->ghost[i].loc = s->ghost[i].next = PB_NOWHERE;
	if (!read_board(r, k, s))
		return pb_error_set(bad, "tick.rows: a pellet where the board "
					 "has none");
	return read_bodies(r, s, bad);
}
