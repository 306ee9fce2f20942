/* body.h - records about a body: where it is, how it moves, what it sees. */
#ifndef PB_IO_REC_BODY_H
#define PB_IO_REC_BODY_H

#include <stdbool.h>
#include <stddef.h>

#include "io/rec/type.h"
#include "io/stream/text.h"
#include "map/scan.h"

struct pb_rec_pose {
	double x, y;   /* (m) */
	double theta;  /* (rad) */
	bool no_theta; /* it is not known, and 0 */
	bool has_cov;
	double cov[3][3];         /* of x, y, theta (m2, m rad, rad2) */
	char source[PB_REC_WORD]; /* "truth", "estimate", "initial", "" */
	char status[PB_REC_WORD]; /* "tracking", "ambiguous", "lost", "" */
};

struct pb_rec_odom {
	double x, y, theta; /* in the odometry frame (m, rad) */
	double v;           /* forward (m/s), NAN if missing */
	double w;           /* turn rate (rad/s), NAN if missing */
};

struct pb_rec_scan {
	double angle_min;       /* of the first beam, robot frame (rad) */
	double angle_increment; /* beam to beam (rad) */
	double angle_max;       /* as said, NAN if missing; never written, and
	                           not used but to find that it is wrong (rad) */
	double range_min;       /* shorter is noise, NAN if missing (m) */
	double range_max;       /* longer is no return, NAN if missing (m) */
	double radius;          /* ranges begin so far from the middle (m) */
	double *range; /* NAN: no return; < 0: the beam failed (m); owned when
	                  read */
	size_t n;
};

struct pb_rec_fix {
	double x, y; /* (m) */
};

struct pb_rec_twist {
	double v; /* forward (m/s) */
	double w; /* turn rate (rad/s) */
};

/* A scan as the library takes it; its ranges are c's, borrowed. */
struct pb_scan pb_rec_as_scan(const struct pb_rec_scan *c);

void pb_put_pose(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_pose *p);
void pb_put_odom(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_odom *d);
void pb_put_scan(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_scan *c);
void pb_put_fix(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_fix *f);
void pb_put_twist(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_twist *w);

#endif
