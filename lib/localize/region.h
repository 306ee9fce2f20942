/*
 * region.h - the published methods that ask which region fits, and that follow
 * a corridor cell by cell.
 */
#pragma once

#include "localize/maze_rays.h"

/*
 * In every region the shorter reading of each axis gives a place; the regions
 * are scored by how far it is outside of them and by readings longer than any
 * that they allow. Shorter readings cost nothing: something may be in the way.
 */
struct pb_region_opts {
	double radius; /* of the robot, middle to rim and sensor (m) */
	double reach;  /* what a sensor reads at most, "nothing" (m) */
	double
	    reliable; /* an axis with longer readings is the camera's (cells) */
	bool following; /* ... while the robot follows a path, as in play */
	double
	    outside; /* a place further outside of its region is none (cells) */
	double longer;    /* a reading may be so much too long (cells) */
	double body;      /* part of the robot that must be off the walls */
	bool body_square; /* ... of the square of its radius, not the radius */
	double noise;     /* of a range, for the covariance (part of it) */
	double cv_error;  /* of the camera, for the covariance (cells) */
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
 * The robot is on its way from the cell prev to the cell next, one step apart.
 * Walls that cannot be mistaken from either of them say where between. Without
 * answer the state is dropped and the method "region" has this tick.
 */
struct pb_corridor {
	struct pb_vec at;     /* estimate (cells) */
	double var[2];        /* of it, ours (cells2) */
	int prev[2], next[2]; /* row, col */
};

enum pb_corridor_middle {
	PB_CORRIDOR_SUM,     /* as published: root of dx + dy; NAN passes */
	PB_CORRIDOR_DISTANCE /* root of dx^2 + dy^2 */
};

struct pb_corridor_opts {
	struct pb_region_opts
	    region;    /* what it falls back on; its radius too */
	double jump;   /* a camera cell further away is believed (cells) */
	double usable; /* walls further away are not used (cells) */
	double apart;  /* of the estimate and the targets' middle (cells) */
	int middle;    /* enum pb_corridor_middle: how apart is measured */
	double step;   /* way by the wheels that shows a direction (cells) */
};

/* What the method knows; lengths in cells. */
struct pb_corridor_known {
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
 * prev (or `farther`, nearer to next).
 *
 * Given    most  walls further away are not used (cells)
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
bool pb_corridor_tick(struct pb_corridor *s, const struct pb_corridor_known *k,
    const struct pb_tof *z, struct pb_tof_cell fix);

extern const struct pb_localizer pb_loc_corridor;
