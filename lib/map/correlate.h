/*
 * correlate.h - correlative scan matching: all poses of a window where points
 * fit best on a field of costs, by branch and bound.
 *
 * Olson, "Real-time correlative scan matching" (2009); Hess, Kohler, Rapp and
 * Andor, "Real-time loop closure in 2D lidar SLAM" (2016).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/geom.h"

#define PB_CORR_LEVELS 7
#define PB_CORR_TILE   16  /* blocks that are weighed at once */
#define PB_CORR_POINTS 256 /* most points: sums of costs fit into 16 bits */

/*
 * The lowest cost in each window of a lattice of 2^k cells, of those kept; that
 * of others is `most`. Rows have as much padding on either side as one vector
 * operation reads, and there are rows around them: pb_corr_at().
 */
struct pb_corr_level {
	int left;      /* first column kept (windows) */
	int below;     /* first row kept (windows) */
	int width;     /* kept (windows) */
	int height;    /* (windows) */
	uint8_t *cost; /* of window (i, j), which covers the cells from
	                  (i - 1) 2^k on, 2^(k + 1) a side */
	uint8_t *open; /* 1 where block (i, j) of 2^k cells holds a place that
	                  counts, in the same lattice; NULL: all do */
};

/*
 * Where window (left + u, below + v) is in a level's arrays, for any u and v.
 * Those to the right of it up to PB_CORR_TILE follow, and there is the same of
 * the next row behind a row.
 */
static inline size_t
pb_corr_at(const struct pb_corr_level *l, int u, int v)
{
	const int tile = PB_CORR_TILE;

	u = u < -tile ? -tile : u > l->width ? l->width : u;
	v = (unsigned)(v + 1) <= (unsigned)l->height ? v : l->height;
	return (size_t)((v + 1) * (l->width + tile) + u + tile);
}

/* Costs of a point by cell of a table, of which a rectangle is stored. Its left
 * and below are multiples of 2^(PB_CORR_LEVELS - 1). */
struct pb_corr_field {
	int left, below;   /* first column and row kept (cells) */
	int width, height; /* kept (cells) */
	uint8_t most;      /* the cost of a cell that is not kept */
	uint8_t *cost;     /* row-major, of those kept */
	struct pb_corr_level level[PB_CORR_LEVELS]; /* [0] unused */
};

/* Lay out the levels. Returns the bytes of their costs. */
size_t pb_corr_layout(struct pb_corr_field *f);

/* Make the levels, laid out, of a field whose cells are known, in memory of
 * pb_corr_layout() bytes that the caller keeps. */
void pb_corr_build(struct pb_corr_field *f, uint8_t *memory);

/* Poses on a lattice of cells and turns. Poses and points are in cells. */
struct pb_corr_window {
	int i0, i1, j0, j1; /* first and last column and row of places */
	struct pb_vec at;   /* position of place (0, 0) on the table */
	double th;          /* the first heading (rad) */
	double turn;        /* angle between headings (rad) */
	int turns;          /* number of headings */
	/*
	 * Penalty of the distance from place (i, j): pull times the squared
	 * distance, and pull_th times the squared number of turns from
	 * `heading`.
	 */
	int i, j, heading;
	double pull, pull_th;
	bool (*stop)(
	    void); /* asked at each heading, ends the search; or NULL */
};

/* A block of places, 2^k cells a side, and a heading. */
struct pb_corr_node {
	int16_t i, j;
	uint16_t turn;
	uint16_t cost; /* no place in it costs less */
};

/* The index of the i-th point to weigh, so that all directions come early: the
 * bits of i < n, a power of two, reversed. */
int pb_corr_order(int i, int n);

/*
 * Find the blocks of level 1, 2 cells a side, that cost at most `limit`,
 * breadth first. If a level has more blocks than room, the worse half is
 * dropped.
 *
 * Given    p[n]      points in the robot's frame (cells), n <= PB_CORR_POINTS,
 *                    the most distinctive ones first
 *          level     to begin with, about
 *          a, b      room for this many nodes
 * Returns  their number, and *list, one of a and b; 0 if it was stopped
 */
int pb_corr_search(const struct pb_corr_field *f, const struct pb_vec *p, int n,
    const struct pb_corr_window *w, int level, int32_t limit,
    struct pb_corr_node *a, struct pb_corr_node *b, int room,
    struct pb_corr_node **list);

/*
 * Make a heap of n nodes; remove the first of *n > 0 from it: lowest cost
 * first, then by heading, row and column. Few of a long list are needed:
 * sorting it took two thirds of a search.
 */
void pb_corr_heap(struct pb_corr_node *list, int n);
struct pb_corr_node pb_corr_pop(struct pb_corr_node *heap, int *n);
