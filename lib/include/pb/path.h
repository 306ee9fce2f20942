/* path.h - shortest paths on planning grids, also the published ghost's. */
#pragma once

#include "pb/decls.h"
#include "pb/plan_grid.h"

PB_BEGIN_DECLS

/*
 * A search holds all data of a query, 21 bytes for each visited cell and 16 for
 * each open one of A*; a query leaves it empty. One per thread; grids may be
 * shared. Queries allocate nothing.
 */
struct pb_search;

/*
 * Make room for queries on grids that have no more cells than g.
 *
 * Returns  PB_OK and *s for pb_search_free, or PB_ENOMEM and *s untouched
 */
enum pb_status pb_search_new(struct pb_search **s, const struct pb_grid *g);

/* NULL is fine. */
void pb_search_free(struct pb_search *s);

/* A path; it is valid until the search's next query. */
struct pb_path {
	const int *cell; /* n indices, both ends included */
	size_t n;        /* 0: there is no path */
};

/*
 * The path of the published ghost: A* with a heap of (f, (x, y)), x and y
 * counted as in an image (from the top row), doubles 1 and sqrt 2, Euclidean
 * heuristic; which of several shortest paths it takes is decided by its
 * ties and its rounding, and reproduced here.
 *
 * Given    from, to  indices; not free or -1: no path
 * Returns  the path, {from} when both are the same
 */
struct pb_path pb_path_ghost(
    struct pb_search *s, const struct pb_grid *g, int from, int to);

/* The same path by the published procedure itself: slow, for tests. */
struct pb_path pb_path_ghost_literal(
    struct pb_search *s, const struct pb_grid *g, int from, int to);

/* A disc; it blocks cells whose centres it holds, its rim included. */
struct pb_disc {
	double col; /* of the centre; cell (0, 0) has its centre at (0, 0) */
	double row; /* (cells) */
	double r;   /* radius (cells), < 0: blocks nothing */
};

/*
 * A shortest path around discs, for replanning as they move.
 *
 * Given    from, to  indices; not free or -1: no path
 *          disc      n discs, n may be 0; they block `to` but never `from`,
 *                    so that one can leave a disc
 *          field     pb_field_from(to) on the grid, or NULL: with it the
 *                    search expands little
 *          most      distances in the field from this one on may be wrong;
 *                    at least that of `from`; PB_FIELD_NONE: all are right
 * Returns  a path of least octile length, always the same one
 * Note     a diagonal needs both cells beside it out of the discs too
 */
struct pb_path pb_path_find(struct pb_search *s, const struct pb_grid *g,
    int from, int to, const struct pb_disc *disc, size_t n,
    const int32_t *field, int32_t most);

/* Cells expanded by s since it was made, for measurements. */
uint64_t pb_search_expanded(const struct pb_search *s);

PB_END_DECLS
