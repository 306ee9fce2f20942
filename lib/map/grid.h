/* grid.h - a planning grid: where one may go, and what hangs together. */
#ifndef PB_MAP_GRID_H
#define PB_MAP_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/geom.h"
#include "base/status.h"

/*
 * Eight moves from a cell to its neighbours. A diagonal needs both cells
 * beside it (no corner is cut). Cells are named by index, row * width + col,
 * row 0 at the bottom, as in the map. Built once, then read-only: threads
 * may share it.
 */
struct pb_grid {
	int width;           /* columns, 1..PB_MAP_SIDE (cells) */
	int height;          /* rows, 1..PB_MAP_SIDE (cells) */
	size_t nfree;        /* cells that may be entered */
	unsigned char *free; /* a cell: 1 if it may be entered, else 0; owned */
	unsigned char *move; /* a cell: bit k if move k is allowed; owned */
	int32_t *part;       /* a cell: its part, -1 if not free; owned */
	int nparts;          /* number of parts */
	int main;            /* the largest part (lowest number), -1 if none */
	uint32_t *size;      /* nparts: cells of each part; owned */
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
 *          mask           not 0 where one may go; copied
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

/* Whether some path joins cells a and b (indices, -1 allowed). */
bool pb_grid_joined(const struct pb_grid *g, int a, int b);

#endif
