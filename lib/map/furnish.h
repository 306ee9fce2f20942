/* furnish.h - furniture in the rooms of a house map. */
#ifndef PB_MAP_FURNISH_H
#define PB_MAP_FURNISH_H

#include "base/rng.h"
#include "map/floorplan.h"
#include "map/map.h"

struct pb_furnish_opts {
	double density; /* pieces per square metre, >= 0 */
	int clearance;  /* what the robot keeps from everything (cells) */
};

/*
 * Put cupboards, tables and pots into the rooms of plan p, drawn on m. A
 * piece that would cut a room's doors from each other, for a robot that keeps
 * the clearance in both axes, is left out, so what was one piece stays one.
 *
 * Given    m  the house, walls and doors drawn; changed
 *          r  random stream, advanced
 * Returns  PB_OK or PB_ENOMEM (m may have some of the furniture)
 */
enum pb_status pb_furnish(struct pb_map *m, const struct pb_floorplan *p,
    const struct pb_furnish_opts *o, struct pb_rng *r);

#endif
