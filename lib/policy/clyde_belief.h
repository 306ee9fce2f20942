/* clyde_belief.h - where Clyde is going, by how he has moved. */
#pragma once

#include "policy/clyde_markov.h"

/*
 * Places that are farther than a plan looks are told apart by quarter: a square
 * of nodes, told by the node nearest to its middle. Made once, then only read.
 */
struct pb_clyde_quarters {
	const struct pb_clyde_walk *walk; /* borrowed */
	int n;                            /* quarters */
	int *of;       /* by node of the walk: its quarter; owned */
	int *middle;   /* n: node nearest to its middle; owned */
	float *share;  /* n: safe cells of each; owned */
	int16_t *way;  /* by node, n each: way to each (units),
	                  PB_CLYDE_NO_WAY: none, or longer; owned */
	float *detour; /* PB_CLYDE_DETOURS: chance of a way that is so
	                  many units longer; owned */
};

#define PB_CLYDE_NO_WAY  20000
#define PB_CLYDE_DETOURS 421 /* longer ones have no chance */

/* Returns PB_OK, or PB_ENOMEM; what q owns is in the pool. */
enum pb_status pb_clyde_quarters_init(struct pb_clyde_quarters *q,
    const struct pb_clyde_walk *w, struct pb_pool *pool);

/*
 * Clyde walks shortest ways to places drawn evenly. So the places to which
 * he may be going are those for which the way so far was no detour, each
 * with the same chance, and when he loses part of a tick or leaves every
 * shortest way from where he set out, a new leg has begun. Lengths in metres.
 */
struct pb_clyde_belief {
	struct pb_vec at; /* where he was seen last */
	double t;         /* when (s) */
	int node;         /* of the walk, there or nearest to it */
	int from;         /* node where this leg began */
	int way;          /* by which he came into his coarse block */
	double gone;      /* walked on this leg */
	int mark;         /* node a little way back on this leg */
	double mark_gone; /* walked up to there */
	int measured;     /* node from which `begin` was last filled, or -1 */
};

/* Lists of one entry a node or a quarter, in the caller's memory. */
struct pb_clyde_ways {
	struct pb_safe_tree tree; /* from where he is, as far as one looks */
	int *begin;  /* way from where the leg began (units), -1: none */
	float *ends; /* chance that the leg ends here, of nodes in the tree */
	float *load; /* chance that it leads through here, its end included */
	int way;     /* by which he came into his coarse block */
	float *far;  /* quarters: chance that it ends there, off the tree */
	int16_t *least, *first, *last; /* quarters: work */
};

struct pb_clyde_ways pb_clyde_ways_in(
    struct pb_block *b, const struct pb_clyde_quarters *q);

/* He appeared at p; a leg begins. */
void pb_clyde_belief_reset(struct pb_clyde_belief *b,
    const struct pb_clyde_walk *w, struct pb_vec p, double t);

/*
 * He was seen at p at time t, walking at `speed`.
 *
 * Returns  whether a new leg has begun
 */
bool pb_clyde_belief_see(struct pb_clyde_belief *b, struct pb_clyde_ways *ways,
    const struct pb_clyde_walk *w, const struct pb_clyde_chain *c,
    struct pb_vec p, double t, double speed);

/*
 * Work out the ways before him.
 *
 * Given    reach  so far (units), at most half of PB_CLYDE_NO_WAY; beyond it
 *                 ways lead on from the nodes that are nearly as far
 * Returns  ways; chances add up to 1 over `ends` of the tree's nodes and `far`
 */
void pb_clyde_belief_grow(struct pb_clyde_belief *b, struct pb_clyde_ways *ways,
    const struct pb_clyde_quarters *q, int reach);

/* The state of the chain in which he comes to a node of the tree. */
int pb_clyde_ways_state(
    const struct pb_clyde_ways *ways, const struct pb_clyde_chain *c, int node);
