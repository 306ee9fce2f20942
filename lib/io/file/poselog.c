/* poselog.c - poses that other programs wrote, as values or in TUM's lines. */
#include "io/file/poselog.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/grow.h"
#include "io/stream/line.h"
#include "io/stream/num.h"
#include "pb/param.h"

/* A value or name that is longer is cut, and then is none. */
#define VALUE 80

/* Stamps without a unit from here on count nanoseconds: 1e15 s are no time. */
#define NANOSECONDS 1e15

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/*
 * The next value into out, without quotes and blanks about it.
 *
 * Returns  false at the end of the line
 */
static bool
next_value(const char **at, const char *end, char sep, char out[VALUE])
{
	const char *s = *at;
	bool quoted = false;
	size_t n = 0;

	if (s > end)
		return false;
	while (s < end && is_blank(*s) && *s != sep)
		s++;
	for (; s < end && (quoted || *s != sep); s++) {
		bool quote = *s == '"';

		if (quote && quoted && s + 1 < end && s[1] == '"')
			s++; /* a quote in a quoted value */
		else if (quote) {
			quoted = !quoted;
			continue;
		}
		if (n + 1 < VALUE)
			out[n++] = *s;
	}
	while (n > 0 && is_blank(out[n - 1]))
		n--;
	out[n] = '\0';
	*at = s + 1; /* beyond the end behind the last value */
	return true;
}

static int
count(const char *s, size_t n, char sep)
{
	const char *end = s + n;
	char value[VALUE];
	int k = 0;

	while (next_value(&s, end, sep, value))
		k++;
	return k;
}

/* A name as words of small letters and digits, the last one first. */
#define WORDS 8
struct name {
	char text[VALUE];
	const char *word[WORDS]; /* from the last on, "" where there is none */
	int n;
};

static void
split(struct name *w, const char *s)
{
	size_t n = 0;

	*w = (struct name){.n = 0};
	for (int i = 0; i < WORDS; i++)
		w->word[i] = "";
	for (; *s != '\0'; s++) {
		char c = *s;

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		w->text[n++] =
		    (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '\0';
	}
	while (n-- > 0 && w->n < WORDS)
		if (w->text[n] != '\0' && (n == 0 || w->text[n - 1] == '\0'))
			w->word[w->n++] = w->text + n;
}

/* Whether word is one of a list of words, with | between. */
static bool
is_one(const char *word, const char *list)
{
	return pb_word_find(list, word, strlen(word)) >= 0;
}

static bool
has_one(const struct name *w, const char *list)
{
	for (int i = 0; i < w->n; i++)
		if (is_one(w->word[i], list))
			return true;
	return false;
}

enum quantity { NONE, LENGTH, ANGLE, TIME };

/* The unit that a name ends in, which is taken off; 1 without one. */
static double
take_unit(struct name *w, enum quantity *q)
{
	static const struct {
		const char *name;
		enum quantity q;
		double scale;
	} unit[] = {{"m", LENGTH, 1}, {"meter", LENGTH, 1},
	    {"meters", LENGTH, 1}, {"metres", LENGTH, 1}, {"cm", LENGTH, 0.01},
	    {"mm", LENGTH, 0.001}, {"rad", ANGLE, 1}, {"radians", ANGLE, 1},
	    {"deg", ANGLE, PB_PI / 180}, {"degrees", ANGLE, PB_PI / 180},
	    {"s", TIME, 1}, {"sec", TIME, 1}, {"secs", TIME, 1},
	    {"seconds", TIME, 1}, {"ms", TIME, 1e-3}, {"msec", TIME, 1e-3},
	    {"us", TIME, 1e-6}, {"usec", TIME, 1e-6}, {"ns", TIME, 1e-9},
	    {"nsec", TIME, 1e-9}, {"nsecs", TIME, 1e-9},
	    {"nanosec", TIME, 1e-9}, {"nanosecs", TIME, 1e-9},
	    {"nanoseconds", TIME, 1e-9}};

	*q = NONE;
	for (size_t i = 0; i < sizeof(unit) / sizeof(*unit); i++) {
		if (w->n == 0 || strcmp(w->word[0], unit[i].name) != 0)
			continue;
		memmove(w->word, w->word + 1, (WORDS - 1) * sizeof(*w->word));
		w->word[WORDS - 1] = "";
		w->n--;
		*q = unit[i].q;
		return unit[i].scale;
	}
	return 0;
}

static const char covs[] = "cov|covariance|var";
static const char turns[] = "orientation|q|quat|quaternion|rot|rotation";
static const char others[] = "linear|angular|twist|vel|velocity|v|acc|accel|"
			     "goal|target|std|sigma|error|err|odom";
static const char places[] = "position|pos|pose|p|translation|point";

static void
fit(struct pb_csv *c, enum pb_csv_field f, int column, int rank, double scale)
{
	if (rank == c->field[f].rank && c->field[f].at > 0)
		c->field[f].twin = column;
	if (rank <= c->field[f].rank)
		return;
	c->field[f].at = column;
	c->field[f].rank = rank;
	c->field[f].twin = 0;
	c->field[f].scale = scale;
}

/* cov_xx, var_x, covariance_yaw_yaw; numbers are those of a 6 x 6 array. */
static void
fit_cov(struct pb_csv *c, const struct name *w, int column)
{
	static const struct {
		const char *name;
		enum pb_csv_field f;
	} known[] = {{"xx", PB_CSV_XX}, {"x", PB_CSV_XX}, {"xy", PB_CSV_XY},
	    {"yx", PB_CSV_XY}, {"yy", PB_CSV_YY}, {"y", PB_CSV_YY},
	    {"yawyaw", PB_CSV_TT}, {"yaw", PB_CSV_TT}, {"tt", PB_CSV_TT},
	    {"thth", PB_CSV_TT}, {"theta", PB_CSV_TT},
	    {"thetatheta", PB_CSV_TT}, {"xyaw", PB_CSV_XT}, {"xt", PB_CSV_XT},
	    {"xtheta", PB_CSV_XT}, {"yyaw", PB_CSV_YT}, {"yt", PB_CSV_YT},
	    {"ytheta", PB_CSV_YT}, {"0", PB_CSV_XX}, {"1", PB_CSV_XY},
	    {"5", PB_CSV_XT}, {"7", PB_CSV_YY}, {"11", PB_CSV_YT},
	    {"35", PB_CSV_TT}};
	char rest[VALUE] = "";
	int from = 0;

	while (from < w->n && !is_one(w->word[from], covs))
		from++;
	for (int i = from - 1; i >= 0; i--)
		strcat(rest, w->word[i]); /* parts of a name of VALUE bytes */
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(rest, known[i].name) == 0)
			fit(c, known[i].f, column, 1, 1);
}

