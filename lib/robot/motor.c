/* motor.c - the loop that keeps a motor at its speed, and a motor. */
#include "robot/motor.h"

#include <math.h>

/* Speed of the simulated motor at full duty (rad/s). */
#define FULL_SPEED 60.0

struct pb_motor_opts
pb_motor_defaults(void)
{
	return (struct pb_motor_opts){
	    .p = 300, .i = 50, .limit = PB_MOTOR_TOP, .period = 0.03};
}

struct pb_motor_opts
pb_motor_real(void)
{
	return (struct pb_motor_opts){
	    .p = 500, .i = 20, .limit = PB_MOTOR_TOP, .period = 0.03};
}

static double
clamp(double x, double limit)
{
	return x > limit ? limit : x < -limit ? -limit : x;
}

double
pb_motor_duty(
    struct pb_motor *m, const struct pb_motor_opts *o, double want, double got)
{
	double error = want - got, p, d, ahead;

	if (want == 0) {
		*m = (struct pb_motor){0};
		return 0;
	}
	p = clamp(o->p * error, o->limit);
	m->sum = clamp(m->sum + o->i * error, o->limit);
	d = m->ever ? clamp(o->d * (m->last - got), o->limit) : 0;
	m->last = got;
	m->ever = true;
	ahead = o->ahead * want + (want > 0 ? o->still : -o->still);
	return clamp(p + m->sum + d + ahead, o->limit);
}

void
pb_motor_pins(double duty, double pin[2])
{
	pin[0] = fmax(duty, 0);
	pin[1] = fmax(-duty, 0);
}

double
pb_motor_speed(const double pin[2], double fast, struct pb_rng *r)
{
	double speed = FULL_SPEED * (pin[0] - pin[1]) / PB_MOTOR_TOP;

	return speed + speed * fabs(pb_rng_between(r, -fast, fast));
}
