/* safe_chase.h - ghosts that hunt: how soon they may be where. */
#ifndef PB_POLICY_SAFE_CHASE_H
#define PB_POLICY_SAFE_CHASE_H

#include "policy/safe_harm.h"

/*
 * A ghost that hunts is feared more than it deserves: whatever its rule, it may
 * be making for just the place where the robot will be, so that after a time it
 * is as near to a node as the shortest way over Clyde's coarse blocks allows.
 * Blocks that are cut off from the largest part hold no hunter. Made once, then
 * only read.
 */
struct pb_safe_chase {
	const struct pb_safe_net *net; /* borrowed, as the next */
	const struct pb_clyde_chain *chain;
	int *goal;           /* by node: the block from which it is caught */
	float *beside;       /* by node: so far from that (m) */
	float *way;          /* by block * blocks + block: from the second to
	                        the first (m), INFINITY: none */
	int *hop;            /* ... and the block after the second */
	struct pb_pool pool; /* of all that */
};

/* Returns PB_OK and c for pb_safe_chase_clear, or PB_ENOMEM. */
enum pb_status pb_safe_chase_init(struct pb_safe_chase *c,
    const struct pb_clyde_walk *w, const struct pb_clyde_chain *chain,
    const struct pb_safe_net *net);
void pb_safe_chase_clear(struct pb_safe_chase *c);

/* One that hunts now. */
struct pb_safe_hunter {
	struct pb_vec at; /* (m) */
	double calm;      /* harmless for so long (s) */
	double speed;     /* (m/s) */
};

/* How far it is from a hunter at p to each node, at least (m). */
void pb_safe_chase_far(
    const struct pb_safe_chase *c, struct pb_vec p, float *far);

/* How near it may come in t seconds (m). */
double pb_safe_chase_reach(const struct pb_safe_hunter *h, double t);

#endif
