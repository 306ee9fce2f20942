/* boardfile.c - files of boards: drawings, numbers, KML. */
#include "io/file/mapfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <expat.h>

#include "base/elementary.h"
#include "io/stream/file.h"
#include "io/stream/line.h"
#include "io/stream/text.h"
#include "map/board.h"
#include "pb/geom.h"

/* --- KML --- */

/*
 * Boards in KML 2.2, as drawn in a map program. Placemarks: a LineString is a
 * chain of walls along the sides of cells; the name of a Point says what is in
 * its cell: start, power, goal, bare (no pellet), reset:GHOST and home:GHOST
 * with Blinky, Pinky, Inky or Clyde. The Point "origin" is the lower left
 * corner of the board, "cell" the upper right corner of the first cell: their
 * distance gives the side of a cell. Other points mark a cell; other elements
 * are ignored. If there are points, cells that cannot be reached from any are
 * no cells; each other cell holds a pellet unless it is bare, the start, a goal
 * or a reset point.
 *
 * A flat earth is exact enough for a room: x = (lon - lon0) cos(lat0) 111320, y
 * = (lat - lat0) 110574 (m).
 */

/* Default side of a cell: the roomba board's (m). */
#define KML_CELL 0.43

/* Greatest distance of a corner from the lattice (cells). */
#define KML_OFF 0.2

#define METRES_LON 111320.0  /* of a degree on the equator (m) */
#define METRES_LAT 110574.0  /* of a degree along a meridian (m) */
#define TEXT_MAX   (1 << 19) /* bytes of one element's text */
#define CORNERS    100000    /* most corners of all chains */
#define POINTS     10000

/* In the order of a maze's places. */
static const char *const ghost_name[4] = {"Blinky", "Pinky", "Inky", "Clyde"};

/* A corner of a chain, or a point: longitude, latitude (degrees). */
struct corner {
	double lon, lat;
	bool first; /* of its chain */
	long line;
	int at[2]; /* of a corner: on the lattice, right and up (cells) */
};

struct point {
	char name[32];
	struct corner at;
};

struct kml {
	XML_Parser xml;
	const char *file;
	struct pb_error *f;
	bool failed;
	struct pb_text text;   /* of the current element */
	char name[32];         /* of the current placemark */
	bool chain, inside;    /* a LineString; a Placemark */
	struct corner *corner; /* owned */
	int corners;
	size_t from;         /* first corner of the current placemark */
	struct point *point; /* owned */
	int points;

	struct corner origin;
	double cell; /* side of a cell (m) */
};

/* Refuse the file; the first message stays. Returns false. */
static bool
refuse_file(struct kml *k, long line, const char *text)
{
	if (!k->failed)
		pb_error_file(k->f, k->file, line, NULL, "%s", text);
	k->failed = true;
	XML_StopParser(k->xml, XML_FALSE);
	return false;
}

/* Compare names without prefix: kml:Point is Point. */
static bool
is_element(const char *element, const char *name)
{
	const char *colon = strrchr(element, ':');

	return strcmp(colon != NULL ? colon + 1 : element, name) == 0;
}

static void XMLCALL
on_start(void *user, const char *element, const char **attribute)
{
	struct kml *k = user;

	(void)attribute;
	k->text.len = 0;
	if (is_element(element, "Placemark")) {
		k->name[0] = '\0';
		k->inside = true;
		k->chain = false;
		k->from = (size_t)k->corners;
	} else if (is_element(element, "LineString")) {
		k->chain = true;
	}
}

static void XMLCALL
on_text(void *user, const char *s, int n)
{
	struct kml *k = user;

	if (k->text.len + (size_t)n > TEXT_MAX)
		refuse_file(k, (long)XML_GetCurrentLineNumber(k->xml),
		    "more than half a megabyte of text in one element");
	else
		pb_text_put(&k->text, s, (size_t)n);
}

/* Read "lon,lat[,alt]" at *s, and move *s behind it. */
static bool
read_tuple(const char **s, struct corner *c)
{
	char *end;

	c->lon = strtod(*s, &end);
	if (end == *s || *end != ',')
		return false;
	*s = end + 1;
	c->lat = strtod(*s, &end);
	if (end == *s)
		return false;
	*s = end;
	if (*end == ',')
		strtod(end + 1, &end);
	if (*end != '\0' && strchr(" \t\r\n", *end) == NULL)
		return false;
	*s = end;
	return fabs(c->lon) <= 360 && fabs(c->lat) < 90;
}

