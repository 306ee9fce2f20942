/* logfile.c - logs of other programs: CARMEN, comma-separated values, TUM. */
#include "io/file/logfile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/pool.h"
#include "io/stream/line.h"
#include "io/stream/text.h"
#include "pb/param.h"

/* --- CARMEN --- */

enum message_kind {
	MESSAGE_OTHER, /* ignored */
	MESSAGE_ODOM,
	MESSAGE_SCAN,
	MESSAGE_PARAM
};

struct message {
	enum message_kind kind;
	double t;             /* stamp of the message (s) */
	struct pb_pose robot; /* ODOM; second pose of a scan */
	struct pb_pose laser; /* first pose of a scan */
	double v, w;          /* ODOM: speed (m/s), turn rate (rad/s) */
	double angle_min;     /* scan (rad) */
	double inc;           /* scan: beam to beam (rad) */
	double max;           /* scan: largest range, INFINITY: not given (m) */
	size_t n;             /* scan: beams */
	char name[64];        /* PARAM */
	double value;         /* PARAM, NAN if it is no number */
};

/* The words of a line; once one is missing or wrong, none follow. */
struct words {
	const char *at, *end;
	const char *of; /* name of the message, for errors */
	long n;         /* words read */
	struct pb_error *bad;
	bool ok;
};

#define DEGREES(a) ((a) * (PB_PI / 180))

/* Read the next word of [*at, end), separated by blanks and tabs, cut to size
 * bytes; false: there is none. */
static bool
read_word(const char **at, const char *end, char *word, size_t size)
{
	const char *s = *at;
	size_t n = 0;

	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	for (; s < end && *s != ' ' && *s != '\t'; s++)
		if (n + 1 < size)
			word[n++] = *s;
	word[n] = '\0';
	*at = s;
	return n > 0;
}

static bool
next_word(struct words *w, char *out, size_t size)
{
	bool found = read_word(&w->at, w->end, out, size) && w->ok;

	w->n += found;
	return found;
}

static void
refuse_word(struct words *w, const char *what, const char *word)
{
	if (!w->ok)
		return;
	w->ok = false;
	if (word)
		pb_error_set(w->bad, "%s: word %ld: expected %s, got \"%.40s\"",
		    w->of, w->n, what, word);
	else
		pb_error_set(w->bad,
		    "%s: expected %s as word %ld, the line ends before it",
		    w->of, what, w->n + 1);
}

static double
read_number(struct words *w)
{
	char word[64];
	double v = NAN;

	if (!next_word(w, word, sizeof(word)))
		refuse_word(w, "a number", NULL);
	else if (!pb_num_parse(word, &v))
		refuse_word(w, "a number", word);
	return v;
}

/* Read a number that may be nan or inf; both become NAN. */
static double
read_nonfinite(struct words *w, const char *what)
{
	char word[64];
	double v = NAN;

	if (!next_word(w, word, sizeof(word)))
		refuse_word(w, what, NULL);
	else if (!pb_num_parse(word, &v) &&
		 strspn(word, "+-nNaAiIfF") != strlen(word))
		refuse_word(w, what, word);
	return v;
}

static struct pb_pose
read_pose(struct words *w)
{
	double x = read_number(w), y = read_number(w), th = read_number(w);

	return (struct pb_pose){x, y, w->ok ? pb_wrap(th) : 0};
}

/* Read the end of a message: stamp and host; the logger's own stamp is not
 * needed. */
static double
read_stamp(struct words *w)
{
	char host[2];
	double t = read_nonfinite(w, "a number");

	if (!next_word(w, host, sizeof(host)))
		refuse_word(w, "a host", NULL);
	return t;
}

static size_t
read_count(struct words *w)
{
	char word[64];
	int64_t n = 0;

	if (!next_word(w, word, sizeof(word)))
		refuse_word(w, "a number of ranges", NULL);
	else if (!pb_num_parse_int(word, &n) || n < 1 || n > PB_REC_BEAMS_MAX)
		refuse_word(w, "a number of ranges", word);
	return (size_t)n;
}

