/* carmen.c - what a CARMEN log means, and its lines as records. */
#include "io/log/carmen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/log/carmen_line.h"
#include "io/log/stamps.h"
#include "io/rec/body_records.h"

#define BODY "robot"

/* Readings this near to the largest are the same word for "nothing" (m). */
#define TOP_WIDTH 0.1

/* A laser sits still on its robot within the rounding of logs (m, rad). */
#define SITS_STILL 2e-3

/* What is counted on the way through a log. */
struct survey {
	struct pb_carmen *c;
	double top[3]; /* the largest ranges, the largest first */
	double *t;     /* stamps of scans, owned */
	size_t cap;
	bool any_stamp;      /* t0 is set */
	long odoms, since;   /* ODOM lines: all, since the last scan */
	long fed;            /* scans with an ODOM line of their own before */
	long repeats;        /* scans whose pose the next ODOM line has */
	long marked;         /* ... with 0 as its stamp */
	bool waits;          /* the last scan has had no ODOM line yet */
	bool apart;          /* the two poses of scans differ by more than
	                        where the laser sits */
	struct pb_pose scan; /* first pose of the last scan */
	struct pb_pose sits; /* the laser on the robot, by the first scan */
	struct pb_pose robot[2]; /* second poses: the first, the last */
};

static bool
same_pose(struct pb_pose a, struct pb_pose b)
{
	return a.x == b.x && a.y == b.y && a.th == b.th;
}

static bool
near_pose(struct pb_pose a, struct pb_pose b)
{
	return fabs(a.x - b.x) < SITS_STILL && fabs(a.y - b.y) < SITS_STILL &&
	       fabs(pb_wrap(a.th - b.th)) < SITS_STILL;
}

static void
see_ranges(struct survey *s, const double *range, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double r = range[i];

		for (int k = 0; k < 3; k++)
			if (r > s->top[k]) {
				double t = s->top[k];

				s->top[k] = r;
				r = t;
			}
	}
}

static void
see_stamp(struct survey *s, double t)
{
	size_t n = (size_t)s->c->scans, cap = n > 0 ? 2 * n : 256;
	double *more;

	if (n == s->cap) {
		more = realloc(s->t, cap * sizeof(*more));
		if (more == NULL) {
			s->c->failed = true;
			return;
		}
		s->t = more;
		s->cap = cap;
	}
	s->t[n] = t;
}

static void
see_scan(struct survey *s, const struct pb_carmen_line *l, const double *range)
{
	struct pb_pose sits =
	    pb_pose_compose(pb_pose_inverse(l->robot), l->laser);

	see_stamp(s, l->t);
	if (s->c->failed)
		return;
	if (s->c->scans++ == 0) {
		s->sits = sits;
		s->robot[0] = l->robot;
	}
	s->robot[1] = l->robot;
	s->apart |= !near_pose(sits, s->sits);
	s->fed += s->since > 0;
	s->since = 0;
	s->waits = true;
	s->scan = l->laser;
	see_ranges(s, range, l->n);
}

static void
see_odom(struct survey *s, const struct pb_carmen_line *l)
{
	bool repeat = s->waits && same_pose(l->robot, s->scan);

	s->repeats += repeat;
	s->marked += repeat && l->t == 0;
	s->odoms++;
	s->since += !repeat;
	s->waits = false;
	s->c->speeds |= l->v != 0 || l->w != 0;
}

static void
see_param(struct pb_carmen *c, const struct pb_carmen_line *l)
{
	if (strcmp(l->name, "robot_frontlaser_offset") == 0 &&
	    isfinite(l->value))
		c->sits.x = l->value;
	if (strcmp(l->name, "robot_front_laser_max") == 0 && l->value > 0)
		c->laser_max = l->value;
}

static void
see_line(struct survey *s, const char *at, size_t n)
{
	struct pb_carmen_line l;
	struct pb_error bad = {.text = ""};

	if (!pb_carmen_read(at, n, &l, &s->c->range, &s->c->cap, &bad))
		return;
	if (l.kind == PB_CARMEN_PARAM) {
		see_param(s->c, &l);
		return;
	}
	if (l.kind == PB_CARMEN_OTHER)
		return;
	if (!s->any_stamp && l.t != 0 && isfinite(l.t)) {
		s->any_stamp = true;
		s->c->t0 = l.t;
	}
	if (l.kind == PB_CARMEN_SCAN)
		see_scan(s, &l, s->c->range);
	else
		see_odom(s, &l);
}

/* What the counts say. */
static void
conclude(const struct survey *s)
{
	struct pb_carmen *c = s->c;
	bool still = near_pose(s->robot[0], s->robot[1]);

	c->rebased = c->scans > 1 && !s->apart &&
	             (s->marked > 0 || s->repeats >= c->scans - 1);
	c->corrected = c->rebased || s->apart;
	if (!c->corrected && c->scans > 0)
		c->sits = s->sits;
	/* Steps of the wheels for most scans, or nobody could put them on. */
	if (c->rebased)
		c->odometry = 2 * s->fed > c->scans;
	else
		c->odometry = c->scans > 0 ? !s->apart || !still : s->odoms > 0;
	c->failed |=
	    pb_stamps_judge(s->t, (size_t)c->scans, &c->stamps) != PB_OK;
	c->timed = !c->stamps.broken;
	c->top = s->top[0];
	if (s->top[2] > 0 && s->top[2] >= s->top[0] - TOP_WIDTH)
		c->no_return = s->top[0] - TOP_WIDTH;
}