/* Read all tuples of a coordinates element. */
static bool
read_coordinates(struct kml *k)
{
	long line = (long)XML_GetCurrentLineNumber(k->xml);
	const char *s;
	bool first = true;

	pb_text_put(&k->text, "", 1);
	s = k->text.s;
	for (;;) {
		struct corner c = {.first = first, .line = line};

		s += strspn(s, " \t\r\n");
		if (*s == '\0')
			return true;
		if (!read_tuple(&s, &c))
			return refuse_file(k, line,
			    "coordinates: expected longitude,latitude in "
			    "degrees with blanks between");
		if (k->corners == CORNERS)
			return refuse_file(k, line, "more than 100000 corners");
		k->corner[k->corners++] = c;
		first = false;
	}
}

/* A placemark without a chain is a point at its first coordinates. */
static void
end_placemark(struct kml *k)
{
	struct point *p = &k->point[k->points];

	k->inside = false;
	if (k->chain || (size_t)k->corners == k->from)
		return;
	if (k->points == POINTS) {
		refuse_file(
		    k, k->corner[k->from].line, "more than 10000 points");
		return;
	}
	memcpy(p->name, k->name, sizeof(p->name));
	p->at = k->corner[k->from];
	k->points++;
	k->corners = (int)k->from;
}

static void XMLCALL
on_end(void *user, const char *element)
{
	struct kml *k = user;

	if (!k->inside)
		return;
	if (is_element(element, "name")) {
		size_t n = k->text.len < sizeof(k->name) ? k->text.len : 0;

		memcpy(k->name, n > 0 ? k->text.s : "", n);
		k->name[n] = '\0';
	} else if (is_element(element, "coordinates")) {
		read_coordinates(k);
	} else if (is_element(element, "Placemark")) {
		end_placemark(k);
	}
	k->text.len = 0;
}

/* Refuse document types: entities can expand a small file to gigabytes. */
static void XMLCALL
on_doctype(void *user, const char *name, const char *sys, const char *pub,
    int internal)
{
	struct kml *k = user;

	(void)name;
	(void)sys;
	(void)pub;
	(void)internal;
	refuse_file(k, (long)XML_GetCurrentLineNumber(k->xml),
	    "KML has no document type: remove <!DOCTYPE>");
}

static void
parse_xml(struct kml *k, const char *p, int n)
{
	enum XML_Error e;

	XML_SetUserData(k->xml, k);
	XML_SetElementHandler(k->xml, on_start, on_end);
	XML_SetCharacterDataHandler(k->xml, on_text);
	XML_SetStartDoctypeDeclHandler(k->xml, on_doctype);
	if (XML_Parse(k->xml, p, n, true) == XML_STATUS_OK)
		return;
	e = XML_GetErrorCode(k->xml);
	if (e == XML_ERROR_NO_MEMORY && !k->failed)
		pb_msg_end_memory();
	/* Keep the message of a handler that stopped the parser. */
	refuse_file(
	    k, (long)XML_GetCurrentLineNumber(k->xml), XML_ErrorString(e));
}

/* The point called name, NULL if there is none. */
static const struct point *
find_point(const struct kml *k, const char *name)
{
	for (int i = 0; i < k->points; i++)
		if (strcmp(k->point[i].name, name) == 0)
			return &k->point[i];
	return NULL;
}

/* Position of c relative to the origin (cells). */
static struct pb_vec
to_cells(const struct kml *k, const struct corner *c)
{
	double shrink = pb_cos(k->origin.lat * PB_PI / 180);

	return (struct pb_vec){
	    (c->lon - k->origin.lon) * shrink * METRES_LON / k->cell,
	    (c->lat - k->origin.lat) * METRES_LAT / k->cell};
}

/* Snap c to the nearest corner of the lattice; false, with an error: none is
 * near. */
static bool
snap_corner(struct kml *k, struct corner *c)
{
	struct pb_vec v = to_cells(k, c);
	double x = floor(v.x + 0.5), y = floor(v.y + 0.5);
	char text[128];

	if (fabs(v.x - x) > KML_OFF || fabs(v.y - y) > KML_OFF) {
		snprintf(text, sizeof(text),
		    "a wall's corner is off the lattice: %.2f, %.2f cells of "
		    "%g m from the origin",
		    v.x, v.y, k->cell);
		return refuse_file(k, c->line, text);
	}
	if (x < 0 || y < 0 || x > PB_MAZE_SIDE || y > PB_MAZE_SIDE)
		return refuse_file(k, c->line,
		    "a wall's corner is outside of 64 x 64 cells from the "
		    "origin");
	c->at[0] = (int)x;
	c->at[1] = (int)y;
	return true;
}

