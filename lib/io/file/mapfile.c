/* mapfile.c - read and write maps in files: map_server, images, texts. */
#include "io/file/mapfile.h"

#include <stdlib.h>
#include <string.h>

#include "io/file/logfile.h"
#include "io/file/mapserver.h"
#include "io/rec/rec.h"
#include "io/ros/ros_message.h"
#include "io/stream/file.h"
#include "io/stream/line.h"
#include "io/stream/text.h"
#include "map/change.h"
#include "pb/param.h"

/* --- maps as lines of characters --- */

/*
 * Maps as text have no cell size or origin; the caller sets them. The top row
 * comes first.
 *
 * MovingAI: "type", "height", "width" and "map" lines, then rows in which
 * . G S are free and @ O T W are not.
 *
 * Rows: # X @ W 1 are occupied, . - 0 and a blank free, ? unknown; cells
 * missing on the right are unknown, too. Empty lines at the end do not count.
 */

/* Characters of each kind of cell. */
struct signs {
	const char *occupied, *free, *unknown;
};

static const struct signs row_signs = {"#X@W1", ".-0 ", "?"};
static const struct signs movingai_signs = {"@OTW", ".GS", ""};

#define NO_CELL 2

static int
parse_cell(const struct signs *s, char ch)
{
	if (ch == '\0')
		return NO_CELL;
	return strchr(s->occupied, ch) != NULL  ? 100
	       : strchr(s->free, ch) != NULL    ? 0
	       : strchr(s->unknown, ch) != NULL ? PB_CELL_UNKNOWN
	                                        : NO_CELL;
}

/* The lines of a text, without their ends. */
struct text {
	const char *at, *end;
	const char *line;
	size_t n;
	long no; /* of the line */
	const char *name;
	struct pb_error *f;
};

static bool
read_line(struct text *t)
{
	const char *stop;

	if (t->at >= t->end)
		return false;
	stop = memchr(t->at, '\n', (size_t)(t->end - t->at));
	if (stop == NULL)
		stop = t->end;
	t->line = t->at;
	t->n = (size_t)(stop - t->at);
	if (t->n > 0 && stop[-1] == '\r')
		t->n--;
	t->at = stop < t->end ? stop + 1 : stop;
	t->no++;
	return true;
}

/* Read the row of m that is v-th from the top. */
static int
read_row(struct text *t, const struct signs *signs, int v, struct pb_map *m)
{
	signed char *cell =
	    m->cell + pb_map_index(m, (struct pb_cell){0, m->height - 1 - v});

	for (size_t u = 0; u < t->n; u++) {
		int value = parse_cell(signs, t->line[u]);
		char ch = t->line[u];

		if (value != NO_CELL)
			cell[u] = (signed char)value;
		else if (ch > ' ' && ch < 127)
			return pb_error_file(t->f, t->name, t->no, NULL,
			    "column %zu: '%c' is no cell of a map", u + 1, ch);
		else
			return pb_error_file(t->f, t->name, t->no, NULL,
			    "column %zu: byte 0x%02x is no cell of a map",
			    u + 1, (unsigned char)ch);
	}
	return 0;
}

/* Whether p holds only rows. */
static bool
is_rows(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != '\n' && p[i] != '\r' &&
		    parse_cell(&row_signs, p[i]) == NO_CELL)
			return false;
	return n > 0;
}

/* Count the rows up to the last that is not empty, and the longest of them. */
static int
measure_text(struct text t, long *width, long *height)
{
	*width = *height = 0;
	while (read_line(&t)) {
		if (t.n > 0)
			*height = t.no;
		if ((long)t.n > *width)
			*width = (long)t.n;
	}
	return *height > 0 ? 0 : pb_error_file(t.f, t.name, 0, NULL, "no rows");
}

static bool
starts_with(const struct text *t, const char *word)
{
	size_t n = strlen(word);

	return t->n >= n && memcmp(t->line, word, n) == 0 &&
	       (t->n == n || t->line[n] == ' ' || t->line[n] == '\t');
}

static bool
is_movingai(const char *p, size_t n)
{
	struct text t = {.at = p, .end = p + n};

	return read_line(&t) && starts_with(&t, "type");
}

/* The number behind a header word; 0: not in 1..PB_MAP_SIDE. */
static int
read_header_number(const struct text *t, const char *word)
{
	const char *s = t->line + strlen(word), *end = t->line + t->n;
	long v = 0;

	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	for (; s < end && *s >= '0' && *s <= '9'; s++)
		if (v <= PB_MAP_SIDE)
			v = 10 * v + (*s - '0');
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return s == end && v <= PB_MAP_SIDE ? (int)v : 0;
}

