/*
 * clyde.h - the published ghost: it wanders from one random cell to the
 * next.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/decls.h"
#include "pb/geom.h"
#include "pb/map.h"
#include "pb/param.h"
#include "pb/path.h"
#include "pb/plan_grid.h"
#include "pb/rng.h"
#include "pb/status.h"

PB_BEGIN_DECLS

/*
 * Clyde draws a safe cell, walks to it along the shortest grid path at constant
 * speed, draws the next. It knows nothing of the robot.
 *
 * The cells on which it can stand are in a struct pb_clyde_world: made once
 * from a map, then only read, shared by threads. The ghost itself is a struct
 * pb_clyde: one per thread, its buffers allocated once by pb_clyde_init, none
 * in a tick. Its places are *corners* of cells, as published (pb_map_corner);
 * metres and the map frame throughout. Times are whole ticks: it stands still
 * in between.
 */

/* Where Clyde may appear if no cell is chosen. */
enum pb_clyde_spawn {
	PB_CLYDE_ANY,  /* any safe cell, islands too: as published */
	PB_CLYDE_MAIN, /* the part with most cells */
	PB_CLYDE_NEAR  /* the part that holds the cell at `near` */
};

struct pb_clyde_opts {
	double clearance;   /* half side of the free square, >= 0 (m) */
	double speed;       /* along its path, > 0 (m/s) */
	double period;      /* time of a tick, > 0 (s) */
	int draws;          /* most draws of a destination, >= 1 */
	double radius;      /* radius of its obstacle, >= 0 (m) */
	double wipe_period; /* longest pause between costmap clears (s) */
	double wipe_dist;   /* motion after which the costmap is cleared (m) */
	int spawn;          /* enum pb_clyde_spawn */
	struct pb_vec near; /* place for PB_CLYDE_NEAR (m) */
	bool ignore_yaw;    /* places ignore the map's yaw, as published */
};

/* The published values: 0.25 m, 0.25 m/s, 5 Hz, 20 draws, 0.05 m, ... */
struct pb_clyde_opts pb_clyde_defaults(void);

/* The rows of the options, without `near` and the wipe rule; static storage. */
extern const struct pb_params pb_clyde_params;

/* The first parameter at fault by name (static storage), NULL if none is. */
const char *pb_clyde_wrong(const struct pb_clyde_opts *o);

struct pb_clyde_run {
	int32_t from;    /* its first cell */
	uint32_t before; /* cells of its part in earlier runs */
};

struct pb_clyde_world {
	const struct pb_map *map; /* borrowed: must outlive the world */
	bool ignore_yaw;
	struct pb_grid grid;      /* open cells, moves, connected parts */
	uint32_t *above;          /* by row: safe cells in the rows above */
	struct pb_clyde_run *run; /* of the grid, grouped by part: the picture's
	                             rows from the top, as published */
	uint32_t *first; /* by part: index of its first run; nparts + 1 */
};

/*
 * Find the safe cells of m: free, `clearance` from the border and from every
 * cell that is not free (the square rule of pb/plan_grid.h), and their parts.
 *
 * Returns  PB_OK and a world for pb_clyde_world_clear; PB_EVALUE (options),
 *          PB_ENOMEM, PB_ENOFREE (no safe cell) and w untouched
 */
enum pb_status pb_clyde_world_init(struct pb_clyde_world *w,
    const struct pb_map *m, const struct pb_clyde_opts *o);

/* Free what w owns and zero it. A zeroed world is fine. */
void pb_clyde_world_clear(struct pb_clyde_world *w);

/*
 * Safe cell k of a part (-1: of all), row by row from the top left of the
 * picture, as the published ghost lists them; k < size[part] or nfree.
 */
int pb_clyde_nth(const struct pb_clyde_world *w, int part, uint32_t k);

/* Whether it may stand on c; false outside the map. */
bool pb_clyde_safe(const struct pb_clyde_world *w, struct pb_cell c);

/*
 * The place of a cell, and the cell of a place. As published, except for a map
 * with a yaw, where the published place would lie beside the cell: there the
 * corner turns with the map, unless ignore_yaw.
 */
struct pb_vec pb_clyde_place(const struct pb_clyde_world *w, struct pb_cell c);
struct pb_cell pb_clyde_cell(const struct pb_clyde_world *w, struct pb_vec p);

