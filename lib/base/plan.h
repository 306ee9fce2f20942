/* plan.h - how many trials a question takes. */
#ifndef PB_BASE_PLAN_H
#define PB_BASE_PLAN_H

/*
 * Trials that each of two players needs so that a two-sided test at level
 * alpha tells rates p1 and p2 apart with chance power, when their trials are
 * independent (Fleiss, "Statistical methods for rates and proportions").
 *
 * Given    p1 != p2 in [0, 1], alpha and power in (0, 1)
 */
double pb_trials_apart(double p1, double p2, double alpha, double power);

/*
 * The same when they play the same trials and a share `split` of these is won
 * by one player only (Connor, 1987).
 *
 * Given    0 < |diff| <= split <= 1
 */
double pb_trials_paired(double diff, double split, double alpha, double power);

/*
 * Trials after which the Wilson interval of a rate is at most `half` to each
 * side of its middle.
 *
 * Given    p in [0, 1], half >= 1e-6, confidence in (0, 1)
 */
double pb_trials_width(double p, double half, double confidence);

/*
 * Trials of each player that show with chance power that the second is at
 * most `margin` worse, when both succeed at rate p and a share `split` of the
 * trials is won by one only: the two-sided interval of confidence 1 - alpha
 * must end above -margin.
 *
 * Given    margin > 0, 0 < split <= 1
 */
double pb_trials_margin(
    double margin, double split, double alpha, double power);

#endif
