/* fuse.h - multi-hypothesis Kalman filter for a robot in a maze: ranges, wheels
 * and a late camera. */
#pragma once

#include "localize/maze_rays.h"

/* Lengths of options in metres become cells when the maze is learned. */
struct pb_fuse_opts {
	double radius;  /* robot's middle to its rim and sensors (m) */
	double reach;   /* longest range that a sensor reads (m) */
	double noise;   /* initial noise of ranges (share) */
	double slip;    /* noise of an odometry step (share) */
	double walk;    /* variance of odometry (m2/m) */
	double blind;   /* motion between scans without odometry (m) */
	double bias;    /* standard deviation of the odometry scale (share) */
	double blocked; /* probability of an obstacle before a sensor */
	double odd;     /* probability of an outlier */
	double wrong;   /* initial probability of a random camera cell */
	double edge; /* edges of the camera's cells are known to this (cells) */
	double kidnap; /* probability to be moved anywhere in a tick */
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
	double lw;              /* log weight */
	double fit;             /* share of recent readings that were hits */
	double blocked[PB_TOF]; /* chance that the last one was an obstacle */
};

/* State of the sensors, common to all hypotheses. */
struct pb_fuse_sense {
	double noise;         /* noise of ranges (share) */
	double unit;          /* variance of rounding (cells2) */
	double last[PB_TOF];  /* readings of the last scan */
	double stays[PB_TOF]; /* see pb_fuse_ray() */
	double compass;       /* constant error of the compass (rad) */
	double turned[2]; /* log likelihood ratios of one step less and more */
	double wrong;     /* share of wrong camera cells */
	double lag[PB_FUSE_TRAIL]; /* chance of each delay */
};

/* The state of one robot. */
struct pb_fuse {
	struct pb_compass compass;
	struct pb_fuse_sense sense;
	struct pb_vec trail[PB_FUSE_TRAIL]; /* past odometry (cells), a ring */
	int moves; /* odometry records so far; the last is newest */
	struct pb_fuse_hypothesis at[PB_FUSE_HYPOTHESES]; /* heaviest first */
	int n;
	int region; /* next region to search for new hypotheses */
	double way; /* odometry since the last scan (cells) */
	bool heard; /* a scan was received */
	bool seen;  /* a fix was received */
	bool moved; /* odometry has moved */
	int fix_at; /* `moves` at the last fix */
	struct pb_tof_cell fix;
};

/*
 * Density of a reading of a sensor whose ray has length h.
 *
 * Given    z        reading, or NAN for nothing in range
 *          var      variance of z - h of a hit (cells2)
 *          blocked  probability of an obstacle in the way
 *          stays    density of z if the last scan's obstacle is still there,
 *                   < 0: there was none
 * Returns  density (1/cells), or probability if z is NAN; *hit: probability
 *          that z is a hit
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
