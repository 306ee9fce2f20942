/* report.h - everything that a tally has to say, ready to be written. */
#ifndef PB_GAME_REPORT_H
#define PB_GAME_REPORT_H

#include "game/tally.h"

/*
 * A summary for each group, in the order of the groups, and a comparison for
 * each pair of groups that differ in the policy alone and have trials in
 * common: the later one minus the earlier one. Holm's correction takes the
 * comparisons of one map, one set of options and one round together.
 */
struct pb_report {
	struct pb_summary *summary; /* owned */
	int summaries;
	struct pb_comparison *comparison; /* owned; numbers of summaries */
	int comparisons;
};

/*
 * Make the report of t.
 *
 * Given    confidence  of every interval, in (0, 1)
 *          seed        of the bootstrap
 * Returns  PB_OK and r for pb_report_clear, or PB_ENOMEM and r untouched
 */
enum pb_status pb_report_make(struct pb_report *r, const struct pb_tally *t,
    double confidence, uint64_t seed);
void pb_report_clear(struct pb_report *r);

#endif
