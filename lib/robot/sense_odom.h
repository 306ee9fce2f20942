/* sense_odom.h - where wheels and a heading sensor say that a robot is. */
#ifndef PB_ROBOT_SENSE_ODOM_H
#define PB_ROBOT_SENSE_ODOM_H

#include <stdbool.h>

#include "base/geom.h"
#include "base/rng.h"

/*
 * Odometry of a robot that may drive in any direction, from its true poses.
 * Two kinds of error: a factor, which is the same way all the time, as of
 * wheels whose size is not what it should be; and the random walk of struct
 * pb_odom_noise. Values; nothing is shared. A robot that stands draws nothing.
 */
struct pb_sense_wheels_opts {
	double bias;        /* measured over driven, less 1 */
	double spread;      /* ... and up to this more or less in each step */
	double turn_bias;   /* measured over turned, less 1 */
	double rot_rot;     /* variance of heading, per rad turned (rad2/rad) */
	double rot_trans;   /* ... per m driven (rad2/m) */
	double trans_trans; /* variance of distance, per m driven (m2/m) */
	double trans_rot;   /* ... per rad turned (m2/rad) */
};

/*
 * Bias and spread of the published simulation's motors, whose measured speed
 * is 0 to 8 % too high; the variances are those of pb_round_defaults().
 */
struct pb_sense_wheels_opts pb_sense_wheels_defaults(void);

/* A sensor of heading, such as a gyroscope that integrates. */
struct pb_sense_imu_opts {
	double noise; /* standard deviation of a reading (rad) */
	double walk;  /* of its random walk, after 1 s (rad/s^0.5) */
	double drift; /* of its drift, the same all the time (rad/s) */
};

/* All 0: the published one is exact. */
struct pb_sense_imu_opts pb_sense_imu_defaults(void);

struct pb_sense_imu {
	double drift; /* of this one (rad/s) */
	double error; /* so far (rad) */
};

struct pb_sense_odom {
	struct pb_pose pose; /* in the odometry frame */
	double v;            /* forwards, over the last step (m/s) */
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

#endif
