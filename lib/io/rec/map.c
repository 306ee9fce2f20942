/* map.c - map records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/fields.h"
#include "io/stream/num.h"
#include "io/stream/utf8.h"

/* Cells as characters, and back: 1 more than the value, 0 for what is none. */
static const char rows_free = '.', rows_wall = '#', rows_unknown = '?';

static bool
fits_rows(const struct pb_map *m)
{
	size_t n = pb_map_cells(m);

	for (size_t i = 0; i < n; i++)
		if (m->cell[i] != 0 && m->cell[i] != 100 && m->cell[i] != -1)
			return false;
	return true;
}

static void
put_rows(struct pb_text *o, const struct pb_map *m)
{
	size_t w = (size_t)m->width;

	pb_put_key(o, "rows");
	for (int row = m->height; row-- > 0;) {
		const signed char *cell = m->cell + (size_t)row * w;
		char *at = pb_text_room(o, w + 4);

		if (!at)
			return;
		*at++ = row == m->height - 1 ? '[' : ',';
		*at++ = '"';
		for (size_t i = 0; i < w; i++)
			at[i] = cell[i] == 0     ? rows_free
			        : cell[i] == 100 ? rows_wall
			                         : rows_unknown;
		at[w] = '"';
		o->len += w + 3;
	}
	pb_text_put(o, "]", 1);
}

static void
put_data(struct pb_text *o, const struct pb_map *m)
{
	size_t n = pb_map_cells(m);
	char *at;

	pb_put_key(o, "data");
	at = pb_text_room(o, 4 * n + 2); /* no cell takes more than ",100" */
	if (!at)
		return;
	for (size_t i = 0; i < n; i++) {
		*at++ = i ? ',' : '[';
		at += pb_num_int(at, m->cell[i]);
	}
	*at++ = ']';
	o->len = (size_t)(at - o->s);
}

int pb_max_cells = 100000000; /* 500 m x 500 m in cells of 5 cm */

bool
pb_cells_over(long width, long height, char text[128])
{
	double n = (double)width * (double)height;

	if (n <= pb_max_cells)
		return false;
	snprintf(text, 128, "%ld x %ld are %.0f cells, --max-cells is %d",
	    width, height, n, pb_max_cells);
	return true;
}

void
pb_put_map(struct pb_text *o, const struct pb_map *m)
{
	pb_put_map_of(o, pb_stamp_none(), m);
}

void
pb_put_map_of(struct pb_text *o, struct pb_stamp s, const struct pb_map *m)
{
	pb_put_begin(o, PB_REC_MAP, s);
	pb_put_text_if(o, "name", m->name);
	pb_put_exact(o, "resolution", m->resolution);
	pb_put_int(o, "width", m->width);
	pb_put_int(o, "height", m->height);
	pb_put_key(o, "origin");
	pb_text_put(o, "[", 1);
	pb_text_exact(o, m->origin.x);
	pb_text_put(o, ",", 1);
	pb_text_exact(o, m->origin.y);
	pb_text_put(o, ",", 1);
	pb_text_exact(o, m->origin.th);
	pb_text_put(o, "]", 1);
	if (fits_rows(m))
		put_rows(o, m);
	else
		put_data(o, m);
	pb_put_end(o);
}

/* Say what is wrong with a row: its kind, its length, a character. */
static void
fail_row(struct pb_get *g, const struct pb_walk *w, int width)
{
	const char *s = pb_json_text(w->at);
	size_t n = json_string_length(w->at);

	if (!s) {
		pb_walk_fail(g, w, "a string");
		return;
	}
	g->ok = false;
	if (n != (size_t)width) {
		pb_bad_set(g->bad, "map.rows[%zu]: expected %d cells, got %zu",
		    w->i, width, n);
		return;
	}
	s += strspn(s, "#.?");
	pb_bad_set(g->bad, "map.rows[%zu]: expected '#', '.' or '?', got %.*s",
	    w->i, (int)pb_utf8_char(s, 4), s);
}

/* Read the text of one row, n characters at s, into its cells. */
static bool
read_row(const char *s, size_t n, signed char *cell)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == rows_free)
			cell[i] = 0;
		else if (s[i] == rows_wall)
			cell[i] = 100;
		else if (s[i] == rows_unknown)
			cell[i] = -1;
		else
			return false;
	}
	return true;
}

static void
get_rows(struct pb_get *g, struct pb_map *m)
{
	struct pb_walk w;
	int row = m->height;
	size_t n = (size_t)m->width;

	if (!pb_get_walk(g, "rows", PB_REQUIRED, &w))
		return;
	while (pb_walk_next(g, &w)) {
		if (row-- == 0)
			break;
		const char *s = pb_json_text(w.at);

		if (!s || json_string_length(w.at) != n ||
		    !read_row(s, n, m->cell + (size_t)row * n))
			fail_row(g, &w, m->width);
	}
	if (g->ok && row != 0) {
		char expected[64];

		snprintf(expected, sizeof(expected), "%d rows", m->height);
		pb_get_fail(g, "rows", expected);
	}
}

/* Columns and rows; where they are not said the rows show them. */
static void
get_size(struct pb_get *g, long *width, long *height)
{
	enum pb_need need = pb_get_value(g, "data") ? PB_REQUIRED : PB_OPTIONAL;
	struct pb_walk w;

	*width = *height = 0;
	if (need == PB_OPTIONAL && pb_get_walk(g, "rows", PB_REQUIRED, &w)) {
		*height = (long)json_array_size(w.list);
		*width = (long)json_string_length(json_array_get(w.list, 0));
	}
	pb_get_int(g, "width", need, 1, PB_MAP_SIDE, width);
	pb_get_int(g, "height", need, 1, PB_MAP_SIDE, height);
	if (g->ok && (*width < 1 || *height < 1 || *width > PB_MAP_SIDE ||
			 *height > PB_MAP_SIDE))
		pb_get_fail(g, "rows", "1 to 20000 rows of 1 to 20000 cells");
}

void
pb_get_map(struct pb_get *g, struct pb_map *m)
{
	double resolution = 0, origin[3] = {0};
	long width, height;
	char name[sizeof(m->name)] = "", over[128];
	enum pb_status status;

	*m = (struct pb_map){0};
	PB_GET_WORD(g, "name", PB_OPTIONAL, name);
	pb_get_num(g, "resolution", PB_REQUIRED, 1e-6, 1e6, &resolution);
	pb_get_nums(g, "origin", PB_OPTIONAL, 3, origin);
	get_size(g, &width, &height);
	if (g->ok && pb_cells_over(width, height, over))
		g->ok = pb_bad_set(g->bad, "map: %s", over);
	if (!g->ok)
		return;
	status = pb_map_init(m, (int)width, (int)height, resolution,
	    (struct pb_pose){origin[0], origin[1], pb_wrap(origin[2])});
	if (status != PB_OK) {
		g->ok = status == PB_ENOMEM ? pb_bad_nomem(g->bad, "map")
		                            : pb_bad_set(g->bad, "map: %s",
						  pb_status_text(status));
		return;
	}
	strcpy(m->name, name);
	if (pb_get_value(g, "data"))
		pb_get_cells(g, pb_map_cells(m), m->cell);
	else
		get_rows(g, m);
}
