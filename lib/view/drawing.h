/* drawing.h - marks on paper: as PNG, SVG or PDF. */
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
 * The suffix of the file decides: SVG, PDF, else a PNG image. It appears whole
 * or not at all; "-" is standard output. The same calls give the same bytes.
 *
 * Places and sizes are in pixels from the top left corner. Marks may reach
 * beyond the paper; a place that is not finite, or very far off, is not drawn.
 * pb_drawing_close() reports errors.
 */
struct pb_drawing;

#define PB_DRAWING_SIDE 32000 /* longest side (px) */

/* Where a drawing goes. */
struct pb_target {
	const char *path; /* names its kind, and its file unless there is ... */
	FILE *out;        /* a stream of the caller's, NULL: none */
};

/* Whether a file of that name is a drawing: .png, .svg or .pdf. */
bool pb_drawing_named(const char *path);

/*
 * Open a drawing on a white background.
 *
 * Returns  a drawing for pb_drawing_close, or NULL with f (which may be NULL)
 *          filled in
 */
struct pb_drawing *pb_drawing_open(
    struct pb_target to, int width, int height, struct pb_error *f);

/* Write the file and free d. Returns 0, or -1 with f filled in: nothing is
 * left of the file. */
int pb_drawing_close(struct pb_drawing *d, struct pb_error *f);

/* How something is drawn: full, or as a line of some width. */
struct pb_pen {
	struct pb_rgb color;
	double opacity; /* 0..1 */
	double width;   /* of the line (px), 0: full */
	double on, off; /* dashes and gaps (px), 0: none */
};

struct pb_pen pb_full(struct pb_rgb color);
struct pb_pen pb_stroke(struct pb_rgb color, double width);
struct pb_pen pb_ink_pen(enum pb_ink i, double opacity, double width);

/* A line through n points with round ends; a point that is not finite
 * interrupts it. Full, it is a shape with these corners. */
void pb_draw_line(
    struct pb_drawing *d, const struct pb_vec *p, size_t n, struct pb_pen pen);
void pb_draw_segment(
    struct pb_drawing *d, struct pb_vec a, struct pb_vec b, struct pb_pen pen);
void pb_draw_disc(
    struct pb_drawing *d, struct pb_vec p, double r, struct pb_pen pen);

/* A full box x0 <= x < x1, y0 <= y < y1. */
void pb_draw_box(struct pb_drawing *d, double x0, double y0, double x1,
    double y1, struct pb_pen pen);

/* The place this many pixels from p. */
static inline struct pb_vec
pb_shifted(struct pb_vec p, double x, double y)
{
	return (struct pb_vec){p.x + x, p.y + y};
}

/* Which part of a text stands at its place; UP: its middle, read upwards. */
enum pb_anchor {
	PB_ANCHOR_LEFT,
	PB_ANCHOR_MIDDLE,
	PB_ANCHOR_RIGHT,
	PB_ANCHOR_UP
};

/* Capitals are centred on the place's height; size: of the type (px). */
void pb_draw_text(struct pb_drawing *d, struct pb_vec p, enum pb_anchor anchor,
    double size, struct pb_rgb color, const char *text);

/* The same in black at (x, y), in the usual size. */
#define PB_TYPE 15 /* size of the type (px) */
void pb_draw_note(struct pb_drawing *d, double x, double y,
    enum pb_anchor anchor, const char *text);

/* Room for a text (px), whatever font there is; it is drawn no wider. */
double pb_type_room(const char *text, double size);

/* A scale from lo to hi. */
struct pb_scale {
	double lo, hi; /* logarithmic: > 0 */
	bool is_log;   /* it is logarithmic */
	bool is_whole; /* only whole numbers count */
};

/* Where v stands on it, 0..1; in the middle if it is only one value. */
double pb_scale_at(const struct pb_scale *s, double v);

/* Ticks and their numbers below a line of that width from `at` on: 1, 2 or 5
 * times a power of ten, or multiples of such a step. */
void pb_draw_scale(struct pb_drawing *d, struct pb_vec at, double wide,
    const struct pb_scale *s);

/* Dots of a pixel each, width * height of them from the top left one at
 * (x, y) on; those of kind k in the colour of ink[k]. */
#define PB_DRAW_DOTS 4
void pb_draw_dots(struct pb_drawing *d, int x, int y, const unsigned char *dot,
    int width, int height, const struct pb_rgb ink[PB_DRAW_DOTS]);

/* Only draw within the box, until it is over. */
void pb_draw_within(
    struct pb_drawing *d, double x0, double y0, double x1, double y1);
void pb_draw_anywhere(struct pb_drawing *d);

/*
 * Draw s into the file at path (see view/drawing.h), window and shrinking as
 * above, with axes, title and legend. Colour-blind people can distinguish the
 * colours (Okabe and Ito), and every kind of mark has its own shape as well.
 * The same scene gives the same bytes.
 *
 * Returns  0, or -1 with f (which may be NULL) filled in
 */
int pb_plot(const struct pb_scene *s, const struct pb_render_opts *o,
    const char *path, struct pb_error *f);

/*
 * Draw where the player was on the board z into the file at path: cells are
 * coloured by the ticks that it was there, on a logarithmic scale, from light
 * to dark so that it can be read without colours; numbers on cells say how
 * often it died there. Errors are printed. The same counts give the same
 * bytes.
 *
 * Given    title  "" for none
 *          games  that were added up
 */
void pb_heat_draw(const char *path, const char *title, long games,
    const struct pb_maze *z, const struct pb_heat *heat);