void
pb_carmen_survey(struct pb_carmen *c, const char *s, size_t n)
{
	struct survey y = {.c = c};
	const char *end = s + n;

	*c = (struct pb_carmen){.no_return = INFINITY, .laser_max = INFINITY};
	while (s < end) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));

		if (!nl)
			nl = end;
		see_line(&y, s, (size_t)(nl - s));
		s = nl < end ? nl + 1 : end;
	}
	conclude(&y);
	free(y.t);
}

void
pb_carmen_clear(struct pb_carmen *c)
{
	free(c->range);
	*c = (struct pb_carmen){0};
}

bool
pb_carmen_remark(const struct pb_carmen *c, char *out, size_t size)
{
	char text[160];

	if (c->timed)
		snprintf(out, size,
		    "a log without usable odometry: no odom records");
	else
		snprintf(out, size,
		    "a log without usable %stimes: %s; %sscans are numbered, "
		    "one a second",
		    c->odometry ? "" : "odometry and ",
		    pb_stamps_text(&c->stamps, "scans", text, sizeof(text)),
		    c->odometry ? "" : "no odom records, ");
	return !c->odometry || !c->timed;
}

static double
time_of(const struct pb_carmen *c, double t)
{
	return c->timed ? t - c->t0 : (double)c->scan;
}

/* Go to `to`, in the frame without jumps. */
static void
move(struct pb_carmen *c, struct pb_pose to, const struct pb_carmen_line *l,
    struct pb_text *out)
{
	bool speeds = c->speeds && l->kind == PB_CARMEN_ODOM;
	struct pb_rec_odom d = {
	    to.x, to.y, to.th, speeds ? l->v : NAN, speeds ? l->w : NAN};

	c->odom = to;
	if (!c->odometry)
		return;
	c->moved = true;
	c->moved_t = time_of(c, l->t);
	pb_put_odom(out, pb_stamp_at(c->moved_t, BODY), &d);
}

static void
convert_odom(
    struct pb_carmen *c, const struct pb_carmen_line *l, struct pb_text *out)
{
	struct pb_pose to;

	if (!c->rebased) {
		move(c, pb_pose_compose(l->robot, c->sits), l, out);
		return;
	}
	if ((l->t == 0 || !c->timed) && c->scan > 0 &&
	    same_pose(l->robot, c->base))
		return;
	to = pb_pose_compose(pb_pose_inverse(c->base), l->robot);
	move(c, pb_pose_compose(c->base_o, to), l, out);
}

/* Where the wheels have brought the laser at this scan. */
static void
scan_odom(
    struct pb_carmen *c, const struct pb_carmen_line *l, struct pb_text *out)
{
	struct pb_pose to = l->laser;

	if (c->rebased) {
		if (!c->moved)
			move(c, to, l, out);
		c->base = l->laser;
		c->base_o = c->odom;
		return;
	}
	if (c->corrected)
		to = pb_pose_compose(l->robot, c->sits);
	if (!c->moved || c->moved_t != time_of(c, l->t) ||
	    !same_pose(to, c->odom))
		move(c, to, l, out);
}

static void
put_scan(
    struct pb_carmen *c, const struct pb_carmen_line *l, struct pb_text *out)
{
	double max = fmin(l->max, c->laser_max);
	double none = fmin(max, c->no_return);
	struct pb_rec_scan z = {.angle_min = l->angle_min,
	    .angle_increment = l->inc,
	    .range_min = NAN,
	    .range_max = isfinite(none) ? fmin(max, c->top) : NAN,
	    .range = c->range,
	    .n = l->n};

	for (size_t i = 0; i < l->n; i++)
		if (!(c->range[i] > 0 && c->range[i] < none))
			c->range[i] = NAN;
	pb_put_scan(out, pb_stamp_at(time_of(c, l->t), BODY), &z);
}

static void
convert_scan(
    struct pb_carmen *c, const struct pb_carmen_line *l, struct pb_text *out)
{
	struct pb_rec_pose p = {
	    .x = l->laser.x, .y = l->laser.y, .theta = l->laser.th};

	scan_odom(c, l, out);
	if (c->corrected) {
		PB_REC_SET(p.source, "truth");
		pb_put_pose(out, pb_stamp_at(time_of(c, l->t), BODY), &p);
	}
	put_scan(c, l, out);
	c->scan++;
}

bool
pb_carmen_convert(struct pb_carmen *c, const char *s, size_t n,
    struct pb_text *out, struct pb_error *bad)
{
	struct pb_carmen_line l;

	if (!pb_carmen_read(s, n, &l, &c->range, &c->cap, bad))
		return false;
	if (l.kind == PB_CARMEN_ODOM)
		convert_odom(c, &l, out);
	if (l.kind == PB_CARMEN_SCAN)
		convert_scan(c, &l, out);
	return true;
}
