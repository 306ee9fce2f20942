/* fuse.h - several guesses at once from ranges, wheels and a late camera. */
#pragma once

#include "localize/maze_rays.h"

/*
 * The belief is a list of guesses, each a normal distribution of place and of
 * what the wheels measure too little, with a weight. A range is compared with
 * the exact ray, and is a hit, or short because something is in the way, or
 * odd; the four of a scan that fits nowhere near any guess bring up new ones
 * from all regions of the maze. The camera's cell is compared with where each
 * guess was so many ticks ago, the number being learned. Lengths in cells.
 */
struct pb_fuse_opts {
	double radius; /* of the robot, middle to rim and sensor (m) */
	double reach;  /* what a sensor reads at most (m) */
	double noise;  /* of a range to begin with; then learned (part of it) */
	double slip;   /* of a step of the wheels (part of it) */
	double walk;   /* variance of a way by the wheels (m2/m) */
	double blind;  /* way between scans while wheels say nothing (m) */
	double bias;   /* of all their steps, standard deviation (part) */
	double blocked; /* chance that something is in a sensor's way */
	double odd;     /* chance that a reading means nothing */
	double wrong; /* chance that the camera's cell is any cell, to begin */
	double edge; /* edges of the camera's cells are known to this (cells) */
	double kidnap; /* chance that the robot is put anywhere in a tick */
	int delay;     /* the camera is so many ticks late at most */
};

#define PB_FUSE_GUESSES 32
#define PB_FUSE_TRAIL   64 /* odometry kept for the camera (ticks) */
#define PB_FUSE_COMPASS 13 /* errors of the compass that are compared */

struct pb_fuse_known {
	struct pb_lattice w;
	struct pb_fuse_opts o; /* radius, reach, walk, blind in cells */
};

/* x, y (cells) and the part that the wheels measure too little. */
struct pb_fuse_guess {
	double x[3];
	double p[3][3];         /* covariance of x */
	double lw;              /* log of the weight */
	double fit;             /* part of its recent readings that were hits */
	double blocked[PB_TOF]; /* how likely something was in the way */
};

/* What is common to the guesses about the sensors. */
struct pb_fuse_sense {
	double noise;                  /* of a range (part of it) */
	double unit;                   /* variance of rounding (cells2) */
	double more;                   /* they read so much too much (cells) */
	double last[PB_TOF];           /* readings of the last scan */
	double stays[PB_TOF];          /* pb_fuse_ray() has it */
	double wrong;                  /* of the camera */
	double lag[PB_FUSE_TRAIL];     /* chance of each delay */
	double compass;                /* it shows so much too much (rad) */
	double shows[PB_FUSE_COMPASS]; /* how well each value of that fits */
};

/* Wheels: where they said that the robot was, latest last (cells). */
struct pb_fuse_trail {
	struct pb_vec at[PB_FUSE_TRAIL];
	int n; /* ever */
};

/* One robot. */
struct pb_fuse {
	struct pb_compass compass;
	struct pb_fuse_sense sense;
	struct pb_fuse_trail trail;
	struct pb_fuse_guess at[PB_FUSE_GUESSES]; /* heaviest first */
	int n;
	int turn;         /* of the regions, to be looked through next */
	unsigned scans;   /* while one guess was sure */
	double gone;      /* way by the wheels since the last scan (cells) */
	double fix_gone;  /* ... since the last fix that counted (cells) */
	bool heard, seen; /* there was a scan; a fix */
	bool moved;       /* the wheels have ever turned */
	struct pb_tof_cell fix;
	int fix_at; /* trail.n then */
};

/* A step of the wheels. */
void pb_fuse_move(
    struct pb_fuse_guess *q, const struct pb_fuse_known *k, struct pb_vec d);

/*
 * Correct a guess by four readings.
 *
 * Given    part  of the readings' evidence that counts for the weight, 0..1
 */
void pb_fuse_update_tof(struct pb_fuse_guess *q, const struct pb_fuse_known *k,
    const struct pb_fuse_sense *s, const struct pb_tof *z, double part);

/*
 * Density of a reading of a sensor that should read h.
 *
 * Given    z        reading, or NAN for nothing in range
 *          var      of z - h, if it is a hit (cells2)
 *          blocked  chance that something is in the way
 *          stays    density of z if what was in the way is there still, < 0:
 *                   nothing was
 * Returns  density (1/cells), or chance if z is NAN; *hit: the chance that z
 *          is a hit
 */
double pb_fuse_ray(const struct pb_fuse_known *k, double z, double h,
    double var, double blocked, double stays, double *hit);

/* Compare the readings of a scan with those before, and remember them. */
void pb_fuse_compare(struct pb_fuse_sense *s, const double *z);

/*
 * What sensor i reads from v, its beam turned from the axis: by the exact ray,
 * wherever that ends.
 *
 * Given    turn  (rad); with less than PB_FUSE_ALIGNED off it is the axis
 * Returns  from rim to wall, and what it reads too much (cells), >= 0; *axis:
 *          0 if the wall is across x, 1 if across y; *along: part of the way
 *          that goes along that axis, signed
 */
double pb_fuse_expect(const struct pb_fuse_known *k,
    const struct pb_fuse_sense *s, struct pb_vec v, int i, double turn,
    int *axis, double *along);
#define PB_FUSE_ALIGNED 0.01

/* Bounds of the ranges' noise, which is learned. */
#define PB_FUSE_NOISE_MIN 0.002
#define PB_FUSE_NOISE_MAX 0.1

/*
 * Learn from guess q and a scan what the compass shows too much.
 *
 * Given    part  of the readings' evidence that counts, 0..1
 */
void pb_fuse_learn_compass(struct pb_fuse_sense *s,
    const struct pb_fuse_known *k, const struct pb_fuse_guess *q,
    const struct pb_tof *z, double part);

/* Variance of a reading of h (cells2). */
double pb_fuse_var(const struct pb_fuse_sense *s, double h);

/* Log of the chance of the camera's latest cell, if the guess is right. */
double pb_fuse_seen(const struct pb_fuse *f, const struct pb_fuse_known *k,
    const struct pb_fuse_guess *q);

/* The camera says a cell: weigh the guesses, learn its delay and faults. */
void pb_fuse_update_fix(struct pb_fuse *f, const struct pb_fuse_known *k);

/* Sort, join those that agree, drop those that do not matter, sum to 1. */
void pb_fuse_tidy(struct pb_fuse *f);

extern const struct pb_localizer pb_loc_fuse;
