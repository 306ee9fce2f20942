/*
 * drive.c - drives: limits and motion, wheels, motors and what odometry
 * measures.
 */
#include "pb/drive.h"

#include <math.h>

#include "base/direction.h"
#include "base/elementary.h"
#include "robot/rover.h"

/* Below this turn (rad) the chord's sine series is exact to rounding. */
#define STRAIGHT 1e-4

struct pb_twist
pb_drive_limit(struct pb_twist now, struct pb_twist want,
    const struct pb_limits *l, double dt)
{
	double v = pb_clamp(want.v, l->v_min, l->v_max);
	double w = pb_clamp(want.w, -l->w_max, l->w_max);

	return (struct pb_twist){
	    pb_clamp(v, now.v - l->v_acc * dt, now.v + l->v_acc * dt),
	    pb_clamp(w, now.w - l->w_acc * dt, now.w + l->w_acc * dt),
	};
}

struct pb_pose
pb_drive_move(struct pb_pose p, struct pb_twist u, double dt)
{
	double a = u.w * dt;
	double half = a / 2;
	/* Chord of an arc: 2 r sin(a/2) = d sinc(a/2). */
	double s =
	    fabs(half) < STRAIGHT ? 1 - half * half / 6 : pb_sin(half) / half;
	double chord = u.v * dt * s;
	pb_pair d = pb_direction(p.th + half);

	return (struct pb_pose){
	    p.x + chord * d[0],
	    p.y + chord * d[1],
	    pb_wrap(p.th + a),
	};
}

bool
pb_cell_motion_step(struct pb_cell_motion *h, struct pb_vec to, int steps)
{
	if (!h->placed || fabs(to.x - h->to.x) + fabs(to.y - h->to.y) > 1) {
		*h = (struct pb_cell_motion){to, to, to, 0, true};
		return true;
	}
	if (to.x != h->to.x || to.y != h->to.y) {
		h->from = h->at;
		h->to = to;
		h->k = 0;
	}
	if (h->k < steps)
		h->k++;
	h->at = pb_segment_at(h->from, to, (double)h->k / steps);
	return false;
}

/* Wheels whose speeds fix a motion no better than this fix none. */
#define FLAT 1e-9

struct pb_omni
pb_omni_defaults(void)
{
	return (struct pb_omni){
	    .n = 3,
	    .wheel = 0.019,
	    .arm = 0.06604,
	    .bearing = {0, 2 * PB_PI / 3, 4 * PB_PI / 3},
	};
}

/* How much of each part of a motion wheel i rolls, at its rim. */
static void
row_of(const struct pb_omni *o, int i, double row[3])
{
	double c = o->reversed[i] ? -1 : 1;
	pb_pair u = pb_direction(o->bearing[i]);

	row[0] = -c * u[1];
	row[1] = c * u[0];
	row[2] = c * o->arm;
}

void
pb_omni_wheels(const struct pb_omni *o, struct pb_motion u, double *speed)
{
	for (int i = 0; i < o->n; i++) {
		double row[3];

		row_of(o, i, row);
		speed[i] =
		    (row[0] * u.x + row[1] * u.y + row[2] * u.w) / o->wheel;
	}
}

static double
det(const double a[3], const double b[3], const double c[3])
{
	return a[0] * (b[1] * c[2] - b[2] * c[1]) -
	       a[1] * (b[0] * c[2] - b[2] * c[0]) +
	       a[2] * (b[0] * c[1] - b[1] * c[0]);
}

bool
pb_omni_motion(
    const struct pb_omni *o, const double *speed, struct pb_motion *u)
{
	double m[3][3] = {{0}}, b[3] = {0}, d;

	for (int i = 0; i < o->n; i++) {
		double row[3];

		row_of(o, i, row);
		for (int j = 0; j < 3; j++) {
			b[j] += row[j] * speed[i] * o->wheel;
			for (int k = 0; k < 3; k++)
				m[j][k] += row[j] * row[k];
		}
	}
	/* Cramer's rule; m is symmetric, so its rows are its columns. */
	d = det(m[0], m[1], m[2]);
	if (!(fabs(d) > FLAT * o->arm * o->arm))
		return false;
	*u = (struct pb_motion){det(b, m[1], m[2]) / d, det(m[0], b, m[2]) / d,
	    det(m[0], m[1], b) / d};
	return true;
}

struct pb_motor_opts
pb_motor_defaults(void)
{
	return (struct pb_motor_opts){.p = 300, .i = 50, .limit = PB_MOTOR_TOP};
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
	p = pb_clamp(o->p * error, -o->limit, o->limit);
	m->sum = pb_clamp(m->sum + o->i * error, -o->limit, o->limit);
	d = m->ever ? pb_clamp(o->d * (m->last - got), -o->limit, o->limit) : 0;
	m->last = got;
	m->ever = true;
	ahead = o->ahead * want + (want > 0 ? o->still : -o->still);
	return pb_clamp(p + m->sum + d + ahead, -o->limit, o->limit);
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
	double speed = PB_MOTOR_SPEED * (pin[0] - pin[1]) / PB_MOTOR_TOP;

	return speed + speed * fabs(pb_rng_between(r, -fast, fast));
}

