/* boardfile.h - files of boards: drawings, numbers, KML. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"
#include "pb/maze.h"

/* Whether a file is one of a board, by its first bytes and its suffix. */
bool pb_boardfile_is(const char *path, const char *bytes, size_t n);

/*
 * Read the board p[0..n) of the file at path; its name is left empty.
 *
 * Given    cell  side of a cell of a KML file (m), 0: as the file says
 *
 * Returns  0 and z, or -1 with f filled in
 */
int pb_boardfile_decode(const char *path, const char *p, size_t n, double cell,
    struct pb_maze *z, struct pb_error *f);

/*
 * Write z to path, as a whole or not at all. By suffix: .board (a drawing),
 * .zumy (integers; loses walls between cells, and pellets).
 *
 * Returns  0, or -1 with f filled in
 */
int pb_boardfile_write(
    const char *path, const struct pb_maze *z, struct pb_error *f);
bool pb_boardfile_writable(const char *path);
