/* carmen_line.h - what the carmen*.c share: one message of a log. */
#ifndef PB_IO_LOG_CARMEN_LINE_H
#define PB_IO_LOG_CARMEN_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"
#include "pb/geom.h"

enum pb_carmen_kind {
	PB_CARMEN_OTHER, /* left out */
	PB_CARMEN_ODOM,
	PB_CARMEN_SCAN,
	PB_CARMEN_PARAM
};

struct pb_carmen_line {
	enum pb_carmen_kind kind;
	double t;             /* stamp of the message (s) */
	struct pb_pose robot; /* ODOM; second pose of a scan */
	struct pb_pose laser; /* first pose of a scan */
	double v, w;          /* ODOM: speed (m/s), turn rate (rad/s) */
	double angle_min;     /* scan (rad) */
	double inc;           /* scan, beam to beam (rad) */
	double max;           /* scan: largest range, INFINITY: not said (m) */
	size_t n;             /* scan: beams */
	char name[64];        /* PARAM */
	double value;         /* PARAM, NAN if it is no number */
};

/*
 * Read a line; the ranges of a scan go to *range, which grows as needed and
 * holds *cap numbers.
 *
 * Returns  false with bad filled in for a message that is not whole
 */
bool pb_carmen_read(const char *s, size_t n, struct pb_carmen_line *l,
    double **range, size_t *cap, struct pb_error *bad);

#endif
