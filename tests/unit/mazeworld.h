/* mazeworld.h - a maze for the tests of localizers. */
#pragma once

#include "localize/maze_rays.h"
#include "pb/maze.h"

#define CELL   PB_MAZE_CELL
#define RADIUS (PB_TOF_RADIUS / PB_MAZE_CELL)

/* A maze and its cells. */
struct world {
	struct pb_maze maze;
	struct pb_cells cells;
	struct pb_loc_world w;
};

static inline void
open_world(struct world *w, const char *name)
{
	check_int(pb_maze_standard(name, &w->maze), PB_OK);
	check_int(pb_cells_init(&w->cells, &w->maze), PB_OK);
	w->w = (struct pb_loc_world){
	    .maze = &w->maze, .cells = &w->cells, .cell = CELL};
}

static inline void
close_world(struct world *w)
{
	pb_cells_clear(&w->cells);
}

/* Four readings without error. */
static inline struct pb_tof
exact(const struct pb_cells *c, struct pb_vec v)
{
	struct pb_tof z = {.r = {0}};

	for (int i = 0; i < PB_TOF; i++)
		z.r[i] = pb_cells_ray(c, v, (int)pb_tof_dir(i)) - RADIUS;
	return z;
}

/* Readings as a scan, in metres. */
static inline struct pb_scan
as_scan(const struct pb_tof *z, double range[4])
{
	for (int i = 0; i < PB_TOF; i++)
		range[i] = z->r[i] * CELL;
	return (struct pb_scan){.inc = PB_PI / 2,
	    .range_max = INFINITY,
	    .range = range,
	    .n = PB_TOF};
}
