/* mapsource.h - maps and mazes by name: files, standard grids, random ones. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "io/file/mapfile.h"
#include "io/stream/msg.h"
#include "map/gen_house.h"
#include "map/board.h"
#include "pb/maze.h"
#include "pb/param.h"

struct pb_mapsource_opts {
	struct pb_mapfile_opts file;
	struct pb_house_opts house;
	/* By kind; options common to all kinds are in the first. */
	struct pb_board_opts board[PB_BOARD_KINDS];
	double cell; /* side of a maze cell in a map, 0: its own (m) */
	int per;     /* map cells along that side, see pb_maze_to_map */
};

/* Something to play on: a maze, or a map, or the one made from the other. */
struct pb_mapsource {
	bool has_maze;
	bool has_map;
	struct pb_maze maze;
	struct pb_map map; /* owned */
	struct pb_mapfile_notes notes;
};

struct pb_mapsource_opts pb_mapsource_defaults(void);

/*
 * What random mazes are made from but sizes, seeds and what random houses have,
 * too. The names of the sources are the fact "source".
 */
extern const struct pb_params pb_mapsource_maze_params;

/*
 * Whether name is that of a standard board or of something random: -house,
 * -maze, -roomba or -zumy. A file of such a name is given as ./name.
 */
bool pb_mapsource_is_name(const char *name);

/* Whether name is a stream of records: it may be endless, and is read by the
 * line. */
bool pb_mapsource_is_stream(const char *name);

/* Write the names of grids and random maps, one a line. */
void pb_mapsource_list(FILE *out);

/* Whether it is such a name, or that of the file of a board. */
bool pb_mapsource_is_board(const char *name);

/*
 * Check the options if name is that of something random; otherwise all is
 * well.
 *
 * Returns  false with bad saying which option is wrong, and its bounds
 */
bool pb_mapsource_check(
    const char *name, const struct pb_mapsource_opts *o, struct pb_error *bad);

/*
 * Make what name says, or read the map file of that name. The random ones
 * take checked options.
 *
 * Returns  0 and a map or a maze for pb_mapsource_clear; -1 with f filled in
 */
int pb_mapsource_init(struct pb_mapsource *p, const char *name,
    const struct pb_mapsource_opts *o, struct pb_error *f);
void pb_mapsource_clear(struct pb_mapsource *p);

/*
 * Convert a map to a maze or a maze to a map. A map becomes a maze cell by
 * cell: cells that are not free are walls, and every free cell holds a pellet.
 * Cells keep their size, unless o->cell is another or the map's file did not
 * say it.
 *
 * Returns  0, or -1 with f filled in: the map is too large for a maze, or no
 *          memory
 */
int pb_mapsource_need_map(struct pb_mapsource *p,
    const struct pb_mapsource_opts *o, struct pb_error *f);
int pb_mapsource_need_maze(struct pb_mapsource *p, const char *name,
    const struct pb_mapsource_opts *o, struct pb_error *f);

/* Print the notes about the map file `name`: unknown cells that were not taken
 * as free, an assumed resolution. */
void pb_mapsource_notes(const char *name, const struct pb_mapfile_notes *n);