/* Set the size of the board to the extent of its walls. */
static bool
measure_board(struct kml *k, struct pb_maze *z)
{
	for (int i = 0; i < k->corners; i++) {
		struct corner *c = &k->corner[i];

		if (!snap_corner(k, c))
			return false;
		z->cols = c->at[0] > z->cols ? c->at[0] : z->cols;
		z->rows = c->at[1] > z->rows ? c->at[1] : z->rows;
	}
	return (z->cols > 0 && z->rows > 0) ||
	       refuse_file(
		   k, 0, "expected LineStrings around at least one cell");
}

/* Add the wall from corner a to corner b of the lattice, y upwards. */
static void
add_wall(struct pb_maze *z, const int a[2], const int b[2])
{
	int dx = (b[0] > a[0]) - (b[0] < a[0]);
	int dy = (b[1] > a[1]) - (b[1] < a[1]);

	for (int x = a[0], y = a[1]; x != b[0] || y != b[1]; x += dx, y += dy) {
		/* The cell below or left of the wall. */
		int col = dx > 0 ? x : x - 1;
		int up = dy > 0 ? y : y - 1;
		enum pb_dir d = dx != 0 ? PB_UP : PB_RIGHT;

		if (up >= 0 && up < z->rows - (dx != 0) && col >= 0 &&
		    col < z->cols - (dy != 0))
			pb_maze_side(z, z->rows - 1 - up, col, d, true);
	}
}

static bool
add_walls(struct kml *k, struct pb_maze *z)
{
	for (int i = 0; i < k->corners; i++) {
		const struct corner *a, *b = &k->corner[i];

		if (b->first)
			continue;
		a = b - 1;
		if (a->at[0] != b->at[0] && a->at[1] != b->at[1])
			return refuse_file(k, b->line,
			    "a wall runs askew: expected east, west, north or "
			    "south");
		add_wall(z, a->at, b->at);
	}
	return true;
}

/* The index of the ghost in "home:Inky" with the prefix "home:", -1: none. */
static int
find_ghost(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	for (int i = 0; i < 4; i++)
		if (strncmp(name, prefix, n) == 0 &&
		    strcmp(name + n, ghost_name[i]) == 0)
			return i;
	return -1;
}

/* Set what p says of its cell; ghosts and homes are collected as bits. */
static void
apply_point(struct pb_maze *z, const struct point *p, int row, int col)
{
	static const struct {
		const char *name;
		char cell;
	} says[] = {{"start", PB_MAZE_EMPTY}, {"bare", PB_MAZE_EMPTY},
	    {"power", PB_MAZE_POWER}, {"goal", PB_MAZE_GOAL},
	    {"pellet", PB_MAZE_PELLET}, {"wall", PB_MAZE_WALL}};
	struct pb_maze_place here = {row, col, PB_STAY};
	int reset = find_ghost(p->name, "reset:"),
	    home = find_ghost(p->name, "home:");

	for (size_t i = 0; i < sizeof(says) / sizeof(*says); i++)
		if (strcmp(p->name, says[i].name) == 0)
			z->cell[row][col] = says[i].cell;
	if (strcmp(p->name, "start") == 0)
		z->start = here;
	if (reset >= 0) {
		z->cell[row][col] = PB_MAZE_EMPTY;
		z->ghost[reset] = here;
		z->ghosts |= 1 << reset;
	}
	if (home >= 0) {
		z->home[home] = here;
		z->homes |= 1 << home;
	}
}

/* The number of ghosts in bits; -1 if one is missing before another. */
static int
count_bits(int bits)
{
	int n = 0;

	while (bits >> n & 1)
		n++;
	return bits >> n == 0 ? n : -1;
}

/* Find the cell of p; false: outside of the board, or p marks no cell. */
static bool
find_cell(const struct kml *k, const struct point *p, const struct pb_maze *z,
    int *row, int *col)
{
	struct pb_vec v = to_cells(k, &p->at);

	if (!(v.x >= 0 && v.x < z->cols && v.y >= 0 && v.y < z->rows))
		return false;
	*row = z->rows - 1 - (int)v.y;
	*col = (int)v.x;
	/* Points that define the lattice mark no cell. */
	return strcmp(p->name, "origin") != 0 && strcmp(p->name, "cell") != 0;
}