/* Read MovingAI's header: words in any order, then "map". */
static int
read_header(struct text *t, long *width, long *height)
{
	*width = *height = 0;
	while (read_line(t) && !starts_with(t, "map")) {
		bool w = starts_with(t, "width");
		const char *word = w ? "width" : "height";

		if (starts_with(t, word)) {
			int v = read_header_number(t, word);

			if (v == 0)
				return pb_error_file(t->f, t->name, t->no, word,
				    "expected a number in 1..%d", PB_MAP_SIDE);
			*(w ? width : height) = v;
		} else if (!starts_with(t, "type")) {
			return pb_error_file(t->f, t->name, t->no, NULL,
			    "expected type, height, width or map");
		}
	}
	if (*width == 0 || *height == 0)
		return pb_error_file(t->f, t->name, t->no,
		    *width == 0 ? "width" : "height", "missing");
	if ((size_t)(t->end - t->at) < (size_t)*width * (size_t)*height)
		return pb_error_file(t->f, t->name, 0, NULL,
		    "truncated: %ld x %ld cells need more than %td bytes",
		    *width, *height, t->end - t->at);
	return 0;
}

/* Allocate a map of that size, if allowed. */
static int
make_map(struct text *t, long width, long height, double resolution,
    struct pb_pose origin, struct pb_map *m)
{
	enum pb_status st = PB_ESIZE;
	char over[128];

	if (width > PB_MAP_SIDE || height > PB_MAP_SIDE)
		return pb_error_file_status(t->f, t->name, st);
	if (pb_cells_over(width, height, over))
		return pb_error_file(t->f, t->name, 0, NULL, "%s", over);
	st = pb_map_init(m, (int)width, (int)height, resolution, origin);
	return st == PB_OK ? 0 : pb_error_file_status(t->f, t->name, st);
}

/* Read the cells of m; rows of MovingAI must be complete. */
static int
read_rows(struct text *t, const struct signs *signs, struct pb_map *m)
{
	bool all = signs == &movingai_signs;

	for (int v = 0; v < m->height; v++) {
		bool more = read_line(t);

		if (all && !more)
			return pb_error_file(t->f, t->name, t->no, NULL,
			    "truncated: %d of %d rows", v, m->height);
		if (all && t->n != (size_t)m->width)
			return pb_error_file(t->f, t->name, t->no, NULL,
			    "expected %d cells, got %zu", m->width, t->n);
		if (read_row(t, signs, v, m) != 0)
			return -1;
	}
	return 0;
}

/* Write all rows from the top, one character a cell; MovingAI has no unknown,
 * so it becomes @, occupied. */
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

/* --- files of maps --- */

/* Report an error of a record as that of its file. Returns -1. */
static int
refuse_record(
    struct pb_error *f, const char *path, long line, const struct pb_error *bad)
{
	if (f != NULL)
		*f = *bad;
	return pb_error_at(f, path, line);
}

/* Convert the maze of the file at path to a map, with its own cell size. */
static int
convert_maze(const struct pb_maze *z, const char *path, struct pb_map *m,
    struct pb_error *f)
{
	enum pb_status st = pb_maze_to_map(z, 0, 0, m);
	struct pb_error bad;

	if (st == PB_OK)
		return 0;
	pb_error_status(&bad, "maze", st);
	return refuse_record(f, path, 0, &bad);
}

/* Like pb_mapfile_first(), for lines; path is for messages about the whole
 * file. */
static int
find_first(struct pb_lines *in, const char *path, uint64_t types, uint64_t want,
    struct pb_rec *r, struct pb_error *f)
{
	struct pb_line l = {.at = {path, 0}};
	struct pb_error bad = {.line = 0};
	enum pb_next got;

	while ((got = pb_lines_next(in, &l, &bad)) == PB_NEXT) {
		if (l.len == 0)
			continue;
		if (!pb_rec_read(l.text, l.len, want, r, &bad)) {
			pb_line_is_none(&l, &bad);
			break;
		}
		if (types & PB_REC_BIT(r->type))
			return 0;
		pb_rec_clear(r);
	}
	if (got == PB_END)
		return pb_error_file(f, path, 0, NULL,
		    "expected a %smaze record, got none",
		    types & PB_REC_BIT(PB_REC_MAP) ? "map or " : "");
	if (got == PB_HALT)
		bad = (struct pb_error){.kind = PB_ERROR_SYSTEM};
	return refuse_record(f, l.at.file, l.at.line, &bad);
}

