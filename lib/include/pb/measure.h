/* measure.h - by what trials are compared: which of two went better. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/decls.h"
#include "pb/result.h"

PB_BEGIN_DECLS

/*
 * Two players meet the same trial, and one does better, or neither. What that
 * means differs: a robot has to survive, a competition counts points. Any
 * measure that puts trials in an order will do for what is asked of pairs, as
 * success does: it takes no more than two places of the order.
 */
enum pb_measure {
	PB_BY_RULES, /* as the rule set's competition decides */
	PB_BY_SUCCESS,
	PB_BY_SCORE,
	PB_BY_PELLETS, /* collected */
	PB_BY_TIME,    /* the shorter (s); of a failed trial its limit */
	PB_BY_DEATHS,  /* the fewer */
	PB_BY_ERROR,   /* mean of a localizer, the smaller (m) */
	PB_BY_RANK,    /* score, then deaths, then time */
	PB_MEASURES
};

/* A measure, or whether its number keeps a bound. */
struct pb_by {
	enum pb_measure measure;
	int sense; /* 0: no bound; 1: at least, -1: at most .. */
	double bound;
};

/* How good a trial was: more is better, and the first number goes first.
 * Times and lengths are whole millionths, as a tally keeps them. */
struct pb_merit {
	bool won; /* successful, or the bound is kept */
	int64_t number[3];
};

/* Given by, of which the measure is not PB_BY_RULES; what is not known of a
 * trial is the worst. */
struct pb_merit pb_merit_of(const struct pb_trial *t, struct pb_by by);

/* > 0: a is better; < 0: b is; 0: none. */
int pb_merit_compare(const struct pb_merit *a, const struct pb_merit *b);

/* "success", ..., static storage. */
const char *pb_measure_name(enum pb_measure m);

/* "s", "m" or "". */
const char *pb_measure_unit(enum pb_measure m);

/* Whether less of its number is better, whether that is 0 or 1. */
bool pb_by_less(struct pb_by by);
bool pb_by_is_rate(struct pb_by by);

PB_END_DECLS
