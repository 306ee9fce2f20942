/* charts.h - rates, counts and spreads, for the terminal and on paper. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/stream/error.h"
#include "pb/status.h"
#include "view/canvas.h"
#include "view/drawing.h"
#include "view/term.h"

/*
 * What is printed is meant for t->width columns, with box characters where
 * t->utf8. What is drawn goes into a file (view/drawing.h); these functions
 * return 0, or -1 with f (which may be NULL) filled in.
 */

#define PB_CHART_LABEL 320 /* "policy@round map rules constants" */

/* One bar: an estimate and the ends of its interval, all in [0, 1]. */
struct pb_rate {
	char label[PB_CHART_LABEL];
	double rate;
	double lo, hi;
	int player; /* bytes of it that name the player, the rest the setting */
};

/*
 * One line a rate: label, bar with its interval, per cent.
 *
 * Returns  PB_OK, PB_ENOMEM, PB_ESIZE (a chart has no room for so many)
 */
enum pb_status pb_rates_print(
    const struct pb_rate *r, size_t n, const struct pb_tty *t, FILE *f);

/* Bars of the same setting stand together, those of a player have one colour.
 */
int pb_rates_draw(const char *title, const char *what, const struct pb_rate *r,
    size_t n, struct pb_target to, struct pb_error *f);

/*
 * One line a value: first, first + step, ... with a bar, the count and its
 * share. Returns as pb_rates_print().
 */
enum pb_status pb_counts_print(const char *what, const long *count, size_t n,
    double first, double step, const struct pb_tty *t, FILE *f);

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
	int curves;     /* 1..PB_PROFILE_CURVES */
	bool histogram; /* show the values counted in bins instead */
};

/* Share of the trials of c that are at most x, or at least x. */
double pb_profile_at(const struct pb_profile_curve *c, double x, bool at_most);

/*
 * Print p with one letter a curve, or one histogram after the other.
 *
 * Returns  PB_OK, PB_ENOMEM, or PB_EVALUE: no trial has a value
 */
enum pb_status pb_profile_print(
    const struct pb_profile *p, const struct pb_tty *t, FILE *f);
int pb_profile_draw(
    const struct pb_profile *p, struct pb_target to, struct pb_error *f);

/*
 * The same samples, counted in about 20 bins that all of them share; a bin
 * holds what is at least its number and less than the next one's.
 */
#define PB_HISTOGRAM_BINS 24

struct pb_bins {
	double first, step; /* bin i begins at first + i * step */
	int n;              /* 1..PB_HISTOGRAM_BINS */
};

/* Bins for all values of p; false if there are none. */
bool pb_histogram_bins(const struct pb_profile *p, struct pb_bins *b);

/* Values of c in each of the bins; those must hold them all. */
void pb_histogram_count(const struct pb_profile_curve *c,
    const struct pb_bins *b, long count[PB_HISTOGRAM_BINS]);