/* Whether a file is the image or YAML of a map. */
static bool
holds_map(const char *path)
{
	const unsigned maps = PB_FILES_IMAGES | PB_FILES(PB_FILE_MAPYAML);
	struct pb_error bad;
	char *head;
	size_t n;
	bool is;

	if (pb_file_head(path, &head, &n, &bad) != 0)
		return false;
	is = PB_FILES(pb_filekind_of(head, n)) & maps;
	free(head);
	return is;
}

int
pb_mapfile_first(const char *path, uint64_t types, uint64_t want,
    struct pb_rec *r, struct pb_error *f)
{
	char *file[] = {(char *)path};
	struct pb_lines *in = pb_lines_new(file, 1);
	int rc = find_first(in, path, types, want, r, f);

	pb_lines_free(in);
	if (rc != 0 && !(types & PB_REC_BIT(PB_REC_MAP)) && holds_map(path))
		return pb_error_file(f, path, 0, NULL,
		    "is a map, where a maze is needed: \"pb-mapgen --as maze\" "
		    "makes one of at most %d x %d cells",
		    PB_MAZE_SIDE, PB_MAZE_SIDE);
	return rc;
}

/* Convert the first map or maze of the lines to a map; frees the lines. */
static int
read_records(
    struct pb_lines *in, const char *path, struct pb_map *m, struct pb_error *f)
{
	const uint64_t want = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE);
	struct pb_rec r;
	int rc = find_first(in, path, want, want, &r, f);

	pb_lines_free(in);
	if (rc != 0)
		return -1;
	if (r.type == PB_REC_MAZE) {
		rc = convert_maze(&r.maze, path, m, f);
	} else {
		*m = r.map;
		r.map = (struct pb_map){0};
	}
	pb_rec_clear(&r);
	return rc;
}

/* Most bytes of a map's YAML, which has seven keys. */
#define YAML_LIMIT ((size_t)1 << 20)

/* Most bytes of a board, of at most 64 x 64 cells; KML is verbose. */
#define BOARD_LIMIT ((size_t)16 << 20)

/* A file in memory. */
struct bytes {
	const char *path; /* for messages, and as the folder of the image */
	char *at;
	size_t n;
};

struct pb_mapfile_opts
pb_mapfile_defaults(void)
{
	return (struct pb_mapfile_opts){
	    .dialect = PB_DIALECT_PB, .free_above = -1};
}

/* The first byte that is not white space, 0: none. */
static char
first_mark(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strchr(" \t\r\n", bytes[i]) == NULL)
			return bytes[i];
	return '\0';
}

/* Whether text is among the bytes. */
static bool
has_text(const char *s, size_t n, const char *text)
{
	size_t k = strlen(text);

	for (size_t i = 0; i + k <= n; i++)
		if (s[i] == text[0] && memcmp(s + i, text, k) == 0)
			return true;
	return false;
}

/* Whether it is a nav_msgs/OccupancyGrid: an object with info and without
 * type. */
static bool
is_occgrid(const char *s, size_t n)
{
	return has_text(s, n, "\"info\"") && !has_text(s, n, "\"type\"");
}

/* The kind of a file by its first bytes or, of a text, its suffix. */
static enum pb_mapkind
find_kind(const char *path, const char *bytes, size_t n)
{
	if (pb_image_is(bytes, n) || pb_file_has_suffix(path, ".pgm") ||
	    pb_file_has_suffix(path, ".png") ||
	    pb_file_has_suffix(path, ".bmp"))
		return PB_MAPKIND_IMAGE;
	if (pb_boardfile_is(path, bytes, n))
		return PB_MAPKIND_BOARD;
	if (is_movingai(bytes, n) || pb_file_has_suffix(path, ".map"))
		return PB_MAPKIND_MOVINGAI;
	/* Compressed files and logs are left to the reader of streams. */
	if ((n > 0 && bytes[0] == 0x1f) || pb_carmen_begins(bytes, n))
		return PB_MAPKIND_RECORD;
	if (pb_file_has_suffix(path, ".yaml") ||
	    pb_file_has_suffix(path, ".yml"))
		return PB_MAPKIND_YAML;
	if (pb_file_has_suffix(path, ".txt") || is_rows(bytes, n))
		return PB_MAPKIND_TEXT;
	if (first_mark(bytes, n) != '{')
		return PB_MAPKIND_YAML;
	return is_occgrid(bytes, n < PB_FILE_HEAD ? n : PB_FILE_HEAD)
	           ? PB_MAPKIND_OCCGRID
	           : PB_MAPKIND_RECORD;
}

