/* heat_map.h - a picture of where Pac-Man was on a board of cells. */
#ifndef PB_VIEW_HEAT_MAP_H
#define PB_VIEW_HEAT_MAP_H

#include "io/stream/error.h"
#include "pb/match.h"
#include "pb/maze.h"

/*
 * Cells are coloured by the ticks that he was there, on a scale of powers of
 * two, from light to dark so that it can be read without colours; a cross
 * or a number marks where he died. The same counts give the same bytes.
 */
struct pb_heat_view {
	const struct pb_maze *board;
	const struct pb_heat *heat;
	const char *title; /* "" for none */
	long games;        /* that were added up */
};

/*
 * Draw v into the file at path (see view/drawing.h).
 *
 * Returns  0, or -1 with f (which may be NULL) filled in
 */
int pb_heat_draw(
    const struct pb_heat_view *v, const char *path, struct pb_error *f);

/* The same of one game, which was on z, unless path is NULL or z has no rows;
 * what goes wrong is said. */
void pb_heat_match(const char *path, const char *who, uint64_t seed,
    uint64_t trial, const struct pb_maze *z, const struct pb_heat *heat);

#endif
