/* sense_lidar.h - what a lidar measures on a map. */
#ifndef PB_ROBOT_SENSE_LIDAR_H
#define PB_ROBOT_SENSE_LIDAR_H

#include "base/rng.h"
#include "map/ray.h"

/* Values; nothing is shared. Beam i points to first + i span / beams. */
#define PB_SENSE_BEAMS 4000
struct pb_sense_lidar_opts {
	int beams;    /* 1..PB_SENSE_BEAMS */
	double first; /* angle of the first beam, in the robot's frame (rad) */
	double span;  /* of all beams, 2 pi: all round (rad) */
	double min;   /* nearer it measures nothing (m), >= 0 */
	double max;   /* farther it measures nothing (m), > min */
	double noise; /* standard deviation of a range (m) */
	double drop;  /* chance that a beam does not come back, 0..1 */
};

/* Like the RPLIDAR A1 of a TurtleBot 4: 360 beams, 0.15 to 12 m, 1 cm. */
struct pb_sense_lidar_opts pb_sense_lidar_defaults(void);

/*
 * A scan from p.
 *
 * Given    w    the world
 *          rng  the stream for PB_FOR_SENSOR
 *          out  room for o->beams
 * Returns  out: ranges (m), NAN for nothing in range
 */
void pb_sense_lidar(const struct pb_sense_lidar_opts *o,
    const struct pb_rays *w, struct pb_pose p, struct pb_rng *rng, double *out);

#endif
