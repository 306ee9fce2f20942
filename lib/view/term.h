/* term.h - pictures for a terminal: what it can show, grids of coloured
 * characters, and a scene drawn with them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "robot/signals.h"
#include "view/canvas.h"

/* What an output file can show, as found out from it and the environment. */
struct pb_tty {
	enum pb_style style; /* never PB_STYLE_AUTO */
	bool color;
	int width;  /* characters */
	int height; /* lines */
	bool utf8;
};

/*
 * Look at f, the locale (LC_ALL, LC_CTYPE, LANG), NO_COLOR, TERM,
 * COLUMNS and LINES; the options win over all of them. A file that is no
 * terminal counts as 80 x 40.
 */
struct pb_tty pb_tty_of(const struct pb_render_opts *o, FILE *f);

/* Columns of n bytes of text. */
size_t pb_text_columns(const char *text, size_t n);

/* Write one character. */
void pb_columns_put(uint32_t u, FILE *f);

/* Print the six lights: discs in their colours, empty ones where they are off,
 * or 'o' and '.'. */
void pb_ring_print(const struct pb_ring *r, const struct pb_tty *t, FILE *f);

/*
 * Draw s to f as text for a terminal.
 *
 * The picture has the map's own axes: columns to the right, rows upwards,
 * whatever the origin's yaw. Where the yaw is a multiple of a right angle the
 * ticks are coordinates of the map frame; otherwise they are metres along the
 * map's edges from its lower left corner, and a line says where that corner
 * is and how it is turned.
 *
 * Maps are shrunk so that a wall never disappears: a dot is occupied if any
 * of its cells is, else unknown if any is, else free. Small maps are enlarged
 * by whole numbers only, the same in both directions.
 *
 * As a frame it is drawn in place on a terminal: the first one clears the
 * screen, later ones write over it, line by line, without clearing, so that
 * nothing flickers.
 *
 * Given    o  checked options
 *          t  what f can show, from pb_tty_of or chosen
 * Returns  false: nothing of the map lies in the box
 */
enum pb_frame { PB_FRAME_TEXT, PB_FRAME_FIRST, PB_FRAME_NEXT };
bool pb_term_draw(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_tty *t, enum pb_frame frame, FILE *f);
