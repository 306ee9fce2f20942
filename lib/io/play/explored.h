/* explored.h - what bodies have found out of a board, as map records. */
#pragma once

#include "io/stream/error.h"
#include "io/stream/text.h"
#include "pb/game.h"

struct pb_explorers {
	unsigned who; /* bit i: body i; 0: nobody is asked */
	struct pb_text *out;
	bool ever; /* there was a record */
	struct pb_explored told;
};

/*
 * Whose knowledge is asked for.
 *
 * Given    name  that of a body, "all", or NULL for nobody's
 *          opts  of the game
 * Returns  whether there is such a one, else bad says it; the set in *who
 */
bool pb_explorers_find(const struct pb_game *g, const void *opts,
    const char *name, unsigned *who, struct pb_error *bad);

/*
 * Write what has changed: a map whose cells are unknown where nobody of them
 * has seen them, and a fix where a body believes the player to be.
 */
void pb_explorers_put(struct pb_explorers *x, const struct pb_game *g,
    const void *state, double t);
