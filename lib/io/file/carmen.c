/* carmen.c - logs of the CARMEN toolkit: messages, what they mean, as records.
 */
#include "io/file/carmen.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "io/file/poselog.h"
#include "io/stream/text.h"
#include "pb/geom.h"
#include "pb/param.h"

enum pb_carmen_kind {
	PB_CARMEN_OTHER, /* left out */
	PB_CARMEN_ODOM,
	PB_CARMEN_SCAN,
	PB_CARMEN_PARAM
};

struct pb_carmen_line {
	enum pb_carmen_kind kind;
	double t;             /* stamp of the message (s) */
	struct pb_pose robot; /* ODOM; second pose of a scan */
	struct pb_pose laser; /* first pose of a scan */
	double v, w;          /* ODOM: speed (m/s), turn rate (rad/s) */
	double angle_min;     /* scan (rad) */
	double inc;           /* scan, beam to beam (rad) */
	double max;           /* scan: largest range, INFINITY: not said (m) */
	size_t n;             /* scan: beams */
	char name[64];        /* PARAM */
	double value;         /* PARAM, NAN if it is no number */
};

/* The words of a line; after the first that is missing or wrong none. */
struct words {
	const char *at, *end;
	const char *message; /* name, for complaints */
	long n;              /* words taken */
	struct pb_error *bad;
	bool ok;
};

#define DEGREES(a) ((a) * (PB_PI / 180))

static bool
next_word(struct words *w, char *out, size_t size)
{
	bool found = pb_text_word(&w->at, w->end, out, size) && w->ok;

	w->n += found;
	return found;
}

static void
broken(struct words *w, const char *what, const char *word)
{
	if (!w->ok)
		return;
	w->ok = false;
	if (word)
		pb_error_set(w->bad, "%s: word %ld: expected %s, got \"%.40s\"",
		    w->message, w->n, what, word);
	else
		pb_error_set(w->bad,
		    "%s: expected %s as word %ld, the line ends before it",
		    w->message, what, w->n + 1);
}

static double
number(struct words *w)
{
	char word[64];
	double v = NAN;

	if (!next_word(w, word, sizeof(word)))
		broken(w, "a number", NULL);
	else if (!pb_num_parse(word, &v))
		broken(w, "a number", word);
	return v;
}

/* A number that may be nan or inf: NAN for these. */
static double
number_or_nan(struct words *w, const char *what)
{
	char word[64];
	double v = NAN;

	if (!next_word(w, word, sizeof(word)))
		broken(w, what, NULL);
	else if (!pb_num_parse(word, &v) &&
		 strspn(word, "+-nNaAiIfF") != strlen(word))
		broken(w, what, word);
	return v;
}

static struct pb_pose
pose(struct words *w)
{
	double x = number(w), y = number(w), th = number(w);

	return (struct pb_pose){x, y, w->ok ? pb_wrap(th) : 0};
}

/* Stamp and host end a message; the logger's own stamp adds nothing. */
static double
stamp(struct words *w)
{
	char host[2];
	double t = number_or_nan(w, "a number");

	if (!next_word(w, host, sizeof(host)))
		broken(w, "a host", NULL);
	return t;
}

static size_t
count(struct words *w)
{
	char word[64];
	int64_t n = 0;

	if (!next_word(w, word, sizeof(word)))
		broken(w, "a number of ranges", NULL);
	else if (!pb_num_parse_int(word, &n) || n < 1 || n > PB_REC_BEAMS_MAX)
		broken(w, "a number of ranges", word);
	return (size_t)n;
}

static void
ranges(struct words *w, size_t n, double **out, size_t *cap)
{
	if (w->ok && n > *cap) {
		double *more = realloc(*out, n * sizeof(*more));

		if (!more) {
			w->ok = pb_error_nomem(w->bad, w->message);
			return;
		}
		*out = more;
		*cap = n;
	}
	for (size_t i = 0; w->ok && i < n; i++)
		(*out)[i] = number_or_nan(w, "a range");
}

/*
 * FLASER does not say its angles: from -90 degrees, a degree apart if there
 * are 180 or 181, half a degree if 360 or 361; other numbers cover 180
 * degrees, as CARMEN itself takes it.
 */
static void
guess_angles(struct pb_carmen_line *l)
{
	l->angle_min = -PB_PI / 2;
	if (l->n == 180 || l->n == 181)
		l->inc = DEGREES(1);
	else if (l->n == 360 || l->n == 361)
		l->inc = DEGREES(0.5);
	else
		l->inc = l->n > 1 ? PB_PI / (double)(l->n - 1) : 0;
}

