/* learned.h - what the player `safe` learns, in a file: an option. */
#pragma once

#include <stdbool.h>

#include "io/opt/opt.h"
#include "pb/game.h"

#define PB_OPT_LEARNED(at)                                              \
	{                                                               \
		"learned", 0, PB_OPT_TEXT, "file",                      \
		    "keep what safe learns of the map, for later runs", \
		    .to = at                                            \
	}

/* Whether player p has something to keep. */
bool pb_learned_by(const struct pb_player *p);

/*
 * Read the file, if it is there; file NULL: none is wanted.
 *
 * Returns  true and *l for pb_learned_free, which may be NULL; false: it is no
 *          such file, or cannot be read, which was said
 */
struct pb_learned;
bool pb_learned_open(struct pb_learned **l, const char *file);
void pb_learned_free(struct pb_learned *l);

/*
 * As pb_game_learn, by what is in the file if it fits. Else the first world of
 * a run goes into the file, and that is said where something else was in it.
 * l NULL: no file.
 */
enum pb_status pb_learned_learn(struct pb_learned *l, const struct pb_game *g,
    const struct pb_player *p, const void *world, const void *opts,
    void **known);
