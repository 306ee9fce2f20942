/* render.h - how pictures look: options, colours, what an output can show. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "io/stream/error.h"

enum pb_style {
	PB_STYLE_AUTO,   /* half blocks in a UTF-8 locale, else ASCII */
	PB_STYLE_ASCII,  /* one dot a character, twice as high as wide */
	PB_STYLE_HALF,   /* 1 x 2 square dots a character */
	PB_STYLE_BRAILLE /* 2 x 4 square dots a character, no colour needed */
};

enum pb_when { PB_WHEN_AUTO, PB_WHEN_ALWAYS, PB_WHEN_NEVER };

/* Colours that a terminal shows. */
enum pb_depth { PB_DEPTH_NONE, PB_DEPTH_16, PB_DEPTH_256, PB_DEPTH_TRUE };

/*
 * What a drawing is for, a word of PB_OPT_FIGURE: a screen, where it is as
 * large as it comes; one or two columns of a paper, 3.5 or 7.16 inches wide
 * with type of 8 points; a slide of 13.33 x 7.5 inches with type of 18. PNG has
 * 300 dots an inch of paper, 144 of a slide.
 */
enum pb_sheet {
	PB_SHEET_SCREEN,
	PB_SHEET_COLUMN,
	PB_SHEET_PAGE,
	PB_SHEET_SLIDE
};

/* How a picture looks; zeroed: everything automatic, everything shown. */
struct pb_render_opts {
	enum pb_style style;
	enum pb_when color;
	int width;    /* of the terminal picture (characters), 0: terminal's */
	int height;   /* of the terminal picture (lines), 0: terminal's */
	bool has_box; /* show only this part of the map frame (m) */
	double x0, y0, x1, y1;
	bool whole;        /* keep margins of unknown cells */
	bool no_axes;      /* leave out axes, tick labels and scale bar */
	bool no_legend;    /* leave out the line that explains the signs */
	bool no_trails;    /* leave out where bodies were */
	const char *title; /* instead of the scene's, NULL: the scene's */
	int scale;         /* PNG: pixels per cell, 0: automatic */
	int size;  /* PNG: longest side of the map (px), 0: 800 to 1600 */
	int sheet; /* enum pb_sheet that the file is for */
};

/* Limits of the options. */
#define PB_RENDER_CHARS 2000  /* width and height in characters */
#define PB_RENDER_PX    16000 /* longest side of a PNG's map (px) */

/* Read the word of --box into the struct pb_render_opts at `to`; false with bad
 * filled in: it is none. */
bool pb_render_box(void *to, const char *word, struct pb_error *bad);

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

/*
 * Okabe and Ito's colours, which people with any common colour blindness
 * tell apart, and grays. Nothing is told by colour alone.
 */
struct pb_rgb {
	unsigned char r, g, b;
};

enum pb_ink {
	PB_INK_FREE,
	PB_INK_UNKNOWN,
	PB_INK_SHADE, /* behind the sign for unknown */
	PB_INK_WALL,
	PB_INK_PELLET,
	PB_INK_POWER,
	PB_INK_EATEN,
	PB_INK_ROBOT,
	PB_INK_ROBOT_TRAIL,
	PB_INK_GHOST,
	PB_INK_GHOST_TRAIL,
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

/* The colours of an ink, on white paper (PNG) and on a dark terminal. */
struct pb_ink_colors {
	struct pb_rgb paper, screen;
};
extern const struct pb_ink_colors pb_inks[PB_INKS];

/* The one of the terminal's colours from <= i < to that is nearest to k; the
 * first 16 are what a user may have chosen, 256 are all. */
int pb_rgb_nearest(struct pb_rgb k, int from, int to);
