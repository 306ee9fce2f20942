/* rating.h - how strong players are, from trials that all of them met. */
#pragma once

#include <stdbool.h>

#include "pb/decls.h"
#include "pb/measure.h"
#include "pb/stats.h"

PB_BEGIN_DECLS

/*
 * Elo's ratings, as chess has them: a player that is 400 stronger does better
 * on 10 of 11 trials, and one that does alike has half of it. The strengths are
 * those that make the trials most likely (Bradley and Terry, 1952), when half
 * a trial more is won and half a trial lost by each against each, which keeps
 * them finite; their mean is 0.
 *
 * What players do on one trial depends on its luck, so that the trials, not the
 * pairs, are what is independent: the error is that of the estimating equations
 * trial by trial (Liang and Zeger, 1986), and no less than it would be if all
 * pairs were, which it falls below where one player wins all.
 */
struct pb_rating {
	int player; /* 0.. */
	int rank;   /* 1.. */
	int players;
	long n;        /* trials */
	double points; /* share of pairs won, those alike by half */
	double elo;
	struct pb_interval in; /* of it; NAN to NAN: one trial tells nothing */
};

struct pb_rater;

#define PB_RATED_PLAYERS 64

/* Given 1 < players <= PB_RATED_PLAYERS. NULL without memory. */
struct pb_rater *pb_rater_new(int players);
void pb_rater_free(struct pb_rater *r);

/* Take a trial: how each player did. false without memory. */
bool pb_rater_add(struct pb_rater *r, const struct pb_merit *of);

/*
 * Rate all players.
 *
 * Returns  out[players], the strongest first; false without memory, out
 *          untouched
 * Note     time grows with trials * players^2
 */
bool pb_rater_rate(
    const struct pb_rater *r, double confidence, struct pb_rating *out);

PB_END_DECLS
