/* fuse.h - multi-hypothesis Kalman filter for a robot in a maze: ranges, wheels
 * and a late camera. */
#pragma once

#include "localize/maze_rays.h"

/* Lengths of options in metres become cells when the maze is learned. */
struct pb_fuse_opts {
	double radius;  /* of the robot, middle to rim and sensor (m) */
	double reach;   /* longest range that a sensor reads (m) */
	double noise;   /* of a range, part of it, before it is learned */
	double slip;    /* of a step of the wheels, part of it */
	double walk;    /* variance of odometry (m2/m) */
	double blind;   /* way between scans without wheels (m) */
	double bias;    /* of all steps, standard deviation (part) */
	double blocked; /* chance that an obstacle is in a sensor's way */
	double odd;     /* chance that a reading means nothing */
	double wrong;   /* chance that the camera's cell is random, at first */
	double edge; /* edges of the camera's cells are known to this (cells) */
	double kidnap; /* chance in a tick to be put anywhere */
	int delay;     /* longest delay of the camera (ticks) */
};

#define PB_FUSE_HYPOTHESES 32
#define PB_FUSE_TRAIL      64 /* odometry kept for the camera (ticks) */

struct pb_fuse_model {
	struct pb_lattice w;
	struct pb_fuse_opts o; /* radius, reach, walk, blind in cells */
};

/* Normal distribution of x, y (cells) and the part by which the wheels measure
 * too little. */
struct pb_fuse_hypothesis {
	double x[3];
	double p[3][3];         /* covariance of x */
	double lw;              /* log of the weight */
	double fit;             /* part of recent readings that were hits */
	double blocked[PB_TOF]; /* chance that the last one was an obstacle */
};

/* What all hypotheses share about the sensors. */
struct pb_fuse_sense {
	double noise;         /* of a range (part of it) */
	double unit;          /* variance of rounding (cells2) */
	double last[PB_TOF];  /* readings of the last scan */
	double stays[PB_TOF]; /* see pb_fuse_ray() */
	double compass;       /* its constant error (rad) */
	double turned[2]; /* log likelihood ratios of one step less and more */
	double wrong;     /* of the camera */
	double lag[PB_FUSE_TRAIL]; /* chance of each delay */
};

/* One robot. */
struct pb_fuse {
	struct pb_compass compass;
	struct pb_fuse_sense sense;
	struct pb_vec trail[PB_FUSE_TRAIL]; /* the wheels' places (cells) */
	int moves;                          /* ever; the last is latest */
	struct pb_fuse_hypothesis at[PB_FUSE_HYPOTHESES]; /* heaviest first */
	int n;
	int region; /* next one to be searched for new hypotheses */
	double way; /* by the wheels since the last scan (cells) */
	bool heard; /* there was a scan */
	bool seen;  /* there was a fix */
	bool moved; /* the wheels have turned */
	int fix_at; /* `moves` at the last fix */
	struct pb_tof_cell fix;
};

/*
 * Density of a reading of a sensor whose ray is h long.
 *
 * Given    z        reading, or NAN for nothing in range
 *          var      of z - h, if it is a hit (cells2)
 *          blocked  chance that an obstacle is in the way
 *          stays    density of z if the last scan's obstacle is still there,
 *                   < 0: there was none
 * Returns  density (1/cells), or chance if z is NAN; *hit: the chance that z
 *          is a hit
 */
double pb_fuse_ray(const struct pb_fuse_model *k, double z, double h,
    double var, double blocked, double stays, double *hit);

/* Variance of a reading of h (cells2). */
double pb_fuse_var(const struct pb_fuse_sense *s, double h);

/*
 * Correct a hypothesis by four readings.
 *
 * Given    part  of the readings' log likelihood that its weight takes, 0..1
 */
void pb_fuse_correct(struct pb_fuse_hypothesis *q,
    const struct pb_fuse_model *k, const struct pb_fuse_sense *s,
    const struct pb_tof *z, double part);

/* Sort by weight, merge hypotheses of one place, drop light ones, normalize. */
void pb_fuse_prune(struct pb_fuse *f);

extern const struct pb_localizer pb_loc_fuse;
