/* world.h - read the ground of a game from a file or a stream. */
#pragma once

#include <stdbool.h>

#include "game/pellets.h"
#include "io/file/filter.h"
#include "io/file/mapfile.h"
#include "io/stream/msg.h"
#include "pb/game.h"
#include "pb/map.h"

/* A zeroed world has no map and no pellets. */
struct pb_world {
	bool has_map;
	bool has_pellets;          /* a pellets record came after the map */
	struct pb_map map;         /* owned */
	struct pb_pellets pellets; /* owned; ids 0.. in the record's order */
	long *id;                  /* their ids in the record, owned */
};

void pb_world_clear(struct pb_world *w);

/* Refuse the streams named by operands: they held no map, only records of the
 * types in `seen` (set of PB_REC_BIT()). */
void pb_world_no_map(char *const *files, int n, uint64_t seen);

/* Option --world: the true map, where it differs from the game's. */
#define PB_OPT_WORLD(path_, ...)                                         \
	{                                                                \
		"world", 0, PB_OPT_TEXT, "file",                         \
		    "the true map, where it differs from the given one", \
		    (path_), __VA_ARGS__                                 \
	}

/*
 * Read the map file at path, of any kind; print notes about it.
 *
 * Given    how  to read it, NULL: by default
 *
 * Returns  false: a message was printed
 */
bool pb_world_file(
    struct pb_world *w, const char *path, const struct pb_mapfile_opts *how);

/*
 * Make the board called path, or read it from the file of a board, or from the
 * first maze in a file of records, "-" for stdin.
 *
 * Returns  false with f filled in, empty if a message was printed
 */
bool pb_world_maze(const char *path, struct pb_maze *z, struct pb_error *f);

/* Whether path names a maze: a standard or random board, or a file of records
 * whose first map or maze is one. Streams are not read. */
bool pb_world_is_maze(const char *path);

/* Returns bad's text: why a game cannot be played there, and what to do. */
const char *pb_world_refuse(const struct pb_game *g,
    const struct pb_ground *ground, const void *opts, enum pb_status st,
    const struct pb_refusal *no, struct pb_error *bad);

/* Pellets that cannot be reached: those in the game, those left out. */
struct pb_world_reach {
	int beyond, left_out;
};
struct pb_world_reach pb_world_reach(
    const struct pb_game *g, const void *world);

/* Print a note about unreachable pellets, after the name of the map. */
void pb_world_tell_reach(const char *name, struct pb_world_reach r);

/*
 * Use a map or pellets record of a stream, for a filter's take(). The map is
 * moved out of r. A later record replaces an earlier one of its type; a map
 * also removes the pellets.
 */
bool pb_world_take(struct pb_world *w, struct pb_rec *r, struct pb_error *bad);

/*
 * Read the streams named by operands to their ends; pass nothing on.
 *
 * Returns  false: a message was printed
 */
bool pb_world_stream(struct pb_world *w, char *const *files, int n,
    const struct pb_opt_common *common);
