/*
 * maze_trial.h - trials of a localization method in a maze, on a simulated
 * drive.
 */
#pragma once

#include "localize/tof.h"
#include "localize/trial.h"
#include "pb/param.h"
#include "pb/rng.h"

/*
 * What the methods for mazes are tried on: the published robot goes from
 * pellet to pellet, as straight as people drive, and each scan brings its
 * wheels, its ranges and, if the camera is on, a cell. The frame is that of
 * pb_cells_xy(), lengths in cells unless they say otherwise. Everything is
 * drawn from (seed, trial); nothing allocates. Values; a world may be shared.
 */
enum pb_maze_sensors { PB_MAZE_FOUR, PB_MAZE_EIGHT };

struct pb_maze_drive_opts {
	double period; /* from scan to scan (s) */
	double speed;  /* by the wheels (cells/s) */
	int sensors;   /* enum pb_maze_sensors, the first ahead */
	double radius; /* from the middle to them (m) */
	double reach;  /* they read at most (m) */
	double noise;  /* of a range, either way, even (part of it) */
	double drop;   /* chance of a reading to be an error */
	double block;  /* chance that something comes in the way, a scan */
	int block_for; /* scans that it stays */
	int late;      /* the camera, scans, < PB_MAZE_PAST */
	int every;     /* scans from fix to fix, 0: no camera */
	double wrong;  /* chance of a wrong cell: anywhere, or a diagonal one */
	double off;    /* its cells lie beside the maze's (cells) */
	double motor;  /* each step is longer than measured by 0 to this */
	double bias;   /* ... and all by this (part) */
	bool wheels;   /* they say something */
	double heading; /* at which the robot is held (rad) */
	double compass; /* measured over true heading (rad) */
};

#define PB_MAZE_PAST 64

/* Described for the command line. */
extern const struct pb_params pb_maze_drive_params;

#define PB_MAZE_BEAMS 8

struct pb_maze_drive {
	const struct pb_lattice *w;
	struct pb_maze_drive_opts o;
	struct pb_rng ranges, motor, camera, route;
	struct pb_vec at;   /* the truth */
	struct pb_vec odom; /* by the wheels */
	struct pb_vec past[PB_MAZE_PAST];
	bool eaten[PB_MAZE_SIDE * PB_MAZE_SIDE];
	int goal, to;                /* cell to go to; next cell */
	struct pb_vec aside;         /* the driver is no better than this */
	double block[PB_MAZE_BEAMS]; /* range of what is in the way */
	int blocked[PB_MAZE_BEAMS];  /* scans that it stays still */
	double range[PB_MAZE_BEAMS]; /* as struct pb_scan has them (m) */
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

/* Somebody lifts the robot and puts it anywhere: wheels have not noticed. */
void pb_maze_drive_lift(struct pb_maze_drive *d);

/* The next scan: drive there. Returns whether the camera says something. */
bool pb_maze_drive_tick(struct pb_maze_drive *d, struct pb_loc_fix *fix);

/* Its true pose, odometry, and scan (borrowed), as methods have them (m). */
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

/* Memory of a trial. */
struct pb_maze_seat {
	struct pb_maze_drive drive;
	double errors[]; /* room for opts.updates */
};

/*
 * One trial: the drive is drawn from (seed, trial), the same for all methods,
 * and the method draws from them too. Allocates nothing.
 *
 * Given    a          a method that has learnt the maze
 *          protocol   enum pb_loc_protocol; but with PB_LOC_GLOBAL the method
 *                     is told the start
 *          near_turn  right if turned no further away (rad)
 */
struct pb_loc_result pb_maze_trial(struct pb_loc_taught a,
    const struct pb_lattice *w, const struct pb_maze_trial_opts *o,
    int protocol, double near_turn, uint64_t seed, uint64_t trial,
    struct pb_maze_seat *seat);
