/* json_walk.c - one line of JSON, read in place: fields that are arrays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json_scan.h"
#include "io/num.h"

bool
pb_get_walk(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_walk *w)
{
	struct pb_jval v;

	*w = (struct pb_walk){.key = key};
	if (!pb_get_find(g, key, need, "an array", &v))
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

static bool
to_next(struct pb_walk *w)
{
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

bool
pb_walk_next(struct pb_get *g, struct pb_walk *w)
{
	return g->ok && w->end && to_next(w);
}

size_t
pb_jval_items(struct pb_jval v)
{
	struct pb_walk w = {.next = v.s, .end = v.s + v.n - 1};
	size_t n = 0;

	while (to_next(&w))
		n++;
	return n;
}

void
pb_walk_fail(struct pb_get *g, const struct pb_walk *w, const char *expected)
{
	char where[96];

	snprintf(where, sizeof(where), ".%s[%zu]", w->key, w->i);
	pb_get_complain(g, where, w->at, expected);
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

void *
pb_get_room(struct pb_get *g, const struct pb_walk *w, size_t max, size_t size,
    size_t *n)
{
	struct pb_jval all = {w->next, (size_t)(w->end + 1 - w->next)};
	size_t items = pb_jval_items(all);
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
		if (got >= n || isnan(x[got] = pb_jval_number(w.at)))
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
	if (pb_get_find(g, key, need, expected, &v) && !tuple(g, v, n, out))
		pb_get_fail(g, key, expected);
}
