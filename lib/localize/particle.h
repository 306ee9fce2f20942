/* particle.h - the published particle filter for mazes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/localizer.h"
#include "pb/rng.h"

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

/* Bytes that a table of n weights takes; a multiple of 8. */
size_t pb_alias_bytes(size_t n);

/* A table in memory of so many bytes, aligned for double. */
struct pb_alias pb_alias_in(void *mem, size_t n);

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
 * A cloud of poses with headings of their own. Every tick most of it may be
 * thrown anywhere ("kidnapped"); the camera and the range sensors, any number
 * at any angles, draw it together again. It ticks at every scan.
 */
struct pb_particle_opts {
	int particles;
	double tick;     /* between scans (s) */
	double radius;   /* of the robot (m) */
	double ring;     /* from its middle to its sensors (m) */
	double reach;    /* a sensor reads at most, "nothing" (m) */
	double kidnaps;  /* of a particle, a second */
	double cv_sd;    /* of the camera (cells) */
	double range_sd; /* of a range (cells) */
	double move_sd;  /* noise of motion per speed ((cells)/(cells/s)) */
	double turn_sd;  /* ... per turn rate (cells or rad)/(rad/s) */
	double sd;       /* ... always (cells or rad, per root of s) */
	double near;     /* new ones appear near another so often, 0..1 */
	double spread;   /* ... so near, either way (cells, rad) */
	double body;     /* part of the radius that must be off the walls */
	double quantum;  /* predicted readings are rounded to this (m) */
	int mean;        /* enum pb_particle_mean */
};

enum pb_particle_mean {
	PB_PARTICLE_ALL, /* as published: of all, wherever they are */
	PB_PARTICLE_PEAK /* of those within a cell of the heaviest */
};

extern const struct pb_localizer pb_loc_particle;
