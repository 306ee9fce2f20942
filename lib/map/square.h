/* square.h - cells with a free square around them: the published rule. */
#ifndef PB_MAP_SQUARE_H
#define PB_MAP_SQUARE_H

#include <stdint.h>

#include "map/map.h"

/*
 * The published nodes call a cell safe when all (2c + 1)^2 cells of the
 * square centred on it are free and the square lies within the map. Masks
 * are one byte a cell in the map's order (row 0 at the bottom); the rule
 * looks the same from above and below.
 */

/* Mark the free cells of m: out has one byte a cell, 1 or 0. */
void pb_mask_free(const struct pb_map *m, unsigned char *out);

/*
 * Number of cells that a published length covers: max(1, round(l / R)),
 * halves to even.
 *
 * Given    length      >= 0, finite (m)
 *          resolution  > 0 (m)
 * Returns  1..PB_MAP_SIDE + 1, lengths beyond that being all the same
 */
int pb_square_cells(double length, double resolution);

/*
 * Mark the safe cells.
 *
 * Given    in             mask: not 0 is free
 *          width, height  1..PB_MAP_SIDE
 *          c              half side of the square (cells), >= 0
 *          run            room for width numbers, anything
 *          out            mask; may not overlap in
 * Returns  out, 1 where the square of side 2c + 1 is inside and free
 * Note     linear time whatever c; allocates nothing
 */
void pb_square_mask(const unsigned char *in, int width, int height, int c,
    uint16_t *run, unsigned char *out);

#endif