static void
fit_time(struct pb_csv *c, const struct name *w, int column, enum quantity q,
    double scale)
{
	int rank = has_one(w, "elapsed")                   ? 3
	           : is_one(w->word[0], "time|t")          ? 2
	           : is_one(w->word[0], "timestamp|stamp") ? 1
	                                                   : 0;

	if (rank == 0 || (q != NONE && q != TIME))
		return;
	/* A stamp in two parts. */
	if (rank == 1 && scale == 1e-9)
		fit(c, PB_CSV_NANO, column, 1, scale);
	else
		fit(c, PB_CSV_T, column, rank, scale);
}

/* See what the column of that name is. */
static void
fit_name(struct pb_csv *c, const char *text, int column)
{
	static const char *const axis[] = {"x", "y", "z", "w"};
	static const char *const q[] = {"qx", "qy", "qz", "qw"};
	struct name w;
	enum quantity kind;
	double scale;
	int rank;

	split(&w, text);
	if (has_one(&w, covs) || strncmp(w.word[0], "covariance", 10) == 0) {
		if (strncmp(w.word[0], "covariance", 10) == 0 &&
		    w.word[0][10] != '\0') { /* covariance35 */
			memmove(
			    w.word + 1, w.word, (WORDS - 1) * sizeof(*w.word));
			w.word[0] += 10;
			w.word[1] = "cov";
			w.n += w.n < WORDS;
		}
		fit_cov(c, &w, column);
		return;
	}
	scale = take_unit(&w, &kind);
	fit_time(c, &w, column, kind, scale);
	if (has_one(&w, others))
		return;
	rank = w.n == 1 ? 6 : has_one(&w, places) ? 4 : 2;
	for (int i = 0; i < 4; i++) {
		bool part = strcmp(w.word[0], axis[i]) == 0;

		if (strcmp(w.word[0], q[i]) == 0 ||
		    (part && has_one(&w, turns)))
			fit(c, (enum pb_csv_field)(PB_CSV_QX + i), column, rank,
			    1);
		else if (part && i < 2 && (kind == NONE || kind == LENGTH))
			fit(c, i == 0 ? PB_CSV_X : PB_CSV_Y, column, rank,
			    scale);
	}
	if (is_one(w.word[0], "theta|yaw|heading|th") &&
	    (kind == NONE || kind == ANGLE))
		fit(c, PB_CSV_THETA, column, rank + (scale == 0 || scale == 1),
		    scale);
}

