/* relations.h - how well a trajectory keeps known relations of its poses. */
#pragma once

#include "localize/traj.h"

/*
 * Where nobody knows the true poses, people can still say how two poses of a
 * log lie to each other (Kuemmerle et al., "On measuring the accuracy of SLAM
 * algorithms", 2009). No frame is shared, nothing is aligned and no relation
 * left out. Two definitions are in use, which do not give equal numbers:
 *
 * that of the paper   the pose nearest in time, moved by odometry if it is
 *                     farther than PB_RELATION_NEAR; error: the difference of
 *                     the two relations, component by component
 * Cartographer's      between the poses before and after; error: the motion
 *                     that is left, seen from the first pose; deviations over
 *                     n - 1 (Hess et al., 2016)
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

/* Sizes of errors and their squares, as tables have them. */
struct pb_relation_errors {
	struct pb_span m, m2;       /* (m, m^2) */
	struct pb_span turn, turn2; /* (rad, rad^2) */
};

struct pb_relations_report {
	size_t n;               /* relations */
	size_t poses, odometry; /* of the trajectory, of odometry */
	size_t far;             /* relations with an end farther than
	                           PB_RELATION_NEAR from a pose */
	size_t repeated;        /* with an end nearest to a stamp that several
	                           places have: which is meant is not known */
	double gap;             /* farthest of an end from a pose (s) */
	struct pb_relation_errors nearest; /* as the paper */
	struct pb_relation_errors between; /* as Cartographer */
};

/*
 * Judge a trajectory.
 *
 * Given    r[n]     n > 0
 *          pose     of the trajectory, one at least; sorted by time here
 *          odom     odometry in a frame of its own, may be empty; the same
 * Returns  PB_OK and out; PB_ENOENT if no relation has both ends within the
 *          time of the poses; PB_ENOMEM; then out is untouched
 */
enum pb_status pb_relations_judge(const struct pb_relation *r, size_t n,
    struct pb_timed_list *pose, struct pb_timed_list *odom,
    struct pb_relations_report *out);

/*
 * A number of r by name: nearest, between (mean, m), nearest_turn,
 * between_turn (mean, rad), far, repeated.
 *
 * Returns  whether there is such a number
 */
bool pb_relations_number(
    const struct pb_relations_report *r, const char *name, double *value);
