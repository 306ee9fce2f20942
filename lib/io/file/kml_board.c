/* kml_board.c - boards from and to the placemarks of a KML file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/geom.h"
#include "io/file/kml_parts.h"

const char *const pb_kml_ghost[4] = {"Blinky", "Pinky", "Inky", "Clyde"};

/* The point called name, NULL if there is none. */
static const struct pb_kml_point *
find(const struct pb_kml *k, const char *name)
{
	for (int i = 0; i < k->points; i++)
		if (strcmp(k->point[i].name, name) == 0)
			return &k->point[i];
	return NULL;
}

/* Where c lies, in cells right of and above the origin. */
static struct pb_vec
in_cells(const struct pb_kml_corner *c, const struct pb_kml_corner *origin,
    double cell)
{
	double shrink = pb_cos(origin->lat * PB_PI / 180);

	return (struct pb_vec){
	    (c->lon - origin->lon) * shrink * PB_KML_LON / cell,
	    (c->lat - origin->lat) * PB_KML_LAT / cell};
}

/* The corner of the lattice at c; false with a complaint if there is none. */
static bool
snap(struct pb_kml *k, const struct pb_kml_corner *c,
    const struct pb_kml_corner *origin, double cell, int at[2])
{
	struct pb_vec v = in_cells(c, origin, cell);
	double x = floor(v.x + 0.5), y = floor(v.y + 0.5);

	if (fabs(v.x - x) > PB_KML_OFF || fabs(v.y - y) > PB_KML_OFF) {
		if (k->f != NULL)
			pb_fault_set(k->f, k->file, c->line, NULL,
			    "a wall's corner is off the lattice: %.2f, %.2f "
			    "cells of %g m from the origin",
			    v.x, v.y, cell);
		k->failed = true;
		return false;
	}
	if (x < 0 || y < 0 || x > PB_MAZE_SIDE || y > PB_MAZE_SIDE) {
		pb_kml_fail(k, c->line,
		    "a wall's corner is outside of 64 x 64 cells from the "
		    "origin");
		return false;
	}
	at[0] = (int)x;
	at[1] = (int)y;
	return true;
}

/* The board is as large as its walls reach. */
static bool
measure(struct pb_kml *k, const struct pb_kml_corner *origin, double cell,
    int (*at)[2], struct pb_maze *z)
{
	for (int i = 0; i < k->corners; i++) {
		if (!snap(k, &k->corner[i], origin, cell, at[i]))
			return false;
		if (at[i][0] > z->cols)
			z->cols = at[i][0];
		if (at[i][1] > z->rows)
			z->rows = at[i][1];
	}
	if (z->cols > 0 && z->rows > 0)
		return true;
	pb_kml_fail(k, 0, "expected LineStrings around at least one cell");
	return false;
}

/* The walls from corner a to corner b of the lattice, y upwards. */
static void
put_walls(struct pb_maze *z, const int a[2], const int b[2])
{
	int dx = (b[0] > a[0]) - (b[0] < a[0]);
	int dy = (b[1] > a[1]) - (b[1] < a[1]);

	for (int x = a[0], y = a[1]; x != b[0] || y != b[1]; x += dx, y += dy) {
		/* The cell below or left of this piece of wall. */
		int col = dx != 0 ? (dx > 0 ? x : x - 1) : x - 1;
		int up = dy != 0 ? (dy > 0 ? y : y - 1) : y - 1;
		enum pb_dir d = dx != 0 ? PB_UP : PB_RIGHT;

		if (up >= 0 && up < z->rows - (dx != 0) && col >= 0 &&
		    col < z->cols - (dy != 0))
			pb_maze_side(z, z->rows - 1 - up, col, d, true);
	}
}

static bool
take_walls(struct pb_kml *k, int (*at)[2], struct pb_maze *z)
{
	for (int i = 0; i < k->corners; i++) {
		if (k->corner[i].first)
			continue;
		if (at[i][0] != at[i - 1][0] && at[i][1] != at[i - 1][1]) {
			pb_kml_fail(k, k->corner[i].line,
			    "a wall runs askew: expected east, west, north or "
			    "south");
			return false;
		}
		put_walls(z, at[i - 1], at[i]);
	}
	return true;
}

/* Which ghost "home:Inky" with the prefix "home:" means, -1 for none. */
static int
ghost_of(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	for (int i = 0; i < 4; i++)
		if (strncmp(name, prefix, n) == 0 &&
		    strcmp(name + n, pb_kml_ghost[i]) == 0)
			return i;
	return -1;
}

