/* carmen_line.c - one message of a CARMEN log. */
#include "io/log/carmen_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/log/carmen.h"
#include "io/rec/type.h"
#include "io/stream/num.h"

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
	const char *from;
	size_t n;

	while (w->at < w->end && (*w->at == ' ' || *w->at == '\t'))
		w->at++;
	for (from = w->at; w->at < w->end && *w->at != ' ' && *w->at != '\t';)
		w->at++;
	if (!w->ok || w->at == from)
		return false;
	w->n++;
	n = (size_t)(w->at - from) < size ? (size_t)(w->at - from) : size - 1;
	memcpy(out, from, n);
	out[n] = '\0';
	return true;
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

bool
pb_carmen_read(const char *s, size_t n, struct pb_carmen_line *l,
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
	static const char *const known[] = {"PARAM", "SYNC", "ODOM", "FLASER",
	    "RLASER", "TRUEPOS", "NEFF", "ROBOTLASER1", "ROBOTLASER2",
	    "RAWLASER1", "RAWLASER2", "LASER_POS", "GPS", NULL};

	for (int i = 0; known[i]; i++) {
		size_t len = strlen(known[i]);

		if (n > len && memcmp(s, known[i], len) == 0 && s[len] == ' ')
			return true;
	}
	return false;
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
