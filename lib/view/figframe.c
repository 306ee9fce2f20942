/* figframe.c - axes, scale bar and legend of a PNG picture. */
#include "view/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/icon.h"

/* Pixels between two ticks at least: a label of 6 with room around it. */
#define TICK_CHARS 8

#define GAP(g) (4 * (g)->font) /* between things of the frame (px) */

double
pb_figure_step(const struct pb_figure *g)
{
	return pb_nice_above(
	    TICK_CHARS * 6 * g->font * pb_viewport_metres(&g->port));
}

int
pb_figure_margin(const struct pb_figure *g)
{
	int n = pb_viewport_label_width(&g->port, pb_figure_step(g));

	return pb_text_height(g->font) + GAP(g) + 6 * n * g->font + 2 * GAP(g);
}

/* Where tick i of an axis lies, in pixels from its beginning. */
static double
tick_at(const struct pb_figure *g, struct pb_axis a, double step, double i)
{
	return (i * step - a.zero) * a.sign / pb_viewport_metres(&g->port);
}

static void
axis_across(struct pb_figure *g)
{
	struct pb_axis a = pb_viewport_across(&g->port);
	double step = pb_figure_step(g), lo;
	double length = g->port.cols * g->port.resolution;
	int ticks = pb_axis_ticks(a, length, step, &lo);
	int y = g->top + g->port.height, free_from = 0;
	struct pb_rgb k = pb_ink_paper(PB_INK_TEXT);
	char text[64];

	for (int n = 0; n < ticks; n++) {
		/* From left to right, whichever way the values grow. */
		double i = lo + (a.sign > 0 ? n : ticks - 1 - n);
		int x = g->left + (int)floor(tick_at(g, a, step, i) + 0.5);
		int w;

		pb_axis_text(text, sizeof(text), step, i);
		w = pb_text_width(text, g->font);
		pb_canvas_fill(&g->all, x, y, x + g->font, y + GAP(g), k, 1);
		pb_canvas_fill(&g->all, x, g->top, x + 1, y, k, 0.08);
		if (x - w / 2 < free_from)
			continue;
		pb_canvas_text(
		    &g->all, x - w / 2, y + GAP(g) + g->font, g->font, text, k);
		free_from = x + w / 2 + 6 * g->font;
	}
	snprintf(text, sizeof(text), "%s (m)", a.name);
	pb_canvas_text(&g->all,
	    g->left + (g->port.width - pb_text_width(text, g->font)) / 2,
	    y + 2 * GAP(g) + pb_text_height(g->font), g->font, text, k);
}

static void
axis_upwards(struct pb_figure *g)
{
	struct pb_axis a = pb_viewport_upwards(&g->port);
	double step = pb_figure_step(g), lo;
	double length = g->port.rows * g->port.resolution;
	int ticks = pb_axis_ticks(a, length, step, &lo);
	struct pb_rgb k = pb_ink_paper(PB_INK_TEXT);
	char text[64];

	for (int n = 0; n < ticks; n++) {
		double i = lo + n;
		int y = g->top + g->port.height -
		        (int)floor(tick_at(g, a, step, i) + 0.5);

		pb_axis_text(text, sizeof(text), step, i);
		pb_canvas_fill(
		    &g->all, g->left - GAP(g), y, g->left, y + g->font, k, 1);
		pb_canvas_fill(&g->all, g->left, y, g->left + g->port.width,
		    y + 1, k, 0.08);
		pb_canvas_text(&g->all,
		    g->left - GAP(g) - 2 * g->font -
			pb_text_width(text, g->font),
		    y - 3 * g->font, g->font, text, k);
	}
	snprintf(text, sizeof(text), "%s (m)", a.name);
	pb_canvas_text_up(&g->all, GAP(g) / 2,
	    g->top + (g->port.height + pb_text_width(text, g->font)) / 2,
	    g->font, text, k);
}

