/* boardfile.h - boards in files of their own: drawings, numbers, KML. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"
#include "pb/maze.h"

/* Whether it is one, by its first bytes and its suffix. */
bool pb_boardfile_is(const char *path, const char *bytes, size_t n);

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
