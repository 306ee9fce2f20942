/* safe_known.h - what the player `safe` learns of an arena before it plays. */
#ifndef PB_POLICY_SAFE_KNOWN_H
#define PB_POLICY_SAFE_KNOWN_H

#include "policy/safe_plan.h"
#include "policy/safe_pose.h"

/* Made once by learn, shared by all games on the arena; read-only. */
struct pb_safe_known {
	struct pb_safe_walk walk;
	struct pb_safe_chain chain;
	struct pb_safe_net net;
	struct pb_safe_value value;
	struct pb_safe_field field;
	struct pb_safe_pose_opts pose; /* noise that the filter assumes */
	int pellets;
	int *node;    /* pellets: node of the net at each; owned */
	float *reach; /* pellets * nodes: from pellet to node (m); owned */
	float *apart; /* pellets^2: between pellets (m); owned */
};

/* The player's learn and forget, see game/player.h. */
enum pb_status pb_safe_learn(
    const struct pb_arena *a, const struct pb_round_opts *o, void **known);
void pb_safe_forget(void *known);

#endif
