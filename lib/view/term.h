/* term.h - pictures for a terminal: what it can show, grids of coloured
 * characters, and a scene drawn with them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "pb/status.h"
#include "robot/signals.h"
#include "view/canvas.h"

/* What an output file can show, as found out from it and the environment. */
struct pb_tty {
	enum pb_style style; /* never PB_STYLE_AUTO */
	enum pb_depth depth;
	int width;  /* characters */
	int height; /* lines */
	bool utf8;
};

/*
 * Look at f, the locale (LC_ALL, LC_CTYPE, LANG), NO_COLOR, TERM, COLORTERM,
 * COLUMNS and LINES; the options win over all of them. A file that is no
 * terminal counts as 80 x 40.
 */
struct pb_tty pb_tty_of(const struct pb_render_opts *o, FILE *f);

/* Columns of n bytes of text. */
size_t pb_text_columns(const char *text, size_t n);

/*
 * The first line of text in at most max columns: as many words as fit, or as
 * much of one word as does.
 *
 * Returns  bytes, 0 only for an empty text; *rest: where the next line begins
 */
size_t pb_columns_line(const char *text, size_t max, const char **rest);

/* Write the text in lines of at most width columns, as people may see it. */
void pb_columns_wrap(const char *text, size_t width, FILE *f);

/* Write one character. */
void pb_columns_put(uint32_t u, FILE *f);

/*
 * Columns and lines count from the top left. What lies outside is not drawn.
 * PB_INKS as an ink means the terminal's own colour; PB_INK_OWN + i is the
 * grid's own colour i.
 */
#define PB_GLYPHS_OWN 6
#define PB_INK_OWN    (PB_INKS + 1)

struct pb_glyph {
	uint32_t code;      /* Unicode, one column wide */
	unsigned char ink;  /* enum pb_ink of the sign, PB_INKS: none */
	unsigned char back; /* of the ground, PB_INKS: none */
};

struct pb_glyphs {
	int width;
	int height;
	struct pb_glyph *at; /* height * width, owned */
	struct pb_rgb own[PB_GLYPHS_OWN];
};

/* A grid of spaces. PB_OK and c for pb_glyphs_clear, PB_ENOMEM, PB_ESIZE. */
enum pb_status pb_glyphs_init(struct pb_glyphs *c, int width, int height);
void pb_glyphs_clear(struct pb_glyphs *c);

/* The glyph at a place, NULL outside. */
struct pb_glyph *pb_glyphs_at(struct pb_glyphs *c, int x, int y);

/* Put a sign, keeping the ground. */
void pb_glyphs_put(
    struct pb_glyphs *c, int x, int y, uint32_t code, enum pb_ink ink);

/*
 * Put UTF-8 text, cut at the right edge; returns the column after it. A byte
 * that is no UTF-8 and control characters show as '?'.
 */
int pb_glyphs_text(
    struct pb_glyphs *c, int x, int y, const char *text, enum pb_ink ink);

/*
 * Print the grid, line by line, with as few colour changes as there are and
 * no blanks at the ends of lines. With home, each line is placed on the
 * terminal by its number and wiped to its end, for pictures in place.
 */
void pb_glyphs_print(
    const struct pb_glyphs *c, enum pb_depth depth, bool home, FILE *f);

/*
 * Put the six lights from column x of line y on: discs in their colours, or
 * letters Y R B O P W where there are no colours or no discs, small ones for
 * dim lights and '.' for one that is off; returns the column after.
 */
int pb_ring_put(struct pb_glyphs *c, int x, int y, const struct pb_ring *r,
    bool utf8, enum pb_depth depth);

/* The same on f, wherever that stands. */
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
 * Given    o  checked options
 *          t  what f can show, from pb_tty_of or chosen
 * Returns  PB_OK, PB_ENOMEM, or PB_ESIZE: nothing of the map lies in the box
 */
enum pb_status pb_term_draw(const struct pb_scene *s,
    const struct pb_render_opts *o, const struct pb_tty *t, FILE *f);

/*
 * The same as frame after frame in place on a terminal: the first call
 * clears the screen, later ones write over it, line by line, without
 * clearing, so that nothing flickers.
 */
enum pb_status pb_term_frame(const struct pb_scene *s,
    const struct pb_render_opts *o, const struct pb_tty *t, bool first,
    FILE *f);
