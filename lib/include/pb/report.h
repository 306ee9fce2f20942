/* report.h - summaries and comparisons of a tally, ready to be written. */
#pragma once

#include "pb/decls.h"
#include "pb/tally.h"

PB_BEGIN_DECLS

/* Options of a report. */
struct pb_report_opts {
	double confidence; /* confidence of every interval, in (0, 1) */
	const struct pb_tally *base; /* tally to compare with, or NULL */

	/* The measure of a rule set, not PB_BY_RULES; NULL: success. */
	struct pb_criterion (*by)(const void *ctx, const char *rules);
	const void *by_ctx;
};

/* A player over all maps and rounds, of which there are at least two. */
struct pb_aggregate {
	struct pb_trial key; /* rules, policy, options; the rest is missing */
	int strata;          /* number of maps and rounds */
	long n;              /* results of all strata */
	long trials;         /* that differ in seed or number: what meets the
	                        same luck in several of them counts once */
	struct pb_estimate rate;    /* mean of the success rates */
	struct pb_estimate pellets; /* mean of the means of the share that was
	                               collected; NAN: there were none */
	struct pb_estimate time;    /* mean of the means, capped (s) */
};

/*
 * A summary for each group, in the order of the groups, and a comparison for
 * each pair of groups that differ in the policy alone and have trials in
 * common: the later one minus the earlier one. Holm's correction takes the
 * comparisons of one map, one set of options and one round together.
 */
struct pb_report {
	struct pb_summary *summary; /* owned, as all below */
	int summaries;
	struct pb_comparison *comparison; /* numbers of summaries */
	int comparisons;
	int apart;         /* pairs without a trial in common .. */
	int apart_pair[2]; /* .. and the summaries of the first one */
	struct pb_comparison *against; /* second: a number of base's groups */
	int againsts;
	struct pb_comparison *cell; /* of sweeps: one player's cells, which
	                               differ in constants, each with the
	                               first */
	int cells;
	struct pb_aggregate *aggregate;
	int aggregates;
};

/*
 * Make the report of t, which must outlive it.
 *
 * Returns  PB_OK and r for pb_report_clear, or PB_ENOMEM and r untouched
 */
enum pb_status pb_report_make(struct pb_report *r, const struct pb_tally *t,
    const struct pb_report_opts *o);
void pb_report_clear(struct pb_report *r);

PB_END_DECLS