void
pb_figure_axes(struct pb_figure *g)
{
	struct pb_rgb k = pb_ink_paper(PB_INK_TEXT);
	int x0 = g->left, y0 = g->top;
	int x1 = x0 + g->port.width, y1 = y0 + g->port.height;

	axis_across(g);
	axis_upwards(g);
	pb_canvas_fill(
	    &g->all, x0 - g->font, y0 - g->font, x1 + g->font, y0, k, 1);
	pb_canvas_fill(
	    &g->all, x0 - g->font, y1, x1 + g->font, y1 + g->font, k, 1);
	pb_canvas_fill(&g->all, x0 - g->font, y0, x0, y1, k, 1);
	pb_canvas_fill(&g->all, x1, y0, x1 + g->font, y1, k, 1);
}

/* Where the next entry of the legend goes. */
struct pen {
	struct pb_figure *g;
	int x, y;  /* upper left corner of the next entry (px) */
	int right; /* end of lines (px) */
	bool draw;
};

#define LINE(g) (15 * (g)->font) /* height of a line of the legend (px) */
#define ICON(g) (24 * (g)->font) /* width of its icons (px) */

/* Make room for an entry; returns the middle of its icon. */
static struct pb_vec
pen_entry(struct pen *p, const char *text)
{
	struct pb_figure *g = p->g;
	int w = ICON(g) + 5 * g->font + pb_text_width(text, g->font);
	struct pb_vec icon;

	if (p->x > g->left && p->x + w > p->right) {
		p->x = g->left;
		p->y += LINE(g);
	}
	icon = (struct pb_vec){p->x + ICON(g) / 2.0, p->y + LINE(g) / 2.0};
	if (p->draw)
		pb_canvas_text(&g->all, p->x + ICON(g) + 5 * g->font,
		    p->y + (LINE(g) - 7 * g->font) / 2, g->font, text,
		    pb_ink_paper(PB_INK_TEXT));
	p->x += w + 10 * g->font;
	return icon;
}

/* A bar as long as a round number of metres. */
static void
pen_scale(struct pen *p)
{
	struct pb_figure *g = p->g;
	double metres =
	    pb_nice_above(40 * g->font * pb_viewport_metres(&g->port));
	int w = (int)lround(metres / pb_viewport_metres(&g->port)), y;
	struct pb_rgb k = pb_ink_paper(PB_INK_TEXT);
	char text[48];

	snprintf(text, sizeof(text), "%.*f m", pb_nice_digits(metres), metres);
	y = p->y + LINE(g) / 2;
	if (p->draw) {
		pb_canvas_fill(
		    &g->all, p->x, y - g->font, p->x + w, y + g->font, k, 1);
		pb_canvas_fill(&g->all, p->x, y - 4 * g->font, p->x + g->font,
		    y + 4 * g->font, k, 1);
		pb_canvas_fill(&g->all, p->x + w - g->font, y - 4 * g->font,
		    p->x + w, y + 4 * g->font, k, 1);
		pb_canvas_text(&g->all, p->x + w + 4 * g->font, y - 3 * g->font,
		    g->font, text, k);
	}
	p->x += w + 14 * g->font + pb_text_width(text, g->font);
}

static void
sample_line(
    struct pb_figure *g, struct pb_vec m, enum pb_stroke stroke, enum pb_ink i)
{
	struct pb_vec p[2] = {
	    {m.x - ICON(g) / 2.0, m.y}, {m.x + ICON(g) / 2.0, m.y}};

	pb_icon_line(&g->all, p, 2, g->unit, stroke, pb_ink_paper(i));
}

/* A square in the colour of a kind of cell, with an edge. */
static void
sample_square(struct pb_figure *g, struct pb_vec m, enum pb_ink i)
{
	int r = 5 * g->font, x = (int)m.x, y = (int)m.y;

	pb_canvas_fill(
	    &g->all, x - r, y - r, x + r, y + r, pb_ink_paper(PB_INK_TEXT), 1);
	pb_canvas_fill(&g->all, x - r + g->font, y - r + g->font,
	    x + r - g->font, y + r - g->font, pb_ink_paper(i), 1);
}

