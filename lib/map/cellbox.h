/* cellbox.h - boxes of cells. */
#pragma once

#include <stdbool.h>

#include "pb/geom.h"

/* Ends included; empty if hi is below lo. */
struct pb_cellbox {
	struct pb_cell lo, hi;
};

#define PB_CELLBOX_EMPTY ((struct pb_cellbox){{0, 0}, {-1, -1}})

static inline bool
pb_cellbox_empty(struct pb_cellbox b)
{
	return b.hi.col < b.lo.col;
}

/* The smallest box that holds b and c. */
static inline struct pb_cellbox
pb_cellbox_join(struct pb_cellbox b, struct pb_cell c)
{
	if (pb_cellbox_empty(b))
		return (struct pb_cellbox){c, c};
	b.lo.col = c.col < b.lo.col ? c.col : b.lo.col;
	b.lo.row = c.row < b.lo.row ? c.row : b.lo.row;
	b.hi.col = c.col > b.hi.col ? c.col : b.hi.col;
	b.hi.row = c.row > b.hi.row ? c.row : b.hi.row;
	return b;
}