/* The walker; read freely, change only by the functions below. */
struct pb_clyde {
	const struct pb_clyde_world *world; /* borrowed */
	struct pb_clyde_opts opts;
	struct pb_rng rng;
	struct pb_vec at;    /* place (m) */
	struct pb_cell cell; /* cell where its path began, or where it stands */
	struct pb_cell goal; /* destination, if steps > 0 */
	struct pb_cell chosen;    /* the clicked cell, if has_chosen */
	double speed;             /* (m/s) */
	size_t steps;             /* length of its path (cells), 0: none */
	size_t next;              /* index of the next cell on the path */
	bool placed;              /* false until pb_clyde_start */
	bool has_chosen;          /* a click persists over resets */
	bool running;             /* false: it stands still */
	int *path;                /* grid indices, both ends included; owned */
	struct pb_search *search; /* finds its paths; borrowed */
};

/* Events of a tick: a set of these. */
enum {
	PB_CLYDE_MOVED = 1,  /* its place changed */
	PB_CLYDE_PICKED = 2, /* it has a new destination */
	PB_CLYDE_LOST = 4    /* it drew and found none; tries again next tick */
};

/*
 * Make a ghost without a place.
 *
 * Given    w       not cleared before the ghost is
 *          search  made for w's grid or a larger one; it may be shared, and
 *                  must outlive the ghost
 * Returns  PB_OK and a ghost for pb_clyde_clear; PB_EVALUE (options), PB_ENOMEM
 *          or PB_EWALL (o->near is not safe) and c untouched
 */
enum pb_status pb_clyde_init(struct pb_clyde *c, const struct pb_clyde_world *w,
    const struct pb_clyde_opts *o, struct pb_search *search);

/* Free what c owns and zero it. A zeroed ghost is fine. */
void pb_clyde_clear(struct pb_clyde *c);

/*
 * Begin a trial: the speed of the options, nothing clicked, not running; it
 * appears and draws a destination. The former state of c does not matter.
 *
 * Given    r  its random stream: pb_rng_start(seed, trial, PB_FOR_GHOST, 0)
 * Returns  PB_CLYDE_MOVED with PB_CLYDE_PICKED or PB_CLYDE_LOST
 */
unsigned pb_clyde_start(struct pb_clyde *c, struct pb_rng r);

/* Make dst, initialised on the same world, a copy of src; no allocation. */
void pb_clyde_copy(struct pb_clyde *dst, const struct pb_clyde *src);

/*
 * One tick of opts.period seconds.
 *
 * Returns  a set of PB_CLYDE_*; 0 if it is not running
 * Note     as published: without a destination it draws one and stays where it
 *          is; where its path ends it draws, and the rest of the tick is lost
 */
unsigned pb_clyde_tick(struct pb_clyde *c);

/*
 * Appear again: at the clicked cell if there is one, else at random; draw a
 * destination. Returns as pb_clyde_start. Runs on if it was running.
 */
unsigned pb_clyde_reset(struct pb_clyde *c);

/* Walk at v (m/s) from now on. PB_EVALUE unless finite and > 0. */
enum pb_status pb_clyde_speed(struct pb_clyde *c, double v);

/* Move only in the game state "running", in any case, blanks around ignored. */
void pb_clyde_state(struct pb_clyde *c, const char *state);

/*
 * The operator chooses a place: remember its cell for every reset to come,
 * jump there and draw a destination.
 *
 * Given    p     in the map frame (m)
 *          what  NULL, or gets what pb_clyde_start returns
 * Returns  PB_OK; PB_EWALL (its cell is not safe) or PB_EVALUE (it is running,
 *          p is not finite) and nothing changed
 * Note     outside the map the nearest border cell counts, as published, which
 *          is never safe.
 */
enum pb_status pb_clyde_click(
    struct pb_clyde *c, struct pb_vec p, unsigned *what);

/*
 * Move Clyde to p and draw a destination; nothing is remembered. For tests of
 * players, and for games that continue from a recorded state.
 *
 * Returns  as pb_clyde_click, but running ghosts can be moved
 */
enum pb_status pb_clyde_move_to(
    struct pb_clyde *c, struct pb_vec p, unsigned *what);

/*
 * The nine points that the costmaps see: its place, four at `radius` on the
 * axes, four at 0.7 radius on both axes.
 */
#define PB_CLYDE_POINTS 9
void pb_clyde_cloud(
    const struct pb_clyde *c, struct pb_vec point[PB_CLYDE_POINTS]);

/* When and where the global costmap was last cleared for it. */
struct pb_clyde_wipe {
	bool ever;        /* false: the next call is due */
	double t;         /* (s) */
	struct pb_vec at; /* (m) */
};

/* Whether the costmap should be cleared at t (s) with Clyde at c->at. */
bool pb_clyde_wipe_due(
    const struct pb_clyde *c, const struct pb_clyde_wipe *last, double t);

PB_END_DECLS
