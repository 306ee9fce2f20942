/* tally_state.h - the inside of a tally, for the files of lib/stats only. */
#pragma once

#include "pb/result.h"
#include "pb/stats.h"
#include "pb/status.h"

/* Times are kept in whole microseconds (s). */
#define PB_US 1e-6

/*
 * Sums must not depend on their order, so numbers are integers: times and
 * lengths in millionths, -1: unknown (us, um). The capped time of a failed
 * trial is its limit, -1 without one.
 */
int64_t pb_trial_capped(const struct pb_trial *t);

/* A localizer's length (um) or number of updates, -1: unknown. */
int pb_trial_track(const struct pb_trial *t, enum pb_tally_track what);

/* Index of a word; the next free index if it is new. */
int pb_tally_word(const struct pb_tally_words *c, const char *word);

struct pb_group {
	struct pb_trial key; /* its first trial */
	bool one_seed;
	size_t n;
	struct pb_trial *trial; /* n of them, room for slots / 2; without
	                           constants, which are in the key */
	size_t slots;           /* power of two, at most half of them used */
	size_t *slot;           /* 1 + index in trial, 0: empty */
	struct pb_tally_words outcomes, causes; /* without counts */
	struct pb_builds builds;
};

struct pb_tally {
	int groups;
	int last; /* group of the last trial added */
	size_t room;
	struct pb_group *group;
};

/*
 * How good a trial was: larger is better, won first, then the numbers in order.
 */
struct pb_merit {
	bool won; /* successful, or the bound is kept */
	int64_t number[3];
};

/* > 0: a is better; < 0: b is better; 0: equal. */
int pb_merit_compare(const struct pb_merit *a, const struct pb_merit *b);

/* The main number of a measure, NAN: unknown. */
double pb_trial_number(const struct pb_trial *t, enum pb_measure m);
struct pb_merit pb_trial_merit(
    const struct pb_trial *t, struct pb_criterion by);

/* The number whose differences are compared; of a bound, whether it is kept. */
double pb_trial_effect(const struct pb_trial *t, struct pb_criterion by);

/* The trial of that seed and number, NULL if there is none. */
const struct pb_trial *pb_group_find(
    const struct pb_group *g, uint64_t seed, uint64_t trial);
