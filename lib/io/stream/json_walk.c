/* json_walk.c - one line of JSON: fields that are arrays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/json_find.h"
#include "io/stream/json_nonfinite.h"

bool
pb_get_walk(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_walk *w)
{
	json_t *v = pb_get_find(g, key, need, "an array");

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
	pb_get_complain(g, where, w->at, expected);
}

void
pb_get_sub(
    const struct pb_get *g, json_t *v, const char *path, struct pb_get *sub)
{
	*sub = (struct pb_get){
	    .line = g->line, .obj = v, .bad = g->bad, .ok = true};
	snprintf(sub->path, sizeof(sub->path), "%.*s", PB_JSON_PATH - 1, path);
}

bool
pb_walk_object(struct pb_get *g, struct pb_walk *w, struct pb_get *sub)
{
	char path[PB_JSON_PATH];

	if (!g->ok)
		return false;
	if (!json_is_object(w->at)) {
		pb_walk_fail(g, w, "an object");
		return false;
	}
	snprintf(path, sizeof(path), "%.60s.%.20s[%zu]", g->path, w->key, w->i);
	pb_get_sub(g, w->at, path, sub);
	return true;
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
	v = pb_get_find(g, key, need, expected);
	if (v && !tuple(v, n, out))
		pb_get_fail(g, key, expected);
}

/* Whether v stands for the cells that were lifted out of the line. */
static bool
is_lifted(const struct pb_get *g, const json_t *v)
{
	return g->line->cell && pb_json_text(v) &&
	       strcmp(pb_json_text(v), PB_JSON_LIFTED) == 0;
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
	bool lifted = is_lifted(g, v);
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