static const char *
skip_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

void
pb_mapfile_stem(const char *path, char *name, size_t size)
{
	const char *from = skip_folder(path);
	const char *dot = strrchr(from, '.');
	size_t n =
	    dot != NULL && dot > from ? (size_t)(dot - from) : strlen(from);

	/* Bytes that are no UTF-8 become U+FFFD, which is longer. */
	for (size_t len; n > 0; from += len, n -= len) {
		size_t good = pb_utf8_char(from, n), put = good > 0 ? good : 3;

		if (put > size - 1)
			break;
		memcpy(name, good > 0 ? from : "\xef\xbf\xbd", put);
		name += put;
		size -= put;
		len = good > 0 ? good : 1;
	}
	*name = '\0';
}

/* Report a missing image as an error of the YAML, with its line. */
static void
refuse_missing_image(const struct bytes *b, const struct pb_mapyaml *y,
    const char *image, struct pb_error *f)
{
	if (f == NULL || f->kind != PB_ERROR_MISSING)
		return;
	pb_error_file(f, b->path, y->line[PB_MAPKEY_IMAGE], "image",
	    "there is no file %.200s", image);
	f->kind = PB_ERROR_MISSING;
}

/* Formats that may hold a map, beside images. */
#define TEXTS                                                   \
	(PB_FILES(PB_FILE_GZIP) | PB_FILES(PB_FILE_UTF16) |     \
	    PB_FILES(PB_FILE_XML) | PB_FILES(PB_FILE_MAPYAML) | \
	    PB_FILES(PB_FILE_PRETTY))

/* Refuse zero bytes, except in UTF-16, which YAML may use: the file is no
 * text. */
static int
check_text(const char *name, const char *head, size_t n, struct pb_error *f)
{
	struct pb_error bad;
	bool odd = (n > 0 && *head == 0x1f) ||
	           pb_filekind_of(head, n) == PB_FILE_UTF16;

	if (!pb_filekind_check(TEXTS, head, n, &bad))
		return pb_error_file(f, name, 0, NULL, "%s", bad.text);
	if (n == 0 || odd || memchr(head, 0, n) == NULL)
		return 0;
	return pb_error_file(
	    f, name, 0, NULL, "not a map file: a zero byte among its first");
}

static struct pb_file_limit
find_limit(enum pb_mapkind kind)
{
	static const struct pb_file_limit
	    yaml = {YAML_LIMIT, "too large for the YAML of a map"},
	    board = {BOARD_LIMIT, "too large for a board"};

	if (kind == PB_MAPKIND_YAML)
		return yaml;
	if (kind == PB_MAPKIND_BOARD)
		return board;
	if (kind == PB_MAPKIND_RECORD)
		return (struct pb_file_limit){
		    (size_t)pb_max_line, "as much as --max-line allows"};
	return pb_image_limit();
}

/* Use the suffix of the path: the name of standard input has none. */
static int
check_head(void *user, const char *name, const char *head, size_t n,
    struct pb_file_limit *most, struct pb_error *f)
{
	enum pb_mapkind kind = find_kind(user, head, n);

	*most = find_limit(kind);
	if (kind == PB_MAPKIND_IMAGE)
		return pb_image_check(head, n, name, f);
	return check_text(name, head, n, f);
}

int
pb_mapfile_bytes(const char *path, char **bytes, size_t *n, struct pb_error *f)
{
	const struct pb_file_look any = {
	    .at = check_head, .user = (void *)path};

	return pb_file_read(path, &any, bytes, n, f);
}

static int
load_file(const char *path, struct bytes *b, struct pb_error *f)
{
	b->path = strcmp(path, "-") == 0 ? "<stdin>" : path;
	return pb_mapfile_bytes(path, &b->at, &b->n, f);
}

