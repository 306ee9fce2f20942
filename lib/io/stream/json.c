/* json.c - one line of JSON, field by field. */
#include "io/stream/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/num.h"

bool
pb_json_open(struct pb_json *j, const char *s, size_t n, const char *path,
    struct pb_get *g, struct pb_error *bad)
{
	j->ok = pb_json_scan(&j->values, s, n, bad);
	*g = (struct pb_get){j->values.v, "", bad, &j->ok};
	strcpy(g->path, path);
	if (!j->ok || pb_json_is(g->obj, PB_JSON_OBJECT))
		return j->ok;
	pb_error_set(bad, "expected a JSON object, got %s",
	    pb_json_is(g->obj, PB_JSON_ARRAY) ? "an array" : "a bare value");
	pb_json_close(j);
	return j->ok = false;
}

void
pb_json_close(struct pb_json *j)
{
	pb_json_values_clear(&j->values);
}

const struct pb_json_value *
pb_get_value(const struct pb_get *g, const char *key)
{
	const struct pb_json_value *v = pb_json_member(g->obj, key);

	return pb_json_is(v, PB_JSON_NULL) ? NULL : v;
}

/* What came: numbers as they are, how long an array is, else the kind. */
static void
describe(const struct pb_json_value *v, char *out, size_t size)
{
	static const char *const kind[] = {[PB_JSON_OBJECT] = "an object",
	    [PB_JSON_STRING] = "a string",
	    [PB_JSON_TRUE] = "true",
	    [PB_JSON_FALSE] = "false"};
	char number[PB_NUM_MAX];

	if (pb_json_is(v, PB_JSON_WHOLE))
		pb_num_int(number, v->whole);
	else if (pb_json_is(v, PB_JSON_REAL))
		pb_num_exact(number, v->real);
	if (!v)
		snprintf(out, size, "nothing");
	else if (pb_json_is_number(v))
		snprintf(out, size, "%s", number);
	else if (pb_json_is(v, PB_JSON_REAL))
		snprintf(out, size, "a number beyond the range of a double");
	else if (pb_json_is(v, PB_JSON_ARRAY))
		snprintf(out, size, "an array of %zu",
		    pb_json_size(v, PB_JSON_ARRAY));
	else if (pb_json_is(v, PB_JSON_STRING) && !pb_json_text(v))
		snprintf(out, size, "a string with \\u0000 in it");
	else
		snprintf(out, size, "%s",
		    pb_json_is(v, PB_JSON_NULL) ? pb_json_null[v->n]
						: kind[v->kind]);
}

/* Complain about v, which may be NULL, at path + where. */
static void
complain(struct pb_get *g, const char *where, const struct pb_json_value *v,
    const char *expected)
{
	char got[48];

	if (!*g->ok)
		return;
	*g->ok = false;
	describe(v, got, sizeof(got));
	pb_error_set(
	    g->bad, "%s%s: expected %s, got %s", g->path, where, expected, got);
}

void
pb_get_fail(struct pb_get *g, const char *key, const char *expected)
{
	char where[80];

	snprintf(where, sizeof(where), ".%s", key);
	complain(g, where, pb_json_member(g->obj, key), expected);
}

void
pb_get_nomem(struct pb_get *g, const char *key)
{
	char what[PB_JSON_PATH + 80];

	snprintf(what, sizeof(what), "%s.%s", g->path, key);
	*g->ok = pb_error_nomem(g->bad, what);
}

/*
 * The value of key; a key with null is a missing one. NULL: there is nothing
 * to read, and if it is needed that was said.
 */
static const struct pb_json_value *
find(struct pb_get *g, const char *key, enum pb_need need, const char *expected)
{
	const struct pb_json_value *v = *g->ok ? pb_get_value(g, key) : NULL;

	if (!v && need == PB_REQUIRED)
		pb_get_fail(g, key, expected);
	return v;
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
	const struct pb_json_value *v = find(g, key, need, "a number");
	double x = pb_json_number(v);
	char expected[128];

	if (!v)
		return;
	if (pb_json_is_number(v) && x >= lo && x <= hi) {
		*out = x;
		return;
	}
	expect_range(expected, sizeof(expected), "a number", lo, hi);
	pb_get_fail(g, key, pb_json_is_number(v) ? expected : "a number");
}

