/* traj.h - how far an estimated trajectory is from the true one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/geom.h"
#include "pb/localizer.h"
#include "pb/param.h"
#include "pb/status.h"

/*
 * The order of poses in a stream is reliable, their times are not: logs have
 * stamps that were rounded, stand still, go back or jump. All arrays here are
 * in the order of their stream. Nothing is shared; memory is had for the time
 * of a call.
 */
struct pb_timed {
	double t; /* (s), finite */
	struct pb_pose p;
	int status;      /* enum pb_loc_status, or PB_TRAJ_NO_STATUS */
	size_t before;   /* of an estimate: number of references before it in
	                  its stream, or PB_TIMED_APART */
	double sigma[3]; /* standard deviations of x, y, theta that it claims,
	                    NAN: none (m, m, rad) */
	double fit;  /* share of beams that the map explains, NAN: unknown */
	double jump; /* deviation from odometry (m), 0: none */
	const char *file; /* source file, not owned; NULL: none */
};

/* Value of `before`: the references are in another stream. */
#define PB_TIMED_APART SIZE_MAX

/* A zeroed list is empty. */
struct pb_timed_list {
	struct pb_timed *at; /* owned */
	size_t n, cap;
};

/* PB_OK, or PB_ENOMEM and l as it was. */
enum pb_status pb_timed_add(struct pb_timed_list *l, struct pb_timed x);
void pb_timed_clear(struct pb_timed_list *l);

/*
 * The pose at time t. Poses are in the order of the log, usually of rising
 * times; NAN is an unknown time.
 *
 * Given    before  number of poses before this place in the log, <= l->n
 *          t     (s), NAN: no time
 *          gap   poses farther away in time do not count (s)
 * Returns  true and the pose: the latest if it has the same time or times are
 *          missing; else, between two poses at most gap apart, a share of the
 *          way from one to the other; else the nearest pose, at most gap away.
 *          False: none of these
 */
bool pb_timed_find(const struct pb_timed_list *l, size_t before, double t,
    double gap, struct pb_pose *pose);

/* Whether the stamps of records can be used as times. */
struct pb_stamps {
	size_t n;
	size_t missing;  /* stamps that are no number */
	size_t repeated; /* stamps equal to an earlier one */
	size_t back;     /* stamps before the previous one */
	double late;     /* farthest step back (s) */
	double jump;     /* an impossible step ahead (s), 0: none */
	bool broken;     /* unusable: number the records instead */
};

/*
 * Check stamps. They are broken if some are missing or repeated; if one lies
 * more than a second before the one before it; if more than 5 % lie before the
 * one before them; or if one step exceeds an hour and ten times the sum of all
 * others.
 *
 * Given    t  the first of n stamps, `stride` bytes apart
 * Returns  PB_OK and s, or PB_ENOMEM
 */
enum pb_status pb_stamps_check(
    const double *t, size_t stride, size_t n, struct pb_stamps *s);

/* Estimates with ambiguous references. */
struct pb_pair_ambiguity {
	size_t n;
	double t; /* stamp of the first such estimate (s) */
};

/*
 * Find the reference of each estimate: the nearest in time within max_dt; of
 * several estimates it belongs to the nearest, of equals to the last. Among
 * references of one time order decides: in one stream an estimate has the last
 * reference before it; two streams of equal length are paired by number.
 *
 * Returns  PB_OK with of[ne], the index in ref or nr if none; PB_ENOMEM;
 *          PB_EVAGUE and d if pairs are ambiguous, because times of
 *          estimates, or of references in another stream, were rounded
 */
enum pb_status pb_pair_poses(const struct pb_timed *ref, size_t nr,
    const struct pb_timed *est, size_t ne, double max_dt, size_t *of,
    struct pb_pair_ambiguity *d);

/*
 * Both trajectories are poses with times, in frames of their own unless they
 * are compared as they are. Definitions are those of Sturm et al., "A
 * benchmark for the evaluation of RGB-D SLAM systems" (2012), in the plane, as
 * evo computes them. Nothing is shared; memory is had for the time of a call.
 */

/* The status of a pose without one; it counts as confident. */
#define PB_TRAJ_NO_STATUS (-1)

/* Tolerances of a comparison. */
struct pb_traj_opts {
	double max_dt; /* most time between an estimate and its reference (s) */
	double
	    max_gap; /* most time between two references to interpolate (s) */
	double near; /* largest error of a right pose (m) */
	double near_turn; /* and of its heading (rad) */
	double step_s;    /* step of the relative error over time (s), > 0 */
	double step_m; /* step of the relative error over distance (m), > 0 */
};

