/* charts.h - rates of success, and performance profiles, on paper. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"
#include "view/canvas.h"
#include "view/drawing.h"

/* Drawings go into files (view/drawing.h); these functions return 0, or -1 with
 * f (which may be NULL) filled in. */

#define PB_CHART_LABEL 320 /* "policy@round map rules constants" */

/* One bar: an estimate and the ends of its interval, all in [0, 1]. */
struct pb_rate {
	char label[PB_CHART_LABEL];
	double rate;
	double lo, hi;
	int player; /* bytes of it that name the player, the rest the setting */
};

/* Bars of the same setting stand together, those of a player have one colour.
 */
int pb_rates_draw(const char *title, const char *what, const struct pb_rate *r,
    size_t n, struct pb_target to, struct pb_error *f);

/*
 * A profile is the share of all trials whose value is at least x, or at most
 * x, against x (Dolan and More, "Benchmarking optimization software with
 * performance profiles", 2002; Agarwal et al., "Deep reinforcement learning at
 * the edge of the statistical precipice", 2021). Trials without a value count
 * as never there: failures are not left out.
 */
#define PB_PROFILE_CURVES 8 /* more cannot be told apart */

struct pb_profile_curve {
	char label[PB_CHART_LABEL];
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

/* With one letter a curve; without a value there is no drawing. */
int pb_profile_draw(
    const struct pb_profile *p, struct pb_target to, struct pb_error *f);
