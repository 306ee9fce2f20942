/* cells.h - a grid of coloured characters and its way to a terminal. */
#ifndef PB_VIEW_CELLS_H
#define PB_VIEW_CELLS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "view/palette.h"
#include "view/render.h"

/*
 * Columns and lines count from the top left. What lies outside is not drawn.
 * PB_INKS as an ink means the terminal's own colour.
 */
struct pb_glyph {
	uint32_t code;      /* Unicode, one column wide */
	unsigned char ink;  /* enum pb_ink of the sign, PB_INKS: none */
	unsigned char back; /* of the ground, PB_INKS: none */
};

struct pb_cells {
	int width;
	int height;
	struct pb_glyph *at; /* height * width, owned */
};

/* A grid of spaces. PB_OK and c for pb_cells_clear, PB_ENOMEM, PB_ESIZE. */
enum pb_status pb_cells_init(struct pb_cells *c, int width, int height);
void pb_cells_clear(struct pb_cells *c);

/* The glyph at a place, NULL outside. */
struct pb_glyph *pb_cells_at(struct pb_cells *c, int x, int y);

/* Put a sign, keeping the ground. */
void pb_cells_put(
    struct pb_cells *c, int x, int y, uint32_t code, enum pb_ink ink);

/*
 * Put UTF-8 text, cut at the right edge; returns the column after it. A byte
 * that is no UTF-8 and control characters show as '?'.
 */
int pb_cells_text(
    struct pb_cells *c, int x, int y, const char *text, enum pb_ink ink);

/*
 * Print the grid, line by line, with as few colour changes as there are and
 * no blanks at the ends of lines. With home, each line is placed on the
 * terminal by its number and wiped to its end, for pictures in place.
 */
void pb_cells_print(
    const struct pb_cells *c, enum pb_depth depth, bool home, FILE *f);

#endif
