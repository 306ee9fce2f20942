/* trajectory.h - true and estimated poses of a stream, and what they tell. */
#ifndef PB_IO_LOG_TRAJECTORY_H
#define PB_IO_LOG_TRAJECTORY_H

#include <stdbool.h>

#include "io/opt/opt.h"
#include "localize/traj.h"

struct pb_trajectory_opts {
	bool asked;            /* --trajectory */
	const char *reference; /* file of the true poses, NULL: in the stream */
	const char *id;        /* of the robot */
	struct pb_traj_opts traj;
	const char *given; /* an option that only --trajectory has, or NULL */
};

struct pb_trajectory_opts pb_trajectory_defaults(void);

/* Rows of a tool's option table; p: struct pb_trajectory_opts *. */
#define PB_OPT_TRAJECTORY(p)                                                  \
	{.name = "trajectory",                                                \
	    .kind = PB_OPT_FLAG,                                              \
	    .help = "compare estimated with true poses instead of playing",   \
	    .to = &(p)->asked},                                               \
	    {.name = "reference",                                             \
		.kind = PB_OPT_TEXT,                                          \
		.arg = "file",                                                \
		.help = "the true poses, if they are not in the stream",      \
		.to = &(p)->reference,                                        \
		.given = &(p)->given},                                        \
	{                                                                     \
		.name = "id", .kind = PB_OPT_ID, .arg = "id",                 \
		.help = "of the robot whose poses these are", .to = &(p)->id, \
		.given = &(p)->given                                          \
	}

/*
 * Read the poses of the streams named by operands (with a reference, poses
 * without a source are estimates) and compare.
 *
 * Returns  whether it worked; if not, why was said
 */
bool pb_trajectory_run(const struct pb_trajectory_opts *o,
    const struct pb_opt_common *common, char *const *files, int n,
    struct pb_traj_report *r);

/* Write r as a record to stdout. */
void pb_trajectory_write(
    const struct pb_trajectory_opts *o, const struct pb_traj_report *r);

/* Read the bound, e.g. "ate<=0.06", and say it if it is none. */
bool pb_trajectory_check(const char *bound);

/* Say if r does not keep it. */
void pb_trajectory_judge(const char *bound, const struct pb_traj_report *r);

#endif
