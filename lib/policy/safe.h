/* safe.h - the player that plans in time against a belief of Clyde's way. */
#pragma once

#include "game/pacmanbot/opts.h"
#include "policy/safe_marks.h"
#include "policy/safe_plan.h"
#include "policy/safe_pose.h"
#include "policy/tour.h"

/* Made once by learn, shared by all games on the arena; read-only. */
struct pb_safe_known {
	struct pb_clyde_walk walk;
	struct pb_clyde_quarters quarters;
	struct pb_clyde_chain chain;
	struct pb_safe_net net;   /* that it plans on */
	struct pb_safe_net rough; /* that fleeing is solved on */
	struct pb_safe_value value;
	struct pb_safe_field field;
	struct pb_round_opts opts; /* as they were then */
	struct pb_tour tour;
	struct pb_safe_floor floor; /* zeroed where nothing is marked */
	struct pb_pool pool;        /* of what all these own */
};

/*
 * The player's learn and forget, see pb/player.h.
 */
enum pb_status pb_safe_learn(const void *world, const void *opts, void **known);
void pb_safe_forget(void *known);
