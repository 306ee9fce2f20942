/* sequential.h - when the players of a round have played enough. */
#ifndef PB_STATS_SEQUENTIAL_H
#define PB_STATS_SEQUENTIAL_H

#include <stdbool.h>

#include "stats/seqtest.h"

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
 * Given    won  of each player
 * Returns  whether there were tests and all are decided
 */
bool pb_seq_add(struct pb_seq *s, const bool *won);

/* The race of player i against player j < i; "first" is i. */
const struct pb_race *pb_seq_race(const struct pb_seq *s, int i, int j);

#endif
