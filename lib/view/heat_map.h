/* heat_map.h - a picture of where Pac-Man was on a board of cells. */
#pragma once

#include "pb/match.h"
#include "pb/maze.h"
#include "view/drawing.h"

/*
 * Draw where Pac-Man was on paper (see view/drawing.h): cells are
 * coloured by the ticks that he was there, on a scale of powers of two, from
 * light to dark so that it can be read without colours; a cross or a number
 * marks where he died. What goes wrong is said. The same counts give the same
 * bytes.
 *
 * Given    title  "" for none
 *          games  that were added up
 *          z      their board
 */
void pb_heat_draw(struct pb_target to, const char *title, long games,
    const struct pb_maze *z, const struct pb_heat *heat);

/* The same of one game, unless path is NULL or z has no rows. */
void pb_heat_match(const char *path, const char *who, uint64_t seed,
    uint64_t trial, const struct pb_maze *z, const struct pb_heat *heat);
