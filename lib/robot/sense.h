/* sense.h - the sensors of a simulated robot: which, how good, how often. */
#ifndef PB_ROBOT_SENSE_H
#define PB_ROBOT_SENSE_H

#include "base/param.h"
#include "base/status.h"
#include "robot/sense_camera.h"
#include "robot/sense_lidar.h"
#include "robot/sense_odom.h"
#include "robot/sense_tof.h"

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

/* No sensors. */
struct pb_sense_opts pb_sense_defaults(void);

/* The table of all constants; a row is an option. Static storage. */
const struct pb_param *pb_sense_params(size_t *n);

/*
 * Names of the sensors, "lidar|tof4|...", in the order of their bits.
 */
extern const char pb_sensor_names[];

/*
 * Returns  PB_OK; or PB_EVALUE and, if why is not NULL, what is wrong with o
 *          in *why, for people: "lidar-max: ..." (static storage)
 */
enum pb_status pb_sense_check(const struct pb_sense_opts *o, const char **why);

/* What came of a step. */
enum pb_sensed { PB_SENSED_ODOM = 1, PB_SENSED_SCAN = 2, PB_SENSED_FIX = 4 };

struct pb_sense {
	struct pb_sense_opts o;
	const struct pb_rays *world; /* not owned */
	struct pb_rng ranges, wheels, heading, camera;
	double t;                    /* of the last step (s) */
	struct pb_pose p;            /* then */
	long scans, odoms, pictures; /* so far */

	struct pb_sense_odom odom;
	struct pb_sense_imu imu;
	struct pb_sense_camera cam;

	/* The last scan: o.lidar.beams, 4 or 8 ranges as the sensors' own. */
	size_t n;
	double range[PB_SENSE_BEAMS];
	struct pb_vec fix; /* the last answer of the camera (m) */
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
 *          carried somebody put it there: wheels have not noticed
 * Returns  set of enum pb_sensed: which of odom, range and fix are new;
 *          odometry is, if there is any, whenever something is. If more than
 *          one answer of the camera is due the last one counts.
 */
unsigned pb_sense_step(
    struct pb_sense *s, double t, struct pb_pose p, bool carried);

/* What goes with the ranges of a scan. */
struct pb_sense_shape {
	double first, inc; /* angle of the first beam, and to the next (rad) */
	double min, max;   /* limits of the ranges (m) */
	double radius;     /* they begin so far from the middle (m) */
};
struct pb_sense_shape pb_sense_shape(const struct pb_sense_opts *o);

#endif
