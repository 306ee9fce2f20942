/* rover.c - robots: limits and motion, wheels, motors, odometry; pose
 * estimates; path following. */
#include "robot/rover.h"

#include <math.h>

#include "base/elementary.h"

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

/* The published robot: three wheels of 19 mm, 2.6 inches from the middle. */
#define WHEEL 0.019
#define ARM   0.06604

/* How much each component of a motion turns wheel i, at its rim. */
static void
wheel_row(int i, double row[3])
{
	static const double bearing[PB_OMNI_WHEELS] = {
	    0, 2 * PB_PI / 3, 4 * PB_PI / 3};
	pb_pair u = pb_direction(bearing[i]);

	row[0] = -u[1];
	row[1] = u[0];
	row[2] = ARM;
}

void
pb_omni_wheels(struct pb_motion u, double speed[PB_OMNI_WHEELS])
{
	for (int i = 0; i < PB_OMNI_WHEELS; i++) {
		double row[3];

		wheel_row(i, row);
		speed[i] = (row[0] * u.x + row[1] * u.y + row[2] * u.w) / WHEEL;
	}
}

static double
det(const double a[3], const double b[3], const double c[3])
{
	return a[0] * (b[1] * c[2] - b[2] * c[1]) -
	       a[1] * (b[0] * c[2] - b[2] * c[0]) +
	       a[2] * (b[0] * c[1] - b[1] * c[0]);
}

struct pb_motion
pb_omni_motion(const double speed[PB_OMNI_WHEELS])
{
	double m[3][3] = {{0}}, b[3] = {0}, d;

	for (int i = 0; i < PB_OMNI_WHEELS; i++) {
		double row[3];

		wheel_row(i, row);
		for (int j = 0; j < 3; j++) {
			b[j] += row[j] * speed[i] * WHEEL;
			for (int k = 0; k < 3; k++)
				m[j][k] += row[j] * row[k];
		}
	}
	/* Cramer's rule; m is symmetric, so its rows are its columns. */
	d = det(m[0], m[1], m[2]);
	return (struct pb_motion){det(b, m[1], m[2]) / d,
	    det(m[0], b, m[2]) / d, det(m[0], m[1], b) / d};
}

/* Gains of the published controller (duty per rad/s; and step). */
#define GAIN     300.0
#define INTEGRAL 50.0

double
pb_motor_duty(struct pb_motor *m, double ahead, double want, double got)
{
	double error = want - got, p;

	if (want == 0) {
		m->sum = 0;
		return 0;
	}
	p = pb_clamp(GAIN * error, -PB_MOTOR_TOP, PB_MOTOR_TOP);
	m->sum =
	    pb_clamp(m->sum + INTEGRAL * error, -PB_MOTOR_TOP, PB_MOTOR_TOP);
	return pb_clamp(p + m->sum + ahead * want, -PB_MOTOR_TOP, PB_MOTOR_TOP);
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

/* A normal draw; without variance none, so that noise-free odometry is the
 * plain motion. */
static double
draw_noise(struct pb_rng *r, double variance)
{
	return variance > 0 ? sqrt(variance) * pb_rng_normal(r) : 0;
}

void
pb_odom_move(struct pb_odom *o, struct pb_twist u, double dt,
    const struct pb_odom_noise *n, struct pb_rng *r)
{
	double d = fabs(u.v * dt);
	double a = fabs(u.w * dt);

	u.v += draw_noise(r, n->trans_trans * d + n->trans_rot * a) / dt;
	u.w += draw_noise(r, n->rot_rot * a + n->rot_trans * d) / dt;
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

/* Without noise nothing is drawn, for speed. */
static void
estimate_pose(struct pb_rover *r, const struct pb_rover_opts *o)
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
	estimate_pose(r, o);
}

void
pb_rover_place(
    struct pb_rover *r, const struct pb_rover_opts *o, struct pb_pose p)
{
	r->pose = r->seen = p;
	r->twist = (struct pb_twist){0, 0};
	estimate_pose(r, o);
}

/* The twist that the motors reach for command u after `was`. */
static struct pb_twist
limit_twist(const struct pb_rover_opts *o, struct pb_twist was,
    struct pb_twist u, double dt)
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
		u = limit_twist(o, r->twist, u, dt);
	r->wheels = u;
	if (o->slip > 0) {
		u.v += o->slip * u.v * pb_rng_normal(&r->motion);
		u.w += o->slip * u.w * pb_rng_normal(&r->motion);
	}
	r->twist = u;
	r->pose = pb_drive_move(r->pose, u, dt);
	estimate_pose(r, o);
}

