/* frame.c - axes, scale bar and legend of a terminal picture. */
#include "view/layers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns between two ticks at least: a label of 5 and room around it. */
#define TICK_COLUMNS 9

double
pb_sketch_step(const struct pb_viewport *p, int sx)
{
	return pb_nice_above(TICK_COLUMNS * sx * pb_viewport_metres(p));
}

int
pb_sketch_label_width(const struct pb_viewport *p, double step)
{
	struct pb_axis a = pb_viewport_upwards(p);
	double lo;
	char text[64];
	size_t w;
	int n = pb_axis_ticks(a, p->rows * p->resolution, step, &lo);

	if (n == 0)
		return 0;
	pb_axis_text(text, sizeof(text), step, lo);
	w = strlen(text);
	pb_axis_text(text, sizeof(text), step, lo + n - 1);
	return (int)(strlen(text) > w ? strlen(text) : w);
}

/* Labels and ticks to the left of the map. */
static void
axis_up(struct pb_sketch *k, double step)
{
	struct pb_axis a = pb_viewport_upwards(&k->port);
	double dot = pb_viewport_metres(&k->port) * k->port.tall, lo;
	double length = k->port.rows * k->port.resolution;
	int n = pb_axis_ticks(a, length, step, &lo);
	char text[64];

	for (int y = 0; y < k->lines; y++)
		pb_glyphs_put(&k->cells, k->left - 1, k->top + y,
		    k->utf8 ? 0x2502 : '|', PB_INK_DIM);
	for (int i = 0; i < n; i++) {
		double d = ((lo + i) * step - a.zero) * a.sign / dot;
		int y = (int)floor((k->port.height - d) / k->sy);

		if (y == k->lines)
			y--;
		if (y < 0 || y >= k->lines)
			continue;
		pb_axis_text(text, sizeof(text), step, lo + i);
		pb_glyphs_text(&k->cells, k->left - 1 - (int)strlen(text),
		    k->top + y, text, PB_INKS);
		pb_glyphs_put(&k->cells, k->left - 1, k->top + y,
		    k->utf8 ? 0x2524 : '+', PB_INK_DIM);
	}
}

/* One tick below the map; returns the column after its label. */
static int
tick_below(struct pb_sketch *k, int x, const char *text, int from)
{
	int y = k->top + k->lines, at = k->left + x - (int)strlen(text) / 2;

	pb_glyphs_put(
	    &k->cells, k->left + x, y, k->utf8 ? 0x252c : '+', PB_INK_DIM);
	if (at < from || at + (int)strlen(text) > k->cells.width)
		return from;
	return pb_glyphs_text(&k->cells, at, y + 1, text, PB_INKS) + 1;
}

static void
axis_across(struct pb_sketch *k, double step)
{
	struct pb_axis a = pb_viewport_across(&k->port);
	double dot = pb_viewport_metres(&k->port), lo;
	double length = k->port.cols * k->port.resolution;
	int n = pb_axis_ticks(a, length, step, &lo);
	int y = k->top + k->lines, from = 0;
	char text[64];

	for (int x = 0; x < k->cols; x++)
		pb_glyphs_put(&k->cells, k->left + x, y, k->utf8 ? 0x2500 : '-',
		    PB_INK_DIM);
	pb_glyphs_put(
	    &k->cells, k->left - 1, y, k->utf8 ? 0x2514 : '+', PB_INK_DIM);
	for (int i = 0; i < n; i++) {
		/* From left to right, whichever way the values grow. */
		double v = lo + (a.sign > 0 ? i : n - 1 - i);
		int x = (int)floor((v * step - a.zero) * a.sign / dot / k->sx);

		if (x < 0 || x >= k->cols)
			continue;
		pb_axis_text(text, sizeof(text), step, v);
		from = tick_below(k, x, text, from);
	}
	snprintf(text, sizeof(text), "%s (m)", a.name);
	n = k->left + k->cols - (int)strlen(text);
	if (n < from)
		n = from;
	if (n + (int)strlen(text) <= k->cells.width)
		pb_glyphs_text(&k->cells, n, y + 1, text, PB_INK_DIM);
}