/* FLASER n r[n] laser pose, robot pose, stamp, host, stamp */
static void
read_flaser(
    struct words *w, struct pb_carmen_line *l, double **out, size_t *cap)
{
	l->n = count(w);
	ranges(w, l->n, out, cap);
	l->laser = pose(w);
	l->robot = pose(w);
	l->t = stamp(w);
	l->max = INFINITY;
	guess_angles(l);
}

/*
 * ROBOTLASER1 type, first angle, field of view, increment, largest range,
 * accuracy, remission mode, n, r[n], m, remission[m], laser pose, robot pose,
 * speed, turn rate, three distances, stamp, host, stamp
 */
static void
read_robotlaser(
    struct words *w, struct pb_carmen_line *l, double **out, size_t *cap)
{
	double m;

	number(w);
	l->angle_min = number(w);
	number(w);
	l->inc = number(w);
	l->max = number(w);
	number(w);
	number(w);
	l->n = count(w);
	ranges(w, l->n, out, cap);
	m = number(w);
	for (double i = 0; w->ok && i < m; i++)
		number(w);
	l->laser = pose(w);
	l->robot = pose(w);
	l->v = number(w);
	l->w = number(w);
	for (int i = 0; i < 3; i++)
		number(w);
	l->t = stamp(w);
}

static void
read_odom(struct words *w, struct pb_carmen_line *l)
{
	l->robot = pose(w);
	l->v = number(w);
	l->w = number(w);
	number(w); /* acceleration */
	l->t = stamp(w);
}

static void
read_param(struct words *w, struct pb_carmen_line *l)
{
	char word[64];

	l->value = NAN;
	if (next_word(w, l->name, sizeof(l->name)) &&
	    next_word(w, word, sizeof(word)))
		pb_num_parse(word, &l->value);
}

/*
 * Read a line; the ranges of a scan go to *range_out, which grows as needed and
 * holds *cap numbers. False with bad filled in for a message that is not whole.
 */
static bool
read_message(const char *s, size_t n, struct pb_carmen_line *l,
    double **range_out, size_t *cap, struct pb_error *bad)
{
	char name[16];
	struct words w = {s, s + n, name, 0, bad, true};

	*l = (struct pb_carmen_line){.kind = PB_CARMEN_OTHER};
	if (!next_word(&w, name, sizeof(name)))
		return true;
	if (strcmp(name, "ODOM") == 0) {
		l->kind = PB_CARMEN_ODOM;
		read_odom(&w, l);
	} else if (strcmp(name, "FLASER") == 0) {
		l->kind = PB_CARMEN_SCAN;
		read_flaser(&w, l, range_out, cap);
	} else if (strcmp(name, "ROBOTLASER1") == 0) {
		l->kind = PB_CARMEN_SCAN;
		read_robotlaser(&w, l, range_out, cap);
	} else if (strcmp(name, "PARAM") == 0) {
		l->kind = PB_CARMEN_PARAM;
		read_param(&w, l);
	}
	return w.ok;
}

bool
pb_carmen_is_comment(const char *s, size_t n)
{
	return n == 0 || s[0] == '#';
}

bool
pb_carmen_is(const char *s, size_t n)
{
	static const char known[] =
	    "PARAM|SYNC|ODOM|FLASER|RLASER|TRUEPOS|NEFF|ROBOTLASER1|"
	    "ROBOTLASER2|RAWLASER1|RAWLASER2|LASER_POS|GPS";
	const char *blank = memchr(s, ' ', n);

	return blank && pb_word_find(known, s, (size_t)(blank - s)) >= 0;
}

bool
pb_carmen_begins(const char *s, size_t n)
{
	const char *end = s + n, *nl;

	for (; s < end; s = nl < end ? nl + 1 : end) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (!nl)
			nl = end;
		if (!pb_carmen_is_comment(s, (size_t)(nl - s)))
			return pb_carmen_is(s, (size_t)(nl - s));
	}
	return false;
}

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
see_scan(struct survey *s, const struct pb_carmen_line *l, const double *range)
{
	struct pb_pose sits = pb_pose_into(l->robot, l->laser);

	if (!pb_grow(&s->t, (size_t)s->c->scans, &s->cap, sizeof(*s->t))) {
		s->c->failed = true;
		return;
	}
	s->t[s->c->scans] = l->t;
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

	if (!read_message(at, n, &l, &s->c->range, &s->c->cap, &bad))
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
	c->failed |= pb_stamps_judge(s->t, sizeof(*s->t), (size_t)c->scans,
			 &c->stamps) != PB_OK;
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
		    pb_stamps_text(&c->stamps, text, sizeof(text)),
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
    struct pb_rec_few *out)
{
	bool speeds = c->speeds && l->kind == PB_CARMEN_ODOM;
	struct pb_rec_odom d = {
	    to.x, to.y, to.th, speeds ? l->v : NAN, speeds ? l->w : NAN};

