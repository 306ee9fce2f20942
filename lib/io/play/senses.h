/* senses.h - what the sensors of a simulated robot say, and what bodies have
 * found out of a board, as records. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/opt/opt.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "pb/game.h"
#include "pb/map.h"
#include "pb/maze.h"
#include "robot/sense.h"

/* What the user wants. */
struct pb_senses_opts {
	struct pb_sense_opts sense;
	bool unknown_stops; /* unknown cells stop rays */
};

struct pb_senses_opts pb_senses_defaults(void);

/* Options for pb_opt; o: struct pb_senses_opts *. */
/* clang-format off */
#define PB_OPT_SENSES(o)                                                    \
	{"sensors", 0, PB_OPT_WORDS, "list",                                \
	    "lidar, tof4 or tof8; odom, imu, camera", \
	    &(o)->sense.sensors, .words = pb_sensor_names},                 \
	{"unknown-stops", 0, PB_OPT_BOOL, "yes|no",                         \
	    "unknown cells stop the rays of sensors",                       \
	    &(o)->unknown_stops}
/* clang-format on */

/* The constants, for --set; the sensors are the fact "sensors". */
struct pb_set_group pb_senses_group(struct pb_senses_opts *o);

/* Whether o makes sense; if not it was said. */
bool pb_senses_check(const struct pb_senses_opts *o);

/*
 * Sensors at work; a zeroed struct has none and writes nothing. One thread.
 */
struct pb_senses {
	struct pb_text *out;
	struct pb_rays *rays;   /* owned */
	struct pb_sense *sense; /* owned, NULL: no sensors */
};

/*
 * Begin on a map, with trial `trial` of `seed` and a robot at p.
 *
 * Given    m  where rays go: an occupancy map, or a maze's pb_maze_solid()
 * Returns  whether there was memory; for pb_senses_end in either case
 */
bool pb_senses_begin(struct pb_senses *z, const struct pb_senses_opts *o,
    const struct pb_map *m, uint64_t seed, uint64_t trial, struct pb_pose p,
    struct pb_text *out);

void pb_senses_end(struct pb_senses *z);

/*
 * At time t (s) the robot is at p: write what is due, and before it the true
 * pose, with the id "truth".
 *
 * Given    carried  somebody put it there: wheels have not noticed
 */
void pb_senses_step(
    struct pb_senses *z, double t, struct pb_pose p, bool carried);

struct pb_explorers {
	unsigned who; /* bit i: body i; 0: nobody is asked */
	struct pb_text *out;
	bool ever; /* there was a record */
	struct pb_explored told;
};

/*
 * Whose knowledge is asked for.
 *
 * Given    name  that of a body, "all", or NULL for nobody's
 *          opts  of the game
 * Returns  whether there is such a one, else bad says it; the set in *who
 */
bool pb_explorers_find(const struct pb_game *g, const void *opts,
    const char *name, unsigned *who, struct pb_error *bad);

/*
 * Write what has changed: a map whose cells are unknown where nobody of them
 * has seen them, and a fix where a body believes the player to be.
 */
void pb_explorers_put(struct pb_explorers *x, const struct pb_game *g,
    const void *state, double t);
