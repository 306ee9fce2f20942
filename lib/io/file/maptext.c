/* maptext.c - maps as lines of characters: MovingAI and plain rows. */
#include "io/file/maptext.h"

#include <string.h>

#include "io/rec/rec.h"

/* One line after the other, without their ends. */
struct lines {
	const char *at, *end;
	long no; /* of the line that was taken last */
};

struct span {
	const char *s;
	size_t n;
};

static bool
next_line(struct lines *l, struct span *line)
{
	const char *stop;

	if (l->at >= l->end)
		return false;
	stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
	if (stop == NULL)
		stop = l->end;
	*line = (struct span){l->at, (size_t)(stop - l->at)};
	if (line->n > 0 && line->s[line->n - 1] == '\r')
		line->n--;
	l->at = stop < l->end ? stop + 1 : stop;
	l->no++;
	return true;
}

/* Cell of a character of rows, or 2 for one that is none. */
static int
row_cell(char ch)
{
	if (ch != '\0' && strchr("#X@W1", ch) != NULL)
		return 100;
	if (ch != '\0' && strchr(".-0 ", ch) != NULL)
		return 0;
	return ch == '?' ? PB_CELL_UNKNOWN : 2;
}

static int
movingai_cell(char ch)
{
	if (ch != '\0' && strchr(".GS", ch) != NULL)
		return 0;
	return ch != '\0' && strchr("@OTW", ch) != NULL ? 100 : 2;
}

static int
strange(char ch, size_t u, long no, const char *name, struct pb_error *f)
{
	if (ch > ' ' && ch < 127)
		return pb_error_file(f, name, no, NULL,
		    "column %zu: '%c' is no cell of a map", u + 1, ch);
	return pb_error_file(f, name, no, NULL,
	    "column %zu: byte 0x%02x is no cell of a map", u + 1,
	    (unsigned char)ch);
}

/* Fill the row of m that is v-th from the top. */
static int
take_row(struct pb_map *m, int v, struct span line, int (*cell_of)(char),
    long no, const char *name, struct pb_error *f)
{
	signed char *cell =
	    m->cell + pb_map_index(m, (struct pb_cell){0, m->height - 1 - v});

	for (size_t u = 0; u < line.n; u++) {
		int value = cell_of(line.s[u]);

		if (value == 2)
			return strange(line.s[u], u, no, name, f);
		cell[u] = (signed char)value;
	}
	return 0;
}

bool
pb_rows_are(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != '\n' && p[i] != '\r' && row_cell(p[i]) == 2)
			return false;
	return n > 0;
}

/* Rows up to the last that is not empty, and the longest of them. */
static void
measure(struct lines l, size_t *width, long *height)
{
	struct span line;

	*width = 0;
	*height = 0;
	while (next_line(&l, &line)) {
		if (line.n > 0)
			*height = l.no;
		if (line.n > *width)
			*width = line.n;
	}
}

/* A map of that size, if there may be one. */
static int
make_map(struct pb_map *m, long width, long height, double resolution,
    struct pb_pose origin, const char *name, struct pb_error *f)
{
	enum pb_status st = PB_ESIZE;
	char over[128];

	if (width > PB_MAP_SIDE || height > PB_MAP_SIDE)
		return pb_error_file_status(f, name, st);
	if (pb_cells_over(width, height, over))
		return pb_error_file(f, name, 0, NULL, "%s", over);
	st = pb_map_init(m, (int)width, (int)height, resolution, origin);
	return st == PB_OK ? 0 : pb_error_file_status(f, name, st);
}

int
pb_rows_decode(const char *p, size_t n, const char *name, double resolution,
    struct pb_pose origin, struct pb_map *m, struct pb_error *f)
{
	struct lines l = {p, p + n, 0};
	struct span line;
	struct pb_map got;
	size_t width;
	long height;

	measure(l, &width, &height);
	if (height == 0)
		return pb_error_file(f, name, 0, NULL, "no rows");
	if (make_map(&got, (long)width, height, resolution, origin, name, f) !=
	    0)
		return -1;
	for (int v = 0; v < height && next_line(&l, &line); v++) {
		if (take_row(&got, v, line, row_cell, l.no, name, f) != 0) {
			pb_map_clear(&got);
			return -1;
		}
	}
	*m = got;
	return 0;
}

