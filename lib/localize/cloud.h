/* cloud.h - the particles of the published filter: one tick of them. */
#ifndef PB_LOCALIZE_CLOUD_H
#define PB_LOCALIZE_CLOUD_H

#include "base/rng.h"
#include "localize/alias.h"
#include "localize/particle.h"
#include "localize/regions.h"
#include "localize/tof.h"

/* Options and maze, shared by threads; lengths in cells. */
struct pb_cloud_known {
	const struct pb_cells *c;
	struct pb_regions g;
	struct pb_particle_opts o; /* radius, ring, reach, quantum in cells */
	double cell;               /* (m) */
};

/* The particles of one robot: borrowed lists of o.particles each. */
struct pb_cloud {
	size_t n;
	struct pb_pose *at;    /* (cells) */
	struct pb_pose *spare; /* for resampling */
	double *weight;
	struct pb_alias alias;
};

/* Where the cloud is. */
struct pb_cloud_guess {
	struct pb_pose mean; /* (cells) */
	double cov[3][3];    /* (cells, rad) */
};

/* Bytes of a cloud of n; a multiple of 8. */
size_t pb_cloud_bytes(size_t n);

/* A cloud in memory of so many bytes, aligned for double. */
struct pb_cloud pb_cloud_in(void *mem, size_t n);

/* Put all particles near the start, or fill up from nothing as published. */
void pb_cloud_start(struct pb_cloud *p, const struct pb_cloud_known *k,
    const struct pb_loc_start *s, struct pb_rng *r);

/*
 * Kidnap some particles and move the others, not through walls.
 *
 * Given    by  motion since the last tick, as seen by the robot (cells)
 */
void pb_cloud_move(struct pb_cloud *p, const struct pb_cloud_known *k,
    struct pb_pose by, struct pb_rng *r);

/*
 * Weigh them by a scan and the camera's cell, which may be unknown.
 *
 * Returns  the heaviest, or -1 if none may be
 */
long pb_cloud_weigh(struct pb_cloud *p, const struct pb_cloud_known *k,
    const struct pb_scan *z, struct pb_tof_cell fix);

/* The answer, by weight. */
struct pb_cloud_guess pb_cloud_guess(
    const struct pb_cloud *p, const struct pb_cloud_known *k, long heaviest);

/* Draw a new cloud from the weighed one. */
void pb_cloud_resample(struct pb_cloud *p, struct pb_rng *r);

#endif
