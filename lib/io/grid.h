/* grid.h - a game on a board of cells for the console. */
#ifndef PB_IO_GRID_H
#define PB_IO_GRID_H

#include "io/opt.h"
#include "io/pilot.h"
#include "io/stage.h"

/* What the user wants; looked at again whenever a game begins. */
struct pb_grid_opts {
	const void *constants; /* options struct of the rules */
	const uint64_t *seed, *trial;
	const int *player; /* its number among the rules' */
	const char *board; /* name or file, NULL: the standard board */
	double rate;       /* of poses (1/s) */
	const struct pb_opt_common *common;
	struct pb_text *out;
};

/* A rule set: it shows its game to a pilot, who may steer. */
struct pb_grid_type {
	const char *rules;
	size_t size; /* of its game, which is zeroed before open() */

	/* Read the board. False: it was said. close() follows in any case. */
	bool (*open)(void *game, const struct pb_grid_opts *o,
	    const struct pb_pilot *pilot);
	void (*close)(void *game);

	/* As in struct pb_stage_type; step() writes the result at the end. */
	bool (*begin)(void *game, struct pb_bad *bad);
	bool (*step)(void *game);
	double (*time)(const void *game);
	double (*pace)(const void *game);
	void *(*save)(const void *game);
	void (*load)(void *game, const void *saved);
	void (*drop)(void *saved);
};

extern const struct pb_grid_type pb_grid_pacbot, pb_grid_roomba, pb_grid_zumy;

/*
 * Begin a game.
 *
 * Given    o  kept
 * Returns  whether it worked, else it was said; stage is for pb_grid_free in
 *          either case
 */
bool pb_grid_new(const struct pb_grid_type *t, const struct pb_grid_opts *o,
    struct pb_stage *stage);
void pb_grid_free(struct pb_stage *stage);

#endif
