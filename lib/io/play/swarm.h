/* swarm.h - the commands of our own programs for the robots of a game and for
 * its planner. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/game.h"

/* What is played, and the commands that were put together for it. */
struct pb_swarm {
	const struct pb_game *game;
	const void *constants; /* of the game */
	uint64_t seed, trial;
	double rate;       /* of poses of robots with bodies (1/s) */
	const char *self;  /* how this program was called */
	char *command[16]; /* owned */
	int n;
};

/*
 * The command of pb-ghost that plays ghost i (0..) as the game would, and of
 * pb-score that chooses pellets as the game would. They last until
 * pb_swarm_clear(). NULL: no memory, which was said.
 */
const char *pb_swarm_ghost(struct pb_swarm *w, int i);
const char *pb_swarm_score(struct pb_swarm *w);
void pb_swarm_clear(struct pb_swarm *w);
