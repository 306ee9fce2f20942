/* rules.h - the rule sets by name, each behind the same few functions. */
#ifndef PB_POLICY_RULES_H
#define PB_POLICY_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/pellets.h"
#include "pb/map.h"
#include "pb/match.h"
#include "pb/maze.h"
#include "pb/status.h"
#include "pb/tally.h"

/* What a game is played on: a map with pellets, or a maze; else NULL. */
struct pb_ground {
	const struct pb_map *map;
	const struct pb_pellets *pellets; /* on the map; NULL: by the options */
	const struct pb_maze *maze;
};

/* Its name, and a hash of what it is; pellets excepted. */
const char *pb_ground_name(const struct pb_ground *g);
uint64_t pb_ground_hash(const struct pb_ground *g);

/*
 * Who wants to play many trials need not know the game. A world is what all
 * trials on a map share; a lesson is what a player can work out about it
 * beforehand; a seat is the memory that one thread plays in. Worlds and
 * lessons are read-only once made, so threads share them. A trial is a pure
 * function of (world, options, player, round, seed, trial).
 */
struct pb_rules {
	const char *name;           /* "pacmanbot" */
	const char *summary;        /* one line, no stop */
	const char *const *outcome; /* all of them, NULL-ended; the first is
	                               success */
	int rounds;                /* rounds that can be asked for: 1..rounds */
	const char *const *killer; /* names of those that can kill, in the order
	                              of pb_trial; NULL: it does not say */

	bool on_mazes;     /* worlds are made of mazes, else of maps */
	const char *board; /* name of the usual maze, or NULL */
	const char *usual; /* player when nobody says */

	/* Name of player i (0..), NULL past the last; a line about it. */
	const char *(*player)(int i, const char **about);

	/* Hash of all options and pellets (NULL: laid by the options). */
	uint64_t (*fingerprint)(const void *opts, const struct pb_pellets *p);

	/*
	 * Make a world of a ground and options that were checked. On failure
	 * *why is a text for people or NULL.
	 */
	enum pb_status (*world)(void **world, const struct pb_ground *g,
	    const void *opts, const char **why);
	void (*world_free)(void *world);

	/* Pellets that nobody can reach there, without which no game is a
	 * success; NULL: none. */
	int (*beyond)(const void *world);

	/* What player i can know beforehand about a round; NULL: nothing. */
	enum pb_status (*lesson)(void **lesson, const void *world,
	    const void *opts, int player, int round);
	void (*lesson_free)(void *lesson, int player);

	/* One thread's memory for games of player i in a round. */
	enum pb_status (*seat)(void **seat, const void *world, const void *opts,
	    int player, int round, const void *lesson);
	void (*seat_free)(void *seat);

	/* Play: fills r from `outcome` on to its end; r->seed, r->trial say
	 * which trial. Allocates nothing. */
	void (*play)(void *seat, struct pb_trial *r);

	/* Tell w of the decisions of this seat from now on; NULL: never. */
	void (*watch)(void *seat, struct pb_match_watch w);

	/* Where the player was in the trial played last; NULL: not known. */
	const struct pb_heat *(*heat)(const void *seat);
};

/*
 * What all trials of r on g with these options have in common; what a trial
 * adds is missing: 0, "", -1 or NAN.
 */
struct pb_trial pb_rules_key(const struct pb_rules *r,
    const struct pb_ground *g, const void *opts, int round);

/* The rule set called name, NULL if there is none. */
const struct pb_rules *pb_rules_find(const char *name);

/* Rule set i (0..), NULL past the last. */
const struct pb_rules *pb_rules_at(int i);

/* Number of the player called name, -1 if r has none. */
int pb_rules_player(const struct pb_rules *r, const char *name);

#endif
