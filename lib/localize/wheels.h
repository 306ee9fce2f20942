/* wheels.h - check odometry by the motion between scans. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "map/scan_match.h"
#include "pb/geom.h"
#include "pb/scan.h"
#include "pb/status.h"

/*
 * Each scan is matched with one a step of odometry before it: once near the
 * pose by odometry, and once everywhere within the step's length and more. If
 * the second match is clearly better, odometry is wrong. A corridor, where both
 * match, is no evidence. SI units.
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
	struct pb_target
	    key;      /* key scan, which the next scans are matched with */
	bool has_key; /* there is a key scan */
	struct pb_pose odom;    /* odometry at the key scan */
	size_t since;           /* scans since the key scan */
	struct pb_point *point; /* points of the current scan, owned */
	size_t room;
	size_t steps; /* steps that were matched */
	size_t agree,
	    differ;   /* matched steps that agree with odometry or differ */
	size_t blank; /* steps that match nowhere */
	size_t still; /* matched steps in which odometry stands still */
	size_t moved; /* of those, steps in which scans moved */
	bool holds;   /* the key scan still matches, and stays */
	size_t run;   /* consecutive steps of `moved` */
	double run_first,
	    run_last;    /* times of the first and last of them (s) */
	bool stuck;      /* a long run was found */
	double stuck_at; /* begin of the first long run (s) */
	double first;    /* time of the first that differs (s) */
	struct pb_wheels_list travel;   /* length by scans over odometry's, < 0
	                                   where they go back */
	struct pb_wheels_list straight; /* the same of steps without a turn */
	struct pb_wheels_list turn;     /* angle by scans over odometry's */
	struct pb_wheels_list
	    heading; /* direction by scans relative to odometry (rad) */
};

/*
 * Add a scan taken at time t (s) with odometry odom.
 *
 * Returns  PB_OK, or PB_ENOMEM
 */
enum pb_status pb_wheels_scan(struct pb_wheels *w, struct pb_pose odom,
    double t, const struct pb_scan *z);

enum pb_wheels_fault {
	PB_WHEELS_UNKNOWN, /* too few usable steps */
	PB_WHEELS_STILL,   /* odometry stands still, and scans move */
	PB_WHEELS_TURNS,   /* it turns the other way */
	PB_WHEELS_BACK,    /* it goes the other way */
	PB_WHEELS_YAW,     /* it goes sideways: wrong yaw of the scanner */
	PB_WHEELS_PLACE,   /* so in turns: wrong place of the scanner */
	PB_WHEELS_SCALE,   /* its metres or radians are too long or short */
	PB_WHEELS_SLIP,    /* some steps are wrong */
	PB_WHEELS_UNCLEAR, /* some are; too few straight steps to tell why */
	PB_WHEELS_RIGHT
};

/* Medians are NAN with too few usable steps. */
struct pb_wheels_report {
	enum pb_wheels_fault fault;
	bool fatal;           /* odometry is useless for localization */
	size_t steps, differ; /* matched, and of those wrong */
	size_t blank;         /* steps that match nowhere */
	double first;         /* time of the first wrong step (s), NAN: none */
	double
	    travel;  /* true distance for a metre of odometry (m), < 0: back */
	double turn; /* true turn for a radian of odometry (rad) */
	double heading; /* direction of motion when odometry goes ahead (rad) */
};

/* Diagnose odometry by all steps. Sorts the lists of w. */
struct pb_wheels_report pb_wheels_diagnose(struct pb_wheels *w);

void pb_wheels_clear(struct pb_wheels *w);
