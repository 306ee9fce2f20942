/* canvas.h - draw a scene on any output: options, colours, window, signs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "io/stream/msg.h"
#include "pb/geom.h"
#include "pb/map.h"
#include "view/scene.h"

enum pb_style {
	PB_STYLE_AUTO,   /* half blocks in a UTF-8 locale, else ASCII */
	PB_STYLE_ASCII,  /* one dot a character, twice as high as wide */
	PB_STYLE_HALF,   /* 1 x 2 square dots a character */
	PB_STYLE_BRAILLE /* 2 x 4 square dots a character, no colour needed */
};

enum pb_when { PB_WHEN_AUTO, PB_WHEN_ALWAYS, PB_WHEN_NEVER };

/* Parts that a picture omits, as bits in this order. */
#define PB_RENDER_HIDES "axes|legend|trails"
enum {
	PB_HIDE_AXES = 1,   /* axes and tick labels */
	PB_HIDE_LEGEND = 2, /* the line that explains the signs */
	PB_HIDE_TRAILS = 4  /* where bodies were */
};

/* Options of a picture; zeroed: all automatic, all shown. */
struct pb_render_opts {
	enum pb_style style;
	enum pb_when color;
	int width; /* of the terminal picture (characters), 0: the terminal's */
	int height;   /* of the terminal picture (lines), 0: the terminal's */
	bool has_box; /* show only this part of the map frame (m) */
	double x0, y0, x1, y1;
	bool whole;        /* set of PB_HIDE_AXES, ... */
	int hide;          /* set of PB_HIDE_AXES and so on */
	const char *title; /* NULL: the scene's */
	double trail;      /* of games: length of trails (s), 0: whole */
	int size; /* PNG: longest side of the map (px), 0: 800 to 1600 */
};

#define PB_RENDER_TRAIL 10.0 /* default length of trails (s) */

/* Upper limits of options. */
#define PB_RENDER_CHARS 2000 /* width and height in characters */
#define PB_RENDER_PX    8000 /* longest side of a PNG's map (px) */

/* Parse the argument of --box into the struct pb_render_opts at `to`; false
 * with bad filled in. */
bool pb_render_box(void *to, const char *word, struct pb_error *bad);

/* Colours of Okabe and Ito, which colour-blind people can distinguish, and
 * grays. No information is in colour alone. */
enum pb_ink {
	PB_INK_FREE,
	PB_INK_UNKNOWN,
	PB_INK_SHADE, /* background of the sign for unknown */
	PB_INK_HOUSE,
	PB_INK_WALL,
	PB_INK_PELLET,
	PB_INK_EATEN,
	PB_INK_ROBOT,
	PB_INK_ROBOT_TRAIL,
	PB_INK_OTHER,
	PB_INK_PATH,
	PB_INK_TARGET,
	PB_INK_SCAN,
	PB_INK_SOLID,
	PB_INK_DEATH,
	PB_INK_TEXT,
	PB_INK_DIM,
	PB_INK_PAPER,
	PB_INKS
};

/* Colours of an ink on white paper and on a dark terminal. */
struct pb_ink_colors {
	struct pb_rgb paper, screen;
};
extern const struct pb_ink_colors pb_inks[PB_INKS];

/*
 * A viewport shows a window of cells as dots: pixels of an image, or dots of a
 * terminal's characters. A dot is num / den cells wide and `tall` times as
 * high. Dots count from the top left corner, cells from the bottom left. A dot
 * shows whole cells, and each cell of the window is in at least one dot, so
 * that no wall is lost when a map is shrunk. Outside of a board is wall.
 */
struct pb_viewport {
	struct pb_pose origin;       /* of the map */
	double resolution;           /* (m) */
	const struct pb_maze *board; /* the board of the map, NULL: none */
	int col0, row0;              /* lower left cell of the window */
	int cols, rows;              /* of the window (cells) */
	long num, den;               /* cells per dot across */
	int tall;                    /* height of a dot in its widths */
	int width, height;           /* of the picture (dots) */
};

/* What a dot shows. If a map is shrunk, walls win over unknown, unknown over
 * free; on a board whose walls are cells, free wins, as its ways are one cell
 * wide. */
enum pb_dot { PB_DOT_FREE, PB_DOT_UNKNOWN, PB_DOT_WALL, PB_DOT_HOUSE, PB_DOTS };

/*
 * Choose the window: the options' box, else the map without unknown margins
 * (with o->whole: all of it), else a box around the scene.
 *
 * Returns  true with origin, resolution and window of *p set; false: the box
 *          lies outside of the map
 */
bool pb_viewport_window(const struct pb_scene *s,
    const struct pb_render_opts *o, struct pb_viewport *p);

