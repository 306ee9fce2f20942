/* motor.h - the loop that keeps a motor at its speed, and a motor. */
#ifndef PB_ROBOT_MOTOR_H
#define PB_ROBOT_MOTOR_H

#include <stdbool.h>

#include "base/rng.h"

/*
 * A PID controller of a wheel's speed with an optional feed-forward term. Its
 * gains are per step of the loop, as published: its period is not in them.
 * Output is a duty, positive forwards.
 */
#define PB_MOTOR_TOP 32768.0 /* duty that is always on */

struct pb_motor_opts {
	double p;      /* (duty per rad/s) */
	double i;      /* (duty per rad/s and step) */
	double d;      /* (duty per rad/s between steps) */
	double ahead;  /* feed-forward: (duty per rad/s asked for) */
	double still;  /* feed-forward: duty to overcome sticking */
	double limit;  /* of each term and of the output (duty), > 0 */
	double period; /* of the loop (s), for whoever runs it */
};

struct pb_motor {
	double sum;  /* integral term (duty) */
	double last; /* speed before (rad/s) */
	bool ever;   /* last holds */
};

/* The published values of the simulated robot; no feed-forward. */
struct pb_motor_opts pb_motor_defaults(void);

/* The published values of the real robot. */
struct pb_motor_opts pb_motor_real(void);

/*
 * The duty for the next period. Nothing asked for is no duty, and forgets the
 * integral.
 *
 * Given    want, got  speed asked for and measured (rad/s)
 * Note     The derivative is that of the measurement, so that a new speed
 *          asked for gives no kick.
 */
double pb_motor_duty(
    struct pb_motor *m, const struct pb_motor_opts *o, double want, double got);

/* The duties of the two pins of a bridge: forwards and backwards. */
void pb_motor_pins(double duty, double pin[2]);

/*
 * The speed of the simulated motor: 60 rad/s at full duty, and always too fast
 * by 0 to `fast`, evenly (0.08 as published).
 *
 * Given    r  the stream for PB_FOR_MOTION
 */
double pb_motor_speed(const double pin[2], double fast, struct pb_rng *r);

#endif
