/* safe_belief.h - what Clyde's moves tell of where he is going. */
#ifndef PB_POLICY_SAFE_BELIEF_H
#define PB_POLICY_SAFE_BELIEF_H

#include "policy/safe_chain.h"

/*
 * Clyde walks shortest ways to places drawn evenly. So the places to which
 * he may be going are those for which the way so far was no detour, each
 * with the same chance, and when he loses part of a tick or leaves every
 * shortest way from where he set out, a new leg has begun. Lengths in metres.
 */
struct pb_safe_belief {
	struct pb_vec at; /* where he was seen last */
	double t;         /* when (s) */
	int node;         /* of the walk, there; -1: nowhere known */
	int from;         /* node where this leg began */
	int way;          /* by which he came into his coarse block */
	double gone;      /* walked on this leg */
	int mark;         /* node a little way back on this leg */
	double mark_gone; /* walked up to there */
	int measured;     /* node from which `begin` was last filled, or -1 */
};

/* Lists of one entry a node, in the caller's memory. */
struct pb_safe_ways {
	struct pb_safe_tree tree; /* from where he is */
	int *begin;  /* way from where the leg began (units), -1: none */
	float *ends; /* chance that the leg ends here */
	float *load; /* chance that it leads through here, its end included */
	int *state;  /* of the chain, there */
};

size_t pb_safe_ways_bytes(int n);
struct pb_safe_ways pb_safe_ways_in(void *mem, int n);

/* He appeared at p; a leg begins. */
void pb_safe_belief_reset(struct pb_safe_belief *b,
    const struct pb_safe_walk *w, struct pb_vec p, double t);

/*
 * He was seen at p at time t, walking at `speed`.
 *
 * Returns  whether a new leg has begun
 */
bool pb_safe_belief_see(struct pb_safe_belief *b, struct pb_safe_ways *ways,
    const struct pb_safe_walk *w, const struct pb_safe_chain *c,
    struct pb_vec p, double t, double speed);

/*
 * Work out the ways before him.
 *
 * Returns  ways; chances add up to 1 over `ends`
 */
void pb_safe_belief_grow(struct pb_safe_belief *b, struct pb_safe_ways *ways,
    const struct pb_safe_walk *w, const struct pb_safe_chain *c);

#endif
