/* poselog.h - poses that other programs wrote, as values or in TUM's lines. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/rec/rec.h"
#include "localize/traj.h"
#include "pb/geom.h"

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

/* Whether the line names at least two such columns; fills c in if so. */
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

/*
 * The relations in a file of that name, a line each: t1 t2 x y z roll pitch
 * yaw, the pose at t2 in the frame of that at t1, in seconds, metres and
 * radians; z, roll and pitch are 0. Empty lines and comments (#) are skipped.
 *
 * Given    out  empty
 * Returns  whether there were some and all were good; if not, why was said;
 *          out->at for free() in either case
 */
bool pb_relations_read(const char *name, struct pb_relation_list *out);

/*
 * What makes s broken, e.g. "of 88 stamps of scans, 70 come again"; 160 bytes
 * are enough. Returns out.
 */
const char *pb_stamps_text(const struct pb_stamps *s, char *out, size_t size);
