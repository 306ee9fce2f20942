/* plot.c - a scene as a PNG picture. */
#include "view/plot.h"

#include <stdio.h>
#include <string.h>

#include "view/figure.h"

#define ENLARGE   64   /* pixels per cell at most */
#define USUAL     1200 /* longest side of a map, at most (px) */
#define SMALL     800  /* one smaller than this (px) ... */
#define LARGE     1600 /* ... may grow beyond the usual, to this (px) */
#define AREA_MAX  6e7  /* pixels of a map: 240 MB while it is drawn */
#define LEAST     420  /* width of a picture with its legend (px) */
#define FONT_WIDE 2600 /* maps wider than this have larger letters (px) */

static bool
too_big(const struct pb_viewport *p)
{
	return p->width > PB_RENDER_PX || p->height > PB_RENDER_PX ||
	       (double)p->width * p->height > AREA_MAX;
}

/* The scale asked for, or as much of it as a picture may have. */
static void
scale(struct pb_viewport *p, const struct pb_render_opts *o)
{
	int side = o->size > 0 ? o->size : USUAL;

	if (o->scale == 0) {
		pb_viewport_fit(p, side, side, 1, ENLARGE);
		if (o->size == 0 && p->width < SMALL && p->height < SMALL)
			pb_viewport_fit(p, LARGE, LARGE, 1, ENLARGE);
		for (; too_big(p) && side > 1; side -= side / 8 + 1)
			pb_viewport_fit(p, side, side, 1, ENLARGE);
		return;
	}
	for (long k = o->scale; k > 0; k--) {
		pb_viewport_scale(p, 1, k, 1);
		if (!too_big(p))
			return;
	}
	for (long k = 2; too_big(p); k++)
		pb_viewport_scale(p, k, 1, 1);
}

/* The title and, to its right or below it, the caption. */
static int
heading_height(
    const struct pb_figure *g, const char *title, const struct pb_scene *s)
{
	int one = pb_text_height(g->font) + 4 * g->font, n = 0;

	n += title[0] != '\0' ? one + 9 * (g->font / 2) : 0;
	n += s->caption[0] != '\0' || s->has_ring ? one : 0;
	return n + 6 * g->font;
}

/* The robot's lights, from x on, beside a line of text that begins at y. */
static void
draw_ring(struct pb_figure *g, int x, int y, const struct pb_ring *r)
{
	double half = pb_text_height(g->font) / 2.0;

	for (int i = 0; i < PB_RING_LEDS; i++) {
		struct pb_vec at = {x + half * (1 + 2.5 * i), y + half};
		struct pb_led l = r->led[i];

		pb_canvas_disc(
		    &g->all, at, half, (struct pb_rgb){l.r, l.g, l.b}, 1);
		pb_canvas_ring(
		    &g->all, at, half, g->font, pb_ink_paper(PB_INK_DIM), 1);
	}
}

static void
heading(struct pb_figure *g, const char *title, const struct pb_scene *s)
{
	int y = 4 * g->font, big = g->font + g->font / 2;

	if (g->left + pb_text_width(title, big) > g->all.width)
		big = g->font;
	if (title[0] != '\0') {
		pb_canvas_text(
		    &g->all, g->left, y, big, title, pb_ink_paper(PB_INK_TEXT));
		y += pb_text_height(big) + 4 * g->font;
	}
	if (s->caption[0] != '\0')
		pb_canvas_text(&g->all, g->left, y, g->font, s->caption,
		    pb_ink_paper(PB_INK_TEXT));
	if (s->has_ring)
		draw_ring(g,
		    g->left + pb_text_width(s->caption, g->font) + 8 * g->font,
		    y, &s->ring);
}

/* Where the corner of a turned map is, as a caption under the axes. */
static void
turned(struct pb_figure *g, int y)
{
	const struct pb_pose *o = &g->port.origin;
	char text[128];

	snprintf(text, sizeof(text),
	    "u, v from the map's corner (%.2f, %.2f), turned %.1f deg", o->x,
	    o->y, o->th * 180 / PB_PI);
	pb_canvas_text(
	    &g->all, g->left, y, g->font, text, pb_ink_paper(PB_INK_TEXT));
}

/* The canvas around the map, with everything on it. */
static enum pb_status
frame(struct pb_figure *g, const struct pb_scene *s,
    const struct pb_render_opts *o)
{
	const char *title = o->title != NULL ? o->title : s->title;
	int below, legend = 0, width, note = 0, right = 12 * g->font;
	enum pb_status st;

	g->left = o->no_axes ? 6 * g->font : pb_figure_margin(g);
	g->top = heading_height(g, title, s);
	width = g->left + g->port.width + right;
	if (width < LEAST && !(o->no_axes && o->no_legend))
		width = LEAST;
	if (width < g->left + pb_text_width(title, g->font) + right)
		width = g->left + pb_text_width(title, g->font) + right;
	below = o->no_axes ? 6 * g->font
	                   : 3 * 4 * g->font + 2 * pb_text_height(g->font);
	if (!pb_viewport_square(&g->port) && !o->no_axes)
		note = pb_text_height(g->font) + 4 * g->font;
	if (!o->no_legend)
		legend = pb_figure_legend(
			     g, 0, width - g->left - right, s, o, false) +
		         4 * g->font;
	if ((st = pb_canvas_init(&g->all, width,
		 g->top + g->port.height + below + note + legend,
		 pb_ink_paper(PB_INK_PAPER))) != PB_OK)
		return st;
	pb_canvas_copy(&g->all, g->left, g->top, &g->map);
	heading(g, title, s);
	if (!o->no_axes)
		pb_figure_axes(g);
	if (note > 0)
		turned(g, g->top + g->port.height + below);
	if (!o->no_legend)
		pb_figure_legend(g, g->top + g->port.height + below + note,
		    width - g->left - right, s, o, true);
	return PB_OK;
}

enum pb_status
pb_plot_draw(const struct pb_scene *s, const struct pb_render_opts *o,
    struct pb_canvas *c)
{
	struct pb_figure g = {.font = 2};
	enum pb_status st;

	if (!pb_viewport_window(s, o, &g.port))
		return PB_ESIZE;
	scale(&g.port, o);
	if (g.port.width > FONT_WIDE)
		g.font = 2 * g.port.width / FONT_WIDE + 1;
	g.unit = 0.75 * g.font;
	st = pb_canvas_init(
	    &g.map, g.port.width, g.port.height, pb_ink_paper(PB_INK_PAPER));
	if (st == PB_OK)
		st = pb_figure_map(&g, s->map);
	if (st == PB_OK) {
		pb_figure_things(&g, s, o);
		st = frame(&g, s, o);
	}
	pb_canvas_clear(&g.map);
	if (st == PB_OK)
		*c = g.all;
	return st;
}

int
pb_plot_png(const struct pb_scene *s, const struct pb_render_opts *o,
    const char *path, struct pb_fault *f)
{
	struct pb_canvas c;
	enum pb_status st = pb_plot_draw(s, o, &c);
	int r;

	if (st == PB_ESIZE)
		return pb_fault_set(
		    f, path, 0, "", "nothing of the map lies in the box");
	if (st != PB_OK)
		return pb_fault_status(f, path, NULL, st);
	r = pb_canvas_png(&c, path, f);
	pb_canvas_clear(&c);
	return r;
}
