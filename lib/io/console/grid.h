/* grid.h - a game on a board of cells for the console. */
#ifndef PB_IO_CONSOLE_GRID_H
#define PB_IO_CONSOLE_GRID_H

#include "io/sim/pilot.h"
#include "io/sim/senses.h"
#include "io/console/stage.h"

/* A rule set: it shows its game to a pilot, who may steer. */
struct pb_grid_type {
	const char *rules;
	size_t size; /* of its game, which is zeroed before open() */

	/* Read the board. False: it was said. close() follows in any case. */
	bool (*open)(void *game, const struct pb_stage_opts *o,
	    const struct pb_pilot *pilot);
	void (*close)(void *game);

	/* As in struct pb_stage_type, on board z, NULL: on the same. */
	bool (*begin)(void *game, const struct pb_maze *z, struct pb_bad *bad);

	/* The same; step() writes the result at the end. */
	bool (*step)(void *game);

	/* How it ended, in a word; of no use before. */
	const char *(*ending)(const void *game);
	double (*time)(const void *game);
	double (*pace)(const void *game);
	struct pb_cues *(*cues)(void *game);
	struct pb_senses *(*senses)(void *game);

	/* A copy but for these two. */
	void *(*save)(const void *game);
	void (*load)(void *game, const void *saved);
	void (*drop)(void *saved);
	bool starts; /* an operator says start and reset */
};

extern const struct pb_grid_type pb_grid_pacbot, pb_grid_roomba, pb_grid_zumy;

/*
 * For begin(): a game's cues go on with what is wanted now, which is kept in
 * *o. Returns false if the file of sounds cannot be written, which was said.
 */
bool pb_grid_cues(struct pb_cues *c, struct pb_cues_opts *o,
    const struct pb_cues_opts *wanted, struct pb_text *out);

/*
 * Begin a game.
 *
 * Given    o  kept
 * Returns  whether it worked, else it was said; stage is for pb_grid_free in
 *          either case
 */
bool pb_grid_new(const struct pb_grid_type *t, const struct pb_stage_opts *o,
    struct pb_stage *stage);
void pb_grid_free(struct pb_stage *stage);

#endif
