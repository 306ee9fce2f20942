/* sense.c - the sensors of a simulated robot: which, how good, how often. */
#include "robot/sense.h"

#include <assert.h>
#include <math.h>

#include "base/elementary.h"

/* Middle of the cell that holds v. */
static double
cell_middle(double v, double cell)
{
	return cell > 0 ? (floor(v / cell) + 0.5) * cell : v;
}

void
pb_sense_camera_take_picture(struct pb_sense_camera *c,
    const struct pb_sense_camera_opts *o, double t, struct pb_vec p,
    struct pb_rng *rng)
{
	static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};

	if (o->drop > 0 && pb_rng_unit(rng) < o->drop)
		return;
	if (o->noise > 0) {
		p.x += o->noise * pb_rng_normal(rng);
		p.y += o->noise * pb_rng_normal(rng);
	}
	p.x = cell_middle(p.x, o->cell);
	p.y = cell_middle(p.y, o->cell);
	if (o->wrong > 0 && pb_rng_unit(rng) < o->wrong) {
		unsigned d = pb_rng_below(rng, 4);

		p.x += dx[d] * o->cell;
		p.y += dy[d] * o->cell;
	}
	assert(c->n < PB_SENSE_PICTURES);
	c->way[(c->first + c->n++) % PB_SENSE_PICTURES] =
	    (struct pb_sense_picture){t + o->delay, p};
}

bool
pb_sense_camera_answer(struct pb_sense_camera *c, double t, struct pb_vec *at)
{
	/* Times are sums of steps: tolerate rounding. */
	if (c->n == 0 || c->way[c->first].due > t + 1e-6)
		return false;
	*at = c->way[c->first].at;
	c->first = (c->first + 1) % PB_SENSE_PICTURES;
	c->n--;
	return true;
}

static double
measure_range(const struct pb_sense_lidar_opts *o, double d, struct pb_rng *rng)
{
	if (d >= o->max || d < o->min)
		return NAN;
	if (o->drop > 0 && pb_rng_unit(rng) < o->drop)
		return NAN;
	if (o->noise > 0 || o->share > 0)
		d += (o->noise + o->share * d) * pb_rng_normal(rng);
	return d <= o->max && d >= o->min && d > 0 ? d : NAN;
}

double
pb_things_gap(const struct pb_thing *t, int n, struct pb_vec p)
{
	double least = INFINITY;

	for (; n > 0; n--, t++) {
		double dx = fmax(fabs(p.x - t->at.x) - t->half.x, 0);
		double dy = fmax(fabs(p.y - t->at.y) - t->half.y, 0);

		least =
		    fmin(least, fmax(sqrt(dx * dx + dy * dy) - t->radius, 0));
	}
	return least;
}

/* Distance from p along the unit vector u to a box: to the slab that it enters
 * last (Kay and Kajiya, 1986); INFINITY: none. */
static double
hit_box(const struct pb_thing *t, struct pb_vec p, pb_pair u)
{
	const double from[2] = {p.x - t->at.x, p.y - t->at.y};
	const double half[2] = {t->half.x, t->half.y};
	double in = 0, out = INFINITY;

	for (int i = 0; i < 2; i++) {
		double a, b;

		if (u[i] == 0) {
			if (fabs(from[i]) > half[i])
				return INFINITY;
			continue;
		}
		a = (-half[i] - from[i]) / u[i];
		b = (half[i] - from[i]) / u[i];
		in = fmax(in, fmin(a, b));
		out = fmin(out, fmax(a, b));
	}
	return in <= out ? in : INFINITY;
}

static double
hit_disc(const struct pb_thing *t, struct pb_vec p, pb_pair u)
{
	double dx = t->at.x - p.x, dy = t->at.y - p.y;
	double along = dx * u[0] + dy * u[1], aside = dx * u[1] - dy * u[0];
	double h = t->radius * t->radius - aside * aside;

	/* From inside, a disc behind the sensor is no obstacle. */
	if (h < 0 || along <= 0)
		return INFINITY;
	return fmax(along - sqrt(h), 0);
}

static double
hit_thing(const struct pb_thing *t, struct pb_pose p, double th)
{
	pb_pair u = pb_direction(th);

	return t->radius > 0 ? hit_disc(t, pb_pose_vec(p), u)
	                     : hit_box(t, pb_pose_vec(p), u);
}

