/* gauss.h - normal distributions of a pose, in three numbers. */
#pragma once

#include <stdbool.h>

#include "pb/geom.h"
#include "pb/rng.h"

/*
 * x and y in metres, theta in radians; differences of theta are wrapped, so
 * that a distribution means what it says while its heading is known to better
 * than a quarter turn. Values: nothing is owned.
 */
struct pb_gauss {
	struct pb_pose mean;
	double cov[3][3];  /* symmetric (m2, m rad, rad2) */
	double root[3][3]; /* lower: root root' = cov */
	double log_norm;   /* log of the density at the mean */
};

/*
 * The distribution of that mean and covariance.
 *
 * Returns  whether cov is positive definite; else g is untouched
 */
bool pb_gauss_init(struct pb_gauss *g, struct pb_pose mean, double cov[3][3]);

/* Invert a symmetric positive definite a; false if it is none. */
bool pb_gauss_invert(double a[3][3], double out[3][3]);

/* cov = j cov j': the covariance of a pose after a linear map of it. */
void pb_gauss_map(double cov[3][3], const double j[3][3]);

/* p - g's mean, heading wrapped, in d. */
void pb_gauss_diff(struct pb_pose p, struct pb_pose mean, double d[3]);

/* Log of the density at p. */
double pb_gauss_log(const struct pb_gauss *g, struct pb_pose p);

/* A draw. */
struct pb_pose pb_gauss_draw(const struct pb_gauss *g, struct pb_rng *r);

/*
 * Moments of weighted poses, gathered one by one: the heading's about the
 * first pose given, so that it may lie anywhere on the circle.
 */
struct pb_moments {
	struct pb_pose about; /* the first pose */
	double w;             /* sum of weights */
	double sum[3];        /* sum of weight times difference from `about` */
	double prod[3][3];    /* sum of weight times products of differences */
};

void pb_moments_add(struct pb_moments *m, struct pb_pose p, double w);

/*
 * Mean and covariance of the poses added.
 *
 * Given    m  of positive weight
 */
void pb_moments_get(
    const struct pb_moments *m, struct pb_pose *mean, double cov[3][3]);
