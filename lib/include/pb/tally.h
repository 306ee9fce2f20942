/* tally.h - many finished trials: counts, averages, comparisons. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pb/decls.h"
#include "pb/result.h"
#include "pb/stats.h"
#include "pb/status.h"

PB_BEGIN_DECLS

/*
 * A tally sorts the results of trials, of any rule set, into groups that differ
 * in rules, map, options, round or policy, and counts the successes of each
 * group; groups that differ in the policy alone are compared trial by trial.
 * Its numbers do not depend on the order of the trials within a group. It grows
 * by about a kilobyte a trial and belongs to one thread.
 */
struct pb_tally;

enum pb_tally_add {
	PB_TALLY_ADDED,
	PB_TALLY_AGAIN,    /* the same trial with the same result: ignored,
	                      except for constants not known before */
	PB_TALLY_CONFLICT, /* the same trial with another result: ignored */
	PB_TALLY_HASH,     /* .. with the same numbers and another hash */
	PB_TALLY_REFUSED,  /* numbers out of range, too many outcomes */
	PB_TALLY_NOMEM
};

/* An empty tally for pb_tally_free, NULL without memory. */
struct pb_tally *pb_tally_new(void);
void pb_tally_free(struct pb_tally *t);

/* Add one trial; times and scores count in whole millionths. */
enum pb_tally_add pb_tally_add(struct pb_tally *t, const struct pb_trial *r);

/* The trial with r's rules, policy, map, options, round, seed and number; its
 * constants may differ; NULL: not known. */
const struct pb_trial *pb_tally_get(
    const struct pb_tally *t, const struct pb_trial *r);

/*
 * Up to n trials of group i, the worst first: by a measure that is a share,
 * lost ones only. Those alike go by success, pellets, seed and number.
 *
 * Given    by  not PB_BY_RULES
 * Returns  how many there are in out
 */
int pb_tally_worst(const struct pb_tally *t, int i, struct pb_criterion by,
    int n, struct pb_trial *out);

/* The builds that the trials name, in order of appearance. */
struct pb_builds pb_tally_builds(const struct pb_tally *t);

/* Number of groups; they are numbered by first appearance. */
int pb_tally_groups(const struct pb_tally *t);

/* The common part of group i's trials; valid until t grows. */
const struct pb_trial *pb_tally_key(const struct pb_tally *t, int i);

/*
 * The summary of one group of n trials. A failed trial counts with its time
 * limit in the times ("capped"), so that dying early does not count as quick;
 * if a trial has no limit, the group has no times. Intervals of rates are exact
 * ones, of means those of pb_mean_interval, NAN if there are too few trials.
 */
struct pb_summary {
	struct pb_trial key; /* rules, policy, map, ..., round: its first */
	bool one_seed;       /* all trials have key.seed */
	long n;              /* number of trials */
	long k;              /* number of successes */
	long distinct;       /* of the trials whose hash is known: games that
	                        are not the same; -1: none is known */
	struct pb_interval rate; /* success rate */
	long but_one;            /* trials that left exactly one pellet */
	struct pb_interval most; /* rate of trials that left at most one pellet
	                          */
	long at_least;           /* trials that left at most one pellet */
	int total;               /* largest number of pellets of a trial */
	struct pb_tally_words outcomes;
	struct pb_tally_words causes; /* causes of lost trials */
	struct pb_estimate pellets;   /* means, each with its interval */
	struct pb_estimate score;
	struct pb_estimate deaths; /* in a trial; NAN: not known of all of
	                              them */
	double levels_mean;        /* cleared in a trial; NAN as above */
	int killers;               /* 0: not known of all of them */
	long killed[PB_KILLERS];   /* deaths by each, in all trials */
	double updates_mean;       /* NAN: no localizer's trials */
	struct pb_estimate track[PB_TRACKS]; /* means of trials, rms of rms;
	                                        NAN: not known of all of them */
	double time_mean; /* capped (s); NAN: not known of all of them, as
	                     those below */
	double time_median;
	double time_q1; /* lower quartile (s) */
	double time_q3;
	double limit;            /* longest of a lost trial (s), 0: none */
	struct pb_builds builds; /* named by the trials */
};

/*
 * Sum up group i.
 *
 * Given    i  in [0, pb_tally_groups)
 * Returns  PB_OK, or PB_ENOMEM and s untouched
 */
enum pb_status pb_tally_summary(
    const struct pb_tally *t, int i, double confidence, struct pb_summary *s);

/*
 * A number of s by name: success, success.lo, success.hi, all_but_one (the
 * rate of at most one left) and its .lo and .hi, pellets, score, deaths,
 * levels, time, median_time, n, distinct, updates, error_mean,
 * error_median, error_rms, pace, wrong_cell, lost_updates, wrong_updates, and
 * the rate of any outcome or cause by its name.
 *
 * Returns  whether there is such a number, NAN if it is not known; the rate
 *          of an outcome that did not happen is 0 if `known` names it
 *          (NULL-ended), or if it is one of programs that fail (forfeit,
 *          void), else there is none
 */
bool pb_summary_number(const struct pb_summary *s, const char *name,
    const char *const *known, double *value);

/* Group i against group j on the trials that both played. */
struct pb_comparison {
	int first;                 /* group i */
	int second;                /* group j */
	long n;                    /* trials that both groups have */
	long alone;                /* trials that only one of the groups has */
	struct pb_criterion by;    /* measure that is compared */
	struct pb_pairs won;       /* only the first was better, ...; both
	                              and none: alike, won or lost */
	struct pb_estimate rate;   /* (first - second) / n: by success the
	                              difference of the rates;
	                              pb_pairs_interval */
	double least;              /* pb_pairs_least; NAN: none */
	struct pb_estimate effect; /* difference of the means of the
	                              measure's number; NAN: not known */
	double p;                  /* exact McNemar test of these pairs */
	double p_holm; /* adjusted by the caller's pb_holm; initially p */
	struct pb_estimate pellets; /* difference of the means */
	struct pb_estimate
	    time; /* difference of the means of capped times (s) */
};

/* Whether i and j differ in the policy alone, built in or a program. */
bool pb_tally_comparable(const struct pb_tally *t, int i, int j);

/*
 * The group of base that group i of t should be compared with: the same
 * player's on the same map in the same round, of the same options if there is
 * one such, else of others if there is one only. -1: none.
 */
int pb_tally_find(const struct pb_tally *t, int i, const struct pb_tally *base);

/*
 * Compare group i of t with group j of u, which may be t.
 *
 * Given    by  not PB_BY_RULES
 * Returns  PB_OK, PB_ENOMEM, or PB_ENOENT if they have no trial in common
 */
enum pb_status pb_tally_compare(const struct pb_tally *t, int i,
    const struct pb_tally *u, int j, struct pb_criterion by, double confidence,
    struct pb_comparison *c);

PB_END_DECLS
