/* json_get.c - one line of JSON, read in place: fields of one value. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json_scan.h"
#include "io/num.h"

struct pb_jval
pb_get_raw(const struct pb_get *g, const char *key)
{
	for (int i = 0; i < g->obj.n; i++)
		if (pb_jval_is(g->obj.member[i].key, key))
			return g->obj.member[i].val;
	return (struct pb_jval){0};
}

static bool
is_null(struct pb_jval v)
{
	return v.n == 4 && memcmp(v.s, "null", 4) == 0;
}

bool
pb_get_has(const struct pb_get *g, const char *key)
{
	struct pb_jval v = pb_get_raw(g, key);

	return v.s && !is_null(v);
}

const char *
pb_jval_kind(struct pb_jval v)
{
	if (!v.s)
		return "nothing";
	switch (*v.s) {
	case '"':
		return "a string";
	case '{':
		return "an object";
	case '[':
		return "an array";
	case 't':
		return "true";
	case 'f':
		return "false";
	case 'n':
		return "null";
	case 'N':
		return "NaN";
	case 'I':
		return "Infinity";
	default:
		return v.n > 1 && v.s[1] == 'I' ? "-Infinity" : "a number";
	}
}

/* What came: numbers as they are, how long an array is, else the kind. */
static void
describe(struct pb_jval v, char *out, size_t size)
{
	const char *kind = pb_jval_kind(v);

	if (strcmp(kind, "a number") == 0 && v.n < size)
		snprintf(out, size, "%.*s", (int)v.n, v.s);
	else if (strcmp(kind, "an array") == 0)
		snprintf(out, size, "an array of %zu", pb_jval_items(v));
	else
		snprintf(out, size, "%s", kind);
}

void
pb_get_complain(
    struct pb_get *g, const char *where, struct pb_jval v, const char *expected)
{
	char got[48];

	if (!g->ok)
		return;
	g->ok = false;
	describe(v, got, sizeof(got));
	pb_bad_set(
	    g->bad, "%s%s: expected %s, got %s", g->path, where, expected, got);
}

void
pb_get_fail(struct pb_get *g, const char *key, const char *expected)
{
	char where[80];

	snprintf(where, sizeof(where), ".%s", key);
	pb_get_complain(g, where, pb_get_raw(g, key), expected);
}

bool
pb_get_find(struct pb_get *g, const char *key, enum pb_need need,
    const char *expected, struct pb_jval *v)
{
	if (!g->ok)
		return false;
	*v = pb_get_raw(g, key);
	if (v->s && !is_null(*v))
		return true;
	if (need == PB_REQUIRED)
		pb_get_fail(g, key, expected);
	return false;
}

double
pb_jval_number(struct pb_jval v)
{
	double x;

	if (pb_num_scan(v.s, v.n, &x) != v.n || !isfinite(x))
		return NAN;
	return x;
}

bool
pb_jval_long(struct pb_jval v, long *out)
{
	double x = pb_jval_number(v);

	/* Beyond 2^53 doubles skip integers, and so do most JSON readers. */
	if (!(x == floor(x) && fabs(x) <= 0x1p53))
		return false;
	*out = (long)x;
	return true;
}

static void
expect_range(char *out, size_t size, const char *what, double lo, double hi)
{
	char a[PB_NUM_MAX], b[PB_NUM_MAX];

	pb_num_exact(a, lo);
	pb_num_exact(b, hi);
	if (isfinite(lo) && isfinite(hi))
		snprintf(out, size, "%s from %s to %s", what, a, b);
	else if (isfinite(lo))
		snprintf(out, size, "%s of at least %s", what, a);
	else if (isfinite(hi))
		snprintf(out, size, "%s of at most %s", what, b);
	else
		snprintf(out, size, "%s", what);
}

void
pb_get_num(struct pb_get *g, const char *key, enum pb_need need, double lo,
    double hi, double *out)
{
	struct pb_jval v;
	char expected[128];
	double x;

	if (!pb_get_find(g, key, need, "a number", &v))
		return;
	x = pb_jval_number(v);
	if (x >= lo && x <= hi) {
		*out = x;
		return;
	}
	expect_range(expected, sizeof(expected), "a number", lo, hi);
	pb_get_fail(g, key, isnan(x) ? "a number" : expected);
}

void
pb_get_int(struct pb_get *g, const char *key, enum pb_need need, long lo,
    long hi, long *out)
{
	struct pb_jval v;
	char expected[128];
	long x;
	bool whole;

	if (!pb_get_find(g, key, need, "a whole number", &v))
		return;
	whole = pb_jval_long(v, &x);
	if (whole && x >= lo && x <= hi) {
		*out = x;
		return;
	}
	expect_range(expected, sizeof(expected), "a whole number", (double)lo,
	    (double)hi);
	pb_get_fail(g, key, whole ? expected : "a whole number");
}

void
pb_get_u64(struct pb_get *g, const char *key, enum pb_need need, uint64_t *out)
{
	struct pb_jval v;
	char text[24];

	if (!pb_get_find(g, key, need, "a whole number", &v))
		return;
	if (v.n < sizeof(text)) {
		memcpy(text, v.s, v.n);
		text[v.n] = 0;
		if (pb_num_parse_u64(text, out))
			return;
	}
	pb_get_fail(g, key, "a whole number from 0 to 18446744073709551615");
}

void
pb_get_bool(struct pb_get *g, const char *key, enum pb_need need, bool *out)
{
	struct pb_jval v;

	if (!pb_get_find(g, key, need, "true or false", &v))
		return;
	if (*v.s != 't' && *v.s != 'f')
		pb_get_fail(g, key, "true or false");
	else
		*out = *v.s == 't';
}

void
pb_get_text(struct pb_get *g, const char *key, enum pb_need need, char *out,
    size_t size)
{
	struct pb_jval v;
	char expected[64];

	if (!pb_get_find(g, key, need, "a string", &v))
		return;
	snprintf(expected, sizeof(expected), "a string of at most %zu bytes",
	    size - 1);
	if (*v.s != '"') {
		pb_get_fail(g, key, "a string");
	} else if (pb_jval_text(v, out, size) >= size) {
		*out = 0;
		g->ok = false;
		pb_bad_set(g->bad, "%s.%s: expected %s, got a longer one",
		    g->path, key, expected);
	}
}