/* Shorten the beams that hit a thing, testing only beams within the angle of
 * its circumscribed circle, in each turn of the scan. */
static void
shorten_beams(const struct pb_sense_lidar_opts *o, const struct pb_thing *t,
    struct pb_pose p, double *range)
{
	struct pb_vec d = {t->at.x - p.x, t->at.y - p.y};
	double far = sqrt(d.x * d.x + d.y * d.y), inc = o->span / o->beams;
	double round =
	    t->radius + sqrt(t->half.x * t->half.x + t->half.y * t->half.y);
	double to = pb_wrap(pb_atan2(d.y, d.x) - p.th - o->first);
	double wide = PB_PI;

	if (far - round > o->max)
		return;
	if (far > round)
		wide = pb_atan2(round, sqrt(far * far - round * round));
	for (int turn = -1; turn <= 1; turn++) {
		double mid = (to + turn * 2 * PB_PI) / inc;
		double side = fabs(wide / inc) + 1;
		int last = (int)fmin(mid + side, o->beams - 1);

		for (int k = (int)fmax(mid - side, 0); k <= last; k++)
			range[k] = fmin(range[k],
			    hit_thing(t, p, p.th + o->first + k * inc));
	}
}

void
pb_sense_lidar(const struct pb_sense_lidar_opts *o, const struct pb_rays *w,
    const struct pb_thing *t, int n, struct pb_pose p, struct pb_rng *rng,
    double *out)
{
	pb_ray_scan(
	    w, p, o->first, o->span / o->beams, (size_t)o->beams, o->max, out);
	for (int i = 0; i < n; i++)
		shorten_beams(o, &t[i], p, out);
	for (int i = 0; i < o->beams; i++)
		out[i] = measure_range(o, out[i], rng);
}

/* A normal draw; without variance nothing is drawn. */
static double
normal(struct pb_rng *rng, double variance)
{
	return variance > 0 ? sqrt(variance) * pb_rng_normal(rng) : 0;
}

/* Measure the step d, in the robot's frame. */
static struct pb_pose
measure_step(
    const struct pb_sense_wheels_opts *o, struct pb_pose d, struct pb_rng *rng)
{
	double way = sqrt(d.x * d.x + d.y * d.y), turn = fabs(d.th);
	double factor = 1 + o->bias, off;

	if (o->spread > 0)
		factor += pb_rng_between(rng, -o->spread, o->spread);
	off = normal(rng, o->trans_trans * way + o->trans_rot * turn);
	d.th = d.th * (1 + o->turn_bias) +
	       normal(rng, o->rot_rot * turn + o->rot_trans * way);
	if (way == 0)
		d.x = off;
	else {
		d.x *= factor + off / way;
		d.y *= factor + off / way;
	}
	return d;
}

void
pb_sense_odom_move(struct pb_sense_odom *d,
    const struct pb_sense_wheels_opts *o, struct pb_pose from,
    struct pb_pose to, double dt, struct pb_rng *rng)
{
	struct pb_pose step = pb_pose_into(from, to);

	if (from.x == to.x && from.y == to.y && from.th == to.th) {
		d->v = d->w = 0;
		return;
	}
	step = measure_step(o, step, rng);
	d->pose = pb_pose_compose(d->pose, step);
	d->v = step.x / dt;
	d->w = step.th / dt;
}

void
pb_sense_imu_start(struct pb_sense_imu *m, const struct pb_sense_imu_opts *o,
    struct pb_rng *rng)
{
	*m = (struct pb_sense_imu){.drift = normal(rng, o->drift * o->drift)};
}

double
pb_sense_imu_step(struct pb_sense_imu *m, const struct pb_sense_imu_opts *o,
    double th, double dt, struct pb_rng *rng)
{
	m->error += m->drift * dt + normal(rng, o->walk * o->walk * dt);
	return pb_wrap(th + m->error + normal(rng, o->noise * o->noise));
}

