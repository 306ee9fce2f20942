/* sequential.h - tests that look after every trial whether it is enough. */
#pragma once

#include <stdbool.h>

#include "pb/decls.h"
#include "pb/result.h"
#include "pb/stats.h"

PB_BEGIN_DECLS

/*
 * Both tests watch a likelihood ratio. It is a martingale when the null
 * hypothesis is true, so that by Ville's inequality the chance that it ever
 * reaches 1/alpha is at most alpha, however often one looks and whenever one
 * stops. A decision is final: what comes later changes nothing. Given the
 * same results in the same order, the same decision.
 */
enum pb_decision {
	PB_OPEN = 0, /* not enough trials yet */
	PB_LOW,      /* sprt: the rate is p0; race: the second one is better */
	PB_HIGH      /* sprt: the rate is p1; race: the first one is better */
};

/*
 * Wald's test between two rates of success. With the bounds 1/alpha and beta
 * (rather than Wald's approximate ones) a true rate of p0 or less is called
 * high with chance alpha at most, one of p1 or more low with chance beta at
 * most.
 */
struct pb_sprt {
	double win, lose; /* logarithm of the ratio, per trial */
	double high, low; /* its bounds */
	long n, k;        /* trials and successes until the decision */
	enum pb_decision decision;
};

/* Given 0 < p0 < p1 < 1, alpha and beta in (0, 1). */
struct pb_sprt pb_sprt_start(double p0, double p1, double alpha, double beta);
enum pb_decision pb_sprt_add(struct pb_sprt *s, bool success);

/* Likelihood ratio of p1 to p0. */
double pb_sprt_ratio(const struct pb_sprt *s);

/*
 * Which of two players is better, from trials that one of them did better: the
 * ratio of all odds, each as likely (Beta(1, 1)), to even odds. It is McNemar's
 * question without a number of trials fixed beforehand: players of equal
 * strength are told apart with chance alpha at most.
 */
struct pb_race {
	double alpha;
	double ratio;       /* likelihood ratio of some difference to none */
	double most;        /* highest ratio until the decision */
	long n;             /* pairs until the decision */
	long first, second; /* of them, won by one only */
	enum pb_decision decision;
};

/* Given alpha in (0, 1). */
struct pb_race pb_race_start(double alpha);
enum pb_decision pb_race_add(struct pb_race *r, bool first, bool second);

/* A p-value that holds at any time: 1 / most, at most 1. */
double pb_race_p(const struct pb_race *r);

/*
 * An interval of a rate that holds whenever one stops, for whatever reason: the
 * rates against which the ratio of all rates, each as likely, never reached
 * 1/(1 - confidence) (Robbins, "Statistical methods related to the law of the
 * iterated logarithm", 1970). It is longer than pb_rate_interval's.
 *
 * Given    0 <= k <= n
 * Returns  a range in [0, 1]; all of it for n = 0
 */
struct pb_interval pb_rate_anytime(long k, long n, double confidence);

/*
 * The same of the difference of two rates on the same trials: of the share of
 * trials that one player only won, and of the first one's share of these, each
 * with half of the error.
 *
 * Returns  a range in [-1, 1]
 */
struct pb_interval pb_pairs_anytime(struct pb_pairs t, double confidence);

/* What is tested; nothing if neither is asked for. */
struct pb_seq_opts {
	bool sprt;     /* each player: is its rate p1 or more, or p0 or less? */
	double p0, p1; /* 0 < p0 < p1 < 1 */
	bool race;     /* each two players: which is better? */
	double alpha;  /* of each sprt; of all races together (Bonferroni) */
	double power;  /* of each sprt at p1 */
};

#define PB_SEQ_PLAYERS 64
#define PB_SEQ_PAIRS   (PB_SEQ_PLAYERS * (PB_SEQ_PLAYERS - 1) / 2)

/*
 * The tests of one round on one map, which are fed trial by trial, in order.
 * A copy of the struct is a snapshot.
 */
struct pb_seq {
	struct pb_seq_opts o;
	int players;
	struct pb_sprt sprt[PB_SEQ_PLAYERS];
	struct pb_race race[PB_SEQ_PAIRS]; /* 1-0, 2-0, 2-1, 3-0, ... */
};

/* Given 0 < players <= PB_SEQ_PLAYERS. */
void pb_seq_start(struct pb_seq *s, const struct pb_seq_opts *o, int players);

/*
 * Take a trial that all players have played.
 *
 * Given    of  how each player did: won for its sprt, their order for races
 * Returns  whether there were tests and all are decided
 */
bool pb_seq_add(struct pb_seq *s, const struct pb_merit *of);

/* The race of player i against player j < i; "first" is i. */
const struct pb_race *pb_seq_race(const struct pb_seq *s, int i, int j);

PB_END_DECLS
