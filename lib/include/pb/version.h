/* version.h - which library this is, and whether it computes as others do. */
#pragma once

#include <stdint.h>

#include "pb/decls.h"

PB_BEGIN_DECLS

/* The version that a program was compiled for. */
#define PB_VERSION_MAJOR 0
#define PB_VERSION_MINOR 3
#define PB_VERSION_PATCH 0
#define PB_VERSION       "0.3.0"
#define PB_VERSION_NUMBER \
	(PB_VERSION_MAJOR * 10000 + PB_VERSION_MINOR * 100 + PB_VERSION_PATCH)

/*
 * The PB_VERSION_NUMBER of the library that a program runs with. Structs may
 * differ between versions, so it should be that of the headers:
 *
 *	if (pb_version() != PB_VERSION_NUMBER)
 *		errx(1, "compiled for pb " PB_VERSION ", not this one");
 */
int pb_version(void);

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

PB_END_DECLS