/* Nearest hit of the rays of the sensor at p; o->max: none. */
static double
nearest_hit(const struct pb_sense_tof_opts *o, const struct pb_rays *w,
    const struct pb_thing *t, int n, struct pb_pose p)
{
	double d[PB_SENSE_TOF_RAYS], inc = 0, first = 0, best = o->max;

	if (o->rays > 1) {
		inc = o->cone / (o->rays - 1);
		first = -o->cone / 2;
	}
	pb_ray_scan(w, p, first, inc, (size_t)o->rays, o->max, d);
	for (int i = 0; i < o->rays; i++) {
		best = fmin(best, d[i]);
		for (int k = 0; k < n; k++)
			best = fmin(
			    best, hit_thing(&t[k], p, p.th + first + i * inc));
	}
	return best;
}

static double
measure_tof(const struct pb_sense_tof_opts *o, double d, struct pb_rng *rng)
{
	if (o->fail > 0 && pb_rng_unit(rng) < o->fail)
		return -1;
	if (d >= o->max)
		return NAN;
	if (o->noise > 0)
		d *= 1 + pb_rng_between(rng, -o->noise, o->noise);
	/* At least one unit: 0 would be a failed reading. */
	if (o->unit > 0)
		d = fmax(1, floor(d / o->unit + 0.5)) * o->unit;
	return d <= o->max ? d : NAN;
}

void
pb_sense_tof(const struct pb_sense_tof_opts *o, const struct pb_rays *w,
    const struct pb_thing *t, int things, int n, struct pb_pose p,
    struct pb_rng *rng, double *out)
{
	for (int i = 0; i < n; i++) {
		double th = p.th + i * (2 * PB_PI / n);
		pb_pair u = pb_direction(th);
		struct pb_pose rim = {
		    p.x + o->radius * u[0], p.y + o->radius * u[1], th};

		out[i] = measure_tof(o, nearest_hit(o, w, t, things, rim), rng);
	}
}

const char pb_sensor_names[] = "lidar|tof4|tof8|odom|imu|camera";

#define PB_PARAMS_OF struct pb_sense_opts

/* Conditions under which rows have an effect. */
#define LIDAR  "sensors=lidar"
#define TOF    "sensors=tof4|sensors=tof8"
#define WHEELS "sensors=odom"
#define IMU    "sensors=imu"
#define CAMERA "sensors=camera"