static void
read_ranges(struct words *w, size_t n, double **out, size_t *cap)
{
	if (w->ok && n > *cap) {
		*out = pb_resize(*out, n * sizeof(**out));
		*cap = n;
	}
	for (size_t i = 0; w->ok && i < n; i++)
		(*out)[i] = read_nonfinite(w, "a range");
}

/* FLASER has no angles. As in CARMEN: from -90 degrees, in steps of 1 degree
 * for 180 or 181 beams, 0.5 for 360 or 361; other numbers cover 180 degrees. */
static void
guess_angles(struct message *l)
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
read_flaser(struct words *w, struct message *l, double **out, size_t *cap)
{
	l->n = read_count(w);
	read_ranges(w, l->n, out, cap);
	l->laser = read_pose(w);
	l->robot = read_pose(w);
	l->t = read_stamp(w);
	l->max = INFINITY;
	guess_angles(l);
}

/*
 * ROBOTLASER1 type, first angle, field of view, increment, largest range,
 * accuracy, remission mode, n, r[n], m, remission[m], laser pose, robot pose,
 * speed, turn rate, three distances, stamp, host, stamp
 */
static void
read_robotlaser(struct words *w, struct message *l, double **out, size_t *cap)
{
	double m;

	read_number(w);
	l->angle_min = read_number(w);
	read_number(w);
	l->inc = read_number(w);
	l->max = read_number(w);
	read_number(w);
	read_number(w);
	l->n = read_count(w);
	read_ranges(w, l->n, out, cap);
	m = read_number(w);
	for (double i = 0; w->ok && i < m; i++)
		read_number(w);
	l->laser = read_pose(w);
	l->robot = read_pose(w);
	l->v = read_number(w);
	l->w = read_number(w);
	for (int i = 0; i < 3; i++)
		read_number(w);
	l->t = read_stamp(w);
}

static void
read_odom(struct words *w, struct message *l)
{
	l->robot = read_pose(w);
	l->v = read_number(w);
	l->w = read_number(w);
	read_number(w); /* acceleration, unused */
	l->t = read_stamp(w);
}

static void
read_param(struct words *w, struct message *l)
{
	char word[64];

	l->value = NAN;
	if (next_word(w, l->name, sizeof(l->name)) &&
	    next_word(w, word, sizeof(word)))
		pb_num_parse(word, &l->value);
}

/* Read a line; the ranges of a scan go to *range_out, which grows as needed and
 * holds *cap numbers. False with bad filled in: the message is incomplete. */
static bool
read_message(const char *s, size_t n, struct message *l, double **range_out,
    size_t *cap, struct pb_error *bad)
{
	char name[16];
	struct words w = {s, s + n, name, 0, bad, true};

	*l = (struct message){.kind = MESSAGE_OTHER};
	if (!next_word(&w, name, sizeof(name)))
		return true;
	if (strcmp(name, "ODOM") == 0) {
		l->kind = MESSAGE_ODOM;
		read_odom(&w, l);
	} else if (strcmp(name, "FLASER") == 0) {
		l->kind = MESSAGE_SCAN;
		read_flaser(&w, l, range_out, cap);
	} else if (strcmp(name, "ROBOTLASER1") == 0) {
		l->kind = MESSAGE_SCAN;
		read_robotlaser(&w, l, range_out, cap);
	} else if (strcmp(name, "PARAM") == 0) {
		l->kind = MESSAGE_PARAM;
		read_param(&w, l);
	}
	return w.ok;
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
		if (nl > s && *s != '#')
			return pb_carmen_is(s, (size_t)(nl - s));
	}
	return false;
}

#define BODY "robot"

/* Ranges this near to the largest also mean "no return" (m). */
#define TOP_WIDTH 0.1

/* Rounding of logs: poses of a laser fixed on its robot differ by less (m,
 * rad). */
#define SITS_STILL 2e-3

