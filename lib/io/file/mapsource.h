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
	/* By kind; options common to all kinds are in board[0]. */
	struct pb_board_opts board[PB_BOARD_KINDS];
	double cell; /* side of a maze cell in a map, 0: default (m) */
	int per;     /* map cells along that side, see pb_maze_to_map() */
};

/* A maze, a map, or both, one made from the other. */
struct pb_mapsource {
	bool has_maze;
	bool has_map;
	struct pb_maze maze;
	struct pb_map map; /* owned */
	struct pb_mapfile_notes notes;
};

struct pb_mapsource_opts pb_mapsource_defaults(void);

/* Constants of random mazes other than sizes, seeds and constants of random
 * houses. The fact "source" has the names of the sources. */
extern const struct pb_params pb_mapsource_maze_params;

/* Whether name is a standard board or a random map: random-house, random-maze,
 * random-roomba or random-zumy. A file with such a name is typed ./name. */
bool pb_mapsource_is_name(const char *name);

/* Whether name is a stream of records, which may be endless and is read by
 * lines. */
bool pb_mapsource_is_stream(const char *name);

/* Write the names of grids and random maps, one a line. */
void pb_mapsource_list(FILE *out);

/* Whether name is a standard or random board, or a file of a board. */
bool pb_mapsource_is_board(const char *name);

/*
 * Check the options if name is a random map; true for others.
 *
 * Returns  false with bad filled in: the wrong option and its bounds
 */
bool pb_mapsource_check(
    const char *name, const struct pb_mapsource_opts *o, struct pb_error *bad);

/*
 * Make the named map or maze, or read it from a file. Random ones need checked
 * options.
 *
 * Returns  0 and a map or a maze for pb_mapsource_clear(); -1 with f filled in
 */
int pb_mapsource_init(struct pb_mapsource *p, const char *name,
    const struct pb_mapsource_opts *o, struct pb_error *f);
void pb_mapsource_clear(struct pb_mapsource *p);

/*
 * Convert a map to a maze or a maze to a map. Each cell of a map becomes a cell
 * of the maze: a wall, or if free, a cell with a pellet. Cells keep their size
 * unless o->cell is set or the map's file states none.
 *
 * Returns  0, or -1 with f filled in: the map is too large for a maze, or no
 *          memory
 */
int pb_mapsource_need_map(struct pb_mapsource *p,
    const struct pb_mapsource_opts *o, struct pb_error *f);
int pb_mapsource_need_maze(struct pb_mapsource *p, const char *name,
    const struct pb_mapsource_opts *o, struct pb_error *f);

/* Print notes about the map file `name`: unknown cells that could have been
 * read as free, an assumed resolution. */
void pb_mapsource_notes(const char *name, const struct pb_mapfile_notes *n);
