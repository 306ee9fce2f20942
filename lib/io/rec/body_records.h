/* body_records.h - where a body is and goes, what it senses and believes. */
#ifndef PB_IO_REC_BODY_RECORDS_H
#define PB_IO_REC_BODY_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "io/rec/type.h"
#include "io/stream/text.h"
#include "localize/traj.h"
#include "pb/geom.h"
#include "pb/localizer.h"
#include "pb/scan.h"

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

struct pb_rec_goal {
	char kind[PB_REC_WORD];   /* pellet, home, point */
	char status[PB_REC_WORD]; /* sent, reached, canceled, aborted, ... */
	long pellet;              /* id, -1 if none */
	double x, y;              /* (m); NAN if missing */
	double theta;             /* NAN: any (rad) */
};

struct pb_rec_points {
	struct pb_vec *point; /* (m); owned when read */
	size_t n;
};

struct pb_rec_obstacle {
	struct pb_vec *point; /* cloud (m), NULL for a disc; owned when read */
	size_t n;
	double x, y, radius; /* disc (m); NAN for a cloud without */
};

/* What is optional is missing. */
struct pb_rec_goal pb_rec_goal_none(void);

void pb_put_goal(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_goal *g);
void pb_put_path(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_points *p);
void pb_put_obstacle(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_obstacle *b);

/* What a localizer believes. */
struct pb_rec_belief {
	char status[PB_REC_WORD]; /* as in a pose */
	struct pb_hypothesis at[PB_LOC_HYPOTHESES];
	int n;                    /* of at[] */
	struct pb_pose *particle; /* NULL: none; owned when read */
	size_t particles;
};

void pb_put_belief(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_belief *b);

/* How far an estimated trajectory is from the true one. */
struct pb_rec_trajectory {
	struct pb_traj_report report;
	struct pb_traj_opts opts;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
};

/* How poses lie to each other where nobody knows the true ones. */
struct pb_rec_spread {
	char of[PB_REC_WORD]; /* "trial": of a file; "ends": the last of each */
	char file[PB_REC_TEXT]; /* "" if missing */
	struct pb_scatter scatter;
	char version[PB_REC_WORD];
};

void pb_put_spread(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_spread *y);

void pb_put_trajectory(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_trajectory *y);

#endif
