/* haunt.h - a ghost in a stream of records, moved by their times. */
#ifndef PB_IO_SIM_HAUNT_H
#define PB_IO_SIM_HAUNT_H

#include "io/opt/opt.h"
#include "io/sim/ghost.h"

/* How long a ghost moves, and on which map. */
struct pb_haunt_opts {
	struct pb_ghost_opts ghost;
	const char *map; /* file of the map, NULL: it is in the stream */
	double duration; /* (s), INFINITY: as long as there are records */
	int ticks;       /* -1: no limit */
	double max_gap;  /* between stamps (s) */
};

/* Clyde as long as there are records, no gap of more than an hour. */
struct pb_haunt_opts pb_haunt_defaults(void);

/*
 * Read the streams named by operands to their ends and pass them on to stdout,
 * with the poses and obstacles of a ghost who moves when their stamps say that
 * time has passed. A map begins a new game. With o->map and no operands there
 * is no stream. What is refused is said.
 */
void pb_haunt_run(const struct pb_haunt_opts *o,
    const struct pb_opt_common *common, char **files, int n);

#endif