static bool
starts(struct span line, const char *word)
{
	size_t n = strlen(word);

	return line.n >= n && memcmp(line.s, word, n) == 0 &&
	       (line.n == n || line.s[n] == ' ' || line.s[n] == '\t');
}

bool
pb_movingai_is(const char *p, size_t n)
{
	struct lines l = {p, p + n, 0};
	struct span line;

	return next_line(&l, &line) && starts(line, "type");
}

/* The number after a header word, 0 if it is none in 1..PB_MAP_SIDE. */
static int
header_number(struct span line, const char *word)
{
	size_t i = strlen(word);
	long v = 0;

	while (i < line.n && (line.s[i] == ' ' || line.s[i] == '\t'))
		i++;
	for (; i < line.n && line.s[i] >= '0' && line.s[i] <= '9'; i++)
		if (v <= PB_MAP_SIDE)
			v = 10 * v + (line.s[i] - '0');
	while (i < line.n && (line.s[i] == ' ' || line.s[i] == '\t'))
		i++;
	return i == line.n && v <= PB_MAP_SIDE ? (int)v : 0;
}

/* MovingAI's words come in any order, and "map" ends them. */
static int
read_header(struct lines *l, const char *name, int *width, int *height,
    struct pb_error *f)
{
	struct span line;

	*width = *height = 0;
	while (next_line(l, &line)) {
		bool w = starts(line, "width"), h = starts(line, "height");
		int v =
		    w || h ? header_number(line, w ? "width" : "height") : 0;

		if (starts(line, "map"))
			break;
		if ((w || h) && v == 0)
			return pb_error_file(f, name, l->no,
			    w ? "width" : "height",
			    "expected a number in 1..%d", PB_MAP_SIDE);
		if (w)
			*width = v;
		if (h)
			*height = v;
		if (!w && !h && !starts(line, "type"))
			return pb_error_file(f, name, l->no, NULL,
			    "expected type, height, width or map");
	}
	if (*width == 0 || *height == 0)
		return pb_error_file(f, name, l->no,
		    *width == 0 ? "width" : "height", "missing");
	return 0;
}

static int
movingai_rows(
    struct lines *l, const char *name, struct pb_map *m, struct pb_error *f)
{
	struct span line;

	for (int v = 0; v < m->height; v++) {
		if (!next_line(l, &line))
			return pb_error_file(f, name, l->no, NULL,
			    "truncated: %d of %d rows", v, m->height);
		if (line.n != (size_t)m->width)
			return pb_error_file(f, name, l->no, NULL,
			    "expected %d cells, got %zu", m->width, line.n);
		if (take_row(m, v, line, movingai_cell, l->no, name, f) != 0)
			return -1;
	}
	return 0;
}

int
pb_movingai_decode(const char *p, size_t n, const char *name, double resolution,
    struct pb_pose origin, struct pb_map *m, struct pb_error *f)
{
	struct lines l = {p, p + n, 0};
	struct pb_map got;
	int width, height;

	if (read_header(&l, name, &width, &height, f) != 0)
		return -1;
	if ((size_t)(l.end - l.at) < (size_t)width * (size_t)height)
		return pb_error_file(f, name, 0, NULL,
		    "truncated: %d x %d cells need more than %td bytes", width,
		    height, l.end - l.at);
	if (make_map(&got, width, height, resolution, origin, name, f) != 0)
		return -1;
	if (movingai_rows(&l, name, &got, f) != 0) {
		pb_map_clear(&got);
		return -1;
	}
	*m = got;
	return 0;
}

/* All rows, from the top, one character for each of the three meanings. */
static void
write_rows(
    FILE *out, const struct pb_map *m, char free, char occupied, char unknown)
{
	for (int row = m->height - 1; row >= 0; row--) {
		for (int col = 0; col < m->width; col++) {
			int v = pb_map_at(m, (struct pb_cell){col, row});

			putc(pb_cell_free(v)       ? free
			     : pb_cell_occupied(v) ? occupied
						   : unknown,
			    out);
		}
		putc('\n', out);
	}
}

void
pb_movingai_write(FILE *out, const struct pb_map *m)
{
	fprintf(out, "type octile\nheight %d\nwidth %d\nmap\n", m->height,
	    m->width);
	write_rows(out, m, '.', 'T', '@');
}

void
pb_rows_write(FILE *out, const struct pb_map *m)
{
	write_rows(out, m, '.', '#', '?');
}
