/* search.h - the workspace of the searches; for the files of map/path only. */
#ifndef PB_MAP_SEARCH_H
#define PB_MAP_SEARCH_H

#include "map/heap.h"
#include "map/path.h"

#define PB_SQRT2 1.4142135623730951

/* What the search for all shortest paths knows of a cell; path_band.c. */
struct pb_band {
	int32_t dist; /* from the start, PB_FIELD_NONE between queries */
	int32_t left; /* least distance to the goal */
	int32_t next; /* the next cell in its bucket, -1 at the end */
	int32_t prev; /* the one before, -1 if it is the first */
};

struct pb_search {
	const struct pb_grid *g;
	struct pb_heap heap;
	struct pb_band *band; /* by cell */
	int *reached;         /* room for the cells that have a distance */
	double *cost;         /* of the way from the start, where seen */
	uint32_t *seen;       /* number of the query that saw the cell */
	uint32_t *mark;       /* number of the query that marked it */
	unsigned char *came;  /* move that led to it */
	int *way;             /* room for any path, and for a queue */
	uint32_t query;       /* number of this query */
	int step[PB_MOVES];   /* change of index */
	uint64_t expanded;
};

/* Begin a query: nothing is seen or marked, the heap is empty. */
void pb_search_begin(struct pb_search *s);

/* Octile distance from a to b with nothing in the way, as field.h has it. */
int32_t pb_search_bound(const struct pb_grid *g, int a, int b);

/* Whether this query has no way to cell i yet that costs as little. */
bool pb_search_cheaper(const struct pb_search *s, int i, double cost);

/* Cell i can be reached at the given cost by move k; rank it by key, tie. */
void pb_search_open(
    struct pb_search *s, int i, int k, double cost, uint64_t key, uint32_t tie);

/*
 * Mark the cells of all shortest paths between two cells that are joined.
 *
 * Returns  false if the way is too long to tell, and nothing marked
 */
bool pb_search_mark(struct pb_search *s, int from, int to);

/* The path that ends in `to`, by the moves that led there. */
struct pb_path pb_search_trace(struct pb_search *s, int from, int to);

#endif
