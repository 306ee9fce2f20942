/* ieee.h - refuse to compile where arithmetic is not that of IEEE 754. */
#pragma once

#include <float.h>

/*
 * The same bytes from every build need sums, products and quotients as they are
 * written, each rounded once to its own type. The Makefile includes this in
 * front of every file. pb_selftest() of pb/version.h finds what no macro shows,
 * such as a link with -ffast-math.
 */
#if defined(__FAST_MATH__) ||                                        \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) ||       \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) ||                                  \
    (defined(__GCC_IEC_559) && __GCC_IEC_559 == 0)
#error "results would differ from those of other builds: no -ffast-math, \
-Ofast or parts of them"
#endif

#if FLT_EVAL_METHOD != 0
#error "results would differ from those of other builds: on i386 add \
-msse2 -mfpmath=sse"
#endif