static const struct pb_param params[] = {
    PB_COUNT("lidar-beams", lidar.beams, "", 360, 1, PB_SENSE_BEAMS,
	"of a scan", .when = LIDAR),
    PB_REAL("lidar-first", lidar.first, "rad", -PB_PI, -7, 7,
	"angle of the first beam", .when = LIDAR),
    PB_REAL("lidar-span", lidar.span, "rad", 2 * PB_PI, -7, 7, "of all beams",
	.when = LIDAR),
    PB_REAL("lidar-min", lidar.min, "m", 0.15, 0, 1000,
	"nearer there is no range", .when = LIDAR),
    PB_REAL("lidar-max", lidar.max, "m", 12, 0.001, 1e6,
	"farther there is none", .when = LIDAR),
    PB_REAL("lidar-noise", lidar.noise, "m", 0.01, 0, 100,
	"standard deviation of a range", .when = LIDAR),
    PB_REAL("lidar-drop", lidar.drop, "", 0, 0, 1, "chance of no range",
	.when = LIDAR),
    PB_REAL("lidar-period", lidar_period, "s", 0.15, 0, 3600, "between scans",
	.when = LIDAR),

    PB_REAL("tof-radius", tof.radius, "m", 0.06604, 0, 10,
	"of the rim that the sensors are on", .when = TOF),
    PB_REAL("tof-max", tof.max, "m", 1.5, 0.001, 1000,
	"farther there is no range", .when = TOF),
    PB_REAL("tof-cone", tof.cone, "rad", 1e-4, 0, 1,
	"between the outer rays of a sensor", .when = TOF),
    PB_COUNT("tof-rays", tof.rays, "", 2, 1, PB_SENSE_TOF_RAYS,
	"of a sensor, the nearest hit counts", .when = TOF),
    PB_REAL("tof-noise", tof.noise, "", 0.01, 0, 1,
	"a range is off by up to this part of it", .when = TOF),
    PB_REAL("tof-unit", tof.unit, "m", 0.001, 0, 1,
	"ranges are multiples of this", .when = TOF),
    PB_REAL(
	"tof-fail", tof.fail, "", 0, 0, 1, "chance of no reading", .when = TOF),
    PB_REAL("tof-period", tof_period, "s", 0.015, 0, 3600, "between scans",
	.when = TOF),

    PB_REAL("wheel-bias", wheels.bias, "", 0.04, -1, 10,
	"measured over driven distance, less 1", .when = WHEELS),
    PB_REAL("wheel-spread", wheels.spread, "", 0.04, 0, 10,
	"and up to this more or less in each step", .when = WHEELS),
    PB_REAL("wheel-turn-bias", wheels.turn_bias, "", 0, -1, 10,
	"measured over turned angle, less 1", .when = WHEELS),
    PB_REAL("wheel-rot-rot", wheels.rot_rot, "rad2/rad", 1e-4, 0, 10,
	"variance of heading per radian turned", .when = WHEELS),
    PB_REAL("wheel-rot-trans", wheels.rot_trans, "rad2/m", 1e-4, 0, 10,
	"variance of heading per metre driven", .when = WHEELS),
    PB_REAL("wheel-trans-trans", wheels.trans_trans, "m2/m", 1e-4, 0, 10,
	"variance of distance per metre driven", .when = WHEELS),
    PB_REAL("wheel-trans-rot", wheels.trans_rot, "m2/rad", 1e-5, 0, 10,
	"variance of distance per radian turned", .when = WHEELS),
    PB_REAL("wheel-period", wheels_period, "s", 0.05, 0, 3600,
	"between odometry", .when = WHEELS),

    PB_REAL("imu-noise", imu.noise, "rad", 0, 0, 10,
	"standard deviation of a heading", .when = IMU),
    PB_REAL("imu-walk", imu.walk, "rad/s^0.5", 0, 0, 10,
	"standard deviation of its random walk after 1 s", .when = IMU),
    PB_REAL("imu-drift", imu.drift, "rad/s", 0, 0, 10,
	"standard deviation of its drift", .when = IMU),

    PB_REAL("camera-cell", camera.cell, "m", 0.0889, 0, 100,
	"side of the cells whose middles it tells", .when = CAMERA),
    PB_REAL("camera-noise", camera.noise, "m", 0, 0, 100,
	"standard deviation of x and y before that", .when = CAMERA),
    PB_REAL("camera-period", camera.period, "s", 0.1, 0.001, 3600,
	"between pictures", .when = CAMERA),
    PB_REAL("camera-late", camera.delay, "s", 0, 0, 3600,
	"from a picture to its answer", .when = CAMERA),
    PB_REAL("camera-wrong", camera.wrong, "", 0, 0, 1,
	"chance of a cell beside the right one", .when = CAMERA),
    PB_REAL("camera-drop", camera.drop, "", 0, 0, 1, "chance of no answer",
	.when = CAMERA),
};

const struct pb_params pb_sense_params = PB_PARAMS(params);

struct pb_sense_opts
pb_sense_defaults(void)
{
	struct pb_sense_opts o = {0};

	pb_params_defaults(pb_sense_params, &o);
	return o;
}

const char *
pb_sense_wrong(const struct pb_sense_opts *o)
{
	const struct pb_param *p = pb_params_check(pb_sense_params, o);
	unsigned ranges =
	    o->sensors & (PB_SENSOR_LIDAR | PB_SENSOR_TOF4 | PB_SENSOR_TOF8);

	if (p != NULL)
		return p->name;
	if (ranges & (ranges - 1))
		return "sensors: expected one of lidar, tof4 and tof8";
	if ((o->sensors & PB_SENSOR_IMU) && !(o->sensors & PB_SENSOR_ODOM))
		return "sensors: imu only with odom";
	if (o->lidar.min >= o->lidar.max)
		return "lidar-max: expected more than lidar-min";
	if (o->camera.delay > o->camera.period * (PB_SENSE_PICTURES - 2))
		return "camera-late: expected at most 254 camera-period";
	return NULL;
}

