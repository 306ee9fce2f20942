/* kml_write.c - boards as placemarks of a KML file. */
#include "io/file/kml_parts.h"

/* A corner of the lattice, x right of and y above the origin. */
static void
print_corner(FILE *out, double cell, double x, double y)
{
	fprintf(
	    out, "%.12f,%.12f", x * cell / PB_KML_LON, y * cell / PB_KML_LAT);
}

static void
print_wall(FILE *out, double cell, int x0, int y0, int x1, int y1)
{
	fputs("  <Placemark><LineString><coordinates>", out);
	print_corner(out, cell, x0, y0);
	putc(' ', out);
	print_corner(out, cell, x1, y1);
	fputs("</coordinates></LineString></Placemark>\n", out);
}

static void
print_point(FILE *out, double cell, const char *kind, const char *name,
    double x, double y)
{
	fprintf(out, "  <Placemark><name>%s%s</name><Point><coordinates>", kind,
	    name);
	print_corner(out, cell, x, y);
	fputs("</coordinates></Point></Placemark>\n", out);
}

/* Whether there is wall above row r (0..rows) of column c; left of column c. */
static bool
wall_above(const struct pb_maze *z, int r, int c)
{
	if (r == 0 || r == z->rows)
		return true;
	return (pb_maze_open(z, r, c) || pb_maze_open(z, r - 1, c)) &&
	       !pb_maze_pass(z, r, c, PB_UP);
}

static bool
wall_left(const struct pb_maze *z, int r, int c)
{
	if (c == 0 || c == z->cols)
		return true;
	return (pb_maze_open(z, r, c) || pb_maze_open(z, r, c - 1)) &&
	       !pb_maze_pass(z, r, c, PB_LEFT);
}

/* Walls in a row become one chain of two corners. */
static void
print_walls(const struct pb_maze *z, double cell, FILE *out)
{
	for (int r = 0; r <= z->rows; r++)
		for (int c = 0, from = 0; c <= z->cols; c++)
			if (c == z->cols || !wall_above(z, r, c)) {
				if (c > from)
					print_wall(out, cell, from, z->rows - r,
					    c, z->rows - r);
				from = c + 1;
			}
	for (int c = 0; c <= z->cols; c++)
		for (int r = 0, from = 0; r <= z->rows; r++)
			if (r == z->rows || !wall_left(z, r, c)) {
				if (r > from)
					print_wall(out, cell, c, z->rows - from,
					    c, z->rows - r);
				from = r + 1;
			}
}

static bool
is_place(const struct pb_maze_place *p, int row, int col)
{
	return p->row == row && p->col == col;
}

/* Whether the cell is empty for a reason that is a point of its own. */
static bool
explained(const struct pb_maze *z, int row, int col)
{
	bool so = is_place(&z->start, row, col);

	for (int i = 0; i < z->ghosts; i++)
		so |= is_place(&z->ghost[i], row, col);
	return so;
}

static void
print_points(const struct pb_maze *z, double cell, FILE *out)
{
	double top = z->rows - 0.5;

	print_point(out, cell, "origin", "", 0, 0);
	print_point(out, cell, "cell", "", 1, 1);
	if (z->start.row >= 0)
		print_point(out, cell, "start", "", z->start.col + 0.5,
		    top - z->start.row);
	for (int i = 0; i < z->ghosts; i++)
		print_point(out, cell, "reset:", pb_kml_ghost[i],
		    z->ghost[i].col + 0.5, top - z->ghost[i].row);
	for (int i = 0; i < z->homes; i++)
		print_point(out, cell, "home:", pb_kml_ghost[i],
		    z->home[i].col + 0.5, top - z->home[i].row);
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++) {
			char k = z->cell[r][c];
			const char *name = k == PB_MAZE_POWER  ? "power"
			                   : k == PB_MAZE_GOAL ? "goal"
			                                       : "bare";

			if (k != PB_MAZE_WALL && k != PB_MAZE_PELLET &&
			    !(k == PB_MAZE_EMPTY && explained(z, r, c)))
				print_point(
				    out, cell, name, "", c + 0.5, top - r);
		}
}

void
pb_kml_write(const struct pb_maze *z, double cell, FILE *out)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n <Document>\n",
	    out);
	print_points(z, cell, out);
	print_walls(z, cell, out);
	fputs(" </Document>\n</kml>\n", out);
}
