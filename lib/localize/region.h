/* region.h - the published method that asks which region fits. */
#ifndef PB_LOCALIZE_REGION_H
#define PB_LOCALIZE_REGION_H

#include "localize/maze_rays.h"
#include "localize/tof.h"

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

/* Options and maze as the method works with them: lengths in cells. */
struct pb_region_known {
	struct pb_lattice w;
	struct pb_region_opts o; /* radius and reach in cells */
};

/* Published values, lengths in metres. */
struct pb_region_opts pb_region_defaults(void);

/* Let k, which has learned its maze, work with o, lengths in metres. */
void pb_region_use(struct pb_region_known *k, const struct pb_region_opts *o);

/*
 * Where the robot is, by the regions near the camera's cell or, without one,
 * by all of them. Without any that fits: the camera's cell, or (0, 0), moved
 * along one axis if a wall is near.
 *
 * Returns  lost, without cell and fit; ambiguous, if the readings are not
 *          quite those of the region or, without cell, fit several, listed
 *          with weights that fall by e per cell of penalty (ours)
 */
void pb_region_where(const struct pb_region_known *k, const struct pb_tof *z,
    struct pb_tof_cell fix, double heading, struct pb_belief *out);

extern const struct pb_localizer pb_loc_region;

#endif
