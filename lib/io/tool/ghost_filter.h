/* ghost_filter.h - ghosts by name, moved by the records of a stream. */
#ifndef PB_IO_TOOL_GHOST_FILTER_H
#define PB_IO_TOOL_GHOST_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "io/opt/opt.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/clyde.h"
#include "pb/map.h"

/*
 * One table of the ways to move that pb-ghost offers. Whoever drives a ghost
 * owns time and the map; the ghost turns ticks and records into poses and
 * obstacles. One thread.
 */
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
};

struct pb_ghost {
	const struct pb_ghost_opts *o;
	const struct pb_map *map; /* borrowed until end() */
	struct pb_text *out;      /* where records go */
	struct pb_map part;       /* of it, where he can be */
	struct pb_clyde_world world;
	struct pb_clyde clyde;
	bool lost;  /* it was said that he has no destination */
	bool moved; /* by a command: show() is due */
};

struct pb_ghost_kind {
	const char *name;
	const char *summary; /* one line, no stop */

	/* Time between ticks (s). */
	double (*period)(const struct pb_ghost_opts *o);

	/*
	 * Take his place on g->map. False with bad filled in if there is none;
	 * call end() either way.
	 */
	bool (*begin)(struct pb_ghost *g, struct pb_error *bad);
	void (*end)(struct pb_ghost *g);

	/* A tick is over: move if he may. */
	void (*tick)(struct pb_ghost *g);

	/* Write where he is at time t (s). */
	void (*show)(struct pb_ghost *g, double t);

	/* A cmd record; false with bad filled in if it is refused. */
	bool (*command)(struct pb_ghost *g, const struct pb_rec_cmd *c,
	    struct pb_error *bad);

	/* The game's state has changed. */
	void (*state)(struct pb_ghost *g, const char *state);
};

/* Row i of the table, NULL past the last. */
const struct pb_ghost_kind *pb_ghost_kind(int i);

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
