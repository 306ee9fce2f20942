/* bench_report.h - what a benchmark tells: bounds that its summaries must keep,
 * its report. */
#pragma once

#include <stdbool.h>

#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "pb/report.h"
#include "pb/tally.h"

/*
 * A bound is "[PLAYER[@ROUND]:]NUMBER OP BOUND", blanks around OP allowed:
 *
 *	success>=0.95          every player, every round
 *	safe:time<=120         player safe, every round
 *	safe@10:success.lo>0.9 player safe, round 10: the interval's lower end
 *
 * NUMBER is a name that pb_summary_number() knows; OP is >=, <=, > or <.
 */
enum pb_expect_op { PB_AT_LEAST, PB_AT_MOST, PB_ABOVE, PB_BELOW };

struct pb_expect {
	const char *text;           /* as given, kept */
	char player[PB_TRIAL_NAME]; /* "" any */
	int round;                  /* 0: any */
	char number[PB_TRIAL_NAME];
	enum pb_expect_op op;
	double bound;
};

/*
 * Read a bound. The rate of an outcome that did not happen is 0 if the rules
 * know it.
 *
 * Returns  true, or false with bad filled in and e untouched
 */
bool pb_expect_parse(
    const char *text, struct pb_expect *e, struct pb_error *bad);

/* The same for numbers of any kind: e->number may be any word. */
bool pb_expect_read(
    const char *text, struct pb_expect *e, struct pb_error *bad);

/* Whether value keeps the bound; NAN keeps none. */
bool pb_expect_holds(const struct pb_expect *e, double value);

/* Whether e speaks about s at all. */
bool pb_expect_about(const struct pb_expect *e, const struct pb_summary *s);

/*
 * Whether s, which e is about, keeps the bound.
 *
 * Returns  the answer; *value is the number that decided, NAN if s has none,
 *          which keeps no bound
 */
bool pb_expect_kept(
    const struct pb_expect *e, const struct pb_summary *s, double *value);

/* Say the first summary of r that breaks e, or that e is about none. */
void pb_expect_judge(const struct pb_expect *e, const struct pb_report *r);

/* "score", "score>=5000". */
void pb_by_text(struct pb_by by, char *out, size_t size);

/* Write everything that the report has to stdout, as records; margin: what
 * success, or what is better, may fall, NAN: nothing was said of it. */
void pb_bench_write(
    const struct pb_report_opts *o, double margin, const struct pb_report *r);

/*
 * Write a line of names and a row for each summary to stdout, as RFC 4180 has
 * it: a column for each plain member, then one for each constant that any of
 * them tells. False if there was no memory.
 */
bool pb_bench_csv(const struct pb_report *r, double confidence);

/* Warn of those whose trials are all one and the same game, of players without
 * a trial in common, and of a measure that is not known. */
void pb_bench_doubt(const struct pb_report *r);

/* Say the first comparison with the baseline that goes beyond the margin. */
void pb_bench_judge(
    const struct pb_report *r, const char *baseline, double margin);
