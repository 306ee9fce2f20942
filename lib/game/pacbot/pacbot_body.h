/* pacbot_body.h - the robot of the Pacbot game: it senses and drives. */
#pragma once

#include "localize/maze_rays.h"
#include "localize/onboard.h"
#include "pb/localizer.h"
#include "pb/pacbot.h"
#include "pb/ray.h"
#include "robot/rover.h"
#include "robot/sense.h"

/*
 * The published robot: three wheels with a PID loop each, an IMU that holds
 * its heading, range sensors on its rim, a camera above the arena. Every 15 ms
 * it measures and localizes itself, every 30 ms it steers. It stands in the
 * maze whose walls are eroded by half a cell; poses are in the frame of
 * pb_cells_xy() times the side of a cell (m), heading 0 is down the rows.
 */

/* What all robots on a board share; read only. */
struct pb_pacbot_arena {
	struct pb_loc_world w;
	struct pb_regions squares;         /* regions of the eroded maze */
	struct pb_rays *rays;              /* rays, in the frame of maps */
	struct pb_pose frame;              /* our frame in that of maps */
	const struct pb_localizer *method; /* NULL: the camera */
	void *model;                       /* what the method has learnt */
};

/*
 * Make *out of z and its cells c, not to be moved, for a robot o; its method
 * has the constants that the rows p of the struct at base say.
 *
 * Returns  PB_OK, or a status; *out is for pb_pacbot_arena_free() either way
 */
enum pb_status pb_pacbot_arena_new(struct pb_pacbot_arena **out,
    const struct pb_maze *z, const struct pb_cells *c,
    const struct pb_bot_body *o, struct pb_params p, const void *base);
void pb_pacbot_arena_free(struct pb_pacbot_arena *a);

/* Where the robot believes it is. */
struct pb_pacbot_estimate {
	struct pb_vec at; /* (cells) */
	int row, col;     /* a cell to walk on */
	enum pb_loc_status status;
};

/* Flat, of pb_pacbot_body_size() bytes: copying them is a snapshot. */
struct pb_pacbot_body {
	const struct pb_pacbot_arena *a;
	const struct pb_bot_body *o;
	uint64_t seed, trial;
	struct pb_rng motion, ranges, imus, pictures;
	long steps; /* steps of 15 ms since the start */

	/* The truth. */
	struct pb_pose at;
	double wheel[3]; /* wheel speeds (rad/s) */
	long free_since; /* step of the last contact */
	int bumps, carried;
	double driven; /* distance driven (m) */
	long rolled;   /* ticks with a path to follow */

	/* Its sensors. */
	struct pb_sense_opts sense;
	struct pb_sense_imu imu;
	struct pb_sense_camera camera;
	double heading; /* heading by the IMU (rad) */
	struct pb_pose odom;
	struct pb_pacbot_estimate guess, past[PB_MATCH_LATE + 1];
	int now; /* index of the current estimate in past[] */

	/* The cells that it follows, from the one after `from` on. */
	struct pb_pursuit pursuit;
	struct pb_motor motor[3];
	double pin[3][2];
	int from[2], path[PB_PURSUIT_PATH][2], n;

	/* Errors of the estimates at decisions (m). */
	struct pb_onboard_score score;

	double localizer_mem[]; /* memory of the localizer */
};

size_t pb_pacbot_body_size(const struct pb_pacbot_arena *a);

/* Begin a game. The camera's delay is in ticks, `wrong` is its share of wrong
 * pictures. The body has no place until pb_pacbot_body_place(). */
void pb_pacbot_body_start(struct pb_pacbot_body *b,
    const struct pb_pacbot_arena *a, const struct pb_bot_body *o, int delay,
    double wrong, uint64_t seed, uint64_t trial);

/* At the start of a tick, put the robot in the middle of a cell and give its
 * localizer that pose. */
void pb_pacbot_body_place(
    struct pb_pacbot_body *b, struct pb_at cell, int tick);

/* Follow the cells in direction d from a cell, PB_STAY: stand. */
void pb_pacbot_body_follow(struct pb_pacbot_body *b, struct pb_at from, int d);

/* The estimate that it steers by; pb_pacbot_body_count_error() counts its
 * error. */
const struct pb_pacbot_estimate *pb_pacbot_body_estimate(
    const struct pb_pacbot_body *b);
void pb_pacbot_body_count_error(struct pb_pacbot_body *b);

/* Drive until the end of a tick. */
void pb_pacbot_body_tick(struct pb_pacbot_body *b, int tick);

/*
 * The camera, at a tick's end: its next answer.
 *
 * Returns  false if there is none (any more); else *to, a cell to walk on
 */
bool pb_pacbot_body_seen(struct pb_pacbot_body *b, int tick, struct pb_at *to);

/* True and believed pose, in the frame of maps (m). */
struct pb_pose pb_pacbot_body_true_pose(const struct pb_pacbot_body *b);
struct pb_pose pb_pacbot_body_estimated_pose(const struct pb_pacbot_body *b);

/* The cell that it is in; how far off the guess is (m). */
struct pb_at pb_pacbot_body_cell(const struct pb_pacbot_body *b);
double pb_pacbot_body_error(const struct pb_pacbot_body *b);

/* Ticks that a cell has taken while it followed a path, NAN: none yet. */
double pb_pacbot_body_pace(const struct pb_pacbot_body *b);
