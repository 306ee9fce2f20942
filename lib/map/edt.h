/* edt.h - exact squared Euclidean distance to the nearest wall cell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/map.h"
#include "pb/status.h"

/*
 * A mask is one byte a cell, 0 or not 0, in the map's own order: row-major,
 * row 0 at the bottom. Distances are between cell centres, in cells, squared
 * and exact. A transform belongs to one thread while it runs; afterwards
 * d2 may be read by all.
 */
#define PB_EDT_SIDE (PB_MAP_SIDE + 2) /* a map and a border around it */

/* A parabola of the lower envelope of a row. */
struct pb_edt_arc {
	int32_t u;  /* place of its lowest point, ascending */
	int32_t g2; /* its value there */
	int32_t x;  /* first cell where it is the lowest of all */
};

struct pb_edt {
	int width;     /* columns, 1..PB_EDT_SIDE (cells) */
	int height;    /* rows, 1..PB_EDT_SIDE (cells) */
	int32_t *d2;   /* width * height: the result (cells^2), owned */
	uint16_t *gap; /* width * height: distance within the column, owned */
	struct pb_edt_arc *hull; /* width + 2: the envelope of a row, owned */
};

/* d2 of every cell where there is no wall at all: nowhere near anything. */
#define PB_EDT_FAR INT32_MAX

/*
 * Make room for transforms of masks of one size.
 *
 * Given    width, height  1..PB_EDT_SIDE
 * Returns  PB_OK and e for pb_edt_clear, or PB_ENOMEM, PB_ESIZE and e
 *          untouched
 */
enum pb_status pb_edt_init(struct pb_edt *e, int width, int height);

/* Free what e owns and zero it. A zeroed e is fine. */
void pb_edt_clear(struct pb_edt *e);

/* Free all but the result; e can then only be read and cleared. */
void pb_edt_trim(struct pb_edt *e);

/*
 * Fill e->d2 with the squared distance of each cell to the nearest wall.
 *
 * Given    wall    mask of e's size: not 0 is a wall
 *          border  whether all that lies outside the mask is wall too, so
 *                  that a cell on the edge has d2 <= 1
 * Returns  e->d2: 0 in walls, PB_EDT_FAR everywhere if there is no wall
 * Note     time linear in the cells, whatever the picture; allocates nothing
 */
void pb_edt_run(struct pb_edt *e, const unsigned char *wall, bool border);

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
