/* edt.h - exact squared Euclidean distance to the nearest wall cell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/map.h"
#include "pb/plan_grid.h"
#include "pb/status.h"

/*
 * A mask is one byte a cell, 0 or not 0, in the map's own order: row-major,
 * row 0 at the bottom. Distances are between cell centres, in cells, squared
 * and exact. Threads may share a transform.
 */
#define PB_EDT_SIDE (PB_MAP_SIDE + 2) /* a map and a border around it */

struct pb_edt {
	int width;   /* columns, 1..PB_EDT_SIDE (cells) */
	int height;  /* rows, 1..PB_EDT_SIDE (cells) */
	int32_t *d2; /* width * height: the result (cells^2), owned */
};

/* d2 of every cell of a map without walls. */
#define PB_EDT_FAR INT32_MAX

/*
 * The squared distance of each cell to the nearest wall.
 *
 * Given    wall           mask: not 0 is a wall
 *          width, height  1..PB_EDT_SIDE
 *          border         whether all that lies outside the mask is wall too,
 *                         so that a cell on the edge has d2 <= 1
 * Returns  PB_OK and e for pb_edt_clear: 0 in walls, PB_EDT_FAR everywhere if
 *          there is no wall; or PB_ENOMEM, PB_ESIZE and e untouched
 * Note     time linear in the cells, whatever the picture
 */
enum pb_status pb_edt_init(struct pb_edt *e, const unsigned char *wall,
    int width, int height, bool border);

/*
 * The same of a map. All that is not free is wall, for unknown_open only what
 * is occupied; and so is all that lies outside. Returns PB_OK or PB_ENOMEM.
 */
enum pb_status pb_edt_of_map(
    struct pb_edt *e, const struct pb_map *m, bool unknown_open);

/* Free what e owns and zero it. A zeroed e is fine. */
void pb_edt_clear(struct pb_edt *e);

/* Distance of cell i to the nearest wall cell (m); INFINITY if none. */
double pb_edt_clearance(const struct pb_edt *e, size_t i, double resolution);

/*
 * Inflate: mark the cells at most r from a wall.
 *
 * Given    r    radius between cell centres (cells), >= 0
 *          out  mask of e's size
 * Returns  out, 1 where sqrt(d2) <= r and 0 elsewhere
 * Note     walls themselves are marked, for any r; cells that touch the
 *          limit up to rounding (r^2 within 1e-9 of d2) are marked too
 */
void pb_edt_within(const struct pb_edt *e, double r, unsigned char *out);

/* The grid of all other cells: farther than r from every wall. As
 * pb_grid_init(). */
enum pb_status pb_edt_grid(const struct pb_edt *e, double r, struct pb_grid *g);
