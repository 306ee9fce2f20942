/* sense.h - simulated sensors of a robot. */
#pragma once

#include <stdbool.h>

#include "pb/geom.h"
#include "pb/param.h"
#include "pb/ray.h"
#include "pb/rng.h"
#include "pb/scan.h"
#include "pb/status.h"

/* Values; nothing is shared. */
struct pb_sense_camera_opts {
	double cell;   /* it reports the middle of a cell with this side,
	                  corners at its multiples (m); 0: the exact place */
	double noise;  /* standard deviation of x and of y before that (m) */
	double period; /* time between pictures (s), > 0 */
	double delay;  /* from picture to answer (s), at most
	                  PB_SENSE_PICTURES - 2 periods */
	double wrong;  /* probability of a neighbouring cell, 0..1 */
	double drop;   /* probability of no answer, 0..1 */
};

/* Pictures not answered yet, oldest first: a ring. */
#define PB_SENSE_PICTURES 256
struct pb_sense_camera {
	struct pb_sense_picture {
		double due;       /* time of the answer (s) */
		struct pb_vec at; /* the answer (m) */
	} way[PB_SENSE_PICTURES];
	unsigned first, n;
};

/*
 * Take a picture at time t (s) of a robot at p.
 *
 * Given    c    a zeroed one has no pictures
 *          rng  the stream for PB_FOR_SENSOR
 */
void pb_sense_camera_take_picture(struct pb_sense_camera *c,
    const struct pb_sense_camera_opts *o, double t, struct pb_vec p,
    struct pb_rng *rng);

/* The next answer that is due at time t: true and *at (m), until none is. */
bool pb_sense_camera_answer(
    struct pb_sense_camera *c, double t, struct pb_vec *at);

/* Values; nothing is shared. Beam i points to first + i span / beams. */
#define PB_SENSE_BEAMS 4000
struct pb_sense_lidar_opts {
	int beams;    /* 1..PB_SENSE_BEAMS */
	double first; /* angle of the first beam, in the robot's frame (rad) */
	double span;  /* angle of all beams (rad), 2 pi: a full circle */
	double min;   /* least range (m), >= 0 */
	double max;   /* largest range (m), > min */
	double noise; /* standard deviation of a range (m) */
	double share; /* the same as a share of the range; both add up */
	double drop;  /* probability that a beam has no return, 0..1 */
};

/* A box or disc in the world. */
struct pb_thing {
	struct pb_vec at;   /* its middle */
	struct pb_vec half; /* half sides of a box along the axes; 0: a disc */
	double radius;      /* radius of a disc; 0: a box */
};

/* Distance from p to the nearest of n things, 0 inside; INFINITY: none. */
double pb_things_gap(const struct pb_thing *t, int n, struct pb_vec p);

/*
 * A scan from p.
 *
 * Given    w    the world
 *          t    n things in it
 *          rng  the stream for PB_FOR_SENSOR
 *          out  room for o->beams
 * Returns  out: ranges (m), NAN for nothing in range
 */
void pb_sense_lidar(const struct pb_sense_lidar_opts *o,
    const struct pb_rays *w, const struct pb_thing *t, int n, struct pb_pose p,
    struct pb_rng *rng, double *out);

/*
 * Odometry of a robot that may drive in any direction, from its true poses. Two
 * kinds of error: a constant factor, as of wheels of a wrong diameter; and the
 * random walk of struct pb_odom_noise. Values; nothing is shared. A robot that
 * stands draws nothing.
 */
struct pb_sense_wheels_opts {
	double bias;        /* measured over driven distance, less 1 */
	double spread;      /* uniform error of each step, either way (share) */
	double turn_bias;   /* measured over true turn, less 1 */
	double rot_rot;     /* variance of heading, per rad turned (rad2/rad) */
	double rot_trans;   /* variance of heading, per m driven (rad2/m) */
	double trans_trans; /* variance of distance, per m driven (m2/m) */
	double trans_rot;   /* variance of distance, per rad turned (m2/rad) */
};

/* A heading sensor, such as an integrating gyroscope. */
struct pb_sense_imu_opts {
	double noise; /* standard deviation of a reading (rad) */
	double walk; /* random walk, standard deviation after 1 s (rad/s^0.5) */
	double drift; /* standard deviation of the constant drift (rad/s) */
};

struct pb_sense_imu {
	double drift; /* drift of this sensor (rad/s) */
	double error; /* accumulated error (rad) */
};

struct pb_sense_odom {
	struct pb_pose pose; /* pose in the odometry frame */
	double v;            /* speed over the last step (m/s) */
	double w;            /* turn rate (rad/s) */
};

/*
 * The robot drove from one true pose to another in dt (s).
 *
 * Given    d    the odometry so far; a zeroed one starts at its origin
 *          rng  the stream for PB_FOR_ODOM
 */
void pb_sense_odom_move(struct pb_sense_odom *d,
    const struct pb_sense_wheels_opts *o, struct pb_pose from,
    struct pb_pose to, double dt, struct pb_rng *rng);

/* Draw the drift of a sensor. rng: the stream for PB_FOR_SENSOR. */
void pb_sense_imu_start(struct pb_sense_imu *m,
    const struct pb_sense_imu_opts *o, struct pb_rng *rng);

/* Time dt (s) passes. Returns the reading at the true heading th (rad). */
double pb_sense_imu_step(struct pb_sense_imu *m,
    const struct pb_sense_imu_opts *o, double th, double dt,
    struct pb_rng *rng);

