/* json.c - one line of JSON: what jansson says of it, field by field. */
#include "io/stream/json.h"

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/json_nonfinite.h"
#include "io/stream/num.h"

/*
 * Where jansson gets no memory for a string it speaks of an invalid token, or
 * leaves part of it out; so whether it got all it asked for is noted here. It
 * then asks again for each byte that is left: the kernel is not bothered.
 *
 * Where a number grows that its buffer cannot hold, jansson ends the program
 * (an assertion in lex_unget_unsave). Its buffer asks for powers of two, each
 * once: they come from a reserve, so that it gets as far as asking for what
 * keeps the number, which it does not get. Longer numbers are refused before
 * jansson sees them. Where the reserve has refused something, it refuses all:
 * of a string without its end, which did not fit, there must be no copy.
 */
enum { SMALLEST = 32, LARGEST = PB_JSON_NUMBER + 1 };
static _Thread_local bool no_memory;
static _Thread_local _Alignas(max_align_t) char reserve[2 * LARGEST];
static _Thread_local size_t reserved; /* sum of sizes that are not there */

static void *
get_reserve(size_t n)
{
	bool power = (n & (n - 1)) == 0;

	if (!power || n < SMALLEST || n > LARGEST || (reserved & n) != 0) {
		reserved = SIZE_MAX;
		return NULL;
	}
	reserved += n;
	return reserve + n - SMALLEST;
}

static void *
get_memory(size_t n)
{
	void *p = no_memory ? NULL : malloc(n);

	no_memory |= !p;
	return p ? p : get_reserve(n);
}

static void
give_back(void *p)
{
	if ((char *)p < reserve || (char *)p >= reserve + sizeof(reserve))
		free(p);
}

static void
watch_memory(void)
{
	json_set_alloc_funcs(get_memory, give_back);
}

/* Whole numbers beyond 64 bits are numbers, too: JSON sets no limit. */
static json_t *
load(const char *s, size_t n, json_error_t *e)
{
	const size_t flags =
	    JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL;
	json_t *j;

	/* The code, which jansson does not set where memory ends early. */
	e->text[JSON_ERROR_TEXT_LENGTH - 1] = (char)json_error_unknown;
	j = json_loadb(s, n, flags, e);
	if (!j && json_error_code(e) == json_error_numeric_overflow)
		j = json_loadb(s, n, flags | JSON_DECODE_INT_AS_REAL, e);
	return j;
}

/* Say what jansson said; line 0 means that it does not know the place. */
static bool
refuse(const json_error_t *e, struct pb_error *bad)
{
	enum json_error_code code = json_error_code(e);
	bool grammar = code != json_error_duplicate_key &&
	               code != json_error_numeric_overflow &&
	               code != json_error_stack_overflow;
	const char *end = strstr(e->text, " near end of file");
	int n = (int)(end ? (size_t)(end - e->text) : strlen(e->text));
	char place[64] = "";

	if (e->line > 1) /* of a file with a record over many lines */
		snprintf(place, sizeof(place), ", line %d", e->line);
	else if (e->line == 1)
		snprintf(place, sizeof(place), ", column %d", e->column);
	return pb_error_set(bad, "%s%.*s%s%s", grammar ? "not JSON: " : "", n,
	    e->text, end ? " at the end" : "", place);
}

/* jansson's tree of s, mended if that is what it takes. */
static json_t *
load_mended(struct pb_json *j, const char *s, size_t n, json_error_t *e)
{
	json_t *root = load(s, n, e);
	char *mended;
	size_t len;

	if (root || (json_error_code(e) != json_error_invalid_syntax &&
			json_error_code(e) != json_error_null_byte_in_key))
		return root;
	mended = pb_json_nonfinite(s, n, &len, &j->mended);
	if (!mended)
		return NULL;
	root = load(mended, len, e);
	free(mended);
	return root;
}

/* The tree of s, without the cells of a map. */
static void
read_line(struct pb_json *j, const char *s, size_t n, json_error_t *e)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct pb_lift l;
	bool lifted = pb_json_lift(s, n, &l);

	pthread_once(&once, watch_memory);
	no_memory = false;
	reserved = 0;
	*j = (struct pb_json){.cell = l.cell, .cells = l.cells};
	j->root = load_mended(j, lifted ? l.rest : s, lifted ? l.len : n, e);
	if (j->mended || (lifted && (size_t)e->position > l.at))
		e->line = 0; /* places have moved */
	free(l.rest);
}

bool
pb_json_open(struct pb_json *j, const char *s, size_t n, const char *path,
    struct pb_get *g, struct pb_error *bad)
{
	size_t over = pb_json_number_over(s, n, PB_JSON_NUMBER);
	json_error_t e;

	if (over > 0) {
		*j = (struct pb_json){0};
		*g = (struct pb_get){.line = j, .bad = bad};
		return pb_error_set(bad,
		    "expected numbers of at most %d bytes, got one of %zu",
		    PB_JSON_NUMBER, over);
	}
	read_line(j, s, n, &e);
	*g = (struct pb_get){.line = j, .obj = j->root, .bad = bad};
	snprintf(g->path, sizeof(g->path), "%.*s", PB_JSON_PATH - 1, path);
	if (no_memory)
		pb_error_nomem(bad, "JSON");
	else if (!j->root)
		refuse(&e, bad);
	else if (!json_is_object(j->root))
		pb_error_set(bad, "expected a JSON object, got %s",
		    json_is_array(j->root) ? "an array" : "a bare value");
	else
		g->ok = true;
	if (!g->ok)
		pb_json_close(j);
	return g->ok;
}

