/* benchprofile.h - the trials of a benchmark as performance profiles. */
#ifndef PB_VIEW_BENCHPROFILE_H
#define PB_VIEW_BENCHPROFILE_H

#include "io/fault.h"
#include "stats/tally.h"
#include "view/bench_tables.h"
#include "view/render.h"

/* How to show the values. */
enum pb_value_view { PB_AS_PROFILE, PB_AS_HISTOGRAM };

/*
 * A curve or histogram for each of the first PB_PROFILE_CURVES summaries of v,
 * which are those of t; the values are not PB_OF_NOTHING.
 *
 * Returns  PB_OK, PB_ENOMEM, or PB_EVALUE: no trial has a value
 */
enum pb_status pb_bench_profile(const struct pb_bench_view *v,
    const struct pb_tally *t, enum pb_value_of what, enum pb_value_view as,
    const struct pb_tty *tty, FILE *f);

/* As a PNG file. Returns 0, or -1 with f (which may be NULL) filled in. */
int pb_bench_profile_png(const struct pb_bench_view *v,
    const struct pb_tally *t, enum pb_value_of what, enum pb_value_view as,
    const char *path, struct pb_fault *f);

#endif
