/* bench_plan.h - how many trials a benchmark takes, as records. */
#ifndef PB_IO_TOOL_BENCH_PLAN_H
#define PB_IO_TOOL_BENCH_PLAN_H

#include <stdbool.h>

/* What is asked; NAN: it is not. */
struct pb_bench_plan {
	double rates[2]; /* to tell apart, or equal with a margin */
	double width[2]; /* a rate, and half the width of its interval */
	double margin;
	double split; /* share of trials that one player only wins */
	double alpha, power;
};

/* Whether the numbers make sense; if not, why was said. */
bool pb_plan_check(const struct pb_bench_plan *o);

/*
 * Write plan records to stdout: for players with trials of their own, and for
 * pairs. Without a split, pairs are told for the least and the most that the
 * rates allow if the players have nothing against each other.
 */
void pb_plan_write(const struct pb_bench_plan *o);

#endif
