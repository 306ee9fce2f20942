/*
 * methods.h - the localization methods but mcl (mcl_state.h) and fuse (fuse.h):
 * dead reckoning, and the published ones for mazes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "localize/maze_rays.h"
#include "pb/localizer.h"
#include "pb/rng.h"

/*
 * The method "odom": dead reckoning from the start, without sensors; a baseline
 * that any other method must beat. It needs no world. Started anywhere it knows
 * nothing and stays lost.
 *
 * Wheels err in one direction rather than at random: on each run the heading
 * turns away by an unknown share of the distance, and lengths are off by
 * another. Both are part of the state, with the spread below, so that the
 * covariance of the pose grows as the error does.
 */
struct pb_dead_opts {
	double drift;   /* spread of the heading's error (rad/m) */
	double slip;    /* spread of the error of lengths (m/m) */
	double lost_at; /* lost when x or y is spread by more (m) */
};

extern const struct pb_localizer pb_loc_odom;

/*
 * From the camera's cell a ray along each axis predicts the sensor's reading;
 * the difference moves the estimate along that axis. Without a cell from the
 * camera there is no answer; only that cell is remembered.
 */
struct pb_cell_ray_opts {
	double radius;   /* robot's middle to sensor (m; in the model cells) */
	double cv_error; /* candidates further from the camera's cell are
	                    implausible (cells) */
	double far;      /* readings are not trusted if both of an axis are
	                    this far (cells) */
	double noise;    /* noise of a range, for the covariance (share) */
	int through;     /* a ray from a wall goes on; else its length is 0 */
};

struct pb_cell_ray_place {
	struct pb_vec at; /* (cells) */
	double var[2];    /* along x and y (cells2) */
	bool read[2];     /* x, y: from a sensor, not the camera */
};

/*
 * Where the robot is.
 *
 * Given    row, col  the camera's cell, any values
 *          o         as above, radius in cells
 *          cell      side of a cell (m)
 * Note     The published rule for far readings counts an error and "nothing
 *          in range" as far. Variances are ours: that of the sensor, plus the
 *          square of half of what two sensors of an axis disagree by and of
 *          how far the estimate is outside of the cell; the camera's own for
 *          an axis without sensor.
 */
struct pb_cell_ray_place pb_cell_ray(const struct pb_cells *c,
    const struct pb_cell_ray_opts *o, double cell, const struct pb_tof *z,
    int row, int col);

extern const struct pb_localizer pb_loc_cell_ray;

/*
 * In every region the shorter reading of each axis gives a place. Regions are
 * scored by how far it is outside of them and by readings longer than any that
 * they allow. Shorter readings cost nothing: an obstacle may be in the way.
 */
struct pb_region_opts {
	double radius; /* robot's middle to rim and sensor (m) */
	double reach;  /* longest reading; longer is "nothing" (m) */
	double
	    reliable; /* an axis with longer readings is the camera's (cells) */
	bool following; /* apply `reliable`, as when the robot follows a path */
	double
	    outside; /* a place further outside of its region is none (cells) */
	double longer;   /* a reading may exceed the distance by this (cells) */
	double body;     /* part of the square of its radius that must be off
	                    the walls */
	double noise;    /* noise of a range, for the covariance (share) */
	double cv_error; /* error of the camera, for the covariance (cells) */
	int published;   /* use the published table, with its mistakes */
};

/* A maze and the options of the method, lengths in cells. */
struct pb_region_at {
	const struct pb_lattice *w;
	const struct pb_region_opts *o;
};

/*
 * Where the robot is, by the regions near the camera's cell or, without one,
 * by all of them. Without any that fits: the camera's cell, or (0, 0), moved
 * along one axis if a wall is near.
 *
 * Returns  lost, without cell and fit; ambiguous, if the readings are not
 *          quite those of the region or, without cell, fit several, listed
 *          with weights that fall by e per cell of penalty (ours)
 */
void pb_region_where(const struct pb_region_at *k, const struct pb_tof *z,
    struct pb_tof_cell fix, double heading, struct pb_belief *out);

