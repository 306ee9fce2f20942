/* square_ray.h - rays at any angle through the squares of a maze. */
#ifndef PB_LOCALIZE_SQUARE_RAY_H
#define PB_LOCALIZE_SQUARE_RAY_H

#include "localize/regions.h"

/*
 * Distance from v to the first square of wall in the direction (ux, uy), by
 * walking the squares that the ray crosses.
 *
 * Given    v       a point (cells); outside of the maze is wall
 *          ux, uy  a unit vector
 *          most    limit (cells)
 * Returns  distance (cells) in [0, most]; 0 if v is in wall
 */
double pb_square_ray(const struct pb_regions *g, struct pb_vec v, double ux,
    double uy, double most);

/* The same, and *axis: 0 if that square is entered along x, 1 if along y. */
double pb_square_hit(const struct pb_regions *g, struct pb_vec v, double ux,
    double uy, double most, int *axis);

/*
 * Whether a disk touches wall.
 *
 * Given    radius  (cells), at most 1
 */
bool pb_square_touch(
    const struct pb_regions *g, struct pb_vec v, double radius);

#endif