bool
pb_csv_is(struct pb_csv *c, const char *s, size_t n)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
	const char *end = s + n, *at;
	char value[VALUE];
	struct pb_csv got = {.sep = '\0'};
	int known = 0;

	if (n >= 3 && memcmp(s, mark, 3) == 0)
		s += 3;
	while (s < end && (is_blank(*s) || *s == '#' || *s == '%'))
		s++;
	if (s == end || *s == '{' || *s == '[')
		return false;
	for (at = s; at < end && got.sep == '\0'; at++)
		if (*at == ',' || *at == ';' || *at == '\t')
			got.sep = *at;
	if (got.sep == '\0')
		return false;
	while (next_value(&s, end, got.sep, value)) {
		double v;

		if (pb_num_parse(value, &v))
			return false;
		fit_name(&got, value, ++got.columns);
	}
	for (int i = 0; i < PB_CSV_FIELDS; i++)
		known += got.field[i].at > 0;
	if (known < 2)
		return false;
	*c = got;
	return true;
}

bool
pb_csv_fits(const struct pb_csv *c, const char *s, size_t n)
{
	return c->columns > 0 && count(s, n, c->sep) == c->columns;
}

/* Whether c has all that a pose needs; if not it has no columns. */
static bool
check(struct pb_csv *c, struct pb_error *bad)
{
	static const struct {
		enum pb_csv_field f;
		const char *name;
	} one[] = {{PB_CSV_X, "x"}, {PB_CSV_Y, "y"}, {PB_CSV_THETA, "theta"}};

	for (int i = 0; i < 3; i++) {
		int at = c->field[one[i].f].at, twin = c->field[one[i].f].twin;

		if (at == 0 && i < 2)
			pb_error_set(bad,
			    "expected a column %s, pos_%s or \"%s [m]\", "
			    "got none of %d columns",
			    one[i].name, one[i].name, one[i].name, c->columns);
		else if (twin > 0)
			pb_error_set(bad,
			    "column %d: expected one column %s, column %d may "
			    "be it too",
			    twin, one[i].name, at);
		else
			continue;
		c->columns = 0;
		return false;
	}
	return true;
}

/* The values of a row, NAN where there is none. */
static bool
read_row(const struct pb_csv *c, const char *s, size_t n, double *v,
    struct pb_error *bad)
{
	static const char *const name[PB_CSV_FIELDS] = {"x", "y", "theta", "qx",
	    "qy", "qz", "qw", "t", "t", "cov", "cov", "cov", "cov", "cov",
	    "cov"};
	const char *end = s + n;
	char value[VALUE];

	for (int i = 0; i < PB_CSV_FIELDS; i++)
		v[i] = NAN;
	for (int k = 1; next_value(&s, end, c->sep, value); k++)
		for (int i = 0; i < PB_CSV_FIELDS; i++) {
			double unit = c->field[i].scale;
			bool none =
			    *value == '\0' ||
			    strspn(value, "+-nNaAiIfF") == strlen(value);

			if (c->field[i].at != k || (none && i > PB_CSV_Y) ||
			    (i == PB_CSV_NANO && c->field[PB_CSV_T].rank > 1))
				continue;
			if (!pb_num_parse(value, &v[i]))
				return pb_error_set(bad,
				    "column %d, %s: expected a number, got "
				    "\"%.40s\"",
				    k, name[i], value);
			if (i == PB_CSV_T && unit == 0)
				unit = fabs(v[i]) >= NANOSECONDS ? 1e-9 : 1;
			v[i] *= unit == 0 ? 1 : unit;
		}
	return true;
}

