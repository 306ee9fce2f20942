/* bench_expect.h - bounds that the summaries of a benchmark must keep. */
#ifndef PB_IO_TOOL_BENCH_EXPECT_H
#define PB_IO_TOOL_BENCH_EXPECT_H

#include <stdbool.h>

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

#endif