/* Statistics of errors; NAN without any. */
struct pb_spread {
	double rmse, mean, median, max;
};

/* Statistics of n errors x, which are sorted. */
struct pb_spread pb_spread_of(double *x, size_t n);

/* The errors of n poses or steps. */
struct pb_traj_error {
	size_t n;
	struct pb_spread place; /* (m) */
	struct pb_spread turn;  /* size of the angle (rad) */
};

struct pb_traj_report {
	size_t pairs;
	size_t alone;     /* estimates without a reference near in time */
	size_t between;   /* pairs with an interpolated reference */
	size_t reference; /* poses of the reference */
	bool numbered;    /* times are broken: pairs count as 1 s apart */
	double duration;  /* from the first to the last pair (s) */
	double length;    /* path length of the reference between them (m) */

	struct pb_traj_error ate;      /* absolute errors, without alignment */
	struct pb_pose shift;          /* the alignment */
	struct pb_traj_error ate_best; /* absolute errors after alignment */
	struct pb_traj_error rpe_s;    /* relative errors of steps of step_s */
	struct pb_traj_error rpe_m;    /* relative errors of steps of step_m */

	double found;     /* from the first pair to the first right one that
	                     is confident (s), NAN if there is none */
	double lost;      /* share of the time with status lost */
	double ambiguous; /* the same with status ambiguous */
	double unmapped;  /* the same with status unmapped */
	size_t wrong;     /* pairs that are confident and wrong */
};

/* Statistics of numbers; NAN without any. The deviation divides by n. */
struct pb_span {
	double mean, sd, min, max;
};

/* Statistics of n numbers, `stride` bytes apart. */
struct pb_span pb_span_of(const double *x, size_t stride, size_t n);

/* Scatter of poses about their mean, without true poses. Unknown numbers are
 * NAN. */
struct pb_scatter {
	size_t n;
	struct pb_pose mean; /* mean pose (m, m, rad) */
	double sd[3]; /* standard deviations of x, y, theta (m, m, rad) */
	double radial_mean, radial_max; /* distances from the mean place (m) */
	double turn_max; /* largest angle from the mean heading (rad) */
	double apart_mean, apart_max; /* distances of all pairs of places (m) */
	double duration; /* time from the first to the last pose (s) */
	struct pb_span dt, step, turn; /* from each to the next; size of the
	                                  angle (s, m, rad) */
	double sigma[3]; /* mean of the standard deviations that poses claim */
	struct pb_pose end; /* the last */
};

/* Statistics of the status of estimates, without true poses. Each counts until
 * the next one; those without a status do not count. */
struct pb_claims {
	size_t n;        /* estimates with a status; 0: the rest is 0 */
	double duration; /* time covered by them (s) */
	double
	    way; /* distance by odometry, else by estimates without jumps (m) */
	bool wheels;                  /* the log has odometry */
	double time[PB_LOC_STATUSES]; /* shares of the duration (of estimates if
	                                 it is 0) */
	double
	    gone[PB_LOC_STATUSES]; /* shares of the distance; NAN without it */
	double known_s,
	    known_m; /* before the first tracking estimate, NAN: none */
	double fit;  /* median of `fit`, NAN: no estimate has it */
	struct pb_timed_list jump; /* distances from the odometry (m), ... */
	struct pb_timed_list lost; /* last tracking estimate before each loss */
	struct pb_timed_list unmapped; /* last estimate before each unmapped
	                                  stretch; at the begin, its first */
};

/* Up to this number of poses all pairs are compared. */
#define PB_SCATTER_APART 2000

struct pb_traj_opts pb_traj_defaults(void);

/* The options, described for the command line. */
/* All of them, and what "right" means alone. */
extern const struct pb_params pb_traj_params, pb_traj_near_params;

/*
 * A number of r by name: ate (rmse, m), ate_max, ate_turn (rad), the same with
 * aligned in place of ate, rpe_s, rpe_m (rmse), lost, ambiguous, unmapped,
 * wrong, alone, pairs, found.
 *
 * Returns  whether there is such a number
 */
bool pb_traj_number(
    const struct pb_traj_report *r, const char *name, double *value);

/*
 * A number of s by name: radial_mean, radial_max, apart_mean, apart_max (m),
 * turn_max, sd_theta (rad), sd_x, sd_y, step_max (m), duration (s).
 *
 * Returns  whether there is such a number
 */
bool pb_scatter_number(
    const struct pb_scatter *s, const char *name, double *value);

/*
 * Given    x[n]  in their order, n > 0; t NAN: not known; theta NAN: not known
 * Returns  PB_OK and s, or PB_ENOMEM
 */
