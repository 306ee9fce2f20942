/* hop.h - a robot that drives from the middle of a cell to the next. */
#ifndef PB_ROBOT_HOP_H
#define PB_ROBOT_HOP_H

#include <stdbool.h>

#include "base/geom.h"

/*
 * A game on a grid knows cells only. This is where the robot's body is
 * meanwhile: it begins to drive when the game has it in the next cell, and
 * gets there at constant speed. Values; nothing is shared.
 */
struct pb_hop {
	struct pb_vec from, to; /* middles of cells (cells) */
	struct pb_vec at;       /* between them (cells) */
	int k;                  /* steps since from */
	bool placed;            /* the rest holds */
};

/*
 * The next step; the game has the robot in the cell with its middle at `to`.
 *
 * Given    h      a zeroed one is nowhere
 *          steps  that it takes to the next cell, >= 1
 * Returns  whether it was put there: it was nowhere, or `to` is farther than
 *          the next cell
 */
bool pb_hop_step(struct pb_hop *h, struct pb_vec to, int steps);

#endif
