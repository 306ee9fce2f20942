/* judge.h - how right a localization method is, update by update. */
#ifndef PB_LOCALIZE_JUDGE_H
#define PB_LOCALIZE_JUDGE_H

#include "localize/localizer.h"

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
	int updates;     /* given, after a cut if any */
	int found;       /* the one from which on it was localized; -1: none */
	int wrong;       /* updates that were confident and not right */
	int lost;        /* updates that said lost, or had no answer */
	int cell;        /* updates in another cell, -1: not in a maze */
	double time;     /* until found, else of all (s) */
	double duration; /* of all updates (s) */
	double way;      /* the truth's, in them (m) */
	double error;    /* at the end (m), NAN: no answer */
	double turn;     /* at the end (rad) */
	double mean, median, rms; /* of all updates' errors (m), NAN: none */
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

#endif