/* Whether p must be in a cell: the game needs it. */
static bool
is_needed(const struct point *p)
{
	return strncmp(p->name, "reset:", 6) == 0 ||
	       strncmp(p->name, "home:", 5) == 0 ||
	       strcmp(p->name, "start") == 0;
}

static bool
apply_points(struct kml *k, struct pb_maze *z)
{
	int row, col;

	for (int i = 0; i < k->points; i++) {
		const struct point *p = &k->point[i];

		if (find_cell(k, p, z, &row, &col))
			apply_point(z, p, row, col);
		else if (is_needed(p))
			return refuse_file(
			    k, p->at.line, "a point is outside of the walls");
	}
	z->ghosts = count_bits(z->ghosts);
	z->homes = count_bits(z->homes);
	return (z->ghosts >= 0 && z->homes >= 0) ||
	       refuse_file(k, 0,
		   "expected Blinky, Pinky, Inky, Clyde in this order, without gaps");
}

/* Remove cells that cannot be reached from any point. */
static void
remove_unreached(const struct kml *k, struct pb_maze *z)
{
	bool seen[PB_MAZE_SIDE][PB_MAZE_SIDE] = {{false}};
	short order[PB_MAZE_SIDE * PB_MAZE_SIDE];
	int row, col;
	bool any = false;

	for (int i = 0; i < k->points; i++) {
		if (!find_cell(k, &k->point[i], z, &row, &col))
			continue;
		if (!seen[row][col] && pb_maze_open(z, row, col))
			pb_maze_reach(z, row, col, seen, order);
		any = true;
	}
	for (int r = 0; any && r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			if (!seen[r][c])
				z->cell[r][c] = PB_MAZE_WALL;
}

/* The side of a cell by the point "cell", else the default (m). */
static double
measure_cell(struct kml *k)
{
	const struct point *p = find_point(k, "cell");
	double side;

	k->cell = 1;
	side = p != NULL ? to_cells(k, &p->at).x : 0;
	/* Round to 1 um, finer than any drawing. */
	return side > 0 ? floor(side * 1e6 + 0.5) / 1e6 : KML_CELL;
}

/* Build the board from the placemarks; false with k->failed set. */
static bool
make_board(struct kml *k, double cell, struct pb_maze *z)
{
	const struct point *o = find_point(k, "origin");
	bool ok;

	*z = (struct pb_maze){.start = {.row = -1}};
	memset(z->cell, PB_MAZE_PELLET, sizeof(z->cell[0]) * PB_MAZE_SIDE);
	if (o == NULL)
		return refuse_file(k, 0, "expected a Point called origin");
	k->origin = o->at;
	z->pitch = k->cell = cell > 0 ? cell : measure_cell(k);
	ok = measure_board(k, z) && add_walls(k, z) && apply_points(k, z);
	if (ok)
		remove_unreached(k, z);
	pb_maze_tidy(z);
	return ok;
}

/* Read the board in p[0..n); cell: its side (m), 0: as the file says. */
static int
read_kml(const char *p, size_t n, const char *name, double cell,
    struct pb_maze *z, struct pb_error *f)
{
	struct kml k = {.xml = XML_ParserCreate(NULL), .file = name, .f = f};
	struct pb_maze got;

	if (k.xml == NULL)
		pb_msg_end_memory();
	k.corner = pb_resize(NULL, CORNERS * sizeof(*k.corner));
	k.point = pb_resize(NULL, (POINTS + 1) * sizeof(*k.point));
	parse_xml(&k, p, (int)n); /* see BOARD_LIMIT */
	if (!k.failed && make_board(&k, cell, &got))
		*z = got;
	XML_ParserFree(k.xml);
	pb_text_clear(&k.text);
	free(k.corner);
	free(k.point);
	return k.failed ? -1 : 0;
}

/* --- boards of all kinds --- */

enum kind {
	NONE,
	DRAWING, /* see board.h */
	GRID,    /* integers, see board.h */
	KML
};

static enum kind
kind_by_suffix(const char *path)
{
	if (pb_file_has_suffix(path, ".board"))
		return DRAWING;
	if (pb_file_has_suffix(path, ".zumy"))
		return GRID;
	return pb_file_has_suffix(path, ".kml") ? KML : NONE;
}

/* The kind of a file by its first bytes and its suffix. */
static enum kind
find_kind(const char *path, const char *bytes, size_t n)
{
	size_t i = 0;
	enum kind kind = kind_by_suffix(path);

	if (kind != NONE)
		return kind;
	if (pb_board_is(bytes, n))
		return DRAWING;
	if (pb_board_is_grid(bytes, n))
		return GRID;
	while (i < n && strchr(" \t\r\n", bytes[i]) != NULL && bytes[i] != '\0')
		i++;
	return i < n && bytes[i] == '<' ? KML : NONE;
}

bool
pb_boardfile_is(const char *path, const char *bytes, size_t n)
{
	return find_kind(path, bytes, n) != NONE;
}

int
pb_boardfile_decode(const char *path, const char *p, size_t n, double cell,
    struct pb_maze *z, struct pb_error *f)
{
	enum kind kind = find_kind(path, p, n);
	struct pb_board_fault b;
	enum pb_status st;

	if (kind == KML)
		return read_kml(p, n, path, cell, z, f);
	st = kind == GRID ? pb_board_parse_grid(p, n, z, &b)
	                  : pb_board_parse(p, n, z, &b);
	if (st == PB_OK)
		return 0;
	if (b.column > 0)
		return pb_error_file(f, path, b.line, NULL,
		    "column %ld: expected %s", b.column, b.text);
	return pb_error_file(f, path, b.line, NULL, "expected %s", b.text);
}

/* Write a line behind the drawing. */
static void
write_places(const char *key, const struct pb_maze_place *p, int n, FILE *out)
{
	for (int i = 0; i < n; i++) {
		fprintf(out, "%s%d,%d", i > 0 ? " " : key, p[i].row, p[i].col);
		if (p[i].dir != PB_STAY)
			fprintf(out, ",%s", pb_board_dir[p[i].dir]);
	}
	if (n > 0)
		putc('\n', out);
}

/* Write places and headings of robots that letters cannot show. */
static void
write_robots(const struct pb_maze *z, const struct pb_maze *drawn, FILE *out)
{
	bool looks = false;

	for (int i = 0; i < z->ghosts; i++)
		looks |= z->ghost[i].dir != PB_STAY;
	if (z->start.row >= 0 &&
	    (drawn->start.row < 0 || z->start.dir != PB_STAY))
		write_places("start ", &z->start, 1, out);
	if (drawn->ghosts < z->ghosts || looks)
		write_places("ghosts ", z->ghost, z->ghosts, out);
}

static void
write_drawing(const struct pb_maze *z, FILE *out)
{
	const struct pb_maze drawn = pb_board_drawn(z);
	char line[PB_BOARD_LINE], number[PB_NUM_MAX];

	for (int i = 0; i < PB_BOARD_LINES(z); i++) {
		pb_board_line(&drawn, i, line);
		fprintf(out, "%s\n", line);
	}
	if (z->name[0] != '\0') {
		fputs("name ", out);
		pb_utf8_print(z->name, out); /* without control characters: a
		                                line end would end the name */
		putc('\n', out);
	}
	if (z->pitch > 0) {
		size_t n = pb_num_exact(number, z->pitch);

		fprintf(out, "cell %.*s\n", (int)n, number);
	}
	write_robots(z, &drawn, out);
	write_places("homes ", z->home, z->homes, out);
}

static void
write_grid(const struct pb_maze *z, FILE *out)
{
	for (int r = z->rows - 1; r >= 0; r--)
		for (int c = 0; c < z->cols; c++) {
			char k = z->cell[r][c];

			fprintf(out, "%s%c%s", c > 0 ? " " : "",
			    k == PB_MAZE_WALL   ? '1'
			    : k == PB_MAZE_GOAL ? '9'
						: '0',
			    c + 1 == z->cols ? "\n" : "");
		}
}

bool
pb_boardfile_writable(const char *path)
{
	enum kind kind = kind_by_suffix(path);

	return kind == DRAWING || kind == GRID;
}

int
pb_boardfile_write(
    const char *path, const struct pb_maze *z, struct pb_error *f)
{
	struct pb_file w;

	if (pb_file_create(path, &w, f) != 0)
		return -1;
	if (kind_by_suffix(path) == GRID)
		write_grid(z, w.out);
	else
		write_drawing(z, w.out);
	return pb_file_finish(&w, f);
}
