/* mapgen_source.h - maps and mazes by name: files, standard grids, random ones. */
#ifndef PB_IO_TOOL_MAPGEN_SOURCE_H
#define PB_IO_TOOL_MAPGEN_SOURCE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/param.h"
#include "io/file/mapfile.h"
#include "io/stream/fault.h"
#include "io/stream/msg.h"
#include "map/gen_house.h"
#include "map/gen_maze.h"
#include "map/maze.h"

struct pb_mapmade_opts {
	struct pb_mapfile_opts file;
	struct pb_house_opts house;
	struct pb_maze_opts maze;
	struct pb_board_opts roomba, zumy; /* what maze has not */
	double cell; /* side of a maze cell in a map, 0: its own (m) */
	int per;     /* map cells along that side, see pb_maze_to_map */
};

/* Something to play on: a maze, or a map, or the one made from the other. */
struct pb_mapmade {
	bool has_maze;
	bool has_map;
	struct pb_maze maze;
	struct pb_map map; /* owned */
	struct pb_mapfile_notes notes;
};

struct pb_mapmade_opts pb_mapmade_defaults(void);

/*
 * What random houses, random mazes and mazes made into maps are made from,
 * described for the command line; sizes, seeds and what both random ones have
 * excepted. Static storage, *n rows.
 */
const struct pb_param *pb_mapmade_house_params(size_t *n);
const struct pb_param *pb_mapmade_maze_params(size_t *n);

/*
 * Whether name is that of a standard board or of something random: -house,
 * -maze, -roomba or -zumy. A file of such a name is given as ./name.
 */
bool pb_mapmade_is_name(const char *name);

/* Whether name is a stream of records: it may be endless, and is read by the
 * line. */
bool pb_mapmade_is_stream(const char *name);

/* Write the names of grids and random maps, one a line. */
void pb_mapmade_list(FILE *out);

/* Whether it is such a name, or that of the file of a board. */
bool pb_mapmade_is_board(const char *name);

/*
 * Check the options if name is that of something random; otherwise all is
 * well.
 *
 * Returns  false with bad saying which option is wrong, and its bounds
 */
bool pb_mapmade_check(
    const char *name, const struct pb_mapmade_opts *o, struct pb_bad *bad);

/*
 * Make what name says, or read the map file of that name. The random ones
 * take checked options.
 *
 * Returns  0 and a map or a maze for pb_mapmade_clear; -1 with f filled in
 */
int pb_mapmade_init(struct pb_mapmade *p, const char *name,
    const struct pb_mapmade_opts *o, struct pb_fault *f);
void pb_mapmade_clear(struct pb_mapmade *p);

/*
 * Supply what is missing. A map becomes a maze cell by cell: what is not
 * free is wall, and every free cell holds a pellet.
 *
 * Returns  0, or -1 with f filled in: the map is too large for a maze, or no
 *          memory
 */
int pb_mapmade_need_map(
    struct pb_mapmade *p, const struct pb_mapmade_opts *o, struct pb_fault *f);
int pb_mapmade_need_maze(
    struct pb_mapmade *p, const char *name, struct pb_fault *f);

#endif