int
pb_mapkind_peek(const char *path, enum pb_mapkind *kind, struct pb_error *f)
{
	bool is_stdin = strcmp(path, "/dev/stdin") == 0;
	char *head = NULL;
	size_t n = 0;

	if (pb_file_head(path, &head, &n, f) != 0)
		return -1;
	*kind = find_kind(path, head, n);
	/* A pipe without suffix is taken as a stream of records, as from
	 * <(...), not as YAML. */
	if (*kind == PB_MAPKIND_YAML && n == 0 && !is_stdin &&
	    pb_file_is_pipe(path))
		*kind = PB_MAPKIND_RECORD;
	free(head);
	return 0;
}

/* Whether a head of that kind cannot be one of records. */
static bool
is_sure(const char *path, enum pb_mapkind kind, const char *head, size_t n)
{
	switch (kind) {
	case PB_MAPKIND_YAML:
		return pb_file_has_suffix(path, ".yaml") ||
		       pb_file_has_suffix(path, ".yml") ||
		       pb_filekind_of(head, n) == PB_FILE_MAPYAML;
	case PB_MAPKIND_MOVINGAI:
		return is_movingai(head, n);
	case PB_MAPKIND_TEXT:
		return first_mark(head, n) != '\0' && is_rows(head, n);
	case PB_MAPKIND_RECORD:
		return false;
	case PB_MAPKIND_OCCGRID: /* a message of rosbridge is a record */
		return !pb_rosbridge_is(head, n);
	case PB_MAPKIND_BOARD: /* a grid of numbers may be poses */
		return !pb_tum_is(head, strcspn(head, "\r\n"));
	default:
		return true;
	}
}

bool
pb_mapkind_is_operand(const char *path)
{
	struct pb_error f;
	char *head;
	size_t n;
	bool is;

	if (pb_file_head(path, &head, &n, &f) != 0)
		return false;
	is = n > 0 && is_sure(path, find_kind(path, head, n), head, n);
	free(head);
	return is;
}

int
pb_mapfile_yaml(const char *path, struct pb_mapyaml *y, struct pb_error *f)
{
	struct bytes b;
	int rc;

	*y = pb_mapyaml_defaults();
	if (load_file(path, &b, f) != 0)
		return -1;
	rc = pb_mapyaml_parse(b.at, b.n, b.path, y, f);
	free(b.at);
	return rc;
}

/* Conversion of pixels to cells, k x k pixels to one. */
struct pixels {
	const struct bytes *b; /* file of the YAML, or of a single image */
	const char *name;      /* of the image */
	const struct pb_mapfile_opts *o;
	struct pb_mapyaml y;
	int k;
	int width, height; /* of the image */
	struct pb_pixel_reader reader;
	signed char *cell; /* of a row of pixels, if k > 1; owned */
	struct pb_map m;   /* owned */
	struct pb_mapfile_notes *notes;
};

/* Allocate the map by the YAML and the options. */
static bool
begin_cells(void *user, const struct pb_image *im, struct pb_error *f)
{
	struct pixels *p = user;
	const struct pb_mapfile_opts *o = p->o;
	double resolution = o->resolution > 0 ? o->resolution : p->y.resolution;
	struct pb_pixel_opts *px = &p->notes->px;
	enum pb_status st;
	char over[128];

	*px = p->y.px;
	px->dialect = o->dialect;
	px->free_above = o->free_above;
	if (!(resolution > 0))
		return pb_error_file(f, p->b->path, 0, "resolution",
			   "an image has none; give pb-mapgen --resolution") ==
		       0;
	if (!o->has_origin &&
	    pb_mapyaml_check_origin(&p->y, resolution, p->b->path, f) != 0)
		return false;
	if (pb_pixel_check(px) != PB_OK)
		return pb_mapyaml_order_fault(&p->y, p->b->path, f) == 0;
	if (pb_cells_over((im->width + p->k - 1) / p->k,
		(im->height + p->k - 1) / p->k, over))
		return pb_error_file(f, p->name, 0, NULL, "%s, coarsened by %d",
			   over, p->k) == 0;
	st = pb_map_coarse_init(&p->m, p->k, im->width, im->height, resolution,
	    o->has_origin ? o->origin : p->y.origin);
	if (st != PB_OK)
		return pb_error_file_status(f, p->name, st) == 0;
	p->width = im->width;
	p->height = im->height;
	p->m.deformation = o->resolution > 0 ? 0 : p->y.deformation;
	p->reader = pb_pixel_reader(px, im->channels);
	if (p->k > 1)
		p->cell = pb_alloc((size_t)im->width, 1);
	return true;
}

