/* leap.h - how far a ray may leap from each cell of a map without hitting. */
#ifndef PB_MAP_LEAP_H
#define PB_MAP_LEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "map/map.h"

/*
 * For each quadrant of headings and each cell: a block of cells open to rays
 * that has this cell as the corner where they enter it. A byte names the
 * block, PB_LEAP_STOP a cell that stops rays. The map has a border of one
 * stopping cell around it, so that no leap leaves the tables: cell (col, row)
 * is at (row + 1) * pitch + col + 1.
 *
 * Quadrants: bit 0 is set for headings to falling columns, bit 1 for those to
 * falling rows. Read only once made: threads may share it.
 */
#define PB_LEAP_STOP 0

struct pb_leap {
	size_t pitch;            /* of a row of the tables */
	unsigned char *block[4]; /* by quadrant; one piece, owned by block[0] */
	/* Columns and rows of the block that a byte names, whole numbers. */
	struct pb_leap_size {
		double n[2];
	} size[256];
};

/*
 * Make the tables of m.
 *
 * Given    unknown_stops  unknown cells stop rays as obstacles do
 * Returns  PB_OK and l for pb_leap_clear, or PB_ENOMEM and l untouched
 * Note     time linear in the cells, whatever the picture; 4 bytes a cell,
 *          3 more while it works
 */
enum pb_status pb_leap_init(
    struct pb_leap *l, const struct pb_map *m, bool unknown_stops);

/* Free what l owns and zero it. A zeroed struct is fine. */
void pb_leap_clear(struct pb_leap *l);

#endif