/* The nearest point is searched this many lookaheads along the path. */
#define REACH 3.0

/* Least distance of the carrot (m). */
#define LEAST 0.05

static double
dist2(struct pb_vec a, struct pb_vec b)
{
	double dx = a.x - b.x, dy = a.y - b.y;

	return dx * dx + dy * dy;
}

/* pb_dist() inline, for each point of a path. */
static double
dist(struct pb_vec a, struct pb_vec b)
{
	return sqrt(dist2(a, b));
}

/* Advance f->at to the nearest point, only forwards and within `reach`: where a
 * path returns beside itself, the overall nearest may be on the wrong part. */
static void
advance_nearest(struct pb_follow *f, double reach, struct pb_vec p,
    const struct pb_vec *path, int n)
{
	double best = dist2(p, path[f->at]);
	double gone = 0;

	for (int i = f->at + 1; i < n && gone <= reach; i++) {
		double d = dist2(p, path[i]);

		gone += dist(path[i - 1], path[i]);
		if (d <= best) {
			best = d;
			f->at = i;
		}
	}
}

/* The point `ahead` metres along the path from way-point i. */
static struct pb_vec
point_ahead(const struct pb_vec *path, int n, int i, double ahead)
{
	for (; i + 1 < n; i++) {
		double d = dist(path[i], path[i + 1]);

		if (d >= ahead && d > 0)
			return pb_segment_at(path[i], path[i + 1], ahead / d);
		ahead -= d;
	}
	return path[n - 1];
}

struct pb_vec
pb_follow_carrot(struct pb_follow *f, const struct pb_follow_opts *o,
    struct pb_vec p, const struct pb_vec *path, int n, pb_clear_fn *clear,
    const void *ctx)
{
	double ahead = o->lookahead;
	struct pb_vec c;

	advance_nearest(f, REACH * o->lookahead, p, path, n);
	for (;;) {
		c = point_ahead(path, n, f->at, ahead);
		if (!clear || ahead <= LEAST || clear(ctx, p, c))
			return c;
		ahead /= 2;
	}
}

/* The fastest turn rate that can still stop after a (rad). */
static double
stopping_turn_rate(double a, const struct pb_limits *l)
{
	double w = sqrt(l->w_acc * fabs(a));

	return pb_clamp(a < 0 ? -w : w, -l->w_max, l->w_max);
}

struct pb_twist
pb_follow_twist(struct pb_follow *f, const struct pb_follow_opts *o,
    struct pb_pose p, struct pb_vec carrot, double rest,
    const struct pb_limits *l)
{
	struct pb_vec to = pb_vec_into(p, carrot);
	double a = pb_atan2(to.y, to.x);
	double d = pb_hypot(to.x, to.y);
	double v, w, brake;

	f->turning = fabs(a) > (f->turning ? o->turn_to : o->turn_at);
	if (f->turning || d <= 0)
		return (struct pb_twist){
		    0, d > 0 ? stopping_turn_rate(a, l) : 0};
	brake = sqrt(2 * l->v_acc * (rest > 0 ? rest : 0));
	v = fmin(l->v_max, brake) * pb_cos(a);
	/* Arc through the carrot: curvature 2 sin(a) / d. */
	w = 2 * v * pb_sin(a) / d;
	if (fabs(w) > l->w_max) {
		v *= l->w_max / fabs(w);
		w = pb_clamp(w, -l->w_max, l->w_max);
	}
	return (struct pb_twist){v, w};
}

/* Published values of the pursuit of cells. */
#define STUCK_TIME  4.0  /* time in one cell after which it is stuck (s) */
#define STUCK_PART  0.1  /* share of the lookahead of a stuck robot */
#define STUCK_CYCLE 6.0  /* period: backwards from STUCK_TIME to its end (s) */
#define TURN_GAIN   2.0  /* turn rate by heading error (1/s) */
#define TURN_DEAD   0.05 /* smaller heading errors count as 0 (rad) */

struct pb_pursuit_opts
pb_pursuit_usual(double speed)
{
	return (struct pb_pursuit_opts){speed, 0.7, 0.3, 0.3, 3.0};
}

/* The segment that begins at the first of the two points nearest to `at`. */
static int
nearest_segment(struct pb_vec at, const struct pb_vec *way, int n)
{
	int best = dist2(at, way[1]) < dist2(at, way[0]), second = !best;

	for (int i = 2; i < n; i++)
		if (dist2(at, way[i]) < dist2(at, way[best])) {
			second = best;
			best = i;
		} else if (dist2(at, way[i]) < dist2(at, way[second])) {
			second = i;
		}
	return best < second ? best : second;
}

