/* tum.c - trajectories in the format of the TUM RGB-D benchmark. */
#include "io/log/tum.h"

#include "base/elementary.h"
#include "io/rec/body_records.h"
#include "io/stream/num.h"

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

static bool
next_word(const char **at, const char *end, char *word, size_t size)
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

/* How many numbers a line has before a word that is none; 9: too many. */
static int
numbers(const char *s, size_t n, double *v)
{
	const char *end = s + n;
	char word[64];
	int k = 0;

	while (next_word(&s, end, word, sizeof(word))) {
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

	return numbers(s, n, v) == NUMBERS;
}

bool
pb_tum_convert(
    const char *s, size_t n, struct pb_text *out, struct pb_error *bad)
{
	struct pb_rec_pose p = {.has_cov = false};
	double v[NUMBERS];
	int k;

	if (n == 0 || *s == '#')
		return true;
	k = numbers(s, n, v);
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
	pb_put_pose(out, pb_stamp_at(v[T], "robot"), &p);
	return true;
}
