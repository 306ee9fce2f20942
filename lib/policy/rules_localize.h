/* rules_localize.h - trials of localization methods, as rules of a benchmark.
 */
#ifndef PB_POLICY_RULES_LOCALIZE_H
#define PB_POLICY_RULES_LOCALIZE_H

#include "localize/maze_trial.h"
#include "localize/synthetic_drive.h"
#include "policy/rules.h"

/* Most methods that there can be. */
#define PB_RULES_METHODS 16

/*
 * The players are all methods, in the order of pb_localizer_at(). A trial is
 * one of pb_loc_trial() on maps, one of pb_maze_trial() in mazes. Its time is
 * until the method was sure and right to the end, its limit all of the trial.
 */
struct pb_rules_localize_opts {
	const void *constants[PB_RULES_METHODS]; /* of each method, checked */
	struct pb_loc_trial_opts trial; /* in mazes its protocol, near_turn */
	struct pb_maze_trial_opts maze; /* in mazes */
	const struct pb_drive *drive;   /* kept by the caller; NULL: one is
	                                   simulated on each map */
	uint64_t drive_hash;            /* of it */
	struct pb_synthetic_opts tour;  /* of the simulated ones */
	uint64_t seed;                  /* of them */
};

/*
 * The same rules on maps and in mazes. Options: struct
 * pb_rules_localize_opts, checked with its drive.
 */
extern const struct pb_rules pb_rules_localize, pb_rules_localize_maze;

#endif
