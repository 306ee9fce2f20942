/* scan.h - scans: beams, points and their normals. */
#pragma once

#include <stddef.h>

#include "pb/decls.h"
#include "pb/geom.h"

PB_BEGIN_DECLS

/* As sensor_msgs/LaserScan; beam i points to angle_min + i inc. */
struct pb_scan {
	double angle_min; /* angle of beam 0 in the scanner's frame (rad) */
	double inc;       /* angle between beams (rad) */
	double range_min; /* shorter is noise, 0 if not known (m) */
	double range_max; /* longer is no return, INFINITY if not known (m) */
	double radius;    /* distance of the sensors from the robot's middle
	                     (m); 0: not known: methods for mazes use their
	                     constant, others 0 */
	struct pb_pose mount; /* of the scanner on the robot (m, rad); zero:
	                         in its middle. Methods for mazes know that
	                         only */
	const double
	    *range; /* (m); NAN, INFINITY: no return; < 0: no reading */
	size_t n;   /* number of beams */
};

/* The meaning of a reading. */
enum pb_scan_says {
	PB_BEAM_NONE, /* nothing: it failed, is 0 or is noise */
	PB_BEAM_FREE, /* no return */
	PB_BEAM_HIT   /* an obstacle at pb_scan_way() */
};

enum pb_scan_says pb_scan_beam(const struct pb_scan *s, size_t i);

/* Distance from the middle of the scanner to the end of beam i, a hit (m). */
double pb_scan_way(const struct pb_scan *s, size_t i);

/* Pose of the scanner when the robot is at p. */
struct pb_pose pb_scan_from(const struct pb_scan *s, struct pb_pose p);

/* A return of a scan. Values: nothing is shared, nothing is owned. */
struct pb_point {
	struct pb_vec at;     /* place in the robot's frame (m) */
	struct pb_vec normal; /* of length 1, towards the scanner; 0, 0 if the
	                         points about it lie on no line */
};

/*
 * The returns of a scan.
 *
 * Given    max  returns beyond are left out (m)
 *          out  room for s->n points
 * Returns  how many there are
 * Note     a normal is that of the line through the returns of the next few
 *          beams on either side, as far as they lie nearby
 */
size_t pb_returns(const struct pb_scan *s, double max, struct pb_point *out);

/* p, given in the frame f, expressed in f's parent frame. */
struct pb_point pb_point_from(struct pb_pose f, struct pb_point p);

PB_END_DECLS
