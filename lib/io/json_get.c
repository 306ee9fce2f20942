/* json_get.c - one line of JSON, read in place: fields of an object. */
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

/* What came: short values as they are, others by their kind. */
static void
complain(
    struct pb_get *g, const char *where, struct pb_jval v, const char *expected)
{
	const char *kind = pb_jval_kind(v);
	bool shown = v.s && strcmp(kind, "a number") == 0 && v.n <= 40;

	if (!g->ok)
		return;
	g->ok = false;
	if (shown)
		pb_bad_set(g->bad, "%s%s: expected %s, got %.*s", g->path,
		    where, expected, (int)v.n, v.s);
	else
		pb_bad_set(g->bad, "%s%s: expected %s, got %s", g->path, where,
		    expected, kind);
}

void
pb_get_fail(struct pb_get *g, const char *key, const char *expected)
{
	char where[80];

	snprintf(where, sizeof(where), ".%s", key);
	complain(g, where, pb_get_raw(g, key), expected);
}

/*
 * The value of key. A key with null is a missing one. False: there is nothing
 * to read, and if it is needed that was said.
 */
static bool
find(struct pb_get *g, const char *key, enum pb_need need, const char *expected,
    struct pb_jval *v)
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

/* The number v, NAN for what is none or not finite. */
static double
number(struct pb_jval v)
{
	double x;

	if (pb_num_scan(v.s, v.n, &x) != v.n || !isfinite(x))
		return NAN;
	return x;
}

bool
pb_jval_long(struct pb_jval v, long *out)
{
	double x = number(v);

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

	if (!find(g, key, need, "a number", &v))
		return;
	x = number(v);
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

	if (!find(g, key, need, "a whole number", &v))
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

	if (!find(g, key, need, "a whole number", &v))
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

	if (!find(g, key, need, "true or false", &v))
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

	if (!find(g, key, need, "a string", &v))
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

bool
pb_get_walk(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_walk *w)
{
	struct pb_jval v;

	*w = (struct pb_walk){.key = key};
	if (!find(g, key, need, "an array", &v))
		return false;
	if (*v.s != '[') {
		pb_get_fail(g, key, "an array");
		return false;
	}
	w->next = v.s;
	w->end = v.s + v.n - 1; /* the closing bracket */
	return true;
}

/* The grammar was checked: behind an item come blanks and a comma, or ]. */
static const char *
past_comma(const char *s, const char *end)
{
	struct pb_scan c = {.s = s, .end = end};

	pb_scan_blanks(&c);
	if (c.s < end)
		c.s++;
	pb_scan_blanks(&c);
	return c.s;
}

bool
pb_walk_next(struct pb_get *g, struct pb_walk *w)
{
	if (!g->ok || !w->end)
		return false;
	if (w->at.s)
		w->i++;
	w->next = past_comma(w->next, w->end); /* at first: past the bracket */
	if (w->next >= w->end)
		return false;
	w->at.s = w->next;
	w->at.n = pb_scan_checked(w->next, w->end);
	w->next += w->at.n;
	return true;
}

void
pb_walk_fail(struct pb_get *g, const struct pb_walk *w, const char *expected)
{
	char where[96];

	snprintf(where, sizeof(where), ".%s[%zu]", w->key, w->i);
	complain(g, where, w->at, expected);
}

bool
pb_walk_object(struct pb_get *g, struct pb_walk *w, struct pb_get *sub)
{
	char path[PB_JSON_PATH];

	if (!g->ok)
		return false;
	if (*w->at.s != '{') {
		pb_walk_fail(g, w, "an object");
		return false;
	}
	snprintf(path, sizeof(path), "%.60s.%.20s[%zu]", g->path, w->key, w->i);
	g->ok = pb_json_object(sub, w->at.s, w->at.n, path, g->bad);
	return g->ok;
}

/* Items are counted first: a list is allocated once, at its size. */
static size_t
count_items(struct pb_get *g, struct pb_walk w)
{
	size_t n = 0;

	while (pb_walk_next(g, &w))
		n++;
	return n;
}

void *
pb_get_room(struct pb_get *g, const struct pb_walk *w, size_t max, size_t size,
    size_t *n)
{
	size_t items = count_items(g, *w);
	void *p;

	*n = 0;
	if (items == 0)
		return NULL;
	if (items > max) {
		g->ok = false;
		pb_bad_set(g->bad, "%s.%s: expected at most %zu items, got %zu",
		    g->path, w->key, max, items);
		return NULL;
	}
	p = calloc(items, size);
	if (!p) {
		g->ok = false;
		pb_bad_set(g->bad, "%s.%s: out of memory", g->path, w->key);
		return NULL;
	}
	*n = items;
	return p;
}

/* A number of a tolerant list: NaN for null, NaN, infinities of any sign. */
static bool
tolerant(struct pb_jval v, double *out)
{
	static const char *const words[] = {
	    "null", "NaN", "Infinity", "-Infinity"};
	static const double value[] = {NAN, NAN, INFINITY, -INFINITY};

	if (pb_num_scan(v.s, v.n, out) == v.n)
		return true;
	for (int i = 0; i < 4; i++)
		if (v.n == strlen(words[i]) &&
		    memcmp(v.s, words[i], v.n) == 0) {
			*out = value[i];
			return true;
		}
	return false;
}

void
pb_get_list(struct pb_get *g, const char *key, enum pb_need need, size_t max,
    double **out, size_t *n)
{
	struct pb_walk w;
	double *v;

	*out = NULL;
	*n = 0;
	if (!pb_get_walk(g, key, need, &w))
		return;
	*out = v = pb_get_room(g, &w, max, sizeof(*v), n);
	for (size_t i = 0; v && pb_walk_next(g, &w); i++)
		if (!tolerant(w.at, &v[i]))
			pb_walk_fail(g, &w, "a number or null");
	if (!g->ok) {
		free(v);
		*out = NULL;
		*n = 0;
	}
}

/* Read v as exactly n finite numbers. */
static bool
tuple(struct pb_get *g, struct pb_jval v, int n, double *out)
{
	struct pb_walk w = {.next = v.s, .end = v.s + v.n - 1};
	double x[PB_JSON_TUPLE];
	int got = 0;

	if (*v.s != '[')
		return false;
	while (pb_walk_next(g, &w)) {
		if (got >= n || isnan(x[got] = number(w.at)))
			return false;
		got++;
	}
	if (got == n)
		memcpy(out, x, (size_t)n * sizeof(*x));
	return got == n;
}

bool
pb_walk_nums(struct pb_get *g, struct pb_walk *w, int n, double *out)
{
	char expected[64];

	if (!g->ok || tuple(g, w->at, n, out))
		return g->ok;
	snprintf(expected, sizeof(expected), "an array of %d numbers", n);
	pb_walk_fail(g, w, expected);
	return false;
}

void
pb_get_nums(
    struct pb_get *g, const char *key, enum pb_need need, int n, double *out)
{
	struct pb_jval v;
	char expected[64];

	snprintf(expected, sizeof(expected), "an array of %d numbers", n);
	if (find(g, key, need, expected, &v) && !tuple(g, v, n, out))
		pb_get_fail(g, key, expected);
}
