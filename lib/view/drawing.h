/* drawing.h - draw marks as PNG, SVG or PDF. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/stream/msg.h"
#include "pb/geom.h"
#include "pb/match.h"
#include "pb/maze.h"
#include "view/canvas.h"

/*
 * By the file's suffix: SVG, PDF, else a PNG image; "-" is stdout. The file is
 * written as a whole or not at all. Equal calls give equal bytes.
 *
 * Places and sizes are in pixels from the top left corner. Marks may extend
 * beyond the paper; places that are not finite, or far off, are not drawn.
 * pb_drawing_close() reports errors.
 */
struct pb_drawing;

#define PB_DRAWING_SIDE 32000 /* longest side (px) */

/* Output of a drawing. */
struct pb_target {
	const char *path; /* file to write unless out */
	FILE *out;        /* a stream of the caller, NULL: none */
};

/* Whether a file of that name is a drawing: .png, .svg or .pdf. */
bool pb_drawing_named(const char *path);

/*
 * Open a drawing with a white background.
 *
 * Returns  a drawing for pb_drawing_close(), or NULL with f (may be NULL)
 *          filled in
 */
struct pb_drawing *pb_drawing_open(
    struct pb_target to, int width, int height, struct pb_error *f);

/* Write the file and free d. Returns 0, or -1 with f filled in: the file is
 * removed. */
int pb_drawing_close(struct pb_drawing *d, struct pb_error *f);

/* How a mark is drawn: filled, or as a line. */
struct pb_pen {
	struct pb_rgb color;
	double opacity; /* 0..1 */
	double width;   /* of the line (px), 0: filled */
	double on, off; /* dashes and gaps (px), 0: none */
};

struct pb_pen pb_full(struct pb_rgb color);
struct pb_pen pb_stroke(struct pb_rgb color, double width);
struct pb_pen pb_ink_pen(enum pb_ink i, double opacity, double width);

/* Draw a line through n points with round ends, interrupted at points that are
 * not finite; filled: a polygon. */
void pb_draw_line(
    struct pb_drawing *d, const struct pb_vec *p, size_t n, struct pb_pen pen);
void pb_draw_segment(
    struct pb_drawing *d, struct pb_vec a, struct pb_vec b, struct pb_pen pen);
void pb_draw_disc(
    struct pb_drawing *d, struct pb_vec p, double r, struct pb_pen pen);

/* Draw a filled box x0 <= x < x1, y0 <= y < y1. */
void pb_draw_box(struct pb_drawing *d, double x0, double y0, double x1,
    double y1, struct pb_pen pen);

/* p shifted by x and y pixels. */
static inline struct pb_vec
pb_shifted(struct pb_vec p, double x, double y)
{
	return (struct pb_vec){p.x + x, p.y + y};
}

/* Part of a text at its place; UP: its middle, read upwards. */
enum pb_anchor {
	PB_ANCHOR_LEFT,
	PB_ANCHOR_MIDDLE,
	PB_ANCHOR_RIGHT,
	PB_ANCHOR_UP
};

/* Draw text whose capitals are centred vertically at p; size: of the type
 * (px). */
void pb_draw_text(struct pb_drawing *d, struct pb_vec p, enum pb_anchor anchor,
    double size, struct pb_rgb color, const char *text);

/* Draw black text of the default size at (x, y). */
#define PB_TYPE 15 /* default type size (px) */
void pb_draw_note(struct pb_drawing *d, double x, double y,
    enum pb_anchor anchor, const char *text);

/* Room for a text in any font (px); wider text is squeezed. */
double pb_type_room(const char *text, double size);

/* A scale from lo to hi. */
struct pb_scale {
	double lo, hi; /* logarithmic: > 0 */
	bool is_log;   /* it is logarithmic */
	bool is_whole; /* whole numbers only */
};

/* Position of v on the scale, 0..1; 0.5 if lo equals hi. */
double pb_scale_at(const struct pb_scale *s, double v);

/* Draw ticks and numbers below a line of that width from `at` on: 1, 2 or 5
 * times a power of ten, or multiples of such a step. */
void pb_draw_scale(struct pb_drawing *d, struct pb_vec at, double wide,
    const struct pb_scale *s);

/* Draw width * height dots of a pixel each from the top left one at (x, y) on;
 * kind k has the colour ink[k]. */
#define PB_DRAW_DOTS 4
void pb_draw_dots(struct pb_drawing *d, int x, int y, const unsigned char *dot,
    int width, int height, const struct pb_rgb ink[PB_DRAW_DOTS]);

/* Draw only within the box, until pb_draw_anywhere(). */
void pb_draw_within(
    struct pb_drawing *d, double x0, double y0, double x1, double y1);
void pb_draw_anywhere(struct pb_drawing *d);

/*
 * Draw s into the file at path (see above), with window and scale of canvas.h,
 * axes, title and legend. Colour-blind people can distinguish the colours
 * (Okabe and Ito), and each kind of mark has its own shape. Equal scenes give
 * equal bytes.
 *
 * Returns  0, or -1 with f (may be NULL) filled in
 */
int pb_plot(const struct pb_scene *s, const struct pb_render_opts *o,
    const char *path, struct pb_error *f);

/*
 * Draw a heat map of the player on the board z into the file at path: cells are
 * coloured by the ticks that it was there, on a logarithmic scale from light to
 * dark, readable without colours; numbers on cells are its deaths there. Errors
 * are printed. Equal counts give equal bytes.
 *
 * Given    title: "" for none; games: number of games added up
 */
void pb_heat_draw(const char *path, const char *title, long games,
    const struct pb_maze *z, const struct pb_heat *heat);