/* Counts of a pass through the log. */
struct survey {
	struct pb_carmen *c;
	double top[3]; /* the three largest ranges, in order */
	double *t;     /* stamps of scans, owned */
	size_t cap;
	bool any_stamp;    /* t0 is set */
	long odoms, since; /* ODOM lines: all, and since the last scan */
	long fed;          /* scans with an ODOM line before them */
	long repeats;      /* scans whose pose the next ODOM line repeats */
	long marked;       /* ... with 0 as its stamp */
	bool waits;        /* no ODOM line since the last scan */
	bool apart;        /* the two poses of scans are not a fixed laser's */
	struct pb_pose scan;     /* first pose of the last scan */
	struct pb_pose sits;     /* laser on the robot, by the first scan */
	struct pb_pose robot[2]; /* second poses of the first and last scan */
};

static bool
is_same_pose(struct pb_pose a, struct pb_pose b)
{
	return a.x == b.x && a.y == b.y && a.th == b.th;
}

static bool
is_near_pose(struct pb_pose a, struct pb_pose b)
{
	return fabs(a.x - b.x) < SITS_STILL && fabs(a.y - b.y) < SITS_STILL &&
	       fabs(pb_wrap(a.th - b.th)) < SITS_STILL;
}

static void
keep_longest_ranges(struct survey *s, const double *range, size_t n)
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
count_scan(struct survey *s, const struct message *l, const double *range)
{
	struct pb_pose sits = pb_pose_into(l->robot, l->laser);

	if (!pb_grow(&s->t, (size_t)s->c->scans, &s->cap, sizeof(*s->t)))
		pb_msg_end_memory();
	s->t[s->c->scans] = l->t;
	if (s->c->scans++ == 0) {
		s->sits = sits;
		s->robot[0] = l->robot;
	}
	s->robot[1] = l->robot;
	s->apart |= !is_near_pose(sits, s->sits);
	s->fed += s->since > 0;
	s->since = 0;
	s->waits = true;
	s->scan = l->laser;
	keep_longest_ranges(s, range, l->n);
}

static void
count_odom(struct survey *s, const struct message *l)
{
	bool repeat = s->waits && is_same_pose(l->robot, s->scan);

	s->repeats += repeat;
	s->marked += repeat && l->t == 0;
	s->odoms++;
	s->since += !repeat;
	s->waits = false;
	s->c->speeds |= l->v != 0 || l->w != 0;
}

static void
note_param(struct pb_carmen *c, const struct message *l)
{
	if (strcmp(l->name, "robot_frontlaser_offset") == 0 &&
	    isfinite(l->value))
		c->sits.x = l->value;
	if (strcmp(l->name, "robot_front_laser_max") == 0 && l->value > 0)
		c->laser_max = l->value;
}

static void
count_line(struct survey *s, const char *at, size_t n)
{
	struct message l;
	struct pb_error bad = {.text = ""};

	if (!read_message(at, n, &l, &s->c->range, &s->c->cap, &bad))
		return;
	if (l.kind == MESSAGE_PARAM) {
		note_param(s->c, &l);
		return;
	}
	if (l.kind == MESSAGE_OTHER)
		return;
	if (!s->any_stamp && l.t != 0 && isfinite(l.t)) {
		s->any_stamp = true;
		s->c->t0 = l.t;
	}
	if (l.kind == MESSAGE_SCAN)
		count_scan(s, &l, s->c->range);
	else
		count_odom(s, &l);
}

/* Derive the conventions of the log from the counts. */
static void
find_conventions(const struct survey *s)
{
	struct pb_carmen *c = s->c;
	bool still = is_near_pose(s->robot[0], s->robot[1]);

	c->rebased = c->scans > 1 && !s->apart &&
	             (s->marked > 0 || s->repeats >= c->scans - 1);
	c->corrected = c->rebased || s->apart;
	if (!c->corrected && c->scans > 0)
		c->sits = s->sits;
	/* Use odometry only if most scans have a step of the wheels. */
	if (c->rebased)
		c->odometry = 2 * s->fed > c->scans;
	else
		c->odometry = c->scans > 0 ? !s->apart || !still : s->odoms > 0;
	if (pb_stamps_check(
		s->t, sizeof(*s->t), (size_t)c->scans, &c->stamps) != PB_OK)
		pb_msg_end_memory();
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
		count_line(&y, s, (size_t)(nl - s));
		s = nl < end ? nl + 1 : end;
	}
	find_conventions(&y);
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
convert_time(const struct pb_carmen *c, double t)
{
	return c->timed ? t - c->t0 : (double)c->scan;
}

