/* trial.h - trials of a localization method on recorded or simulated drives. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "localize/maze_rays.h"
#include "localize/traj.h"
#include "pb/localizer.h"
#include "pb/param.h"
#include "pb/result.h"
#include "pb/rng.h"

/*
 * How a trial can end, NULL-ended: "localized", right, and it says so, to the
 * end; "not_yet", it says that several places fit; "wrong", it says that it is
 * right, and is not; "lost", it says so.
 */
extern const char *const pb_loc_outcomes[];

/* Kinds of poses that a log has. */
enum pb_pose_kind {
	PB_POSE_TRUTH,
	PB_POSE_ESTIMATE,
	PB_POSE_ODOM,
	PB_POSE_PLAIN, /* without a source */
	PB_POSE_KINDS
};

/*
 * A drive is a recording of sensors: scans and poses, each in the order of the
 * log. Trials begin at scans whose true poses are known, so that one recording
 * tests a method many times. Threads may share a drive. A zeroed drive is
 * empty.
 */
struct pb_drive_scan {
	double t;                     /* (s), NAN if not known */
	size_t before[PB_POSE_KINDS]; /* poses recorded before it, by kind */
	struct pb_scan scan;          /* its ranges owned */
	long line;                    /* line of the log, 0: none */
	bool known;                   /* pose is set: the true one in trials */
	struct pb_pose pose;
};

struct pb_drive {
	struct pb_timed_list pose[PB_POSE_KINDS];
	struct pb_drive_scan *scan; /* owned */
	size_t scans, cap;
};

/*
 * Add to the end.
 *
 * Given    z  copied, its ranges too
 * Returns  PB_OK, or PB_ENOMEM and d as it was
 */
enum pb_status pb_drive_add_scan(
    struct pb_drive *d, double t, const struct pb_scan *z);

void pb_drive_clear(struct pb_drive *d);

/*
 * Set the pose of each scan to that of a kind at its time, if any.
 *
 * Given    timed  false: stamps are unusable, use the latest pose before it
 *          gap    most time to a pose (s)
 */
void pb_drive_place(
    struct pb_drive *d, enum pb_pose_kind kind, bool timed, double gap);

/* Hash of odometry, and of scans with their poses. */
uint64_t pb_drive_hash(const struct pb_drive *d);

enum pb_loc_protocol {
	PB_LOC_GLOBAL, /* begin anywhere */
	PB_LOC_TRACK,  /* begin near the truth */
	PB_LOC_KIDNAP  /* begin near the truth; later a piece is cut out */
};
extern const char *const pb_loc_protocols[];

struct pb_loc_trial_opts {
	int protocol; /* enum pb_loc_protocol */
	int updates;  /* scans of a trial, after the cut if any */
	int warm;     /* PB_LOC_KIDNAP: scans before the cut */
	double jump;  /* PB_LOC_KIDNAP: least distance over the cut (m) */
	double var; /* variance of x and of y at a start near the truth (m2) */
	double var_turn;  /* and of the heading (rad2) */
	double near;      /* largest error of a right answer (m) */
	double near_turn; /* and of its heading (rad) */
};

struct pb_loc_trial_opts pb_loc_trial_defaults(void);

/* Rows for the command line, without near and near_turn: the protocol, which
 * trials in mazes have too, and the rest. */
extern const struct pb_params pb_loc_protocol_params, pb_loc_trial_params;

/*
 * Whether trials can be drawn: enough scans with true poses, and a cut that is
 * long enough.
 *
 * Returns  PB_OK, PB_ENOENT (no true pose), PB_ESIZE (too few scans),
 *          PB_EVALUE (no two places are o->jump apart)
 */
enum pb_status pb_loc_trial_check(
    const struct pb_drive *d, const struct pb_loc_trial_opts *o);

/* The number of different stretches of a drive of `scans` scans, 0 if it has
 * too few; with a cut, the most pairs of stretches. */
uint64_t pb_loc_stretches(size_t scans, const struct pb_loc_trial_opts *o);

/*
 * Run trial t->trial of t->seed: its begin, its cut and the method's random
 * numbers depend on both. The result is in t; its time is until the robot was
 * localized to the end, its limit that of all updates. Without an estimate the
 * last one counts in the errors of updates; before the first there is no error.
 * Allocates nothing.
 *
 * Given    a     a method that has learnt the drive's world
 *          o     checked against d
 *          work  room for o->updates
 */
void pb_loc_trial(struct pb_loc_instance a, const struct pb_drive *d,
    const struct pb_loc_trial_opts *o, double *work, struct pb_trial *t);

