/* plan_grid.h - planning grids: free cells, moves, path distances. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/decls.h"
#include "pb/geom.h"
#include "pb/map.h"
#include "pb/status.h"

PB_BEGIN_DECLS

/*
 * The published nodes call a cell safe when all (2c + 1)^2 cells of the square
 * centred on it are free and within the map. Masks have one byte a cell in the
 * map's order (row 0 at the bottom).
 */

/* Mark the free cells of m: out has one byte a cell, 1 or 0. */
void pb_mask_free(const struct pb_map *m, unsigned char *out);

/*
 * Number of cells that a published length covers: max(1, round(l / R)),
 * halves to even.
 *
 * Given    length      >= 0, finite (m)
 *          resolution  > 0 (m)
 * Returns  1..PB_MAP_SIDE + 1, lengths beyond that being all the same
 */
int pb_square_cells(double length, double resolution);

/*
 * Mark the safe cells.
 *
 * Given    in             mask: not 0 is free
 *          width, height  1..PB_MAP_SIDE
 *          c              half side of the square (cells), >= 0
 *          run            room for width numbers, anything
 *          out            mask, may be in itself
 * Returns  out, 1 where the square of side 2c + 1 is inside and free
 * Note     linear time whatever c; allocates nothing
 */
void pb_square_mask(const unsigned char *in, int width, int height, int c,
    uint16_t *run, unsigned char *out);

/* The mask of the safe cells of m for a half side of `clearance` (m), for
 * free(); NULL without memory. */
unsigned char *pb_square_safe(const struct pb_map *m, double clearance);

/*
 * Eight moves from a cell to its neighbours. A diagonal needs both cells
 * beside it (no corner is cut). Cells are named by index, row * width + col,
 * row 0 at the bottom, as in the map. Built once, then read-only: threads
 * may share it.
 */
struct pb_grid_run {
	int32_t from, to; /* free cells of one row: to is behind the last */
	int32_t part;
};

struct pb_grid {
	int width;           /* columns, 1..PB_MAP_SIDE (cells) */
	int height;          /* rows, 1..PB_MAP_SIDE (cells) */
	size_t nfree;        /* cells that may be entered */
	unsigned char *move; /* a cell: bit k if move k is allowed; owned */
	/* Longest runs of free cells in a row, in index order; owned. */
	struct pb_grid_run *run;
	uint32_t *row;  /* height + 1: the first run of each row; owned */
	int nparts;     /* number of parts */
	int main;       /* largest part (of equals the lowest), -1: none */
	uint32_t *size; /* nparts: cells of each part; owned */
};

/*
 * The moves in the order in which the published ghost tries them: +x, -x,
 * +y, -y, (+,+), (-,+), (+,-), (-,-), where y is an image's: it counts rows
 * from the top. Moves 0..3 are straight, 4..7 diagonal.
 */
enum { PB_MOVES = 8 };

/* Change of column and row (row 0 at the bottom) by move k, 0..7. */
int pb_move_col(int k);
int pb_move_row(int k);

/*
 * Build a grid.
 *
 * Given    width, height  1..PB_MAP_SIDE
 *          mask           1 where one may go, else 0; not kept
 * Returns  PB_OK and g for pb_grid_clear, or PB_ENOMEM, PB_ESIZE and g
 *          untouched
 * Note     two cells are of the same part when some path of moves joins
 *          them; parts are numbered by their first cell in index order
 */
enum pb_status pb_grid_init(
    struct pb_grid *g, int width, int height, const unsigned char *mask);

/* Free what g owns and zero it. A zeroed g is fine. */
void pb_grid_clear(struct pb_grid *g);

/* Index of c, or -1 outside the grid. */
int pb_grid_index(const struct pb_grid *g, struct pb_cell c);

/* The cell with index i. */
struct pb_cell pb_grid_cell(const struct pb_grid *g, int i);

/* The part of cell i, -1 if i is not free. */
int pb_grid_part(const struct pb_grid *g, int i);

/* Whether cell i may be entered. */
static inline bool
pb_grid_free(const struct pb_grid *g, int i)
{
	return g->move[i] != 0 || pb_grid_part(g, i) >= 0;
}

/* Whether some path joins cells a and b (indices, -1 allowed). */
bool pb_grid_joined(const struct pb_grid *g, int a, int b);

/*
 * Distances are octile path lengths in fixed point: a straight move costs
 * PB_STEP, a diagonal one PB_DIAG. 8119 / 5741 is a convergent of sqrt 2,
 * off by 1.1e-8: two lengths are ordered as the real ones are unless their
 * numbers of diagonals differ by 5741 or more. Integers make sums exact, so
 * a cell n lies on a shortest path from a to b if and only if
 * d(a, n) + d(n, b) == d(a, b).
 *
 * A field is one int32_t a cell, in the grid's order, owned by the caller.
 * Fields may be shared once made.
 */
#define PB_STEP 5741
#define PB_DIAG 8119

/* The value of unreachable cells; the longest distance is 300,000 cells (15 km
 * at 5 cm), and farther cells count as unreachable. */
#define PB_FIELD_NONE INT32_MAX
#define PB_FIELD_MAX  (300000 * PB_STEP)

/*
 * Distances of all cells from one.
 *
 * Given    cell  index; not free or -1: nothing can be reached
 *          out   one number a cell
 * Returns  PB_OK and out: distances, PB_FIELD_NONE where there is no path;
 *          or PB_ENOMEM
 * Note     time linear in the reached cells (Dial's algorithm), plus
 *          clearing out
 */
enum pb_status pb_field_from(const struct pb_grid *g, int cell, int32_t *out);

/*
 * Distances of the cells that are at most a quarter farther than `to`.
 *
 * Given    to    index of a cell that is joined to `cell`, -1: all cells
 *          work  room for pb_field_room(g) numbers
 *          out   one number a cell
 * Returns  the distance up to which out is exact; farther cells have this
 *          value, `to` as well if it is beyond PB_FIELD_MAX
 */
size_t pb_field_room(const struct pb_grid *g);
int32_t pb_field_between(
    const struct pb_grid *g, int cell, int to, int32_t *work, int32_t *out);

/* d in cells; INFINITY for PB_FIELD_NONE. */
double pb_field_cells(int32_t d);

/*
 * Descend a field from a cell to its source.
 *
 * Given    from  index
 *          path  room for max indices
 * Returns  number of cells written, both ends included, at most max; 0 if
 *          `from` cannot be reached
 */
size_t pb_field_descend(const struct pb_grid *g, const int32_t *field, int from,
    int *path, size_t max);

PB_END_DECLS
