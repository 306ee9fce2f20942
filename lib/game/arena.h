/* arena.h - what all games on one map share: read-only once made. */
#ifndef PB_GAME_ARENA_H
#define PB_GAME_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/geom.h"
#include "base/status.h"
#include "game/opts.h"
#include "game/pellets.h"
#include "ghost/clyde.h"
#include "map/edt.h"
#include "map/field.h"
#include "map/grid.h"
#include "map/map.h"

/*
 * Built once from a map and the arena part of the options, then only read:
 * threads share it. Grids and fields have one entry a map cell, in the map's
 * order. Distances to go are pb_field units (PB_STEP a cell).
 */
struct pb_arena {
	struct pb_map map;           /* copy, owned */
	struct pb_edt edt;           /* distance to the nearest cell that is
	                                not free (or not passable, for
	                                plan_unknown) */
	struct pb_grid soft;         /* cells beyond the inflation radius */
	struct pb_grid hard;         /* cells beyond the inscribed radius */
	struct pb_clyde_world clyde; /* his safe cells */
	struct pb_pose start;        /* the robot's, its home */
	int home;                    /* cell of start */
	int n;                       /* pellets, 0..PB_ROUND_IDS */
	struct pb_pellet *pellet;    /* n, by id: pellet[i].id == i; owned */
	struct pb_vec *at;           /* n: their places; owned */
	int *cell;                   /* n: cell of `hard` to drive to, within
	                                plan_tol of the pellet, or -1; owned */
	bool *reachable;             /* n: from home; owned */
	int reach;                   /* how many are */
	struct pb_field_set *field;  /* n + 1: to pellet i; to home; owned */
};

/*
 * Distances to one goal. On the soft grid where that joins home to the goal,
 * else on the hard one: the soft cost only decides between ways that exist.
 */
struct pb_field_set {
	const struct pb_grid *grid; /* &arena->soft or &arena->hard */
	int goal;                   /* cell, -1: unreachable */
	int32_t *d;                 /* one a cell; NULL: not kept (too large) */
};

/* Fields are kept up to so many cells in all (256 MB). */
#define PB_ARENA_FIELD_CELLS 64000000

/*
 * Make an arena.
 *
 * Given    m  any map; it is copied
 *          o  checked; its arena part is used
 *          s  pellets to play for, or NULL: laid by the published rule
 *             at o's spacing and clearance
 * Returns  PB_OK and *a for pb_arena_free, or *a untouched and
 *          PB_EVALUE (options, ids of s that are not 0..n-1 in order),
 *          PB_ENOFREE (no free cell for the robot, or none for Clyde),
 *          PB_EWALL (start or spawn in a wall or outside),
 *          PB_EPATH (no pellet can be reached from the start),
 *          PB_ENOENT (no pellet at all), PB_ESIZE (more than PB_ROUND_IDS
 *          pellets), PB_ENOMEM; then *why, if not NULL, gets a text for
 *          people that says which of these it was (static storage)
 * Note     without a start the robot begins where the clearance is largest
 *          in the largest component of the hard grid; of equals the lowest
 *          cell index.
 */
enum pb_status pb_arena_new(struct pb_arena **a, const struct pb_map *m,
    const struct pb_round_opts *o, const struct pb_pellets *s,
    const char **why);

/* NULL is fine. */
void pb_arena_free(struct pb_arena *a);

/* Cell index of p, -1 outside the map. */
int pb_arena_cell(const struct pb_arena *a, struct pb_vec p);

/* Centre of cell index i. */
struct pb_vec pb_arena_centre(const struct pb_arena *a, int i);

/* Distance between p's cell and the nearest wall cell (m); 0 outside. */
double pb_arena_clearance(const struct pb_arena *a, struct pb_vec p);

#endif
