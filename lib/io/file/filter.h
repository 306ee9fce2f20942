/* filter.h - the loop of every tool: read records, hand over, pass on. */
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
#define PB_OPT_SCANS(p, ...)                                           \
	{                                                              \
		"scans", 0, PB_OPT_NAME, PB_FILTER_SCANS,              \
		    "take every scan, or every other, counted from 0", \
		    .to = (p), .words = PB_FILTER_SCANS, __VA_ARGS__   \
	}

/*
 * Lines whose type is not wanted are passed on byte for byte if `passes` (a
 * tool that makes or changes), or dropped (a tool that measures). Wanted
 * ones go to `take`, which writes to f->out; it calls pb_filter_pass() where
 * the line itself should appear, before or after its own records, or not at
 * all when it replaces it.
 *
 * A refused line gets a message, and ends the loop unless keep_going. Empty
 * lines are passed on. A line end that is missing at the end of a file is
 * supplied. Files of other programs are converted to records, each in place of
 * its line:
 *
 *  - a log of the CARMEN toolkit, which is held to its end: its conventions
 *    depend on all of its lines;
 *  - a trajectory in the format of TUM, or comma-separated values under their
 *    names (logfile.h), as poses;
 *  - a message of rosbridge, wherever one stands in the place of a record;
 *  - a recording of ROS topics, a file or a folder, if there is a reader;
 *  - a file with a map or a board, where one is wanted, as its record.
 */
struct pb_filter {
	uint64_t want; /* set of PB_REC_BIT() */
	bool passes;
	int scans; /* enum pb_filter_scans: which to keep; others vanish */
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
	/* A record that is not wanted, before it is passed on; or NULL. */
	void (*see)(struct pb_filter *f, const struct pb_rec *r);
	/* After the last record, `whole` as pb_filter_run() returns; or NULL.
	 */
	void (*end)(struct pb_filter *f, bool whole);
	void *user; /* for take, see and end */

	struct pb_text out;   /* stdout, while pb_filter_run() runs */
	struct pb_line line;  /* the line being handled */
	struct pb_text made;  /* that of a record without one */
	uint64_t seen;        /* set of PB_REC_BIT(): types that came */
	long refused;         /* lines up to now */
	long scan;            /* scan records up to now */
	struct pb_import *in; /* where they come from, while it runs */
	bool stop;            /* set by take to end the loop without an error */
};

/*
 * Run the loop over the files (operands, see line.h).
 *
 * Returns  true if the end was reached or take stopped; false if the loop
 *          ended early for an error, with a message. Free nothing
 */
bool pb_filter_run(struct pb_filter *f, char *const *files, int n);

/* Whether r is of the robot called id. Records without an id are, too, and so
 * is the body "truth", the true pose in pb-sim. */
bool pb_filter_is_of(const struct pb_rec *r, const char *id);

/* Write the line being handled as it came. */
void pb_filter_pass(struct pb_filter *f);

/*
 * About how many scans of that robot, or of none by name, have come behind the
 * record being handled, whose line is gone then: lines that hold "ranges" are
 * counted, not read. 0 if only every other scan is kept.
 */
long pb_filter_scans_ahead(struct pb_filter *f, const char *id);

/* Write what lines were passed into; from now on they go to stdout. */
void pb_filter_release(struct pb_filter *f);

/* --- logs of a robot's poses and scans, read whole --- */

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

	/* Is shown each record before it is taken, and may take it; or NULL. */
	void (*see)(void *seer, struct pb_rec *r);
	void *seer;
};

#define PB_KIND(k) (1u << (k))

/* The sources of pose records, by enum pb_pose_kind. */
extern const char *const pb_pose_sources[];

/*
 * Add poses and scans of the files to d. Plain poses without a heading have
 * NAN.
 *
 * Given    seen  NULL, or gets the scans that came, of any robot
 * Returns  false if reading ended early, with a message: d has what came before
 */
bool pb_drivefile_read(struct pb_drive *d, const struct pb_drivefile_opts *o,
    char *const *files, int n, long *seen);

/* Whether the stamps of scans are unusable; then a message says so, and how the
 * scans are used. */
bool pb_drivefile_broken(
    const struct pb_drive *d, const char *name, const char *remedy);