/* Move to `to`, in the odometry frame without jumps. */
static void
move_odometry(struct pb_carmen *c, struct pb_pose to, const struct message *l,
    struct pb_rec_few *out)
{
	bool speeds = c->speeds && l->kind == MESSAGE_ODOM;
	struct pb_rec_odom d = {
	    to.x, to.y, to.th, speeds ? l->v : NAN, speeds ? l->w : NAN};

	c->odom = to;
	if (!c->odometry)
		return;
	c->moved = true;
	c->moved_t = convert_time(c, l->t);
	pb_rec_add(out, PB_REC_ODOM, pb_stamp_at(c->moved_t, BODY))->odom = d;
}

static void
convert_odom(
    struct pb_carmen *c, const struct message *l, struct pb_rec_few *out)
{
	struct pb_pose to;

	if (!c->rebased) {
		move_odometry(c, pb_pose_compose(l->robot, c->sits), l, out);
		return;
	}
	/* The line continues from a scan's pose: its stamp is 0, or
	 * arbitrary. */
	if ((l->t == 0 || l->t < c->base_t || !c->timed) && c->scan > 0 &&
	    is_same_pose(l->robot, c->base))
		return;
	to = pb_pose_into(c->base, l->robot);
	move_odometry(c, pb_pose_compose(c->base_o, to), l, out);
}

/* Add the odometry of the laser at this scan. */
static void
add_scan_odom(
    struct pb_carmen *c, const struct message *l, struct pb_rec_few *out)
{
	struct pb_pose to = l->laser;

	if (c->rebased) {
		if (!c->moved)
			move_odometry(c, to, l, out);
		c->base = l->laser;
		c->base_t = l->t;
		c->base_o = c->odom;
		return;
	}
	if (c->corrected)
		to = pb_pose_compose(l->robot, c->sits);
	if (!c->moved || c->moved_t != convert_time(c, l->t) ||
	    !is_same_pose(to, c->odom))
		move_odometry(c, to, l, out);
}

/*
 * Whether the most frequent largest range means "no return" although the log
 * states a larger limit: it is close to that limit, or at the end of a SICK's
 * numbers (13 to 15 bits of millimetres, or 13 of centimetres). Logs state 80 m
 * for scanners that were set to 8 m.
 */
static bool
is_no_return(double top, double stated)
{
	static const double end[] = {8.191, 16.383, 32.767, 81.91};
	bool ends = top >= 0.98 * stated;

	for (size_t i = 0; i < sizeof(end) / sizeof(*end); i++)
		ends |= top > end[i] - TOP_WIDTH && top < end[i] + 0.001;
	return ends;
}

static void
add_scan(struct pb_carmen *c, const struct message *l, struct pb_stamp at,
    struct pb_rec_few *out)
{
	double max = fmin(l->max, c->laser_max);
	bool guess = isinf(max) || is_no_return(c->top, max);
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
	c->range = NULL; /* owned by the record now */
	c->cap = 0;
}

static void
convert_scan(
    struct pb_carmen *c, const struct message *l, struct pb_rec_few *out)
{
	struct pb_stamp at = pb_stamp_at(convert_time(c, l->t), BODY);
	struct pb_rec_pose p = {
	    .x = l->laser.x, .y = l->laser.y, .theta = l->laser.th};

	add_scan_odom(c, l, out);
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
	struct message l;

	if (!read_message(s, n, &l, &c->range, &c->cap, bad))
		return false;
	if (l.kind == MESSAGE_ODOM)
		convert_odom(c, &l, out);
	if (l.kind == MESSAGE_SCAN)
		convert_scan(c, &l, out);
	return true;
}

/* --- comma-separated values --- */

/* Bytes of a value or name; a longer one is cut, and so is invalid. */
#define VALUE 80

/*
 * Read the next value into out, without blanks around it.
 *
 * Returns  false at the end of the line
 */
