/* boot.h - bootstrap over several tasks at once. */
#ifndef PB_BASE_BOOT_H
#define PB_BASE_BOOT_H

#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"

/*
 * Results of several tasks (maps, rounds): a stratum each. Resampling draws
 * within each stratum as many as it has, so that no task is lost (Agarwal et
 * al., "Deep reinforcement learning at the edge of the statistical
 * precipice", 2021).
 */
struct pb_strata {
	const double *x; /* stratum by stratum */
	const size_t *n; /* how many of each, > 0 */
	size_t strata;   /* > 0 */
};

enum pb_boot_of {
	PB_BOOT_MEAN, /* the mean of the strata's means */
	PB_BOOT_IQM   /* the interquartile mean of all values together */
};

struct pb_estimate {
	double value;
	struct pb_interval in; /* percentile bootstrap */
};

/* Bytes of scratch that pb_boot_strata wants. */
size_t pb_boot_work(const struct pb_strata *s, size_t times);

/*
 * Estimate a statistic and its interval.
 *
 * Given    times  draws, > 0
 *          work   pb_boot_work() bytes, aligned for a double
 * Returns  the same for the same seed
 */
struct pb_estimate pb_boot_strata(const struct pb_strata *s, enum pb_boot_of of,
    double confidence, size_t times, uint64_t seed, void *work);

#endif
