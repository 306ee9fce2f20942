/* observation.h - what a player sees of a game, as numbers in memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pb/game.h"

/*
 * A game on a board is seen as its own frame, as planes of the board, or as
 * features; one on a map as features: what each number is stands in pb-env(7).
 * The shape is settled once; then threads share it.
 */
enum pb_observation_form { PB_SEE_FRAME, PB_SEE_PLANES, PB_SEE_FEATURES };
#define PB_OBSERVATION_FORMS "frame|planes|features"
#define PB_OBSERVATION_TYPES "uint8|float"

struct pb_observation {
	const struct pb_game *game;
	const struct pb_maze *maze; /* NULL: played on a map; not owned */
	int form;                   /* enum pb_observation_form */
	bool floats;                /* planes of float, not of bytes */
	bool sides;                 /* the board has walls between cells */
	int bodies, pellets;        /* pellets of a map, else 0 */
	int rows, cols;             /* of a plane, else 0 */
	int parts;                  /* planes or features, bytes of a frame */
	size_t each;                /* bytes of a number */
	size_t bytes;               /* of an observation */
};

/*
 * Settle the shape; form, floats, game and maze are set.
 *
 * Given    state  any of that game, begun
 * Returns  false: the game has no such form
 */
bool pb_observation_init(
    struct pb_observation *o, const void *opts, const void *state);

/* Write an observation; view NULL: as look() has it without. */
void pb_observation_write(const struct pb_observation *o, const void *state,
    const void *view, void *out);