void
pb_sketch_axes(struct pb_sketch *k)
{
	double step = pb_sketch_step(&k->port, k->sx);
	char text[16];

	axis_up(k, step);
	axis_across(k, step);
	if (k->top > 0) {
		snprintf(text, sizeof(text), "%s (m)",
		    pb_viewport_upwards(&k->port).name);
		pb_glyphs_text(&k->cells,
		    k->left > (int)strlen(text) ? k->left - (int)strlen(text)
						: 0,
		    k->top - 1, text, PB_INK_DIM);
	}
}

/* Where the next entry of the legend goes. */
struct pen {
	struct pb_glyphs *cells; /* NULL: count only */
	int x, y, width, lines;
};

/* Begin a new line unless n columns are left. */
static void
pen_room(struct pen *p, int n)
{
	if (p->x > 0 && p->x + n > p->width) {
		p->x = 0;
		p->lines++;
	}
}

static void
pen_entry(struct pen *p, uint32_t code, enum pb_ink ink, const char *text)
{
	int n = (int)strlen(text) + 2;

	pen_room(p, n);
	if (p->cells != NULL) {
		pb_glyphs_put(p->cells, p->x, p->y + p->lines, code, ink);
		pb_glyphs_text(
		    p->cells, p->x + 2, p->y + p->lines, text, PB_INKS);
	}
	p->x += n + 2;
}

/* A bar of about eight columns, as long as a round number of metres. */
static void
pen_scale(struct pen *p, const struct pb_sketch *k)
{
	double column = pb_viewport_metres(&k->port) * k->sx;
	double metres = pb_nice_above(4 * column);
	int n = (int)lround(metres / column), y = p->y + p->lines;
	char text[48];

	snprintf(text, sizeof(text), "%.*f m", pb_nice_digits(metres), metres);
	for (int i = 0; i < n && p->cells != NULL; i++)
		pb_glyphs_put(p->cells, i, y,
		    !k->utf8 ? (i == 0 || i == n - 1 ? '|' : '-')
		    : i == 0 ? 0x251c
			     : (i == n - 1 ? 0x2524 : 0x2500),
		    PB_INKS);
	if (p->cells != NULL)
		pb_glyphs_text(p->cells, n + 1, y, text, PB_INKS);
	p->x = n + 1 + (int)strlen(text) + 2;
}

static void
pen_bodies(struct pen *p, const struct pb_sketch *k, const struct pb_scene *s)
{
	for (size_t i = 0; i < s->bodies; i++)
		if (s->body[i].placed)
			pen_entry(p,
			    pb_sign_body(&s->body[i], &k->port, k->utf8),
			    pb_sign_body_ink(&s->body[i]), s->body[i].id);
}

/* Where the corner of a turned map is. */
static void
pen_turned(struct pen *p, const struct pb_sketch *k)
{
	const struct pb_pose *o = &k->port.origin;
	char text[128];

	snprintf(text, sizeof(text),
	    "u, v from the map's corner (%.2f, %.2f), turned %.1f deg", o->x,
	    o->y, o->th * 180 / PB_PI);
	pen_entry(p, ' ', PB_INKS, text);
}

int
pb_sketch_legend(struct pb_glyphs *cells, int y, int width,
    const struct pb_sketch *k, const struct pb_scene *s,
    const struct pb_render_opts *o)
{
	struct pen p = {.cells = cells, .y = y, .width = width, .lines = 0};
	bool used[PB_SIGNS];

	pb_signs_used(s, o, used);
	pen_scale(&p, k);
	pen_bodies(&p, k, s);
	for (int g = 0; g < PB_SIGN_ROBOT; g++)
		if (used[g])
			pen_entry(&p, pb_sign_code((enum pb_sign)g, k->utf8),
			    pb_sign_ink((enum pb_sign)g),
			    pb_sign_text((enum pb_sign)g));
	if (!pb_viewport_square(&k->port))
		pen_turned(&p, k);
	return p.lines + 1;
}
