/* ray_skip.h - how far a ray may leap from each cell of a map without hitting.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/elementary.h"
#include "pb/map.h"

/*
 * For each quadrant of headings and each cell: a block of cells open to rays
 * that has this cell as the corner where they enter it. A byte names the
 * block. Where rays end its bits PB_RAY_SKIP_SIZE are 0: PB_RAY_SKIP_STOP is a
 * cell that stops them, PB_RAY_SKIP_OUT one outside the map that does not.
 *
 * The map has a border of one cell around it, so that no leap leaves the
 * tables: cell (col, row) is at (row + 1) * pitch + col + 1.
 *
 * Quadrants: bit 0 is set for headings to falling columns, bit 1 for those to
 * falling rows. Read only once made: threads may share it.
 */
#define PB_RAY_SKIP_SIZE 0x1f
#define PB_RAY_SKIP_STOP 0
#define PB_RAY_SKIP_OUT  0x80

struct pb_ray_skip {
	size_t pitch; /* of a row of a table */
	size_t cells; /* of a table */
	/* The tables by quadrant, then one byte PB_RAY_SKIP_STOP; owned. */
	unsigned char *block;
	pb_pair size[256]; /* columns and rows of the block a byte names */
};

/*
 * Make the tables of m.
 *
 * Given    unknown_stops  unknown cells stop rays as obstacles do
 * Returns  PB_OK and l for pb_ray_skip_clear, or PB_ENOMEM and l untouched
 * Note     time linear in the cells, whatever the picture; 4 bytes a cell,
 *          3 more while it works
 */
enum pb_status pb_ray_skip_init(
    struct pb_ray_skip *l, const struct pb_map *m, bool unknown_stops);

/* Free what l owns and zero it. A zeroed struct is fine. */
void pb_ray_skip_clear(struct pb_ray_skip *l);
