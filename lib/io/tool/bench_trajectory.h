/* bench_trajectory.h - true and estimated poses, and what they tell. */
#pragma once

#include <stdbool.h>

#include "io/opt/opt.h"
#include "io/tool/bench_report.h"
#include "localize/traj.h"

struct pb_trajectory_opts {
	bool asked;            /* --trajectory */
	const char *reference; /* file of the true poses, NULL: in the stream */
	const char *relations; /* file of known relations, NULL: none */
	double clock;          /* of these where that of the poses is 0 (s) */
	const char *id;        /* of the robot */
	struct pb_traj_opts traj;
};

struct pb_trajectory_opts pb_trajectory_defaults(void);

/* Rows of a tool's option table; p: struct pb_trajectory_opts *. */
/* clang-format off */
#define PB_OPT_TRAJECTORY(p)                                                \
	{"trajectory", 0, PB_OPT_FLAG, NULL,                                \
	    "compare estimated with true poses", &(p)->asked},              \
	{"reference", 0, PB_OPT_TEXT, "file",                               \
	    "the true poses, if they are not in the stream",                \
	    &(p)->reference},                         \
	{"relations", 0, PB_OPT_TEXT, "file",                               \
	    "judge the poses by known relations between them",              \
	    &(p)->relations},                         \
	{"clock", 0, PB_OPT_NUM, "s",                                       \
	    "of the reference or relations where that of poses is 0",       \
	    &(p)->clock, .min = -1e12, .max = 1e12},  \
	{"id", 0, PB_OPT_ID, "id", "of the robot whose poses these are",    \
	    &(p)->id}
/* clang-format on */

/* The poses of one file, where nobody knows the true ones. */
struct pb_trial_spread {
	const char *file; /* operand, or "<stdin>" */
	struct pb_scatter scatter;
};

/* What the poses told. */
struct pb_trajectory_found {
	bool related;  /* with known relations; else: */
	bool compared; /* with true ones: report; else the trials */
	bool truth;    /* related are the true poses */
	struct pb_relations_report relations;
	struct pb_traj_report report;
	struct pb_trial_spread *trial; /* owned */
	size_t trials;
	struct pb_scatter ends; /* the last pose of each, of several */
};

/*
 * Read the poses of the streams named by operands and compare them (with a
 * reference, poses without a source are estimates), or judge them by known
 * relations, with the odometry of the streams. Without true poses it is
 * how they lie to each other, those without a source too, each file a trial.
 *
 * Returns  whether it worked; if not, why was said; r for
 *          pb_trajectory_clear() in either case
 */
bool pb_trajectory_run(const struct pb_trajectory_opts *o,
    const struct pb_opt_common *common, char *const *files, int n,
    struct pb_trajectory_found *r);
void pb_trajectory_clear(struct pb_trajectory_found *r);

/* Write r as records to stdout. */
void pb_trajectory_write(
    const struct pb_trajectory_opts *o, const struct pb_trajectory_found *r);

/* Read a bound like "ate<=0.06", and say it if it is none. */
bool pb_trajectory_check(
    const struct pb_trajectory_opts *o, const char *bound, struct pb_expect *e);

/* Whether r has the number of the bound; if not, it is said. */
bool pb_trajectory_has(const struct pb_expect *e, struct pb_place at,
    const struct pb_trajectory_found *r);

/*
 * Say if r does not keep it. Bounds of trials hold for each, those of places
 * apart for the ends of several.
 */
void pb_trajectory_judge(
    const struct pb_expect *e, const struct pb_trajectory_found *r);