static bool
read_value(const char **at, const char *end, char out[VALUE])
{
	static const char blanks[] = " \t\r";
	const char *s = *at, *stop;
	size_t n;

	if (s > end)
		return false;
	stop = memchr(s, ',', (size_t)(end - s));
	stop = stop ? stop : end;
	*at = stop + 1; /* behind the last value: beyond end */
	while (s < stop && strchr(blanks, *s))
		s++;
	while (stop > s && strchr(blanks, stop[-1]))
		stop--;
	n = (size_t)(stop - s) < VALUE ? (size_t)(stop - s) : VALUE - 1;
	memcpy(out, s, n);
	out[n] = '\0';
	return true;
}

/* The field with that column name, PB_CSV_FIELDS: none. */
static int
find_field(const char *name)
{
	static const char *const names[PB_CSV_FIELDS] = {[PB_CSV_X] = "x",
	    [PB_CSV_Y] = "y",
	    [PB_CSV_THETA] = "theta|theta_rad",
	    [PB_CSV_T] = "t|elapsed_time_sec",
	    [PB_CSV_XX] = "cov_xx",
	    [PB_CSV_XY] = "cov_xy",
	    [PB_CSV_YY] = "cov_yy",
	    [PB_CSV_TT] = "cov_yawyaw"};
	int i = 0;

	while (
	    i < PB_CSV_FIELDS && pb_word_find(names[i], name, strlen(name)) < 0)
		i++;
	return i;
}

bool
pb_csv_is(struct pb_csv *c, const char *s, size_t n)
{
	const char *end = s + n;
	char value[VALUE];
	struct pb_csv got = {.columns = 0};
	int known = 0;

	while (read_value(&s, end, value)) {
		int i = find_field(value);

		got.columns++;
		if (i == PB_CSV_FIELDS || got.at[i] > 0)
			continue;
		got.at[i] = got.columns;
		known++;
	}
	if (known < 2)
		return false;
	*c = got;
	return true;
}

/* Check that c has the columns of a pose; otherwise it gets no columns. */
static bool
check_header(struct pb_csv *c, struct pb_error *bad)
{
	int columns = c->columns;

	if (c->at[PB_CSV_X] > 0 && c->at[PB_CSV_Y] > 0)
		return true;
	c->columns = 0;
	return pb_error_set(bad, "expected columns x and y, got %s of %d",
	    c->at[PB_CSV_X] > 0   ? "no y"
	    : c->at[PB_CSV_Y] > 0 ? "no x"
				  : "neither",
	    columns);
}

/* Read the values of a row, NAN where there is none. */
static bool
read_row(const struct pb_csv *c, const char *s, size_t n, double *v,
    struct pb_error *bad)
{
	static const char *const name[PB_CSV_FIELDS] = {
	    "x", "y", "theta", "t", "cov", "cov", "cov", "cov"};
	const char *end = s + n;
	char value[VALUE];
	int k = 0;

	for (int i = 0; i < PB_CSV_FIELDS; i++)
		v[i] = NAN;
	while (read_value(&s, end, value)) {
		k++;
		for (int i = 0; i < PB_CSV_FIELDS; i++) {
			bool none = *value == '\0' || strcmp(value, "nan") == 0;

			if (c->at[i] == k && !(none && i > PB_CSV_Y) &&
			    !pb_num_parse(value, &v[i]))
				return pb_error_set(bad,
				    "column %d, %s: expected a number, got "
				    "\"%.40s\"",
				    k, name[i], value);
		}
	}
	return k == c->columns ||
	       pb_error_set(bad, "expected %d columns, got %d", c->columns, k);
}

