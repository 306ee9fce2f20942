/* poselog.c - poses that other programs wrote, as values or in TUM's lines. */
#include "io/file/poselog.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/pool.h"
#include "io/stream/line.h"
#include "io/stream/text.h"
#include "pb/param.h"

/* A value or name that is longer is cut, and then is none. */
#define VALUE 80

/*
 * The next value into out, without blanks about it.
 *
 * Returns  false at the end of the line
 */
static bool
next_value(const char **at, const char *end, char out[VALUE])
{
	static const char blanks[] = " \t\r";
	const char *s = *at, *stop;
	size_t n;

	if (s > end)
		return false;
	stop = memchr(s, ',', (size_t)(end - s));
	stop = stop ? stop : end;
	*at = stop + 1; /* beyond the end behind the last value */
	while (s < stop && strchr(blanks, *s))
		s++;
	while (stop > s && strchr(blanks, stop[-1]))
		stop--;
	n = (size_t)(stop - s) < VALUE ? (size_t)(stop - s) : VALUE - 1;
	memcpy(out, s, n);
	out[n] = '\0';
	return true;
}

/* The field that a column of that name is, PB_CSV_FIELDS if it is none. */
static int
field_of(const char *name)
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

	while (next_value(&s, end, value)) {
		int i = field_of(value);

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

/* Whether c has all that a pose needs; if not it has no columns. */
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

/* The values of a row, NAN where there is none. */
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
	while (next_value(&s, end, value)) {
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
	enum pb_next got = PB_NEXT;
	struct pb_error bad;
	struct pb_line l;
	bool ok = in != NULL || pb_msg_system("no memory");

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
