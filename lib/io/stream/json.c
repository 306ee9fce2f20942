/* json.c - one line of JSON, field by field. */
#include "io/stream/json.h"

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

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

/* Add what jansson read; texts stay its own. */
static bool
add_tree(struct pb_json_values *l, json_t *t)
{
	static const unsigned char kind[] = {[JSON_NULL] = PB_JSON_NULL,
	    [JSON_FALSE] = PB_JSON_FALSE,
	    [JSON_TRUE] = PB_JSON_TRUE,
	    [JSON_INTEGER] = PB_JSON_WHOLE,
	    [JSON_REAL] = PB_JSON_REAL,
	    [JSON_STRING] = PB_JSON_STRING,
	    [JSON_ARRAY] = PB_JSON_ARRAY,
	    [JSON_OBJECT] = PB_JSON_OBJECT};
	size_t at = l->n, i;
	struct pb_json_value *v = pb_json_add(l, kind[json_typeof(t)]);
	const char *key;
	json_t *part;

	if (v == NULL)
		return false;
	v->n = (uint32_t)(json_is_string(t)  ? json_string_length(t)
			  : json_is_array(t) ? json_array_size(t)
					     : json_object_size(t));
	if (json_is_integer(t))
		v->whole = json_integer_value(t);
	else if (json_is_real(t))
		v->real = json_real_value(t);
	else if (json_is_string(t))
		v->text = json_string_value(t);
	json_array_foreach(t, i, part) if (!add_tree(l, part)) return false;
	json_object_foreach(t, key, part)
	{
		v = pb_json_add(l, PB_JSON_STRING);
		if (v == NULL)
			return false;
		v->text = key;
		v->n = (uint32_t)strlen(key);
		if (!add_tree(l, part))
			return false;
	}
	l->v[at].span = (unsigned)(l->n - at) & 0x1fffffff;
	return true;
}

/* What jansson says of s, without the cells of a map if they are lifted. */
static void
ask_jansson(struct pb_json *j, const char *s, size_t n, const struct pb_lift *l,
    json_error_t *e)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_memory);
	reserved = 0;
	j->root =
	    load_mended(j, l->rest ? l->rest : s, l->rest ? l->len : n, e);
	if (j->mended || (l->rest && (size_t)e->position > l->at))
		e->line = 0; /* places have moved */
	if (j->root && !no_memory)
		no_memory = !add_tree(&j->values, j->root);
}

/* A longer line may have a map, whose cells take less room as such. */
#define LONG_LINE 65536

/*
 * Fill in j, without values if s is refused.
 *
 * Returns  how long a number in it is that is too long for jansson, or 0
 */
static size_t
read_line(struct pb_json *j, const char *s, size_t n, json_error_t *e)
{
	struct pb_lift l = {0};
	size_t over = 0;

	j->root = NULL;
	j->cell = NULL;
	j->cells = 0;
	j->mended = false;
	pb_json_values_init(&j->values);
	no_memory = false;
	if (n > LONG_LINE)
		pb_json_lift(s, n, &l);
	if (!l.rest && pb_json_scan(&j->values, s, n))
		return 0;
	no_memory = j->values.no_memory;
	pb_json_values_clear(&j->values);
	if (n <= LONG_LINE)
		pb_json_lift(s, n, &l);
	j->cell = l.cell;
	j->cells = l.cells;
	if (!no_memory)
		over = pb_json_number_over(
		    l.rest ? l.rest : s, l.rest ? l.len : n, PB_JSON_NUMBER);
	if (!no_memory && over == 0)
		ask_jansson(j, s, n, &l, e);
	free(l.rest);
	return over;
}

bool
pb_json_open(struct pb_json *j, const char *s, size_t n, const char *path,
    struct pb_get *g, struct pb_error *bad)
{
	json_error_t e;
	size_t over;

	g->line = j;
	g->bad = bad;
	g->ok = &j->ok;
	*g->ok = false;
	strcpy(g->path, path);
	over = read_line(j, s, n, &e);
	g->obj = j->values.v;
	if (no_memory)
		pb_error_nomem(bad, "JSON");
	else if (over > 0)
		pb_error_set(bad,
		    "expected numbers of at most %d bytes, got one of %zu",
		    PB_JSON_NUMBER, over);
	else if (!j->root && j->values.n == 0)
		refuse(&e, bad);
	else if (!pb_json_is(g->obj, PB_JSON_OBJECT))
		pb_error_set(bad, "expected a JSON object, got %s",
		    pb_json_is(g->obj, PB_JSON_ARRAY) ? "an array"
						      : "a bare value");
	else
		*g->ok = true;
	if (!*g->ok)
		pb_json_close(j);
	return *g->ok;
}

void
pb_json_close(struct pb_json *j)
{
	pb_json_values_clear(&j->values);
	json_decref(j->root);
	free(j->cell);
	j->root = NULL;
	j->cell = NULL;
}

const struct pb_json_value *
pb_get_value(const struct pb_get *g, const char *key)
{
	const struct pb_json_value *v = pb_json_member(g->obj, key);

	return pb_json_is(v, PB_JSON_NULL) ? NULL : v;
}

/* What came: numbers as they are, how long an array is, else the kind. */
static void
describe(const struct pb_get *g, const struct pb_json_value *v, char *out,
    size_t size)
{
	static const char *const kind[] = {[PB_JSON_OBJECT] = "an object",
	    [PB_JSON_STRING] = "a string",
	    [PB_JSON_TRUE] = "true",
	    [PB_JSON_FALSE] = "false",
	    [PB_JSON_NULL] = "null"};
	char number[PB_NUM_MAX];

	if (pb_json_is(v, PB_JSON_WHOLE))
		pb_num_int(number, v->whole);
	else if (pb_json_is(v, PB_JSON_REAL))
		pb_num_exact(number, v->real);
	if (!v)
		snprintf(out, size, "nothing");
	else if (pb_json_is_number(v))
		snprintf(out, size, "%s", number);
	else if (pb_json_is(v, PB_JSON_ARRAY))
		snprintf(out, size, "an array of %zu",
		    pb_json_size(v, PB_JSON_ARRAY));
	else if (pb_json_is(v, PB_JSON_STRING) && !pb_json_text(v))
		snprintf(out, size, "a string with \\u0000 in it");
	else
		snprintf(out, size, "%s%s", kind[v->kind],
		    pb_json_is(v, PB_JSON_NULL) && g->line->mended ? " or NaN"
								   : "");
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
	describe(g, v, got, sizeof(got));
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

/* jansson keeps 63 bits of a number; a string keeps what it says. */
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
	*sub = (struct pb_get){g->line, v, "", g->bad, g->ok};
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
	*sub = (struct pb_get){g->line, w->at, "", g->bad, g->ok};
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
	/* Before there is memory: a line of 512 MB may hold 256 million. */
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
	const char *text = pb_json_text(v);
	/* It stands for the cells that were lifted out of the line. */
	bool lifted =
	    g->line->cell && text && strcmp(text, PB_JSON_LIFTED) == 0;
	size_t got = lifted ? g->line->cells : pb_json_size(v, PB_JSON_ARRAY);

	if (!lifted)
		walk_cells(g, n, cell);
	else if (got == n)
		memcpy(cell, g->line->cell, n);
	if (*g->ok && got != n)
		*g->ok = pb_error_set(g->bad,
		    "%s.data: expected %zu cells, got an array of %zu", g->path,
		    n, got);
}