/* Choose the largest scale that fits into width x height dots (each >= 1);
 * enlarge by whole numbers up to `most` only. */
void pb_viewport_fit(
    struct pb_viewport *p, int width, int height, int tall, int most);

/* Position of v (map frame) in dots from the top left corner. */
struct pb_vec pb_viewport_at(const struct pb_viewport *p, struct pb_vec v);

/* Width of a dot (m). */
double pb_viewport_metres(const struct pb_viewport *p);

/* Fill dot[height * width], enum pb_dot each, top row first. Without a map all
 * are free. */
void pb_viewport_shrink(
    const struct pb_viewport *p, const struct pb_map *m, unsigned char *dot);

/* An axis with ticks at multiples of a step, from left to right or from below
 * upwards. */
struct pb_axis {
	const char *name; /* "x", "y", or "u", "v" along turned edges */
	double zero;      /* value at the left or lower end of the window */
	double sign;      /* +1 or -1: direction of increasing values */
	double length;    /* of the window (m) */
	double step;
	double first; /* value of the first tick, in steps */
	int ticks;    /* 0: too far from zero for doubles */
	bool back;    /* the first tick has the greatest value */
};

/* The axis at the lower edge, or with `up` at the left, with that step. */
struct pb_axis pb_viewport_axis(
    const struct pb_viewport *p, bool up, double step);

/* Compute the ticks of an axis whose other members are set. */
void pb_axis_divide(struct pb_axis *a);

/* Write the label of tick i with as many digits as needed; returns its distance
 * from the left or lower end (m). */
double pb_axis_tick(const struct pb_axis *a, int i, char text[64]);

/* Characters of the widest label. */
int pb_axis_label_width(const struct pb_axis *a);

/* Whether the map is rotated, so that ticks are not coordinates of the map
 * frame; out: its corner and rotation. */
bool pb_viewport_turned(const struct pb_viewport *p, char *out, size_t size);

/* The least number >= v (> 0) of 1, 2, 5 times a power of ten. */
double pb_nice_above(double v);

/* Decimals that ticks of this step need, 0..9. */
int pb_nice_digits(double step);

/* Narrow a..b to the part of the segment p + s (q - p), a <= s <= b, that lies
 * between lo and hi in one coordinate (Liang and Barsky); false: none. */
bool pb_clip(double p, double q, double lo, double hi, double *a, double *b);

/* Characters and name of a sign. */
struct pb_sign_look {
	uint32_t ascii, utf8;
	enum pb_ink ink;
	const char *text;
};
extern const struct pb_sign_look pb_signs[PB_SIGNS];

/* An entry of the legend: a body (PB_SIGN_ROBOT), or a sign, maybe of a
 * body. */
struct pb_legend {
	enum pb_sign sign;
	const struct pb_body *body;
	char text[PB_SCENE_ID + 24];
};
#define PB_LEGEND (4 * PB_SCENE_BODIES + PB_SIGNS)

/* List the legend's entries: bodies, then marks, and kinds of cells with a
 * dot[]. Returns their number. */
size_t pb_legend(const struct pb_scene *s, const struct pb_render_opts *o,
    const bool dot[PB_DOTS], struct pb_legend entry[PB_LEGEND]);

/*
 * The ellipse that holds 95 % of a Gaussian with this covariance of x and y:
 * half axes sqrt(5.991 l) for both eigenvalues l (chi-square, two degrees of
 * freedom), the longer one at `turn` (rad).
 */
struct pb_ellipse {
	double long_axis, short_axis, turn;
};
struct pb_ellipse pb_ellipse(const double cov[3][3]);

/* Functions that draw on paper or a terminal. Places are in the map frame (m);
 * later marks cover earlier ones. `to` is passed to each. */
struct pb_canvas {
	void *to;

	/* A line through points, interrupted at one that is not finite; b: body
	 * of a trail or path, NULL: none. */
	void (*line)(void *to, enum pb_sign what, const struct pb_points *p,
	    const struct pb_body *b);

	/* A dot at each of the points. */
	void (*dots)(void *to, enum pb_sign what, const struct pb_points *p);

	/* A pellet, goal or mark; by: its body, NULL: none. */
	void (*sign)(void *to, enum pb_sign what, struct pb_vec at,
	    const struct pb_body *by);

	/* A hypothesis about a body's pose; rank 1: the likeliest. */
	void (*guess)(void *to, const struct pb_hypothesis *h, int rank);

	/* A body at its pose. */
	void (*body)(void *to, const struct pb_body *b);
};

/* Draw everything in the scene but its map. */
void pb_canvas_draw(const struct pb_canvas *c, const struct pb_scene *s,
    const struct pb_render_opts *o);
