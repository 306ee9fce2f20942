/*
 * maze_rays.h - where the regions of a maze are, and rays at any angle
 * through it.
 */
#pragma once

#include <stdbool.h>

#include "pb/localizer.h"
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
 *          axis    NULL: not asked for
 * Returns  distance (cells) in [0, most]; 0 if v is in wall; *axis: 0 if that
 *          square is entered along x, 1 if along y
 */
double pb_square_ray(const struct pb_regions *g, struct pb_vec v, double ux,
    double uy, double most, int *axis);

/*
 * Whether a disk touches wall.
 *
 * Given    radius  (cells), at most 1
 */
bool pb_square_touch(
    const struct pb_regions *g, struct pb_vec v, double radius);

/*
 * What the methods for mazes share. They work in cells, in the frame of
 * pb_cells_xy(): x along the rows, y along the columns. Axis i = 0..3 is +x,
 * +y, -x, -y, the order of the published robot's sensors at heading 0. The
 * heading is the compass's and taken as exact, as that robot has it; where
 * covariances are given, those of the heading are 0. Values; nothing shared.
 */
#define PB_TOF 4

/* The published robot: 2.6 inches from its middle to its rim (m). */
#define PB_TOF_RADIUS 0.06604

/* Distances from the rim along each axis, as struct pb_scan has them. */
struct pb_tof {
	double r[PB_TOF]; /* (cells); NAN: nothing in range; < 0: no reading */
	double turn[PB_TOF]; /* angle between the beam and its axis (rad) */
};

/*
 * Check that a world suits four range sensors.
 *
 * Returns  PB_OK; PB_ENOFREE without a cell to walk on; PB_EEMPTY if it has
 *          walls between cells: tape on the floor, which no such sensor sees
 */
enum pb_status pb_tof_world(const struct pb_loc_world *w);

/* Data of a maze that these methods share. The method's options follow, with
 * metres converted to cells. */
struct pb_lattice {
	const struct pb_localizer *m; /* the method that learnt it */
	const struct pb_cells *c;
	struct pb_regions g;
	double cell;      /* (m) */
	double log_cells; /* log of the number of cells to walk on */
};

/* learn() and forget() of these methods; pb_tof_world() checks the world. */
enum pb_status pb_lattice_learn(const struct pb_localizer *m,
    const struct pb_loc_world *w, const void *opts, void **model);
void pb_lattice_forget(void *model);

/* Direction of axis i, any integer. */
enum pb_dir pb_tof_dir(int i);

/* +1 or -1: which way axis i goes along x (even i) or y (odd i). */
int pb_tof_sign(int i);

/* Whether r is a distance, neither an error nor "nothing in range". */
bool pb_tof_is_distance(double r);

/*
 * The beams of a scan that point along the axes: for each the nearest that is
 * less than `within` off.
 *
 * Given    heading  of the robot (rad)
 *          cell     side of a cell (m)
 *          rim      radius that the method's readings begin at (cells), which
 *                   those of a scan with another radius are moved to
 *          within   (rad), at most an eighth of a turn and a hair
 * Returns  readings; axes without a beam have no reading
 */
struct pb_tof pb_tof_from_scan_within(const struct pb_scan *z, double heading,
    double cell, double rim, double within);

/* pb_tof_from_scan_within() 22.5 degrees, for methods that assume aligned
 * beams. */
struct pb_tof pb_tof_from_scan(
    const struct pb_scan *z, double heading, double cell, double rim);

/*
 * Steps from a cell, wall or not, inside or outside of the maze, to the first
 * wall cell along axis i; >= 1. Walls are eroded by half a cell: the distance
 * from the cell's centre to the wall's face is as many cells.
 */
int pb_tof_steps(const struct pb_cells *c, int row, int col, int i);

/*
 * Variance of a distance read by a sensor whose error is noise x distance and
 * whose unit is a millimetre.
 *
 * Given    r      distance (cells)
 *          noise  standard deviation, part of the distance
 *          cell   side of a cell (m)
 * Returns  variance (cells2)
 */
double pb_tof_var(double r, double noise, double cell);

/* Variance along an axis of a place known only as a cell of the camera,
 * uniformly distributed within `off` either way (cells, cells2). */
double pb_tof_cell_var(double off);

/* The compass: the heading in the maze from that of the odometry. */
struct pb_compass {
	double turn;         /* from the odometry's heading (rad) */
	double start;        /* heading to begin with (rad) */
	bool near, set;      /* start holds; turn holds */
	struct pb_pose odom; /* latest */
};

/*
 * PB_LOC_ANYWHERE takes the odometry's heading for the one in the maze; until
 * there is any, that of the start's pose, whose place means nothing.
 */
void pb_compass_reset(struct pb_compass *c, const struct pb_loc_start *s);

/*
 * Update the compass by odometry.
 *
 * Returns  how far that is from the last one (m), turned into the maze; 0 if
 *          that is further than a maze can be
 */
struct pb_vec pb_compass_move(struct pb_compass *c, struct pb_pose odom);

/* Heading in the maze (rad). */
double pb_compass_heading(const struct pb_compass *c);

/* Clamp coordinate x beyond all mazes. */
double pb_tof_clamp(double x);

/* Cell of a fix or pose. */
struct pb_tof_cell {
	int row, col;
	bool known;
};
struct pb_tof_cell pb_tof_cell(struct pb_vec at, double cell);

/* Cell to begin with: that of the pose, unknown if it is anywhere. */
struct pb_tof_cell pb_tof_cell_start(const struct pb_loc_start *s, double cell);

/*
 * Append a hypothesis of weight w to a belief that has room.
 *
 * Given    at, var  place (cells) and its variances along x and y (cells2)
 */
void pb_tof_add_hypothesis(struct pb_belief *b, struct pb_vec at,
    const double var[2], double w, double heading, double cell);
