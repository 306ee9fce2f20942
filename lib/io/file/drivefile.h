/* drivefile.h - logs of a robot's poses and scans, read whole. */
#pragma once

#include "io/file/filter.h"
#include "localize/trial.h"

/* What of a log is read. */
struct pb_drivefile_opts {
	const char *id;   /* of the robot */
	uint64_t want;    /* set of PB_REC_BIT(): pose, odom, scan */
	unsigned plain;   /* set of PB_KIND(): what poses without source are */
	unsigned untimed; /* ... kinds that may lack a time; PB_POSE_KINDS:
	                     scans may */
	bool headed;      /* refuse poses without a heading, which is 0 */
	int scans;        /* enum pb_filter_scans */
	const struct pb_opt_common *common;
	const struct pb_ros_opts *ros; /* NULL: recordings are refused */
};

#define PB_KIND(k) (1u << (k))

/* The sources of pose records, by enum pb_pose_kind. */
extern const char *const pb_pose_sources[];

/*
 * Add what the files have to d. Plain poses without a heading have NAN.
 *
 * Given    seen  NULL, or gets the scans that came, of any robot
 * Returns  false if reading ended early, which was said: d has what came before
 */
bool pb_drivefile_read(struct pb_drive *d, const struct pb_drivefile_opts *o,
    char *const *files, int n, long *seen);

/*
 * Whether the stamps of scans tell no time; then it is said, and what becomes
 * of the scans.
 */
bool pb_drivefile_broken(
    const struct pb_drive *d, const char *name, const char *remedy);
