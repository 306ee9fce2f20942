/* chart.h - rates with intervals and histograms, for terminal and PNG. */
#ifndef PB_VIEW_CHART_H
#define PB_VIEW_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/stream/fault.h"
#include "view/render.h"

/* One bar: an estimate and the ends of its interval, all in [0, 1]. */
struct pb_rate {
	const char *label;
	double rate;
	double lo, hi;
};

/*
 * One line a rate: label, bar with its interval, per cent. Meant for
 * t->width columns; box characters where t->utf8.
 */
void pb_chart_rates(
    const struct pb_rate *r, size_t n, const struct pb_tty *t, FILE *f);

/*
 * One line a value: first, first + step, ... with a bar, the count and its
 * share.
 */
void pb_chart_counts(const char *what, const unsigned long long *count,
    size_t n, double first, double step, const struct pb_tty *t, FILE *f);

/*
 * The rates as a PNG chart.
 *
 * Returns  0, or -1 with f (which may be NULL) filled in
 */
int pb_chart_png(const char *title, const struct pb_rate *r, size_t n,
    const char *path, struct pb_fault *f);

#endif