/*
 * Sensors on the robot's rim that look outwards, the first ahead, the others
 * evenly round, counter-clockwise. Values; nothing is shared.
 */
#define PB_SENSE_TOF_MAX  64
#define PB_SENSE_TOF_RAYS 64
struct pb_sense_tof_opts {
	double radius; /* robot's middle to the rim (m), >= 0 */
	double max;    /* largest range (m), > 0 */
	double cone;   /* angle between the outer rays of a sensor (rad) */
	int rays;     /* rays of a sensor, 1..PB_SENSE_TOF_RAYS; nearest wins */
	double noise; /* uniform error of a reading, either way (share), 0..1 */
	double unit;  /* readings are multiples of this (m), 0: any */
	double fail;  /* probability of no reading, 0..1 */
};

/*
 * Readings of n sensors of a robot at p.
 *
 * Given    w    the world
 *          t    things that stand in it
 *          n    1..PB_SENSE_TOF_MAX
 *          rng  the stream for PB_FOR_SENSOR
 *          out  room for n
 * Returns  out: distances from the rim (m), at least a unit; NAN: nothing in
 *          range; -1: no reading
 */
void pb_sense_tof(const struct pb_sense_tof_opts *o, const struct pb_rays *w,
    const struct pb_thing *t, int things, int n, struct pb_pose p,
    struct pb_rng *rng, double *out);

/*
 * True poses go in, readings come out. Every sensor draws from a stream of its
 * own, none of which a game uses: the game is the same with and without them.
 * SI units; poses and fixes are in the frame of the rays. One thread.
 */
enum pb_sensor {
	PB_SENSOR_LIDAR = 1,
	PB_SENSOR_TOF4 = 2,
	PB_SENSOR_TOF8 = 4,
	PB_SENSOR_ODOM = 8,
	PB_SENSOR_IMU = 16, /* the heading of the odometry is this one's */
	PB_SENSOR_CAMERA = 32
};

struct pb_sense_opts {
	unsigned sensors; /* set of enum pb_sensor */
	struct pb_sense_lidar_opts lidar;
	struct pb_sense_tof_opts tof;
	struct pb_sense_wheels_opts wheels;
	struct pb_sense_imu_opts imu;
	struct pb_sense_camera_opts camera;
	double lidar_period, tof_period; /* between scans (s), >= 0 */
	double wheels_period;            /* between odometry (s), >= 0 */
};

/*
 * No sensors, but constants of those of the published systems: a lidar like
 * the RPLIDAR A1 of a TurtleBot 4 (360 beams, 0.15 to 12 m, 1 cm); a camera
 * that sees the competition's cells, exactly, ten times a second; an exact
 * IMU. Wheels err as the motors of RIT's sim_pb do, whose measured speed is 0
 * to 8 % too high, and vary as those of pb_round_defaults(). Its range sensors
 * are 2.6 inches from the middle and see 1.5 m, off by up to 1 %, in
 * millimetres; each of theirs is one ray, ours is two, a hair (1e-4 rad)
 * apart, so that a wall which ends on a robot's very course is seen whichever
 * side it lies on.
 */
struct pb_sense_opts pb_sense_defaults(void);

/* The table of all constants; a row is an option. Static storage. */
extern const struct pb_params pb_sense_params;

/*
 * Names of the sensors, "lidar|tof4|...", in the order of their bits.
 */
extern const char pb_sensor_names[];

/*
 * What is wrong with o, for people: "lidar-max: ..." (static storage); NULL if
 * nothing is.
 */
const char *pb_sense_wrong(const struct pb_sense_opts *o);

/* Readings of a step. */
enum pb_sensed { PB_SENSED_ODOM = 1, PB_SENSED_SCAN = 2, PB_SENSED_FIX = 4 };

struct pb_sense {
	struct pb_sense_opts o;
	const struct pb_rays *world; /* walls, not owned */
	const struct pb_thing
	    *thing; /* obstacles at the next step, not owned */
	int things;
	struct pb_rng ranges, wheels, heading, camera;
	double t;                    /* time of the last step (s) */
	struct pb_pose p;            /* pose at the last step */
	long scans, odoms, pictures; /* readings so far */

	struct pb_sense_odom odom;
	struct pb_sense_imu imu;
	struct pb_sense_camera cam;

	/* The last scan: o.lidar.beams, 4 or 8 ranges as the sensors' own. */
	size_t n;
	double range[PB_SENSE_BEAMS];
	struct pb_vec fix; /* last answer of the camera (m) */
};

/*
 * Begin at time 0 with a robot at p.
 *
 * Given    o      checked; copied
 *          world  kept
 */
void pb_sense_start(struct pb_sense *s, const struct pb_sense_opts *o,
    const struct pb_rays *world, uint64_t seed, uint64_t trial,
    struct pb_pose p);

/*
 * At time t the robot is at p.
 *
 * Given    t       not before the last step; the first may be at 0
 *          carried it was carried there: wheels have not turned
 * Returns  set of enum pb_sensed: which of odom, range and fix are new;
 *          odometry is, if there is any, whenever something is. If more than
 *          one answer of the camera is due the last one counts.
 */
unsigned pb_sense_step(
    struct pb_sense *s, double t, struct pb_pose p, bool carried);

/* The last scan; its ranges are borrowed. */
struct pb_scan pb_sense_scan(const struct pb_sense *s);