static void
add_cells(void *user, int v, const unsigned char *sample)
{
	struct pixels *p = user;
	int row = p->height - 1 - v;

	pb_pixel_row(&p->reader, sample, (size_t)p->width,
	    p->k > 1
		? p->cell
		: p->m.cell + pb_map_index(&p->m, (struct pb_cell){0, row}));
	if (p->k > 1)
		pb_map_coarse_add(&p->m, p->k, 0, row, p->cell, p->width);
}

static int
read_pixels(const struct bytes *b, const struct pb_mapfile_opts *o,
    struct pb_map *m, struct pb_mapfile_notes *notes, struct pb_error *f)
{
	bool indices =
	    o->dialect == PB_DIALECT_ROS1 || o->dialect == PB_DIALECT_ROS1_99;
	struct pixels p = {.b = b,
	    .name = b->path,
	    .o = o,
	    .y = pb_mapyaml_defaults(),
	    .k = o->coarsen > 1 ? o->coarsen : 1,
	    .notes = notes};
	const struct pb_image_rows to = {
	    begin_cells, add_cells, &p, .large = p.k > 1};
	char *image = NULL;
	int rc;

	notes->coarse = p.k > 1;
	if (notes->kind == PB_MAPKIND_YAML) {
		if (pb_mapyaml_parse(b->at, b->n, b->path, &p.y, f) != 0)
			return -1;
		notes->line = p.y.line[PB_MAPKEY_IMAGE];
		p.name = image =
		    pb_mapyaml_image_path(&p.y, b->path, notes->warning);
		if ((rc = pb_image_walk(image, indices, &to, f)) != 0)
			refuse_missing_image(b, &p.y, image, f);
	} else if (b->at == NULL) {
		rc = pb_image_walk(b->path, indices, &to, f);
	} else {
		rc = pb_image_rows_of(b->at, b->n, b->path, indices, &to, f);
	}
	if (rc == 0) {
		*m = p.m;
		notes->count = pb_pixel_counted(&p.reader);
	} else {
		pb_map_clear(&p.m);
	}
	free(p.cell);
	free(image);
	pb_mapyaml_clear(&p.y);
	return rc;
}

static int
read_text(const struct bytes *b, const struct pb_mapfile_opts *o,
    struct pb_map *m, struct pb_mapfile_notes *notes, struct pb_error *f)
{
	bool rows = notes->kind == PB_MAPKIND_TEXT;
	double r = o->resolution > 0 ? o->resolution : PB_MAPFILE_CELL;
	struct text t = {
	    .at = b->at, .end = b->at + b->n, .name = b->path, .f = f};
	long width, height;

	notes->assumed_resolution = !(o->resolution > 0);
	if ((rows ? measure_text(t, &width, &height)
		  : read_header(&t, &width, &height)) != 0 ||
	    make_map(&t, width, height, r, o->origin, m) != 0)
		return -1;
	if (read_rows(&t, rows ? &row_signs : &movingai_signs, m) == 0)
		return 0;
	pb_map_clear(m);
	return -1;
}

void
pb_mapfile_overrule(const struct pb_mapfile_opts *o, struct pb_map *m)
{
	if (o->resolution > 0)
		m->resolution = o->resolution;
	if (o->has_origin)
		m->origin = o->origin;
}

/* Read the message {"info":{...},"data":[...]}, alone or as the "msg" of a
 * rosbridge envelope. The yaw of its orientation becomes that of the map. */
static int
read_occgrid(const struct bytes *b, const struct pb_mapfile_opts *o,
    struct pb_map *m, struct pb_error *f)
{
	struct pb_ros_message got;
	struct pb_error bad;
	struct pb_json line;
	struct pb_get g, inner, *msg = &g;
	size_t n = b->n;
	bool ok;

	while (n > 0 && strchr(" \t\r\n", b->at[n - 1]) != NULL)
		n--;
	if (!pb_json_open(&line, b->at, n, "", &g, &bad))
		return refuse_record(f, b->path, 0, &bad);
	if (pb_get_value(&g, "msg") &&
	    pb_get_object(&g, "msg", PB_REQUIRED, &inner))
		msg = &inner;
	ok = line.ok && pb_ros_get(&got, PB_ROS_GRID, msg);
	pb_json_close(&line);
	if (!ok)
		return refuse_record(f, b->path, 0, &bad);
	*m = got.grid.map;
	pb_mapfile_overrule(o, m);
	return 0;
}

/* Read b as a file of the kind in notes. */
static int
read_kind(const struct bytes *b, const struct pb_mapfile_opts *o,
    struct pb_map *m, struct pb_mapfile_notes *notes, struct pb_error *f)
{
	struct pb_maze z;
	int rc;

