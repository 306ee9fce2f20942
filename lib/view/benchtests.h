/* benchtests.h - comparisons and tests of a benchmark as tables. */
#ifndef PB_VIEW_BENCHTESTS_H
#define PB_VIEW_BENCHTESTS_H

#include "view/benchkeys.h"

/*
 * Print players over several maps and rounds, differences between players and
 * from the baseline, and what sequential tests say, as far as there are some.
 *
 * Returns  PB_OK or PB_ENOMEM
 */
enum pb_status pb_bench_print_tests(
    const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f);

#endif
