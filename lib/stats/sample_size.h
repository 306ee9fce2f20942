/* sample_size.h - how many trials a question takes. */
#pragma once

/*
 * Trials that each of two players needs so that a two-sided test at level
 * alpha tells rates p1 and p2 apart with chance power, when their trials are
 * independent (Fleiss, "Statistical methods for rates and proportions").
 *
 * Given    p1 != p2 in [0, 1], alpha and power in (0, 1)
 */
double pb_trials_apart(double p1, double p2, double alpha, double power);

/*
 * What a number of trials comes to. Power is counted out: every result that
 * so many trials can have, with its chance, and what the test says of it.
 */
struct pb_plan {
	double n;     /* trials of each player; NAN: no number is enough */
	double power; /* that they have; NAN: not counted out */
};

/* More trials than this are not counted out: formulas are exact enough. */
#define PB_PLAN_COUNTED 20000

/*
 * Chance that McNemar's exact test (pb_mcnemar) says p <= alpha and the right
 * way round, when a share `split` of n trials is won by one player only and the
 * rates differ by diff.
 *
 * Given    0 < |diff| <= split <= 1
 */
double pb_power_paired(long n, double diff, double split, double alpha);

/*
 * Chance that the interval of confidence 1 - alpha (pb_pairs_interval) ends
 * above -margin, when players are equally good and a share `split` of n trials
 * is won by one only, by each as often. How many both win does not matter.
 *
 * Given    0 < split <= 1; margin > 0
 */
double pb_power_margin(long n, double margin, double split, double alpha);

/*
 * The fewest trials n with that power, and with it for n to 5/4 n, too: power
 * does not rise with every trial.
 */
struct pb_plan pb_plan_paired(
    double diff, double split, double alpha, double power);
struct pb_plan pb_plan_margin(
    double margin, double split, double alpha, double power);

/*
 * Trials after which the exact interval of a rate is at most `half` to each
 * side of p, if successes come at rate p.
 *
 * Given    p in [0, 1], half >= 1e-6, confidence in (0, 1)
 */
double pb_trials_width(double p, double half, double confidence);
