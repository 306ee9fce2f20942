/* json_get.c - one line of JSON: fields of one value. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/stream/json_find.h"
#include "io/stream/num.h"

json_t *
pb_get_value(const struct pb_get *g, const char *key)
{
	json_t *v = json_object_get(g->obj, key);

	return json_is_null(v) ? NULL : v;
}

/* What came: numbers as they are, how long an array is, else the kind. */
static void
describe(const struct pb_get *g, const json_t *v, char *out, size_t size)
{
	static const char *const kind[] = {[JSON_OBJECT] = "an object",
	    [JSON_STRING] = "a string",
	    [JSON_TRUE] = "true",
	    [JSON_FALSE] = "false",
	    [JSON_NULL] = "null"};
	char number[PB_NUM_MAX];

	if (json_is_integer(v))
		pb_num_int(number, json_integer_value(v));
	else if (json_is_real(v))
		pb_num_exact(number, json_real_value(v));
	if (!v)
		snprintf(out, size, "nothing");
	else if (json_is_number(v))
		snprintf(out, size, "%s", number);
	else if (json_is_array(v))
		snprintf(out, size, "an array of %zu", json_array_size(v));
	else if (json_is_string(v) && !pb_json_text(v))
		snprintf(out, size, "a string with \\u0000 in it");
	else
		snprintf(out, size, "%s%s", kind[json_typeof(v)],
		    json_is_null(v) && g->line->mended ? " or NaN" : "");
}

void
pb_get_complain(
    struct pb_get *g, const char *where, const json_t *v, const char *expected)
{
	char got[48];

	if (!g->ok)
		return;
	g->ok = false;
	describe(g, v, got, sizeof(got));
	pb_error_set(
	    g->bad, "%s%s: expected %s, got %s", g->path, where, expected, got);
}

void
pb_get_fail(struct pb_get *g, const char *key, const char *expected)
{
	char where[80];

	snprintf(where, sizeof(where), ".%s", key);
	pb_get_complain(g, where, json_object_get(g->obj, key), expected);
}

void
pb_get_nomem(struct pb_get *g, const char *key)
{
	char what[PB_JSON_PATH + 80];

	snprintf(what, sizeof(what), "%s.%s", g->path, key);
	g->ok = pb_error_nomem(g->bad, what);
}

json_t *
pb_get_find(
    struct pb_get *g, const char *key, enum pb_need need, const char *expected)
{
	json_t *v = g->ok ? pb_get_value(g, key) : NULL;

	if (!v && need == PB_REQUIRED)
		pb_get_fail(g, key, expected);
	return v;
}

const char *
pb_json_text(const json_t *v)
{
	const char *s = json_string_value(v);

	return s && strlen(s) == json_string_length(v) ? s : NULL;
}

bool
pb_json_long(const json_t *v, long *out)
{
	double x = json_real_value(v);

	if (json_is_integer(v)) {
		*out = (long)json_integer_value(v);
		return true;
	}
	/* Beyond 2^53 doubles skip integers: 1e17 may mean another one. */
	if (!json_is_real(v) || x != floor(x) || fabs(x) > 0x1p53)
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
	json_t *v = pb_get_find(g, key, need, "a number");
	double x = json_number_value(v);
	char expected[128];

	if (!v)
		return;
	if (json_is_number(v) && x >= lo && x <= hi) {
		*out = x;
		return;
	}
	expect_range(expected, sizeof(expected), "a number", lo, hi);
	pb_get_fail(g, key, json_is_number(v) ? expected : "a number");
}

void
pb_get_int(struct pb_get *g, const char *key, enum pb_need need, long lo,
    long hi, long *out)
{
	json_t *v = pb_get_find(g, key, need, "a whole number");
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

/* jansson keeps 63 bits of a number; a string keeps what it says. */
void
pb_get_u64(struct pb_get *g, const char *key, enum pb_need need, uint64_t *out)
{
	json_t *v = pb_get_find(g, key, need, "a whole number");

	if (!v)
		return;
	if (json_is_integer(v) && json_integer_value(v) >= 0)
		*out = (uint64_t)json_integer_value(v);
	else if (!pb_json_text(v) || !pb_num_parse_u64(pb_json_text(v), out))
		pb_get_fail(g, key,
		    "a whole number from 0 to 9223372036854775807, larger "
		    "ones as a string");
}

void
pb_get_bool(struct pb_get *g, const char *key, enum pb_need need, bool *out)
{
	json_t *v = pb_get_find(g, key, need, "true or false");

	if (json_is_boolean(v))
		*out = json_is_true(v);
	else if (v)
		pb_get_fail(g, key, "true or false");
}

void
pb_get_text(struct pb_get *g, const char *key, enum pb_need need, char *out,
    size_t size)
{
	json_t *v = pb_get_find(g, key, need, "a string");
	size_t n = json_string_length(v);

	if (!v)
		return;
	if (!pb_json_text(v)) {
		pb_get_fail(g, key, "a string");
	} else if (n >= size) {
		g->ok = pb_error_set(g->bad,
		    "%s.%s: expected a string of at most %zu bytes, got a "
		    "longer one",
		    g->path, key, size - 1);
	} else {
		memcpy(out, json_string_value(v), n + 1);
	}
}

bool
pb_get_object(struct pb_get *g, const char *key, enum pb_need need,
    const char *path, struct pb_get *sub)
{
	json_t *v = pb_get_find(g, key, need, "an object");

	if (!v)
		return false;
	if (!json_is_object(v)) {
		pb_get_fail(g, key, "an object");
		return false;
	}
	pb_get_sub(g, v, path, sub);
	return true;
}