static void
add_row(const double *v, struct pb_rec_few *out)
{
	struct pb_rec_pose p = {.x = v[PB_CSV_X], .y = v[PB_CSV_Y]};
	double t = v[PB_CSV_T];

	/* A quaternion of a turn in the plane needs no more than z and w. */
	if (isfinite(v[PB_CSV_THETA]))
		p.theta = pb_wrap(v[PB_CSV_THETA]);
	else if (isfinite(v[PB_CSV_QZ]) && isfinite(v[PB_CSV_QW]))
		p.theta = pb_yaw(isfinite(v[PB_CSV_QX]) ? v[PB_CSV_QX] : 0,
		    isfinite(v[PB_CSV_QY]) ? v[PB_CSV_QY] : 0, v[PB_CSV_QZ],
		    v[PB_CSV_QW]);
	else
		p.no_theta = true;
	if (isfinite(v[PB_CSV_NANO]))
		t = (isfinite(t) ? t : 0) + v[PB_CSV_NANO];
	p.has_cov = isfinite(v[PB_CSV_XX]) && isfinite(v[PB_CSV_YY]) &&
	            isfinite(v[PB_CSV_TT]);
	for (int i = 0, f = PB_CSV_XX; p.has_cov && i < 3; i++)
		for (int k = i; k < 3; k++, f++)
			p.cov[i][k] = p.cov[k][i] = isfinite(v[f]) ? v[f] : 0;
	pb_rec_add(out, PB_REC_POSE, pb_stamp_at(t, "robot"))->pose = p;
}

bool
pb_csv_convert(struct pb_csv *c, const char *s, size_t n,
    struct pb_rec_few *out, struct pb_error *bad)
{
	double v[PB_CSV_FIELDS];
	bool header = c->header, seen = c->seen;
	int have;

	c->header = false;
	c->seen = true;
	if (!seen && !check(c, bad))
		return false;
	if (header || c->columns == 0 || strspn(s, " \t\r") >= n || *s == '#')
		return true;
	have = count(s, n, c->sep);
	if (have != c->columns)
		return pb_error_set(
		    bad, "expected %d columns, got %d", c->columns, have);
	if (!read_row(c, s, n, v, bad))
		return false;
	add_row(v, out);
	return true;
}

/* The numbers of a line of TUM. */
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

/* How many numbers a line has before a word that is none; 9: too many. */
static int
tum_numbers(const char *s, size_t n, double *v)
{
	const char *end = s + n;
	char word[64];
	int k = 0;

	while (pb_text_word(&s, end, word, sizeof(word))) {
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

	return tum_numbers(s, n, v) == NUMBERS;
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
	k = tum_numbers(s, n, v);
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

/* The numbers of a relation. */
enum { T1, T2, DX, DY, DZ, ROLL, PITCH, YAW };

static bool
add_relation(
    const char *s, size_t n, struct pb_relation_list *out, struct pb_error *bad)
{
	double v[NUMBERS];

	if (n == 0 || *s == '#')
		return true;
	if (tum_numbers(s, n, v) != NUMBERS)
		return pb_error_set(bad,
		    "expected a relation, 8 numbers: t1 t2 x y z roll pitch "
		    "yaw");
	if (v[DZ] != 0 || v[ROLL] != 0 || v[PITCH] != 0)
		return pb_error_set(bad,
		    "relation: expected z, roll and pitch 0, got %g %g %g",
		    v[DZ], v[ROLL], v[PITCH]);
	if (!pb_grow(&out->at, out->n, &out->cap, sizeof(*out->at)))
		return pb_error_nomem(bad, "relations");
	out->at[out->n++] =
	    (struct pb_relation){v[T1], v[T2], {v[DX], v[DY], pb_wrap(v[YAW])}};
	return true;
}

bool
pb_relations_read(const char *name, struct pb_relation_list *out)
{
	char *files[] = {(char *)name};
	struct pb_lines *in = pb_lines_new(files, 1);
	enum pb_line_got got = PB_LINE_TEXT;
	struct pb_error bad;
	struct pb_line l;
	bool ok = in != NULL || pb_msg_system("no memory");

	while (ok && (got = pb_lines_next(in, &l, &bad)) != PB_LINE_END &&
	       got != PB_LINE_FAIL)
		if (got != PB_LINE_TEXT ||
		    !add_relation(l.text, l.len, out, &bad))
			ok = pb_msg_error_at(l.at, &bad);
	pb_lines_free(in);
	if (ok && got == PB_LINE_END && out->n == 0)
		ok = pb_msg_refuse(
		    (struct pb_place){name, 0}, "expected relations, got none");
	return ok && got != PB_LINE_FAIL;
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
