/* localize_game.h - trials of localization methods as a rule set. */
#pragma once

#include "localize/trial.h"
#include "pb/games.h"

/* Most methods that there can be. */
#define PB_LOCALIZE_METHODS 16

/*
 * The players are all methods, in the order of pb_localizer_at(). A trial is
 * one of pb_loc_trial() on maps, one of pb_maze_trial() in mazes. Its time is
 * until the method was sure and right to the end, its limit all of the trial.
 */
struct pb_localize_game_opts {
	const void
	    *constants[PB_LOCALIZE_METHODS]; /* of each method, checked */
	struct pb_loc_trial_opts
	    trial; /* in mazes only protocol and near_turn count */
	struct pb_maze_trial_opts maze; /* of trials in mazes */
	bool in_maze;                   /* trials are in mazes, else on maps */
	const struct pb_drive
	    *drive;          /* of trials on maps, owned by the caller */
	uint64_t drive_hash; /* hash of the drive */
};

/* On maps. Options: struct pb_localize_game_opts, checked with its drive. */
extern const struct pb_game pb_game_localize;

/* The rules with their players; not moved while it is used. */
struct pb_localize_rules {
	struct pb_rules rules;
	struct pb_game game; /* on maps or in mazes */
	struct pb_player player[PB_LOCALIZE_METHODS];
	const struct pb_player *list[PB_LOCALIZE_METHODS + 1];
};

/* Fill in r. */
void pb_localize_rules(struct pb_localize_rules *r, bool maze);
