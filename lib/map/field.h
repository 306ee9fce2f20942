/* field.h - geodesic distances over a planning grid, and descent on them. */
#ifndef PB_MAP_FIELD_H
#define PB_MAP_FIELD_H

#include "map/grid.h"

/*
 * Distances are octile path lengths in fixed point: a straight move costs
 * PB_STEP, a diagonal one PB_DIAG. 8119 / 5741 is a convergent of sqrt 2,
 * off by 1.1e-8: two lengths are ordered as the real ones are unless their
 * numbers of diagonals differ by 5741 or more. Integers make sums exact, so
 * a cell n lies on a shortest path from a to b if and only if
 * d(a, n) + d(n, b) == d(a, b).
 *
 * A field is one int32_t a cell, in the grid's order, owned by the caller.
 * Fields may be shared once made; a workspace belongs to one thread.
 */
#define PB_STEP 5741
#define PB_DIAG 8119

/*
 * The value of a cell that cannot be reached, or not within the limit. The
 * longest distance is 300,000 cells (15 km at 5 cm); what is farther counts
 * as out of reach.
 */
#define PB_FIELD_NONE INT32_MAX
#define PB_FIELD_MAX  (300000 * PB_STEP)

/* Room for a wave front. */
struct pb_wave {
	size_t room;      /* entries in each list */
	int32_t *list[3]; /* buckets of one step each; owned, one block */
};

/*
 * Make room for waves over grids of up to `cells` cells.
 *
 * Returns  PB_OK and w for pb_wave_clear, or PB_ENOMEM and w untouched
 */
enum pb_status pb_wave_init(struct pb_wave *w, size_t cells);

/* Free what w owns and zero it. A zeroed w is fine. */
void pb_wave_clear(struct pb_wave *w);

/* A place from which a field grows. */
struct pb_field_source {
	int cell;   /* index; not free or -1: the source is ignored */
	int32_t at; /* distance (or time) at which it starts, 0..PB_FIELD_MAX */
};

/*
 * Distance of every cell from the nearest source: the first arrival of a
 * front that starts at each source at its own time.
 *
 * Given    g      grid of at most the cells that w has room for
 *          src    n sources in ascending order of `at`
 *          limit  stop beyond this distance; PB_FIELD_MAX for none
 *          out    one number a cell
 * Returns  out: distances <= limit, PB_FIELD_NONE elsewhere
 * Note     linear in the cells reached (buckets of one step: no heap), but
 *          for clearing out; allocates nothing
 */
void pb_field_make(struct pb_wave *w, const struct pb_grid *g,
    const struct pb_field_source *src, size_t n, int32_t limit, int32_t *out);

/* The same from one cell at 0, without a limit. */
void pb_field_from(
    struct pb_wave *w, const struct pb_grid *g, int cell, int32_t *out);

/* d in cells; INFINITY for PB_FIELD_NONE. */
double pb_field_cells(int32_t d);

/*
 * The next cell downhill: the first move, in the grid's order, that lies on
 * a shortest path to the field's source.
 *
 * Given    from  a free cell
 * Returns  index, or -1 at a source or where the field is PB_FIELD_NONE
 */
int pb_field_next(const struct pb_grid *g, const int32_t *field, int from);

/*
 * Walk downhill from a cell to a source.
 *
 * Given    from  index
 *          path  room for max indices
 * Returns  number of cells written, both ends included: all of the way if
 *          it is at most max, else its first max cells; 0 if from is out of
 *          reach
 */
size_t pb_field_descend(const struct pb_grid *g, const int32_t *field, int from,
    int *path, size_t max);

#endif