/*
 * Where to aim, as published: segments stand for infinite lines. A circle
 * around the foot of `at` on the nearest segment's line meets the lines, from
 * the first segment on, at points nearer to each segment's end; the second such
 * point counts.
 */
static struct pb_vec
find_aim(struct pb_vec at, double radius, const struct pb_vec *way, int n)
{
	int piece = nearest_segment(at, way, n), met = 0;
	struct pb_vec foot = at, aim = at;

	if (way[piece].x == way[piece + 1].x)
		foot.x = way[piece].x;
	else
		foot.y = way[piece].y;
	for (int i = 0; i + 1 < n && met < 2; i++) {
		bool up = way[i].x == way[i + 1].x; /* along y */
		double off = up ? way[i].x - foot.x : way[i].y - foot.y;
		double half = sqrt(radius * radius - off * off);

		if (!(half >= 0))
			continue;
		met++;
		aim = way[i];
		if (up)
			aim.y = foot.y + (foot.y < way[i + 1].y ? half : -half);
		else
			aim.x = foot.x + (foot.x < way[i + 1].x ? half : -half);
	}
	return aim;
}

/* Whether the segments that begin at a and b have one direction. */
static bool
have_one_direction(const struct pb_vec *a, const struct pb_vec *b)
{
	return a[1].x - a[0].x == b[1].x - b[0].x &&
	       a[1].y - a[0].y == b[1].y - b[0].y;
}

/* The published speed (cells/s): by the number of straight cells after the next
 * one, and before a turn until the robot is in its cell. */
static double
published_speed(const struct pb_pursuit_opts *o, struct pb_vec at,
    const struct pb_vec *way, int n)
{
	int k = 0;
	double speed;

	while (k + 2 < n && have_one_direction(way + 1, way + 1 + k))
		k++;
	speed = o->speed + (k <= 1 ? -0.4 : k == 2 ? -0.2 : k <= 4 ? 0 : 0.2);
	if (n > 2 && !have_one_direction(way, way + 1) &&
	    (floor(at.x + 0.5) != way[1].x || floor(at.y + 0.5) != way[1].y))
		speed *= o->turning;
	return speed;
}

bool
pb_pursuit_step(struct pb_pursuit *s, const struct pb_pursuit_opts *o,
    const struct pb_pursuit_pose *p, const int (*path)[2], int n, double dt,
    struct pb_vec *v)
{
	struct pb_vec way[PB_PURSUIT_PATH + 1] = {{p->row, p->col}};
	struct pb_vec aim = {floor(p->at.x + 0.5), floor(p->at.y + 0.5)};
	double ahead = o->lookahead, gain = o->snap_gain, d;
	bool stays = n > 0 && s->row == p->row && s->col == p->col;

	s->same = stays ? s->same + dt : 0;
	s->row = p->row;
	s->col = p->col;
	n = n > PB_PURSUIT_PATH ? PB_PURSUIT_PATH : n;
	for (int i = 0; i < n; i++)
		way[i + 1] = (struct pb_vec){path[i][0], path[i][1]};
	if (s->same >= STUCK_TIME)
		ahead *= STUCK_PART;
	if (n > 0)
		aim = find_aim(p->at, ahead, way, n + 1);
	d = pb_dist(aim, p->at);
	*v = (struct pb_vec){0, 0};
	if (!(d > (n > 0 ? 0 : o->snap)))
		return false;
	if (n > 0)
		gain = published_speed(o, p->at, way, n + 1) / d;
	if (fmod(s->same, STUCK_CYCLE) >= STUCK_TIME)
		gain = -gain;
	*v =
	    (struct pb_vec){gain * (aim.x - p->at.x), gain * (aim.y - p->at.y)};
	return true;
}

struct pb_motion
pb_pursuit_motion(struct pb_vec v, double th, double to)
{
	double error = pb_wrap(to - th);
	struct pb_vec body = pb_vec_into((struct pb_pose){0, 0, th}, v);

	if (fabs(error) < TURN_DEAD)
		error = 0;
	return (struct pb_motion){body.x, body.y, TURN_GAIN * error};
}

static void
multiply(double a[3][3], double b[3][3], double out[3][3])
{
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			out[i][k] = a[i][0] * b[0][k] + a[i][1] * b[1][k] +
			            a[i][2] * b[2][k];
}

