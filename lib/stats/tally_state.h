/* tally_state.h - inside of a tally, for the files beside it only. */
#pragma once

#include <math.h>

#include "pb/result.h"
#include "pb/stats.h"
#include "pb/status.h"

/* Times are kept in whole microseconds (s). */
#define PB_US 1e-6

/* A sum of times: of long ones 64 bits of microseconds hold a few only. */
struct pb_time_sum {
	int64_t s, us;
};

static inline void
pb_time_add(struct pb_time_sum *sum, int64_t us)
{
	sum->s += us / 1000000;
	sum->us += us % 1000000;
}

/* (s) */
static inline double
pb_time_of(struct pb_time_sum sum)
{
	return PB_US * (1e6 * (double)sum.s + (double)sum.us);
}

/*
 * No interval. A mean of times has none where nobody failed: how often
 * failures come, with their limits, is not known then, and they weigh most.
 */
#define PB_UNTOLD ((struct pb_interval){NAN, NAN})

/* What has no limits. */
#define PB_ANYTHING ((struct pb_interval){-INFINITY, INFINITY})

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

/* What a tally keeps of r; outcome and cause are numbers of the group's. */
struct pb_entry pb_entry_of(const struct pb_trial *r, int outcome, int cause);

/* The number that a measure looks at first, NAN: not known. */
double pb_entry_number(const struct pb_entry *e, enum pb_measure m);
struct pb_merit pb_entry_merit(const struct pb_entry *e, struct pb_by by);

/* What a difference is told of; of a bound, whether it is kept. */
double pb_entry_effect(const struct pb_entry *e, struct pb_by by);

/* Whether two groups ask the same question of one player: options may differ.
 */
bool pb_same_task(const struct pb_trial *a, const struct pb_trial *b);

/* The mean of x[n], n > 0, and its interval within range; sorts x, so that its
 * order is none. */
struct pb_estimate pb_mean_estimate(
    double *x, size_t n, struct pb_interval range, double confidence);

/* The entry of a trial, NULL if there is none. */
const struct pb_entry *pb_group_find(
    const struct pb_group *g, uint64_t seed, uint64_t trial);

/* Holm's correction of c[n], all of them together; or with the tally that they
 * are of, those of one task. PB_OK or PB_ENOMEM. */
struct pb_comparison;
enum pb_status pb_comparisons_correct(
    struct pb_comparison *c, int n, const struct pb_tally *t);
