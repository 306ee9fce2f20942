/* trace.h - write a game as records: events on a map, output of simulated
 * sensors. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/opt/opt.h"
#include "io/rec/rec.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "pb/game.h"
#include "robot/sense.h"

/* Kinds of records of a trace, as bits. True poses, odometry and twists are
 * written at a fixed rate, all others when they occur. */
enum pb_trace_kind {
	PB_TRACE_STATE = 1 << 0,    /* state: phases, counts, result text */
	PB_TRACE_EVENT = 1 << 1,    /* event: for lights and sounds */
	PB_TRACE_CMD = 1 << 2,      /* cmd: between the nodes */
	PB_TRACE_PELLETS = 1 << 3,  /* pellets: the set as published */
	PB_TRACE_GOAL = 1 << 4,     /* goal: sent, and how it ended */
	PB_TRACE_PATH = 1 << 5,     /* path: to the goal */
	PB_TRACE_ESTIMATE = 1 << 6, /* pose of `robot`: its estimate */
	PB_TRACE_TRUTH = 1 << 7,  /* pose of `truth`: true pose of the robot */
	PB_TRACE_CLYDE = 1 << 8,  /* pose of `clyde`, the ghost */
	PB_TRACE_ODOM = 1 << 9,   /* odom: wheel odometry */
	PB_TRACE_TWIST = 1 << 10, /* twist: as commanded */
	PB_TRACE_OBSTACLE = 1 << 11 /* obstacle of `clyde`: nine points */
};

/* All but odometry, twists and obstacles. */
#define PB_TRACE_DEFAULT 0x1ffu
#define PB_TRACE_ALL     0xfffu

/* For PB_OPT_CALL: set the uint32_t at `to` from a list of names, "all" or
 * "none". */
bool pb_opt_trace(void *to, const char *arg, struct pb_error *bad);

struct pb_trace {
	const struct pb_game *game;
	const long *id; /* of the pellets in records, NULL: 0.. */
	double period;  /* between true poses, odometry and twists (s) */

	/* Set by pb_trace_begin(). */
	struct pb_text *out;
	uint32_t kinds;
	const void *state; /* of the traced game */
	double due[PB_EVENT_TWIST +
		   1];     /* time of the next record of each kind (s) */
	const char *phase; /* of the latest event, NULL: the current phase */
	struct pb_rec_state last;     /* last state record written */
	struct pb_rec_pellet *pellet; /* room for all pellets, owned */
};

/* Begin to trace a game, or another one; the first three members are set. End
 * with pb_trace_end(). */
void pb_trace_begin(
    struct pb_trace *t, struct pb_text *out, uint32_t kinds, const void *state);
void pb_trace_end(struct pb_trace *t);

/* Write an event if its kind was requested and it is due. */
void pb_trace_put(struct pb_trace *t, const struct pb_event *n);

/* The id of pellet i in records; -1 for -1. */
long pb_trace_id(const struct pb_trace *t, int i);

/* The pellet with that id in records, -1: none. */
int pb_trace_pellet(const struct pb_trace *t, double id);

/* Add to o: the state, even if unchanged; the pellets for which left[i] is set
 * (NULL: those left in the game); all known poses. */
void pb_trace_state(const struct pb_trace *t, struct pb_text *o);
void pb_trace_pellets(
    const struct pb_trace *t, const unsigned char *left, struct pb_text *o);
void pb_trace_poses(const struct pb_trace *t, struct pb_text *o);

/* Option for pb_opt; o: struct pb_sense_opts *. */
/* clang-format off */
#define PB_OPT_SENSES(o)                                                    \
	{"sensors", 0, PB_OPT_WORDS, "list",                                \
	    "lidar, tof4 or tof8; odom, imu, camera", \
	    &(o)->sensors, .words = pb_sensor_names}
/* clang-format on */

/* Simulated sensors; zeroed: none. */
struct pb_senses {
	struct pb_text *out;
	struct pb_rays *rays;   /* owned */
	struct pb_sense *sense; /* owned, NULL: no sensors */
};

/* Begin with trial `trial` of `seed` and a robot at p; end with
 * pb_senses_end(). Rays are cast in m: an occupancy map, or a maze's
 * pb_maze_solid(). */
void pb_senses_begin(struct pb_senses *z, const struct pb_sense_opts *o,
    const struct pb_map *m, uint64_t seed, uint64_t trial, struct pb_pose p,
    struct pb_text *out);
void pb_senses_end(struct pb_senses *z);

/*
 * The robot is at p at time t (s): write the sensors' records that are due, and
 * first the true pose with the id "truth".
 *
 * Given    carried  it was carried there: the wheels did not turn
 */
void pb_senses_step(
    struct pb_senses *z, double t, struct pb_pose p, bool carried);
