/* made_trials.h - trials that nobody played, for the tests of tallies. */
#pragma once

#include "check.h"
#include "pb/tally.h"

static inline struct pb_trial
trial_of(const char *policy, uint64_t trial, bool success)
{
	struct pb_trial r = {.rules = "pacmanbot",
	    .map = "house",
	    .map_hash = 77,
	    .options = 5,
	    .seed = 1,
	    .trial = trial,
	    .round = 1,
	    .collected = success ? 8 : 7,
	    .total = 8,
	    .score = success ? 8 : 7,
	    .time = success ? 60.25 : 10,
	    .limit = 900,
	    .success = success};

	snprintf(r.policy, sizeof(r.policy), "%s", policy);
	snprintf(r.outcome, sizeof(r.outcome), "%s",
	    success ? "complete" : "killed");
	return r;
}

static inline void
add(struct pb_tally *t, struct pb_trial r)
{
	check_int(pb_tally_add(t, &r), PB_TALLY_ADDED);
}
