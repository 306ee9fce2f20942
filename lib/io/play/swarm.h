/* swarm.h - programs in the places of robots and of the planner. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/opt/opt.h"
#include "pb/game.h"

/* What a game is to be played with, and by whom. */
struct pb_swarm_game {
	const struct pb_game *game;
	const void *constants; /* of the game */
	uint64_t seed, trial;
	double rate;               /* of poses of robots with bodies (1/s) */
	bool swarm;                /* programs of ours for all that have none */
	bool patience;             /* a time for answers was given */
	bool scores;               /* the player goes by pb-score's scores */
	bool leads;                /* commands lead the game */
	bool agent;                /* a program plays */
	struct pb_opt_list *ghost; /* programs, in the ghosts' order */
	const char *self;          /* how this program was called */
	const char **score;        /* who chooses pellets, *score NULL: none */
};

/* Commands that were put together; a zeroed one has none. */
struct pb_swarm {
	char *command[16]; /* owned */
	int n;
};

/*
 * Whether the programs go with the game; if so, and if it is to be a swarm, put
 * together those that are missing: pb-ghost and pb-score with the options that
 * make the game what it is without them.
 *
 * Returns  false if not, or without memory, which was said; w, for
 *          pb_swarm_clear, has to outlive g->ghost and g->score
 */
bool pb_swarm_programs(struct pb_swarm *w, const struct pb_swarm_game *g);
void pb_swarm_clear(struct pb_swarm *w);
