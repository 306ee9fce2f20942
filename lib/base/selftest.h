/* selftest.h - whether this build computes what every other one does. */
#ifndef PB_BASE_SELFTEST_H
#define PB_BASE_SELFTEST_H

#include <stdint.h>

/* What pb_selftest() returns where arithmetic is that of IEEE 754. */
#define PB_SELFTEST UINT64_C(0x25b2f40f789b57e2)

/*
 * A hash of some thousand numbers that compilers, their options and the state
 * of the processor have been seen to change: random draws, elementary
 * functions, frames, sums of products, subnormal numbers, rounding.
 *
 * Returns  PB_SELFTEST, or something else if results of this build, in this
 *          process, are not to be compared with those of others
 * Note     takes some 50 microseconds
 */
uint64_t pb_selftest(void);

#endif