enum pb_status pb_scatter_of(
    const struct pb_timed *x, size_t n, struct pb_scatter *s);

/*
 * Jumps are those recorded with estimates; if no estimate has fit or jump,
 * distances above `near` from the odometry count.
 *
 * Given    x[n]   in their order
 *          odom   of the same time, in a frame of its own; may be empty
 * Returns  PB_OK and c for pb_claims_clear(), or PB_ENOMEM and c empty
 */
enum pb_status pb_claims_of(const struct pb_timed *x, size_t n,
    const struct pb_timed *odom, size_t no, double near, struct pb_claims *c);
void pb_claims_clear(struct pb_claims *c);

/*
 * A number of c by name: tracking, ambiguous, unmapped, lost (shares of the
 * time), the same with _way behind (of the way), known_s (s), known_m, way (m),
 * fit, jumps.
 *
 * Returns  whether there is such a number
 */
bool pb_claims_number(
    const struct pb_claims *c, const char *name, double *value);

/*
 * The motion that brings the places of a[n] nearest to those of b[n], in
 * least squares: rotation and translation without scale (Umeyama, 1991, in
 * the plane). The identity for n = 0, a translation if the places have no
 * direction.
 */
struct pb_pose pb_traj_align(
    const struct pb_pose *a, const struct pb_pose *b, size_t n);

/*
 * Compare. An estimate that no reference is near to in time is compared with
 * the pose between two references at most max_gap apart, unless their times are
 * broken. Pairs whose times are broken are numbered in their order.
 *
 * Returns  PB_OK and r, PB_ENOENT if no estimate has a reference, or what
 *          pb_pair_poses() returns; r untouched
 */
enum pb_status pb_traj_compare(const struct pb_timed *ref, size_t nr,
    const struct pb_timed *est, size_t ne, const struct pb_traj_opts *o,
    struct pb_traj_report *r, struct pb_pair_ambiguity *d);

/*
 * The time of the references' clock at time 0 of the estimates' clock, from the
 * speeds of driving and turning: the one difference of the clocks at which they
 * agree. Poses are in their order.
 *
 * Returns  PB_OK and *clock (s), to some 5 ms; PB_ENOENT: not determined by
 *          the motion; PB_ENOMEM
 */
enum pb_status pb_traj_clock(const struct pb_timed *ref, size_t nr,
    const struct pb_timed *est, size_t ne, double *clock);

/*
 * Without true poses, people can still determine relative poses in a log
 * (Kuemmerle et al., "On measuring the accuracy of SLAM algorithms", 2009). No
 * frame is shared, nothing is aligned and no relation left out. The pose of a
 * stamp is the one nearest in time, moved by odometry if it is farther than
 * PB_RELATION_NEAR; the error is the difference of the two relations, component
 * by component.
 */
#define PB_RELATION_NEAR 0.1 /* (s) */

struct pb_relation {
	double t1, t2;    /* (s), finite */
	struct pb_pose d; /* pose at t2 in the frame of that at t1 */
};

struct pb_relation_list {
	struct pb_relation *at; /* owned */
	size_t n, cap;
};

/* Statistics of errors and their squares. */
struct pb_relation_errors {
	struct pb_span m, m2;       /* (m, m^2) */
	struct pb_span turn, turn2; /* (rad, rad^2) */
};

struct pb_relations_report {
	size_t n;               /* relations */
	size_t poses, odometry; /* poses of the trajectory, and of odometry */
	size_t far;             /* relations with an end farther than
	                           PB_RELATION_NEAR from a pose */
	size_t repeated;        /* relations with an end nearest to a stamp that
	                           poses of several places share */
	double gap;             /* largest time from an end to a pose (s) */
	struct pb_relation_errors nearest;
};

/*
 * Compare a trajectory with known relations.
 *
 * Given    r[n]     n > 0
 *          pose     of the trajectory, one at least; sorted by time here
 *          odom     odometry in its own frame; may be empty; sorted here
 * Returns  PB_OK and out; PB_ENOENT if no relation has both ends within the
 *          time of the poses; PB_ENOMEM; then out is untouched
 */
enum pb_status pb_relations_compare(const struct pb_relation *r, size_t n,
    struct pb_timed_list *pose, struct pb_timed_list *odom,
    struct pb_relations_report *out);

/*
 * A number of r by name: nearest (mean, m), nearest_turn (mean, rad), far,
 * repeated.
 *
 * Returns  whether there is such a number
 */
bool pb_relations_number(
    const struct pb_relations_report *r, const char *name, double *value);
