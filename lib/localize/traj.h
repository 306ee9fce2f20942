/* traj.h - how far an estimated trajectory is from the true one. */
#ifndef PB_LOCALIZE_TRAJ_H
#define PB_LOCALIZE_TRAJ_H

#include "base/param.h"
#include "localize/pairing.h"

/*
 * Both trajectories are poses with times, in frames of their own unless they
 * are compared as they are. Definitions are those of Sturm et al., "A
 * benchmark for the evaluation of RGB-D SLAM systems" (2012), in the plane, as
 * evo computes them. Nothing is shared; memory is had for the time of a call.
 */

/* A pose that says nothing about itself counts as a confident one. */
#define PB_TRAJ_SILENT (-1)

/* What counts as the same time, as right, and as a step. */
struct pb_traj_opts {
	int pairing;      /* enum pb_pairing */
	double max_dt;    /* between an estimate and its reference (s) */
	double near;      /* right if no further off than this (m) ... */
	double near_turn; /* ... and this (rad) */
	double step_s;    /* of the relative error over time (s), > 0 */
	double step_m;    /* of the relative error over the way (m), > 0 */
	int step_n;       /* of that over poses, > 0 */
	int step_from;    /* enum pb_step_from */
};

/* Where the first of steps one behind the other begins. */
enum pb_step_from {
	PB_STEP_FROM_FIRST,  /* at the first pose */
	PB_STEP_FROM_STRETCH /* at the end of a step from there, not counted */
};
#define PB_STEP_FROMS "first|stretch"

/* Errors summed up; all NAN without any. */
struct pb_spread {
	double rmse, mean, median, max;
};

/* The errors of n poses or steps. */
struct pb_traj_error {
	size_t n;
	struct pb_spread place; /* (m) */
	struct pb_spread turn;  /* size of the angle (rad) */
};

/* Relative errors over steps of step_s, step_m and step_n. */
struct pb_traj_steps {
	struct pb_traj_error s, m, n;
};

struct pb_traj_report {
	size_t pairs;
	size_t alone;     /* estimates without a reference in time */
	size_t reference; /* poses of the reference */
	bool numbered;    /* times are broken: pairs count as one a second */
	double duration;  /* from the first to the last pair (s) */
	double length;    /* way of the reference between them (m) */

	struct pb_traj_error ate;      /* as they are */
	struct pb_pose shift;          /* that aligns the estimates best */
	struct pb_traj_error ate_best; /* after it */
	struct pb_traj_steps step;     /* one behind the other */
	struct pb_traj_steps step_all; /* from every pose */

	double found;     /* from the first pair to the first right one that
	                     is confident (s), NAN if there is none */
	double lost;      /* share of the time with status lost */
	double ambiguous; /* ... ambiguous */
	size_t wrong;     /* pairs that are confident and not right */
};

struct pb_traj_opts pb_traj_defaults(void);

/* The options, described for the command line; static storage, *n rows. */
const struct pb_param *pb_traj_params(size_t *n);

/*
 * A number of r by name: ate (rmse, m), ate_max, ate_turn (rad), the same with
 * aligned in place of ate, rpe_s, rpe_m, rpe_n (rmse), the same with _all
 * behind, lost, ambiguous, wrong, alone, pairs, found.
 *
 * Returns  whether there is such a number
 */
bool pb_traj_number(
    const struct pb_traj_report *r, const char *name, double *value);

/*
 * The motion that brings the places of a[n] nearest to those of b[n], in
 * least squares: rotation and translation without scale (Umeyama, 1991, in
 * the plane). The identity for n = 0, a translation if the places have no
 * direction.
 */
struct pb_pose pb_traj_align(
    const struct pb_pose *a, const struct pb_pose *b, size_t n);

/*
 * Compare. Pairs whose times are broken are numbered in their order.
 *
 * Returns  PB_OK and r, PB_ENOENT if no estimate has a reference, or what
 *          pb_pair_poses() returns; r untouched
 */
enum pb_status pb_traj_compare(const struct pb_timed *ref, size_t nr,
    const struct pb_timed *est, size_t ne, const struct pb_traj_opts *o,
    struct pb_traj_report *r, struct pb_pair_doubt *d);

#endif
