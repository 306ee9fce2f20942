/* boardfile.h - boards in files of their own: drawings, numbers, KML. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"
#include "pb/maze.h"

enum pb_boardkind {
	PB_BOARDKIND_NONE,
	PB_BOARDKIND_DRAWING, /* see board.h */
	PB_BOARDKIND_GRID,    /* integers, see board.h */
	PB_BOARDKIND_KML      /* see below */
};

/* The kind of a file by its first bytes and its suffix. */
enum pb_boardkind pb_boardkind_of(
    const char *path, const char *bytes, size_t n);

/*
 * Read the board p[0..n) of the file at path, named after nothing.
 *
 * Given    cell  side of a cell of a KML file (m), 0: as it says
 * Returns  0 and z, or -1 with f filled in
 */
int pb_boardfile_decode(const char *path, const char *p, size_t n, double cell,
    struct pb_maze *z, struct pb_error *f);

/*
 * Write z to path, whole or not at all; the suffix decides: .board (a
 * drawing), .zumy (integers; walls between cells and pellets are lost).
 *
 * Returns  0, or -1 with f filled in
 */
int pb_boardfile_write(
    const char *path, const struct pb_maze *z, struct pb_error *f);
bool pb_boardfile_writable(const char *path);

/*
 * KML. The roomba board was drawn in a map program. Of KML 2.2 this reads
 * placemarks: a LineString is a chain of walls along the sides of cells, a
 * Point says by its name what is in a cell: start, power, goal, bare (no
 * pellet), reset:GHOST and home:GHOST with Blinky, Pinky, Inky or Clyde;
 * origin is the lower left corner of the board, cell the upper right one of
 * the first cell, so that its distance is the side of a cell. Of other points
 * only the place counts, and nothing else is read. Cells that cannot be
 * reached from any point are no cells, if there are points; each of the others
 * holds a pellet unless it is bare, the start, a goal or a reset point.
 *
 * A flat earth is exact enough for a room: x = (lon - lon0) cos(lat0) 111320,
 * y = (lat - lat0) 110574 (m).
 */

/* Side of a cell where nobody says: the roomba board's (m). */
#define PB_KML_CELL 0.43

/* How far from the lattice a corner may lie (cells). */
#define PB_KML_OFF 0.2

/*
 * Read the board in p[0..n).
 *
 * Given    name  of the file, for f
 *          cell  side of a cell (m), 0: as the file says, or PB_KML_CELL
 * Returns  0 and z, or -1 with f filled in and z untouched
 */
int pb_kml_read(const char *p, size_t n, const char *name, double cell,
    struct pb_maze *z, struct pb_error *f);
