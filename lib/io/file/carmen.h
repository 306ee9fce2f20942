/* carmen.h - logs of the CARMEN toolkit, line by line as records. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"
#include "io/rec/rec.h"
#include "localize/traj.h"
#include "pb/geom.h"

/*
 * A log has one message a line: ODOM, FLASER, ROBOTLASER1, PARAM and others,
 * which are left out. Some of what its numbers mean can only be told from the
 * whole log, so that it is read twice:
 *
 *  - A raw log has the wheels' poses everywhere. In a corrected one the poses
 *    of the scans are those in a map; either the second pose of a scan is
 *    still that of the wheels, or the wheels go on from the corrected pose
 *    after each scan, which an ODOM line there repeats. These steps are put
 *    together to one frame of odometry without jumps.
 *  - The largest range, if it comes more than twice, means "no return".
 *  - Without ODOM lines between the corrected poses there is no odometry.
 *  - If the stamps of scans are broken (localize/traj.h) scans are numbered
 * instead, one a second.
 *
 * The body of the records is the front laser: where a log says that it sits
 * before the robot's centre, the odometry is moved there.
 */
struct pb_carmen {
	long scans;     /* in the log */
	bool corrected; /* the poses of scans are those in a map */
	bool rebased;   /* ODOM goes on from them */
	bool odometry;  /* there is some to be had */
	bool timed;     /* the stamps of scans are times */
	struct pb_stamps stamps;
	bool speeds;         /* some ODOM line has a speed other than 0 */
	double top;          /* largest range (m) */
	double no_return;    /* ranges from here on are none, INFINITY: all are
	                        ranges (m) */
	struct pb_pose sits; /* the front laser on the robot */
	double laser_max;    /* by a PARAM line, INFINITY if none (m) */
	double t0;           /* the first stamp (s) */

	/* Where pb_carmen_convert() is. */
	long scan;             /* number of the next one */
	bool moved;            /* there was an odom record */
	double moved_t;        /* its stamp (s) */
	struct pb_pose odom;   /* the last one, without jumps */
	struct pb_pose base;   /* what ODOM lines start from ... */
	struct pb_pose base_o; /* ... and where that is without jumps */
	double base_t;         /* stamp of the scan there (s) */
	double *range;         /* of the scan at hand, owned */
	size_t cap;
	bool failed; /* there was no memory for the survey */
};

/* Whether the line begins a log: a message that logs have. */
bool pb_carmen_is(const char *s, size_t n);

/* Whether the line may stand before the first message: a comment, nothing. */
bool pb_carmen_is_comment(const char *s, size_t n);

/* Whether so many first bytes of a file are those of a log. */
bool pb_carmen_begins(const char *s, size_t n);

/*
 * Read a whole log of n bytes. Broken lines are skipped.
 *
 * Returns  c, ready for pb_carmen_convert() of its first line and to be
 *          cleared in the end
 */
void pb_carmen_survey(struct pb_carmen *c, const char *s, size_t n);
void pb_carmen_clear(struct pb_carmen *c);

/*
 * The records of the next line, without its line end: of a scan its odom if
 * no line gave it before, its pose (source truth) and the scan.
 *
 * Returns  false with bad filled in for a message that is cut short or has
 *          something else than a number
 */
bool pb_carmen_convert(struct pb_carmen *c, const char *s, size_t n,
    struct pb_rec_few *out, struct pb_error *bad);

/* What a user should know about the log, one line in out; whether anything. */
bool pb_carmen_remark(const struct pb_carmen *c, char *out, size_t size);