/* Zero variance draws nothing: a noise-free odometry is the plain motion. */
static double
noise(struct pb_rng *r, double variance)
{
	return variance > 0 ? sqrt(variance) * pb_rng_normal(r) : 0;
}

void
pb_odom_move(struct pb_odom *o, struct pb_twist u, double dt,
    const struct pb_odom_noise *n, struct pb_rng *r)
{
	double d = fabs(u.v * dt);
	double a = fabs(u.w * dt);

	u.v += noise(r, n->trans_trans * d + n->trans_rot * a) / dt;
	u.w += noise(r, n->rot_rot * a + n->rot_trans * d) / dt;
	o->pose = pb_drive_move(o->pose, u, dt);
	o->twist = u;
}

bool
pb_estimate_due(const struct pb_estimator *e, const struct pb_estimate_opts *o,
    struct pb_pose odom)
{
	if (!e->ever)
		return true;
	return fabs(odom.x - e->odom.x) >= o->min_d ||
	       fabs(odom.y - e->odom.y) >= o->min_d ||
	       fabs(pb_wrap(odom.th - e->odom.th)) >= o->min_a;
}

/* The first error comes from the stationary distribution. */
static double
next_error(double e, double sd, double keep, bool ever, struct pb_rng *r)
{
	double fresh = sd * pb_rng_normal(r);

	return ever ? keep * e + sqrt(1 - keep * keep) * fresh : fresh;
}

void
pb_estimate_update(struct pb_estimator *e, const struct pb_estimate_opts *o,
    struct pb_pose truth, struct pb_pose odom, struct pb_rng *r)
{
	e->error.x = next_error(e->error.x, o->sd, o->keep, e->ever, r);
	e->error.y = next_error(e->error.y, o->sd, o->keep, e->ever, r);
	e->error.th = next_error(e->error.th, o->th_sd, o->keep, e->ever, r);
	e->pose.x = truth.x + e->error.x;
	e->pose.y = truth.y + e->error.y;
	e->pose.th = pb_wrap(truth.th + e->error.th);
	e->odom = odom;
	e->in_map = pb_pose_compose(e->pose, pb_pose_inverse(odom));
	e->ever = true;
}

struct pb_pose
pb_estimate_now(const struct pb_estimator *e, struct pb_pose odom)
{
	return pb_pose_compose(e->in_map, odom);
}

/* Without noise no draws: they cost more than all the rest. */
static void
look(struct pb_rover *r, const struct pb_rover_opts *o)
{
	if (o->localizer != PB_ROVER_NOISE)
		return;
	if (o->estimate.sd == 0 && o->estimate.th_sd == 0) {
		r->seen = r->pose;
		return;
	}
	pb_estimate_update(
	    &r->error, &o->estimate, r->pose, r->pose, &r->noise);
	r->seen = r->error.pose;
}

void
pb_rover_start(struct pb_rover *r, const struct pb_rover_opts *o,
    struct pb_pose p, uint64_t seed, uint64_t trial, unsigned which)
{
	*r = (struct pb_rover){.pose = p, .seen = p};
	pb_rng_start(&r->noise, seed, trial, PB_FOR_POSE, which);
	pb_rng_start(&r->motion, seed, trial, PB_FOR_MOTION, which);
	look(r, o);
}

void
pb_rover_place(
    struct pb_rover *r, const struct pb_rover_opts *o, struct pb_pose p)
{
	r->pose = r->seen = p;
	r->twist = (struct pb_twist){0, 0};
	look(r, o);
}

/* What the motors make of u after the twist that was. */
static struct pb_twist
motors(const struct pb_rover_opts *o, struct pb_twist was, struct pb_twist u,
    double dt)
{
	const struct pb_limits l = {.v_max = INFINITY,
	    .v_min = -INFINITY,
	    .w_max = INFINITY,
	    .v_acc = o->v_acc > 0 ? o->v_acc : INFINITY,
	    .w_acc = o->w_acc > 0 ? o->w_acc : INFINITY};

	return pb_drive_limit(was, u, &l, dt);
}

void
pb_rover_drive(struct pb_rover *r, const struct pb_rover_opts *o,
    struct pb_twist u, double dt)
{
	if (o->v_acc > 0 || o->w_acc > 0)
		u = motors(o, r->twist, u, dt);
	r->wheels = u;
	if (o->slip > 0) {
		u.v += o->slip * u.v * pb_rng_normal(&r->motion);
		u.w += o->slip * u.w * pb_rng_normal(&r->motion);
	}
	r->twist = u;
	r->pose = pb_drive_move(r->pose, u, dt);
	look(r, o);
}
