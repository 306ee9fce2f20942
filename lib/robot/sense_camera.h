/* sense_camera.h - where a camera overhead says that a robot is, and when. */
#ifndef PB_ROBOT_SENSE_CAMERA_H
#define PB_ROBOT_SENSE_CAMERA_H

#include <stdbool.h>

#include "base/geom.h"
#include "base/rng.h"

/* Values; nothing is shared. */
struct pb_sense_camera_opts {
	double cell;   /* it tells the middle of cells with this side, corners
	                  at its multiples (m); 0: the place itself */
	double noise;  /* standard deviation of x and of y before that (m) */
	double period; /* between pictures (s), > 0 */
	double delay;  /* from picture to answer (s), at most
	                  PB_SENSE_PICTURES - 2 periods */
	double wrong;  /* chance of a cell beside the right one, 0..1 */
	double drop;   /* chance of no answer, 0..1 */
};

/* The cells of the competition; ten exact pictures a second at once. */
struct pb_sense_camera_opts pb_sense_camera_defaults(void);

/* Pictures under way, oldest first: a ring. */
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
 * Given    c    a zeroed one has none under way
 *          rng  the stream for PB_FOR_SENSOR
 */
void pb_sense_camera_take(struct pb_sense_camera *c,
    const struct pb_sense_camera_opts *o, double t, struct pb_vec p,
    struct pb_rng *rng);

/* The next answer that is due at time t: true and *at (m), until none is. */
bool pb_sense_camera_answer(
    struct pb_sense_camera *c, double t, struct pb_vec *at);

#endif
