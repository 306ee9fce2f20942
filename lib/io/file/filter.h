/* filter.h - the loop of every tool: read records of any file, handle them,
 * pass them on. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/opt/opt.h"
#include "io/rec/rec.h"
#include "io/ros/ros_records.h"
#include "io/stream/line.h"
#include "localize/trial.h"

#define PB_FILTER_SCANS "all|odd|even"
enum pb_filter_scans { PB_SCANS_ALL, PB_SCANS_ODD, PB_SCANS_EVEN };

/* An option for struct pb_filter's scans; to: int * */
#define PB_OPT_SCANS(p, ...)                                          \
	{                                                             \
		"scans", 0, PB_OPT_NAME, PB_FILTER_SCANS,             \
		    "use every scan, or every other, counted from 0", \
		    .to = (p), .words = PB_FILTER_SCANS, __VA_ARGS__  \
	}

/*
 * Lines of types that are not wanted are passed on byte for byte if `passes` (a
 * tool that makes or changes records), or dropped (a tool that measures).
 * Wanted ones go to `take`, which writes to f->out; it calls pb_filter_pass()
 * where the line itself should appear, before or after its own records, or not
 * at all to replace it.
 *
 * A refused line gets a message, and ends the loop unless keep_going. Empty
 * lines are passed on. The last line of a file gets its line end if it lacks
 * one. Files of other programs are converted to records, each in the place of
 * its line:
 *
 * - logs of the CARMEN toolkit; they are read to the end first, as their
 * conventions depend on all lines;
 *
 * - trajectories in the format of TUM, and comma-separated values with column
 * names (logfile.h), as poses;
 *
 * - messages of rosbridge, in the place of any record;
 *
 * - recordings of ROS topics, files or folders, if there is a reader;
 *
 * - files with a map or board, if one is wanted, as its record.
 */
struct pb_filter {
	uint64_t want; /* set of PB_REC_BIT() */
	bool passes;
	int scans; /* enum pb_filter_scans: which scans to use; others are
	              dropped */
	struct pb_text *into; /* where lines are passed on, NULL: stdout */
	const struct pb_opt_common *common; /* NULL: defaults */
	const struct pb_ros_opts *ros;      /* NULL: recordings are refused */

	/*
	 * Handle a wanted record. r owns its arrays; to keep one, move it and
	 * leave NULL. Returns true; false with bad filled in (the record is
	 * refused); or false with bad->text empty (stop; a message was
	 * printed).
	 */
	bool (*take)(
	    struct pb_filter *f, struct pb_rec *r, struct pb_error *bad);
	/* Called for an unwanted record before it is passed on; or NULL. */
	void (*see)(struct pb_filter *f, const struct pb_rec *r);
	/* Called behind the last record, with the result of pb_filter_run(); or
	 * NULL. */
	void (*end)(struct pb_filter *f, bool whole);
	void *user; /* for take, see and end */

	struct pb_text out;   /* stdout, while pb_filter_run() runs */
	struct pb_line line;  /* the current line */
	struct pb_text made;  /* text of a record that was no line */
	uint64_t seen;        /* types that came, set of PB_REC_BIT() */
	long refused;         /* lines refused so far */
	long scan;            /* scan records so far */
	struct pb_import *in; /* source of the records, while it runs */
	bool stop;            /* set by take: end the loop without error */
};

/*
 * Run the loop over the files (operands, see line.h).
 *
 * Returns  true at the end, or if take stopped; false, with a message: an error
 *          ended it early
 */
bool pb_filter_run(struct pb_filter *f, char *const *files, int n);

/* Whether r is of the robot called id: also records without id, and the body
 * "truth", the true pose in pb-sim. */
bool pb_filter_is_of(const struct pb_rec *r, const char *id);

/* Write the current line unchanged. */
void pb_filter_pass(struct pb_filter *f);

/*
 * Estimate how many scans of that robot, or without id, have arrived behind the
 * current record: counts lines with "ranges". The text of the current line is
 * no longer valid. 0 if only every other scan is used.
 */
long pb_filter_scans_ahead(struct pb_filter *f, const char *id);

/* Write the lines passed on so far to stdout, and further ones as well. */
void pb_filter_release(struct pb_filter *f);

/* --- logs of a robot's poses and scans, read to their end --- */

/* What to read of a log. */
struct pb_drivefile_opts {
	const char *id;   /* of the robot */
	uint64_t want;    /* set of PB_REC_BIT(): pose, odom, scan */
	unsigned plain;   /* set of PB_KIND(): kinds of poses without source */
	unsigned untimed; /* ... kinds that may lack a time; bit PB_POSE_KINDS:
	                     scans may */
	bool headed;      /* refuse poses without a heading */
	int scans;        /* enum pb_filter_scans */
	const struct pb_opt_common *common;
	const struct pb_ros_opts *ros; /* NULL: recordings are refused */

	/* Called for each record before it is used, and may take it over; or
	 * NULL. */
	void (*see)(void *seer, struct pb_rec *r);
	void *seer;
};

#define PB_KIND(k) (1u << (k))

/* The sources of pose records, by enum pb_pose_kind. */
extern const char *const pb_pose_sources[];

/*
 * Add poses and scans of the files to d. Plain poses without a heading get NAN.
 *
 * Given    seen  NULL, or receives the number of scans of any robot
 *
 * Returns  false, with a message: reading ended early; d has what came before
 */
bool pb_drivefile_read(struct pb_drive *d, const struct pb_drivefile_opts *o,
    char *const *files, int n, long *seen);

/* Whether the stamps of scans are unusable; if so, a warning says how the scans
 * are used. */
bool pb_drivefile_broken(
    const struct pb_drive *d, const char *name, const char *remedy);
