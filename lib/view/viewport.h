/* viewport.h - the part of a map that is shown, and its dots on the picture. */
#pragma once

#include <stdbool.h>

#include "pb/geom.h"
#include "pb/map.h"
#include "view/render.h"
#include "view/scene.h"

/*
 * A viewport shows a window of cells as dots: pixels of an image, or the dots
 * that characters of a terminal consist of. A dot is num / den cells wide and
 * tall times as many high. Dots count from the top left corner, cells from
 * the bottom left one. A dot belongs to whole cells, and every cell of the
 * window to at least one dot, so nothing is lost when a map is shrunk.
 */
struct pb_viewport {
	struct pb_pose origin; /* of the map */
	double resolution;     /* (m) */
	int col0, row0;        /* lower left cell of the window */
	int cols, rows;        /* of the window (cells) */
	long num, den;         /* cells per dot across */
	int tall;              /* height of a dot in its widths */
	int width, height;     /* of the picture (dots) */
};

/* What a dot shows; the greater wins when a map is shrunk. */
enum pb_dot { PB_DOT_FREE, PB_DOT_UNKNOWN, PB_DOT_WALL };

/*
 * Choose the window: the box of the options if there is one, else the map
 * without its margins of unknown cells (with o->whole: all of it), else a
 * surrounding of everything in the scene.
 *
 * Returns  true with origin, resolution and window of *p set, or false: the
 *          box and the map have nothing in common
 */
bool pb_viewport_window(const struct pb_scene *s,
    const struct pb_render_opts *o, struct pb_viewport *p);

/*
 * Choose the scale: as large as fits into width x height dots (each >= 1),
 * enlarging by a whole number up to most.
 */
void pb_viewport_fit(
    struct pb_viewport *p, int width, int height, int tall, int most);

/* Set the scale to num / den cells per dot, whatever size that gives. */
void pb_viewport_scale(struct pb_viewport *p, long num, long den, int tall);

/* Where v of the map frame is, in dots from the top left corner. */
struct pb_vec pb_viewport_at(const struct pb_viewport *p, struct pb_vec v);

/* Width of a dot (m). */
double pb_viewport_metres(const struct pb_viewport *p);

/*
 * Fill dot[height * width], enum pb_dot each, top row first. Without a map
 * all is free.
 */
void pb_viewport_shrink(
    const struct pb_viewport *p, const struct pb_map *m, unsigned char *dot);

/* An axis of the picture: what its ticks are called and count. They are
 * multiples of a step, from left to right or from the least one upwards. */
struct pb_axis {
	const char *name; /* "x", "y", or "u", "v" along turned edges */
	double zero;      /* value at the left or lower end of the window */
	double sign;      /* +1 or -1: direction of growing values */
	double length;    /* of the window (m) */
	double step;
	double first; /* of the ticks, in steps */
	int ticks;    /* 0: too far from zero to be told apart */
	bool back;    /* the first tick is that of the greatest value */
};

/* The axis at the lower edge, or `up` the one at the left, with such ticks. */
struct pb_axis pb_viewport_axis(
    const struct pb_viewport *p, bool up, double step);

/* Find the ticks of an axis that has the rest. */
void pb_axis_divide(struct pb_axis *a);

/* Tick i: its text, with as many digits as needed, and how far it is from the
 * axis's left or lower end (m). */
double pb_axis_tick(const struct pb_axis *a, int i, char text[64]);

/* Whether the ticks are coordinates of the map frame. */
bool pb_viewport_square(const struct pb_viewport *p);

/* The text of multiple i of step, with as many digits as needed. */
void pb_axis_text(char *out, size_t size, double step, double i);

/* Characters of the widest label of an axis. */
int pb_axis_label_width(const struct pb_axis *a);

/* Say where the corner of a turned map is. */
void pb_viewport_corner(const struct pb_viewport *p, char *out, size_t size);

/* The least of 1, 2, 5 times a power of ten that is >= v; v > 0. */
double pb_nice_above(double v);

/* Digits behind the point that ticks of this step need, 0..9. */
int pb_nice_digits(double step);

/*
 * Narrow a..b to the part of the segment p + s (q - p), a <= s <= b, that lies
 * between lo and hi in one coordinate (Liang and Barsky); false: none.
 */
bool pb_clip(double p, double q, double lo, double hi, double *a, double *b);
