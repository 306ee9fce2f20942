/* patrol.c - what a patrol of the Zumy game sees, knows and does. */
#include "ghost/patrol.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/geom.h"

bool
pb_zumy_has(const struct pb_zumy_set *s, int row, int col)
{
	return row >= 0 && row < PB_ZUMY_SIDE && col >= 0 &&
	       col < PB_ZUMY_SIDE && s->row[row] >> col & 1;
}

void
pb_zumy_add(struct pb_zumy_set *s, int row, int col)
{
	s->row[row] |= UINT32_C(1) << col;
}

int
pb_zumy_manhattan(struct pb_zumy_cell a, struct pb_zumy_cell b)
{
	return abs(a.row - b.row) + abs(a.col - b.col);
}

void
pb_patrol_reveal(struct pb_patrol_map *m, const struct pb_zumy_ground *g,
    struct pb_zumy_cell c)
{
	for (int r = c.row - 1; r <= c.row + 1; r++)
		for (int k = c.col - 1; k <= c.col + 1; k++)
			if (r >= 0 && r < g->rows && k >= 0 && k < g->cols)
				pb_zumy_add(&m->known, r, k);
}

bool
pb_patrol_sees(const struct pb_zumy_ground *g, struct pb_zumy_cell c,
    enum pb_dir d, struct pb_zumy_cell what, int range)
{
	if (d == PB_STAY)
		return false;
	for (int k = 1; range == 0 || k <= range; k++) {
		int row = c.row + k * pb_dir_row[d];
		int col = c.col + k * pb_dir_col[d];

		if (!pb_zumy_has(&g->open, row, col))
			return false;
		if (row == what.row && col == what.col)
			return true;
	}
	return false;
}

bool
pb_zumy_cell_read(
    double x, double y, int rows, int cols, struct pb_zumy_cell *c)
{
	double col = round(x), up = round(y);

	if (!(col >= 0 && up >= 0 && col < cols && up < rows && col + up > 0))
		return false;
	*c = (struct pb_zumy_cell){(int8_t)(rows - 1 - (int)up), (int8_t)col};
	return true;
}

enum pb_dir
pb_zumy_facing(double th, bool unwrapped)
{
	static const enum pb_dir quarter[4] = {
	    PB_RIGHT, PB_UP, PB_LEFT, PB_DOWN};
	const double exact = 1e-9; /* angles that are meant to be are within */
	double turn = th / (PB_PI / 2);

	if (!unwrapped)
		return quarter[(int)floor(turn + 0.5) & 3];
	if (turn < -exact)
		turn += 4;
	/* In the middle of two it is the first. */
	return quarter[(int)fmin(fmax(ceil(turn - 0.5 - exact), 0), 3)];
}

bool
pb_patrol_due(double *next, double now, double every)
{
	bool due = now > *next;

	if (due)
		*next = now + every;
	return due;
}

static bool
is_any(const struct pb_zumy_cell *cell, int n, int row, int col)
{
	for (int i = 0; i < n; i++)
		if (cell[i].row == row && cell[i].col == col)
			return true;
	return false;
}

/* Cells of the board that the patrol has not seen; row r is in [r + 1]. */
static void
unknown_rows(const struct pb_patrol_map *m, const struct pb_zumy_ground *g,
    uint32_t unknown[PB_ZUMY_SIDE + 2])
{
	uint32_t all = UINT32_MAX >> (PB_ZUMY_SIDE - g->cols);

	unknown[0] = unknown[g->rows + 1] = 0;
	for (int r = 0; r < g->rows; r++)
		unknown[r + 1] = all & ~m->known.row[r];
}

/* How many of them are about (row, col). */
static int
unknown_about(const uint32_t *unknown, int row, int col)
{
	static const unsigned char count[8] = {0, 1, 1, 2, 1, 2, 2, 3};
	int n = 0;

	for (int r = row; r <= row + 2; r++)
		n += count[(uint64_t)unknown[r] << 1 >> col & 7];
	return n;
}

/* A goal and what it costs. */
struct choice {
	struct pb_zumy_cell at;
	int cost;
};

/* Among equals the first from the left, then from the bottom. */
static bool
better(struct choice a, struct choice b)
{
	if (a.cost != b.cost)
		return a.cost < b.cost;
	return a.at.col != b.at.col ? a.at.col < b.at.col : a.at.row > b.at.row;
}

struct pb_zumy_cell
pb_patrol_goal(const struct pb_patrol_map *m, const struct pb_zumy_ground *g,
    struct pb_zumy_cell at, const struct pb_zumy_cell *other, int n)
{
	struct choice best = {at, INT_MAX};
	uint32_t unknown[PB_ZUMY_SIDE + 2];
	struct pb_zumy_set free;

	for (int r = 0; r < g->rows; r++)
		free.row[r] = m->known.row[r] & g->open.row[r];
	free.row[g->goal.row] &= ~(UINT32_C(1) << g->goal.col);
	if (m->last.row < g->rows &&
	    pb_zumy_has(&free, m->last.row, m->last.col))
		return m->last;
	unknown_rows(m, g, unknown);
	for (int row = 0; row < g->rows; row++)
		for (int col = 0; col < g->cols; col++) {
			struct choice c = {{(int8_t)row, (int8_t)col}, 0};

			if (!(free.row[row] >> col & 1) ||
			    is_any(&at, 1, row, col) ||
			    is_any(other, n, row, col))
				continue;
			/* In tenths: whole numbers compare exactly. */
			c.cost = 10 * pb_zumy_manhattan(c.at, m->last) -
			         unknown_about(unknown, row, col);
			if (better(c, best))
				best = c;
		}
	return best.at;
}