void
pb_get_int(struct pb_get *g, const char *key, enum pb_need need, long lo,
    long hi, long *out)
{
	const struct pb_json_value *v = find(g, key, need, "a whole number");
	char expected[128];
	long x;
	bool whole;

	if (!v)
		return;
	whole = pb_json_long(v, &x);
	if (whole && x >= lo && x <= hi) {
		*out = x;
		return;
	}
	expect_range(expected, sizeof(expected), "a whole number", (double)lo,
	    (double)hi);
	pb_get_fail(g, key, whole ? expected : "a whole number");
}

/* A value keeps 63 bits of a number; a string keeps what it says. */
void
pb_get_u64(struct pb_get *g, const char *key, enum pb_need need, uint64_t *out)
{
	const struct pb_json_value *v = find(g, key, need, "a whole number");
	long x;

	if (!v)
		return;
	if (pb_json_long(v, &x) && x >= 0)
		*out = (uint64_t)x;
	else if (!pb_json_text(v) || !pb_num_parse_u64(pb_json_text(v), out))
		pb_get_fail(g, key,
		    "a whole number from 0 to 9223372036854775807, larger "
		    "ones as a string");
}

void
pb_get_bool(struct pb_get *g, const char *key, enum pb_need need, bool *out)
{
	const struct pb_json_value *v = find(g, key, need, "true or false");

	if (pb_json_is(v, PB_JSON_TRUE) || pb_json_is(v, PB_JSON_FALSE))
		*out = pb_json_is(v, PB_JSON_TRUE);
	else if (v)
		pb_get_fail(g, key, "true or false");
}

void
pb_get_text(struct pb_get *g, const char *key, enum pb_need need, char *out,
    size_t size)
{
	const struct pb_json_value *v = find(g, key, need, "a string");
	size_t n = pb_json_size(v, PB_JSON_STRING);

	if (!v)
		return;
	if (!pb_json_text(v)) {
		pb_get_fail(g, key, "a string");
	} else if (n >= size) {
		*g->ok = pb_error_set(g->bad,
		    "%s.%s: expected a string of at most %zu bytes, got a "
		    "longer one",
		    g->path, key, size - 1);
	} else {
		memcpy(out, v->text, n + 1);
	}
}

bool
pb_get_object(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_get *sub)
{
	const struct pb_json_value *v = find(g, key, need, "an object");

	if (!v)
		return false;
	*sub = (struct pb_get){v, "", g->bad, g->ok};
	snprintf(sub->path, sizeof(sub->path), "%.60s%s%.30s", g->path,
	    *g->path ? "." : "", key);
	if (!pb_json_is(v, PB_JSON_OBJECT))
		pb_get_fail(g, key, "an object");
	return *g->ok;
}

bool
pb_get_walk(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_walk *w)
{
	const struct pb_json_value *v = find(g, key, need, "an array");

	*w = (struct pb_walk){.list = v, .key = key};
	if (v && !pb_json_is(v, PB_JSON_ARRAY))
		pb_get_fail(g, key, "an array");
	return v && *g->ok;
}

bool
pb_walk_next(struct pb_get *g, struct pb_walk *w)
{
	if (!*g->ok)
		return false;
	w->i += w->at != NULL;
	w->at = pb_json_next(w->list, w->at);
	return w->at != NULL;
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
	if (!*g->ok)
		return false;
	*sub = (struct pb_get){w->at, "", g->bad, g->ok};
	snprintf(sub->path, sizeof(sub->path), "%.60s.%.20s[%zu]", g->path,
	    w->key, w->i);
	if (!pb_json_is(w->at, PB_JSON_OBJECT))
		pb_walk_fail(g, w, "an object");
	return *g->ok;
}

