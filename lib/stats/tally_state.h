/* tally_state.h - inside of a tally, for the files beside it only. */
#pragma once

#include "pb/result.h"
#include "pb/stats.h"
#include "pb/status.h"

/* Times are kept in whole microseconds (s). */
#define PB_US 1e-6

/* Scores in millionths, too, of what is whole in double. */
#define PB_SCORE 1e6

/* One trial. Times are whole microseconds, so sums know no order. */
struct pb_entry {
	uint64_t seed;
	uint64_t trial;
	int64_t time;   /* (us), -1: not known */
	int64_t capped; /* the limit instead if it failed (us), -1: no time,
	                   or failed without a limit */
	int64_t score;  /* (1e-6) */
	uint64_t hash;  /* of the state at the end, 0: not known */
	int collected;
	int total;
	int deaths;  /* -1: not known */
	int levels;  /* -1: not known */
	int killers; /* 0: not known */
	int killed[PB_KILLERS];
	int updates;           /* 0: none */
	int track[PB_TRACKS];  /* lengths (um), updates; -1: not known */
	unsigned char outcome; /* in the group's list */
	unsigned char cause;   /* the same, from 1 on; 0: none */
	unsigned char build;   /* the same, from 1 on; 0: not known */
	bool success;
};

struct pb_group {
	struct pb_trial key; /* its first trial */
	uint64_t hash;       /* of what makes it a group */
	bool one_seed;
	size_t n;
	struct pb_entry *entry; /* n of them, room for slots / 2 */
	size_t slots;           /* power of two, at most half of them used */
	size_t *slot;           /* 1 + index in entry, 0: empty */
	struct pb_tally_words outcomes, causes; /* without counts */
	struct pb_builds builds;
};

struct pb_tally {
	int groups;
	int last; /* group of the last trial added */
	size_t room;
	struct pb_group *group;
};

/* How good a trial was: more is better, and the first number goes first. */
struct pb_merit {
	bool won; /* successful, or the bound is kept */
	int64_t number[3];
};

/* > 0: a is better; < 0: b is; 0: none. */
int pb_merit_compare(const struct pb_merit *a, const struct pb_merit *b);

/* The number that a measure looks at first, NAN: not known. */
double pb_entry_number(const struct pb_entry *e, enum pb_measure m);
struct pb_merit pb_entry_merit(const struct pb_entry *e, struct pb_by by);

/* What a difference is told of; of a bound, whether it is kept. */
double pb_entry_effect(const struct pb_entry *e, struct pb_by by);

/* The entry of a trial, NULL if there is none. */
const struct pb_entry *pb_group_find(
    const struct pb_group *g, uint64_t seed, uint64_t trial);