/* Put what p says into its cell; ghosts and homes gather as bits. */
static void
put_point(struct pb_maze *z, const struct pb_kml_point *p, int row, int col)
{
	struct pb_maze_place here = {row, col, PB_STAY};
	int reset = ghost_of(p->name, "reset:"),
	    home = ghost_of(p->name, "home:");
	char *cell = &z->cell[row][col];

	if (strcmp(p->name, "start") == 0)
		z->start = here;
	if (strcmp(p->name, "power") == 0)
		*cell = PB_MAZE_POWER;
	if (strcmp(p->name, "goal") == 0)
		*cell = PB_MAZE_GOAL;
	if (strcmp(p->name, "start") == 0 || strcmp(p->name, "bare") == 0 ||
	    reset >= 0)
		*cell = PB_MAZE_EMPTY;
	if (reset >= 0) {
		z->ghost[reset] = here;
		z->ghosts |= 1 << reset;
	}
	if (home >= 0) {
		z->home[home] = here;
		z->homes |= 1 << home;
	}
}

/* Bits of the first n ghosts become n; -1 if one is missing before another. */
static int
count(int bits)
{
	int n = 0;

	while (bits >> n & 1)
		n++;
	return bits >> n == 0 ? n : -1;
}

/* Whether p names something of the lattice itself. */
static bool
of_lattice(const struct pb_kml_point *p)
{
	return strcmp(p->name, "origin") == 0 || strcmp(p->name, "cell") == 0;
}

/* The cell p lies in; false if it is none of the board's. */
static bool
cell_of(const struct pb_kml_point *p, const struct pb_kml_corner *origin,
    double cell, const struct pb_maze *z, int *row, int *col)
{
	struct pb_vec v = in_cells(&p->at, origin, cell);

	if (!(v.x >= 0 && v.x < z->cols && v.y >= 0 && v.y < z->rows))
		return false;
	*row = z->rows - 1 - (int)v.y;
	*col = (int)v.x;
	return !of_lattice(p);
}

/* Whether the game needs p, so that it must be in a cell. */
static bool
needed(const struct pb_kml_point *p)
{
	return strncmp(p->name, "reset:", 6) == 0 ||
	       strncmp(p->name, "home:", 5) == 0 ||
	       strcmp(p->name, "start") == 0;
}

static bool
take_points(struct pb_kml *k, const struct pb_kml_corner *origin, double cell,
    struct pb_maze *z)
{
	int row, col;

	for (int i = 0; i < k->points; i++) {
		const struct pb_kml_point *p = &k->point[i];

		if (cell_of(p, origin, cell, z, &row, &col))
			put_point(z, p, row, col);
		else if (needed(p)) {
			pb_kml_fail(
			    k, p->at.line, "a point is outside of the walls");
			return false;
		}
	}
	z->ghosts = count(z->ghosts);
	z->homes = count(z->homes);
	if (z->ghosts >= 0 && z->homes >= 0)
		return true;
	pb_kml_fail(k, 0,
	    "of Blinky, Pinky, Inky, Clyde one is missing before another");
	return false;
}

/* What cannot be reached from any point is no cell. */
static void
fill_up(const struct pb_kml *k, const struct pb_kml_corner *origin, double cell,
    struct pb_maze *z)
{
	bool seen[PB_MAZE_SIDE][PB_MAZE_SIDE] = {{false}};
	short order[PB_MAZE_SIDE * PB_MAZE_SIDE];
	int row, col;
	bool any = false;

	for (int i = 0; i < k->points; i++) {
		if (!cell_of(&k->point[i], origin, cell, z, &row, &col))
			continue;
		if (!seen[row][col])
			pb_maze_reach(z, row, col, seen, order);
		any = true;
	}
	for (int r = 0; any && r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			if (!seen[r][c])
				z->cell[r][c] = PB_MAZE_WALL;
}

/* Side of a cell: as given, else as the point called cell says (m). */
static double
side_of_cell(
    const struct pb_kml *k, const struct pb_kml_corner *origin, double given)
{
	const struct pb_kml_point *p = find(k, "cell");
	double side = p != NULL ? in_cells(&p->at, origin, 1).x : 0;

	if (given > 0)
		return given;
	/* A micrometre is below what anybody means by degrees. */
	return side > 0 ? floor(side * 1e6 + 0.5) / 1e6 : PB_KML_CELL;
}

bool
pb_kml_board(struct pb_kml *k, double cell, struct pb_maze *z)
{
	const struct pb_kml_point *o = find(k, "origin");
	int(*at)[2];
	bool ok;

	*z = (struct pb_maze){.start = {.row = -1}};
	memset(z->cell, PB_MAZE_PELLET, sizeof(z->cell[0]) * PB_MAZE_SIDE);
	if (o == NULL) {
		pb_kml_fail(k, 0, "expected a Point called origin");
		return false;
	}
	cell = side_of_cell(k, &o->at, cell);
	z->pitch = cell;
	at = malloc(((size_t)k->corners + 1) * sizeof(*at));
	if (at == NULL) {
		pb_kml_fail_memory(k);
		return false;
	}
	ok = measure(k, &o->at, cell, at, z) && take_walls(k, at, z) &&
	     take_points(k, &o->at, cell, z);
	free(at);
	if (ok)
		fill_up(k, &o->at, cell, z);
	pb_maze_tidy(z);
	return ok;
}
