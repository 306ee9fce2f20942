/* canvas.h - an RGB image and smooth drawing on it. */
#ifndef PB_VIEW_CANVAS_H
#define PB_VIEW_CANVAS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/geom.h"
#include "base/status.h"
#include "io/stream/fault.h"
#include "view/render.h"

/*
 * Pixels count from the top left corner; the centre of pixel (0, 0) is at
 * (0.5, 0.5). Everything may reach beyond the image or lie outside it: what
 * is not on it is not drawn. Sizes and places are in pixels. Shapes are
 * smooth at their edges; a is their opacity, 0 to 1.
 */
struct pb_canvas {
	int width;
	int height;
	unsigned char *px; /* height * width * 3, top row first, owned */
};

#define PB_CANVAS_SIDE 32000

enum pb_status pb_canvas_init(
    struct pb_canvas *c, int width, int height, struct pb_rgb fill);
void pb_canvas_clear(struct pb_canvas *c);

/* v without its fraction; for what is no number or far off, a place off any
 * image. */
int pb_canvas_whole(double v);

/* Mix colour k into one pixel. */
void pb_canvas_dot(
    struct pb_canvas *c, int x, int y, struct pb_rgb k, double a);

/* Copy all of src with its upper left corner to (x, y). */
void pb_canvas_copy(
    struct pb_canvas *c, int x, int y, const struct pb_canvas *src);

/* Whole pixels x0 <= x < x1, y0 <= y < y1. */
void pb_canvas_fill(struct pb_canvas *c, int x0, int y0, int x1, int y1,
    struct pb_rgb k, double a);

/* A segment of the given width with round ends. */
void pb_canvas_line(struct pb_canvas *c, struct pb_vec p, struct pb_vec q,
    double width, struct pb_rgb k, double a);

/*
 * The line through n points, as one shape: overlaps do not darken. A point
 * that is not finite interrupts the line.
 */
void pb_canvas_polyline(struct pb_canvas *c, const struct pb_vec *p, size_t n,
    double width, struct pb_rgb k, double a);

/* A full disc, and a ring of which r is the middle of the line. */
void pb_canvas_disc(
    struct pb_canvas *c, struct pb_vec p, double r, struct pb_rgb k, double a);
void pb_canvas_ring(struct pb_canvas *c, struct pb_vec p, double r,
    double width, struct pb_rgb k, double a);

/* A disc without a wedge: Pac-Man. */
struct pb_pie {
	struct pb_vec p; /* centre (px) */
	double r;        /* (px) */
	double th;       /* direction of the wedge, +y is up as in the map */
	double half;     /* half its angle (rad) */
};

/* A full one; grow widens it all round (px). */
void pb_canvas_pie(struct pb_canvas *c, const struct pb_pie *pie, double grow,
    struct pb_rgb k, double a);

/* A full convex polygon, either direction. */
void pb_canvas_convex(struct pb_canvas *c, const struct pb_vec *p, size_t n,
    struct pb_rgb k, double a);

/*
 * Text with its upper left corner at (x, y), each dot of the font size x
 * size pixels. Bytes outside printable ASCII show as a box.
 */
void pb_canvas_text(struct pb_canvas *c, int x, int y, int size,
    const char *text, struct pb_rgb k);

/* The same, read upwards, its lower left corner at (x, y). */
void pb_canvas_text_up(struct pb_canvas *c, int x, int y, int size,
    const char *text, struct pb_rgb k);

/* Width and height of text in pixels. */
int pb_text_width(const char *text, int size);
int pb_text_height(int size);

/*
 * Write c as PNG (8-bit RGB, no time, no gamma: the same bytes each time).
 * The file appears whole or not at all; "-" is standard output.
 *
 * Returns  0, or -1 with f (which may be NULL) filled in
 */
int pb_canvas_png(
    const struct pb_canvas *c, const char *path, struct pb_fault *f);

#endif
