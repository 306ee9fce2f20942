/* rules_localize.h - trials of localization methods, as rules of a benchmark.
 */
#ifndef PB_POLICY_RULES_LOCALIZE_H
#define PB_POLICY_RULES_LOCALIZE_H

#include "localize/tour.h"
#include "policy/rules.h"

/*
 * The players are the methods for maps, with their defaults; a trial is one of
 * pb_loc_trial(). Its time is until the method was sure and right to the end,
 * its limit all of the trial.
 */
struct pb_rules_localize_opts {
	struct pb_loc_trial_opts trial;
	const struct pb_drive *drive; /* kept by the caller; NULL: one is
	                                 simulated on each map */
	uint64_t drive_hash;          /* of it */
	struct pb_tour_opts tour;     /* of the simulated ones */
	uint64_t seed;                /* of them */
};

/* Options: struct pb_rules_localize_opts, checked with its drive. */
extern const struct pb_rules pb_rules_localize;

#endif
