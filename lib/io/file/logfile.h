/* logfile.h - logs of other programs: CARMEN, values with commas, TUM. */
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
 * which are left out. The meaning of some numbers follows from the whole log
 * only, so that it is read twice:
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
	bool rebased;   /* ODOM goes on from them */
	bool odometry;  /* the log has odometry */
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
};

/* Whether the line begins a log: a message that logs have. */
bool pb_carmen_is(const char *s, size_t n);

/* Whether the first n bytes of a file are those of a log. */
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

/* --- values with commas between --- */

/*
 * Comma-separated values whose first line names the columns, in any order. Read
 * are those with the names of a pose's members, x, y, theta, t, and those that
 * the published recordings of AMCL have: theta_rad, elapsed_time_sec, cov_xx,
 * cov_xy, cov_yy, cov_yawyaw. Metres, radians, seconds.
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
	int columns;           /* 0: no header was found */
	bool begun;            /* the header was converted */
	int at[PB_CSV_FIELDS]; /* column, from 1; 0: none has it */
};

/* Whether the line names at least two known columns; fills c in if so. */
bool pb_csv_is(struct pb_csv *c, const char *s, size_t n);

/*
 * The line as a pose record of the robot, without a source; nothing for the
 * header, an empty line, a comment, or without columns. The header is refused
 * if it lacks x or y.
 *
 * Returns  false with bad filled in for a line that is no pose
 */
bool pb_csv_convert(struct pb_csv *c, const char *s, size_t n,
    struct pb_rec_few *out, struct pb_error *bad);

/* --- TUM --- */

/*
 * A pose a line: t x y z qx qy qz qw, in seconds, metres and a quaternion.
 * Other tools (evo, rpg_trajectory_evaluation) read and write it.
 */
void pb_tum_put(struct pb_text *o, double t, struct pb_pose p);

/* Whether the line is one: eight numbers. */
bool pb_tum_is(const char *s, size_t n);

/*
 * The line as a pose record of the robot, without a source; nothing for an
 * empty line or a comment.
 *
 * Returns  false with bad filled in for a line that is no pose
 */
bool pb_tum_convert(
    const char *s, size_t n, struct pb_rec_few *out, struct pb_error *bad);

/* --- relations, stamps, units --- */

/*
 * Read the relations of a file, a line each: t1 t2 x y z roll pitch yaw, the
 * pose at t2 in the frame of that at t1, in seconds, metres and radians; z,
 * roll and pitch are 0. Empty lines and comments (#) are skipped.
 *
 * Given    out  empty
 * Returns  true if there were some and all were valid; else a message said why;
 *          out->at for free() in either case
 */
bool pb_relations_read(const char *name, struct pb_relation_list *out);

/*
 * What makes s broken, e.g. "of 88 stamps of scans, 70 come again"; 160 bytes
 * are enough. Returns out.
 */
const char *pb_stamps_text(const struct pb_stamps *s, char *out, size_t size);

/* Ranges from here on are no metres of a lidar on a robot (m). */
#define PB_SCAN_FAR 150

/*
 * How many beams of a scan returned: not those that are 0, range_max or, more
 * than one, the same number that is too far.
 */
size_t pb_scan_seen(const struct pb_scan *s);

/*
 * Whether the numbers of a scan have wrong units: ranges in millimetres, angles
 * in degrees, or all beams in one direction; `why` explains it and says what to
 * do.
 *
 * Returns  "millimetres", "degrees" or "increment", NULL if the scan is
 *          plausible
 */
const char *pb_scan_odd(const struct pb_scan *s, struct pb_error *why);
