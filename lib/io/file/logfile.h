/* logfile.h - logs of other programs: CARMEN, comma-separated values, TUM. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/rec/rec.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "localize/traj.h"
#include "pb/geom.h"

/* --- logs of the CARMEN toolkit, line by line --- */

/*
 * A log has one message a line: ODOM, FLASER, ROBOTLASER1, PARAM and others,
 * which are ignored. The meaning of some numbers depends on the whole log, so
 * it is read twice:
 *
 *  - A raw log has the wheels' poses everywhere. In a corrected one the poses
 *    of the scans are those in a map; either the second pose of a scan is
 *    still that of the wheels, or the wheels go on from the corrected pose
 *    after each scan, which an ODOM line there repeats. These steps are
 *    chained to one frame of odometry without jumps.
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
	bool rebased;   /* ODOM continues from the corrected poses */
	bool odometry;  /* the log has odometry */
	bool timed;     /* the stamps of scans are times */
	struct pb_stamps stamps;
	bool speeds;         /* some ODOM line has a speed */
	double top;          /* largest range (m) */
	double no_return;    /* ranges from here on mean "no return", INFINITY:
	                        none do (m) */
	struct pb_pose sits; /* the front laser on the robot */
	double laser_max;    /* from a PARAM line, INFINITY: none (m) */
	double t0;           /* the first stamp (s) */

	/* State of pb_carmen_convert(). */
	long scan;             /* number of the next scan */
	bool moved;            /* an odom record was made */
	double moved_t;        /* its stamp (s) */
	struct pb_pose odom;   /* last odometry, without jumps */
	struct pb_pose base;   /* pose that ODOM lines start from ... */
	struct pb_pose base_o; /* ... and the same without jumps */
	double base_t;         /* stamp of the scan there (s) */
	double *range;         /* of the current scan, owned */
	size_t cap;
};

/* Whether the line begins a log of CARMEN. */
bool pb_carmen_is(const char *s, size_t n);

/* Whether the first n bytes of a file are those of a log. */
bool pb_carmen_begins(const char *s, size_t n);

/*
 * Read a whole log of n bytes; skip broken lines.
 *
 * Returns  c, ready for pb_carmen_convert() of its first line; end with
 *          pb_carmen_clear()
 */
void pb_carmen_survey(struct pb_carmen *c, const char *s, size_t n);
void pb_carmen_clear(struct pb_carmen *c);

/*
 * Convert the next line, without its line end. A scan gives its odom record if
 * no line did before, its pose (source truth) and the scan.
 *
 * Returns  false with bad filled in: a message is incomplete, or has a word
 *          that is no number
 */
bool pb_carmen_convert(struct pb_carmen *c, const char *s, size_t n,
    struct pb_rec_few *out, struct pb_error *bad);

/* Write a note for the user about the log, one line, into out; false: there is
 * none. */
bool pb_carmen_remark(const struct pb_carmen *c, char *out, size_t size);

/* --- comma-separated values --- */

/*
 * Comma-separated values whose first line names the columns, in any order. Used
 * are those named like a pose's members, x, y, theta, t, and those of the
 * published recordings of AMCL: theta_rad, elapsed_time_sec, cov_xx, cov_xy,
 * cov_yy, cov_yawyaw. Metres, radians, seconds.
 */
enum pb_csv_field {
	PB_CSV_X,
	PB_CSV_Y,
	PB_CSV_THETA,
	PB_CSV_T,
	PB_CSV_XX,
	PB_CSV_XY,
	PB_CSV_YY,
	PB_CSV_TT,
	PB_CSV_FIELDS
};

struct pb_csv {
	int columns;           /* 0: no header yet */
	bool begun;            /* the header was converted */
	int at[PB_CSV_FIELDS]; /* column, from 1; 0: missing */
};

/* Whether the line names at least two known columns; fills c in if so. */
bool pb_csv_is(struct pb_csv *c, const char *s, size_t n);

/*
 * Convert a line to a pose record of the robot, without a source; the header,
 * empty lines and comments give none. A header without x or y is refused.
 *
 * Returns  false with bad filled in: the line is no pose
 */
bool pb_csv_convert(struct pb_csv *c, const char *s, size_t n,
    struct pb_rec_few *out, struct pb_error *bad);

/* --- TUM --- */

/* Write a line with a pose: t x y z qx qy qz qw (s, m, quaternion), the format
 * that evo and rpg_trajectory_evaluation use. */
void pb_tum_put(struct pb_text *o, double t, struct pb_pose p);

/* Whether the line is a pose: eight numbers. */
bool pb_tum_is(const char *s, size_t n);

/*
 * Convert a line to a pose record of the robot, without a source; empty lines
 * and comments give none.
 *
 * Returns  false with bad filled in: the line is no pose
 */
bool pb_tum_convert(
    const char *s, size_t n, struct pb_rec_few *out, struct pb_error *bad);

/* --- relations, stamps, units --- */

/*
 * Read the relations of a file, a line each: t1 t2 x y z roll pitch yaw, the
 * pose at t2 in the frame of that at t1 (s, m, rad); z, roll and pitch must be
 * 0. Empty lines and comments (#) are skipped.
 *
 * Given    out  empty
 *
 * Returns  false, with a message: none, or some are invalid. out->at for free()
 *          in either case
 */
bool pb_relations_read(const char *name, struct pb_relation_list *out);

/* Describe why s is broken, e.g. "of 88 stamps of scans, 70 come again"; 160
 * bytes are enough. Returns out. */
const char *pb_stamps_text(const struct pb_stamps *s, char *out, size_t size);

/* Greater ranges cannot be metres of a lidar on a robot (m). */
#define PB_SCAN_FAR 150

/* Number of beams of a scan that returned: not 0, not range_max, not an equal
 * range of several beams beyond PB_SCAN_FAR. */
size_t pb_scan_seen(const struct pb_scan *s);

/*
 * Detect wrong units of a scan: ranges in millimetres, angles in degrees, or
 * all beams in one direction; `why` explains what to do.
 *
 * Returns  "millimetres", "degrees" or "increment", NULL: plausible
 */
const char *pb_scan_odd(const struct pb_scan *s, struct pb_error *why);
