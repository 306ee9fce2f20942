/* map_records.c - records of maps and boards. */
#include <stdio.h>
#include <string.h>

#include "io/rec/rec.h"
#include "io/rec/schema.h"
#include "io/stream/line.h"
#include "io/stream/text.h"
#include "map/board.h"
#include "pb/param.h"

/* Characters of cells in "rows". */
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
write_map_rows(struct pb_text *o, const struct pb_map *m)
{
	size_t w = (size_t)m->width;

	pb_put_key(o, "rows");
	for (int row = m->height; row-- > 0;) {
		const signed char *cell = m->cell + (size_t)row * w;
		char *at = pb_text_room(o, w + 4);

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
write_data(struct pb_text *o, const struct pb_map *m)
{
	size_t n = pb_map_cells(m);
	char *at;

	pb_put_key(o, "data");
	at = pb_text_room(o, 4 * n + 2); /* the longest cell is ",100" */
	for (size_t i = 0; i < n; i++) {
		*at++ = i ? ',' : '[';
		at += pb_num_int(at, m->cell[i]);
	}
	*at++ = ']';
	o->len = (size_t)(at - o->s);
}

/* Write the cells under "rows" or "data". */
static void
write_cells(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_map *m = r;

	(void)f;
	if (fits_rows(m))
		write_map_rows(o, m);
	else
		write_data(o, m);
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

bool
pb_map_room(struct pb_map *m, long width, long height, double resolution,
    struct pb_pose origin, const char *what, struct pb_error *bad)
{
	char over[128];
	enum pb_status st;

	if (pb_cells_over(width, height, over))
		return pb_error_set(bad, "%s: %s", what, over);
	st = pb_map_init(m, (int)width, (int)height, resolution, origin);
	return st == PB_OK || pb_error_status(bad, what, st);
}

/* Refuse a row: wrong type, length or character. */
static void
refuse_row(struct pb_get *g, const struct pb_walk *w, int width)
{
	const char *s = pb_json_text(w->at);
	size_t n = pb_json_size(w->at, PB_JSON_STRING);

	if (!s) {
		pb_walk_fail(g, w, "a string");
		return;
	}
	*g->ok = false;
	if (n != (size_t)width) {
		pb_error_set(g->bad,
		    "map.rows[%zu]: expected %d cells, got %zu", w->i, width,
		    n);
		return;
	}
	s += strspn(s, "#.?");
	pb_error_set(g->bad,
	    "map.rows[%zu]: expected '#', '.' or '?', got %.*s", w->i,
	    (int)pb_utf8_char(s, 4), s);
}

/* Parse a row of n characters at s into its cells. */
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
read_map_rows(struct pb_get *g, struct pb_map *m)
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

		if (!s || pb_json_size(w.at, PB_JSON_STRING) != n ||
		    !read_row(s, n, m->cell + (size_t)row * n))
			refuse_row(g, &w, m->width);
	}
	if (*g->ok && row != 0) {
		char expected[64];

		snprintf(expected, sizeof(expected), "%d rows", m->height);
		pb_get_fail(g, "rows", expected);
	}
}

static void
write_side(struct pb_text *o, const struct pb_field *f, const void *r)
{
	pb_put_int(o, f->key, *(const int *)PB_IN(r, f));
}

static void
clear_cells(void *m)
{
	pb_map_clear(m);
}

static const struct pb_codec side = {write_side, NULL, NULL};
static const struct pb_codec cells = {write_cells, NULL, clear_cells};
static const struct pb_codec data = {NULL, NULL, NULL};

/* end_map() reads size and cells, after all other members. */
#define PB_OF struct pb_map
static const struct pb_field map_rows[] = {
    TEXT("name", name, OPTIONAL),
    EXACT("resolution", resolution, REQUIRED, BETWEEN(1e-6, 1e6), "m"),
    CODEC("width", width, ALWAYS, side, NULL),
    CODEC("height", height, ALWAYS, side, NULL),
    POSE("origin", origin, ALWAYS, true),
    NUM("deformation", deformation, NONZERO, NOT_NEGATIVE, "m"),
    CODEC_OF_ALL("rows", REQUIRED, cells, NULL),
    CODEC_OF_ALL("data", OPTIONAL, data, NULL),
};

/* Read width and height; if missing, take them from the rows. */
static void
read_size(struct pb_get *g, long *width, long *height)
{
	enum pb_need need = pb_get_value(g, "data") ? PB_REQUIRED : PB_OPTIONAL;
	struct pb_walk w;

	*width = *height = 0;
	if (need == PB_OPTIONAL && pb_get_walk(g, "rows", PB_REQUIRED, &w)) {
		*height = (long)pb_json_size(w.list, PB_JSON_ARRAY);
		*width = (long)pb_json_size(
		    pb_json_next(w.list, NULL), PB_JSON_STRING);
	}
	pb_get_int(g, "width", need, 1, PB_MAP_SIDE, width);
	pb_get_int(g, "height", need, 1, PB_MAP_SIDE, height);
	if (*g->ok && (*width < 1 || *height < 1 || *width > PB_MAP_SIDE ||
			  *height > PB_MAP_SIDE))
		pb_get_fail(g, "rows", "1 to 20000 rows of 1 to 20000 cells");
}

static void
end_map(struct pb_get *g, void *at)
{
	struct pb_map *m = at, head = *m;
	long width, height;

	read_size(g, &width, &height);
	*g->ok = *g->ok && pb_map_room(m, width, height, head.resolution,
			       head.origin, "map", g->bad);
	if (!*g->ok)
		return;
	strcpy(m->name, head.name);
	m->deformation = head.deformation;
	if (pb_get_value(g, "data"))
		pb_get_cells(g, pb_map_cells(m), m->cell);
	else
		read_map_rows(g, m);
}
#undef PB_OF

static void
write_rows(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_maze *z = PB_IN(r, f);

	if (z->rows == 0)
		return;
	pb_put_key(o, f->key);
	for (int row = 0; row < z->rows; row++) {
		pb_text_puts(o, row ? ",\"" : "[\"");
		pb_text_put(o, z->cell[row], (size_t)z->cols);
		pb_text_put(o, "\"", 1);
	}
	pb_text_put(o, "]", 1);
}

static void
read_rows(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_maze *z = PB_IN(r, f);
	struct pb_walk w;

	if (!pb_get_walk(g, f->key, f->need, &w))
		return;
	for (; pb_walk_next(g, &w); z->rows++) {
		const char *row = pb_json_text(w.at);
		size_t n = row ? strlen(row) : 0;

		if (n == 0 || n > PB_MAZE_SIDE || z->rows == PB_MAZE_SIDE ||
		    (z->rows > 0 && n != (size_t)z->cols) ||
		    strspn(row, "#.o G") != n) {
			pb_walk_fail(g, &w,
			    "at most 64 strings of 1 to 64 characters out of "
			    "\"#.o G\", equally long");
			return;
		}
		z->cols = (int)n;
		memcpy(z->cell[z->rows], row, n);
	}
	if (*g->ok && z->rows == 0)
		pb_get_fail(g, f->key, "at least one row");
}

const struct pb_codec pb_rows_codec = {write_rows, read_rows, NULL};

/* Draw a board with walls between cells, which rows cannot show. */
static void
write_drawing(struct pb_text *o, const struct pb_maze *z)
{
	const struct pb_maze d = pb_board_drawn(z);
	char line[PB_BOARD_LINE];

	pb_put_key(o, "drawing");
	for (int i = 0; i < PB_BOARD_LINES(z); i++) {
		pb_board_line(&d, i, line);
		pb_text_puts(o, i ? ",\"" : "[\"");
		pb_text_puts(o, line);
		pb_text_put(o, "\"", 1);
	}
	pb_text_put(o, "]", 1);
}

static void
read_drawing(struct pb_get *g, struct pb_maze *z)
{
	struct pb_board_fault f;
	struct pb_walk w;
	long i = 0;

	if (!pb_get_walk(g, "drawing", PB_REQUIRED, &w))
		return;
	for (; pb_walk_next(g, &w); i++) {
		const char *line = pb_json_text(w.at);

		f = (struct pb_board_fault){.text = "a string"};
		if (line == NULL ||
		    pb_board_add_line(z, i, line, strlen(line), &f) != PB_OK) {
			pb_walk_fail(g, &w, f.text);
			return;
		}
	}
	if (!*g->ok)
		return;
	f = (struct pb_board_fault){.text = "an edge at the end"};
	if (i % 2 == 0 || pb_board_end(z, &f) != PB_OK)
		pb_get_fail(g, "drawing", f.text);
}

/* Write the cells as a drawing or as rows. */
static void
write_maze_rows(struct pb_text *o, const struct pb_field *f, const void *r)
{
	if (pb_maze_sided(r))
		write_drawing(o, r);
	else
		write_rows(o, f, r);
}

static void
read_maze_rows(struct pb_get *g, const struct pb_field *f, void *r)
{
	if (pb_get_value(g, "drawing") != NULL)
		read_drawing(g, r);
	else
		read_rows(g, f, r);
}

static const struct pb_codec maze_cells = {
    write_maze_rows, read_maze_rows, NULL};
static const struct pb_codec drawing = {NULL, NULL, NULL};

/* The default direction of a place is left. */
#define PB_OF struct pb_maze_place
static const struct pb_field place_rows[] = {
    WHOLE("row", row, REQUIRED, BETWEEN(0, PB_MAZE_SIDE - 1)),
    WHOLE("col", col, REQUIRED, BETWEEN(0, PB_MAZE_SIDE - 1)),
    PB_ROW("dir", CHOICE, ALWAYS, PB_HERE(dir), BETWEEN(PB_LEFT, PB_LEFT),
	.words = "up|left|down|right|stop",
	.expected = "one of up, left, down, right, stop"),
};
#undef PB_OF

#define PB_OF struct pb_maze
static const struct pb_field maze_rows[] = {
    TEXT("name", name, OPTIONAL),
    EXACT("cell", pitch, NONZERO, BETWEEN(1e-6, 1e6), "m"),
    CODEC_OF_ALL("rows", REQUIRED, maze_cells, NULL),
    CODEC_OF_ALL("drawing", OPTIONAL, drawing, NULL),
    OBJECT("start", start, OPTIONAL, place_rows),
    LIST("ghosts", ghost, ghosts, ALWAYS, 4, "at most 4 places", place_rows),
    LIST("homes", home, homes, OPTIONAL, 4, "at most 4 places", place_rows),
};

/* Defaults: no start (row -1); a given start looks left. */
static void
begin_maze(struct pb_get *g, void *at)
{
	enum pb_dir dir = pb_get_value(g, "start") ? PB_LEFT : PB_UP;

	((struct pb_maze *)at)->start = (struct pb_maze_place){-1, -1, dir};
}

/* Refuse the first of n places that is not on the board. */
static void
check_places(struct pb_get *g, const struct pb_maze *z, const char *key,
    const struct pb_maze_place *p, int n)
{
	for (int i = 0; *g->ok && i < n; i++)
		if (p[i].row >= z->rows || p[i].col >= z->cols)
			*g->ok = pb_error_set(g->bad,
			    "maze.%s: expected cells of %d rows and %d "
			    "columns, got row %d, col %d",
			    key, z->rows, z->cols, p[i].row, p[i].col);
}

static void
end_maze(struct pb_get *g, void *at)
{
	const struct pb_maze *z = at;

	check_places(g, z, "start", &z->start, 1);
	check_places(g, z, "ghosts", z->ghost, z->ghosts);
	check_places(g, z, "homes", z->home, z->homes);
}
#undef PB_OF

const struct pb_schema pb_map_schemas[PB_REC_TYPES] = {
    [PB_REC_MAP] = PB_TYPE("map", pb_map, map_rows, HEADER, .end = end_map),
    [PB_REC_MAZE] = PB_TYPE("maze", pb_maze, maze_rows, HEADER,
	.begin = begin_maze, .end = end_maze),
};