void
pb_sense_start(struct pb_sense *s, const struct pb_sense_opts *o,
    const struct pb_rays *world, uint64_t seed, uint64_t trial,
    struct pb_pose p)
{
	*s = (struct pb_sense){.o = *o, .world = world, .p = p};
	/* Streams of number 0 belong to the games. */
	pb_rng_start(&s->ranges, seed, trial, PB_FOR_SENSOR, 1);
	pb_rng_start(&s->camera, seed, trial, PB_FOR_SENSOR, 2);
	pb_rng_start(&s->heading, seed, trial, PB_FOR_SENSOR, 3);
	pb_rng_start(&s->wheels, seed, trial, PB_FOR_ODOM, 1);
	pb_sense_imu_start(&s->imu, &o->imu, &s->heading);
	if (o->sensors & PB_SENSOR_IMU)
		s->odom.pose.th = p.th;
}

/* Times are sums of steps: tolerate rounding (s). */
#define TOLERANCE 1e-6

/* Whether event number *k of a period is due; it is then counted. */
static bool
is_due(long *k, double period, double t)
{
	if (t < (double)*k * period - TOLERANCE)
		return false;
	/* A period shorter than a step is due at every step. */
	*k = period > TOLERANCE ? (long)floor((t + TOLERANCE) / period) + 1
	                        : *k + 1;
	return true;
}

static void
update_odometry(struct pb_sense *s, double dt, struct pb_pose p, bool carried)
{
	bool imu = s->o.sensors & PB_SENSOR_IMU;

	if (dt > 0 && !carried)
		pb_sense_odom_move(
		    &s->odom, &s->o.wheels, s->p, p, dt, &s->wheels);
	if (imu)
		s->odom.pose.th = pb_sense_imu_step(
		    &s->imu, &s->o.imu, p.th, dt, &s->heading);
}

static bool
update_scan(struct pb_sense *s, double t, struct pb_pose p)
{
	bool lidar = s->o.sensors & PB_SENSOR_LIDAR;

	if (!is_due(&s->scans, lidar ? s->o.lidar_period : s->o.tof_period, t))
		return false;
	s->n = lidar                           ? (size_t)s->o.lidar.beams
	       : s->o.sensors & PB_SENSOR_TOF4 ? 4
	                                       : 8;
	if (lidar)
		pb_sense_lidar(&s->o.lidar, s->world, s->thing, s->things, p,
		    &s->ranges, s->range);
	else
		pb_sense_tof(&s->o.tof, s->world, s->thing, s->things,
		    (int)s->n, p, &s->ranges, s->range);
	return true;
}

unsigned
pb_sense_step(struct pb_sense *s, double t, struct pb_pose p, bool carried)
{
	unsigned came = 0, on = s->o.sensors;

	if (on & PB_SENSOR_ODOM) {
		update_odometry(s, t - s->t, p, carried);
		if (is_due(&s->odoms, s->o.wheels_period, t))
			came |= PB_SENSED_ODOM;
	}
	if ((on & (PB_SENSOR_LIDAR | PB_SENSOR_TOF4 | PB_SENSOR_TOF8)) &&
	    update_scan(s, t, p))
		came |= PB_SENSED_SCAN;
	if (on & PB_SENSOR_CAMERA) {
		if (is_due(&s->pictures, s->o.camera.period, t))
			pb_sense_camera_take_picture(&s->cam, &s->o.camera, t,
			    pb_pose_vec(p), &s->camera);
		while (pb_sense_camera_answer(&s->cam, t, &s->fix))
			came |= PB_SENSED_FIX;
	}
	s->t = t;
	s->p = p;
	if (came != 0 && (on & PB_SENSOR_ODOM))
		came |= PB_SENSED_ODOM;
	return came;
}

struct pb_scan
pb_sense_scan(const struct pb_sense *s)
{
	const struct pb_sense_opts *o = &s->o;
	struct pb_scan z = {.range = s->range, .n = s->n};

	if (o->sensors & PB_SENSOR_LIDAR) {
		z.angle_min = o->lidar.first;
		z.inc = o->lidar.span / o->lidar.beams;
		z.range_min = o->lidar.min;
		z.range_max = o->lidar.max;
	} else {
		z.inc = o->sensors & PB_SENSOR_TOF4 ? PB_PI / 2 : PB_PI / 4;
		z.range_max = o->tof.max;
		z.radius = o->tof.radius;
	}
	return z;
}