static void
add_row(const double *v, struct pb_rec_few *out)
{
	struct pb_rec_pose p = {.x = v[PB_CSV_X], .y = v[PB_CSV_Y]};
	double xy = isfinite(v[PB_CSV_XY]) ? v[PB_CSV_XY] : 0;

	p.no_theta = !isfinite(v[PB_CSV_THETA]);
	if (!p.no_theta)
		p.theta = pb_wrap(v[PB_CSV_THETA]);
	p.has_cov = isfinite(v[PB_CSV_XX]) && isfinite(v[PB_CSV_YY]) &&
	            isfinite(v[PB_CSV_TT]);
	if (p.has_cov) {
		p.cov[0][0] = v[PB_CSV_XX];
		p.cov[0][1] = p.cov[1][0] = xy;
		p.cov[1][1] = v[PB_CSV_YY];
		p.cov[2][2] = v[PB_CSV_TT];
	}
	pb_rec_add(out, PB_REC_POSE, pb_stamp_at(v[PB_CSV_T], "robot"))->pose =
	    p;
}

bool
pb_csv_convert(struct pb_csv *c, const char *s, size_t n,
    struct pb_rec_few *out, struct pb_error *bad)
{
	double v[PB_CSV_FIELDS];

	if (!c->begun) {
		c->begun = true;
		return check_header(c, bad);
	}
	if (c->columns == 0 || strspn(s, " \t\r") >= n || *s == '#')
		return true;
	if (!read_row(c, s, n, v, bad))
		return false;
	add_row(v, out);
	return true;
}

/* --- TUM --- */

/* The numbers of a line. */
enum { T, X, Y, Z, QX, QY, QZ, QW, NUMBERS };

void
pb_tum_put(struct pb_text *o, double t, struct pb_pose p)
{
	pb_text_num(o, t);
	pb_text_put(o, " ", 1);
	pb_text_num(o, p.x);
	pb_text_put(o, " ", 1);
	pb_text_num(o, p.y);
	pb_text_puts(o, " 0 0 0 ");
	pb_text_exact(o, pb_sin(p.th / 2));
	pb_text_put(o, " ", 1);
	pb_text_exact(o, pb_cos(p.th / 2));
	pb_text_line(o);
}

/* Read the numbers of a line up to a word that is none; returns how many, 9:
 * too many. */
static int
read_tum(const char *s, size_t n, double *v)
{
	const char *end = s + n;
	char word[64];
	int k = 0;

	while (read_word(&s, end, word, sizeof(word))) {
		if (k == NUMBERS)
			return NUMBERS + 1;
		if (!pb_num_parse(word, &v[k]))
			return k;
		k++;
	}
	return k;
}

bool
pb_tum_is(const char *s, size_t n)
{
	double v[NUMBERS];

	return read_tum(s, n, v) == NUMBERS;
}

bool
pb_tum_convert(
    const char *s, size_t n, struct pb_rec_few *out, struct pb_error *bad)
{
	struct pb_rec_pose p = {.has_cov = false};
	double v[NUMBERS];
	int k;

	if (n == 0 || *s == '#')
		return true;
	k = read_tum(s, n, v);
	if (k < NUMBERS)
		return pb_error_set(bad,
		    "expected 8 numbers, t x y z qx qy qz qw; word %d is none",
		    k + 1);
	if (k > NUMBERS)
		return pb_error_set(
		    bad, "expected 8 numbers, t x y z qx qy qz qw, got more");
	p.x = v[X];
	p.y = v[Y];
	p.theta = pb_yaw(v[QX], v[QY], v[QZ], v[QW]);
	pb_rec_add(out, PB_REC_POSE, pb_stamp_at(v[T], "robot"))->pose = p;
	return true;
}

/* --- relations, stamps --- */

/* The numbers of a relation. */
enum { T1, T2, DX, DY, DZ, ROLL, PITCH, YAW };

static bool
add_relation(
    const char *s, size_t n, struct pb_relation_list *out, struct pb_error *bad)
{
	double v[NUMBERS];

	if (n == 0 || *s == '#')
		return true;
	if (read_tum(s, n, v) != NUMBERS)
		return pb_error_set(bad,
		    "expected a relation, 8 numbers: t1 t2 x y z roll pitch "
		    "yaw");
	if (v[DZ] != 0 || v[ROLL] != 0 || v[PITCH] != 0)
		return pb_error_set(bad,
		    "relation: expected z, roll and pitch 0, got %g %g %g",
		    v[DZ], v[ROLL], v[PITCH]);
	if (!pb_grow(&out->at, out->n, &out->cap, sizeof(*out->at)))
		pb_msg_end_memory();
	out->at[out->n++] =
	    (struct pb_relation){v[T1], v[T2], {v[DX], v[DY], pb_wrap(v[YAW])}};
	return true;
}