/* Five dots in a row, every other one lower by `lower` pixels. */
static void
sample_dots(struct pb_figure *g, struct pb_vec m, double lower, enum pb_ink i)
{
	double u = g->unit;

	for (int k = -2; k <= 2; k++)
		pb_canvas_disc(&g->all,
		    (struct pb_vec){
			m.x + 3 * k * u, m.y + (k % 2 != 0 ? lower : 0)},
		    1.2 * u, pb_ink_paper(i), 0.9);
}

static void
sample(struct pb_figure *g, struct pb_vec m, enum pb_sign sign)
{
	double u = g->unit;

	switch (sign) {
	case PB_SIGN_WALL:
		sample_square(g, m, PB_INK_WALL);
		break;
	case PB_SIGN_UNKNOWN:
		sample_square(g, m, PB_INK_UNKNOWN);
		break;
	case PB_SIGN_SCAN:
		sample_dots(g, m, 0, PB_INK_SCAN);
		break;
	case PB_SIGN_PARTICLE:
		sample_dots(g, m, 2 * u, PB_INK_OTHER);
		break;
	case PB_SIGN_GUESS:
		pb_icon_guess(&g->all, m, u, 0, 1);
		break;
	case PB_SIGN_GHOST_TRAIL:
		sample_line(g, m, PB_STROKE_DASH, PB_INK_GHOST_TRAIL);
		break;
	case PB_SIGN_TRAIL:
		sample_line(g, m, PB_STROKE_FULL, PB_INK_ROBOT_TRAIL);
		break;
	case PB_SIGN_PATH:
		sample_line(g, m, PB_STROKE_LONG, PB_INK_PATH);
		break;
	case PB_SIGN_SOLID:
		pb_icon_solid(&g->all, m, u);
		break;
	case PB_SIGN_EATEN:
		pb_icon_eaten(&g->all, m, u);
		break;
	case PB_SIGN_PELLET:
		pb_icon_pellet(&g->all, m, u, false);
		break;
	case PB_SIGN_POWER:
		pb_icon_pellet(&g->all, m, u, true);
		break;
	case PB_SIGN_HOME:
		pb_icon_home(&g->all, m, u);
		break;
	case PB_SIGN_GOAL:
		pb_icon_goal(&g->all, m, u);
		break;
	case PB_SIGN_TARGET:
		pb_icon_target(&g->all, m, 0.7 * u);
		break;
	case PB_SIGN_DEATH:
		pb_icon_death(&g->all, m, u);
		break;
	default:
		break;
	}
}

static void
pen_bodies(struct pen *p, const struct pb_scene *s)
{
	for (size_t i = 0; i < s->bodies; i++) {
		const struct pb_body *b = &s->body[i];
		struct pb_vec m;

		if (!b->placed)
			continue;
		m = pen_entry(p, b->id);
		if (p->draw)
			pb_icon_body(&p->g->all, b, m, 7 * p->g->unit, 0);
	}
}

int
pb_figure_legend(struct pb_figure *g, int y, int width,
    const struct pb_scene *s, const struct pb_render_opts *o, bool draw)
{
	struct pen p = {g, g->left, y, g->left + width, draw};
	bool used[PB_SIGNS];

	pb_signs_used(s, o, used);
	used[PB_SIGN_WALL] = g->shows[PB_DOT_WALL];
	used[PB_SIGN_UNKNOWN] = g->shows[PB_DOT_UNKNOWN];
	pen_scale(&p);
	pen_bodies(&p, s);
	for (int i = 0; i < PB_SIGN_ROBOT; i++) {
		struct pb_vec m;

		if (!used[i])
			continue;
		m = pen_entry(&p, pb_sign_text((enum pb_sign)i));
		if (draw)
			sample(g, m, (enum pb_sign)i);
	}
	return p.y + LINE(g) - y;
}