void
pb_json_close(struct pb_json *j)
{
	json_decref(j->root);
	free(j->cell);
	*j = (struct pb_json){0};
}

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

/* Complain about v, which may be NULL, at path + where. */
static void
complain(
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
	complain(g, where, json_object_get(g->obj, key), expected);
}

void
pb_get_nomem(struct pb_get *g, const char *key)
{
	char what[PB_JSON_PATH + 80];

	snprintf(what, sizeof(what), "%s.%s", g->path, key);
	g->ok = pb_error_nomem(g->bad, what);
}

/*
 * The value of key; a key with null is a missing one. NULL: there is nothing
 * to read, and if it is needed that was said.
 */
static json_t *
find(struct pb_get *g, const char *key, enum pb_need need, const char *expected)
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
	json_t *v = find(g, key, need, "a number");
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
	json_t *v = find(g, key, need, "a whole number");
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
	json_t *v = find(g, key, need, "a whole number");

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
	json_t *v = find(g, key, need, "true or false");

	if (json_is_boolean(v))
		*out = json_is_true(v);
	else if (v)
		pb_get_fail(g, key, "true or false");
}

void
pb_get_text(struct pb_get *g, const char *key, enum pb_need need, char *out,
    size_t size)
{
	json_t *v = find(g, key, need, "a string");
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
pb_get_object(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_get *sub)
{
	json_t *v = find(g, key, need, "an object");

	if (!v)
		return false;
	*sub = (struct pb_get){g->line, v, "", g->bad, true};
	snprintf(sub->path, sizeof(sub->path), "%.60s%s%.30s", g->path,
	    *g->path ? "." : "", key);
	if (!json_is_object(v))
		pb_get_fail(g, key, "an object");
	return g->ok;
}

bool
pb_get_walk(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_walk *w)
{
	json_t *v = find(g, key, need, "an array");

	*w = (struct pb_walk){.list = v, .key = key};
	if (v && !json_is_array(v))
		pb_get_fail(g, key, "an array");
	return v && g->ok;
}

bool
pb_walk_next(struct pb_get *g, struct pb_walk *w)
{
	if (!g->ok)
		return false;
	w->i += w->at != NULL;
	w->at = json_array_get(w->list, w->i);
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
	if (!g->ok)
		return false;
	*sub = (struct pb_get){g->line, w->at, "", g->bad, true};
	snprintf(sub->path, sizeof(sub->path), "%.60s.%.20s[%zu]", g->path,
	    w->key, w->i);
	if (!json_is_object(w->at))
		pb_walk_fail(g, w, "an object");
	return g->ok;
}

void *
pb_get_room(struct pb_get *g, const struct pb_walk *w, size_t max, size_t size,
    size_t *n)
{
	size_t items = json_array_size(w->list);
	void *p;

	*n = 0;
	if (items == 0)
		return NULL;
	/* Before there is memory: a line of 512 MB may hold 256 million. */
	if (items > max) {
		g->ok = pb_error_set(g->bad,
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
		*v = json_is_null(w.at) ? NAN : json_number_value(w.at);
		if (!json_is_null(w.at) && !json_is_number(w.at))
			pb_walk_fail(g, &w, "a number or null");
	}
	if (!g->ok) {
		free(*out);
		*out = NULL;
		*n = 0;
	}
}

/* Read v as exactly n numbers. */
static bool
tuple(const json_t *v, int n, double *out)
{
	double x[PB_JSON_TUPLE];

	if (json_array_size(v) != (size_t)n) /* 0 for what is no array */
		return false;
	for (int i = 0; i < n; i++) {
		const json_t *item = json_array_get(v, (size_t)i);

		if (!json_is_number(item))
			return false;
		x[i] = json_number_value(item);
	}
	memcpy(out, x, (size_t)n * sizeof(*x));
	return true;
}

bool
pb_walk_nums(struct pb_get *g, struct pb_walk *w, int n, double *out)
{
	char expected[64];

	if (!g->ok || tuple(w->at, n, out))
		return g->ok;
	snprintf(expected, sizeof(expected), "an array of %d numbers", n);
	pb_walk_fail(g, w, expected);
	return false;
}

void
pb_get_nums(
    struct pb_get *g, const char *key, enum pb_need need, int n, double *out)
{
	char expected[64];
	json_t *v;

	snprintf(expected, sizeof(expected), "an array of %d numbers", n);
	v = find(g, key, need, expected);
	if (v && !tuple(v, n, out))
		pb_get_fail(g, key, expected);
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
	const json_t *v = g->ok ? pb_get_value(g, "data") : NULL;
	const char *text = pb_json_text(v);
	/* It stands for the cells that were lifted out of the line. */
	bool lifted =
	    g->line->cell && text && strcmp(text, PB_JSON_LIFTED) == 0;
	size_t got = lifted ? g->line->cells : json_array_size(v);

	if (!lifted)
		walk_cells(g, n, cell);
	else if (got == n)
		memcpy(cell, g->line->cell, n);
	if (g->ok && got != n)
		g->ok = pb_error_set(g->bad,
		    "%s.data: expected %zu cells, got an array of %zu", g->path,
		    n, got);
}
