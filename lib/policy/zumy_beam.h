/* zumy_beam.h - the best few of many states, and which were met before. */
#ifndef PB_POLICY_ZUMY_BEAM_H
#define PB_POLICY_ZUMY_BEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Places for up to `most` states, by what they are worth: lower is better.
 * The states themselves are the owner's. */
struct pb_zumy_beam {
	int n;
	bool left;     /* a state found no place, or lost it */
	int *order;    /* of the first n places, the best first */
	double *worth; /* by place */
};

/*
 * Where to put a state that is worth so much; of equals the first stays ahead.
 *
 * Returns  its place; -1 if it is not among the best
 */
int pb_zumy_beam_place(struct pb_zumy_beam *b, int most, double worth);

/* Keys of states that were met; 0 is none. */
struct pb_zumy_met {
	uint64_t *key;
	size_t places; /* a power of two */
	size_t n;
};

/* Whether a key was not met before; now it is, while half of the places are
 * free. */
bool pb_zumy_met_new(struct pb_zumy_met *m, uint64_t key);

#endif