bool
pb_relations_read(const char *name, struct pb_relation_list *out)
{
	char *files[] = {(char *)name};
	struct pb_lines *in = pb_lines_new(files, 1);
	enum pb_next got = PB_NEXT;
	struct pb_error bad;
	struct pb_line l;
	bool ok = true;

	while (ok && (got = pb_lines_next(in, &l, &bad)) != PB_END &&
	       got != PB_HALT)
		if (got != PB_NEXT || !add_relation(l.text, l.len, out, &bad))
			ok = pb_msg_error_at(l.at, &bad);
	pb_lines_free(in);
	if (ok && got == PB_END && out->n == 0)
		ok = pb_msg_refuse(
		    (struct pb_place){name, 0}, "expected relations, got none");
	return ok && got != PB_HALT;
}

const char *
pb_stamps_text(const struct pb_stamps *s, char *out, size_t size)
{
	char again[48] = "", back[80] = "", missing[48] = "", ahead[48] = "";

	if (s->repeated > 0)
		snprintf(again, sizeof(again), ", %zu come again", s->repeated);
	if (s->back > 0)
		snprintf(back, sizeof(back), ", %zu go back by up to %g s",
		    s->back, s->late);
	if (s->missing > 0)
		snprintf(
		    missing, sizeof(missing), ", %zu are missing", s->missing);
	if (s->jump > 0)
		snprintf(
		    ahead, sizeof(ahead), ", one jumps ahead by %g s", s->jump);
	snprintf(out, size, "of %zu stamps of scans%s%s%s%s", s->n, again, back,
	    missing, ahead);
	return out;
}

/* The range that means "no return" beside range_max: some drivers write one far
 * number. NAN: none. */
static double
find_no_return(const struct pb_scan *s)
{
	double most = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (isfinite(s->range[i]) && s->range[i] >= most) {
			n = s->range[i] > most ? 1 : n + 1;
			most = s->range[i];
		}
	return most >= PB_SCAN_FAR && n > 1 ? most : NAN;
}

/* Count the beams with a range of `least` or more (m). */
static size_t
count_returns(const struct pb_scan *s, double least)
{
	double none = find_no_return(s);
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		double r = s->range[i];

		n += isfinite(r) && r > 0 && r >= least && r != none &&
		     fabs(r - s->range_max) > 1e-3 * r;
	}
	return n;
}

size_t
pb_scan_seen(const struct pb_scan *s)
{
	return count_returns(s, 0);
}

/* Greater angles cannot be radians; some scanners cover a little more than a
 * turn. */
#define ANGLE_MOST (3 * PB_PI)

const char *
pb_scan_odd(const struct pb_scan *s, struct pb_error *why)
{
	double span = s->n > 0 ? s->inc * (double)(s->n - 1) : 0;
	size_t seen = pb_scan_seen(s), far = count_returns(s, PB_SCAN_FAR);

	if (far > seen / 2) {
		pb_error_set(why,
		    "scan.ranges: %zu of %zu are %d m and more, expected are "
		    "metres; divide by 1000 if these are millimetres, by 100 "
		    "if centimetres",
		    far, seen, PB_SCAN_FAR);
		return "millimetres";
	}
	if (s->n > 1 && span == 0) {
		pb_error_set(why,
		    "scan.angle_increment: 0 turns all %zu beams one way; "
		    "write (angle_max - angle_min) / (beams - 1)",
		    s->n);
		return "increment";
	}
	if (fabs(span) <= ANGLE_MOST && fabs(s->angle_min) <= ANGLE_MOST)
		return NULL;
	pb_error_set(why,
	    "scan.angle_increment: %zu beams of %g from %g on are more than "
	    "a turn, expected are radians; multiply by pi/180 if these are "
	    "degrees",
	    s->n, s->inc, s->angle_min);
	return "degrees";
}