extern const struct pb_localizer pb_loc_region;

/*
 * The robot drives from the cell prev to the adjacent cell next. Walls that are
 * unambiguous from both cells give the place between. Without an answer the
 * state is dropped and the method "region" answers this tick.
 */
struct pb_corridor {
	struct pb_vec at;     /* estimated place (cells) */
	double var[2];        /* its variance along x and y, ours (cells2) */
	int prev[2], next[2]; /* row, col */
};

struct pb_corridor_opts {
	struct pb_region_opts
	    region;    /* what it falls back on; its radius too */
	double jump;   /* a camera cell further away is believed (cells) */
	double usable; /* walls further away are not used (cells) */
	double apart;  /* largest distance of estimate and targets' middle
	                  (cells) */
	double step;   /* odometry that shows a direction (cells) */
};

/* The method's precomputed data; lengths in cells. */
struct pb_corridor_model {
	struct pb_lattice w;
	struct pb_corridor_opts o;
};

/* Which walls may be used, axes as seen by a robot that moves along `ahead` */
struct pb_corridor_walls {
	bool ahead, back, left, right;
};

/*
 * Begin at v: prev is its cell, next the first open one of +x and -x, else
 * the one along +y.
 */
void pb_corridor_begin(
    struct pb_corridor *s, const struct pb_cells *c, struct pb_vec v);

/* Axis from prev to next: x first; +x, -x, +y, else -y. */
int pb_corridor_ahead(const struct pb_corridor *s);

/*
 * The walls that a robot between prev and next can use, if it is nearer to
 * prev, or (farther) to next.
 *
 * Given    most  walls farther away are not used (cells)
 */
struct pb_corridor_walls pb_corridor_walls(const struct pb_cells *c,
    const struct pb_corridor *s, int ahead, bool farther, double most);

/*
 * One tick.
 *
 * Given    fix  the camera's cell; may be unknown
 * Returns  true and the new state; false: the answer is too far from the
 *          targets, and the state is to be dropped
 */
bool pb_corridor_tick(struct pb_corridor *s, const struct pb_corridor_model *k,
    const struct pb_tof *z, struct pb_tof_cell fix);

extern const struct pb_localizer pb_loc_corridor;

/*
 * Walker's alias table, built in linear time (Vose, "A linear algorithm for
 * generating random numbers with a given distribution", 1991).
 */
struct pb_alias {
	size_t n;
	double *keep;    /* n: chance that column i gives i */
	uint32_t *other; /* n: what it gives otherwise */
	uint32_t *work;  /* n: while it is built */
};

/*
 * Fill the table.
 *
 * Given    weight  n, >= 0, finite
 * Returns  false if all are 0
 */
bool pb_alias_fill(struct pb_alias *a, const double *weight);

/* Draw i with the chance of weight i. */
uint32_t pb_alias_draw(const struct pb_alias *a, struct pb_rng *r);

/*
 * A particle filter with headings. In every tick most of the particles may be
 * scattered ("kidnapped"); weights by the camera and by range sensors, any
 * number at any angles, concentrate them again. Every scan is a tick.
 */
struct pb_particle_opts {
	int particles;
	double tick;     /* time between scans (s) */
	double radius;   /* radius of the robot (m) */
	double ring;     /* robot's middle to its sensors (m) */
	double reach;    /* a sensor reads at most, "nothing" (m) */
	double kidnaps;  /* rate of scattering a particle (1/s) */
	double cv_sd;    /* standard deviation of the camera (cells) */
	double range_sd; /* standard deviation of a range (cells) */
	double move_sd;  /* noise of motion per speed ((cells)/(cells/s)) */
	double
	    turn_sd; /* noise of motion per turn rate (cells or rad)/(rad/s) */
	double sd;   /* noise of motion besides (cells or rad, per root of s) */
	double near; /* probability that a particle is drawn near another */
	double spread;  /* most distance from that one (cells, rad) */
	double body;    /* part of the radius that must be off the walls */
	double quantum; /* predicted readings are rounded to this (m) */
};

extern const struct pb_localizer pb_loc_particle;