	c->odom = to;
	if (!c->odometry)
		return;
	c->moved = true;
	c->moved_t = time_of(c, l->t);
	pb_rec_add(out, PB_REC_ODOM, pb_stamp_at(c->moved_t, BODY))->odom = d;
}

static void
convert_odom(
    struct pb_carmen *c, const struct pb_carmen_line *l, struct pb_rec_few *out)
{
	struct pb_pose to;

	if (!c->rebased) {
		move(c, pb_pose_compose(l->robot, c->sits), l, out);
		return;
	}
	/* It goes on from a scan: its stamp is 0, or what memory held. */
	if ((l->t == 0 || l->t < c->base_t || !c->timed) && c->scan > 0 &&
	    same_pose(l->robot, c->base))
		return;
	to = pb_pose_into(c->base, l->robot);
	move(c, pb_pose_compose(c->base_o, to), l, out);
}

/* Where the wheels have brought the laser at this scan. */
static void
scan_odom(
    struct pb_carmen *c, const struct pb_carmen_line *l, struct pb_rec_few *out)
{
	struct pb_pose to = l->laser;

	if (c->rebased) {
		if (!c->moved)
			move(c, to, l, out);
		c->base = l->laser;
		c->base_t = l->t;
		c->base_o = c->odom;
		return;
	}
	if (c->corrected)
		to = pb_pose_compose(l->robot, c->sits);
	if (!c->moved || c->moved_t != time_of(c, l->t) ||
	    !same_pose(to, c->odom))
		move(c, to, l, out);
}

/*
 * Whether the largest range, which comes again and again, is no wall though the
 * log states a larger one: it is nearly that, or where the numbers of a SICK
 * end, which has 13 to 15 bits of millimetres or 13 of centimetres. Logs state
 * 80 m of scanners that were set to 8.
 */
static bool
is_no_wall(double top, double stated)
{
	static const double end[] = {8.191, 16.383, 32.767, 81.91};
	bool ends = top >= 0.98 * stated;

	for (size_t i = 0; i < sizeof(end) / sizeof(*end); i++)
		ends |= top > end[i] - TOP_WIDTH && top < end[i] + 0.001;
	return ends;
}

static void
add_scan(struct pb_carmen *c, const struct pb_carmen_line *l,
    struct pb_stamp at, struct pb_rec_few *out)
{
	double max = fmin(l->max, c->laser_max);
	bool guess = isinf(max) || is_no_wall(c->top, max);
	double none = guess ? fmin(max, c->no_return) : max;
	struct pb_rec_scan z = {.angle_min = l->angle_min,
	    .angle_increment = l->inc,
	    .range_min = NAN,
	    .range_max = isinf(none) ? NAN
	                 : guess     ? fmin(max, c->top)
	                             : max,
	    .range = c->range,
	    .n = l->n};

	for (size_t i = 0; i < l->n; i++)
		if (!(c->range[i] > 0 && c->range[i] < none))
			c->range[i] = NAN;
	pb_rec_add(out, PB_REC_SCAN, at)->scan = z;
	c->range = NULL; /* it is the record's now */
	c->cap = 0;
}

static void
convert_scan(
    struct pb_carmen *c, const struct pb_carmen_line *l, struct pb_rec_few *out)
{
	struct pb_stamp at = pb_stamp_at(time_of(c, l->t), BODY);
	struct pb_rec_pose p = {
	    .x = l->laser.x, .y = l->laser.y, .theta = l->laser.th};

	scan_odom(c, l, out);
	if (c->corrected) {
		PB_REC_SET(p.source, "truth");
		pb_rec_add(out, PB_REC_POSE, at)->pose = p;
	}
	add_scan(c, l, at, out);
	c->scan++;
}

bool
pb_carmen_convert(struct pb_carmen *c, const char *s, size_t n,
    struct pb_rec_few *out, struct pb_error *bad)
{
	struct pb_carmen_line l;

	if (!read_message(s, n, &l, &c->range, &c->cap, bad))
		return false;
	if (l.kind == PB_CARMEN_ODOM)
		convert_odom(c, &l, out);
	if (l.kind == PB_CARMEN_SCAN)
		convert_scan(c, &l, out);
	return true;
}
