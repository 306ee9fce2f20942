/* returns.h - the points of a scan, and which way their surface faces. */
#ifndef PB_MAP_RETURNS_H
#define PB_MAP_RETURNS_H

#include <stddef.h>

#include "base/geom.h"
#include "map/scan.h"

/* A return of a scan. Values: nothing is shared, nothing is owned. */
struct pb_point {
	struct pb_vec at;     /* in the robot's frame (m) */
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

#endif
