/* term.h - draw pictures as text for a terminal: abilities of the terminal, and
 * a scene as coloured characters. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "robot/signals.h"
#include "view/canvas.h"

/* Abilities of an output file, by itself and the environment. */
struct pb_tty {
	enum pb_style style; /* never PB_STYLE_AUTO */
	bool color;
	int width;  /* characters */
	int height; /* lines */
	bool utf8;
};

/*
 * Find out the abilities of f: by the locale (LC_ALL, LC_CTYPE, LANG),
 * NO_COLOR, TERM, COLUMNS and LINES; options override them. A file that is no
 * terminal counts as 80 x 40.
 */
struct pb_tty pb_tty_of(const struct pb_render_opts *o, FILE *f);

/* Terminal columns of n bytes of text. */
size_t pb_text_columns(const char *text, size_t n);

/* Write the character u. */
void pb_columns_put(uint32_t u, FILE *f);

/* Print the six lights: coloured discs, empty ones if off; or 'o' and '.'. */
void pb_ring_print(const struct pb_ring *r, const struct pb_tty *t, FILE *f);

/*
 * Draw s to f as text for a terminal.
 *
 * The picture has the map's axes: columns to the right, rows upwards, whatever
 * the origin's yaw. If the yaw is a multiple of a right angle, ticks are
 * coordinates of the map frame; otherwise they are metres along the map's edges
 * from its lower left corner, and a line says where that corner is and how the
 * map is rotated.
 *
 * Maps are shrunk so that no wall disappears: a dot is occupied if any of its
 * cells is, else unknown if any is, else free. Small maps are enlarged by whole
 * numbers only, equally in both directions.
 *
 * Frames are drawn in place on a terminal: the first one clears the screen,
 * later ones are written over it line by line, so that nothing flickers.
 *
 * Given    o: checked options; t: abilities of f, from pb_tty_of() or chosen
 *
 * Returns  false: the box lies outside of the map
 */
enum pb_frame { PB_FRAME_TEXT, PB_FRAME_FIRST, PB_FRAME_NEXT };
bool pb_term_draw(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_tty *t, enum pb_frame frame, FILE *f);