/*
 * The drive for trials of methods for mazes: the published robot goes from
 * pellet to pellet, as straight as people drive, and each scan comes with
 * odometry, ranges and, if the camera is on, a cell. The frame is that of
 * pb_cells_xy(), lengths in cells unless they say otherwise. Everything is
 * drawn from (seed, trial); nothing allocates. Values; a world may be shared.
 */
enum pb_maze_sensors { PB_MAZE_FOUR, PB_MAZE_EIGHT };

struct pb_maze_drive_opts {
	double period;  /* time between scans (s) */
	double speed;   /* speed by odometry (cells/s) */
	int sensors;    /* enum pb_maze_sensors; the first looks ahead */
	double radius;  /* robot's middle to its sensors (m) */
	double reach;   /* longest reading (m) */
	double noise;   /* uniform error of a range, either way (share) */
	double drop;    /* probability of a failed reading */
	double block;   /* probability of a new obstacle, per scan */
	int block_for;  /* scans that an obstacle stays */
	int late;       /* delay of the camera (scans), < PB_MAZE_PAST */
	int every;      /* scans between camera fixes, 0: no camera */
	double wrong;   /* probability of a wrong camera cell */
	double off;     /* offset of the camera's cells (cells) */
	double motor;   /* true steps exceed odometry by 0 to this share */
	double bias;    /* and all steps by this share */
	bool wheels;    /* there is odometry */
	double heading; /* heading at which the robot is held (rad) */
	double compass; /* compass less true heading (rad) */
};

#define PB_MAZE_PAST 64

/* Described for the command line. */
extern const struct pb_params pb_maze_drive_params;

#define PB_MAZE_BEAMS 8

struct pb_maze_drive {
	const struct pb_lattice *w;
	struct pb_maze_drive_opts o;
	struct pb_rng ranges, motor, camera, route;
	struct pb_vec at;   /* true place */
	struct pb_vec odom; /* place by odometry */
	struct pb_vec past[PB_MAZE_PAST];
	bool eaten[PB_MAZE_SIDE * PB_MAZE_SIDE];
	int goal, to;        /* goal cell; next cell on the way */
	struct pb_vec aside; /* deviation of the driver from the middle */
	double block[PB_MAZE_BEAMS]; /* range of an obstacle */
	int blocked[PB_MAZE_BEAMS];  /* scans that each obstacle still stays */
	double range[PB_MAZE_BEAMS]; /* ranges as in struct pb_scan (m) */
	int tick;
};

/*
 * Begin anywhere.
 *
 * Given    w  kept
 *          o  checked by pb_params_check(); copied
 */
void pb_maze_drive_start(struct pb_maze_drive *d, const struct pb_lattice *w,
    const struct pb_maze_drive_opts *o, uint64_t seed, uint64_t trial);

/* Kidnap the robot: it is carried to a random cell, without odometry. */
void pb_maze_drive_lift(struct pb_maze_drive *d);

/* Drive to the next scan. Returns whether the camera gives a cell. */
bool pb_maze_drive_tick(struct pb_maze_drive *d, struct pb_loc_fix *fix);

/* True pose, odometry, and scan (borrowed), as methods have them (m). */
struct pb_pose pb_maze_drive_pose(const struct pb_maze_drive *d);
struct pb_pose pb_maze_drive_odom(const struct pb_maze_drive *d);
struct pb_scan pb_maze_drive_scan(const struct pb_maze_drive *d);

/* SI units. Which protocol is that of struct pb_loc_trial_opts. */
struct pb_maze_trial_opts {
	int updates; /* scans that count */
	int warm;    /* scans before, but for PB_LOC_GLOBAL; after them the
	                robot is lifted with PB_LOC_KIDNAP */
	double near; /* right if no further off (cells) */
	struct pb_maze_drive_opts drive;
};

struct pb_maze_trial_opts pb_maze_trial_defaults(void);

/* All but those of the drive. */
extern const struct pb_params pb_maze_trial_params;

/*
 * One trial in a maze, like pb_loc_trial(); the drive is the same for all
 * methods.
 *
 * Given    a     a method that has learnt the maze
 *          how   its protocol and near_turn; but with PB_LOC_GLOBAL the
 *                method is given the start
 *          work  room for o->updates
 */
void pb_maze_trial(struct pb_loc_instance a, const struct pb_lattice *w,
    const struct pb_maze_trial_opts *o, const struct pb_loc_trial_opts *how,
    double *work, struct pb_trial *t);
