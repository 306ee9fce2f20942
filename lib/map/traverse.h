/* traverse.h - the cells that a straight line crosses. */
#ifndef PB_MAP_TRAVERSE_H
#define PB_MAP_TRAVERSE_H

#include <stdbool.h>

#include "base/geom.h"

/*
 * Coordinates are in cells: cell (c, r) is the square from (c, r) to
 * (c + 1, r + 1), without its upper sides. A walk is a value; nothing is
 * shared.
 *
 *	struct pb_traverse w = pb_traverse_start(a, b);
 *	do
 *		visit(w.at);
 *	while (pb_traverse_next(&w));
 */
struct pb_traverse {
	struct pb_cell at; /* where the walk is */
	int step_x;        /* -1, 0 or 1 (columns) */
	int step_y;        /* -1, 0 or 1 (rows) */
	long left_x;       /* steps along x that remain */
	long left_y;       /* steps along y that remain */
	double next_x;     /* share of the line at the next x side */
	double next_y;     /* share of the line at the next y side */
	double share_x;    /* from one x side to the next */
	double share_y;    /* from one y side to the next */
};

/*
 * Begin in the cell of a, towards that of b.
 *
 * Given    a, b  ends (cells), within a thousand million of 0
 */
struct pb_traverse pb_traverse_start(struct pb_vec a, struct pb_vec b);

/*
 * Go on to the next cell that the line crosses.
 *
 * Returns  false at the cell of b, and w stays there
 * Note     every cell once, neighbours share a side: a line through a corner
 *          passes beside it. Steps are counted, so rounding cannot lead past
 *          b (Amanatides and Woo, "A fast voxel traversal algorithm", 1987).
 */
bool pb_traverse_next(struct pb_traverse *w);

#endif
