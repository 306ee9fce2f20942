/* sense_tof.h - what a ring of time-of-flight sensors measures. */
#ifndef PB_ROBOT_SENSE_TOF_H
#define PB_ROBOT_SENSE_TOF_H

#include "base/rng.h"
#include "map/ray.h"

/*
 * Sensors on the robot's rim that look outwards, the first ahead, the others
 * evenly round, counter-clockwise. Values; nothing is shared.
 */
#define PB_SENSE_TOF_MAX  64
#define PB_SENSE_TOF_RAYS 64
struct pb_sense_tof_opts {
	double radius; /* from the middle to the rim (m), >= 0 */
	double max;    /* farther they measure nothing (m), > 0 */
	double cone;   /* between the outer rays of one sensor (rad) */
	int rays;      /* of one sensor, 1..PB_SENSE_TOF_RAYS; nearest wins */
	double noise;  /* a reading is off by up to this part of it, 0..1 */
	double unit;   /* readings are multiples of this (m), 0: any */
	double fail;   /* chance of no reading, 0..1 */
};

/*
 * The published simulation (RIT's sim_pb): 2.6 inches to the rim, 1.5 m, off
 * by up to 1 %, in millimetres. Its sensor is one ray; ours is two, a hair
 * (1e-4 rad) apart, so that a wall which ends on a robot's very course is seen
 * whichever side it lies on.
 */
struct pb_sense_tof_opts pb_sense_tof_defaults(void);

/*
 * Readings of n sensors of a robot at p.
 *
 * Given    w    the world
 *          n    1..PB_SENSE_TOF_MAX
 *          rng  the stream for PB_FOR_SENSOR
 *          out  room for n
 * Returns  out: distances from the rim (m), at least a unit; NAN: nothing in
 *          range; -1: no reading
 */
void pb_sense_tof(const struct pb_sense_tof_opts *o, const struct pb_rays *w,
    int n, struct pb_pose p, struct pb_rng *rng, double *out);

#endif
