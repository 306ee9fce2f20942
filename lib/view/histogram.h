/* histogram.h - how the values of trials are spread. */
#ifndef PB_VIEW_HISTOGRAM_H
#define PB_VIEW_HISTOGRAM_H

#include "view/charts.h"

/*
 * The same samples as a performance profile has, counted in about 20 bins
 * that all of them share; a bin holds what is at least its number and less
 * than the next one's.
 */

/* Largest number of bins. */
#define PB_HISTOGRAM_BINS 24

struct pb_bins {
	double first, step; /* bin i begins at first + i * step */
	int n;              /* 1..PB_HISTOGRAM_BINS */
};

/* Bins for all values of p; false if there are none. */
bool pb_histogram_bins(const struct pb_profile *p, struct pb_bins *b);

/* Values of c in each of the bins; those must hold them all. */
void pb_histogram_count(const struct pb_profile_curve *c,
    const struct pb_bins *b, unsigned long long count[PB_HISTOGRAM_BINS]);

/* As pb_profile_print and pb_profile_png. */
enum pb_status pb_histogram_print(
    const struct pb_profile *p, const struct pb_tty *t, FILE *f);
int pb_histogram_png(
    const struct pb_profile *p, const char *path, struct pb_fault *f);

#endif
