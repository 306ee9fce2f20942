/* ghost_filter.h - Clyde, moved by the records of a stream. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/opt/opt.h"
#include "pb/clyde.h"

/* What costmaps see of him. */
#define PB_GHOST_OBSTACLES "points|disc|none"
enum pb_ghost_obstacle { PB_GHOST_POINTS, PB_GHOST_DISC, PB_GHOST_NONE };

struct pb_ghost_opts {
	uint64_t seed;  /* the ghost is that of pb-sim's game `trial` */
	uint64_t trial; /* of `seed` */
	const char *id; /* of his records */
	int obstacle;   /* enum pb_ghost_obstacle */
	bool wait;      /* stand still until a record lets him run */
	bool exact;     /* his records have all digits */
	bool has_spawn;
	struct pb_vec spawn; /* as if clicked at the start (m) */
	struct pb_clyde_opts clyde;
	const char *map; /* file of the map, NULL: it is in the stream */
	double duration; /* (s), INFINITY: as long as there are records */
	int ticks;       /* -1: no limit */
	double max_gap;  /* between stamps (s) */
};

/* Clyde as long as there are records, no gap of more than an hour. */
struct pb_ghost_opts pb_ghost_defaults(void);

/*
 * Read the streams named by operands to their ends and pass them on to stdout,
 * with the poses and obstacles of a ghost who moves when their stamps say that
 * time has passed. A map begins a new game. With o->map and no operands there
 * is no stream. What is refused is said.
 */
void pb_ghost_run(const struct pb_ghost_opts *o,
    const struct pb_opt_common *common, char **files, int n);
