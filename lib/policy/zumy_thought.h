/* zumy_thought.h - what players share who play on in thought. */
#pragma once

#include "game/zumy/zumy.h"

/* What a state is worth, lower is better: steps to the goal and what the
 * patrols believe to see; if he was seen, it is more than any other's. */
double pb_zumy_worth(const struct pb_zumy *s);

/* States of one key have nearly the same future: moves that have as many ticks
 * left, in steps of `grain`, and beliefs that are alike in steps of 1/belief.
 * Never 0. */
uint64_t pb_zumy_key(const struct pb_zumy *s, int grain, int belief);

/* The best of many states, by places; the states are the owner's. */
#define PB_ZUMY_BEST 12000
struct pb_zumy_best {
	int n, order[PB_ZUMY_BEST]; /* of the first n places, the best first */
	double worth[PB_ZUMY_BEST]; /* by place */
};

/*
 * Where to put a state that is worth so much; of equals the first stays ahead.
 * most  <= PB_ZUMY_BEST: so many are kept.
 *
 * Returns  its place; -1 if it is not among the best
 */
int pb_zumy_best_place(struct pb_zumy_best *b, int most, double worth);

/* Keys of states that were met. */
#define PB_ZUMY_MET ((size_t)1 << 22)
struct pb_zumy_met {
	size_t places, n;
	uint64_t key[PB_ZUMY_MET]; /* of those in use; 0: none */
};

/* None was met; `places` is a power of two, at most PB_ZUMY_MET. */
void pb_zumy_met_clear(struct pb_zumy_met *m, size_t places);

/* Whether a key was not met before; now it is, while half of the places are
 * free. */
bool pb_zumy_met_new(struct pb_zumy_met *m, uint64_t key);
