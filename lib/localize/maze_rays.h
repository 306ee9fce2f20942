/*
 * maze_rays.h - where the regions of a maze are, and rays at any angle
 * through it.
 */
#pragma once

#include "pb/maze.h"

/*
 * Frame and unit are those of pb_cells_xy(): cells. A square is the unit
 * square between four centres, wall if all four cells are. A region is a
 * rectangle of squares from each of which the first wall is at the same
 * coordinate along every axis: inside of it four readings give the place, as
 * straight lines. Regions cover all squares that are not wall, none twice;
 * corridors give one each, and so do corners and junctions. Read only after
 * pb_regions_init(): threads may share it.
 */
struct pb_region {
	int8_t lo[2], hi[2]; /* corners, x and y */
	int8_t face[4];      /* coordinate of the wall along +x, +y, -x, -y */
};

/* Those of the largest maze, and wall around them where walks end. */
#define PB_REGION_SQUARES (PB_MAZE_SIDE + 3)

struct pb_regions {
	int n;
	struct pb_region *at; /* n of them, by their first square, x first */
	int16_t of[PB_REGION_SQUARES][PB_REGION_SQUARES]; /* pb_region_at() */
};

/*
 * Find the regions of a maze. The squares of equal view are a product of an x
 * and a y interval, so that growing one from its first square along y, then x,
 * finds it whole.
 *
 * Returns  PB_OK and g for pb_regions_clear; PB_ENOMEM and g untouched
 */
enum pb_status pb_regions_init(struct pb_regions *g, const struct pb_cells *c);

/* Free what g owns and zero it. A zeroed struct is fine. */
void pb_regions_clear(struct pb_regions *g);

/*
 * The region of the square with its low corner at (x, y), any values; -1 if
 * the square is wall or outside.
 */
int pb_region_at(const struct pb_regions *g, int x, int y);

/*
 * The region that the point v is in; where several meet, the one of the
 * higher square is taken first.
 *
 * Returns  -1 if v is inside a wall
 */
int pb_region_of(const struct pb_regions *g, struct pb_vec v);

/*
 * Distance from v to the wall along axis i (0..3: +x, +y, -x, -y), in constant
 * time: what pb_cells_ray() walks for.
 *
 * Returns  distance (cells) >= 0; 0 if v is inside a wall
 */
double pb_regions_ray(const struct pb_regions *g, struct pb_vec v, int i);

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
