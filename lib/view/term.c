/* term.c - a scene as text for a terminal. */
#include "view/term.h"

#include <stdio.h>
#include <string.h>

#include "view/ring.h"
#include "view/layers.h"

/* Below this no axes are drawn: they would leave no room for the map. */
#define AXES_WIDTH  24
#define AXES_HEIGHT 10

/* A cell of a small map is enlarged to so many dots at most. */
#define ENLARGE 8

/* What surrounds the map. */
struct layout {
	bool axes;
	bool legend;
	bool heading;
	int legend_lines;
};

static void
dots_of(struct pb_sketch *k)
{
	k->sx = k->style == PB_STYLE_BRAILLE ? 2 : 1;
	k->sy = k->style == PB_STYLE_BRAILLE ? 4
	        : k->style == PB_STYLE_HALF  ? 2
	                                     : 1;
}

/* Lines above and below the map. */
static int
lines_around(const struct layout *l)
{
	return l->heading + 2 * l->axes + l->legend * l->legend_lines;
}

/* Fit the map between the margins. */
static void
fit(struct pb_sketch *k, const struct layout *l, const struct pb_tty *t)
{
	int width = t->width - k->left, height = t->height - lines_around(l);

	width = width < 1 ? 1 : width;
	height = height < 1 ? 1 : height;
	pb_viewport_fit(&k->port, width * k->sx, height * k->sy,
	    k->style == PB_STYLE_ASCII ? 2 : 1, ENLARGE);
	k->cols = (k->port.width + k->sx - 1) / k->sx;
	k->lines = (k->port.height + k->sy - 1) / k->sy;
}

/*
 * The left margin depends on the tick labels, these on the scale, and that
 * on the margin; the same goes for the lines of the legend. Two rounds
 * settle it: later ones could only swing.
 */
static void
arrange(struct pb_sketch *k, struct layout *l, const struct pb_scene *s,
    const struct pb_render_opts *o, const struct pb_tty *t)
{
	l->axes =
	    !o->no_axes && t->width >= AXES_WIDTH && t->height >= AXES_HEIGHT;
	l->legend = !o->no_legend && t->height >= AXES_HEIGHT / 2;
	l->heading = l->axes;
	l->legend_lines = 1;
	k->top = l->heading;
	k->left = l->axes ? 6 : 0;
	for (int i = 0; i < 2; i++) {
		fit(k, l, t);
		if (l->legend)
			l->legend_lines =
			    pb_sketch_legend(NULL, 0, t->width, k, s, o);
		if (l->axes)
			k->left = pb_sketch_label_width(&k->port,
				      pb_sketch_step(&k->port, k->sx)) +
			          1;
	}
	fit(k, l, t);
}

/* Title, lights and caption, behind the name of the upward axis. */
static void
heading(struct pb_sketch *k, const struct pb_scene *s,
    const struct pb_render_opts *o, enum pb_depth depth)
{
	const char *title = o->title != NULL ? o->title : s->title;
	int x = k->left < 4 ? 7 : k->left + 3; /* after "y (m)" */

	if (title[0] != '\0')
		x = pb_glyphs_text(&k->cells, x, 0, title, PB_INKS) + 2;
	if (s->has_ring)
		x = pb_ring_put(&k->cells, x, 0, &s->ring, k->utf8, depth) + 2;
	if (s->caption[0] != '\0')
		pb_glyphs_text(&k->cells, x, 0, s->caption, PB_INKS);
}

static enum pb_status
sketch(struct pb_sketch *k, const struct pb_scene *s,
    const struct pb_render_opts *o, const struct pb_tty *t)
{
	struct layout l = {0};
	enum pb_status st;
	int lines;

	dots_of(k);
	arrange(k, &l, s, o, t);
	if (l.legend)
		l.legend_lines = pb_sketch_legend(NULL, 0, t->width, k, s, o);
	lines = k->lines + lines_around(&l);
	if ((st = pb_glyphs_init(&k->cells, t->width,
		 lines > t->height ? t->height : lines)) != PB_OK)
		return st;
	if ((st = pb_sketch_map(k, s->map)) != PB_OK)
		return st;
	pb_sketch_things(k, s, o);
	if (l.axes)
		pb_sketch_axes(k);
	if (l.heading)
		heading(k, s, o, t->depth);
	if (l.legend)
		pb_sketch_legend(&k->cells, k->top + k->lines + 2 * l.axes,
		    t->width, k, s, o);
	return PB_OK;
}

static enum pb_status
draw(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_tty *t, bool home, FILE *f)
{
	struct pb_sketch k = {.style = t->style, .utf8 = t->utf8};
	enum pb_status st;

	if (!pb_viewport_window(s, o, &k.port))
		return PB_ESIZE;
	st = sketch(&k, s, o, t);
	if (st == PB_OK)
		pb_glyphs_print(&k.cells, t->depth, home, f);
	pb_glyphs_clear(&k.cells);
	return st;
}

enum pb_status
pb_term_draw(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_tty *t, FILE *f)
{
	return draw(s, o, t, false, f);
}

enum pb_status
pb_term_frame(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_tty *t, bool first, FILE *f)
{
	enum pb_status st;

	if (first)
		fputs("\033[2J", f);
	st = draw(s, o, t, true, f);
	fputs("\033[J", f); /* what a taller frame left below */
	fflush(f);
	return st;
}