	switch (notes->kind) {
	case PB_MAPKIND_YAML:
	case PB_MAPKIND_IMAGE:
		return read_pixels(b, o, m, notes, f);
	case PB_MAPKIND_MOVINGAI:
	case PB_MAPKIND_TEXT:
		return read_text(b, o, m, notes, f);
	case PB_MAPKIND_OCCGRID:
		return read_occgrid(b, o, m, f);
	case PB_MAPKIND_BOARD:
		rc = pb_boardfile_decode(b->path, b->at, b->n, 0, &z, f);
		if (rc == 0)
			rc = convert_maze(&z, b->path, m, f);
		break;
	default:
		rc = read_records(
		    pb_lines_text(b->path, b->at, b->n), b->path, m, f);
	}
	if (rc == 0)
		pb_mapfile_overrule(o, m);
	return rc;
}

/* Whether path is a regular file of that kind. Records may be compressed and
 * long, so they are read as lines. */
static bool
is_file_of(const char *path, enum pb_mapkind kind)
{
	enum pb_mapkind is;

	return pb_file_is_regular(path) &&
	       pb_mapkind_peek(path, &is, NULL) == 0 && is == kind;
}

int
pb_mapfile_decode(const char *path, const char *bytes, size_t n,
    const struct pb_mapfile_opts *o, struct pb_map *m,
    struct pb_mapfile_notes *notes, struct pb_error *f)
{
	const struct pb_mapfile_opts usual = pb_mapfile_defaults();
	const struct bytes b = {path, (char *)bytes, n};
	struct pb_mapfile_notes got = {.kind = find_kind(path, bytes, n)};

	if (read_kind(&b, o != NULL ? o : &usual, m, &got, f) != 0)
		return -1;
	if (notes != NULL)
		*notes = got;
	return 0;
}

/* Read a file of another kind in memory. */
static int
read_whole(const char *path, const struct pb_mapfile_opts *o, struct pb_map *m,
    struct pb_mapfile_notes *notes, struct pb_error *f)
{
	struct bytes b;
	int rc;

	if (load_file(path, &b, f) != 0)
		return -1;
	rc = pb_mapfile_decode(b.path, b.at, b.n, o, m, notes, f);
	free(b.at);
	return rc;
}

int
pb_mapfile_read(const char *path, const struct pb_mapfile_opts *o,
    struct pb_map *m, struct pb_mapfile_notes *notes, struct pb_error *f)
{
	struct pb_mapfile_notes n = {.kind = PB_MAPKIND_RECORD};
	const struct bytes unread = {.path = path};
	struct pb_map got = {0};
	char *file[] = {(char *)path};

	if (o != NULL && o->coarsen > 1 && is_file_of(path, PB_MAPKIND_IMAGE)) {
		n.kind = PB_MAPKIND_IMAGE;
		if (read_pixels(&unread, o, &got, &n, f) != 0)
			return -1;
	} else if (!is_file_of(path, PB_MAPKIND_RECORD)) {
		if (read_whole(path, o, &got, &n, f) != 0)
			return -1;
	} else if (read_records(pb_lines_new(file, 1), path, &got, f) != 0) {
		return -1;
	} else if (o != NULL) {
		pb_mapfile_overrule(o, &got);
	}
	if (got.name[0] == '\0' && strcmp(path, "-") != 0 &&
	    strncmp(path, "/dev/", 5) != 0)
		pb_mapfile_stem(path, got.name, sizeof(got.name));
	*m = got;
	if (notes != NULL)
		*notes = n;
	return 0;
}

enum saved { SAVED_NOT, SAVED_PGM, SAVED_PNG, SAVED_MOVINGAI, SAVED_ROWS };

static const struct {
	const char *suffix;
	enum saved as;
} suffixes[] = {
    {".yaml", SAVED_PGM},
    {".yml", SAVED_PGM},
    {".pgm", SAVED_PGM},
    {".png", SAVED_PNG},
    {".map", SAVED_MOVINGAI},
    {".txt", SAVED_ROWS},
};

/* How to write the file at path; *stem: its length without suffix. */
static enum saved
find_format(const char *path, size_t *stem)
{
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		if (!pb_file_has_suffix(path, suffixes[i].suffix))
			continue;
		*stem = strlen(path) - strlen(suffixes[i].suffix);
		if (path[*stem - 1] != '/')
			return suffixes[i].as;
	}
	return SAVED_NOT;
}