void *
pb_get_room(struct pb_get *g, const struct pb_walk *w, size_t max, size_t size,
    size_t *n)
{
	size_t items = pb_json_size(w->list, PB_JSON_ARRAY);
	void *p;

	*n = 0;
	if (items == 0)
		return NULL;
	/* Before there is memory: a line of 64 MB may hold 32 million. */
	if (items > max) {
		*g->ok = pb_error_set(g->bad,
		    "%s.%s: expected at most %zu items, got %zu", g->path,
		    w->key, max, items);
		return NULL;
	}
	p = calloc(items, size);
	if (p)
		*n = items;
	else
		pb_get_nomem(g, w->key);
	return p;
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
	for (; v && pb_walk_next(g, &w); v++) {
		*v =
		    pb_json_is(w.at, PB_JSON_NULL) ? NAN : pb_json_number(w.at);
		if (!pb_json_is(w.at, PB_JSON_NULL) && !pb_json_is_number(w.at))
			pb_walk_fail(g, &w, "a number or null");
	}
	if (!*g->ok) {
		free(*out);
		*out = NULL;
		*n = 0;
	}
}

/* Read v, at path + where, as exactly n numbers. */
static void
get_tuple(struct pb_get *g, const char *where, const struct pb_json_value *v,
    int n, double *out)
{
	const struct pb_json_value *item = NULL;
	double x[PB_JSON_TUPLE];
	char text[128];

	if (pb_json_size(v, PB_JSON_ARRAY) != (size_t)n) {
		snprintf(text, sizeof(text), "an array of %d numbers", n);
		complain(g, where, v, text);
		return;
	}
	for (int i = 0; i < n; i++) {
		item = pb_json_next(v, item);
		if (!pb_json_is_number(item)) {
			snprintf(text, sizeof(text), "%s[%d]", where, i);
			complain(g, text, item, "a number");
			return;
		}
		x[i] = pb_json_number(item);
	}
	memcpy(out, x, (size_t)n * sizeof(*x));
}

bool
pb_walk_nums(struct pb_get *g, struct pb_walk *w, int n, double *out)
{
	char where[96];

	snprintf(where, sizeof(where), ".%s[%zu]", w->key, w->i);
	if (*g->ok)
		get_tuple(g, where, w->at, n, out);
	return *g->ok;
}

void
pb_get_nums(
    struct pb_get *g, const char *key, enum pb_need need, int n, double *out)
{
	char text[80];
	const struct pb_json_value *v;

	snprintf(text, sizeof(text), "an array of %d numbers", n);
	v = find(g, key, need, text);
	snprintf(text, sizeof(text), ".%s", key);
	if (v)
		get_tuple(g, text, v, n, out);
}

static void
walk_cells(struct pb_get *g, size_t n, signed char *cell)
{
	struct pb_walk w;
	long v;

	if (!pb_get_walk(g, "data", PB_REQUIRED, &w))
		return;
	while (pb_walk_next(g, &w)) {
		if (!pb_json_long(w.at, &v) || v < -1 || v > 100)
			pb_walk_fail(g, &w, "a whole number from -1 to 100");
		else if (w.i < n)
			cell[w.i] = (signed char)v;
	}
}

void
pb_get_cells(struct pb_get *g, size_t n, signed char *cell)
{
	const struct pb_json_value *v = *g->ok ? pb_get_value(g, "data") : NULL;
	const char *cells = pb_json_cells(v);
	size_t got = pb_json_size(v, PB_JSON_ARRAY);

	if (!cells)
		walk_cells(g, n, cell);
	else if (got == n)
		memcpy(cell, cells, n);
	if (*g->ok && got != n)
		*g->ok = pb_error_set(g->bad,
		    "%s.data: expected %zu cells, got an array of %zu", g->path,
		    n, got);
}
