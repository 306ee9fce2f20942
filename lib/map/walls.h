/* walls.h - which rooms of a floor plan share a wall. */
#ifndef PB_MAP_WALLS_H
#define PB_MAP_WALLS_H

#include <stdbool.h>

#include "base/status.h"
#include "map/floorplan.h"

/* A wall between two rooms, wide enough for a door. In cells. */
struct pb_wall {
	int a, b;          /* the rooms, a < b */
	struct pb_rect at; /* the wall without its ends */
};

/*
 * The part of the wall between rooms p and q in which a door of door_min
 * fits, walls being `thick`. Returns false, w unspecified, if they share none.
 */
bool pb_wall_between(const struct pb_rect *p, const struct pb_rect *q,
    int thick, int door_min, struct pb_rect *w);

/*
 * All walls that rooms share, by a, then by b.
 *
 * Given    room, n  rooms of a plan; no two overlap. Dropped ones count.
 * Returns  PB_OK, or PB_ENOMEM and *wall, *walls untouched
 *          *wall  the list, from malloc
 * Note     sorts the rooms and looks only at those beside each other
 */
enum pb_status pb_walls_find(const struct pb_room *room, int n, int thick,
    int door_min, struct pb_wall **wall, int *walls);

#endif
