/* charts.h - performance profiles: how many trials reach what. */
#ifndef PB_VIEW_CHARTS_H
#define PB_VIEW_CHARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"
#include "io/stream/fault.h"
#include "view/render.h"

/*
 * A profile is the share of all trials whose value is at least x, or at most
 * x, against x (Dolan and More, "Benchmarking optimization software with
 * performance profiles", 2002; Agarwal et al., "Deep reinforcement learning at
 * the edge of the statistical precipice", 2021). Trials without a value count
 * as never there: failures are not left out.
 */
#define PB_PROFILE_CURVES 8 /* more cannot be told apart */

struct pb_profile_curve {
	const char *label;
	const double *value; /* n, ascending, finite; not owned */
	size_t n;            /* trials that have one, */
	size_t all;          /* of so many, >= n, >= 1 */
};

struct pb_profile {
	const char *title;
	const char *what; /* the values, with their unit */
	bool at_most;     /* share that is at most x, else at least x */
	const struct pb_profile_curve *curve;
	int curves; /* 1..PB_PROFILE_CURVES */
};

/* Share of the trials of c that are at most x, or at least x. */
double pb_profile_at(const struct pb_profile_curve *c, double x, bool at_most);

/*
 * Draw p with one letter a curve, for t->width columns.
 *
 * Returns  PB_OK, PB_ENOMEM, or PB_EVALUE: no trial has a value
 */
enum pb_status pb_profile_print(
    const struct pb_profile *p, const struct pb_tty *t, FILE *f);

/* As a PNG file. Returns 0, or -1 with f (which may be NULL) filled in. */
int pb_profile_png(
    const struct pb_profile *p, const char *path, struct pb_fault *f);

#endif