struct pb_tag
pb_tag_at(struct pb_pose p, double z, double pitch, double roll)
{
	double c = pb_cos(p.th), s = pb_sin(p.th);
	double yaw[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
	double cp = pb_cos(pitch), sp = pb_sin(pitch);
	double cr = pb_cos(roll), sr = pb_sin(roll);
	double tilt[3][3] = {
	    {cp, sp * sr, sp * cr}, {0, cr, -sr}, {-sp, cp * sr, cp * cr}};
	struct pb_tag t = {.p = {p.x, p.y, z}};

	multiply(yaw, tilt, t.r);
	return t;
}

static struct pb_tag
tag_inverse(const struct pb_tag *t)
{
	struct pb_tag n;

	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++)
			n.r[i][k] = t->r[k][i];
		n.p[i] = -(t->r[0][i] * t->p[0] + t->r[1][i] * t->p[1] +
			   t->r[2][i] * t->p[2]);
	}
	return n;
}

static void
cross(const double a[3], const double b[3], double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] -
		         a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* A smaller rotation has no axis (rad). */
#define NO_ROTATION 1e-9

/*
 * The published controller for a robot's tag t and a target: the logarithm of
 * the motion that takes the robot there, facing along the line to it, without
 * its angle. Its axis has length 1, however small the rotation, and is along z
 * only if nothing is tilted (Murray, Li, Sastry, section 2.3.2).
 *
 * Returns  whether there is one; not for no rotation or half a turn
 */
static bool
tag_screw(const struct pb_tag *t, struct pb_vec to, struct pb_twist3 *out)
{
	struct pb_tag so = tag_inverse(t);
	double b = pb_atan2(to.y - t->p[1], to.x - t->p[0]);
	double c = pb_cos(b), s = pb_sin(b);
	double aim[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
	double r[3][3], p[3], wp[3], wwp[3], cosine, sine, theta;

	multiply(so.r, aim, r);
	for (int i = 0; i < 3; i++)
		p[i] = so.r[i][0] * to.x + so.r[i][1] * to.y + so.p[i];
	cosine = (r[0][0] + r[1][1] + r[2][2] - 1) / 2;
	sine = sqrt(fmax((1 - cosine) * (1 + cosine), 0));
	if (!(sine > NO_ROTATION))
		return false;
	theta = pb_atan2(sine, cosine);
	for (int i = 0; i < 3; i++)
		out->w[i] = (r[(i + 2) % 3][(i + 1) % 3] -
				r[(i + 1) % 3][(i + 2) % 3]) /
		            (2 * sine);
	cross(out->w, p, wp);
	cross(out->w, wp, wwp);
	for (int i = 0; i < 3; i++)
		out->v[i] = p[i] / theta - wp[i] / 2 +
		            (1 / theta - (1 + cosine) / sine / 2) * wwp[i];
	return true;
}

struct pb_twist
pb_waypoint_step(struct pb_waypoint *s, const struct pb_waypoint_opts *o,
    struct pb_pose p, double dt)
{
	struct pb_vec to = pb_vec_into(p, s->target);
	double a = pb_atan2(to.y, to.x), d = pb_hypot(to.x, to.y), v;

	if (d <= o->near)
		return (struct pb_twist){0, 0};
	s->driving = fabs(a) <= (s->driving ? PB_PI / 2 : o->aim);
	if (!s->driving)
		return (struct pb_twist){0, pb_clamp(a / dt, -o->w, o->w)};
	v = fmin(o->v, d * pb_cos(a) / dt);
	return (struct pb_twist){v, pb_clamp(o->correct * a, -o->w, o->w)};
}

struct pb_twist3
pb_approach(const struct pb_approach_opts *o, struct pb_leg *leg,
    struct pb_pose p, const struct pb_tag *tag, struct pb_vec to,
    struct pb_vec cell, bool *there)
{
	struct pb_vec d = pb_vec_into(p, to);
	struct pb_twist3 u = {.w = {0, 0, pb_atan2(d.y, d.x)}};

	u.v[0] = pb_hypot(d.x, d.y);
	if (o->published && !tag_screw(tag, to, &u))
		u = leg->last;
	leg->last = u;
	leg->aligned =
	    fabs(u.w[2]) < o->turn_until || (o->published && leg->aligned);
	*there = fabs(to.x - p.x) < o->near * cell.x &&
	         fabs(to.y - p.y) < o->near * cell.y;
	if (*there)
		return (struct pb_twist3){.v = {0}};
	if (!leg->aligned)
		u.v[0] = u.v[1] = u.v[2] = 0;
	u.v[0] = copysign(fmin(fabs(u.v[0]), o->v), u.v[0]);
	u.w[2] *= leg->aligned ? o->gain : 1;
	return u;
}
