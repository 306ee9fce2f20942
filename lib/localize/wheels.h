/* wheels.h - check odometry by the motion between scans. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "map/scan_match.h"
#include "pb/geom.h"
#include "pb/scan.h"
#include "pb/status.h"

/*
 * Each scan is matched with one a step of odometry before it: once about the
 * pose that odometry says, and once about where it was, as far as the step is
 * long and more. Where the second place fits clearly better, they disagree. A
 * corridor, where both fit, says nothing against odometry. SI units.
 */

/* Values that a median is taken of; zeroed it is empty. */
struct pb_wheels_list {
	double *at; /* owned */
	size_t n, room;
};

/* Append v; false: no memory. */
bool pb_wheels_add(struct pb_wheels_list *l, double v);

/* Sorts l; NAN if it has fewer than `least` values, or none. */
double pb_wheels_quantile(struct pb_wheels_list *l, size_t least, double p);

/* A zeroed struct has seen nothing. */
struct pb_wheels {
	struct pb_target key;   /* the scan that the next is matched with */
	bool has_key;           /* there is one, taken ... */
	struct pb_pose odom;    /* ... here, by odometry */
	size_t since;           /* scans after it */
	struct pb_point *point; /* of the scan at hand, owned */
	size_t room;
	size_t steps;         /* that could be matched */
	size_t agree, differ; /* of those matched */
	size_t blank;         /* that fit nowhere */
	size_t still;         /* matched where odometry stands still, ... */
	size_t moved;         /* ... and of those, that do not fit there */
	bool holds;           /* the key fits still, and stays */
	size_t run;           /* of these in a row now, ... */
	double run_first, run_last;     /* from when to when (s) */
	bool stuck;                     /* there was a long run, ... */
	double stuck_at;                /* ... the first from here (s) */
	double first;                   /* time of the first that differs (s) */
	struct pb_wheels_list travel;   /* length by scans over odometry's, < 0
	                                   where they go back */
	struct pb_wheels_list straight; /* the same of steps without a turn */
	struct pb_wheels_list turn;     /* angle by scans over odometry's */
	struct pb_wheels_list heading;  /* of the way by scans, from that of
	                                   odometry (rad) */
};

/*
 * A scan was taken at time t (s), where odometry was at odom.
 *
 * Returns  PB_OK, or PB_ENOMEM
 */
enum pb_status pb_wheels_scan(struct pb_wheels *w, struct pb_pose odom,
    double t, const struct pb_scan *z);

enum pb_wheels_fault {
	PB_WHEELS_UNKNOWN, /* too few steps say something */
	PB_WHEELS_STILL,   /* odometry stands still, and scans move */
	PB_WHEELS_TURNS,   /* it turns the other way */
	PB_WHEELS_BACK,    /* it goes the other way */
	PB_WHEELS_YAW,     /* it goes beside: the scanner is mounted askew */
	PB_WHEELS_PLACE,   /* it does in turns: the scanner is elsewhere */
	PB_WHEELS_SCALE,   /* its metres or radians are too long or short */
	PB_WHEELS_SLIP,    /* some steps are wrong */
	PB_WHEELS_UNCLEAR, /* some are, too few go straight to tell why */
	PB_WHEELS_RIGHT
};

/* Medians are NAN with too few usable steps. */
struct pb_wheels_report {
	enum pb_wheels_fault fault;
	bool fatal;           /* nothing can be localized with it */
	size_t steps, differ; /* matched, and of those wrong */
	size_t blank;         /* that fit nowhere */
	double first;         /* time of the first wrong one, NAN: none (s) */
	double travel;        /* a metre of odometry (m), < 0: back */
	double turn;          /* a radian of odometry (rad) */
	double heading;       /* where ahead is (rad) */
};

/* What the steps come to. Sorts the lists of w. */
struct pb_wheels_report pb_wheels_diagnose(struct pb_wheels *w);

void pb_wheels_clear(struct pb_wheels *w);
