/* boardfile.h - boards in files of their own: drawings, numbers, KML. */
#ifndef PB_IO_FILE_BOARDFILE_H
#define PB_IO_FILE_BOARDFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/error.h"
#include "pb/maze.h"

enum pb_boardkind {
	PB_BOARDKIND_NONE,
	PB_BOARDKIND_DRAWING, /* see board.h */
	PB_BOARDKIND_GRID,    /* integers, see board.h */
	PB_BOARDKIND_KML      /* see kml.h */
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
 * drawing), .zumy (integers; walls between cells and pellets are lost), .kml.
 *
 * Returns  0, or -1 with f filled in
 */
int pb_boardfile_write(
    const char *path, const struct pb_maze *z, struct pb_error *f);
bool pb_boardfile_writable(const char *path);

#endif