bool
pb_mapfile_writable(const char *path)
{
	size_t stem;

	return find_format(path, &stem) != SAVED_NOT;
}

size_t
pb_mapfile_lost(const char *path, const struct pb_map *m)
{
	size_t stem, n = 0;
	enum saved as = find_format(path, &stem);

	if (as != SAVED_MOVINGAI && as != SAVED_ROWS)
		return 0;
	for (size_t i = 0; i < pb_map_cells(m); i++) {
		int v = m->cell[i];

		n += v != 0 && v != 100 &&
		     (v != PB_CELL_UNKNOWN || as == SAVED_MOVINGAI);
	}
	return n;
}

static int
save_text(
    const char *path, enum saved as, const struct pb_map *m, struct pb_error *f)
{
	struct pb_file w;

	if (pb_file_create(path, &w, f) != 0)
		return -1;
	if (as == SAVED_MOVINGAI) {
		fprintf(w.out, "type octile\nheight %d\nwidth %d\nmap\n",
		    m->height, m->width);
		write_rows(w.out, m, '.', 'T', '@');
	} else {
		write_rows(w.out, m, '.', '#', '?');
	}
	return pb_file_finish(&w, f);
}

static int
write_image(const char *path, enum saved as, const struct pb_map *m,
    struct pb_file *w, struct pb_error *f)
{
	struct pb_image im;
	int rc;

	if (pb_pixel_image(m, &im) != PB_OK)
		pb_msg_end_memory();
	rc = pb_file_create(path, w, f);
	if (rc == 0)
		rc = as == SAVED_PNG ? pb_png_write(w->out, path, &im, f)
		                     : pb_pgm_write(w->out, path, &im, f);
	if (rc == 0)
		rc = pb_file_sync(w, f);
	pb_image_clear(&im);
	return rc;
}

static int
write_yaml(const char *path, const char *image, const struct pb_map *m,
    struct pb_file *w, struct pb_error *f)
{
	const struct pb_mapyaml y = {.image = (char *)skip_folder(image),
	    .resolution = m->resolution,
	    .origin = m->origin,
	    .px = pb_pixel_fit(m),
	    .deformation = m->deformation};

	if (pb_file_create(path, w, f) != 0)
		return -1;
	pb_mapyaml_write(w->out, &y);
	return pb_file_sync(w, f);
}

/* Refuse names that are no UTF-8: the YAML names the image. */
static int
check_utf8(const char *image, struct pb_error *f)
{
	const char *s = skip_folder(image);

	for (size_t left = strlen(s), n; left > 0; s += n, left -= n)
		if ((n = pb_utf8_char(s, left)) == 0)
			return pb_error_file(f, image, 0, NULL,
			    "expected a name in UTF-8, as the YAML of a map "
			    "is");
	return 0;
}

/* Write both files completely before either gets its name. */
static int
save_pair(const char *yaml, const char *image, enum saved as,
    const struct pb_map *m, struct pb_error *f)
{
	struct pb_file wi = {0}, wy = {0};
	int rc = check_utf8(image, f);

	if (rc == 0)
		rc = write_image(image, as, m, &wi, f);
	if (rc == 0)
		rc = write_yaml(yaml, image, m, &wy, f);
	if (rc == 0)
		rc = pb_file_commit(&wi, f);
	if (rc == 0)
		rc = pb_file_commit(&wy, f);
	pb_file_abandon(&wi);
	pb_file_abandon(&wy);
	return rc;
}

int
pb_mapfile_write(const char *path, const struct pb_map *m, struct pb_error *f)
{
	size_t stem = 0;
	enum saved as = find_format(path, &stem);
	bool is_image = as == SAVED_NOT || strcmp(path + stem, ".pgm") == 0 ||
	                strcmp(path + stem, ".png") == 0;
	char *other;
	int rc;

	if (as == SAVED_NOT)
		return pb_error_file(f, path, 0, NULL,
		    "expected a name in .yaml, .pgm, .png, .map or .txt");
	if (as == SAVED_MOVINGAI || as == SAVED_ROWS)
		return save_text(path, as, m, f);
	other = pb_file_name(
	    "%.*s%s", (int)stem, path, is_image ? ".yaml" : ".pgm");
	rc = is_image ? save_pair(other, path, as, m, f)
	              : save_pair(path, other, as, m, f);
	free(other);
	return rc;
}
