/*
 * trial.h - trials of a localization method on a recorded drive, and its
 * judge.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/localizer.h"
#include "pb/param.h"

/* How a trial can end. */
enum pb_loc_outcome {
	PB_LOC_LOCALIZED, /* right, and it says so, to the end */
	PB_LOC_NOT_YET,   /* it says that several places fit */
	PB_LOC_WRONG,     /* it says that it is right, and is not */
	PB_LOC_GONE       /* it says that it is lost */
};

/*
 * What a trial came to. Where a method gives no answer its last one counts on
 * in the errors of all updates, as for whoever drives by it; before the first
 * there is no error.
 */
struct pb_loc_result {
	enum pb_loc_outcome outcome;
	int updates;      /* given, after a cut if any */
	int found;        /* the one from which on it was localized; -1: none */
	int wrong;        /* updates that were confident and not right */
	int lost;         /* updates that said lost, or had no answer */
	int cell;         /* updates in another cell, -1: not in a maze */
	double time;      /* until found, else of all (s) */
	double duration;  /* of all updates (s) */
	double way;       /* the truth's, in them (m) */
	int first;        /* update at which it was localized; 0: at none */
	double found_way; /* the truth's until then (m), NAN: at none */
	double error;     /* at the end (m), NAN: no answer */
	double turn;      /* at the end (rad) */
	double mean, median, rms; /* of all updates' errors (m), NAN: none */
	double jump;              /* over a cut of the drive (m), NAN: none */
	uint64_t stretch;         /* hash of the scans given, 0: in a maze */
};

/* Begin with a zeroed struct, all above `r` set. */
struct pb_loc_judge {
	double near;      /* right if no further off (m) ... */
	double near_turn; /* ... and turned no further away (rad) */
	double cell;      /* side of a maze's cells (m), 0: on a map */
	double *errors;   /* room for one an update */
	double t0;        /* of the first update (s) */
	struct pb_loc_result r;
	int n;                 /* errors */
	struct pb_pose before; /* the truth at the last update */
	struct pb_pose answer; /* the last */
};

/* What the method says after an update at time t, at a true pose. */
void pb_loc_judge(struct pb_loc_judge *j, const struct pb_belief *b, double t,
    struct pb_pose truth);

/* After the last; sorts the errors. */
struct pb_loc_result pb_loc_judged(struct pb_loc_judge *j);

/*
 * A drive is a list of what came from the sensors, in order, with the true
 * pose at each scan where it is known. Trials begin at scans of it, so that
 * one recording tests a method many times. Threads may share a drive.
 */
enum pb_heard_kind { PB_HEARD_ODOM, PB_HEARD_SCAN, PB_HEARD_FIX };

struct pb_heard {
	enum pb_heard_kind kind;
	double t;             /* (s), NAN if not known */
	struct pb_pose odom;  /* of the wheels; a fix has only a place */
	size_t scan;          /* number of the scan */
	bool known;           /* scan: truth is set */
	struct pb_pose truth; /* at the scan */
};

struct pb_drive {
	struct pb_heard *heard; /* owned, as all below */
	size_t n, cap;
	struct pb_scan *scan; /* their ranges owned */
	size_t *at;           /* where in heard each scan is */
	size_t scans, scan_cap, at_cap;
};

/*
 * Add to the end.
 *
 * Given    z  copied, its ranges too
 * Returns  PB_OK, or PB_ENOMEM and d as it was
 */
enum pb_status pb_drive_add(struct pb_drive *d, struct pb_heard h);
enum pb_status pb_drive_add_scan(
    struct pb_drive *d, double t, const struct pb_scan *z);

/* A zeroed drive is fine. */
void pb_drive_clear(struct pb_drive *d);

/* Hash of all of it. */
uint64_t pb_drive_hash(const struct pb_drive *d);

enum pb_loc_protocol {
	PB_LOC_GLOBAL, /* begin anywhere */
	PB_LOC_TRACK,  /* begin near the truth */
	PB_LOC_KIDNAP  /* begin near the truth; later a piece is cut out */
};

struct pb_loc_trial_opts {
	int protocol;     /* enum pb_loc_protocol */
	int updates;      /* scans that a trial lasts, after a cut if any */
	int warm;         /* PB_LOC_KIDNAP: scans before the cut */
	double jump;      /* PB_LOC_KIDNAP: the cut is at least so far (m) */
	double var;       /* of x and of y at a start near the truth (m2) */
	double var_turn;  /* of its heading (rad2) */
	double near;      /* right if no further off (m) ... */
	double near_turn; /* ... and turned no further away (rad) */
};

struct pb_loc_trial_opts pb_loc_trial_defaults(void);

/*
 * All but near and near_turn, for the command line; the protocol, which trials
 * in mazes have, too, and the rest.
 */
extern const struct pb_params pb_loc_protocol_params, pb_loc_trial_params;

/*
 * Whether trials can be drawn: enough scans with true poses, and a cut that is
 * long enough.
 *
 * Returns  PB_OK, PB_ENOENT (no true pose), PB_ESIZE (too few scans),
 *          PB_EVALUE (no two places are o->jump apart)
 */
enum pb_status pb_loc_trial_check(
    const struct pb_drive *d, const struct pb_loc_trial_opts *o);

/*
 * How many different stretches a drive of so many scans has for trials, 0 if
 * it has too few; of those with a cut, how many pairs at most.
 */
uint64_t pb_loc_stretches(size_t scans, const struct pb_loc_trial_opts *o);

/*
 * One trial: where it begins, and cuts, is drawn from (seed, trial), and the
 * method draws from them too. Allocates nothing.
 *
 * Given    a     a method that has learnt the drive's world
 *          o     checked against d
 *          work  room for o->updates
 */
struct pb_loc_result pb_loc_trial(struct pb_loc_taught a,
    const struct pb_drive *d, const struct pb_loc_trial_opts *o, uint64_t seed,
    uint64_t trial, double *work);
